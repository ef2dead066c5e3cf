import Type, { type Static } from 'typebox';
import { addDays, type CalendarDate, isRefusal, type Reference, refuse } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type { NotSellable } from '../../../application/sales/sale-refusals.ts';
import type { QuoteRequest } from '../../../application/selling/price-plans.ts';
import type { QuotePrices } from '../../../application/selling/quote-prices.ts';
import { invalidFields } from '../../kit/contract/answer-error.ts';
import { readOptionalDate } from '../../kit/contract/domain-values.ts';
import { type FieldFaults, faultAt } from '../../kit/contract/field-faults.ts';
import { closedObject, date } from '../../kit/contract/formats.ts';
import { refusalError } from '../../kit/contract/refusal-answers.ts';
import { compileValidator } from '../../kit/contract/validation.ts';
import { callerOf } from '../../kit/web/pipeline/context.ts';
import { BY_PARTNER, withCredentials } from '../oauth/partner-access.ts';
import type { Route } from '../routes/route.ts';
import { SELLING_REFUSALS } from '../sales/create-sale.ts';
import { compileCommonFaults, compileDraft, findAttributeFaults } from '../sales/sale-fields.ts';
import { describeRefusals, isForbidden } from '../sales/shown-refusals.ts';
import { optionalAmount, reference, saleBody } from './generic-body.ts';
import { COMPLAINTS, checkableAttributes, FIELDS } from './generic-dialect.ts';
import { quoteAnswer, quoted } from './quote-answers.ts';

const { product, coverages, coverage, attributes } = saleBody.properties;

/** It has no field for personal data. */
export const quoteBody = closedObject({
  product,
  plan: Type.Optional(reference('Plano; ausente, todos os do produto')),
  coverages,
  coverage,
  amounts: Type.Optional(
    closedObject({
      insuredAmount: optionalAmount('Valor segurado'),
      netPremium: optionalAmount('Prêmio líquido, onde o plano não tem tarifa'),
      total: optionalAmount('Prêmio mais IOF; o mesmo, em produto de preço bruto'),
    }),
  ),
  paymentDate: Type.Optional(
    date({ description: 'Dia do pagamento, de hoje a 60 dias à frente; ausente, hoje' }),
  ),
  attributes,
});

type SoundQuote = Partial<Static<typeof quoteBody>>;

/** Days ahead for which the price of a payment can be asked. */
const MAX_DAYS_AHEAD = 60;

const findPaymentDateFaults = ({ paymentDate }: SoundQuote, today: CalendarDate): FieldFaults => {
  if (paymentDate === undefined) return {};
  if (paymentDate >= today && paymentDate <= addDays(today, MAX_DAYS_AHEAD)) return {};
  return faultAt(
    'paymentDate',
    'out_of_range',
    `O campo paymentDate deve estar entre hoje e ${MAX_DAYS_AHEAD} dias à frente.`,
  );
};

const findCommonFaults = compileCommonFaults(FIELDS);

/** The faults between the fields of a body. `faults` are those of single fields. */
const findQuoteFaults = (
  sound: SoundQuote,
  faults: FieldFaults,
  today: CalendarDate,
): FieldFaults => ({
  ...findCommonFaults(sound, faults, today),
  ...findPaymentDateFaults(sound, today),
  ...findAttributeFaults(sound.attributes),
});

const readDraft = compileDraft(FIELDS);

/** What the sound fields of a body ask for; undefined if they name no product. */
const toQuoteRequest = (
  sound: SoundQuote,
  faults: FieldFaults,
  channelLink: string,
): QuoteRequest | undefined => {
  const asked = readDraft(sound);
  if (asked.product === undefined) return undefined;
  return {
    channelLink,
    product: asked.product as Reference,
    plan: asked.plan,
    coverages: asked.coverages,
    insuredAmount: asked.insuredAmount,
    declaredFigures: asked.declaredFigures,
    declaredPeriod: asked.declaredPeriod,
    paidOn: 'paymentDate' in faults ? undefined : readOptionalDate(sound.paymentDate),
    insuredObject: checkableAttributes(sound, faults) ?? {},
  };
};

/** The places of a sale request; the day of the payment counts as the day of the sale. */
const SHOWN = {
  fields: { ...FIELDS, paidOn: ['paymentDate'], soldOn: ['paymentDate'] },
  complaintOf: COMPLAINTS,
} as const;

const describe = (refusal: Pick<NotSellable, 'reasons' | 'attributeFaults'>): FieldFaults =>
  describeRefusals(refusal, SHOWN);

export interface QuoteRouteParts {
  readonly quotePrices: QuotePrices;
  readonly clock: Clock;
}

const validateQuote = compileValidator(quoteBody);

export const createQuoteRoute = ({ quotePrices, clock }: QuoteRouteParts): Route => ({
  ...BY_PARTNER,
  method: 'post',
  path: '/private/integration/quotes',
  operationId: 'createQuote',
  summary: 'Cota os planos de um produto, sem dados de cliente; o preço vale por 24 horas',
  description:
    'Nada é gravado. Uma oferta por plano que pode ser vendido; not_offered diz por que os outros não podem. A venda com quoteId tem o preço da cotação, até valid_until, mesmo que o catálogo mude; o que ela diz deve ser igual ao cotado. Uma cotação serve para qualquer número de vendas do canal.',
  body: withCredentials(quoteBody, 'QuoteRequest'),
  answers: {
    200: { description: 'Os preços', schema: quoteAnswer },
    403: SELLING_REFUSALS[403],
  },
  handle: async function quote(exchange) {
    const { channelLink } = callerOf(exchange);
    if (channelLink === null) throw refusalError(refuse('channel_not_own'));

    const { sound, faults: fieldFaults } = validateQuote(exchange.request.body as object);
    const faults = { ...findQuoteFaults(sound, fieldFaults, clock.today()), ...fieldFaults };
    const request = toQuoteRequest(sound, faults, channelLink);
    const outcome = request && (await quotePrices(request));

    if (outcome !== undefined && isRefusal(outcome)) {
      const forbidden = outcome.reasons.find(isForbidden);
      if (forbidden !== undefined) throw refusalError(forbidden);
      throw invalidFields({ ...describe(outcome), ...faults });
    }
    if (outcome === undefined || Object.keys(faults).length > 0) throw invalidFields(faults);
    const data = quoted.present({
      ...outcome,
      describe: (reasons) => describe({ reasons, attributeFaults: [] }),
    });
    exchange.body = { success: true, data };
  },
});
