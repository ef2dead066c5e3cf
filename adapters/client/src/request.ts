type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined;

/** A request as the methods of the client describe it. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base address, encoded. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, in place of `json`. */
  readonly content?: { readonly type: string; readonly text: string };
  /** Whether sending it once more has no further effect, so that it is repeated without an answer. */
  readonly isRepeatable: boolean;
  /** Whether it carries so much that only the limit of the whole call holds for it. */
  readonly isLong?: boolean;
  /** Under which names it sells. */
  readonly names?: SaleNames;
}

/** The names under which a sale was sent. */
interface SaleNames {
  readonly externalSaleId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** What is sent, the same in each try: later changes of the caller's objects do not reach it. */
export interface WrittenRequest {
  readonly method: ApiRequest['method'];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
}

const writeQuery = (query: object = {}): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, QueryValue][])
    for (const each of [value ?? []].flat()) parameters.append(name, String(each));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
};

const contentOf = ({ json, content }: ApiRequest): ApiRequest['content'] => {
  if (content !== undefined || json === undefined) return content;
  return { type: 'application/json', text: JSON.stringify(json) };
};

/** Writes a request. @throws TypeError if its JSON cannot be written */
export const writeRequest = (request: ApiRequest): WrittenRequest => {
  const content = contentOf(request);
  return {
    method: request.method,
    path: `${request.path}${writeQuery(request.query)}`,
    headers: {
      Accept: 'application/json',
      ...(content && { 'Content-Type': content.type }),
      ...request.headers,
    },
    text: content?.text,
  };
};

/**
 * A part of a path, encoded.
 *
 * @throws TypeError if it is empty, no text and no number, or would lead to another path
 */
export const segment = (name: string | number): string => {
  const isText = typeof name === 'string' && !['', '.', '..'].includes(name.trim());
  if (!isText && !Number.isFinite(name))
    throw new TypeError('The name or number of what is asked for is missing');
  return encodeURIComponent(name);
};

/** Null, undefined and '' name nothing: the service reads them as absent. */
export const isName = (name: unknown): name is string =>
  typeof name === 'string' && name.trim() !== '';

/** The header that names a request; none without a key. @throws TypeError if the key is wrong */
export const keyHeader = (key: unknown): Readonly<Record<string, string>> => {
  if (key === undefined || key === null || key === '') return {};
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters, without spaces');
  return { 'Idempotency-Key': key };
};
