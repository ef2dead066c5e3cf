import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { BackgroundNotes } from '../../../../application/background-notes.ts';
import type { Clock } from '../../../../application/clock.ts';
import type { NotedRequest } from '../../../../application/requests/readiness.ts';
import type { RequestNotes } from '../../../../application/requests/request-notes.ts';
import type { State } from './context.ts';

/** The path on which a partner looks up what is noted here: looking is not noted. */
export const OWN_REQUEST_PATH = '/private/integration/requests/{request_id}';

export interface FinishParts {
  readonly log: Logger;
  readonly requestNotes: Pick<RequestNotes, 'note'>;
  readonly clock: Clock;
  /** Counts the request. Called with the pattern of its route, and the seconds that it took. */
  readonly observeRequest?:
    | ((route: string | undefined, method: string, status: number, seconds: number) => void)
    | undefined;
}

/** A request and, once its work is done, its answer. */
interface Answered {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
  readonly state: State;
}

/** Runs the work of a request, and all that it starts, under the id of the request. */
export type RunRequest = (
  requestId: string,
  work: () => Promise<void>,
  request: Answered,
) => Promise<void>;

/** @param startedAt ms of `performance.now` */
export type FinishRequest = (startedAt: number, answered: Answered) => void;

/**
 * Returns what is done with every answered request: it is logged and, if a partner's request failed
 * or did something to a sale, noted for its channel.
 */
export const makeFinishRequest = ({
  log,
  requestNotes,
  clock,
  observeRequest,
}: FinishParts): FinishRequest =>
  function finishRequest(startedAt, { method, status, state }) {
    const { applicant, route = null, clientId, caller, effect, failure } = state;
    const tookMs = performance.now() - startedAt;
    const ms = Math.round(tookMs * 10) / 10;
    const { requestId } = applicant;
    log.info({ requestId, method, route, status, ms, clientId }, 'request');
    observeRequest?.(state.route, method, status, tookMs / 1_000);

    const channelLink = caller?.channelLink ?? null;
    if (caller === undefined || channelLink === null || route === null || requestId === null)
      return;
    if ((failure === undefined && effect === undefined) || route === OWN_REQUEST_PATH) return;
    const { clientId: client } = caller;
    const common = { requestId, channelLink, clientId: client, at: clock.now() };
    const answered = { ...common, method, route, status, ms };
    requestNotes.note({ ...answered, ...outcomeOf(state) });
  };

type Outcome = Pick<
  NotedRequest,
  'code' | 'fields' | 'saleId' | 'replayed' | 'effect' | 'retryAfterSeconds'
>;

const outcomeOf = ({ effect: done, failure, isOverLimit }: State): Outcome => {
  if (failure === undefined)
    return { code: null, fields: null, saleId: null, replayed: false, ...done };

  const { code, headers, body } = failure;
  const { transaction_id: saleId } = body as { readonly transaction_id?: unknown };
  return {
    code,
    fields: withoutForeignNames(headers['X-Error-Fields']),
    // A sale may have been made before the answer failed.
    saleId: typeof saleId === 'number' ? saleId : (done?.saleId ?? null),
    replayed: false,
    ...(isOverLimit && { retryAfterSeconds: Number(headers['Retry-After']) }),
  };
};

/** Names of fields that the API has. Digits in a row may be a tax id or a card. */
const OWN_NAME = /^(?!.*\d{6})[\w.-]+$/;

/**
 * The fields of `X-Error-Fields`, with `*` in place of names that the partner made up: they may be
 * personal data, as in a file whose first line is no header.
 */
const withoutForeignNames = (header: string | undefined): string | null => {
  if (header === undefined) return null;
  const items = header.split(', ').map((item) => {
    const [name = '', code] = item.split('=');
    return code !== 'unknown' && OWN_NAME.test(name) ? item : `*=${code}`;
  });
  return [...new Set(items)].join(', ');
};

/** Max time in which what this process has noted is stored before it is read, ms. */
const CATCH_UP_MS = 1_000;

/** Waits until what this process has noted is stored, unless the store is slow or away. */
export const catchUp = async (notes: Pick<BackgroundNotes, 'flush'>): Promise<void> => {
  const stored = notes.flush().catch(() => {});
  await Promise.race([stored, wait(CATCH_UP_MS, undefined, { ref: false })]);
};

const CHECK_INTERVAL_MS = 250;

/** A block of the event loop that lasts longer is logged, ms. */
const BLOCKED_MS = 1_000;

let lastRoute: string | null = null;

/** Notes the route whose code runs now. If it blocks the event loop, the log names it. */
export const noteRoute = (route: string | undefined): void => {
  lastRoute = route ?? null;
};

/**
 * Logs each time the event loop was blocked for more than a second, with the route that ran last.
 * No request is answered meanwhile. Returns the function that ends the watch.
 */
export const watchEventLoop = (log: Pick<Logger, 'warn'>): (() => void) => {
  let checkedAt = performance.now();
  const check = (): void => {
    const now = performance.now();
    const blockedMs = Math.round(now - checkedAt - CHECK_INTERVAL_MS);
    checkedAt = now;
    if (blockedMs > BLOCKED_MS)
      log.warn({ ms: blockedMs, route: lastRoute }, 'the event loop was blocked');
    lastRoute = null;
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
};
