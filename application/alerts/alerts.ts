import type { Instant, MoneyAlert } from '#domain';

/**
 * A problem that a person must look at, because no program can solve it: `ALERT_MEANINGS` says which.
 * Holds no secret and no personal data.
 */
export type Alert =
  | {
      readonly kind: 'provider_contradicts';
      readonly provider: string;
      readonly saleId: number;
      readonly refusal: string;
    }
  | {
      readonly kind: 'status_unknown';
      readonly provider: string;
      readonly saleId: number;
      readonly words: readonly string[];
    }
  | { readonly kind: 'premium_differs'; readonly provider: string; readonly saleId: number }
  | { readonly kind: 'period_differs'; readonly provider: string; readonly saleId: number }
  /** Money moved after the sale as it should not, or needs a person. */
  | (MoneyAlert & {
      readonly provider: string;
      readonly saleId: number;
    })
  | { readonly kind: 'papers_gone'; readonly provider: string; readonly saleId: number }
  /** The gateway shows a charge without the reference of its order. */
  | { readonly kind: 'reference_missing'; readonly provider: string; readonly saleId: number }
  /** The bank blocks money of the gateway's account. */
  | { readonly kind: 'balance_blocked'; readonly provider: string; readonly noticeId: string }
  /** The gateway does not know the charge of a sale that was paid, or waits for its payer. */
  | { readonly kind: 'charge_missing'; readonly provider: string; readonly saleId: number }
  | { readonly kind: 'sale_stuck'; readonly saleId: number; readonly tries: number }
  | { readonly kind: 'policy_overdue'; readonly saleId: number; readonly since: Instant }
  | { readonly kind: 'certificate_overdue'; readonly saleId: number; readonly since: Instant }
  /** The channel has not confirmed a refund that it owes since a cancellation. */
  | { readonly kind: 'refund_unconfirmed'; readonly saleId: number; readonly since: Instant }
  | {
      readonly kind: 'mail_undelivered';
      readonly saleId: number;
      readonly number: number;
      readonly reason: string;
    }
  | { readonly kind: 'notice_unreadable'; readonly provider: string; readonly digest: string }
  /** A notice has the id of an earlier one, and another content. Both are processed. */
  | { readonly kind: 'notice_differs'; readonly provider: string; readonly noticeId: string }
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
  | {
      readonly kind: 'webhook_undelivered';
      readonly endpointId: string;
      readonly eventId: string;
      readonly reason: string;
    }
  | { readonly kind: 'webhook_secret_unreadable'; readonly endpointId: string }
  /** The database of a group of channels does not answer. */
  | { readonly kind: 'group_unavailable'; readonly group: number };

export type AlertKind = Alert['kind'];

/** Each kind of alert, and what it means, in a sentence for operators. */
export const ALERT_MEANINGS: Readonly<Record<AlertKind, string>> = {
  provider_contradicts:
    'A provider reported something that contradicts the sale, and was not applied.',
  status_unknown: 'An insurer used a status word that the service does not know.',
  premium_differs: "The insurer's price differs from what was agreed with the insured.",
  period_differs: "The insurer's policy covers other days than were sold.",
  payment_amount_differs:
    'A charge brought another amount than it asked for, or a part of the price has gone back.',
  payment_unconfirmed: 'The gateway does not show money as paid any more that it had confirmed.',
  dispute_opened: "The payer's bank asks for the money of a charge: a dispute (chargeback).",
  dispute_lost: "The payer's bank has taken the money of a charge back.",
  refund_barred: 'A refund is due, and the gateway cannot make it without a person.',
  refund_refused: 'The gateway has refused a refund three times. It is ordered once a day.',
  refund_undone: 'A refund that was ordered or reported before has failed.',
  refund_waits_for_payer: 'The payer has not named an account for a refund.',
  receipt_undone: 'A payment in cash was taken back: the premium is not there.',
  reference_missing:
    'The gateway shows a charge without our reference: it is found by its own number alone.',
  balance_blocked: "A bank blocks a payment in the gateway's account.",
  papers_gone: 'The insurer no longer knows papers that it has shown.',
  charge_missing: 'The gateway does not know the charge of a sale.',
  sale_stuck: 'A sale was tried many times without progress.',
  policy_overdue: 'It is the last day on which the insurer may refuse, and there is no policy.',
  certificate_overdue: 'It is the last day for the delivery of a certificate that was not sent.',
  refund_unconfirmed: 'A channel has not confirmed in time that it has made a refund.',
  mail_undelivered: 'A mail to the insured was not accepted.',
  notice_unreadable: 'The gateway sent a notice that the service cannot read.',
  notice_differs: 'A notice has the id of an earlier one, and another content.',
  notice_of_nothing: 'A notice names a charge that belongs to no sale.',
  webhook_disabled: "A partner's webhook gets no more events.",
  webhook_undelivered: 'A webhook did not take an event, and it is not tried again.',
  webhook_secret_unreadable: 'No key opens the secret of a webhook: its events wait.',
  group_unavailable: 'The database of a group of channels does not answer.',
};

export const ALERT_KINDS = Object.keys(ALERT_MEANINGS) as readonly AlertKind[];

/** The page of the service on which the operator's guide says what to do about a kind of alert. */
export const runbookOf = (kind: AlertKind, publicUrl: string): string =>
  `${publicUrl}/docs/en/operator/alerts#${kind}`;

/** Reports alerts to operators. Never fails, and waits for nothing. */
export interface Alerts {
  /** Writes the alert to the log at once. Its record is stored soon after. */
  raise(alert: Alert): void;
  /** Writes an alert to the log whose record is stored already. */
  raiseStored(alert: Alert): void;
}
