import Type, { type Static } from 'typebox';
import {
  type Amounts,
  type CancellationFigures,
  coverOf,
  protocolOf,
  type Quote,
  type RefusedReason,
  SALE_STATUSES,
  type Sale,
  type SaleTerms,
  sumCommissionRates,
  undecidedReceipts,
} from '#domain';
import type { ErrorCode } from '../../kit/contract/error-codes.ts';
import { nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { inPercent, inReais, percentShape, reaisShape } from '../../kit/contract/units.ts';
import { channelTextsShape, presentChannelTexts } from './channel-texts.ts';

/** `status_id`: 1 to 8, in the order in which a sale may pass through its states. */
export const statusIdOf = ({ status }: Sale): number => SALE_STATUSES.indexOf(status) + 1;

interface RefusedAnswer {
  readonly code: ErrorCode;
  /** Completes "… não realizado: …". */
  readonly text: string;
}

const REFUSED: Readonly<Record<RefusedReason, RefusedAnswer>> = {
  declined: { code: 'card_declined', text: 'o cartão foi recusado pelo emissor' },
  insufficient_funds: {
    code: 'insufficient_funds',
    text: 'o cartão não tem saldo ou limite suficiente',
  },
  expired_card: { code: 'expired_card', text: 'o cartão está vencido, segundo o emissor' },
  not_charged: {
    code: 'gateway_unavailable',
    text: 'o cartão não foi cobrado, porque um provedor não respondeu; tente novamente como uma nova venda',
  },
  price_over: {
    code: 'payment_refused',
    text: 'a alíquota de IOF mudou antes do pagamento, e com ela o preço; envie a venda de novo. Nada foi cobrado',
  },
  payer_refused: { code: 'payment_refused', text: 'o pagador recusou o pagamento' },
  payment_returned: { code: 'payment_refused', text: 'o pagamento foi devolvido' },
  gateway_refused: {
    code: 'payment_refused',
    text: 'o gateway de pagamento não aceitou a cobrança',
  },
  premium_differs: {
    code: 'proposal_refused',
    text: 'a seguradora cotou outro valor; nada foi cobrado',
  },
  insurer_rejected: {
    code: 'proposal_refused',
    text: 'a seguradora recusou a proposta; nada foi cobrado',
  },
};

/** For a reason that a later release has stored. */
const OTHER_REASON: RefusedAnswer = { code: 'payment_refused', text: 'o pagamento foi recusado' };

/** Why a sale was refused, for the partner: the code, and a text in Portuguese. */
export const explainRefused = ({ reason }: Extract<Sale, { status: 'refused' }>): RefusedAnswer =>
  REFUSED[reason] ?? OTHER_REASON;

/** The page on which the payer can pay; null if the sale awaits no payment, or money has come. */
export const paymentUrlOf = (sale: Sale): string | null =>
  sale.status === 'awaiting_payment' && !hasMoneyInQuestion(sale) ? sale.payment.url : null;

/** Money has come, or is seen, that does not pay the sale yet. */
const hasMoneyInQuestion = (sale: Sale): boolean =>
  undecidedReceipts(sale).length > 0 ||
  (sale.payment.status === 'awaited' &&
    (sale.payment.isSeen === true || (sale.payment.asks !== undefined && !sale.payment.mayAsk)));

export const PAYMENT_STATUSES = [
  'pending',
  'processing',
  'awaiting_payment',
  'paid',
  'refused',
  'expired',
  'refunded',
] as const;

/**
 * The status of the payment. `processing`: the gateway has not answered yet, or an operator decides
 * about money that is less than the price.
 */
export const paymentStatusOf = (sale: Sale): (typeof PAYMENT_STATUSES)[number] => {
  const { payment, receipts } = sale;
  if (hasMoneyInQuestion(sale)) return 'processing';
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

export const saleStatusShape = Type.Enum(SALE_STATUSES, { title: 'SaleStatus' });

/** The days of cover, both inclusive. */
export const periodShape = namedObject('CoverPeriod', {
  inicio: Type.String({ format: 'date' }),
  fim: Type.String({ format: 'date' }),
});

/** A product, plan or coverage of the catalogue. */
export const namedShape = namedObject('CatalogueName', { id: Type.Integer(), code: Type.String() });

export const namesShape = {
  external_sale_id: nullableText('O nome da venda no canal; nulo se não foi enviado'),
  idempotency_key: nullableText('O Idempotency-Key da venda; nulo se não foi enviado'),
};

export const saleNamesShape = { ...namesShape, ...channelTextsShape };

/** The names and texts that the caller gave the sale. */
export const presentSaleNames = ({ terms, idempotencyKey }: Sale) => ({
  external_sale_id: terms.externalSaleId ?? null,
  idempotency_key: idempotencyKey ?? null,
  ...presentChannelTexts(terms),
});

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

/** The reason of a cancellation. */
export const presentEndReason = (reason: CancellationFigures['reason']) =>
  reason === 'charged_back' ? ('chargeback' as const) : reason;

export const amountsShape = namedObject('Amounts', {
  net_premium: reaisShape(),
  iof: reaisShape(),
  total: reaisShape(),
});

export const presentAmounts = ({ net, iof, total }: Amounts): Static<typeof amountsShape> => ({
  net_premium: inReais(net),
  iof: inReais(iof),
  total: inReais(total),
});

/** What a sale costs, and what the channel owes and keeps of it. */
export const figuresShape = Type.Object(
  {
    net_premium: reaisShape(),
    iof_rate: percentShape({ description: 'Em por cento' }),
    iof: reaisShape(),
    total: reaisShape({ description: 'O que o segurado paga' }),
    commission_rate: percentShape({ description: 'Em por cento do prêmio líquido' }),
    commission: reaisShape(),
    net_amount: reaisShape({ description: 'total − commission: o que o canal deve ao serviço' }),
  },
  { title: 'SaleAmounts', description: 'Em reais, congelados na venda' },
);

export const presentFigures = ({ premium, commission }: Quote): Static<typeof figuresShape> => ({
  net_premium: inReais(premium.net),
  iof_rate: inPercent(premium.iofRate),
  iof: inReais(premium.iof),
  total: inReais(premium.total),
  commission_rate: inPercent(sumCommissionRates(commission)),
  commission: inReais(commission.amount),
  net_amount: inReais(commission.netAmount),
});

/** What was sold, as far as all answers show it. */
export const presentTerms = (terms: SaleTerms) => {
  const { externalSaleId, product, plan, quote, period } = terms;
  return {
    external_sale_id: externalSaleId ?? null,
    ...presentChannelTexts(terms),
    product: { id: product.id, code: product.code },
    plan: { id: plan.id, code: plan.code },
    amounts: presentFigures(quote),
    vigencia: { inicio: period.start, fim: period.end },
  };
};
