import { formatDate, type Refusal } from '#domain';
import type { SaleRefusal, SaleRefusalKind } from '../../../application/sales/sale-request.ts';
import { type AnswerError, busyError, standardError } from './answer-error.ts';
import type { ErrorCode, FieldCode } from './error-codes.ts';
import { type Complaint, complain } from './field-faults.ts';
import { type AnsweredKind, type RequestRefusalKind, sentenceOf } from './refusal-sentences.ts';

interface RefusalAnswer {
  readonly status: number;
  readonly code: ErrorCode;
}

/** This caller may not sell it. */
interface Forbidden extends RefusalAnswer {
  readonly status: 403;
}

/** Shown as a complaint about a field. */
interface FieldRefusal extends RefusalAnswer {
  readonly status: 422;
  readonly fieldCode: FieldCode;
}

const forbidden = (code: ErrorCode): Forbidden => ({ status: 403, code });
const fault = (fieldCode: FieldCode): FieldRefusal => ({
  status: 422,
  code: 'validation_failed',
  fieldCode,
});
const missing: RefusalAnswer = { status: 404, code: 'not_found' };
const conflict = (code: ErrorCode): RefusalAnswer => ({ status: 409, code });
const gone = (code: ErrorCode): RefusalAnswer => ({ status: 410, code });

/** The answer to each refusal of a request. The compiler checks that none is missing. */
const REQUEST_REFUSALS: Readonly<Record<RequestRefusalKind, RefusalAnswer>> = {
  sale_busy: conflict('still_running'),
  sale_ended: conflict('not_cancellable'),
  nothing_to_give_up: conflict('nothing_to_give_up'),
  nothing_to_decide: conflict('nothing_to_decide'),
  coverage_ended: conflict('not_cancellable'),
  cancelled_before_sale: conflict('not_cancellable'),
  refund_differs: conflict('refund_changed'),
  client_unknown: missing,
  client_revoked: conflict('client_revoked'),
  client_id_taken: conflict('client_id_taken'),
  own_client: conflict('own_client'),
  sale_takes_no_mail: conflict('sale_takes_no_mail'),
  mailing_unknown: missing,
  mailing_not_undelivered: conflict('mailing_not_undelivered'),
  alert_unknown: missing,
  channel_unknown: missing,
  webhook_unknown: missing,
  webhook_limit_reached: conflict('webhook_limit_reached'),
  webhook_disabled: conflict('webhook_disabled'),
  delivery_unknown: missing,
  replay_running: conflict('still_running'),
  link_unknown: missing,
  link_expired: gone('link_expired'),
  contract_ended: gone('contract_ended'),
};

/** The answer to each refusal of a sale. The compiler checks that none is missing. */
const SALE_REFUSALS: Readonly<Record<SaleRefusalKind, Forbidden | FieldRefusal>> = {
  channel_not_own: forbidden('channel_mismatch'),
  channel_inactive: forbidden('channel_inactive'),
  product_not_granted: forbidden('product_not_granted'),
  return_url_not_registered: fault('not_offered'),
  product_unknown: fault('not_offered'),
  product_ambiguous: fault('required'),
  plan_unknown: fault('not_offered'),
  coverage_unknown: fault('not_offered'),
  coverage_repeated: fault('repeated'),
  payment_not_with_channel: fault('contradicts'),
  payment_not_with_service: fault('contradicts'),
  iof_rate_missing: fault('no_tax_rate'),
  premium_not_declared: fault('required'),
  premium_not_positive: fault('out_of_range'),
  amount_too_large: fault('out_of_range'),
  insured_amount_missing: fault('required'),
  net_premium_differs: fault('amount_differs'),
  iof_differs: fault('amount_differs'),
  total_differs: fault('amount_differs'),
  sold_in_future: fault('in_the_future'),
  sold_long_ago: fault('in_the_past'),
  paid_in_future: fault('in_the_future'),
  event_before_payment: fault('wrong_order'),
  born_in_future: fault('in_the_future'),
  period_not_declared: fault('required'),
  period_differs: fault('period_differs'),
  period_over: fault('in_the_past'),
  period_reversed: fault('wrong_order'),
  installments_not_offered: fault('not_offered'),
  installment_below_one_cent: fault('out_of_range'),
  iof_rate_ends: fault('not_offered'),
  quote_unknown: fault('not_offered'),
  quote_expired: { ...fault('in_the_past'), code: 'quote_expired' },
  quote_differs: { ...fault('contradicts'), code: 'quote_mismatch' },
};

const ANSWERS: Readonly<Record<AnsweredKind, RefusalAnswer>> = {
  ...REQUEST_REFUSALS,
  ...SALE_REFUSALS,
};

/** The status and code that answer a refusal, and the sentence for people. */
export const answerOf = (refusal: Refusal<AnsweredKind>) => ({
  ...ANSWERS[refusal.kind],
  message: sentenceOf(refusal),
});

/** Turns a refusal into an error answer. */
export const refusalError = (
  refusal: Refusal<AnsweredKind>,
  moreFields: object = {},
): AnswerError => {
  const { status, code, message } = answerOf(refusal);
  return refusal.kind === 'sale_busy' || refusal.kind === 'replay_running'
    ? busyError(message, moreFields)
    : standardError(status, code, message, moreFields);
};

/** Whether the refusal is of the caller: it is not a fault of a field. */
export const isForbidden = ({ kind }: SaleRefusal): boolean => SALE_REFUSALS[kind].status === 403;

/** The code of an answer that shows refusals at fields: a quote must be mended first. */
export const codeOfRefusals = (refusals: readonly SaleRefusal[]): ErrorCode => {
  const ofFields = refusals
    .filter((each) => !isForbidden(each))
    .map(({ kind }) => SALE_REFUSALS[kind].code);
  return ofFields.find((code) => code !== 'validation_failed') ?? 'validation_failed';
};

/**
 * The complaint about the field of a refusal, with the correct amount or period if there is one.
 * Undefined for a refusal of the caller.
 *
 * @param own complaints that replace the common ones
 */
export const complainOfRefusal = (
  refusal: SaleRefusal,
  own: Partial<Record<SaleRefusalKind, Complaint>> = {},
): Complaint | undefined => {
  const { kind, period, offered = [] } = refusal;
  const answer = SALE_REFUSALS[kind];
  if (answer.status === 403) return undefined;

  const { code, message } = own[kind] ?? complain(answer.fieldCode, sentenceOf(refusal));
  if (period !== undefined) {
    const days = `de ${formatDate(period.start)} a ${formatDate(period.end)}`;
    return complain(code, `${message} A correta é ${days}.`);
  }
  return complain(code, offered.length > 0 ? `${message} ${listOffered(offered)}` : message);
};

/** Entries of the catalogue in a message, at most. */
const MAX_LISTED = 20;

const listOffered = (offered: NonNullable<SaleRefusal['offered']>): string => {
  const names = offered.slice(0, MAX_LISTED).map(({ id, code }) => `${code} (id ${id})`);
  const more = offered.length > MAX_LISTED ? '…' : '';
  return `Oferecido: ${names.join(', ')}${more}.`;
};
