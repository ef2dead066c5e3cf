import {
  addDays,
  cancel,
  type Instant,
  instantOf,
  isRefusal,
  NOTHING_SHOWN,
  refuseSale,
  type Sale,
} from '#domain';
import { momentOf } from '../clock.ts';
import { isByCard } from '../payments/payments.ts';
import { askProvider } from './ask-provider.ts';
import { changeSale, LeaseLost } from './change-sale.ts';
import { type NextStep, nextSteps } from './next-step.ts';
import type { Lease } from './sales.ts';
import type { AdvanceNeeds, FromRequest, Work } from './work.ts';

/**
 * `settled`: nothing is left to do, unless somebody else moves the sale. `waiting`: somebody has to come back for it soon;
 * `awaiting`: now and then, since it is somebody else's to go on.
 */
interface Advanced {
  readonly kind: 'settled' | 'waiting' | 'awaiting';
  readonly sale: Sale;
}

export interface AdvanceSale {
  /** Takes a sale that whoever asks holds already, under the name it holds it by, as far as it will go now. */
  held(sale: Sale, holder: string, from?: FromRequest): Promise<Advanced>;
  /** Takes a sale, if nobody else is at it, and lets it go afterwards. */
  claimed(id: number): Promise<Advanced | 'busy' | 'unknown_sale'>;
}

/** Longer than any one step takes, its second tries included; prolonged with each step. */
const LEASE_SECONDS = 120;

export const leaseFor = (holder: string, now: Instant): Lease => ({
  holder,
  until: instantOf(new Date(Date.parse(now) + LEASE_SECONDS * 1_000)),
});

/**
 * Takes a sale on: happy path, retry and recovery are the same lines. Before a provider is asked, what is about to be asked
 * is stored; it is asked outside any transaction, under the sale's reference; and what it says is stored, with what is to
 * be asked next. Whoever finds an open attempt looks first for what has become of it.
 */
export const makeAdvanceSale = (parts: AdvanceNeeds): AdvanceSale => {
  const { sales, clock, identifiers } = parts;
  const held: AdvanceSale['held'] = (sale, holder, from) => {
    const isResumed = from === undefined;
    const now = () => momentOf(clock);
    return walk(sale, {
      ...parts,
      ...from,
      isResumed,
      now,
      lease: () => leaseFor(holder, clock.now()),
    });
  };
  return {
    held,
    claimed: async (id) => {
      const lease = leaseFor(identifiers.next(), clock.now());
      const sale = await sales.claim(id, lease, clock.now());
      if (sale === undefined) return 'unknown_sale';
      if (sale === 'busy') return 'busy';
      try {
        return await held(sale, lease.holder);
      } finally {
        await sales.release(id, lease.holder);
      }
    },
  };
};

/** So long somebody who waits for an answer is kept waiting, before what is left goes on without him. */
const REQUEST_SECONDS = 25;

const walk = async (start: Sale, work: Work): Promise<Advanced> => {
  const { sales, lease, now } = work;
  const store = (sale: Sale, change: (present: Sale) => Sale): Promise<Sale> =>
    changeSale(sales, sale, change, () => ({ lease: lease() }));
  // What brings the sale no further now will not do so at once.
  const stuck = new Set<NextStep>();
  const began = Date.parse(now().at);
  const isLate = (): boolean =>
    !work.isResumed && Date.parse(now().at) - began > REQUEST_SECONDS * 1_000;
  const stepFor = (sale: Sale): NextStep | undefined =>
    isLate() ? undefined : nextSteps(sale, now()).find((step) => !stuck.has(step));

  let sale = start;
  try {
    for (;;) {
      const before = sale;
      sale = await store(sale, (present) => beginning(present, stepFor, work));
      const step = stepFor(sale);
      if (step === undefined) break;
      // An attempt that was not begun here was begun by somebody who never heard the answer.
      const isRetry = before === sale || !isBegunSince(before, sale, step);
      const answer = await askProvider(step, sale, isRetry, work);
      if (answer !== 'unanswered') sale = await store(sale, answer);
      if (answer === 'unanswered' || nextSteps(sale, now()).includes(step)) stuck.add(step);
    }
    if (nextSteps(sale, now()).length === 0) return { kind: 'settled', sale };
    sale = await store(sale, (present) => withoutCard(present, work));
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    sale = (await sales.load(sale.id)) ?? sale;
  }
  const onlyWaits = nextSteps(sale, now()).every((step) => step === 'await');
  return { kind: onlyWaits ? 'awaiting' : 'waiting', sale };
};

const attemptAt = ({ attempts = [] }: Sale, step: NextStep) =>
  attempts.find((each) => each.step === step);

const isBegunSince = (before: Sale, after: Sale, step: NextStep): boolean =>
  attemptAt(after, step) !== undefined && attemptAt(before, step) === undefined;

/**
 * The sale with what is about to be asked for it. Papers that may come into being, and a charge that may be made, are
 * known to be possible before anybody is asked for them.
 */
const beginning = (
  present: Sale,
  stepFor: (sale: Sale) => NextStep | undefined,
  work: Work,
): Sale => {
  const sale = uninsurable(work.card === undefined ? withoutCard(present, work) : present, work);
  const step = stepFor(sale);
  if (step === undefined || step === 'await' || attemptAt(sale, step) !== undefined) return sale;
  const attempts = [...(sale.attempts ?? []), { step, since: work.now().at }];
  if (step === 'quote' || step === 'issue')
    return { ...sale, issuance: sale.issuance ?? NOTHING_SHOWN, attempts };
  if (step === 'charge' && sale.status === 'pending') {
    return { ...sale, payment: { status: 'unknown', amount: sale.payment.amount }, attempts };
  }
  return { ...sale, attempts };
};

/**
 * A sale to be charged to a card that is gone, and that with certainty was never handed over, is refused: a card cannot be
 * asked for again, and whoever sold the insurance must know that nothing was charged.
 */
const withoutCard = (sale: Sale, { now }: Work): Sale => {
  const isStranded = isByCard(sale) && sale.payment.status === 'requested';
  if (sale.status !== 'pending' || !isStranded) return sale;
  return refuseSale(sale, { reason: 'not_charged', closedAt: now().at }).state;
};

/** Days that an insurer has to issue what was paid once its cover is over. */
const LAST_DAYS = 7;

/** A sale that was paid, and that no insurer has issued while there was something to cover, ends, and all goes back. */
const uninsurable = (sale: Sale, { now }: Work): Sale => {
  if (sale.status !== 'paid' || sale.terms.payment.collectedBy === 'channel') return sale;
  const { paidOn } = sale.payment;
  const { end } = sale.terms.period;
  if (addDays(paidOn > end ? paidOn : end, LAST_DAYS) >= now().on) return sale;
  const ended = cancel(sale, now(), 'insurer');
  return isRefusal(ended) ? sale : ended.state;
};
