import {
  type InstallmentRefusal,
  isRefusal,
  type Refusal,
  refuse,
  refuseAt,
} from '../refusals/refusal.ts';
import { addMonths, type CalendarDate } from '../values/calendar.ts';
import { type Cents, cents, type Remainder } from '../values/money.ts';
import { findIofRate, IOF_CLASSES, type IofRate, lastDayOfRate } from './iof.ts';
import type { Amounts, Premium } from './premium.ts';

/** One part of a premium, and its due date. */
export interface Installment extends Amounts {
  /** The number of the installment, from 1. */
  readonly number: number;
  readonly dueOn: CalendarDate;
}

export interface InstallmentTerms {
  readonly count: number;
  /** Due date of the first. Later ones: the same day of the next months, or their last day. */
  readonly firstDueOn: CalendarDate;
  /** Max number of installments of the plan. */
  readonly offered: number;
  /** The installment that takes the remainder of an uneven division. Default: the first. */
  readonly remainder?: Remainder;
  /**
   * `each`, the default: each part is a payment of its own, whose IOF is that of its day. `once`: the
   * insured pays all at once, as with a card whose issuer divides it.
   */
  readonly paid?: 'each' | 'once';
  /** The IOF table. Default: `IOF_RATES`. */
  readonly iofRates?: readonly IofRate[];
}

/** What a premium is taxed by. Without it, a part must fall on a day on which some IOF is due. */
type Taxed = Amounts & Partial<Pick<Premium, 'iofRate' | 'legalBasis'>>;

/**
 * The parts that are due on a day with another IOF rate, by their numbers. IOF falls due when the
 * premium is received (Decreto 6.306/2007, art. 18).
 */
const partsTaxedOtherwise = (
  { iof, iofRate, legalBasis }: Taxed,
  parts: readonly Installment[],
  rates: readonly IofRate[] | undefined,
): readonly string[] => {
  const [first] = parts as [Installment];
  const last =
    iofRate !== undefined && legalBasis !== undefined
      ? lastDayOfRate({ rate: iofRate, legalBasis, on: first.dueOn }, rates)
      : undefined;
  const isOther = ({ dueOn }: Installment): boolean =>
    last !== undefined ? dueOn > last : iof > 0 && isFree(dueOn, rates);
  return parts.filter(isOther).map(({ number }) => String(number));
};

/** Whether no class bears IOF on a day. */
const isFree = (day: CalendarDate, rates: readonly IofRate[] | undefined): boolean =>
  IOF_CLASSES.every((each) => {
    const found = findIofRate(each, day, rates);
    return !isRefusal(found) && found.rate === 0;
  });

/** Whether a number of installments is one that the plan offers. */
export const isOfferedCount = (count: number, offered: number): boolean =>
  Number.isInteger(count) && count >= 1 && count <= offered;

/**
 * Splits a premium into installments, so that net premium, IOF and total sum exactly. Total and IOF
 * are divided; the net part of an installment is its total less its IOF, so that installments are as
 * equal as the gateway's. Refuses more installments than the plan offers, a net part below one cent, and parts that are due when the IOF
 * rate of the premium has ended: `at` has their numbers.
 *
 * @example splitIntoInstallments(premium, { count: 2, firstDueOn: on, offered: 2 }).length // 2
 */
export const splitIntoInstallments = (
  premium: Taxed,
  terms: InstallmentTerms,
): readonly Installment[] | Refusal<InstallmentRefusal> => {
  const { iof, total } = premium;
  const { count, firstDueOn, offered, remainder = 'first' } = terms;
  if (!isOfferedCount(count, offered)) return refuse('installments_not_offered');

  // All parts but one are equal: `allocate`, without its lists.
  const tax = equalPart(iof, count);
  const whole = equalPart(total, count);
  const odd = remainder === 'first' ? 0 : count - 1;
  const oddTax = iof - tax * (count - 1);
  const oddWhole = total - whole * (count - 1);
  const installments: Installment[] = [];
  for (let index = 0; index < count; index += 1) {
    const ownTax = index === odd ? oddTax : tax;
    const ownNet = (index === odd ? oddWhole : whole) - ownTax;
    if (ownNet < 1) return refuse('installment_below_one_cent');
    installments.push({
      number: index + 1,
      dueOn: addMonths(firstDueOn, index),
      net: cents(ownNet),
      iof: cents(ownTax),
      total: cents(ownNet + ownTax),
    });
  }
  const otherwise =
    terms.paid === 'once' ? [] : partsTaxedOtherwise(premium, installments, terms.iofRates);
  return otherwise.length > 0 ? refuseAt('iof_rate_ends', otherwise) : installments;
};

/** Rounded towards zero. */
const equalPart = (amount: Cents, count: number): number => (amount - (amount % count)) / count;

/** A number of installments that a premium can be paid in, and their amounts in cents. */
export interface InstallmentChoice {
  readonly count: number;
  readonly first: Cents;
  /** Each of the others. */
  readonly other: Cents;
}

/**
 * Every way in which `splitIntoInstallments` splits a premium that is paid at once, up to `offered`
 * installments.
 */
export const installmentChoices = (
  { net, iof, total }: Amounts,
  offered: number,
): readonly InstallmentChoice[] => {
  const choices: InstallmentChoice[] = [];
  for (let count = 1; count <= offered; count += 1) {
    const other = Math.floor(total / count) as Cents;
    const tax = Math.floor(iof / count);
    const first = (total - other * (count - 1)) as Cents;
    const firstNet = net - (other - tax) * (count - 1);
    if (other - tax >= 1 && firstNet >= 1) choices.push({ count, first, other });
  }
  return choices;
};
