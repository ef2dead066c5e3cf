import type { Clock } from '../clock.ts';
import { shareRuns } from '../share-runs.ts';
import type { ProviderCall, ProviderOutcome } from './observe-providers.ts';
import {
  addUpCalls,
  type CountedCall,
  callKeyOf,
  type ProviderCallNotes,
  type ProviderCalls,
} from './provider-calls.ts';

/** Different answers that wait to be stored; further ones are dropped, and counted. */
export const MAX_WAITING = 10_000;

/** Answers that are stored by one statement. */
const STORED_AT_ONCE = 500;

/** Sales whose calls are all noted at a time. */
export const MAX_WATCHED = 1_000;

/** Characters of an answer, at most. */
const MAX_ANSWER = 200;

interface Needs {
  readonly providerCalls: ProviderCalls;
  readonly clock: Clock;
  readonly currentRequestId: () => string | undefined;
}

/** Counts the sales that are watched, each as often as it is watched. */
const createWatch = () => {
  const watchers = new Map<number, number>();

  const watch: ProviderCallNotes['watch'] = async (saleId, work) => {
    const before = watchers.get(saleId);
    if (before === undefined && watchers.size >= MAX_WATCHED) return work();
    watchers.set(saleId, (before ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (watchers.get(saleId) ?? 1) - 1;
      if (left === 0) watchers.delete(saleId);
      else watchers.set(saleId, left);
    }
  };
  return { watch, isWatched: (saleId: number): boolean => watchers.has(saleId) };
};

/** Collects what providers answered about sales in trouble, and stores it in the background. */
export const makeProviderCallNotes = (ports: Needs): ProviderCallNotes => {
  const { providerCalls, clock, currentRequestId } = ports;
  const { watch, isWatched } = createWatch();
  const waiting = new Map<string, CountedCall>();
  let dropped = 0;

  const keep = (call: CountedCall): void => {
    const key = callKeyOf(call);
    const known = waiting.get(key);
    if (known !== undefined) waiting.set(key, addUpCalls(known, call));
    else if (waiting.size < MAX_WAITING) waiting.set(key, call);
    else dropped += call.times;
  };

  const note = (call: ProviderCall, startedMs: number, outcome: ProviderOutcome): void => {
    const { saleId, provider, question } = call;
    if (saleId === undefined || (outcome.kind === 'answered' && !isWatched(saleId))) return;
    const at = clock.now();
    keep({
      saleId,
      provider,
      question,
      answer: outcome.words.slice(0, MAX_ANSWER),
      times: 1,
      firstAt: at,
      lastAt: at,
      lastMs: Date.parse(at) - startedMs,
      requestId: currentRequestId() ?? null,
    });
  };

  const storeWaiting = async (): Promise<void> => {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, STORED_AT_ONCE);
      for (const [key] of batch) waiting.delete(key);
      try {
        await providerCalls.add(batch.map(([, call]) => call));
      } catch (error) {
        for (const [, call] of batch) keep(call);
        throw error;
      }
    }
  };

  return {
    observe: async (call, ask, outcomeOf) => {
      const startedMs = Date.parse(clock.now());
      const answer = await ask();
      note(call, startedMs, outcomeOf(answer));
      return answer;
    },

    watch,

    flush: shareRuns(storeWaiting),

    takeDropped: () => {
      const lost = dropped;
      dropped = 0;
      return lost;
    },
  };
};
