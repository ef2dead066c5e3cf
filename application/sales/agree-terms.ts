import {
  type CalendarDate,
  type CoveragePeriod,
  calendarDate,
  checkDeclaredFigures,
  coveragePeriod,
  derivePlanPrice,
  isRefusal,
  type Offer,
  type Quote,
  quote,
  type SaleTerms,
  saleTerms,
  splitIntoInstallments,
} from '#domain';
import type { Clock } from '../clock.ts';
import type { Examination, ExamineSale } from './examine-sale.ts';
import { type Disagreement, paidOnIn, type SaleRefusal, type SaleRequest } from './sale-request.ts';

export interface AgreeTermsParts {
  readonly examineSale: ExamineSale;
  readonly clock: Clock;
}

/** The terms on which what is asked for can be sold today, or why it cannot. Writes nothing. */
export type AgreeTerms = (request: SaleRequest) => Promise<SaleTerms | Disagreement>;

export const agreeTerms =
  ({ examineSale, clock }: AgreeTermsParts): AgreeTerms =>
  async (request) => {
    const { payment, insured } = request;
    const dates = { paidOn: paidOnIn(request), birthDate: insured.birthDate };
    if (request.channelLink !== request.seller.channelLink) return NOT_OWN;
    const attributes = request.isHeldToSchema && request.insuredObject;
    const examination = await examineSale({
      ...request,
      ...dates,
      attributes,
      paidTo: payment.collectedBy,
    });
    return termsOf(examination, clock.today(), request);
  };

const termsOf = (
  examination: Examination,
  today: CalendarDate,
  request: SaleRequest,
): SaleTerms | Disagreement => {
  const { offer, attributeFaults } = examination;
  const reasons = examination.reasons.map((kind) => ({ kind }));
  if (offer === undefined) return { reasons, attributeFaults };
  const { insuredAmount, payment, soldOn = today } = request;
  const quoted = quote(offer, {
    on: paidOnIn(request) ?? soldOn,
    insuredAmount,
    declaredPrice: priceIn(request, offer),
  });
  const period = periodIn(request, offer, today);
  const figures = isRefusal(quoted)
    ? [quoted]
    : checkDeclaredFigures(request.declaredFigures ?? {}, quoted.premium);
  const parts = isRefusal(quoted) ? undefined : partsOf(offer, quoted, payment, soldOn);
  const refusals = [
    ...figures,
    ...('kind' in period ? [period] : []),
    ...(isRefusal(parts) ? [parts] : []),
  ];
  if (
    isRefusal(quoted) ||
    'kind' in period ||
    refusals.length > 0 ||
    reasons.length > 0 ||
    attributeFaults.length > 0
  ) {
    const found = refusals.map(
      ({ refused: _, ...refusal }: SaleRefusal & { readonly refused?: true }) => refusal,
    );
    return {
      reasons: [...reasons, ...found.filter(({ kind }) => !isSaid(kind, examination))],
      attributeFaults,
    };
  }

  const { channelLink, seller, insured, insuredObject, additionalInsured, idempotency } = request;
  return saleTerms(offer, quoted, {
    ...{ channelLink, clientId: seller.clientId, insured, insuredObject, period, payment, soldOn },
    ...given({ insuredAmount, additionalInsured }),
    ...(idempotency?.owner === 'channel' && { externalSaleId: idempotency.key }),
  });
};

const NOT_OWN: Disagreement = { reasons: [{ kind: 'channel_not_own' }], attributeFaults: [] };

/** Once is enough: an event before its payment is a reversed period as well, and a day of it that is none leaves no period. */
const isSaid = (kind: SaleRefusal['kind'], { reasons, attributeFaults }: Examination): boolean =>
  (kind === 'period_reversed' && reasons.includes('event_before_payment')) ||
  (kind === 'period_not_declared' && attributeFaults.some(({ path }) => path === 'eventDate'));

/** The attribute in which a product whose cover runs to an event says the day of it. */
const eventOnIn = ({ isHeldToSchema, insuredObject }: SaleRequest): CalendarDate | undefined => {
  const { eventDate } = insuredObject;
  return isHeldToSchema && typeof eventDate === 'string' ? calendarDate(eventDate) : undefined;
};

const periodIn = (
  request: SaleRequest,
  { plan }: Offer,
  today: CalendarDate,
): CoveragePeriod | SaleRefusal => {
  const { eventOn = eventOnIn(request), declaredPeriod: declared, soldOn = today } = request;
  const paidOn = paidOnIn(request);
  const days = { soldOn, ...given({ paidOn, eventOn: eventOn ?? declared?.end }) };
  const period = coveragePeriod(plan.period, { ...days, ...given({ declared }) });
  // What is paid for must still have been able to happen (Lei 15.040/2024: no contract on a risk that has passed).
  if (!isRefusal(period)) return period.end < (paidOn ?? today) ? { kind: 'period_over' } : period;
  if (period.kind !== 'period_differs') return { kind: period.kind };
  return { kind: period.kind, period: coveragePeriod(plan.period, days) as CoveragePeriod };
};

/** What the request says the price is, where the price is for it to say. */
const priceIn = (
  { declaredPrice: price, declaredFigures = {}, insuredAmount }: SaleRequest,
  offer: Offer,
) =>
  price ??
  (offer.plan.tariff.kind === 'declared'
    ? derivePlanPrice(offer, declaredFigures, insuredAmount)
    : undefined);

/** Whether what the service is to collect can be paid in so many installments. */
const partsOf = (
  { plan }: Offer,
  { premium }: Quote,
  payment: SaleRequest['payment'],
  soldOn: CalendarDate,
) => {
  if (payment.collectedBy === 'channel') return undefined;
  const { installments: count, firstDueOn = soldOn, method } = payment;
  // A boleto is one, and paid at once.
  return splitIntoInstallments(premium, {
    count,
    firstDueOn,
    offered: method === 'credit' ? plan.maxInstallments : 1,
  });
};

/** Only what is there. */
const given = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } => {
  const found: Partial<Fields> = {};
  for (const name in fields) if (fields[name] !== undefined) found[name] = fields[name];
  return found as never;
};
