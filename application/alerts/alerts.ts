import type { Instant, MoneyAlert } from '#domain';

/**
 * A problem that a person must look at, because no program can solve it. Holds no secret and no
 * personal data.
 */
export type Alert =
  /** A provider's report contradicts the sale, and was not applied. */
  | {
      readonly kind: 'provider_contradicts';
      readonly provider: string;
      readonly saleId: number;
      readonly refusal: string;
    }
  /** An insurer used a status word that the mapping does not know. */
  | {
      readonly kind: 'status_unknown';
      readonly provider: string;
      readonly saleId: number;
      readonly words: readonly string[];
    }
  /** The insurer's price differs from what the insured paid. */
  | { readonly kind: 'premium_differs'; readonly provider: string; readonly saleId: number }
  /** The insurer's policy covers other days than were sold. */
  | { readonly kind: 'period_differs'; readonly provider: string; readonly saleId: number }
  /** Money moved after the sale as it should not, or needs a person. */
  | (MoneyAlert & {
      readonly provider: string;
      readonly saleId: number;
    })
  /** The insurer no longer knows documents that it has shown. */
  | { readonly kind: 'papers_gone'; readonly provider: string; readonly saleId: number }
  /** The gateway does not know the charge of a sale that was paid, or waits for its payer. */
  | { readonly kind: 'charge_missing'; readonly provider: string; readonly saleId: number }
  /** Many tries have not advanced a sale. */
  | { readonly kind: 'sale_stuck'; readonly saleId: number; readonly tries: number }
  /** The last day on which the insurer may refuse a proposal, and no policy is issued. */
  | { readonly kind: 'policy_overdue'; readonly saleId: number; readonly since: Instant }
  /** The last day for the delivery of a certificate that was not delivered yet. */
  | { readonly kind: 'certificate_overdue'; readonly saleId: number; readonly since: Instant }
  /** A mail to the insured was not accepted, and is not tried again. */
  | {
      readonly kind: 'mail_undelivered';
      readonly saleId: number;
      readonly number: number;
      readonly reason: string;
    }
  /** The gateway sent a notice that the service cannot read. */
  | { readonly kind: 'notice_unreadable'; readonly provider: string; readonly digest: string }
  /** A notice has the id of an earlier one, and another content. Both are processed. */
  | { readonly kind: 'notice_differs'; readonly provider: string; readonly noticeId: string }
  /** A notice names a charge that belongs to no sale. */
  | {
      readonly kind: 'notice_of_nothing';
      readonly provider: string;
      readonly noticeId: string;
      /** The gateway's id of the charge; absent if the notice names none. */
      readonly chargeId?: string;
    }
  /** An endpoint of a partner gets no more events: it said so, or has only failed for five days. */
  | {
      readonly kind: 'webhook_disabled';
      readonly endpointId: string;
      readonly reason: 'gone' | 'failing';
    }
  /** A partner's endpoint did not take an event, and it is not tried again. */
  | {
      readonly kind: 'webhook_undelivered';
      readonly endpointId: string;
      readonly eventId: string;
      readonly reason: string;
    }
  /** The key that sealed an endpoint's secret is missing: its events wait. */
  | { readonly kind: 'webhook_secret_unreadable'; readonly endpointId: string };

export type AlertKind = Alert['kind'];

/** Reports alerts to operators. Never fails, and waits for nothing. */
export interface Alerts {
  /** Writes the alert to the log at once. Its record is stored soon after. */
  raise(alert: Alert): void;
  /** Writes an alert to the log whose record is stored already. */
  raiseStored(alert: Alert): void;
}
