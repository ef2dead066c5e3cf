import { keepDetails, readDetails } from './answers.ts';
import { InsuranceError } from './errors.ts';
import { errorOf, fetchOnce, postCredentials, readJson, requireSuccess } from './exchange.ts';
import type { CallOptions, Settings } from './options.ts';
import { leastTryMs, nextOf, pauseBeforeNext } from './repetition.ts';
import { type ApiRequest, type WrittenRequest, writeRequest } from './request.ts';
import { isLogin, Tokens } from './tokens.ts';
import { pause, withTimeout } from './waiting.ts';

/** Reads an answer, within the time-out of the request. */
type ReadAnswer<T> = (response: Response, requestId: string) => Promise<T>;

interface Try {
  readonly requestId: string;
  readonly timeoutMs: number;
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
    this.#tokens = new Tokens((grant) =>
      postCredentials(settings, '/seguros/auth/token', grant, { accepts: isLogin }),
    );
  }

  /** Sends a request and reads the JSON of its answer. @throws as `open` */
  async send<T>(request: ApiRequest, options?: CallOptions): Promise<T> {
    return this.open(request, options, readJson) as Promise<T>;
  }

  /**
   * Sends a request and reads its answer. It is written before the first pause.
   *
   * @throws InsuranceError when the request is refused, or no repetition is left
   * @throws InsuranceError `aborted` if the signal ends a sale that was sent already
   * @throws the reason of the signal, if it ends any other call
   * @throws TypeError if the request cannot be written
   */
  async open<T>(
    request: ApiRequest,
    { signal }: CallOptions = {},
    read: ReadAnswer<T>,
  ): Promise<T> {
    const written = writeRequest(request);
    const { retry, timeoutMs } = this.settings;
    const { names } = request;
    const requestId = crypto.randomUUID();
    const startedAt = performance.now();
    let hasLoggedInAgain = false;
    let wasSent = false;

    for (let attempts = 1; ; attempts += 1) {
      const leftMs = retry.totalMs - (performance.now() - startedAt);
      const limitMs = request.isLong ? leftMs : Math.min(timeoutMs, leftMs);
      signal?.throwIfAborted();
      const outcome = await this.#try(written, { requestId, timeoutMs: limitMs, signal }, read);
      if ('value' in outcome) {
        const { value, response } = outcome;
        if (typeof value === 'object' && value !== null)
          keepDetails(value, readDetails(response, { requestId, attempts, ...names }));
        return value;
      }

      const { error, token } = outcome;
      wasSent ||= token !== undefined;
      const ofCall = { attempts, ...names };
      const requireGoingOn = (): void => {
        if (signal?.aborted)
          throw wasSent && names ? abortedSale(signal, error, ofCall) : signal.reason;
      };
      requireGoingOn();
      if (token !== undefined && error.status === 401 && !hasLoggedInAgain) {
        hasLoggedInAgain = true;
        this.#tokens.forget(token);
        continue;
      }
      const isRepeatable = request.isRepeatable || token === undefined;
      const tried = { attempts, elapsedMs: performance.now() - startedAt };
      const pauseMs = pauseBeforeNext(error, isRepeatable, tried, {
        ...retry,
        leastMs: leastTryMs(this.settings),
      });
      if (pauseMs === undefined)
        throw error.ofCall({ ...ofCall, next: nextOf(error, isRepeatable) });
      await pause(pauseMs, signal).catch(requireGoingOn);
    }
  }

  /** Ends the present login, if there is one. @throws InsuranceError: the login may go on */
  async logOut({ signal }: CallOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    const token = this.#tokens.held;
    if (token === undefined) return;
    await postCredentials(this.settings, '/seguros/auth/revoke', { token }, { signal });
    this.#tokens.forget(token);
  }

  async #try<T>(
    written: WrittenRequest,
    { requestId, timeoutMs, signal }: Try,
    read: ReadAnswer<T>,
  ): Promise<Outcome<T>> {
    let token: string | undefined;
    try {
      return await withTimeout(timeoutMs, signal, async (within) => {
        const current = await this.#tokens.current();
        within.throwIfAborted();
        token = current;
        const sent = { requestId, token, signal: within };
        const response = await fetchOnce(this.settings, written, sent);
        await requireSuccess(response, requestId);
        return { response, value: await read(response, requestId) };
      });
    } catch (cause) {
      return { error: errorOf(cause, requestId), token };
    }
  }
}

const abortedSale = (
  signal: AbortSignal,
  { requestId }: InsuranceError,
  ofCall: { readonly attempts: number },
): InsuranceError =>
  new InsuranceError({
    code: 'aborted',
    status: 0,
    text: 'The signal ended the call; the sale may exist',
    requestId,
    cause: signal.reason,
    ...ofCall,
  });
