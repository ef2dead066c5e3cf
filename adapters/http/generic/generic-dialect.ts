import { type CalendarDate, type Instant, type JsonObject, parseInstant, refuse } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import { given } from '../../../application/sales/sale-request.ts';
import { MAX_CLOCK_LEAD_MS } from '../../kit/contract/acceptance.ts';
import { PAYMENT_METHODS, readDate, readWayBack } from '../../kit/contract/domain-values.ts';
import { complain, type FieldFaults, faultAt } from '../../kit/contract/field-faults.ts';
import { sentenceOf } from '../../kit/contract/refusal-answers.ts';
import type { SaleDialect, SaleFields } from '../sales/sale-dialect.ts';
import { findAttributeFaults } from '../sales/sale-fields.ts';
import { type SaleBody, saleBody } from './generic-body.ts';

/** The sound fields of a body, also inside its payment. */
type SoundBody = Partial<Omit<SaleBody, 'payment'>> & {
  readonly payment?: Partial<SaleBody['payment']>;
};

/** A sale that has been paid has no payment page to go back from. */
const findWayBackFaults = ({ payment, return_url }: Partial<SaleBody>): FieldFaults =>
  return_url !== undefined && payment?.status === 'paid'
    ? faultAt(
        'return_url',
        'contradicts',
        'O campo return_url só cabe em uma venda a pagar (payment.status pending).',
      )
    : {};

const findPaidAtFaults = ({ payment }: Partial<SaleBody>, now: Instant): FieldFaults => {
  const { status, paidAt } = payment ?? {};
  if (paidAt === undefined) return {};
  if (status === 'pending')
    return faultAt(
      'payment.paidAt',
      'contradicts',
      'O campo payment.paidAt só cabe em um pagamento já feito (status paid).',
    );
  const at = parseInstant(paidAt);
  const isInFuture = at !== undefined && Date.parse(at) > Date.parse(now) + MAX_CLOCK_LEAD_MS;
  return isInFuture
    ? faultAt('payment.paidAt', 'in_the_future', sentenceOf(refuse('paid_in_future')))
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

/** The place of each part in the body. */
export const FIELDS = {
  product: ['product.'],
  plan: ['plan.'],
  coverages: ['coverages.'],
  name: ['insured.name'],
  taxId: ['insured.cpfOrCnpj'],
  birthDate: ['insured.birthDate'],
  email: ['insured.email'],
  phone: ['insured.phone'],
  address: ['insured.address'],
  collector: ['payment.status'],
  soldOn: ['saleDate'],
  paidOn: ['payment.paidAt', 'saleDate'],
  eventOn: ['attributes.eventDate'],
  period: ['coverage', 'coverage.startDate', 'coverage.endDate'],
  start: ['coverage.startDate'],
  end: ['coverage.endDate'],
  insuredAmount: ['amounts.insuredAmount'],
  net: ['amounts.netPremium'],
  iof: ['amounts.iof'],
  total: ['amounts.total'],
  installments: ['payment.installments', 'payment.method'],
} as const satisfies SaleDialect<typeof saleBody>['fields'];

/** The sale date is the day of the payment only if the body has no other. */
const fieldsIn = ({ payment }: SoundBody): SaleFields => {
  const { paidOn: _, ...others } = FIELDS;
  if (payment?.status === 'pending') return others;
  return payment?.paidAt === undefined ? FIELDS : { ...others, paidOn: ['payment.paidAt'] };
};

/** Pending: the payer chooses a method on the payment page, unless the body asks for a boleto. */
const readPayment = (
  { payment = {}, saleDate, return_url }: SoundBody,
  today: CalendarDate,
  dayOf: (text: string) => CalendarDate,
) => {
  const { status, method, installments, paidAt = saleDate } = payment;
  if (status === 'pending')
    return {
      collectedBy: 'service' as const,
      installments: installments ?? 1,
      ...(method === 'boleto' && { method }),
      ...readWayBack(return_url),
    };
  return {
    collectedBy: status && ('channel' as const),
    paidOn: paidAt === undefined ? today : dayOf(paidAt),
    ...given({ method: method && PAYMENT_METHODS[method], installments }),
    ...readWayBack(return_url),
  };
};

/** Reads the sale of any product, from the data of the catalogue alone. */
export const createSaleDialect = (clock: Clock): SaleDialect<typeof saleBody> => {
  /** `text` is a date or an instant. */
  const dayOf = (text: string) => {
    const at = parseInstant(text);
    return at === undefined ? readDate(text) : clock.dayOf(at);
  };
  return {
    schema: saleBody,
    fields: FIELDS,
    fieldsIn,
    // What an attribute means, the product's schema says.
    readMore: () => ({ isHeldToSchema: true, eventOn: undefined }),
    payment: (sound, today) => readPayment(sound, today, dayOf),
    insuredObject: (sound, faults) =>
      faults === undefined ? (sound.attributes ?? {}) : checkableAttributes(sound, faults),
    ownFaults: (sound) => ({
      ...findPaidAtFaults(sound, clock.now()),
      ...findWayBackFaults(sound),
      ...findAttributeFaults(sound.attributes),
    }),
    complaintOf: COMPLAINTS,
  };
};
