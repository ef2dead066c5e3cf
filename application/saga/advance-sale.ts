import {
  addDays,
  attemptAt,
  beginAttempt,
  endAttempt,
  endUndecided,
  endUnissuable,
  type Instant,
  instantOf,
  lastDayOfPrice,
  type NextStep,
  nextSteps,
  type RefundStep,
  refuseOutdatedPrice,
  refuseWithoutCard,
  type Sale,
} from '#domain';
import { momentOf } from '../clock.ts';
import type { Lease } from '../sales/sales.ts';
import {
  askForCharge,
  askToCapture,
  askToWithdrawCharge,
  askWhetherPaid,
  makeAskForRefund,
} from './ask-gateway.ts';
import { makeAskInsurer } from './ask-insurer.ts';
import { changeSale, LeaseLost } from './change-sale.ts';
import type { Ask, Follow, FromRequest, SagaPorts, Work } from './work.ts';

/**
 * `settled`: nothing is left to do until a provider or the channel reports something.
 * `waiting`: continue soon. `awaiting`: look again now and then; the payer or gateway has to act.
 */
interface Advanced {
  readonly kind: 'settled' | 'waiting' | 'awaiting';
  readonly sale: Sale;
  /** When the payer can no longer pay. */
  readonly closesAt?: Instant | undefined;
}

export interface AdvanceSale {
  /** Advances a sale that the caller has leased under the name `holder`. */
  held(sale: Sale, holder: string, run?: Run): Promise<Advanced>;

  /** Leases a sale, advances it and releases it. `busy`: another worker has the lease. */
  claimed(id: number, run?: Run): Promise<Advanced | 'busy' | 'unknown_sale'>;
}

interface Run {
  /** The request that brought the sale; absent: another worker may have been at it before. */
  readonly from?: FromRequest;
  /** Whether a caller waits: then no step begins after `REQUEST_SECONDS`. */
  readonly isWaitedFor?: boolean;
}

/** Longer than any step takes, its retries included. Each stored change prolongs the lease. */
const LEASE_SECONDS = 120;

/** Max seconds that a request waits; the remaining steps run in the background. */
const REQUEST_SECONDS = 25;

export const leaseFor = (holder: string, now: Instant): Lease => ({
  holder,
  until: instantOf(new Date(Date.parse(now) + LEASE_SECONDS * 1_000)),
});

/**
 * Runs work on a sale that this worker alone holds meanwhile. The lease is released in any case.
 *
 * @returns `busy` if another worker has the lease; undefined if there is no such sale
 */
export const withLease = async <Result>(
  { sales, clock, identifiers }: Pick<SagaPorts, 'sales' | 'clock' | 'identifiers'>,
  id: number,
  work: (sale: Sale, holder: string) => Promise<Result>,
): Promise<Result | 'busy' | undefined> => {
  const lease = leaseFor(identifiers.next(), clock.now());
  const sale = await sales.claim(id, lease, clock.now());
  if (sale === undefined || sale === 'busy') return sale;
  try {
    return await work(sale, lease.holder);
  } finally {
    await sales.release(id, lease.holder);
  }
};

/**
 * Advances a sale as far as it goes now. Happy path, retry and recovery are the same code: store
 * the attempt, ask the provider outside any transaction under the sale's reference, store what the
 * answer makes of the sale. An attempt that is found open is looked up first.
 */
export const makeAdvanceSale = (ports: SagaPorts): AdvanceSale => {
  const { clock } = ports;

  const held: AdvanceSale['held'] = async (sale, holder, { from, isWaitedFor = false } = {}) => {
    const lease = () => leaseFor(holder, clock.now());
    const current = await ports.catalogue.current();
    const now = () => momentOf(clock, current);
    const run = { isResumed: from === undefined, isWaitedFor };
    const payments = ports.gateways.of(sale);
    return advance(sale, { ...ports, ...from, ...run, payments, now, lease });
  };

  const claimed: AdvanceSale['claimed'] = async (id, run) => {
    const advanced = await withLease(ports, id, (sale, holder) => held(sale, holder, run));
    return advanced ?? 'unknown_sale';
  };

  return { held, claimed };
};

const advance = async (start: Sale, work: Work): Promise<Advanced> => {
  const { sales, lease, now } = work;
  const store = (sale: Sale, change: Follow): Promise<Sale> =>
    changeSale(work, sale, change, () => ({ lease: lease() }));
  const deadline = work.isWaitedFor ? Date.parse(now().at) + REQUEST_SECONDS * 1_000 : Infinity;

  let hasLooked = false;
  // A step that brought the sale no further is not tried again in this run.
  const stuck = new Set<NextStep>();
  const stepFor = (sale: Sale): NextStep | undefined =>
    Date.parse(now().at) > deadline
      ? undefined
      : nextSteps(sale, now()).find((step) => !stuck.has(step));

  let sale = start;
  try {
    for (;;) {
      const before = sale;
      sale = await store(sale, (present) => beginNextAttempt(present, stepFor, work));
      const step = stepFor(sale);
      if (step === undefined) break;

      const answer = await askProvider(step, sale, !isBegunSince(before, sale, step), work);
      if (answer !== 'unanswered') sale = await store(sale, answer);
      hasLooked ||= step === 'await' && answer !== 'unanswered';
      if (answer === 'unanswered' || nextSteps(sale, now()).includes(step)) stuck.add(step);
    }

    if (nextSteps(sale, now()).length === 0) return { kind: 'settled', sale };
    sale = await store(sale, (present) => {
      // The rest of the money may have come: only what the gateway shows now is overdue.
      const decided = hasLooked ? endUndecided(present, now()) : present;
      return refuseWithoutCard(decided, now().at);
    });
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    sale = (await sales.load(sale.id)) ?? sale;
  }

  const onlyAwaits = nextSteps(sale, now()).every((step) => step === 'await');
  return onlyAwaits
    ? { kind: 'awaiting', sale, closesAt: closingOf(sale, work) }
    : { kind: 'waiting', sale };
};

/** When a sale that waits for its payer has to be closed; undefined: no time is set. */
const closingOf = (sale: Sale, { clock, now }: Work): Instant | undefined => {
  if (sale.status !== 'awaiting_payment') return undefined;
  const lastDay = lastDayOfPrice(sale, now());
  const times = [sale.payment.until, lastDay && clock.startOf(addDays(lastDay, 1))];
  return times
    .filter((time) => time !== undefined && time > now().at)
    .sort()
    .at(0);
};

/** The sale with an open attempt at its next step, if a provider has to be asked. */
const beginNextAttempt = (
  present: Sale,
  stepFor: (sale: Sale) => NextStep | undefined,
  { card, now, payments }: Work,
): Sale => {
  const payable = card === undefined ? refuseWithoutCard(present, now().at) : present;
  const sale = refuseOutdatedPrice(endUnissuable(payable, now()), now());
  const step = stepFor(sale);
  return step === undefined || step === 'await'
    ? sale
    : beginAttempt(sale, step, now().at, payments.name);
};

/** False for an attempt that an earlier run began: its answer was never stored. */
const isBegunSince = (before: Sale, after: Sale, step: NextStep): boolean =>
  step !== 'await' && attemptAt(before, step) === undefined && attemptAt(after, step) !== undefined;

const ASK: Readonly<Record<Exclude<NextStep, RefundStep>, Ask>> = {
  quote: makeAskInsurer('quote'),
  propose: makeAskInsurer('propose'),
  charge: askForCharge,
  capture: askToCapture,
  issue: makeAskInsurer('issue'),
  withdraw_charge: askToWithdrawCharge,
  withdraw_papers: makeAskInsurer('withdraw_papers'),
  await: askWhetherPaid,
};

const isRefund = (step: NextStep): step is RefundStep => step.startsWith('refund ');

const askOf = (step: NextStep): Ask =>
  isRefund(step) ? makeAskForRefund(step.slice('refund '.length)) : ASK[step];

/** Asks the provider of a step. The change that its answer makes closes the attempt as well. */
const askProvider = async (
  step: NextStep,
  sale: Sale,
  isRetry: boolean,
  work: Work,
): Promise<Follow | 'unanswered'> => {
  const follow = await askOf(step)(sale, isRetry, work);
  if (follow === 'unanswered' || step === 'await') return follow;
  return (present) => endAttempt(follow(present), step);
};
