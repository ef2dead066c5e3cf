import type { Instant } from '#domain';
import type { BackgroundNotes } from '../background-notes.ts';
import type { ObserveCall, ProviderQuestion } from './observe-providers.ts';

/** Days for which the calls of a sale are kept after the last one of their kind. */
export const CALL_DAYS = 90;

/** Equal answers of a provider to one question about a sale. They hold no personal data. */
export interface CountedCall {
  readonly saleId: number;
  /** The provider's name. */
  readonly provider: string;
  readonly question: ProviderQuestion;
  /** The answer in words: `approved 15031`, `policy active`, `no answer`. Amounts are in cents. */
  readonly answer: string;
  readonly times: number;
  /** When the first and the last answer came, or were given up. */
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** Time that the last answer took. */
  readonly lastMs: number;
  /** The request or job of the last one; null if unknown. */
  readonly requestId: string | null;
}

/**
 * What providers were asked about sales, and what they answered.
 *
 * 1. Added calls are counted with the equal ones of before. The newest tells time and request.
 * 2. A sale's calls are found, the newest first, up to a limit.
 * 3. Calls whose last answer came before a time are deleted, the oldest first.
 */
export interface ProviderCalls {
  /** `calls`: no two with the same sale, provider, question and answer. */
  add(calls: readonly CountedCall[]): Promise<void>;
  list(saleId: number, limit: number): Promise<readonly CountedCall[]>;
  /** Deletes up to `limit` calls. Returns `limit` if more may be left. */
  deleteBefore(at: Instant, limit: number): Promise<number>;
}

/** Names what is counted together. */
export const callKeyOf = ({ saleId, provider, question, answer }: CountedCall): string =>
  JSON.stringify([saleId, provider, question, answer]);

/** Two counts of the same answer as one. */
export const addUpCalls = (one: CountedCall, other: CountedCall): CountedCall => {
  const [older, newer] = one.lastAt > other.lastAt ? [other, one] : [one, other];
  const firstAt = older.firstAt < newer.firstAt ? older.firstAt : newer.firstAt;
  return { ...newer, firstAt, times: one.times + other.times };
};

/** Notes calls in memory, to be stored in the background. */
export interface ProviderCallNotes extends BackgroundNotes {
  /** Notes the calls without an answer, and all of watched sales. A call waits for no note. */
  readonly observe: ObserveCall;
  /** Watches a sale while `work` runs. If too many are watched, it only runs the work. */
  watch<Result>(saleId: number, work: () => Promise<Result>): Promise<Result>;
}
