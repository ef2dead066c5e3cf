import type { Route } from '../routes/route.ts';
import { createDeliveryRoutes, type DeliveryRouteParts } from './delivery-routes.ts';
import { createEndpointRoutes, type EndpointRouteParts } from './endpoint-routes.ts';
import { ADMINISTRATORS, PARTNERS } from './webhook-audience.ts';

export type WebhookRouteParts = EndpointRouteParts & DeliveryRouteParts;

/** The webhooks of any channel, for administrators, and of the caller's own. */
export const createManagedWebhookRoutes = (parts: WebhookRouteParts): readonly Route[] =>
  [PARTNERS, ADMINISTRATORS].flatMap((audience) => [
    ...createEndpointRoutes(parts, audience),
    ...createDeliveryRoutes(parts, audience),
  ]);
