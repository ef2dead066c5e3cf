import { type Instant, isRefusal, refuse } from '#domain';
import type { Actor, AuditAction, AuditEntry } from '../audit/audit-log.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { PartnerEvents } from '../events/partner-events.ts';
import type { Identifiers } from '../identifiers.ts';
import { retryStale } from '../retry-stale.ts';
import { type Deliveries, HASTENED } from './deliveries.ts';
import {
  auditedChanges,
  changeEndpoint,
  type EndpointChange,
  rotateEndpointSecret,
} from './endpoint-lifecycle.ts';
import type { Subscription, WebhookRefusal } from './endpoints.ts';
import { MAX_ENDPOINTS, type WebhookEndpoint, type WebhookEndpoints } from './endpoints.ts';
import type { SecretSeal } from './webhook-sender.ts';
import type { WebhookUrl } from './webhook-urls.ts';

/** What an endpoint is to be. */
export interface NewEndpoint {
  readonly url: WebhookUrl;
  readonly events: readonly Subscription[];
  readonly description?: string | undefined;
}

/** An endpoint of a channel, as its owner sees it. */
export interface ShownEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** Whether the service can open the secret with which it signs. If not, it sends nothing. */
  readonly canSign: boolean;
}

/** The endpoint with a new secret, which is shown only here. */
export interface EndpointWithSecret extends ShownEndpoint {
  readonly secret: string;
}

/** Serves clients of the channel, and administrators. Other channels' endpoints are unknown. */
export interface ManageWebhooks {
  create(
    channelLink: string,
    request: NewEndpoint,
    actor: Actor,
  ): Promise<EndpointWithSecret | WebhookRefusal>;
  list(channelLink: string): Promise<readonly ShownEndpoint[] | WebhookRefusal>;
  find(channelLink: string, id: string): Promise<ShownEndpoint | WebhookRefusal>;
  /** Writes no audit entry if nothing changes. */
  change(
    channelLink: string,
    id: string,
    change: EndpointChange,
    actor: Actor,
  ): Promise<ShownEndpoint | WebhookRefusal>;
  remove(channelLink: string, id: string, actor: Actor): Promise<'removed' | WebhookRefusal>;
  rotateSecret(
    channelLink: string,
    id: string,
    actor: Actor,
  ): Promise<EndpointWithSecret | WebhookRefusal>;
  /** Adds a test event for the endpoint, rightly or wrongly signed. Returns the event's id. */
  test(
    channelLink: string,
    id: string,
    signature?: 'right' | 'wrong',
  ): Promise<string | WebhookRefusal>;
}

interface Needs {
  readonly webhookEndpoints: WebhookEndpoints;
  readonly deliveries: Deliveries;
  readonly secretSeal: SecretSeal;
  readonly partnerEvents: PartnerEvents;
  readonly catalogue: Catalogue;
  readonly identifiers: Identifiers;
  readonly clock: Clock;
}

/** Names an endpoint as the subject of an audit entry. */
export const webhookSubject = (id: string): string => `webhook/${id}`;

/** What an id looks like: the store is not asked for others, which it may be unable to read. */
const ENDPOINT_ID = /^whe_[\w-]{1,60}$/;

/** The endpoint, if it is the channel's. */
export const findOwnEndpoint = async (
  { webhookEndpoints }: { readonly webhookEndpoints: WebhookEndpoints },
  channelLink: string,
  id: string,
): Promise<WebhookEndpoint | WebhookRefusal> => {
  if (!ENDPOINT_ID.test(id)) return refuse('webhook_unknown');
  const found = await webhookEndpoints.find(id);
  return found?.channelLink === channelLink ? found : refuse('webhook_unknown');
};

/** Ends the pause after failures: the partner asks for a try now. No change of the endpoint. */
export const endPause = async (
  { webhookEndpoints }: { readonly webhookEndpoints: WebhookEndpoints },
  { id, version, failingSince, pausedUntil }: WebhookEndpoint,
): Promise<void> => {
  if (pausedUntil !== undefined) await webhookEndpoints.noteHealth(id, version, { failingSince });
};

/** What the audit log says of a change. */
const auditEntry = (
  at: Instant,
  action: AuditAction,
  actor: Actor,
  before: WebhookEndpoint | undefined,
  after: WebhookEndpoint | undefined,
): AuditEntry => ({
  at,
  action,
  actor,
  subject: webhookSubject((after ?? before)?.id ?? ''),
  reason: null,
  changes: auditedChanges(before, after),
});

/** Names the endpoint that has the URL already. */
const refuseUrl = async (
  { webhookEndpoints }: Needs,
  { channelLink, url }: WebhookEndpoint,
): Promise<WebhookRefusal> => {
  const listed = await webhookEndpoints.list(channelLink);
  const owner = listed.find((each) => each.url === url);
  return { ...refuse('webhook_url_taken'), endpointId: owner?.id };
};

/** Changes the stored endpoint; starts again from the store if another change came first. */
const makeChangeStored = (ports: Needs) =>
  async function changeStored(
    { channelLink, id }: Pick<WebhookEndpoint, 'channelLink' | 'id'>,
    action: AuditAction,
    actor: Actor,
    change: (endpoint: WebhookEndpoint) => WebhookEndpoint,
  ): Promise<WebhookEndpoint | WebhookRefusal> {
    return retryStale('the webhook', async () => {
      const before = await findOwnEndpoint(ports, channelLink, id);
      if (isRefusal(before)) return before;
      const after = change(before);
      if (after === before) return before;
      const entry = auditEntry(ports.clock.now(), action, actor, before, after);
      const saved = await ports.webhookEndpoints.save(after, entry);
      if (saved === 'url_taken') return refuseUrl(ports, after);
      return saved === 'saved' ? { ...after, version: after.version + 1 } : 'stale';
    });
  };

const makeCreate = (ports: Needs): ManageWebhooks['create'] => {
  const { webhookEndpoints, secretSeal, catalogue, identifiers, clock } = ports;
  return async function createEndpoint(channelLink, { url, events, description }, actor) {
    if (!(await catalogue.current()).channels.has(channelLink)) return refuse('channel_unknown');
    const id = `whe_${identifiers.next()}`;
    const secret = secretSeal.makeSecret();
    const createdAt = clock.now();
    const endpoint: WebhookEndpoint = {
      ...{ id, channelLink, url, events, createdAt, version: 1 },
      ...(description !== undefined && { description }),
      sealedSecret: secretSeal.seal(secret, id),
    };
    const entry = auditEntry(createdAt, 'webhook.created', actor, undefined, endpoint);
    const added = await webhookEndpoints.add(endpoint, MAX_ENDPOINTS, entry);
    if (added === 'too_many') return refuse('webhook_limit_reached');
    if (added === 'url_taken') return refuseUrl(ports, endpoint);
    return { endpoint, canSign: true, secret };
  };
};

export const makeManageWebhooks = (ports: Needs): ManageWebhooks => {
  const { webhookEndpoints, deliveries, secretSeal, partnerEvents, catalogue, clock } = ports;
  const changeStored = makeChangeStored(ports);

  const show = (endpoint: WebhookEndpoint): ShownEndpoint => ({
    endpoint,
    canSign: secretSeal.open(endpoint.sealedSecret, endpoint.id) !== undefined,
  });

  return {
    create: makeCreate(ports),

    list: async (channelLink) => {
      if (!(await catalogue.current()).channels.has(channelLink)) return refuse('channel_unknown');
      return (await webhookEndpoints.list(channelLink)).map(show);
    },

    find: async (channelLink, id) => {
      const found = await findOwnEndpoint(ports, channelLink, id);
      return isRefusal(found) ? found : show(found);
    },

    change: async (channelLink, id, change, actor) => {
      const name = { channelLink, id };
      let wasDisabled = false;
      const changed = await changeStored(name, 'webhook.changed', actor, (endpoint) => {
        wasDisabled = endpoint.disabled !== undefined;
        return changeEndpoint(endpoint, change, clock.now());
      });
      if (isRefusal(changed)) return changed;
      if (wasDisabled && changed.disabled === undefined)
        await deliveries.hasten(id, clock.now(), HASTENED);
      if (change.status !== 'active') return show(changed);
      await endPause(ports, changed);
      const { pausedUntil: _, ...active } = changed;
      return show(active);
    },

    remove: async (channelLink, id, actor) => {
      const found = await findOwnEndpoint(ports, channelLink, id);
      if (isRefusal(found)) return found;
      const entry = auditEntry(clock.now(), 'webhook.deleted', actor, found, undefined);
      const removed = await webhookEndpoints.remove(id, entry);
      return removed === 'removed' ? removed : refuse('webhook_unknown');
    },

    rotateSecret: async (channelLink, id, actor) => {
      const secret = secretSeal.makeSecret();
      const sealed = secretSeal.seal(secret, id);
      const name = { channelLink, id };
      const rotated = await changeStored(name, 'webhook.secret_rotated', actor, (endpoint) => {
        const isLost = secretSeal.open(endpoint.sealedSecret, id) === undefined;
        return rotateEndpointSecret(endpoint, sealed, clock.now(), isLost);
      });
      return isRefusal(rotated) ? rotated : { ...show(rotated), secret };
    },

    test: async (channelLink, id, signature) => {
      const found = await findOwnEndpoint(ports, channelLink, id);
      if (isRefusal(found)) return found;
      if (found.disabled !== undefined) return refuse('webhook_disabled');
      await endPause(ports, found);
      return partnerEvents.requestTest(channelLink, id, clock.now(), signature);
    },
  };
};
