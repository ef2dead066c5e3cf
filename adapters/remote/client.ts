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

/** Something to be asked of a provider over HTTP. */
export interface Question {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the provider's address. */
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds that the whole may take. */
  readonly within: number;
  /** Whether asking again does nothing twice; a question that was certainly not heard is asked again in any case. */
  readonly repeatable: boolean;
}

/** `unknown`: it may have been heard, and done. `failed`: the provider says that it failed, and has finished. `unreached`: it was certainly not heard. A body that is no JSON is undefined. */
export type Reply = { readonly status: number; readonly body: unknown } | 'unknown' | 'failed' | 'unreached';

export type Ask = (question: Question) => Promise<Reply>;

export interface RemoteOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds during which nobody is asked after several failures in a row. */
  readonly pause?: number;
}

class NotHeard extends Error {}
class Lost extends Error {}
class Failed extends Lost {}

/** So it fails before anything is sent. */
const BEFORE_SENDING = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

const FAILURES_IN_A_ROW = 5;
const TRIES_AGAIN = 2;

/**
 * Asks a provider: with a time limit each time, again where that is harmless, and not at all for a while where it has
 * failed several times in a row. Redirects are not followed: they would carry a token elsewhere. Never throws.
 */
export const remote = ({ url, headers, pause = 5_000 }: RemoteOptions): Ask => {
  const breaker = circuitBreaker(handleAll, { halfOpenAfter: pause, breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW) });
  const backoff = new ExponentialBackoff({ initialDelay: 100, maxDelay: 1_000 });
  const guardedBy = (repeatable: boolean) =>
    wrap(
      retry(
        handleWhen((error) => error instanceof NotHeard || (repeatable && error instanceof Lost)),
        { maxAttempts: TRIES_AGAIN, backoff },
      ),
      breaker,
    );
  const [cautious, persistent] = [guardedBy(false), guardedBy(true)];

  const ask = async ({ method, path, body, headers: own, within }: Question): Promise<Reply> => {
    const init = { method, redirect: 'error' as const, signal: AbortSignal.timeout(within) };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    try {
      const response = await fetch(`${url}${path}`, { ...init, ...sent, headers: { ...headers, ...type, ...own } });
      const text = await response.text();
      // Others of these are a proxy's, which knows nothing of what goes on behind it.
      if (response.status === 500) throw new Failed();
      if (response.status > 500) throw new Lost();
      return { status: response.status, body: parsed(text) };
    } catch (error) {
      if (error instanceof Failed) throw error;
      const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
      throw typeof code === 'string' && BEFORE_SENDING.test(code) ? new NotHeard() : new Lost();
    }
  };

  return async (question) => {
    try {
      return await (question.repeatable ? persistent : cautious).execute(() => ask(question));
    } catch (error) {
      if (error instanceof BrokenCircuitError || error instanceof NotHeard) return 'unreached';
      return error instanceof Failed ? 'failed' : 'unknown';
    }
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
