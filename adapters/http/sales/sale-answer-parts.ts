import Type, { type Static } from 'typebox';
import { type Amounts, coverOf, protocolOf, SALE_STATUSES, type Sale } from '#domain';
import { inReais, reaisShape } from '../contract/units.ts';

/** `status_id`: 1 to 8, in the order in which a sale may pass through its states. */
export const statusIdOf = ({ status }: Sale): number => SALE_STATUSES.indexOf(status) + 1;

const REASONS: Readonly<Record<string, string>> = {
  declined: 'o cartão foi recusado pelo emissor',
  insufficient_funds: 'o cartão não tem saldo ou limite suficiente',
  not_charged:
    'o cartão não foi cobrado, porque um provedor não respondeu; tente novamente como uma nova venda',
  payer_refused: 'o pagador recusou o pagamento',
  payment_returned: 'o pagamento foi devolvido',
  premium_differs: 'a seguradora cotou outro valor; nada foi cobrado',
  gateway_refused: 'o gateway de pagamento não aceitou a cobrança',
  insurer_rejected: 'a seguradora recusou a proposta; nada foi cobrado',
};

/** Why a sale was refused, in Portuguese, for the partner. */
export const describeReason = (sale: Extract<Sale, { status: 'refused' }>): string =>
  REASONS[sale.reason] ?? 'o pagamento foi recusado';

/** The page on which the payer can pay; null if the sale awaits no payment. */
export const paymentUrlOf = (sale: Sale): string | null =>
  sale.status === 'awaiting_payment' ? sale.payment.url : null;

export const PAYMENT_STATUSES = [
  'pending',
  'processing',
  'awaiting_payment',
  'paid',
  'refused',
  'expired',
  'refunded',
] as const;

/** The status of the payment. `processing`: the gateway has not answered yet. */
export const paymentStatusOf = (sale: Sale): (typeof PAYMENT_STATUSES)[number] => {
  const { payment, receipts } = sale;
  // A payment that arrived after the sale had ended, and how much of it was refunded.
  const receipt = receipts.find(({ chargeId }) => chargeId === payment.chargeId);
  if (payment.status === 'awaited' && receipt !== undefined)
    return receipt.returned === receipt.amount ? 'refunded' : 'paid';
  if (payment.status === 'approved') return sale.status === 'refunded' ? 'refunded' : 'paid';
  const statuses = {
    requested: 'pending',
    unknown: 'processing',
    awaited: 'awaiting_payment',
    declined: 'refused',
    expired: 'expired',
  } as const;
  return statuses[payment.status];
};

/** The days of cover: those of the policy or, before there is one, those agreed. */
export const presentPeriod = (sale: Sale): { readonly inicio: string; readonly fim: string } => {
  const { start, end } = coverOf(sale);
  return { inicio: start, fim: end };
};

/** The number of the policy; null until it is issued. */
export const policyNumberOf = (sale: Sale): string | null =>
  'policy' in sale ? (sale.policy?.number ?? null) : null;

export const protocolShape = {
  protocol: Type.Optional(
    Type.String({ description: 'Protocolo do cancelamento; só em vendas canceladas' }),
  ),
};

/** The protocol of a cancelled sale; no field for any other. */
export const presentProtocol = (sale: Sale): { readonly protocol?: string } => {
  const protocol = protocolOf(sale);
  return protocol === undefined ? {} : { protocol };
};

export const amountsShape = Type.Object({
  net_premium: reaisShape(),
  iof: reaisShape(),
  total: reaisShape(),
});

export const presentAmounts = ({ net, iof, total }: Amounts): Static<typeof amountsShape> => ({
  net_premium: inReais(net),
  iof: inReais(iof),
  total: inReais(total),
});
