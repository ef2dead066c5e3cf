import type { AlertKind } from './alerts.ts';

/** Each kind of alert, and what it means, in a sentence for operators. */
export const ALERT_MEANINGS: Readonly<Record<AlertKind, string>> = {
  provider_contradicts: 'A provider reported something that contradicts the sale.',
  status_unknown: 'An insurer used a status word that the service does not know.',
  premium_differs: "The insurer's price differs from what was agreed with the insured.",
  period_differs: "The insurer's policy covers other days than were sold.",
  payment_amount_differs: 'A charge brought another amount than it asked for.',
  dispute_opened: "The payer's bank asks for the money of a charge: a dispute (chargeback).",
  dispute_lost: "The payer's bank has taken the money of a charge back.",
  refund_barred: 'A refund is due, and the gateway cannot make it without a person.',
  refund_undone: 'A refund that was ordered or reported before has failed.',
  refund_waits_for_payer: 'The payer has not named an account for a refund.',
  receipt_undone: 'A payment in cash was taken back: the premium is not there.',
  papers_gone: 'The insurer no longer knows papers that it has shown.',
  charge_missing: 'The gateway does not know the charge of a sale.',
  sale_stuck: 'A sale was tried many times without progress.',
  policy_overdue: 'It is the last day on which the insurer may refuse, and there is no policy.',
  certificate_overdue: 'It is the last day for the delivery of a certificate that was not sent.',
  mail_undelivered: 'A mail to the insured was not accepted, and is not tried again.',
  notice_unreadable: 'The gateway sent a notice that the service cannot read.',
  notice_differs: 'A notice has the id of an earlier one, and another content.',
  notice_of_nothing: 'A notice names a charge that belongs to no sale.',
  webhook_disabled: "A partner's webhook gets no more events.",
  webhook_undelivered: 'A webhook did not take an event, and it is not tried again.',
  webhook_secret_unreadable: 'No key opens the secret of a webhook: its events wait.',
};

export const ALERT_KINDS = Object.keys(ALERT_MEANINGS) as readonly AlertKind[];

/** Where the operator's guide says what to do about a kind of alert. */
export const runbookOf = (kind: AlertKind): string => `bootstrap/README.md#${kind}`;
