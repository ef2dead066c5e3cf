import {
  type CalendarDate,
  type CoveragePeriod,
  coveragePeriod,
  isOfferedCount,
  isRefusal,
  type Offer,
  offeredInstallments,
  type Plan,
  type Quote,
  refuse,
  splitIntoInstallments,
} from '#domain';
import {
  type DraftPart,
  eventOnIn,
  given,
  isUnknown,
  paidOnIn,
  type SaleDraft,
  type SaleRefusal,
} from '../sales/sale-request.ts';

/** The period; undefined if a part of it is unknown. */
export const findPeriod = (
  draft: SaleDraft,
  plan: Plan,
  today: CalendarDate,
): CoveragePeriod | SaleRefusal | undefined => {
  const { eventOn = eventOnIn(draft), declaredPeriod: declared, soldOn = today } = draft;
  if (draft.unknown && isUnknown(draft, ...partsOfPeriod(plan, eventOn))) return undefined;

  const paidOn = paidOnIn(draft);
  const days = { soldOn, ...given({ paidOn, eventOn: eventOn ?? declared?.end }) };
  const period = coveragePeriod(plan.period, { ...days, ...given({ declared }) });
  if (!isRefusal(period)) {
    // No contract on a risk that has passed (Lei 15.040/2024).
    const isOver = period.end < (paidOn ?? today) && !isUnknown(draft, 'collector', 'paidOn');
    return isOver ? refuse('period_over') : period;
  }
  if (period.kind !== 'period_differs') return period;
  const right = coveragePeriod(plan.period, days) as CoveragePeriod;
  const at = (['start', 'end'] as const).filter((part) => declared?.[part] !== right[part]);
  return { ...period, period: right, at };
};

const partsOfPeriod = (
  { period }: Plan,
  eventOn: CalendarDate | undefined,
): readonly DraftPart[] => {
  if (period.kind === 'declared') return ['period'];
  if (period.kind === 'months') return ['soldOn'];
  const ofEvent = eventOn === undefined ? (['eventOn', 'period'] as const) : [];
  return ['collector', 'paidOn', 'soldOn', ...ofEvent];
};

/** Why the service cannot collect the premium in so many installments. */
export const findInstallmentRefusal = (
  draft: SaleDraft,
  wanted: Pick<Offer, 'plan' | 'product'>,
  quoted: Quote | undefined,
  today: CalendarDate,
): SaleRefusal | undefined => {
  const { payment, soldOn = today } = draft;
  if (payment.collectedBy !== 'service' || isUnknown(draft, 'collector', 'installments'))
    return undefined;

  const { installments: count = 1, method } = payment;
  // A boleto has one installment.
  const offered = method === 'credit' ? offeredInstallments(wanted) : 1;
  if (!isOfferedCount(count, offered)) return refuse('installments_not_offered');
  const parts =
    quoted &&
    splitIntoInstallments(quoted.premium, { count, firstDueOn: soldOn, offered, paid: 'once' });
  return isRefusal(parts) ? parts : undefined;
};
