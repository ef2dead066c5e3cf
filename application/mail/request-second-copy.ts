import { type Instant, instantOf, isCertified, type Sale } from '#domain';
import type { Clock } from '../clock.ts';
import type { CopyKey, CopyOutcome, Mailings } from './mailings.ts';

/** Copies of one certificate within an hour. */
export const MOST_COPIES = 3;

const HOUR = 3_600_000;

export interface RequestSecondCopyParts {
  readonly mailings: Mailings;
  readonly clock: Clock;
}

type SecondCopyOutcome =
  | Extract<CopyOutcome, { readonly kind: 'requested' | 'repeated' | 'conflict' }>
  /** There is no certificate yet, or none any more. */
  | { readonly kind: 'not_certified' }
  /** Seconds after which one more may be asked for. */
  | { readonly kind: 'too_many'; readonly waitFor: number };

export type RequestSecondCopy = (sale: Sale, key?: CopyKey) => Promise<SecondCopyOutcome>;

/** Has the certificate mailed to the insured once more. When it answers, that is remembered for good. */
export const requestSecondCopy =
  ({ mailings, clock }: RequestSecondCopyParts): RequestSecondCopy =>
  async (sale, key) => {
    if (!isCertified(sale)) return { kind: 'not_certified' };
    const at = clock.now();
    const limit = { most: MOST_COPIES, since: later(at, -HOUR) };
    const outcome = await mailings.requestCopy({ saleId: sale.id, at, key, limit });
    if (outcome.kind !== 'too_many') return outcome;
    return {
      kind: 'too_many',
      waitFor: Math.ceil((Date.parse(outcome.earliest) + HOUR - Date.parse(at)) / 1_000),
    };
  };

const later = (at: Instant, milliseconds: number): Instant =>
  instantOf(new Date(Date.parse(at) + milliseconds));
