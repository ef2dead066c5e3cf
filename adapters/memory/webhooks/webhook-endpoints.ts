import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';
import type {
  EndpointHealth,
  WebhookEndpoint,
  WebhookEndpoints,
} from '../../../application/webhooks/endpoints.ts';

export class MemoryWebhookEndpoints implements WebhookEndpoints {
  readonly #endpoints = new Map<string, WebhookEndpoint>();
  readonly #auditLog: AuditLog;

  constructor(auditLog: AuditLog) {
    this.#auditLog = auditLog;
  }

  async add(
    endpoint: WebhookEndpoint,
    limit: number,
    entry: AuditEntry,
  ): Promise<'added' | 'too_many' | 'url_taken'> {
    if (this.#hasUrl(endpoint)) return 'url_taken';
    if (this.known(endpoint.channelLink).length >= limit) return 'too_many';
    this.#endpoints.set(endpoint.id, structuredClone(endpoint));
    await this.#auditLog.append(entry);
    return 'added';
  }

  async find(id: string): Promise<WebhookEndpoint | undefined> {
    return structuredClone(this.#endpoints.get(id));
  }

  async list(channelLink: string | undefined): Promise<readonly WebhookEndpoint[]> {
    return this.known(channelLink);
  }

  /** What `list` returns. */
  known(channelLink: string | undefined): readonly WebhookEndpoint[] {
    const listed = [...this.#endpoints.values()].filter(
      (each) => channelLink === undefined || each.channelLink === channelLink,
    );
    return structuredClone(listed.sort(oldestFirst));
  }

  async save(
    changed: WebhookEndpoint,
    entry: AuditEntry,
  ): Promise<'saved' | 'stale' | 'url_taken'> {
    const stored = this.#endpoints.get(changed.id);
    if (stored?.version !== changed.version) return 'stale';
    if (this.#hasUrl(changed)) return 'url_taken';
    const { failingSince, pausedUntil, ...content } = changed;
    this.#endpoints.set(
      changed.id,
      structuredClone({
        ...content,
        version: stored.version + 1,
        ...(failingSince && stored.failingSince && { failingSince: stored.failingSince }),
        ...(pausedUntil && stored.pausedUntil && { pausedUntil: stored.pausedUntil }),
      }),
    );
    await this.#auditLog.append(entry);
    return 'saved';
  }

  async remove(id: string, entry: AuditEntry): Promise<'removed' | 'unknown'> {
    if (!this.#endpoints.delete(id)) return 'unknown';
    await this.#auditLog.append(entry);
    return 'removed';
  }

  async noteHealth(id: string, version: number, health: EndpointHealth): Promise<void> {
    const stored = this.#endpoints.get(id);
    if (stored?.version !== version) return;
    const { failingSince: _, pausedUntil: __, ...content } = stored;
    const { failingSince, pausedUntil, disabled } = health;
    this.#endpoints.set(
      id,
      structuredClone({
        ...content,
        ...(failingSince && { failingSince }),
        ...(pausedUntil && { pausedUntil }),
        ...(disabled && { disabled, version: version + 1 }),
      }),
    );
  }

  #hasUrl({ id, channelLink, url }: WebhookEndpoint): boolean {
    return this.known(channelLink).some((each) => each.id !== id && each.url === url);
  }
}

const oldestFirst = (one: WebhookEndpoint, other: WebhookEndpoint): number => {
  const [mine, theirs] = [`${one.createdAt} ${one.id}`, `${other.createdAt} ${other.id}`];
  return mine < theirs ? -1 : 1;
};
