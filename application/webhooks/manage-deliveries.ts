import { type Instant, isRefusal, refuse } from '#domain';
import type { Actor } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { Deliveries, Delivery, DeliveryQuery } from './deliveries.ts';
import type { WebhookEndpoints, WebhookRefusal } from './endpoints.ts';
import { endPause, findOwnEndpoint, webhookSubject } from './manage-webhooks.ts';
import type { WebhookReplays } from './replays.ts';

/** Serves clients of the channel, and administrators. Other channels' endpoints are unknown. */
export interface ManageDeliveries {
  list(channelLink: string, query: DeliveryQuery): Promise<readonly Delivery[] | WebhookRefusal>;
  /** Has a delivery tried now, from the beginning of the schedule. */
  retry(channelLink: string, endpointId: string, id: number): Promise<Delivery | WebhookRefusal>;
  /** Has the events of a time sent once more, in the background. `to` is exclusive. */
  replay(
    channelLink: string,
    endpointId: string,
    time: { readonly from: Instant; readonly to: Instant },
    actor: Actor,
  ): Promise<'requested' | WebhookRefusal>;
}

interface Needs {
  readonly webhookEndpoints: WebhookEndpoints;
  readonly deliveries: Deliveries;
  readonly webhookReplays: WebhookReplays;
  readonly clock: Clock;
}

export const makeManageDeliveries = (ports: Needs): ManageDeliveries => {
  const { deliveries, webhookReplays, clock } = ports;
  return {
    list: async (channelLink, query) => {
      const found = await findOwnEndpoint(ports, channelLink, query.endpointId);
      return isRefusal(found) ? found : deliveries.list(query);
    },

    retry: async (channelLink, endpointId, id) => {
      const found = await findOwnEndpoint(ports, channelLink, endpointId);
      if (isRefusal(found)) return found;
      if (found.disabled !== undefined) return refuse('webhook_disabled');
      await endPause(ports, found);
      const outcome = await deliveries.retry(endpointId, id, clock.now());
      const delivery = outcome === 'waiting' ? await deliveries.find(endpointId, id) : undefined;
      return delivery ?? refuse('delivery_unknown');
    },

    replay: async (channelLink, endpointId, { from, to }, actor) => {
      const found = await findOwnEndpoint(ports, channelLink, endpointId);
      if (isRefusal(found)) return found;
      const outcome = await webhookReplays.request(
        { endpointId, from, to },
        {
          at: clock.now(),
          action: 'webhook.replayed',
          actor,
          subject: webhookSubject(endpointId),
          reason: null,
          changes: [
            { field: 'from', before: null, after: from },
            { field: 'to', before: null, after: to },
          ],
        },
      );
      return outcome === 'requested' ? outcome : refuse('replay_running');
    },
  };
};
