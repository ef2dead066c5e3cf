import { type Instant, instantOf, type Moment, NOTHING_SHOWN, refuseSale, type Sale } from '#domain';
import { askProvider } from './ask-provider.ts';
import { changeSale } from './change-sale.ts';
import { type NextStep, nextStep } from './next-step.ts';
import type { Lease } from './sales.ts';
import type { AdvanceSaleParts, FromRequest, Work } from './work.ts';

/** `settled`: nothing is left to do, unless somebody else moves the sale. `waiting`: somebody has to come back for it. */
export interface Advanced {
  readonly kind: 'settled' | 'waiting';
  readonly sale: Sale;
}

export interface AdvanceSale {
  /** Takes a sale that whoever asks holds already, under the name it holds it by, as far as it will go now. */
  held(sale: Sale, holder: string, from?: FromRequest): Promise<Advanced>;
  /** Takes a sale, if nobody else is at it, and lets it go afterwards. */
  claimed(id: number): Promise<Advanced | 'busy' | 'unknown_sale'>;
}

/** Longer than any one question to a provider takes; prolonged with each step. */
const LEASE_SECONDS = 60;

export const leaseFor = (holder: string, now: Instant): Lease => ({
  holder,
  until: instantOf(new Date(Date.parse(now) + LEASE_SECONDS * 1_000)),
});

/**
 * Takes a sale on: happy path, retry and recovery are the same lines. Before a provider is asked, what is about to be asked
 * is stored; it is asked outside any transaction, under the sale's reference; and what it says is stored, with what is to
 * be asked next. Whoever finds an open attempt looks first for what has become of it.
 */
export const advanceSale = (parts: AdvanceSaleParts): AdvanceSale => {
  const { sales, clock, identifiers } = parts;
  const held: AdvanceSale['held'] = (sale, holder, from = {}) => {
    const now = (): Moment => ({ on: clock.today(), at: clock.now() });
    return walk(sale, { ...parts, ...from, now, lease: () => leaseFor(holder, clock.now()) });
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

const walk = async (start: Sale, work: Work): Promise<Advanced> => {
  const { sales, lease } = work;
  const store = (sale: Sale, change: (present: Sale) => Sale): Promise<Sale> =>
    changeSale(sales, sale, change, () => ({ lease: lease() }));

  let sale = await store(start, (present) => beginning(present, work));
  // An attempt that was not begun here was begun by somebody who never heard the answer.
  let isRetry = sale === start;
  for (;;) {
    const step = nextStep(sale, work.now().at);
    if (step === undefined) return { kind: 'settled', sale };
    const answer = await askProvider(step, sale, isRetry, work);
    if (answer !== 'unanswered') {
      sale = await store(sale, (present) => beginning(answer(present), work, step));
      isRetry = false;
    }
    // What has changed nothing now will change nothing at once.
    if (answer === 'unanswered' || nextStep(sale, work.now().at) === step) {
      return { kind: 'waiting', sale: await store(sale, (present) => withoutCard(present, work)) };
    }
  }
};

/**
 * The sale with what is about to be asked for it, unless that is what was just asked. Papers that may come into being,
 * and a charge that may be made, are known to be possible before anybody is asked for them.
 */
const beginning = (present: Sale, work: Work, justAsked?: NextStep): Sale => {
  const sale = work.card === undefined ? withoutCard(present, work) : present;
  const { at } = work.now();
  const step = nextStep(sale, at);
  if (step === undefined || step === 'await' || step === justAsked || sale.attempt?.step === step) return sale;
  const attempt = { step, since: at };
  if (step === 'quote' || step === 'issue') return { ...sale, issuance: sale.issuance ?? NOTHING_SHOWN, attempt };
  if (step === 'charge' && sale.status === 'pending') {
    return { ...sale, payment: { status: 'unknown', amount: sale.payment.amount }, attempt };
  }
  return { ...sale, attempt };
};

/**
 * A sale to be charged to a card that is gone, and that with certainty was never handed over, is refused: a card cannot be
 * asked for again, and whoever sold the insurance must know that nothing was charged.
 */
const withoutCard = (sale: Sale, { now }: Work): Sale => {
  const { payment } = sale.terms;
  const isStranded = payment.collectedBy === 'service' && payment.method === 'credit' && sale.payment.status === 'requested';
  if (sale.status !== 'pending' || !isStranded) return sale;
  return refuseSale(sale, { reason: 'not_charged', closedAt: now().at }).state;
};
