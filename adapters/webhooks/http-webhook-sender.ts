import http, { type ClientRequest, type RequestOptions } from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import type { Webhook } from 'standardwebhooks';
import { makeOnce } from '../../application/make-once.ts';
import type {
  SendOutcome,
  WebhookMessage,
  WebhookSender,
} from '../../application/webhooks/webhook-sender.ts';
import type { WebhookUrls } from '../../application/webhooks/webhook-urls.ts';
import { failureCode } from './failure-codes.ts';
import { awaitAnswer, type HttpAnswer, retryTimeOf } from './read-answer.ts';
import {
  ADDRESS_NOT_ALLOWED,
  guardedLookup,
  isAllowedAddress,
  makeResolve,
  type Resolve,
} from './resolve-host.ts';

const require = createRequire(import.meta.url);

interface SenderParts {
  /** The rules of registration: they may have become stricter since. */
  readonly urls: WebhookUrls;
  /** Whether loopback addresses are allowed: in the test environment. */
  readonly allowsLoopback: boolean;
  readonly resolve?: Resolve;
  /** The certificates of trusted authorities (PEM). Absent: those that Node.js trusts. */
  readonly authorities?: readonly string[];
  /** Max time for everything until the status of the answer, ms. */
  readonly timeoutMs?: number;
}

interface Loaded {
  readonly http: http.Agent;
  readonly https: https.Agent;
  readonly sign: (secret: string, ...message: Parameters<Webhook['sign']>) => string;
}

const TIMEOUT_MS = 15_000;

const MAX_HEADER_BYTES = 16_384;

/** A connection that is not used for this time is closed. */
const IDLE_MS = 5_000;

/** Unused connections that are kept for each host. */
const IDLE_CONNECTIONS = 4;

const USER_AGENT = 'insurance-sales-webhooks/1';

/**
 * Sends over HTTP, with the headers of Standard Webhooks. Connections are used again; each was
 * made to an address that was examined.
 */
export class HttpWebhookSender implements WebhookSender {
  readonly #urls: WebhookUrls;
  readonly #allowsLoopback: boolean;
  readonly #timeoutMs: number;
  readonly #parts: SenderParts;
  readonly #libraries = makeOnce(() => this.#load());

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#urls = parts.urls;
    this.#allowsLoopback = parts.allowsLoopback;
    this.#timeoutMs = parts.timeoutMs ?? TIMEOUT_MS;
  }

  /** Loads the libraries with the first webhook: they take 15 MB, and many services send none. */
  async #load(): Promise<Loaded> {
    const { allowsLoopback, resolve, authorities } = this.#parts;
    // `import` would keep a failure, such as a lack of file descriptors, until the end.
    const { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } =
      require('request-filtering-agent') as typeof import('request-filtering-agent');
    const { Webhook: Signing } = require('standardwebhooks') as typeof import('standardwebhooks');
    const options = {
      keepAlive: true,
      timeout: IDLE_MS,
      maxFreeSockets: IDLE_CONNECTIONS,
      lookup: guardedLookup(resolve ?? makeResolve(), allowsLoopback),
      // The agents examine the address of each connection once more. In the test environment they
      // cannot tell loopback from private addresses.
      allowPrivateIPAddress: allowsLoopback,
    };
    return {
      http: new RequestFilteringHttpAgent(options),
      https: new RequestFilteringHttpsAgent({
        ...options,
        rejectUnauthorized: true,
        ...(authorities && { ca: [...authorities] }),
      }),
      sign: (secret, ...message) => new Signing(secret).sign(...message),
    };
  }

  async send(message: WebhookMessage): Promise<SendOutcome> {
    const begun = performance.now();
    const msSince = (): number => Math.round(performance.now() - begun);
    if (!this.#urls.read(message.url).ok || !this.#allowsLiteral(new URL(message.url)))
      return { kind: 'unanswered', reason: ADDRESS_NOT_ALLOWED, ms: msSince() };

    const loaded = await this.#libraries.get();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.#timeoutMs);
    const { signal } = limit;
    try {
      const { response, text } = await orAborted(this.#request(loaded, message, signal), signal);
      // Before the body has been read: the time that the endpoint took.
      const ms = msSince();
      const { statusCode: status = 0, headers } = response;
      const retryAt = retryTimeOf(headers['retry-after'], Date.now());
      const answer = await text;
      return { kind: 'answered', status, answer, ms, ...(retryAt !== undefined && { retryAt }) };
    } catch (error) {
      const reason = signal.aborted ? 'timeout' : failureCode(error);
      return { kind: 'unanswered', reason, ms: msSince() };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the connections that are not in use: others may still bring an answer. */
  async close(): Promise<void> {
    const loaded = await this.#libraries.made();
    if (loaded === undefined) return;
    for (const { freeSockets } of [loaded.http, loaded.https])
      for (const sockets of Object.values(freeSockets))
        for (const socket of sockets ?? []) socket.destroy();
  }

  /** An address in the URL itself is looked up nowhere. */
  #allowsLiteral({ hostname }: URL): boolean {
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    return isIP(host) === 0 || isAllowedAddress(host, this.#allowsLoopback);
  }

  /** Asks again when a kept connection was closed by the endpoint in the meantime. */
  async #request(
    loaded: Loaded,
    message: WebhookMessage,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    for (;;) {
      const request = this.#start(loaded, message, signal);
      try {
        return await awaitAnswer(request);
      } catch (error) {
        if (!request.reusedSocket || failureCode(error) !== 'connection_closed') throw error;
      }
    }
  }

  #start(loaded: Loaded, message: WebhookMessage, signal: AbortSignal): ClientRequest {
    const url = new URL(message.url);
    const body = Buffer.from(message.body);
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headersOf(message, loaded.sign), 'content-length': body.length },
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
    };
    const request =
      url.protocol === 'https:'
        ? https.request(url, { ...options, agent: loaded.https })
        : http.request(url, { ...options, agent: loaded.http });
    return request.end(body);
  }
}

/** Fails when the signal aborts, even if the work itself never ends. */
const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

/** Standard Webhooks, section "Webhook headers". */
const headersOf = ({ id, sentAt, body, secrets }: WebhookMessage, sign: Loaded['sign']) => {
  const at = new Date(sentAt);
  return {
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': Math.floor(at.getTime() / 1_000),
    'webhook-signature': secrets.map((secret) => sign(secret, id, at, body)).join(' '),
  };
};
