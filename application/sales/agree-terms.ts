import {
  type CalendarDate,
  type CoveragePeriod,
  checkDeclaredFigures,
  coveragePeriod,
  derivePlanPrice,
  type IofRate,
  isRefusal,
  lastDayOfRate,
  type Offer,
  type Quote,
  quote,
  refuse,
  type SaleTerms,
  saleTerms,
  splitIntoInstallments,
} from '#domain';
import type { CurrentCatalogue } from '../catalogue/catalogue.ts';
import type { Ports } from '../ports.ts';
import type { NotSellable } from '../refusals.ts';
import type { Examination, Examine } from './examine-sale.ts';
import { nameParts } from './parts-at-fault.ts';
import { eventOnIn, paidOnIn, type SaleRefusal, type SaleRequest } from './sale-request.ts';

type Needs = Pick<Ports, 'clock'> & { readonly examine: Examine };

/** Finds the terms on which a request can be sold today. */
export type AgreeTerms = (
  request: SaleRequest,
  catalogue: CurrentCatalogue,
) => SaleTerms | NotSellable;

export const makeAgreeTerms = ({ examine, clock }: Needs): AgreeTerms =>
  function agreeTerms(request, catalogue) {
    if (request.channelLink !== request.seller.channelLink) return NOT_OWN;
    return termsOf(examine(request, catalogue), clock.today(), request, catalogue.iofRates);
  };

const termsOf = (
  examination: Examination,
  today: CalendarDate,
  request: SaleRequest,
  iofRates: readonly IofRate[],
): SaleTerms | NotSellable => {
  const { offer, reasons, attributeFaults } = examination;
  if (offer === undefined) return notSellable(reasons, attributeFaults);

  const { insuredAmount, soldOn = today } = request;
  const quoted = quote(offer, {
    // The rate of the day on which the insured pays: to the channel, or today to the service.
    on: paidOnIn(request) ?? today,
    iofRates,
    insuredAmount,
    declaredPrice: priceIn(request, offer),
  });
  const payment = isRefusal(quoted)
    ? request.payment
    : dueWithinPrice(request.payment, offer, quoted, { today, iofRates });
  const period = periodIn(request, offer, today);
  const figures = isRefusal(quoted)
    ? [quoted]
    : checkDeclaredFigures(request.declaredFigures ?? {}, quoted.premium);
  const parts = isRefusal(quoted) ? undefined : partsOf(offer, quoted, payment, soldOn);
  const found = [...figures, period, parts]
    .filter((each) => isRefusal(each))
    .map((refusal) => nameParts(refusal, request, offer))
    .filter(({ kind }) => !isSaid(kind, examination));

  const isSellable = [reasons, attributeFaults, found].every(({ length }) => length === 0);
  if (!isSellable || isRefusal(quoted) || isRefusal(period) || isRefusal(parts))
    return notSellable([...reasons, ...found], attributeFaults);

  const { channelLink, seller, insured, insuredObject, idempotency } = request;
  const { additionalInsured, acceptance } = request;
  return saleTerms(offer, quoted, {
    channelLink,
    clientId: seller.clientId,
    insured,
    insuredObject,
    period,
    payment,
    soldOn,
    ...given({ insuredAmount, additionalInsured, acceptance }),
    ...(idempotency?.owner === 'channel' && { externalSaleId: idempotency.key }),
    ...(payment.collectedBy === 'service' && { iofClass: offer.product.iofClass }),
    ...((parts?.length ?? 0) > 1 && { installmentRule: 'total' }),
  });
};

const notSellable = (
  reasons: NotSellable['reasons'],
  attributeFaults: NotSellable['attributeFaults'],
): NotSellable => ({ ...refuse('not_sellable'), reasons, attributeFaults });

const NOT_OWN = notSellable([refuse('channel_not_own')], []);

/**
 * Skip a refusal that follows from another fault: an event before its payment also reverses the
 * period, and an invalid event date leaves no period.
 */
const isSaid = (kind: SaleRefusal['kind'], { reasons, attributeFaults }: Examination): boolean =>
  (kind === 'period_reversed' && reasons.some((each) => each.kind === 'event_before_payment')) ||
  (kind === 'period_not_declared' && attributeFaults.some(({ path }) => path === 'eventDate'));

const periodIn = (
  request: SaleRequest,
  { plan }: Offer,
  today: CalendarDate,
): CoveragePeriod | SaleRefusal => {
  const { eventOn = eventOnIn(request), declaredPeriod: declared, soldOn = today } = request;
  const paidOn = paidOnIn(request);
  const days = { soldOn, ...given({ paidOn, eventOn: eventOn ?? declared?.end }) };
  const period = coveragePeriod(plan.period, { ...days, ...given({ declared }) });
  // No contract on a risk that has passed (Lei 15.040/2024).
  if (!isRefusal(period)) return period.end < (paidOn ?? today) ? refuse('period_over') : period;
  if (period.kind !== 'period_differs') return period;
  const right = coveragePeriod(plan.period, days) as CoveragePeriod;
  const at = (['start', 'end'] as const).filter((part) => declared?.[part] !== right[part]);
  return { ...period, period: right, at };
};

/** The price in the request, if the request may set it. */
const priceIn = (
  { declaredPrice: price, declaredFigures = {}, insuredAmount }: SaleRequest,
  offer: Offer,
) =>
  price ??
  (offer.plan.tariff.kind === 'declared'
    ? derivePlanPrice(offer, declaredFigures, insuredAmount)
    : undefined);

/** A boleto or page must be due by the last day of the price, because the payer cannot pay later. */
const dueWithinPrice = (
  payment: SaleRequest['payment'],
  { product: { iofClass } }: Offer,
  { premium: { iofRate: rate, legalBasis } }: Quote,
  { today: on, iofRates }: { readonly today: CalendarDate; readonly iofRates: readonly IofRate[] },
): SaleRequest['payment'] => {
  if (payment.collectedBy === 'channel' || payment.method === 'credit') return payment;
  const lastDay = lastDayOfRate({ rate, legalBasis, iofClass, on }, iofRates);
  const { firstDueOn } = payment;
  return lastDay !== undefined && firstDueOn !== undefined && lastDay < firstDueOn
    ? { ...payment, firstDueOn: lastDay }
    : payment;
};

/** The installments of a sale that the service collects. */
const partsOf = (
  { plan }: Offer,
  { premium }: Quote,
  payment: SaleRequest['payment'],
  soldOn: CalendarDate,
) => {
  if (payment.collectedBy === 'channel') return undefined;
  const { installments: count, firstDueOn = soldOn, method } = payment;
  // A boleto has one installment.
  return splitIntoInstallments(premium, {
    count,
    firstDueOn,
    offered: method === 'credit' ? plan.maxInstallments : 1,
  });
};

/** The fields that are not undefined. */
const given = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } => {
  const found: Partial<Fields> = {};
  for (const name in fields) if (fields[name] !== undefined) found[name] = fields[name];
  return found as never;
};
