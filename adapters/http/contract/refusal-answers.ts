import type { Refusal } from '#domain';
import { type AnswerError, busyError, standardError } from './answer-error.ts';
import type { ErrorCode } from './error-codes.ts';
import { type RequestRefusalKind, sentenceOf } from './refusal-sentences.ts';

interface RefusalAnswer {
  readonly status: number;
  readonly code: ErrorCode;
}

const forbidden = (code: ErrorCode): RefusalAnswer => ({ status: 403, code });
const missing: RefusalAnswer = { status: 404, code: 'not_found' };
const conflict = (code: ErrorCode): RefusalAnswer => ({ status: 409, code });
const gone = (code: ErrorCode): RefusalAnswer => ({ status: 410, code });

/** The answer to each refusal of a request. The compiler checks that none is missing. */
const ANSWERS: Readonly<Record<RequestRefusalKind, RefusalAnswer>> = {
  channel_not_own: forbidden('channel_mismatch'),
  channel_inactive: forbidden('channel_inactive'),
  product_not_granted: forbidden('product_not_granted'),
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

/** The status and code that answer a refusal, and the sentence for people. */
export const answerOf = (refusal: Refusal<RequestRefusalKind>) => ({
  ...ANSWERS[refusal.kind],
  message: sentenceOf(refusal),
});

/** Turns a refusal into an error answer. */
export const refusalError = (
  refusal: Refusal<RequestRefusalKind>,
  moreFields: object = {},
): AnswerError => {
  const { status, code, message } = answerOf(refusal);
  return refusal.kind === 'sale_busy' || refusal.kind === 'replay_running'
    ? busyError(message, moreFields)
    : standardError(status, code, message, moreFields);
};
