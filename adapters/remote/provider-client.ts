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
type Reply =
  | { readonly status: number; readonly body: unknown }
  | 'unknown'
  | 'failed'
  | 'unreached';

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
const BEFORE_SENDING =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

const FAILURES_IN_A_ROW = 5;
const TRIES_AGAIN = 2;

/** What a provider answers is short; more than this is not read. */
const LONGEST = 1_048_576;

/**
 * Asks a provider: with a time limit each time, again where that is harmless, and not at all for a while where it has
 * failed several times in a row; orders and look-ups each by themselves, so that one kind failing does not stop the other.
 * Redirects are not followed: they would carry a token elsewhere. Never throws.
 */
export const remote = ({ url, headers, pause = 5_000 }: RemoteOptions): Ask => {
  const backoff = new ExponentialBackoff({ initialDelay: 100, maxDelay: 1_000 });
  const lanes = new Map<Question['method'], ReturnType<typeof lane>>();
  const lane = () => {
    const breaker = circuitBreaker(handleAll, {
      halfOpenAfter: pause,
      breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
    });
    const guarded = (repeatable: boolean) => {
      const isHarmless = handleWhen(
        (error) => error instanceof NotHeard || (repeatable && error instanceof Lost),
      );
      return wrap(breaker, retry(isHarmless, { maxAttempts: TRIES_AGAIN, backoff }));
    };
    return { cautious: guarded(false), persistent: guarded(true) };
  };

  const ask = async ({ method, path, body, headers: own, within }: Question): Promise<Reply> => {
    const init = { method, redirect: 'error' as const, signal: AbortSignal.timeout(within) };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    try {
      const response = await fetch(`${url}${path}`, {
        ...init,
        ...sent,
        headers: { ...headers, ...type, ...own },
      });
      const text = await textOf(response);
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
    const { cautious, persistent } = lanes.get(question.method) ?? lane();
    lanes.set(question.method, { cautious, persistent });
    try {
      return await (question.repeatable ? persistent : cautious).execute(() => ask(question));
    } catch (error) {
      if (error instanceof BrokenCircuitError || error instanceof NotHeard) return 'unreached';
      return error instanceof Failed ? 'failed' : 'unknown';
    }
  };
};

const textOf = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > LONGEST) throw new Lost();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

const parsed = (text: string): unknown => {
  try {
    // What no table takes, a NUL or half a character, must not keep a sale from being stored.
    return JSON.parse(text, (_, value) =>
      typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
    );
  } catch {
    return undefined;
  }
};
