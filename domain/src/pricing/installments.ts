import { allocate, type Cents, plus, type Remainder } from '../money/money.ts';
import { type InstallmentRefusal, type Refusal, refuse } from '../refusal.ts';
import { addMonths, type CalendarDate } from '../values/calendar.ts';
import type { Amounts } from './premium.ts';

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
}

/**
 * Splits a premium into installments. Net premium and IOF are split separately, so that both sum
 * exactly. Refuses more installments than the plan offers, and installments below one cent.
 */
export const splitIntoInstallments = (
  { net, iof }: Pick<Amounts, 'net' | 'iof'>,
  { count, firstDueOn, offered, remainder = 'first' }: InstallmentTerms,
): readonly Installment[] | Refusal<InstallmentRefusal> => {
  if (!Number.isInteger(count) || count < 1 || !(count <= offered))
    return refuse('installments_not_offered');
  if (net < count) return refuse('installment_below_one_cent');
  const nets = allocate(net, count, remainder);
  const taxes = allocate(iof, count, remainder);
  return nets.map((part, index) => {
    const tax = taxes[index] as Cents;
    return {
      number: index + 1,
      dueOn: addMonths(firstDueOn, index),
      net: part,
      iof: tax,
      total: plus(part, tax),
    };
  });
};
