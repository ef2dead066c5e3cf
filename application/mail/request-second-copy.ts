import { type Instant, instantOf, isCertified, type Sale } from '#domain';
import type { Ports } from '../ports.ts';
import type { CopyKey, CopyOutcome } from './mailings.ts';

/** Copies of one certificate within an hour. */
export const MOST_COPIES = 3;

const HOUR = 3_600_000;

type Needs = Pick<Ports, 'mailings' | 'clock'>;

type SecondCopyOutcome =
  | Extract<CopyOutcome, { readonly kind: 'requested' | 'repeated' | 'conflict' }>
  /** There is no certificate yet, or none any more. */
  | { readonly kind: 'not_certified' }
  /** Seconds after which one more may be asked for. */
  | { readonly kind: 'too_many'; readonly waitFor: number };

export type RequestSecondCopy = (sale: Sale, key?: CopyKey) => Promise<SecondCopyOutcome>;

/** Has the certificate mailed to the insured once more. When it answers, that is remembered for good. */
export const makeRequestSecondCopy = ({ mailings, clock }: Needs): RequestSecondCopy =>
  async function requestSecondCopy(sale, key) {
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
