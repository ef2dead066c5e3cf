import type { Schemas } from './answers.ts';

/** The codes of the API, as its document lists them. */
export type ApiErrorCode = Schemas['ErrorCode'];

/**
 * The codes that this client adds:
 *
 * - `no_answer`: the connection failed before the answer was complete
 * - `timed_out`: the answer took longer than `timeoutMs`
 * - `unreadable_answer`: the answer is not the JSON that the document describes
 * - `incomplete_answer`: the answer to an import broke off before its summary
 * - `redirected`: the answer is a redirect, which is not followed: `baseUrl` may be wrong
 * - `aborted`: the caller's signal ended a sale that was sent already: it may exist
 * - `unknown_code`: a later version of the API has sent a code that this client does not know; decide
 *   by `status`, and see `rawCode`
 */
export type ClientErrorCode =
  | 'no_answer'
  | 'timed_out'
  | 'unreadable_answer'
  | 'incomplete_answer'
  | 'redirected'
  | 'aborted'
  | 'unknown_code';

export type ErrorCode = ApiErrorCode | ClientErrorCode;

/** What is wrong with a field. Later versions of the API may add codes. */
export type FieldCode = Schemas['FieldCode'] | (string & Record<never, never>);

/**
 * What to do after an error:
 *
 * - `correct`: correct the request; the same name may be used
 * - `log_in`: log in again (this client has done so once before it gave up)
 * - `wait`, `repeat`: repeat the request under the same name (this client has done so, within limits)
 * - `look_up`: look at what there is now, then decide. `getSale` finds an `externalSaleId` or a ticket
 *   only; a sale with an `idempotencyKey` is found by the same call with that key
 * - `new_sale`: the sale is refused; for another try make a sale under a new name
 * - `call`: ask the operator of the service, with the `requestId`
 */
export type NextStep = 'correct' | 'log_in' | 'wait' | 'repeat' | 'look_up' | 'new_sale' | 'call';

/** Each code with what to do. The compiler checks that no code of the document is missing. */
export const NEXT_STEPS: Readonly<Record<ErrorCode, NextStep>> = {
  invalid_json: 'correct',
  invalid_csv: 'correct',
  invalid_encoding: 'correct',
  invalid_request: 'correct',
  invalid_idempotency_key: 'correct',
  validation_failed: 'correct',
  unsupported_grant_type: 'correct',
  invalid_grant: 'log_in',
  invalid_scope: 'call',
  unauthenticated: 'log_in',
  invalid_client: 'correct',
  invalid_signature: 'call',
  insufficient_scope: 'call',
  channel_mismatch: 'correct',
  channel_inactive: 'call',
  product_not_granted: 'call',
  foreign_origin: 'correct',
  not_found: 'correct',
  method_not_allowed: 'correct',
  request_timeout: 'repeat',
  content_conflict: 'look_up',
  still_running: 'wait',
  not_cancellable: 'look_up',
  nothing_to_give_up: 'look_up',
  nothing_to_decide: 'look_up',
  nothing_to_refund: 'look_up',
  refund_changed: 'look_up',
  second_copy_unavailable: 'look_up',
  version_conflict: 'look_up',
  catalogue_conflict: 'correct',
  client_revoked: 'correct',
  client_id_taken: 'repeat',
  own_client: 'correct',
  sale_takes_no_mail: 'look_up',
  mailing_not_undelivered: 'look_up',
  webhook_limit_reached: 'correct',
  webhook_disabled: 'correct',
  link_expired: 'look_up',
  cursor_expired: 'correct',
  contract_ended: 'look_up',
  body_too_large: 'correct',
  unsupported_media_type: 'correct',
  expectation_failed: 'correct',
  wrong_host: 'correct',
  card_declined: 'new_sale',
  insufficient_funds: 'new_sale',
  expired_card: 'new_sale',
  gateway_unavailable: 'new_sale',
  payment_refused: 'new_sale',
  proposal_refused: 'new_sale',
  quote_expired: 'correct',
  quote_mismatch: 'correct',
  rate_limited: 'wait',
  headers_too_large: 'correct',
  internal: 'call',
  unsupported_transfer_encoding: 'correct',
  unavailable: 'wait',
  no_answer: 'repeat',
  timed_out: 'repeat',
  unreadable_answer: 'repeat',
  incomplete_answer: 'repeat',
  redirected: 'correct',
  aborted: 'repeat',
  unknown_code: 'call',
};

const CLIENT_CODES: ReadonlySet<string> = new Set<ClientErrorCode>([
  'no_answer',
  'timed_out',
  'unreadable_answer',
  'incomplete_answer',
  'redirected',
  'aborted',
  'unknown_code',
]);

/** Whether the text is a code of the document. */
export const isApiErrorCode = (text: string): text is ApiErrorCode =>
  Object.hasOwn(NEXT_STEPS, text) && !CLIENT_CODES.has(text);
