import type { Instant } from '#domain';
import type { WebhookEndpoint } from '../../application/webhooks/endpoints.ts';
import { AT } from './identity.ts';

/** An endpoint of `canal-demo` that gets every paid sale. */
export const endpoint = (id: string, over: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id,
  channelLink: 'canal-demo',
  url: `https://partner.example/${id}`,
  events: ['sale.paid'],
  createdAt: AT,
  sealedSecret: `sealed secret of ${id}`,
  version: 1,
  ...over,
});

/** `minutes` after the time at which the tests' endpoints are made. */
export const later = (minutes: number): Instant =>
  new Date(Date.parse(AT) + minutes * 60_000).toISOString() as Instant;
