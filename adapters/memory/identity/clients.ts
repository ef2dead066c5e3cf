import type { Instant } from '#domain';
import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';
import type {
  ApiClient,
  ClientQuery,
  ClientRecord,
  Clients,
} from '../../../application/identity/clients.ts';

/** Min time between two notes of one client's use. */
const NOTE_USE_MS = 60_000;

export class MemoryClients implements Clients {
  readonly #auditLog: AuditLog;
  /** The clients in the order of creation. */
  readonly #clients = new Map<string, ApiClient>();
  readonly #uses = new Map<string, Instant>();

  constructor(auditLog: AuditLog) {
    this.#auditLog = auditLog;
  }

  async add(client: ApiClient, entry: AuditEntry): Promise<'added' | 'duplicate'> {
    if (this.#clients.has(client.clientId)) return 'duplicate';
    this.#clients.set(client.clientId, structuredClone(client));
    await this.#auditLog.append(entry);
    return 'added';
  }

  async save(changed: ApiClient, entry: AuditEntry): Promise<'saved' | 'stale'> {
    const stored = this.#clients.get(changed.clientId);
    if (stored?.version !== changed.version) return 'stale';
    const { createdAt, version } = stored;
    this.#clients.set(changed.clientId, {
      ...structuredClone(changed),
      createdAt,
      version: version + 1,
    });
    await this.#auditLog.append(entry);
    return 'saved';
  }

  find(clientId: string): ApiClient | undefined {
    return structuredClone(this.#clients.get(clientId));
  }

  async load(clientId: string): Promise<ClientRecord | undefined> {
    const client = this.#clients.get(clientId);
    return client && this.#record(client);
  }

  async list({ status, channelLink, after, limit }: ClientQuery): Promise<readonly ClientRecord[]> {
    const all = [...this.#clients.values()].sort(byCreation);
    const last = all.findIndex(({ clientId }) => clientId === after);
    if (after !== undefined && last < 0) return [];
    const following = all.slice(last + 1);
    const fitting = following.filter(
      (each) =>
        each.status === (status ?? each.status) &&
        each.channelLink === (channelLink ?? each.channelLink),
    );
    return fitting.slice(0, limit).map((client) => this.#record(client));
  }

  noteUse(clientId: string, at: Instant): void {
    const last = this.#uses.get(clientId);
    if (last === undefined || Date.parse(at) - Date.parse(last) >= NOTE_USE_MS)
      this.#uses.set(clientId, at);
  }

  async isEmpty(): Promise<boolean> {
    return this.#clients.size === 0;
  }

  #record(client: ApiClient): ClientRecord {
    return { client: structuredClone(client), lastUsedAt: this.#uses.get(client.clientId) ?? null };
  }
}

const byCreation = (one: ApiClient, other: ApiClient): number => {
  const [mine, theirs] = [one, other].map(
    ({ createdAt, clientId }) => `${createdAt} ${clientId}`,
  ) as [string, string];
  return mine < theirs ? -1 : 1;
};
