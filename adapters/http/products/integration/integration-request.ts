import type {
  CalendarDate,
  ChannelPayment,
  CoveragePeriod,
  DeclaredFigures,
  Insured,
  Reference,
  ServicePayment,
} from '#domain';
import type { SaleRequest } from '../../../../application/sales/sale-request.ts';
import {
  readCents,
  readDate,
  readEmail,
  readPhone,
  readTaxId,
} from '../../contract/domain-values.ts';
import { readAdditionalInsured, readAddress } from '../../contract/people.ts';
import { METHODS, type SaleBody } from './integration-body.ts';

const readInsured = ({
  name,
  socialName,
  cpfOrCnpj,
  birthDate,
  email,
  phone,
  address,
}: SaleBody['insured']): Insured => ({
  name,
  taxId: readTaxId(cpfOrCnpj),
  email: readEmail(email),
  ...(socialName !== undefined && { socialName }),
  ...(birthDate !== undefined && { birthDate: readDate(birthDate) }),
  ...(phone !== undefined && { phone: readPhone(phone) }),
  ...(address !== undefined && { address: readAddress(address) }),
});

export const readOptionalCents = (reais: number | undefined) =>
  reais === undefined ? undefined : readCents(reais);

const readFigures = ({
  netPremium,
  iof,
  total,
}: NonNullable<SaleBody['amounts']>): DeclaredFigures => ({
  net: readOptionalCents(netPremium),
  iof: readOptionalCents(iof),
  total: readOptionalCents(total),
});

export const readPeriod = ({
  startDate,
  endDate,
}: NonNullable<SaleBody['coverage']>): CoveragePeriod => ({
  start: readDate(startDate),
  end: readDate(endDate),
});

/** Pending: the payer chooses a method on the payment page, unless the body asks for a boleto. */
const readPayment = (
  { payment, saleDate }: SaleBody,
  today: CalendarDate,
  dayOf: (text: string) => CalendarDate,
): ChannelPayment | ServicePayment => {
  const { status, method, paidAt = saleDate, installments } = payment;
  if (status === 'pending')
    return {
      collectedBy: 'service',
      installments: installments ?? 1,
      ...(method === 'boleto' && { method }),
    };
  return {
    collectedBy: 'channel',
    method: METHODS[method],
    paidOn: paidAt === undefined ? today : dayOf(paidAt),
    ...(installments !== undefined && { installments }),
  };
};

/**
 * Translates the body into a request of the domain.
 *
 * @param dayOf the day of a date or an instant.
 */
export const toSaleRequest = (
  body: SaleBody,
  today: CalendarDate,
  dayOf: (text: string) => CalendarDate,
): Omit<SaleRequest, 'seller' | 'channelLink' | 'line' | 'idempotency'> => {
  const { amounts = {}, coverage, attributes = {}, saleDate } = body;
  return {
    quoteId: body.quoteId,
    product: body.product as Reference,
    plan: body.plan as Reference | undefined,
    coverages: body.coverages as readonly Reference[] | undefined,
    insured: readInsured(body.insured),
    additionalInsured: body.additionalInsured?.map(readAdditionalInsured),
    insuredObject: attributes,
    isHeldToSchema: true,
    insuredAmount: readOptionalCents(amounts.insuredAmount),
    declaredFigures: readFigures(amounts),
    declaredPeriod: coverage && readPeriod(coverage),
    soldOn: saleDate === undefined ? undefined : readDate(saleDate),
    payment: readPayment(body, today, dayOf),
  };
};
