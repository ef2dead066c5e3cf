/** Field names, dotted where nested, each with all that is wrong with it. */
export type Faults = Readonly<Record<string, readonly string[]>>;

/** An answer that ends a request early: a status, a body in Portuguese, and the headers that go with it. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: object, headers: Readonly<Record<string, string>> = {}) {
    super(`refused with ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The house style of an error. */
export const houseError = (status: number, response: string, more: object = {}): object => ({
  success: false,
  response,
  status_code: String(status),
  ...more,
});

export const refused = (
  status: number,
  response: string,
  more: object = {},
  headers: Readonly<Record<string, string>> = {},
): Refused => new Refused(status, houseError(status, response, more), headers);
