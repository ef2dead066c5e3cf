import { allocate, type Cents, plus, type Remainder } from '../money/money.ts';
import { type InstallmentRefusal, type Refusal, refuse } from '../refusal.ts';
import { addMonths, type CalendarDate } from '../values/calendar.ts';
import type { Amounts } from './premium.ts';

/** One of the parts in which a premium is paid, due on a day. */
export interface Installment extends Amounts {
  /** From 1. */
  readonly number: number;
  readonly dueOn: CalendarDate;
}

export interface InstallmentTerms {
  readonly count: number;
  /** The first is due on this day, the others on the same day of the months that follow, or their last. */
  readonly firstDueOn: CalendarDate;
  /** The most installments that the plan offers. */
  readonly offered: number;
  /** Which installment takes what does not divide evenly; the first unless said otherwise. */
  readonly remainder?: Remainder;
}

/**
 * A premium in installments: net premium and IOF are split each by itself, so that both sum exactly.
 * Refused where the plan does not offer so many, or where one of them would be of nothing.
 */
export const installments = (
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
