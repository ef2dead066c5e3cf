/** Field names, dotted where nested, each with every complaint about the field. */
export type FieldFaults = Readonly<Record<string, readonly string[]>>;

type Headers = Readonly<Record<string, string>>;

/** Ends a request early with this status, body and headers. Thrown by steps; see `answerErrors`. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  readonly status: number;
  readonly body: object;
  readonly headers: Headers;

  constructor(status: number, body: object, headers: Headers) {
    super(`the answer is ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The only place that constructs an `AnswerError`. */
export const answerError = (status: number, body: object, headers: Headers = {}): AnswerError =>
  new AnswerError(status, body, headers);

/** The body that most errors of the API have. `response` is a sentence in Portuguese. */
export const standardErrorBody = (
  status: number,
  response: string,
  moreFields: object = {},
): object => ({
  success: false,
  response,
  status_code: String(status),
  ...moreFields,
});

export const standardError = (
  status: number,
  response: string,
  moreFields: object = {},
  headers: Headers = {},
): AnswerError => answerError(status, standardErrorBody(status, response, moreFields), headers);

/** 422 with the faults of each field, in the standard body. */
export const invalidFields = (errors: FieldFaults): AnswerError =>
  standardError(422, Object.values(errors)[0]?.[0] ?? 'Requisição inválida.', { errors });

const BUSY_RETRY_AFTER_SECONDS = 5;

/** 409: another request or worker is processing the sale now. */
export const busyError = (response: string, more: object = {}): AnswerError =>
  standardError(409, response, more, { 'Retry-After': String(BUSY_RETRY_AFTER_SECONDS) });
