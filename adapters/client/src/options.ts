import { LONGEST_TIMER_MS } from './waiting.ts';

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
  /**
   * The base address that the operator gave you; it ends with `/api`. It is https, except on this
   * machine.
   */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly retry?: RetryLimits;
  /**
   * How long one request may take, ms. Default: 60,000, since a card may take half a minute. Imports,
   * reconciliations and statement files may take `retry.totalMs`.
   */
  readonly timeoutMs?: number;
  /** Sends the requests. Default: the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  /**
   * Ends the call at once, also in a pause. The call then throws the signal's reason; a sale that was
   * sent already throws the error `aborted`, with its names and the reason as its `cause`.
   */
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

const isAboveZero = (value: number): boolean => value > 0 && value <= LONGEST_TIMER_MS;

/** Whether the address is this machine's, so that nothing crosses a network unencrypted. */
const isLocal = (hostname: string): boolean =>
  /^(.*\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname);

/** @throws TypeError, which does not quote the address */
const requireBaseUrl = (baseUrl: string): void => {
  if (!/^https?:\/\/[^/?#@\s\\]+(\/[^?#\s\\]*)?$/.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError('baseUrl must be the base address, like https://seguros.example/api');
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'http:' && !isLocal(hostname))
    throw new TypeError('baseUrl must begin with https: the secret must not be sent in the clear');
};

/** @throws TypeError if the base address, the credentials or a limit cannot be used */
export const readOptions = (options: ClientOptions): Settings => {
  const { baseUrl, clientId, clientSecret, retry = {}, timeoutMs = 60_000 } = options;
  requireBaseUrl(baseUrl);
  if (!clientId || !clientSecret) throw new TypeError('clientId and clientSecret are required');

  const limits = { attempts: 5, totalMs: 180_000, firstPauseMs: 2_000, ...retry };
  for (const [name, value] of Object.entries({ ...limits, timeoutMs }))
    if (!isAboveZero(value)) throw new TypeError(`${name} must be above zero, up to 2^31 - 1`);

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
