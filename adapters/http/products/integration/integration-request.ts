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
import { additionalInsuredFrom, addressFrom } from '../../contract/people.ts';
import { centsFrom, dateFrom, emailFrom, phoneFrom, taxIdFrom } from '../../contract/domain-values.ts';
import { METHODS, type SaleBody } from './integration-body.ts';

const insuredFrom = ({
  name,
  socialName,
  cpfOrCnpj,
  birthDate,
  email,
  phone,
  address,
}: SaleBody['insured']): Insured => ({
  name,
  taxId: taxIdFrom(cpfOrCnpj),
  email: emailFrom(email),
  ...(socialName !== undefined && { socialName }),
  ...(birthDate !== undefined && { birthDate: dateFrom(birthDate) }),
  ...(phone !== undefined && { phone: phoneFrom(phone) }),
  ...(address !== undefined && { address: addressFrom(address) }),
});

const inCents = (reais: number | undefined) => (reais === undefined ? undefined : centsFrom(reais));

const figuresFrom = ({
  netPremium,
  iof,
  total,
}: NonNullable<SaleBody['amounts']>): DeclaredFigures => ({
  net: inCents(netPremium),
  iof: inCents(iof),
  total: inCents(total),
});

const periodFrom = ({ startDate, endDate }: NonNullable<SaleBody['coverage']>): CoveragePeriod => ({
  start: dateFrom(startDate),
  end: dateFrom(endDate),
});

/** A payer who is still to pay does so on a page, as he likes, unless it is by boleto. */
const paymentFrom = (
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

/** The sale in the field's own terms; `dayOf` finds the day of what may be a day or a moment. */
export const requestFrom = (
  body: SaleBody,
  today: CalendarDate,
  dayOf: (text: string) => CalendarDate,
): Omit<SaleRequest, 'seller' | 'channelLink' | 'line' | 'idempotency'> => {
  const { amounts = {}, coverage, attributes = {}, saleDate } = body;
  return {
    product: body.product as Reference,
    plan: body.plan as Reference | undefined,
    coverages: body.coverages as readonly Reference[] | undefined,
    insured: insuredFrom(body.insured),
    additionalInsured: body.additionalInsured?.map(additionalInsuredFrom),
    insuredObject: attributes,
    isHeldToSchema: true,
    insuredAmount: inCents(amounts.insuredAmount),
    declaredFigures: figuresFrom(amounts),
    declaredPeriod: coverage && periodFrom(coverage),
    soldOn: saleDate === undefined ? undefined : dateFrom(saleDate),
    payment: paymentFrom(body, today, dayOf),
  };
};
