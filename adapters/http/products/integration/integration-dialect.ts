import { type Instant, type JsonObject, parseInstant, refuse } from '#domain';
import type { Clock } from '../../../../application/clock.ts';
import { MAX_CLOCK_LEAD_MS } from '../../contract/acceptance.ts';
import { readDate } from '../../contract/domain-values.ts';
import { complain, type FieldFaults } from '../../contract/field-faults.ts';
import { findAddressFaults, findBirthFaults } from '../../contract/people.ts';
import { showRefusalsAt } from '../../contract/refusal-answers.ts';
import { sentenceOf } from '../../contract/refusal-sentences.ts';
import { quoteRefusalsAt } from '../../sales/quoted-sale.ts';
import { findReferenceFaults, listReferences } from '../../sales/references.ts';
import { findAttributeFaults } from '../../sales/sale-attributes.ts';
import type { SaleDialect } from '../../sales/sale-dialect.ts';
import { type SaleBody, saleBody } from './integration-body.ts';
import { fieldsOfParts, toSaleDraft, toSaleRequest } from './integration-request.ts';

/** A sale that has been paid has no payment page to go back from. */
const findWayBackFaults = ({ payment, return_url }: Partial<SaleBody>): FieldFaults =>
  return_url !== undefined && payment?.status === 'paid'
    ? {
        return_url: [
          complain(
            'contradicts',
            'O campo return_url só cabe em uma venda a pagar (payment.status pending).',
          ),
        ],
      }
    : {};

const findPaidAtFaults = ({ payment }: Partial<SaleBody>, now: Instant): FieldFaults => {
  const { status, paidAt } = payment ?? {};
  if (paidAt === undefined) return {};
  if (status === 'pending')
    return {
      'payment.paidAt': [
        complain(
          'contradicts',
          'O campo payment.paidAt só cabe em um pagamento já feito (status paid).',
        ),
      ],
    };
  const at = parseInstant(paidAt);
  const isInFuture = at !== undefined && Date.parse(at) > Date.parse(now) + MAX_CLOCK_LEAD_MS;
  return isInFuture
    ? { 'payment.paidAt': [complain('in_the_future', sentenceOf(refuse('paid_in_future')))] }
    : {};
};

/**
 * The attributes to check by the product's schema: those within the limits of all products.
 * Undefined if they are faulty as a whole.
 */
export const checkableAttributes = (
  { attributes = {} }: Partial<Pick<SaleBody, 'attributes'>>,
  faults: FieldFaults,
): JsonObject | undefined => {
  const paths = Object.keys(findAttributeFaults(attributes));
  if ('attributes' in faults || paths.includes('attributes')) return undefined;
  const isFaulty = (name: string) =>
    paths.some((path) => `${path}.`.startsWith(`attributes.${name}.`));
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !isFaulty(name)));
};

export const COMPLAINTS = {
  product_unknown: complain('not_offered', 'Produto não encontrado.'),
  payment_not_with_channel: complain(
    'contradicts',
    'Este produto é pago ao serviço: payment.status deve ser pending.',
  ),
  payment_not_with_service: complain(
    'contradicts',
    'Este produto é pago ao parceiro: payment.status deve ser paid.',
  ),
  premium_not_positive: complain(
    'out_of_range',
    'O prêmio, sem o preço das coberturas, deve ser maior que zero.',
  ),
  premium_not_declared: complain(
    'required',
    'O plano não tem tarifa: informe o prêmio em netPremium (em produto de preço bruto, em total).',
  ),
  period_reversed: complain(
    'wrong_order',
    'A vigência não pode terminar antes de começar (o evento, antes do pagamento).',
  ),
  period_not_declared: complain(
    'required',
    'A vigência deve ser informada (em plano que vai até o evento, pode ser attributes.eventDate).',
  ),
} satisfies SaleDialect<typeof saleBody>['complaintOf'];

/** The fields of the parts that refusals name. */
const FIELD_OF_PART: Readonly<Record<string, `${string}.${string}`>> = {
  net: 'amounts.netPremium',
  total: 'amounts.total',
  insuredAmount: 'amounts.insuredAmount',
  paidOn: 'payment.paidAt',
  start: 'coverage.startDate',
  end: 'coverage.endDate',
  eventOn: 'attributes.eventDate',
};

export const fieldOfPart = (part: string) => FIELD_OF_PART[part] ?? 'saleDate';

export const FIELD_OF_REFUSAL = {
  ...showRefusalsAt('product'),
  product_unknown: (part: string) => `product.${part}` as const,
  return_url_not_registered: 'return_url',
  channel_inactive: 'channelLink',
  channel_not_own: 'channelLink',
  plan_unknown: (part: string) => `plan.${part}` as const,
  coverage_unknown: (part: string) => `coverages.${part}` as const,
  coverage_repeated: (part: string) => `coverages.${part}` as const,
  payment_not_with_channel: 'payment.status',
  payment_not_with_service: 'payment.status',
  premium_not_declared: fieldOfPart,
  premium_not_positive: fieldOfPart,
  iof_rate_missing: fieldOfPart,
  net_premium_differs: 'amounts.netPremium',
  iof_differs: 'amounts.iof',
  total_differs: 'amounts.total',
  insured_amount_missing: 'amounts.insuredAmount',
  amount_too_large: fieldOfPart,
  sold_in_future: 'saleDate',
  sold_long_ago: 'saleDate',
  paid_in_future: 'payment.paidAt',
  born_in_future: 'insured.birthDate',
  event_before_payment: 'coverage.endDate',
  period_reversed: fieldOfPart,
  period_over: fieldOfPart,
  period_not_declared: 'coverage',
  period_differs: fieldOfPart,
  installments_not_offered: 'payment.installments',
  installment_below_one_cent: 'payment.installments',
  ...quoteRefusalsAt({
    ...FIELD_OF_PART,
    ...{ product: 'product.id', plan: 'plan.id', coverages: 'coverages', iof: 'amounts.iof' },
  }),
} satisfies SaleDialect<typeof saleBody>['fieldOf'];

/** Reads the sale of any product, from the data of the catalogue alone. */
export const createSaleDialect = (clock: Clock): SaleDialect<typeof saleBody> => {
  /** `text` is a date or an instant. */
  const dayOf = (text: string) => {
    const at = parseInstant(text);
    return at === undefined ? readDate(text) : clock.dayOf(at);
  };
  return {
    schema: saleBody,
    draft: (sound, today, faults) =>
      toSaleDraft(sound, checkableAttributes(sound, faults), today, dayOf),
    fieldsOfParts,
    ownFaults: (sound, faults, today) => ({
      ...findReferenceFaults(
        {
          product: sound.product,
          plan: sound.plan,
          ...listReferences('coverages', sound.coverages),
        },
        faults,
      ),
      ...findAddressFaults(sound.insured?.address, 'insured.address'),
      ...findBirthFaults(sound.additionalInsured, today),
      ...findPaidAtFaults(sound, clock.now()),
      ...findWayBackFaults(sound),
      ...findAttributeFaults(sound.attributes),
    }),
    request: (body, today) => toSaleRequest(body, today, dayOf),
    complaintOf: COMPLAINTS,
    fieldOf: FIELD_OF_REFUSAL,
  };
};
