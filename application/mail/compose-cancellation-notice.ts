import {
  coverOf,
  type EndedByCancellation,
  findLegalPeriod,
  issuedDocumentOf,
  type PaymentMethod,
  protocolOf,
  refundsOf,
  surplusOf,
  type UnbookedMoney,
  unbookedMoneyOf,
  ZERO,
} from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { channelNameOf, productSold } from '../certificates/compose-certificate.ts';
import type { CancellationNotice } from './mailer.ts';

interface Needs {
  readonly catalogue: Catalogue;
}

export type ComposeCancellationNotice = (sale: EndedByCancellation) => Promise<CancellationNotice>;

export const makeComposeCancellationNotice = ({ catalogue }: Needs): ComposeCancellationNotice =>
  async function composeCancellationNotice(sale) {
    const { terms, cancellation } = sale;
    const { name: productName, registration } = await productSold(catalogue, sale);
    const channelName = channelNameOf(terms);
    const document = issuedDocumentOf(sale);
    const unbooked = unbookedMoneyOf(sale);
    const method = methodOf(sale, unbooked);
    const refunds = refundsOf(sale);
    // Once it is booked, the letter tells of the payment alone, and of what came besides.
    const told = unbooked
      ? refunds
      : refunds.filter(({ chargeId }) => chargeId === sale.payment.chargeId);
    const refund = told.find(({ status }) => status !== 'done') ?? told[0];
    const surplus = unbooked ? ZERO : surplusOf(sale);
    return {
      protocol: protocolOf(sale) as string,
      figures: cancellation,
      productName,
      insured: terms.insured,
      withdrawalDays: findLegalPeriod('withdrawal', terms.soldOn).days,
      period: coverOf(sale),
      collectedBy: terms.payment.collectedBy,
      channelName,
      insurer: registration.insurer,
      ...(unbooked && { unbooked }),
      ...(document && { document }),
      ...(method && { method }),
      ...(refund && { refundStatus: refund.status }),
      ...(refund?.reason && { barred: refund.reason }),
      ...(surplus > 0 && { surplus }),
    };
  };

/** How the money came in. If the payment was not booked, only the ordered method is known. */
const methodOf = (
  { payment, terms }: EndedByCancellation,
  unbooked: UnbookedMoney | undefined,
): PaymentMethod | undefined => {
  if (payment.status === 'approved') return payment.method;
  return unbooked?.kind === 'received' ? terms.payment.method : undefined;
};
