import {
  type CalendarDate,
  coveragePeriod,
  declaredPrice,
  figureRefusals,
  installments,
  isRefusal,
  type Offer,
  type Quote,
  quote,
  refuse,
  type SaleTerms,
  saleTerms,
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
    const examination = await examineSale({ ...request, ...dates, paidTo: payment.collectedBy });
    return termsOf(examination, clock.today(), request);
  };

const termsOf = (examination: Examination, today: CalendarDate, request: SaleRequest): SaleTerms | Disagreement => {
  const { offer, reasons, attributeFaults } = examination;
  if (offer === undefined || reasons.length > 0) return { reasons: reasons.map((kind) => ({ kind })), attributeFaults };
  const { insuredAmount, eventOn, declaredPeriod, payment, soldOn = today } = request;
  const paidOn = paidOnIn(request);

  const quoted = quote(offer, { on: paidOn ?? soldOn, insuredAmount, declaredPrice: priceIn(request, offer) });
  const period = coveragePeriod(offer.plan.period, { soldOn, ...given({ paidOn, eventOn, declared: declaredPeriod }) });
  const refusals: SaleRefusal[] = isRefusal(quoted)
    ? [quoted]
    : [...figureRefusals(request.declaredFigures ?? {}, quoted.premium)];
  if (isRefusal(period)) refusals.push(period);
  // What the service is to be paid for must still be able to happen (Lei 15.040/2024: no contract on a risk that has passed).
  else if (payment.collectedBy === 'service' && period.end < today) refusals.push(refuse('period_over'));
  const parts = isRefusal(quoted) ? undefined : partsOf(offer, quoted, payment, soldOn);
  if (isRefusal(parts)) refusals.push(parts);
  if (isRefusal(quoted) || isRefusal(period) || refusals.length > 0 || attributeFaults.length > 0)
    return { reasons: refusals.map(({ kind, expected }) => ({ kind, ...given({ expected }) })), attributeFaults };

  const { channelLink, seller, insured, attributes = {}, insuredObject = attributes, additionalInsured, idempotency } = request;
  return saleTerms(offer, quoted, {
    ...{ channelLink, clientId: seller.clientId, insured, insuredObject, period, payment, soldOn },
    ...given({ insuredAmount, additionalInsured }),
    ...(idempotency?.owner === 'channel' && { externalSaleId: idempotency.key }),
  });
};

/** What the request says the price is, where the price is for it to say. */
const priceIn = ({ declaredPrice: price, declaredFigures = {} }: SaleRequest, offer: Offer) =>
  price ?? (offer.plan.tariff.kind === 'declared' ? declaredPrice(offer, declaredFigures) : undefined);

/** Whether what the service is to collect can be paid in so many installments. */
const partsOf = ({ plan }: Offer, { premium }: Quote, payment: SaleRequest['payment'], soldOn: CalendarDate) => {
  if (payment.collectedBy === 'channel') return undefined;
  const { installments: count, firstDueOn = soldOn, method } = payment;
  // A boleto is one, and paid at once.
  return installments(premium, { count, firstDueOn, offered: method === 'credit' ? plan.maxInstallments : 1 });
};

/** Only what is there. */
const given = <Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
