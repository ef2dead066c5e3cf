import {
  type CalendarDate,
  type CoveragePeriod,
  coveragePeriod,
  isOfferedCount,
  isPricedByRequest,
  isRefusal,
  type Offer,
  type Plan,
  type Quote,
  refuse,
  refuseLateQuotes,
  splitIntoInstallments,
} from '#domain';
import type { Catalogue, CurrentCatalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { NotSellable } from '../sales/sale-refusals.ts';
import {
  type DraftPart,
  eventOnIn,
  isUnknown,
  paidOnIn,
  type SaleDraft,
  type SaleRefusal,
} from '../sales/sale-request.ts';
import type { Examination, Examine } from './examine-sale.ts';
import type { OpenQuote } from './open-quote.ts';
import { nameParts } from './parts-at-fault.ts';
import { type PricingContext, priceDraft } from './price-sale.ts';

/** Price and period of a draft, as far as it is known, and every reason why it cannot be sold. */
interface Assessment extends Pick<NotSellable, 'reasons' | 'attributeFaults'> {
  readonly offer?: Offer | undefined;
  readonly quoted?: Quote | undefined;
  readonly period?: CoveragePeriod | undefined;
}

/**
 * Assesses a draft. Every rule is checked whose parts are known, so that the caller learns all
 * faults at once: those of a whole request, and of a request with other faults.
 */
export type Assess = (
  draft: SaleDraft,
  catalogue: CurrentCatalogue,
  opened?: PricingContext['opened'],
) => Assessment;

interface Needs {
  readonly clock: Clock;
  readonly examine: Examine;
}

export const makeAssess = ({ examine, clock }: Needs): Assess =>
  function assess(draft, catalogue, opened) {
    const today = clock.today();
    const { iofRates } = catalogue;
    const examination = examine(draft, catalogue);
    const { offer, plan, product, attributeFaults } = examination;
    const ofQuote = opened && refuseQuote(opened, clock);
    const reasons = ofQuote ? [...examination.reasons, ofQuote] : examination.reasons;
    if (product === undefined) return { reasons, attributeFaults };

    const isPlanKnown = plan !== undefined && !isUnknown(draft, 'plan');
    // Without its plan or coverages, a sale by a quote has no price that could be judged.
    const alike = opened === undefined ? examination.alike : undefined;
    const judged = isPlanKnown || isPricedByRequest(product) ? (offer ?? alike) : undefined;
    const sold = plan ?? judged?.plan;
    if (sold === undefined) return { reasons, attributeFaults };

    const context = { today, iofRates, opened, isLate: ofQuote?.kind === 'quote_expired' };
    const priced = judged && priceDraft(draft, judged, context);
    const period = isPlanKnown ? findPeriod(draft, sold, today) : undefined;
    const found = [
      ...(priced?.refusals ?? []),
      period,
      isPlanKnown ? findInstallmentRefusal(draft, sold, priced?.quoted, today) : undefined,
    ]
      .filter((each) => isRefusal(each))
      .map((refusal) => nameParts(refusal, draft, { plan: sold, product }))
      .filter(({ kind }) => !isSaid(kind, examination));
    return {
      offer,
      quoted: priced?.quoted,
      period: isRefusal(period) ? undefined : period,
      reasons: found.length === 0 ? reasons : [...reasons, ...found],
      attributeFaults,
    };
  };

/** Refuses a quote that gives no price, whatever the draft says. */
const refuseQuote = (
  opened: NonNullable<PricingContext['opened']>,
  clock: Clock,
): SaleRefusal | undefined =>
  isRefusal(opened) ? opened : refuseLateQuotes(opened.held, clock.now());

/** Assesses a draft by what is sold today. Writes nothing. */
export type ExamineSale = (draft: SaleDraft) => Promise<Assessment>;

export const makeExamineSale = ({
  catalogue,
  assess,
  openQuote,
}: { readonly catalogue: Catalogue } & {
  readonly assess: Assess;
  readonly openQuote: OpenQuote;
}): ExamineSale =>
  async function examineSale(draft) {
    const current = await catalogue.current();
    if (draft.quoteId === undefined) return assess(draft, current);
    const onQuote = await openQuote(draft, draft.quoteId, current);
    return assess(onQuote.draft, onQuote.catalogue, onQuote.opened);
  };

/**
 * Skip a refusal that follows from another fault: an event before its payment also reverses the
 * period, an invalid event date leaves no period, the cover of a sale of long ago is
 * over, and a sale that the channel has to collect has no
 * installments.
 */
const isSaid = (kind: SaleRefusal['kind'], { reasons, attributeFaults }: Examination): boolean => {
  const isReason = (other: SaleRefusal['kind']) => reasons.some((each) => each.kind === other);
  return (
    (kind === 'period_reversed' && isReason('event_before_payment')) ||
    (kind === 'period_over' && isReason('sold_long_ago')) ||
    (kind === 'period_not_declared' && attributeFaults.some(({ path }) => path === 'eventDate')) ||
    (kind === 'installments_not_offered' && isReason('payment_not_with_service'))
  );
};

/** The period; undefined if a part of it is unknown. */
const findPeriod = (
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
const findInstallmentRefusal = (
  draft: SaleDraft,
  plan: Plan,
  quoted: Quote | undefined,
  today: CalendarDate,
): SaleRefusal | undefined => {
  const { payment, soldOn = today } = draft;
  if (payment.collectedBy !== 'service' || isUnknown(draft, 'collector', 'installments'))
    return undefined;

  const { installments: count = 1, method } = payment;
  // A boleto has one installment.
  const offered = method === 'credit' ? plan.maxInstallments : 1;
  if (!isOfferedCount(count, offered)) return refuse('installments_not_offered');
  const parts =
    quoted &&
    splitIntoInstallments(quoted.premium, { count, firstDueOn: soldOn, offered, paid: 'once' });
  return isRefusal(parts) ? parts : undefined;
};

/** The fields that are not undefined. */
export const given = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } => {
  const found: Partial<Fields> = {};
  for (const name in fields) if (fields[name] !== undefined) found[name] = fields[name];
  return found as never;
};
