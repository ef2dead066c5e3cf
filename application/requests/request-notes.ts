import type { BackgroundNotes } from '../background-notes.ts';
import type { Clock } from '../clock.ts';
import { shareRuns } from '../share-runs.ts';
import type { AnsweredRequest, AnsweredRequests } from './answered-requests.ts';
import { advanceReadiness, type NotedRequest, type ReadinessRecords } from './readiness.ts';

/** Answers that wait to be stored; further ones are dropped, and counted. */
export const MAX_WAITING = 20_000;

/** Answers that are stored by one statement. */
const STORED_AT_ONCE = 1_000;

/** Failures that are stored of a client in a minute. */
export const MAX_FAILURES_A_MINUTE = 60;

/** Refusals by the limit of requests among them. */
export const MAX_REFUSALS_A_MINUTE = 10;

const MINUTE_CHARACTERS = 'YYYY-MM-DDTHH:MM'.length;

/** Clients whose reading of the events is remembered as noted. */
const MAX_READERS = 10_000;

interface Needs {
  readonly answeredRequests: AnsweredRequests;
  readonly readinessRecords: ReadinessRecords;
  readonly isTest: boolean;
  readonly clock: Clock;
}

export interface RequestNotes extends BackgroundNotes {
  /** Remembers an answer, to be stored with others. It waits for nothing. */
  note(request: NotedRequest): void;
}

/** An answer on its way to the store, to readiness, or to both. */
interface Waiting {
  readonly request: NotedRequest;
  readonly isStored: boolean;
  readonly isForReadiness: boolean;
}

/** Counts something of each client in the present minute. */
const createMinuteCounter = () => {
  let minute = '';
  const counts = new Map<string, number>();

  return function count({ clientId, at }: NotedRequest): number {
    const present = at.slice(0, MINUTE_CHARACTERS);
    if (present !== minute) counts.clear();
    minute = present;
    const count = (counts.get(clientId) ?? 0) + 1;
    counts.set(clientId, count);
    return count;
  };
};

/** Says which answers are stored. */
const createFilter = () => {
  const countFailure = createMinuteCounter();
  const countRefusal = createMinuteCounter();

  return function isStored(request: NotedRequest): boolean {
    if (request.effect !== undefined) return request.effect.kind !== 'read_events';
    const isRefusal = request.retryAfterSeconds !== undefined;
    if (isRefusal && countRefusal(request) > MAX_REFUSALS_A_MINUTE) return false;
    return countFailure(request) <= MAX_FAILURES_A_MINUTE;
  };
};

/** Says which other answers readiness needs: the first look at the events, some refusals. */
const createReadinessFilter = () => {
  const readers = new Set<string>();
  const countRefusal = createMinuteCounter();

  return function isForReadiness(request: NotedRequest): boolean {
    const { clientId, effect, retryAfterSeconds } = request;
    // One of ten shows well enough that the client does not wait.
    if (retryAfterSeconds !== undefined) return countRefusal(request) % 10 === 0;
    if (effect?.kind !== 'read_events' || readers.has(clientId)) return false;
    if (readers.size >= MAX_READERS) return false;
    readers.add(clientId);
    return true;
  };
};

/** Time in which readiness learns of one more success of a kind, ms. */
const HOLD_MS = 10_000;

/** A kind of success that readiness has been told of. */
interface Told {
  since: number;
  /** The last success of this kind after it, which waits. */
  last: NotedRequest | undefined;
}

const kindOf = ({ method, route, effect, replayed }: NotedRequest): string =>
  `${method} ${route} ${effect?.kind} ${effect?.kind === 'sold' ? effect.productCode : ''} ${replayed}`;

/**
 * Keeps a rush of sales from changing what readiness knows with each one: of the successes of a
 * client that are alike, only the first and the last can show a step. A failure ends the wait, so
 * that the next success counts at once.
 */
const createSuccessFilter = (clock: Clock) => {
  const clients = new Map<string, Map<string, Told>>();

  /** Forgets what a client has been told of. @returns what has waited */
  const release = (clientId: string): readonly NotedRequest[] => {
    const kinds = clients.get(clientId) ?? new Map<string, Told>();
    clients.delete(clientId);
    return [...kinds.values()].flatMap(({ last }) => last ?? []);
  };

  return {
    /**
     * What readiness learns now: the request, and then what has waited for it; nothing, if the
     * request has to wait.
     */
    pass: (request: NotedRequest): readonly NotedRequest[] => {
      const { clientId, effect } = request;
      if (effect === undefined) return [request, ...release(clientId)];

      const kinds = clients.get(clientId) ?? new Map<string, Told>();
      clients.set(clientId, kinds);
      const kind = kindOf(request);
      const told = kinds.get(kind);
      if (told !== undefined) {
        told.last = request;
        return [];
      }
      kinds.set(kind, { since: Date.parse(clock.now()), last: undefined });
      return [request];
    },

    /** What has waited long enough. */
    due: (): readonly NotedRequest[] => {
      const now = Date.parse(clock.now());
      const found: NotedRequest[] = [];
      for (const [clientId, kinds] of clients) {
        for (const [kind, told] of kinds) {
          if (told.since > now - HOLD_MS) continue;
          if (told.last === undefined) kinds.delete(kind);
          else found.push(told.last);
          told.since = now;
          told.last = undefined;
        }
        if (kinds.size === 0) clients.delete(clientId);
      }
      return found;
    },
  };
};

/** Collects the answers to partners' requests, and stores them together in the background. */
export const makeRequestNotes = (ports: Needs): RequestNotes => {
  const { answeredRequests, readinessRecords, isTest, clock } = ports;
  const isStored = createFilter();
  const isForReadiness = createReadinessFilter();
  const successes = createSuccessFilter(clock);
  let waiting: Waiting[] = [];
  let dropped = 0;

  const keep = (item: Waiting): void => {
    if (waiting.length < MAX_WAITING) waiting.push(item);
    else dropped += 1;
  };
  const keepForReadiness = (request: NotedRequest): void =>
    keep({ request, isStored: false, isForReadiness: true });

  const advance = async (batch: readonly Waiting[]): Promise<void> => {
    const counting = batch.filter((each) => each.isForReadiness);
    const byClient = Map.groupBy(counting, ({ request }) => request.clientId);
    if (byClient.size === 0) return;
    await readinessRecords.advance([...byClient.keys()], (clientId, done) =>
      (byClient.get(clientId) ?? []).reduce(
        (known, { request }) => advanceReadiness(known, request),
        done,
      ),
    );
  };

  const storeWaiting = async (): Promise<void> => {
    for (const request of successes.due()) keepForReadiness(request);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, STORED_AT_ONCE);
      const toStore = batch.filter((each) => each.isStored);
      // Twice is as good as once, if the line after it fails.
      await advance(batch);
      if (toStore.length > 0) await answeredRequests.add(toStore.map(toAnswered));
      waiting = waiting.slice(batch.length);
    }
  };

  return {
    note: (request) => {
      const isKept = isStored(request);
      const counts = isTest && (isKept || isForReadiness(request));
      const [own, ...held] = counts ? successes.pass(request) : [];
      held.forEach(keepForReadiness);
      if (isKept || own !== undefined)
        keep({ request, isStored: isKept, isForReadiness: own !== undefined });
    },

    flush: shareRuns(storeWaiting),

    takeDropped: () => {
      const lost = dropped;
      dropped = 0;
      return lost;
    },
  };
};

const toAnswered = ({
  request: { effect: _, retryAfterSeconds: __, ...answered },
}: Waiting): AnsweredRequest => answered;
