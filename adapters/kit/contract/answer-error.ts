import type { ErrorCode } from './error-codes.ts';
import { type FieldFaults, faultFields, faultHeaders, firstMessage } from './field-faults.ts';

type Headers = Readonly<Record<string, string>>;

/** Ends a request early with this status, body and headers. Thrown by steps; see `answerErrors`. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly body: object;
  readonly headers: Headers;

  constructor(status: number, code: ErrorCode, body: object, headers: Headers) {
    super(`the answer is ${status}`);
    this.status = status;
    this.code = code;
    this.body = body;
    this.headers = { ...headers, ...errorCodeHeader(code) };
  }
}

/** The header that every answer of 400 and above has. */
export const errorCodeHeader = (code: ErrorCode): Headers => ({ 'X-Error-Code': code });

/** The only place that constructs an `AnswerError`. */
export const answerError = (
  status: number,
  code: ErrorCode,
  body: object,
  headers: Headers = {},
): AnswerError => new AnswerError(status, code, body, headers);

/** The body that most errors of the API have. `response` is a sentence in Portuguese. */
export const standardErrorBody = (
  status: number,
  code: ErrorCode,
  response: string,
  moreFields: object = {},
): object => ({
  success: false,
  response,
  status_code: String(status),
  code,
  ...moreFields,
});

export const standardError = (
  status: number,
  code: ErrorCode,
  response: string,
  moreFields: object = {},
  headers: Headers = {},
): AnswerError =>
  answerError(status, code, standardErrorBody(status, code, response, moreFields), headers);

/** An error with faults of fields, in the standard body. */
export const faultyFieldsError = (
  status: number,
  code: ErrorCode,
  response: string,
  faults: FieldFaults,
  moreFields: object = {},
): AnswerError =>
  standardError(
    status,
    code,
    response,
    { ...faultFields(faults), ...moreFields },
    faultHeaders(faults),
  );

/** 422 with the faults of each field, in the standard body. */
export const invalidFields = (
  faults: FieldFaults,
  code: ErrorCode = 'validation_failed',
): AnswerError =>
  faultyFieldsError(422, code, firstMessage(faults) ?? 'Requisição inválida.', faults);

/** 404. `response` says what was not found. */
export const notFound = (response: string): AnswerError =>
  standardError(404, 'not_found', response);

const BUSY_RETRY_AFTER_SECONDS = 5;

/** 409: another request or worker is processing the sale now. */
export const busyError = (response: string, more: object = {}): AnswerError =>
  standardError(409, 'still_running', response, more, {
    'Retry-After': String(BUSY_RETRY_AFTER_SECONDS),
  });
