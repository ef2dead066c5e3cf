import { InsuranceError } from './errors.ts';
import type { Settings } from './options.ts';
import { readError } from './read-error.ts';
import { TimedOut, withTimeout } from './waiting.ts';

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
  /** The name under which it sells. */
  readonly saleName?: string | undefined;
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

/** Sends a request once. @throws whatever `fetch` throws */
export const fetchOnce = (
  { baseUrl, fetch }: Settings,
  request: ApiRequest,
  sent: { readonly requestId: string; readonly token: string; readonly signal: AbortSignal },
): Promise<Response> => {
  const content = contentOf(request);
  return fetch(`${baseUrl}${request.path}${writeQuery(request.query)}`, {
    method: request.method,
    headers: {
      Accept: 'application/json',
      Authorization: `Bearer ${sent.token}`,
      'X-Request-Id': sent.requestId,
      ...(content && { 'Content-Type': content.type }),
      ...request.headers,
    },
    // A redirect would send the body elsewhere: it is an error.
    redirect: 'manual',
    signal: sent.signal,
    ...(content && { body: content.text }),
  });
};

/** Why there was no answer, as an error of this client. */
export const errorOf = (cause: unknown, requestId: string): InsuranceError =>
  cause instanceof InsuranceError
    ? cause
    : new InsuranceError({
        code: cause instanceof TimedOut ? 'timed_out' : 'no_answer',
        status: 0,
        text: cause instanceof Error ? cause.message : 'The connection failed',
        requestId,
        cause,
      });

/** Undefined for an answer without content. @throws InsuranceError if it is not JSON */
export const readJson = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  if (response.status === 204) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InsuranceError({
      code: 'unreadable_answer',
      status: response.status,
      text: 'The answer is not JSON',
      requestId: response.headers.get('X-Request-Id') ?? '',
      cause,
    });
  }
};

/**
 * Sends a form with the credentials, once, and reads the JSON of its answer. It takes no signal: the
 * calls that share a login must not end it for each other.
 *
 * @throws InsuranceError
 */
export const postCredentials = async <T>(
  { baseUrl, clientId, clientSecret, timeoutMs, fetch }: Settings,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<T> => {
  const requestId = crypto.randomUUID();
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const init = {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Request-Id': requestId,
    },
    body: new URLSearchParams({ ...form, ...credentials }).toString(),
    redirect: 'manual',
  } as const;
  try {
    return await withTimeout(timeoutMs, undefined, async (signal) => {
      const response = await fetch(`${baseUrl}${path}`, { ...init, signal });
      if (response.ok) return (await readJson(response)) as T;
      throw readError(response, await response.text(), requestId);
    });
  } catch (cause) {
    throw errorOf(cause, requestId);
  }
};
