import { isCertified, type Sale } from '#domain';
import type { Actor } from '../audit/audit-log.ts';
import { type Clock, later } from '../clock.ts';
import type { CopyKey, CopyOutcome, Mailings } from '../mail/mailings.ts';

/** Max copies of one certificate per hour. */
export const MOST_COPIES = 3;

const HOUR_MS = 3_600_000;

interface Needs {
  readonly mailings: Mailings;
  readonly clock: Clock;
}

type SecondCopyOutcome =
  | Extract<CopyOutcome, { readonly kind: 'requested' | 'repeated' | 'conflict' }>
  /** The sale has no certificate, or its contract has ended. */
  | { readonly kind: 'not_certified' }
  /** Seconds until another copy may be requested. */
  | { readonly kind: 'too_many'; readonly waitFor: number };

export type RequestSecondCopy = (
  sale: Sale,
  actor: Actor,
  key?: CopyKey,
) => Promise<SecondCopyOutcome>;

/** Requests that the certificate is mailed again. The request is stored when it answers. */
export const makeRequestSecondCopy = ({ mailings, clock }: Needs): RequestSecondCopy =>
  async function requestSecondCopy(sale, actor, key) {
    if (!isCertified(sale)) return { kind: 'not_certified' };
    const at = clock.now();
    const limit = { most: MOST_COPIES, since: later(at, -HOUR_MS) };
    const entry = { action: 'sale.copy_requested', subject: `transaction/${sale.id}` } as const;
    const outcome = await mailings.requestCopy({
      saleId: sale.id,
      at,
      key,
      limit,
      entry: { ...entry, at, actor, reason: null, changes: [] },
    });
    if (outcome.kind !== 'too_many') return outcome;
    return {
      kind: 'too_many',
      waitFor: Math.ceil((Date.parse(outcome.earliest) + HOUR_MS - Date.parse(at)) / 1_000),
    };
  };
