import { isRefusal, type Refusal, refuse } from '#domain';
import {
  type Actor,
  type AuditAction,
  type AuditEntry,
  changesBetween,
  clientSubject,
} from '../audit/audit-log.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { timelinesOf } from '../catalogue/versions.ts';
import type { Clock } from '../clock.ts';
import type { Identifiers } from '../identifiers.ts';
import { retryStale } from '../retry-stale.ts';
import {
  activate,
  deactivate,
  type LifecycleRefusal,
  revoke,
  rotateSecret,
} from './client-lifecycle.ts';
import type { ApiClient, ClientRecord, Clients, Scope } from './clients.ts';
import type { Secrets } from './secrets.ts';

/** `own_client`: an administrator must not lock itself out. */
export type ClientRefusal = Refusal<
  'client_unknown' | 'client_revoked' | 'client_id_taken' | 'own_client'
>;

/** A client of a channel that does not exist could not sell. */
export interface NoSuchChannel extends Refusal<'client_channel_unknown'> {
  readonly channelLink: string;
  /** The channels that exist. */
  readonly channels: readonly string[];
}

export interface ClientRequest {
  readonly name: string;
  readonly channelLink: string | null;
  readonly scopes: readonly Scope[];
  readonly active: boolean;
  /** Chosen by the operator for the first administrator; otherwise both are generated. */
  readonly credentials?: { readonly clientId: string; readonly clientSecret: string };
}

/** A client with its new secret, which is auditedFields only here. */
export interface NewSecret extends ClientRecord {
  readonly clientSecret: string;
}

export type StatusChange = 'activate' | 'deactivate' | 'revoke';

export interface ManageClients {
  create(request: ClientRequest, actor: Actor): Promise<NewSecret | ClientRefusal | NoSuchChannel>;
  /** Changes nothing, and writes no audit entry, if the client has that status. */
  changeStatus(
    clientId: string,
    change: StatusChange,
    actor: Actor,
  ): Promise<ClientRecord | ClientRefusal>;
  /** `graceHours`: how long the current secret stays valid beside the new one. */
  rotateSecret(
    clientId: string,
    graceHours: number,
    actor: Actor,
  ): Promise<NewSecret | ClientRefusal>;
}

interface Needs {
  readonly catalogue: Catalogue;
  readonly clients: Clients;
  readonly secrets: Secrets;
  readonly identifiers: Identifiers;
  readonly clock: Clock;
}

const STATUS_CHANGES = {
  activate: { apply: activate, action: 'client.activated' },
  deactivate: { apply: deactivate, action: 'client.deactivated' },
  revoke: { apply: revoke, action: 'client.revoked' },
} as const;

/** What the audit log shows of a client. */
const auditedFields = ({ name, channelLink, scopes, status, secrets }: ApiClient): object => ({
  name,
  channelLink,
  scopes,
  status,
  secrets: secrets.map(({ createdAt, expiresAt }) => ({ createdAt, expiresAt })),
});

/** Returns a function that describes a change for the audit log. */
const entriesBy =
  (clock: Clock) =>
  (
    action: AuditAction,
    actor: Actor,
    before: ApiClient | undefined,
    after: ApiClient,
  ): AuditEntry => ({
    at: clock.now(),
    action,
    actor,
    subject: clientSubject(after.clientId),
    reason: null,
    changes: changesBetween(before ? auditedFields(before) : {}, auditedFields(after)),
  });

const findMissing = async (
  catalogue: Catalogue,
  channelLink: string,
): Promise<NoSuchChannel | undefined> => {
  const { versions } = await catalogue.load();
  const channels = [...timelinesOf(versions).channels.keys()];
  return channels.includes(channelLink)
    ? undefined
    : { ...refuse('client_channel_unknown'), channelLink, channels };
};

export const makeManageClients = ({
  catalogue,
  clients,
  secrets,
  identifiers,
  clock,
}: Needs): ManageClients => {
  const entry = entriesBy(clock);

  const create: ManageClients['create'] = async (
    { name, channelLink, scopes, active, credentials },
    actor,
  ) => {
    const missing = channelLink === null ? undefined : await findMissing(catalogue, channelLink);
    if (missing !== undefined) return missing;

    const clientSecret = credentials?.clientSecret ?? secrets.generate();
    const createdAt = clock.now();
    const client: ApiClient = {
      clientId: credentials?.clientId ?? identifiers.next(),
      name,
      channelLink,
      scopes,
      status: active ? 'active' : 'inactive',
      secrets: [{ hash: secrets.hash(clientSecret), createdAt, expiresAt: null }],
      generation: 0,
      createdAt,
      version: 1,
    };
    const outcome = await clients.add(client, entry('client.created', actor, undefined, client));
    return outcome === 'added'
      ? { client, lastUsedAt: null, clientSecret }
      : refuse('client_id_taken');
  };

  /** Changes the stored client; retries from the store if another change came first. */
  const changeClient = async (
    clientId: string,
    action: AuditAction,
    actor: Actor,
    change: (client: ApiClient) => ApiClient | LifecycleRefusal,
  ): Promise<ClientRecord | ClientRefusal> => {
    return retryStale('the client', async () => {
      const record = await clients.load(clientId);
      if (record === undefined) return refuse('client_unknown');
      const after = change(record.client);
      if (isRefusal(after)) return after;
      if (after === record.client) return record;
      const saved = await clients.save(after, entry(action, actor, record.client, after));
      return saved === 'saved'
        ? { ...record, client: { ...after, version: after.version + 1 } }
        : 'stale';
    });
  };

  return {
    create,
    changeStatus: async (clientId, change, actor) => {
      const { apply, action } = STATUS_CHANGES[change];
      if (change !== 'activate' && actor.kind === 'client' && actor.name === clientId)
        return refuse('own_client');
      return changeClient(clientId, action, actor, apply);
    },
    rotateSecret: async (clientId, graceHours, actor) => {
      const clientSecret = secrets.generate();
      const [hash, at] = [secrets.hash(clientSecret), clock.now()];
      const outcome = await changeClient(clientId, 'client.secret_rotated', actor, (client) =>
        rotateSecret(client, hash, at, graceHours),
      );
      return isRefusal(outcome) ? outcome : { ...outcome, clientSecret };
    },
  };
};
