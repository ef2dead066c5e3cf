import Type, { type Static } from 'typebox';
import { addDays, type CalendarDate, type Reference } from '#domain';
import type { QuoteRequest } from '../../../../application/terms/price-plans.ts';
import { readOptionalDate } from '../../contract/domain-values.ts';
import { type FieldFaults, faultAt } from '../../contract/field-faults.ts';
import { closedObject, date } from '../../contract/formats.ts';
import { findAttributeFaults } from '../../sales/sale-attributes.ts';
import { compileCommonFaults, compileDraft } from '../../sales/sale-fields.ts';
import { optionalAmount, reference, saleBody } from './integration-body.ts';
import { checkableAttributes, FIELDS } from './integration-dialect.ts';

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

export type QuoteBody = Static<typeof quoteBody>;

/** Days ahead for which the price of a payment can be asked. */
const MAX_DAYS_AHEAD = 60;

const findPaymentDateFaults = (
  { paymentDate }: Partial<QuoteBody>,
  today: CalendarDate,
): FieldFaults => {
  if (paymentDate === undefined) return {};
  const isInRange = paymentDate >= today && paymentDate <= addDays(today, MAX_DAYS_AHEAD);
  return isInRange
    ? {}
    : faultAt(
        'paymentDate',
        'out_of_range',
        `O campo paymentDate deve estar entre hoje e ${MAX_DAYS_AHEAD} dias à frente.`,
      );
};

const findCommonFaults = compileCommonFaults(FIELDS);

/** The faults between the fields of a body. `faults` are those of single fields. */
export const findQuoteFaults = (
  sound: Partial<QuoteBody>,
  faults: FieldFaults,
  today: CalendarDate,
): FieldFaults => ({
  ...findCommonFaults(sound, faults, today),
  ...findPaymentDateFaults(sound, today),
  ...findAttributeFaults(sound.attributes),
});

const readDraft = compileDraft(FIELDS);

/** What the sound fields of a body ask for; undefined if they name no product. */
export const toQuoteRequest = (
  sound: Partial<QuoteBody>,
  faults: FieldFaults,
  channelLink: string,
): QuoteRequest | undefined => {
  const { product: wanted, plan: named, coverages: chosen, ...asked } = readDraft(sound);
  if (wanted === undefined) return undefined;
  return {
    channelLink,
    product: wanted as Reference,
    plan: named,
    coverages: chosen,
    insuredAmount: asked.insuredAmount,
    declaredFigures: asked.declaredFigures,
    declaredPeriod: asked.declaredPeriod,
    paidOn: 'paymentDate' in faults ? undefined : readOptionalDate(sound.paymentDate),
    insuredObject: checkableAttributes(sound, faults) ?? {},
  };
};
