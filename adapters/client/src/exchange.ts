import { InsuranceError } from './errors.ts';
import type { Settings } from './options.ts';
import { readError } from './read-error.ts';
import type { WrittenRequest } from './request.ts';
import { TimedOut, withTimeout } from './waiting.ts';

/** Sends a request once. @throws whatever `fetch` throws */
export const fetchOnce = (
  { baseUrl, fetch }: Settings,
  { method, path, headers, text }: WrittenRequest,
  sent: { readonly requestId: string; readonly token: string; readonly signal: AbortSignal },
): Promise<Response> =>
  fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...headers,
      Authorization: `Bearer ${sent.token}`,
      'X-Request-Id': sent.requestId,
    },
    // A redirect would send the body elsewhere: it is an error.
    redirect: 'manual',
    signal: sent.signal,
    ...(text !== undefined && { body: text }),
  });

/** Why there was no answer, as an error of this client. Its text quotes nothing that was sent. */
export const errorOf = (cause: unknown, requestId: string): InsuranceError => {
  if (cause instanceof InsuranceError) return cause;
  const isLate = cause instanceof TimedOut;
  return new InsuranceError({
    code: isLate ? 'timed_out' : 'no_answer',
    status: 0,
    text: isLate ? cause.message : 'The connection failed',
    requestId,
    // A SyntaxError quotes the answer.
    cause: cause instanceof SyntaxError ? undefined : cause,
  });
};

const unreadable = (response: Response, requestId: string): InsuranceError =>
  new InsuranceError({
    code: 'unreadable_answer',
    status: response.status,
    text: 'The answer is not the JSON that was expected',
    requestId: response.headers.get('X-Request-Id') ?? requestId,
  });

/**
 * Undefined for an answer without content.
 *
 * @param requestId as it was sent, if the answer does not repeat it
 * @throws InsuranceError if it is not JSON, or neither an object nor a list
 */
export const readJson = async (response: Response, requestId: string): Promise<unknown> => {
  const text = await response.text();
  if (response.status === 204) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable(response, requestId);
  }
  if (typeof value !== 'object' || value === null) throw unreadable(response, requestId);
  return value;
};

/** Lets a success pass. @throws InsuranceError for any other answer */
export const requireSuccess = async (response: Response, requestId: string): Promise<void> => {
  if (response.ok) return;
  const { status, headers } = response;
  // Browsers hide the status and the headers of a redirect.
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400))
    throw new InsuranceError({
      code: 'redirected',
      status,
      text: 'The answer is a redirect, which is not followed: check baseUrl',
      requestId: headers.get('X-Request-Id') ?? requestId,
    });
  throw readError(response, await response.text(), requestId);
};

interface CredentialsOptions<T> {
  /** Whether the answer is what was asked for. */
  readonly accepts?: (value: unknown) => value is T;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a form with the credentials, once, and reads the JSON of its answer. A login takes no
 * signal: the calls that share it must not end it for each other.
 *
 * @throws InsuranceError
 * @throws the reason of the signal
 */
export const postCredentials = async <T>(
  { baseUrl, clientId, clientSecret, timeoutMs, fetch }: Omit<Settings, 'retry'>,
  path: string,
  form: Readonly<Record<string, string>>,
  { accepts, signal: ends }: CredentialsOptions<T> = {},
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
    return await withTimeout(timeoutMs, ends, async (signal) => {
      const response = await fetch(`${baseUrl}${path}`, { ...init, signal });
      await requireSuccess(response, requestId);
      const value = await readJson(response, requestId);
      if (accepts !== undefined && !accepts(value)) throw unreadable(response, requestId);
      return value as T;
    });
  } catch (cause) {
    ends?.throwIfAborted();
    throw errorOf(cause, requestId);
  }
};
