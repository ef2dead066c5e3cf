/**
 * What is wrong with the URL of an endpoint. `not_public`: it names a private, loopback, link-local
 * or otherwise special address, or a name that is not in the public DNS. `own_host`: the service
 * itself.
 */
export type UrlFault =
  | 'malformed'
  | 'not_https'
  | 'has_credentials'
  | 'has_fragment'
  | 'port_not_allowed'
  | 'not_public'
  | 'own_host';

declare const allowed: unique symbol;

/** A URL that the rules allow, in its normal form. */
export type WebhookUrl = string & { readonly [allowed]: true };

export type UrlReading =
  | { readonly ok: true; readonly url: WebhookUrl }
  | { readonly ok: false; readonly faults: readonly UrlFault[] };

/**
 * The rules for the URLs of endpoints, as far as the text tells. The addresses behind a name are
 * checked when the sender connects.
 *
 * 1. A URL that is allowed is returned in its normal form (WHATWG URL), so that two spellings of
 *    one address are equal.
 * 2. Every fault is named at once.
 */
export interface WebhookUrls {
  read(text: string): UrlReading;
}
