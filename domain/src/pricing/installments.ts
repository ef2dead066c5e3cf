import { allocate, type Cents, minus, type Remainder } from '../money/money.ts';
import { type InstallmentRefusal, type Refusal, refuse } from '../refusals/refusal.ts';
import { addMonths, type CalendarDate } from '../values/calendar.ts';
import { type Amounts, amounts } from './premium.ts';

/** One part of a premium, and its due date. */
export interface Installment extends Amounts {
  /** From 1. */
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
  /** What is divided. Default: `total`. */
  readonly rule?: InstallmentRule | undefined;
}

/**
 * `total`: total and IOF are divided; the net part of an installment is its total less its IOF, so
 * that installments are as equal as the gateway's. `net`: net premium and IOF are divided; sales
 * stored before the rule `total` existed keep it.
 */
export type InstallmentRule = 'total' | 'net';

/** Whether a number of installments is one that the plan offers. */
export const isOfferedCount = (count: number, offered: number): boolean =>
  Number.isInteger(count) && count >= 1 && count <= offered;

/**
 * Splits a premium into installments, so that net premium, IOF and total sum exactly. Refuses more
 * installments than the plan offers, and a net part below one cent.
 */
export const splitIntoInstallments = (
  { net, iof, total }: Amounts,
  { count, firstDueOn, offered, remainder = 'first', rule = 'total' }: InstallmentTerms,
): readonly Installment[] | Refusal<InstallmentRefusal> => {
  if (!isOfferedCount(count, offered)) return refuse('installments_not_offered');

  const taxes = allocate(iof, count, remainder);
  const wholes = allocate(rule === 'total' ? total : net, count, remainder);
  const parts = wholes.map((whole, index) => {
    const tax = taxes[index] as Cents;
    return rule === 'total' ? amounts(minus(whole, tax), tax) : amounts(whole, tax);
  });

  if (parts.some((part) => part.net < 1)) return refuse('installment_below_one_cent');
  return parts.map((part, index) => ({
    number: index + 1,
    dueOn: addMonths(firstDueOn, index),
    ...part,
  }));
};

/** A number of installments that a premium can be paid in, and their amounts in cents. */
export interface InstallmentChoice {
  readonly count: number;
  readonly first: Cents;
  /** Each of the others. */
  readonly other: Cents;
}

/**
 * Every way in which `splitIntoInstallments` splits a premium by its defaults, up to `offered`
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
