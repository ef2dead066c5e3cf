import { keepDetails, readDetails } from './answers.ts';
import type { InsuranceError } from './errors.ts';
import { type ApiRequest, errorOf, fetchOnce, postCredentials, readJson } from './exchange.ts';
import type { CallOptions, Settings } from './options.ts';
import { readError } from './read-error.ts';
import { pauseBeforeNext } from './repetition.ts';
import { Tokens } from './tokens.ts';
import { pause, withTimeout } from './waiting.ts';

/** Reads an answer, within the time-out of the request. */
type ReadAnswer<T> = (response: Response) => Promise<T>;

interface Try {
  readonly requestId: string;
  /** What is left of the time for the whole call, ms. */
  readonly leftMs: number;
  readonly signal: AbortSignal | undefined;
}

type Outcome<T> =
  | { readonly response: Response; readonly value: T }
  /** `token` is the one that was sent; undefined if the login failed, so that nothing was sent. */
  | { readonly error: InsuranceError; readonly token: string | undefined };

/** Sends requests with a token, and repeats them where that is safe. */
export class Transport {
  readonly settings: Settings;
  readonly #tokens: Tokens;

  constructor(settings: Settings) {
    this.settings = settings;
    this.#tokens = new Tokens((grant) => postCredentials(settings, '/seguros/auth/token', grant));
  }

  /** Sends a request and reads the JSON of its answer. @throws as `open` */
  async send<T>(request: ApiRequest, options?: CallOptions): Promise<T> {
    return this.open(request, options, readJson) as Promise<T>;
  }

  /**
   * Sends a request and reads its answer.
   *
   * @throws InsuranceError when the request is refused, or no repetition is left
   * @throws the reason of the signal
   */
  async open<T>(
    request: ApiRequest,
    { signal }: CallOptions = {},
    read: ReadAnswer<T>,
  ): Promise<T> {
    const { retry } = this.settings;
    const { saleName } = request;
    const requestId = crypto.randomUUID();
    const startedAt = performance.now();
    let hasLoggedInAgain = false;

    for (let attempts = 1; ; attempts += 1) {
      const leftMs = retry.totalMs - (performance.now() - startedAt);
      const outcome = await this.#try(request, { requestId, leftMs, signal }, read);
      if ('value' in outcome) {
        const { value, response } = outcome;
        if (typeof value === 'object' && value !== null)
          keepDetails(value, readDetails(response, { requestId, attempts, saleName }));
        return value;
      }

      const { error, token } = outcome;
      if (token !== undefined && error.status === 401 && !hasLoggedInAgain) {
        hasLoggedInAgain = true;
        this.#tokens.forget(token);
        continue;
      }
      const isRepeatable = request.isRepeatable || token === undefined;
      const tried = { attempts, elapsedMs: performance.now() - startedAt };
      const pauseMs = pauseBeforeNext(error, isRepeatable, tried, retry);
      if (pauseMs === undefined) throw error.ofCall({ attempts, saleName });
      await pause(pauseMs, signal);
    }
  }

  /** Ends the present login, if there is one. @throws InsuranceError */
  async logOut(): Promise<void> {
    const token = this.#tokens.take();
    if (token !== undefined)
      await postCredentials(this.settings, '/seguros/auth/revoke', { token });
  }

  async #try<T>(
    request: ApiRequest,
    { requestId, leftMs, signal }: Try,
    read: ReadAnswer<T>,
  ): Promise<Outcome<T>> {
    let token: string | undefined;
    const timeoutMs = Math.min(this.settings.timeoutMs, Math.max(leftMs, 1));
    try {
      return await withTimeout(timeoutMs, signal, async (within) => {
        const current = await this.#tokens.current();
        within.throwIfAborted();
        token = current;
        const sent = { requestId, token, signal: within };
        const response = await fetchOnce(this.settings, request, sent);
        if (response.ok) return { response, value: await read(response) };
        throw readError(response, await response.text(), requestId);
      });
    } catch (cause) {
      signal?.throwIfAborted();
      return { error: errorOf(cause, requestId), token };
    }
  }
}
