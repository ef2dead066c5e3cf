import type {
  CalendarDate,
  ChannelPayment,
  CoveragePeriod,
  DeclaredFigures,
  Insured,
  JsonObject,
  Reference,
  ServicePayment,
} from '#domain';
import type {
  DraftPayment,
  SaleDraft,
  SaleRequest,
} from '../../../../application/sales/sale-request.ts';
import {
  readDate,
  readEmail,
  readOptionalCents,
  readOptionalDate,
  readPhone,
  readTaxId,
  readWayBack,
} from '../../contract/domain-values.ts';
import { readAdditionalInsured, readAddress, readSocialName } from '../../contract/people.ts';
import { isReference } from '../../sales/references.ts';
import { METHODS, type SaleBody } from './integration-body.ts';

const readInsured = ({
  name,
  cpfOrCnpj,
  birthDate,
  email,
  phone,
  address,
  ...names
}: SaleBody['insured']): Insured => ({
  name,
  taxId: readTaxId(cpfOrCnpj),
  email: readEmail(email),
  ...readSocialName(names),
  ...(birthDate !== undefined && { birthDate: readDate(birthDate) }),
  ...(phone !== undefined && { phone: readPhone(phone) }),
  ...(address !== undefined && { address: readAddress(address) }),
});

const readFigures = ({
  netPremium,
  iof,
  total,
}: Partial<NonNullable<SaleBody['amounts']>>): DeclaredFigures => ({
  net: readOptionalCents(netPremium),
  iof: readOptionalCents(iof),
  total: readOptionalCents(total),
});

export const readPeriod = ({
  startDate: start,
  endDate: end,
}: Partial<NonNullable<SaleBody['coverage']>>): CoveragePeriod | undefined =>
  start === undefined || end === undefined
    ? undefined
    : { start: readDate(start), end: readDate(end) };

type DayOf = (text: string) => CalendarDate;

/** The day on which the channel was paid; by default that of the sale. */
const readPaidOn = (
  { payment, saleDate }: Partial<SaleBody>,
  today: CalendarDate,
  dayOf: DayOf,
): CalendarDate => {
  const paidAt = payment?.paidAt ?? saleDate;
  return paidAt === undefined ? today : dayOf(paidAt);
};

/** Pending: the payer chooses a method on the payment page, unless the body asks for a boleto. */
const readPayment = (
  body: SaleBody,
  today: CalendarDate,
  dayOf: DayOf,
): ChannelPayment | ServicePayment => {
  const { status, method, installments } = body.payment;
  if (status === 'pending')
    return {
      collectedBy: 'service',
      installments: installments ?? 1,
      ...(method === 'boleto' && { method }),
      ...readWayBack(body.return_url),
    };
  return {
    collectedBy: 'channel',
    method: METHODS[method],
    paidOn: readPaidOn(body, today, dayOf),
    ...(installments !== undefined && { installments }),
  };
};

const COLLECTORS = { pending: 'service', paid: 'channel' } as const;

/** The payment, as far as the sound fields tell. */
const readDraftPayment = (
  sound: Partial<SaleBody>,
  today: CalendarDate,
  dayOf: DayOf,
): DraftPayment => {
  const { status, method, installments } = sound.payment ?? {};
  return {
    collectedBy: status && COLLECTORS[status],
    paidOn: readPaidOn(sound, today, dayOf),
    installments,
    ...readWayBack(sound.return_url),
    ...(method === 'boleto' && { method }),
  };
};

/** What is wanted, at which price, and when: the fields that a draft and a request share. */
const readWanted = (sound: Partial<SaleBody>) => {
  const { quoteId, product, plan, coverages = [], amounts = {}, coverage, saleDate } = sound;
  return {
    quoteId,
    product: isReference(product) ? product : undefined,
    plan: isReference(plan) ? plan : undefined,
    // Without all of them, the positions of the others would be wrong.
    coverages: coverages.every(isReference) ? coverages : undefined,
    isHeldToSchema: true,
    insuredAmount: readOptionalCents(amounts.insuredAmount),
    declaredFigures: readFigures(amounts),
    declaredPeriod: coverage && readPeriod(coverage),
    soldOn: readOptionalDate(saleDate),
  } as const;
};

/** Translates the sound fields of a faulty body. @param insuredObject undefined if unknown */
export const toSaleDraft = (
  sound: Partial<SaleBody>,
  insuredObject: JsonObject | undefined,
  today: CalendarDate,
  dayOf: DayOf,
): Omit<SaleDraft, 'channelLink' | 'line'> => ({
  ...readWanted(sound),
  insured: { birthDate: readOptionalDate(sound.insured?.birthDate) },
  insuredObject,
  payment: readDraftPayment(sound, today, dayOf),
});

/** The fields of the parts of a draft. */
export const fieldsOfParts = ({
  payment = {},
}: {
  readonly payment?: Partial<SaleBody['payment']>;
}) => ({
  product: ['product.'],
  plan: ['plan.'],
  coverages: ['coverages.'],
  collector: ['payment.status'],
  soldOn: ['saleDate'],
  paidOn:
    payment.status === 'pending'
      ? []
      : payment.paidAt === undefined
        ? ['payment.paidAt', 'saleDate']
        : ['payment.paidAt'],
  eventOn: ['attributes.eventDate'],
  period: ['coverage.startDate', 'coverage.endDate'],
  insuredAmount: ['amounts.insuredAmount'],
  net: ['amounts.netPremium'],
  total: ['amounts.total'],
  installments: ['payment.installments', 'payment.method'],
});

/**
 * Translates the body into a request of the domain.
 *
 * @param dayOf the day of a date or an instant.
 */
export const toSaleRequest = (
  body: SaleBody,
  today: CalendarDate,
  dayOf: DayOf,
): Omit<SaleRequest, 'client' | 'channelLink' | 'line' | 'idempotency'> => ({
  ...readWanted(body),
  product: body.product as Reference,
  insured: readInsured(body.insured),
  additionalInsured: body.additionalInsured?.map(readAdditionalInsured),
  insuredObject: body.attributes ?? {},
  payment: readPayment(body, today, dayOf),
});
