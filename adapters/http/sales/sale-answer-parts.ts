import Type from 'typebox';
import {
  type Amounts,
  type CalendarDate,
  type CancellationFigures,
  protocolOf,
  type Quote,
  type RefusedReason,
  SALE_STATUSES,
  type Sale,
  sumCommissionRates,
  undecidedReceipts,
} from '#domain';
import { described, fieldsOf } from '../../kit/contract/described.ts';
import type { ErrorCode } from '../../kit/contract/error-codes.ts';
import { nullableText } from '../../kit/contract/formats.ts';
import { inPercent, inReais, percentShape, reaisShape } from '../../kit/contract/units.ts';
import { channelTexts } from './channel-texts.ts';

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

/** The answer for a reason that a later release has stored. */
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

/** The number of the policy; null until it is issued. */
export const policyNumberOf = (sale: Sale): string | null =>
  'policy' in sale ? (sale.policy?.number ?? null) : null;

export const saleStatusShape = Type.Enum(SALE_STATUSES, { title: 'SaleStatus' });

/** A sale, and more that an answer needs. */
export interface SaleSource {
  readonly sale: Sale;
}

/** The days of cover, both inclusive. */
export const period = described<{ readonly start: CalendarDate; readonly end: CalendarDate }>(
  'CoverPeriod',
)({
  inicio: [Type.String({ format: 'date' }), ({ start }) => start],
  fim: [Type.String({ format: 'date' }), ({ end }) => end],
});

/** A product, plan or coverage of the catalogue. */
export const catalogueName = described<{ readonly id: number; readonly code: string }>(
  'CatalogueName',
)({
  id: [Type.Integer(), ({ id }) => id],
  code: [Type.String(), ({ code }) => code],
});

/** The names and texts that the caller gave the sale. */
export const givenNames = described<SaleSource>()({
  external_sale_id: [
    nullableText('O nome da venda no canal; nulo se não foi enviado'),
    ({ sale }) => sale.terms.externalSaleId ?? null,
  ],
  idempotency_key: [
    nullableText('O Idempotency-Key da venda; nulo se não foi enviado'),
    ({ sale }) => sale.idempotencyKey ?? null,
  ],
  ...fieldsOf(channelTexts.fields, ({ sale }: SaleSource) => sale.terms),
}).fields;

/** The protocol of a cancelled sale; no field for any other. */
export const protocol = described<SaleSource>()({
  protocol: [
    Type.Optional(
      Type.String({ description: 'Protocolo do cancelamento; só em vendas canceladas' }),
    ),
    ({ sale }) => protocolOf(sale),
  ],
}).fields;

/** The reasons of a cancellation that the service finds. */
export const END_REASONS = [
  'not_paid',
  'withdrawal',
  'cancellation',
  'not_issued',
  'chargeback',
  'payment_lost',
] as const;

/** The reason of a cancellation. */
export const nameEndReason = (reason: CancellationFigures['reason']) =>
  reason === 'charged_back' ? ('chargeback' as const) : reason;

export const amounts = described<Amounts>('Amounts')({
  net_premium: [reaisShape(), ({ net }) => inReais(net)],
  iof: [reaisShape(), ({ iof }) => inReais(iof)],
  total: [reaisShape(), ({ total }) => inReais(total)],
});

/** What a sale costs, and what the channel owes and keeps of it. */
export const figures = described<Quote>(
  'SaleAmounts',
  'Em reais, congelados na venda',
)({
  net_premium: [reaisShape(), ({ premium }) => inReais(premium.net)],
  iof_rate: [
    percentShape({ description: 'Em por cento' }),
    ({ premium }) => inPercent(premium.iofRate),
  ],
  iof: [reaisShape(), ({ premium }) => inReais(premium.iof)],
  total: [
    reaisShape({ description: 'O que o segurado paga' }),
    ({ premium }) => inReais(premium.total),
  ],
  commission_rate: [
    percentShape({ description: 'Em por cento do prêmio líquido' }),
    ({ commission }) => inPercent(sumCommissionRates(commission)),
  ],
  commission: [reaisShape(), ({ commission }) => inReais(commission.amount)],
  net_amount: [
    reaisShape({ description: 'total − commission: o que o canal deve ao serviço' }),
    ({ commission }) => inReais(commission.netAmount),
  ],
});
