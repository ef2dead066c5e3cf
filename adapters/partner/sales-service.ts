import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { InsuranceError } from '../client/src/errors.ts';
import { postCredentials } from '../client/src/exchange.ts';
import { isLogin, Tokens } from '../client/src/tokens.ts';
import { asTemporary, CommandFailure, GaveUp, Temporary } from './failures.ts';
import { accepted, failureOf } from './service-answers.ts';

export interface Connection {
  /** The base address of the API, which ends with `/api`. */
  readonly url: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Time without success after which the command gives up, ms. */
  readonly patienceMs: number;
  /** Tells the person who runs the command. */
  readonly note: (text: string) => void;
  /** Ends requests and pauses: what is under way throws an `AbortError`. */
  readonly signal?: AbortSignal | undefined;
}

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base address, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes a new body for each try. */
  readonly body?: () => Buffer | Readable;
}

/** A connection on which nothing moves for so long is closed, ms. */
const IDLE_MS = 120_000;

/** Pauses without `Retry-After`, each twice the one before, ms. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;

/** The base address, without a slash at its end. */
const addressOf = ({ href }: URL): string => href.replace(/\/$/, '');

/**
 * The service as the partner's commands use it. A request that fails for a while is repeated, with
 * the pauses that the service asks for. Tokens are renewed.
 */
export class SalesService {
  readonly #connection: Connection;
  readonly #agents = { 'http:': new http.Agent(), 'https:': new https.Agent() };
  readonly #tokens: Tokens;

  constructor(connection: Connection) {
    this.#connection = connection;
    const { url, clientId, clientSecret } = connection;
    const baseUrl = addressOf(url);
    const settings = { baseUrl, clientId, clientSecret, timeoutMs: IDLE_MS, fetch };
    this.#tokens = new Tokens((grant) =>
      postCredentials(settings, '/seguros/auth/token', grant, { accepts: isLogin }),
    );
  }

  /**
   * Sends the request until `read` has read a complete answer of success (2xx). `read` throws
   * `Temporary`, or what the connection throws, if the answer is incomplete.
   *
   * @throws CommandFailure if the service refuses the request, or fails for too long
   */
  async ask<Answer>(
    request: ServiceRequest,
    read: (answer: IncomingMessage) => Promise<Answer>,
  ): Promise<Answer> {
    // The time in which an answer is read does not count: a long file may take its time.
    let failingSince = performance.now();
    let beganAt = Number.NaN;
    for (let tries = 1; ; tries += 1) {
      try {
        beganAt = Number.NaN;
        const answer = await this.#askOnce(request);
        beganAt = performance.now();
        return await read(answer);
      } catch (error) {
        this.#connection.signal?.throwIfAborted();
        const temporary = asTemporary(error);
        if (temporary === undefined) throw error;
        if (!Number.isNaN(beganAt)) failingSince += performance.now() - beganAt;
        await this.#wait(temporary, failingSince, tries);
      }
    }
  }

  /** An answer of success. A token that has ended is renewed once. */
  async #askOnce(request: ServiceRequest): Promise<IncomingMessage> {
    const token = await this.#login();
    const answer = await this.#send(request, token);
    if (answer.statusCode !== 401) return accepted(answer);

    answer.resume();
    this.#tokens.forget(token);
    return accepted(await this.#send(request, await this.#login()));
  }

  async #login(): Promise<string> {
    try {
      return await this.#tokens.current();
    } catch (error) {
      if (!(error instanceof InsuranceError)) throw error;
      if (error.status !== 401) throw failureOf(error);
      throw new CommandFailure(
        'O serviço recusou as credenciais: confira CLIENT_ID e CLIENT_SECRET.',
      );
    }
  }

  #send({ method, path, headers, body }: ServiceRequest, token: string): Promise<IncomingMessage> {
    const { url, signal } = this.#connection;
    const [protocol, send] =
      url.protocol === 'https:'
        ? (['https:', https.request] as const)
        : (['http:', http.request] as const);
    const content = body?.();
    return new Promise((resolve, reject) => {
      const request = send(`${addressOf(url)}${path}`, {
        method,
        headers: { ...headers, Authorization: `Bearer ${token}` },
        agent: this.#agents[protocol],
        ...(signal && { signal }),
      });
      request.setTimeout(IDLE_MS, () =>
        request.destroy(new Temporary('O serviço parou de responder.')),
      );
      request.once('response', resolve);
      // After the answer has begun, its own stream tells of a fault.
      request.on('error', reject);
      if (content === undefined || Buffer.isBuffer(content)) request.end(content);
      else content.on('error', (error) => request.destroy(error)).pipe(request);
    });
  }

  async #wait(
    { message, retryAfterMs }: Temporary,
    failingSince: number,
    tries: number,
  ): Promise<void> {
    const { patienceMs, note, signal } = this.#connection;
    const pauseMs = retryAfterMs ?? Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), MAX_PAUSE_MS);
    if (performance.now() + pauseMs - failingSince > patienceMs)
      throw new GaveUp(`${message} Desisti depois de ${tries} tentativas.`);
    note(`${message} Nova tentativa em ${Math.ceil(pauseMs / 1_000)} s.`);
    await pause(pauseMs, undefined, { signal });
  }
}
