import type { Ports } from '../ports.ts';
import type { AnsweredRequest } from './answered-requests.ts';
import { advanceReadiness, type NotedRequest } from './readiness.ts';

/** Answers that wait to be stored; further ones are dropped, and counted. */
export const MAX_WAITING = 20_000;

/** Answers that are stored by one statement. */
const STORED_AT_ONCE = 1_000;

/** Refusals by the rate limit that are noted of a client in a minute. */
const MAX_REFUSALS_A_MINUTE = 10;

const MINUTE_CHARACTERS = 'YYYY-MM-DDTHH:MM'.length;

/** Clients whose reading of the events is remembered as noted. */
const MAX_READERS = 10_000;

type Needs = Pick<Ports, 'answeredRequests' | 'readinessRecords' | 'keepsReadiness'>;

export interface NoteRequests {
  /** Remembers an answer, to be stored with others. It waits for nothing. */
  note(request: NotedRequest): void;
  /**
   * Stores what has been noted. What could not be stored is tried again with the next call.
   *
   * @returns the answers that were dropped since the last call, because too many waited
   * @throws Unavailable
   */
  flush(): Promise<number>;
}

/** Counts the refusals by the rate limit of each client in the present minute. */
const createRefusalCounter = () => {
  let minute = '';
  const counts = new Map<string, number>();

  return function countRefusal({ clientId, at }: NotedRequest): number {
    const present = at.slice(0, MINUTE_CHARACTERS);
    if (present !== minute) counts.clear();
    minute = present;
    const count = (counts.get(clientId) ?? 0) + 1;
    counts.set(clientId, count);
    return count;
  };
};

/** Collects the answers to partners' requests, and stores them together in the background. */
export const makeNoteRequests = (ports: Needs): NoteRequests => {
  const { answeredRequests, readinessRecords, keepsReadiness } = ports;
  const countRefusal = createRefusalCounter();
  const readers = new Set<string>();
  let waiting: NotedRequest[] = [];
  let dropped = 0;
  let storing = Promise.resolve();

  /** Reading events is no step of a sale: it is noted once, and only where readiness is kept. */
  const isNewReader = ({ clientId }: NotedRequest): boolean => {
    if (!keepsReadiness || readers.has(clientId) || readers.size >= MAX_READERS) return false;
    readers.add(clientId);
    return true;
  };

  const isWanted = (request: NotedRequest): boolean => {
    if (request.effect?.kind === 'read_events') return isNewReader(request);
    return request.code !== 'rate_limited' || countRefusal(request) <= MAX_REFUSALS_A_MINUTE;
  };

  const advance = async (requests: readonly NotedRequest[]): Promise<void> => {
    const byClient = Map.groupBy(requests, ({ clientId }) => clientId);
    for (const [clientId, each] of byClient)
      await readinessRecords.advance(clientId, (done) => each.reduce(advanceReadiness, done));
  };

  const storeNext = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, STORED_AT_ONCE);
      const toStore = batch.filter(({ effect }) => effect?.kind !== 'read_events');
      // Twice is as good as once, if the next line fails.
      if (keepsReadiness) await advance(batch);
      if (toStore.length > 0) await answeredRequests.add(toStore.map(toAnswered));
      waiting = waiting.slice(batch.length);
    }
  };

  return {
    note: (request) => {
      if (!isWanted(request)) return;
      if (waiting.length < MAX_WAITING) waiting.push(request);
      else dropped += 1;
    },

    flush: async () => {
      storing = storing.then(storeNext, storeNext);
      await storing;
      const lost = dropped;
      dropped = 0;
      return lost;
    },
  };
};

const toAnswered = ({
  effect: _,
  retryAfterSeconds: __,
  ...answered
}: NotedRequest): AnsweredRequest => answered;
