import Type, { type Static } from 'typebox';
import { type Amounts, coverOf, reais, SALE_STATUSES, type Sale } from '#domain';
import { type Refused, refused } from '../contract/answer-error.ts';

/** `status_id`: 1 to 8, in the order in which a sale may pass through its states. */
export const statusId = ({ status }: Sale): number => SALE_STATUSES.indexOf(status) + 1;

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

/** Why a sale was refused, in words for a partner. */
export const reasonOf = (sale: Extract<Sale, { status: 'refused' }>): string =>
  REASONS[sale.reason] ?? 'o pagamento foi recusado';

/** Where the payer can pay, as long as that is so. */
export const paymentUrl = (sale: Sale): string | null =>
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

/** How the payment stands; `processing`: the gateway was asked, and has not answered yet. */
export const paymentStatus = (sale: Sale): (typeof PAYMENT_STATUSES)[number] => {
  const { payment, receipts } = sale;
  // What was paid for a sale that had ended, and what went back of it.
  const receipt = receipts.find(({ chargeId }) => chargeId === payment.chargeId);
  if (payment.status === 'awaited' && receipt !== undefined)
    return receipt.returned === receipt.amount ? 'refunded' : 'paid';
  if (payment.status === 'approved') return sale.status === 'refunded' ? 'refunded' : 'paid';
  const words = {
    requested: 'pending',
    unknown: 'processing',
    awaited: 'awaiting_payment',
    declined: 'refused',
    expired: 'expired',
  } as const;
  return words[payment.status];
};

/** The days covered: the policy's, or those agreed. */
export const vigencia = (sale: Sale): { readonly inicio: string; readonly fim: string } => {
  const { start, end } = coverOf(sale);
  return { inicio: start, fim: end };
};

/** The policy's number, once there is one. */
export const policyNumber = (sale: Sale): string | null =>
  'policy' in sale ? (sale.policy?.number ?? null) : null;

/** Amounts in reais. */
export const amountsShape = Type.Object({
  net_premium: Type.Number(),
  iof: Type.Number(),
  total: Type.Number(),
});

export const amountsOf = ({ net, iof, total }: Amounts): Static<typeof amountsShape> => ({
  net_premium: reais(net),
  iof: reais(iof),
  total: reais(total),
});

/** Somebody is at the sale just now: 409, with the seconds after which it is worth asking again. */
export const busy = (response: string, more: object = {}): Refused =>
  refused(409, response, more, { 'Retry-After': '5' });
