import type { TObject } from 'typebox';
import { callerOf, pathParameter } from '../../kit/web/pipeline/context.ts';
import { withCredentials } from '../oauth/partner-access.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';

type Exchange = Parameters<typeof callerOf>[0];

/** An audience that manages webhooks: it has the same routes as others, below its own path. */
export interface WebhookAudience {
  readonly shared: Pick<Route, 'tag' | 'scope' | 'partnerCredentials'>;
  /** The path of the channel's webhooks. */
  readonly path: string;
  /** The channel whose webhooks are managed. */
  channelOf(exchange: Exchange): string;
  /** The body as they send it. */
  body(body: TObject, title: string): TObject;
}

/** A client of the channel. */
export const PARTNERS: WebhookAudience = {
  shared: { tag: 'Webhooks', scope: 'sales', partnerCredentials: true },
  path: '/private/integration/webhooks',
  // No channel has an empty name.
  channelOf: (exchange) => callerOf(exchange).channelLink ?? '',
  body: withCredentials,
};

/** Administrators name the channel. */
export const ADMINISTRATORS: WebhookAudience = {
  shared: ADMIN_ROUTE,
  path: '/admin/channels/{channelLink}/webhooks',
  channelOf: (exchange) => pathParameter(exchange, 'channelLink'),
  body: (body) => body,
};
