import Type, { type Static } from 'typebox';
import { addDays, type CalendarDate } from '#domain';
import type { QuoteRequest } from '../../../../application/terms/price-plans.ts';
import { readDate, readOptionalCents } from '../../contract/domain-values.ts';
import { complain, type FieldFaults } from '../../contract/field-faults.ts';
import { closedObject, date } from '../../contract/formats.ts';
import { findReferenceFaults, isReference, listReferences } from '../../sales/references.ts';
import { findAttributeFaults } from '../../sales/sale-attributes.ts';
import { optionalAmount, reference, saleBody } from './integration-body.ts';
import { checkableAttributes } from './integration-dialect.ts';
import { readPeriod } from './integration-request.ts';

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
    : {
        paymentDate: [
          complain(
            'out_of_range',
            `O campo paymentDate deve estar entre hoje e ${MAX_DAYS_AHEAD} dias à frente.`,
          ),
        ],
      };
};

/** The faults between the fields of a body. `faults` are those of single fields. */
export const findQuoteFaults = (
  sound: Partial<QuoteBody>,
  faults: FieldFaults,
  today: CalendarDate,
): FieldFaults => ({
  ...findReferenceFaults(
    {
      product: sound.product,
      plan: sound.plan,
      ...listReferences('coverages', sound.coverages),
    },
    faults,
  ),
  ...findPaymentDateFaults(sound, today),
  ...findAttributeFaults(sound.attributes),
});

/** What the sound fields of a body ask for; undefined if they name no product. */
export const toQuoteRequest = (
  sound: Partial<QuoteBody>,
  faults: FieldFaults,
  channelLink: string,
): QuoteRequest | undefined => {
  const { product: wanted, plan: named, coverages: chosen = [], amounts = {} } = sound;
  if (!isReference(wanted)) return undefined;
  const isFaulty = (field: string) => Object.keys(faults).some((path) => path.startsWith(field));
  return {
    channelLink,
    product: wanted,
    plan: isReference(named) ? named : undefined,
    // Without all of them, the positions of the others would be wrong.
    coverages: chosen.every(isReference) ? chosen : undefined,
    insuredAmount: readOptionalCents(amounts.insuredAmount),
    declaredFigures: {
      net: readOptionalCents(amounts.netPremium),
      total: readOptionalCents(amounts.total),
    },
    declaredPeriod:
      sound.coverage === undefined || isFaulty('coverage.')
        ? undefined
        : readPeriod(sound.coverage),
    paidOn:
      sound.paymentDate === undefined || isFaulty('paymentDate')
        ? undefined
        : readDate(sound.paymentDate),
    insuredObject: checkableAttributes(sound, faults) ?? {},
  };
};
