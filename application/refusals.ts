import type { CancellationFigures, CancellationRefusal, Refusal } from '#domain';
import type { AttributeFault } from './catalogue/attribute-schemas.ts';
import type { Difference } from './differences.ts';
import type { SaleRefusal } from './sales/sale-request.ts';
import type { Idempotency } from './sales/sales.ts';

/** A request cannot be sold. Holds every reason and every fault of its attributes; at least one. */
export interface NotSellable extends Refusal<'not_sellable'> {
  readonly reasons: readonly SaleRefusal[];
  readonly attributeFaults: readonly AttributeFault[];
}

/** The key of a request was used before, with other content. `owner`: of that key. */
export interface KeyReused extends Refusal<'key_reused'> {
  readonly owner: Idempotency['owner'];
  readonly saleId: number;
  readonly differences: readonly Difference[];
}

/** The first request with the same key is still in progress. */
export interface StillRunning extends Refusal<'still_running'> {
  readonly owner: Idempotency['owner'];
  readonly saleId: number;
}

/** The refund is no longer the one that was announced to the insured. */
interface RefundDiffers extends Refusal<'refund_differs'> {
  readonly figures: CancellationFigures;
}

/** Another worker has the sale. */
export type SaleBusy = Refusal<'sale_busy'>;

/**
 * `sale_ended`: it was refused or has expired. `nothing_to_give_up`: the sale is issued, has ended, or
 * the channel collects it.
 */
export type CancelRefusal =
  | Refusal<CancellationRefusal | 'sale_ended' | 'nothing_to_give_up'>
  | SaleBusy
  | RefundDiffers;

/** `nothing_to_decide`: no money of the sale waits for this decision. */
export type DecisionRefusal = Refusal<'nothing_to_decide'> | SaleBusy;

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

/** `contract_ended`: the contract was cancelled after the link was made. */
export type DocumentRefusal = Refusal<'link_unknown' | 'link_expired' | 'contract_ended'>;

export type AlertRefusal = Refusal<'alert_unknown'>;

export type MailingRefusal = Refusal<'mailing_unknown' | 'mailing_not_undelivered'>;

/** The sale has ended: no certificate will be mailed. */
export type MaillessSale = Refusal<'sale_takes_no_mail'>;

/** With the seconds to wait. */
interface TooManyCorrections extends Refusal<'too_many_corrections'> {
  readonly waitFor: number;
}

export type EmailRefusal = MaillessSale | TooManyCorrections;

export type KeyRefusal = Refusal<'key_not_listed'>;

/** `endpointId`: the endpoint that has the URL. */
interface WebhookUrlTaken extends Refusal<'webhook_url_taken'> {
  readonly endpointId: string | undefined;
}

export type WebhookRefusal =
  | Refusal<
      | 'channel_unknown'
      | 'webhook_unknown'
      | 'webhook_limit_reached'
      | 'webhook_disabled'
      | 'delivery_unknown'
      | 'replay_running'
    >
  | WebhookUrlTaken;

/** Error codes of RFC 6749 section 5.2, and two rate limits with the seconds to wait. */
export type TokenRefusal =
  | Refusal<'invalid_client' | 'invalid_grant' | 'invalid_scope'>
  /** Limit of failures of a network or of an authenticated client. */
  | (Refusal<'too_many_failures'> & { readonly retryAfter: number })
  | (Refusal<'too_many_requests'> & { readonly clientId: string; readonly retryAfter: number });
