/** When and how often a request is repeated. */
export interface RetryLimits {
  /** How many times a request is sent at most. Default: 5. */
  readonly attempts?: number;
  /** How long a call may take with all its repetitions, ms. Default: 180,000. */
  readonly totalMs?: number;
  /** The pause before the first repetition, ms; each later one is twice as long. Default: 2,000. */
  readonly firstPauseMs?: number;
}

export interface ClientOptions {
  /** The base address that the operator gave you; it ends with `/api`. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly retry?: RetryLimits;
  /** How long one request may take, ms. Default: 60,000, since a card may take half a minute. */
  readonly timeoutMs?: number;
  /** Sends the requests. Default: the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  /** Ends the call at once, also in a pause. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface Settings {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly retry: Required<RetryLimits>;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
}

const isAboveZero = (value: number): boolean => Number.isFinite(value) && value > 0;

/** @throws TypeError if the base address, the credentials or a limit cannot be used */
export const readOptions = (options: ClientOptions): Settings => {
  const { baseUrl, clientId, clientSecret, retry = {}, timeoutMs = 60_000 } = options;
  if (!/^https?:\/\/[^/?#]+(\/[^?#]*)?$/.test(baseUrl))
    throw new TypeError('baseUrl must be the base address, like https://seguros.example/api');
  if (!clientId || !clientSecret) throw new TypeError('clientId and clientSecret are required');

  const limits = { attempts: 5, totalMs: 180_000, firstPauseMs: 2_000, ...retry };
  for (const [name, value] of Object.entries({ ...limits, timeoutMs }))
    if (!isAboveZero(value)) throw new TypeError(`${name} must be a number above zero`);

  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    clientId,
    clientSecret,
    retry: limits,
    timeoutMs,
    // Browsers demand that `fetch` is called without another `this`.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
};
