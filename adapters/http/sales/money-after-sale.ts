import Type, { type Static } from 'typebox';
import {
  disputeOf,
  type Instant,
  nextActOf,
  type Refund,
  refundPending,
  refundsOf,
  type Sale,
} from '#domain';
import { nullable, nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { paymentUrlOf } from './sale-answer-parts.ts';

export const refundPendingShape = reaisShape({
  description: 'Quanto do que se deve devolver ainda não saiu',
});

export const refundShape = namedObject('Refund', {
  by: Type.Enum(['gateway', 'channel'], { description: 'Quem devolve: quem recebeu' }),
  method: nullableText('Como foi pago; nulo se não se sabe'),
  amount: reaisShape(),
  status: Type.Enum(['due', 'ordered', 'waiting_payer', 'barred', 'undone', 'done'], {
    description:
      'due: a pedir a partir de due_on; ordered: pedida; waiting_payer: quem pagou informa uma conta em url; barred: não pode ser pedida agora (reason); undone: foi desfeita, e é pedida de novo; done: saiu',
  }),
  reason: Type.Optional(
    Type.Enum(['dispute', 'paid_in_cash', 'whole_only'], {
      description:
        'Só em barred: contestação no banco; recebido em dinheiro; o gateway só devolve o todo',
    }),
  ),
  due_on: Type.String({ format: 'date' }),
  ordered_at: nullableText('Quando se soube do pedido; nulo se não há, ou não se sabe'),
  confirmed_at: nullableText('Quando se soube que saiu; nulo enquanto não sai'),
  url: Type.Optional(Type.String({ description: 'Onde quem pagou informa a conta' })),
  refused: Type.Optional(
    Type.Object(
      { times: Type.Integer(), last_at: Type.String() },
      { description: 'Só em due: o gateway recusou o pedido' },
    ),
  ),
});

const disputeShape = namedObject('Dispute', {
  status: Type.Enum(['opened', 'won', 'lost']),
  opened_at: Type.String(),
  respond_by: nullableText('O último dia para responder ao banco; nulo se não se sabe'),
  amount: reaisShape(),
});

/** What happens to the money of a sale after it came. */
export const moneyShape = {
  refund_pending: refundPendingShape,
  refunds: Type.Array(refundShape, { description: 'O que volta, ou voltou, por cobrança' }),
  dispute: nullable(
    disputeShape,
    'A contestação do pagamento no banco (chargeback); nulo se não houve',
  ),
};

export const presentRefund = (refund: Refund): Static<typeof refundShape> => {
  const { by, method, amount, status, reason, dueOn, orderedAt, confirmedAt, url, refused } =
    refund;
  return {
    by,
    method: method ?? null,
    amount: inReais(amount),
    status,
    ...(reason && { reason }),
    due_on: dueOn,
    ordered_at: orderedAt ?? null,
    confirmed_at: confirmedAt ?? null,
    ...(url !== undefined && { url }),
    ...(refused && { refused: { times: refused.times, last_at: refused.lastAt } }),
  };
};

export const presentMoneyAfter = (sale: Sale) => ({
  refund_pending: inReais(refundPending(sale)),
  refunds: refundsOf(sale).map(presentRefund),
  dispute: presentDispute(sale),
});

const presentDispute = (sale: Sale): Static<typeof disputeShape> | null => {
  const dispute = disputeOf(sale);
  if (dispute === undefined) return null;
  const { status, openedAt, respondBy, amount } = dispute;
  return {
    status,
    opened_at: openedAt,
    respond_by: respondBy ?? null,
    amount: inReais(amount),
  };
};

export const nextShape = namedObject('NextStep', {
  actor: Type.Enum(['insured', 'service', 'insurer', 'channel', 'operator']),
  action: Type.Enum([
    'pay',
    'charge',
    'confirm_payment',
    'decide_payment',
    'check_payment',
    'quote',
    'underwrite',
    'issue',
    'refund',
    'name_account',
    'authorize_refund',
    'answer_dispute',
    'return_money',
    'correct_email',
  ]),
  url: Type.Optional(
    Type.String({ description: 'Onde o segurado paga, ou informa a conta da devolução' }),
  ),
  until: Type.Optional(
    Type.String({ description: 'Até quando: um instante para pagar; senão um dia, inclusive' }),
  ),
});

/** @param now decides whether the time to pay is over */
export const presentNext = (sale: Sale, now: Instant): Static<typeof nextShape> | null => {
  const next = nextActOf(sale, now);
  if (next === undefined) return null;
  const url = paymentUrlOf(sale);
  if (next.action !== 'pay' || sale.status !== 'awaiting_payment' || url === null) return next;
  const { until } = sale.payment;
  return { ...next, url, ...(until !== undefined && { until }) };
};
