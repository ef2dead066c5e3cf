import {
  BrokenCircuitError,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleAll,
  handleWhen,
  retry,
  wrap,
} from 'cockatiel';
import type { Logger } from 'pino';

/** A request to a provider over HTTP. */
export interface Question {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the base URL of the provider. */
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Max time of each attempt, in ms. */
  readonly timeoutMs: number;
  /**
   * Whether sending the request twice has no further effect. A request that certainly did not reach
   * the provider is sent again in any case.
   */
  readonly repeatable: boolean;
}

/**
 * A reply of a provider. `body` is undefined if it is not JSON.
 * - `unknown`: the provider may have processed the request.
 * - `failed`: the provider processed it and reported an error (HTTP 500).
 * - `unreached`: the provider did not receive it.
 */
type Reply =
  | { readonly status: number; readonly body: unknown }
  | 'unknown'
  | 'failed'
  | 'unreached';

export type Ask = (question: Question) => Promise<Reply>;

export interface ProviderOptions {
  readonly url: string;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The id of the request or job that asks. It is sent as `X-Request-Id`. */
  readonly currentRequestId?: () => string | undefined;
  /** Told, once a minute at most, that the provider refuses the key or token: 401 or 403. */
  readonly log?: Pick<Logger, 'warn'>;
  /** The provider's name in log lines. */
  readonly provider?: string;
  /** Time without requests after several failures in a row, in ms. */
  readonly pauseMs?: number;
}

class UnreachedError extends Error {}
class UnknownOutcomeError extends Error {}
class FailedError extends UnknownOutcomeError {}

/** Errors that occur before `fetch` sends anything. */
const UNSENT_ERROR_CODES =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

const USER_AGENT = 'insurance-sales/1.0';

const DEFAULT_PAUSE_MS = 5_000;
const MAX_CONSECUTIVE_FAILURES = 5;
const MAX_RETRIES = 2;
const FIRST_RETRY_DELAY_MS = 100;
const MAX_RETRY_DELAY_MS = 1_000;

const REFUSED_CREDENTIALS: readonly number[] = [401, 403];
const TOLD_AGAIN_MS = 60_000;

/** Ids that may stand in a header. */
const SENT_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Max size of a reply. A provider's replies are much shorter. */
const MAX_REPLY_BYTES = 1_048_576;

/**
 * Creates a function that sends requests to a provider. The function never throws.
 *
 * - Each attempt has a time limit.
 * - It retries if that is harmless: the request is repeatable, or did not reach the provider.
 * - After several failures in a row it sends nothing for a while. Each HTTP method has its own
 *   circuit breaker, so that failing look-ups do not block orders.
 * - It does not follow redirects, because they would carry the token to another host.
 */
export const createProviderClient = ({
  url,
  headers,
  currentRequestId = () => undefined,
  log,
  provider,
  pauseMs = DEFAULT_PAUSE_MS,
}: ProviderOptions): Ask => {
  const policies = new Map<Question['method'], ReturnType<typeof createPolicies>>();

  const policiesOf = (method: Question['method']) => {
    const known = policies.get(method) ?? createPolicies(pauseMs);
    policies.set(method, known);
    return known;
  };

  let toldAt = Number.NEGATIVE_INFINITY;
  const noteRefusal = (status: number): void => {
    if (!REFUSED_CREDENTIALS.includes(status) || performance.now() - toldAt < TOLD_AGAIN_MS) return;
    toldAt = performance.now();
    log?.warn({ provider, status }, 'a provider refuses the key or token of this service');
  };

  return async function askProvider(question) {
    const { cautious, persistent } = policiesOf(question.method);
    const policy = question.repeatable ? persistent : cautious;
    const every = { 'User-Agent': USER_AGENT, ...headers, ...requestIdHeader(currentRequestId()) };
    try {
      const reply = await policy.execute(() => sendOnce(url, every, question));
      if (typeof reply !== 'string') noteRefusal(reply.status);
      return reply;
    } catch (error) {
      if (error instanceof BrokenCircuitError || error instanceof UnreachedError)
        return 'unreached';
      return error instanceof FailedError ? 'failed' : 'unknown';
    }
  };
};

const requestIdHeader = (id: string | undefined): Readonly<Record<string, string>> =>
  id !== undefined && SENT_REQUEST_ID.test(id) ? { 'X-Request-Id': id } : {};

/** Two retry policies that share one circuit breaker. */
const createPolicies = (pauseMs: number) => {
  const backoff = new ExponentialBackoff({
    initialDelay: FIRST_RETRY_DELAY_MS,
    maxDelay: MAX_RETRY_DELAY_MS,
  });
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: pauseMs,
    breaker: new ConsecutiveBreaker(MAX_CONSECUTIVE_FAILURES),
  });
  const createPolicy = (repeatable: boolean) => {
    const isHarmless = handleWhen(
      (error) =>
        error instanceof UnreachedError || (repeatable && error instanceof UnknownOutcomeError),
    );
    return wrap(breaker, retry(isHarmless, { maxAttempts: MAX_RETRIES, backoff }));
  };
  return { cautious: createPolicy(false), persistent: createPolicy(true) };
};

/** @throws UnreachedError, UnknownOutcomeError or FailedError. */
const sendOnce = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  { method, path, body, headers: ownHeaders, timeoutMs }: Question,
): Promise<Reply> => {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { ...headers, ...type, ...ownHeaders },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await readText(response);
    if (response.status === 500) throw new FailedError();
    // A proxy answers with these. It does not know whether the provider processed the request.
    if (response.status > 500) throw new UnknownOutcomeError();
    return { status: response.status, body: parseJson(text) };
  } catch (error) {
    if (error instanceof FailedError) throw error;
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
    const isUnsent = typeof code === 'string' && UNSENT_ERROR_CODES.test(code);
    throw isUnsent ? new UnreachedError() : new UnknownOutcomeError();
  }
};

const readText = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_REPLY_BYTES) throw new UnknownOutcomeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

const parseJson = (text: string): unknown => {
  try {
    // PostgreSQL stores neither NUL nor half of a surrogate pair: the sale could not be stored.
    return JSON.parse(text, (_, value) =>
      typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
    );
  } catch {
    return undefined;
  }
};
