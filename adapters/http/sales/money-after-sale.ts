import Type, { type Static } from 'typebox';
import {
  disputeOf,
  type EndedByCancellation,
  type Instant,
  isCancelled,
  nextActOf,
  protocolOf,
  type Receipt,
  type Refund,
  refundPending,
  refundsOf,
  type Sale,
  STATED_REASONS,
} from '#domain';
import { described } from '../../kit/contract/described.ts';
import { nullable, nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { END_REASONS, nameEndReason, paymentUrlOf, type SaleSource } from './sale-answer-parts.ts';

export const refundPendingShape = reaisShape({
  description: 'Quanto do que se deve devolver ainda não saiu',
});

export const refund = described<Refund>('Refund')({
  by: [
    Type.Enum(['gateway', 'channel'], { description: 'Quem devolve: quem recebeu' }),
    ({ by }) => by,
  ],
  method: [nullableText('Como foi pago; nulo se não se sabe'), ({ method }) => method ?? null],
  amount: [reaisShape(), ({ amount }) => inReais(amount)],
  status: [
    Type.Enum(['due', 'ordered', 'waiting_payer', 'barred', 'undone', 'done'], {
      description:
        'due: a pedir a partir de due_on; ordered: pedida; waiting_payer: quem pagou informa uma conta em url; barred: não pode ser pedida agora (reason); undone: foi desfeita, e é pedida de novo; done: saiu',
    }),
    ({ status }) => status,
  ],
  reason: [
    Type.Optional(
      Type.Enum(['dispute', 'paid_in_cash', 'whole_only'], {
        description:
          'Só em barred: contestação no banco; recebido em dinheiro; o gateway só devolve o todo',
      }),
    ),
    ({ reason }) => reason,
  ],
  due_on: [Type.String({ format: 'date' }), ({ dueOn }) => dueOn],
  ordered_at: [
    nullableText('Quando se soube do pedido; nulo se não há, ou não se sabe'),
    ({ orderedAt }) => orderedAt ?? null,
  ],
  confirmed_at: [
    nullableText('Quando se soube que saiu; nulo enquanto não sai'),
    ({ confirmedAt }) => confirmedAt ?? null,
  ],
  url: [
    Type.Optional(Type.String({ description: 'Onde quem pagou informa a conta' })),
    ({ url }) => url,
  ],
  refused: [
    Type.Optional(
      Type.Object(
        { times: Type.Integer(), last_at: Type.String() },
        { description: 'Só em due: o gateway recusou o pedido' },
      ),
    ),
    ({ refused }) => refused && { times: refused.times, last_at: refused.lastAt },
  ],
});

const dispute = described<NonNullable<Receipt['dispute']>>('Dispute')({
  status: [Type.Enum(['opened', 'won', 'lost']), ({ status }) => status],
  opened_at: [Type.String(), ({ openedAt }) => openedAt],
  respond_by: [
    nullableText('O último dia para responder ao banco; nulo se não se sabe'),
    ({ respondBy }) => respondBy ?? null,
  ],
  amount: [reaisShape(), ({ amount }) => inReais(amount)],
});

/** What everyone is shown of a cancellation. */
export const saleCancellation = described<EndedByCancellation>('SaleCancellation')({
  protocol: [Type.String(), (sale) => protocolOf(sale) as string],
  reason: [
    Type.Enum([...new Set([...STATED_REASONS, ...END_REASONS])], {
      description: 'O motivo informado no cancelamento; sem ele, o que o serviço calculou',
    }),
    ({ cancellation: { stated, reason } }) => stated?.reason ?? nameEndReason(reason),
  ],
  at: [Type.String(), ({ cancelledAt }) => cancelledAt],
  by: [Type.Enum(['insured', 'insurer']), ({ cancellation }) => cancellation.by],
  refund_total: [
    reaisShape({ description: 'O que se deve devolver ao segurado; refunds diz quem devolve' }),
    ({ cancellation }) => inReais(cancellation.refund.total),
  ],
});

/** What happens to the money of a sale after it came. */
export const moneyAfterSale = described<SaleSource>()({
  cancellation: [
    nullable(saleCancellation.schema, 'Nulo se não foi cancelada'),
    ({ sale }) => (isCancelled(sale) ? saleCancellation.present(sale) : null),
  ],
  refund_pending: [refundPendingShape, ({ sale }) => inReais(refundPending(sale))],
  refunds: [
    Type.Array(refund.schema, { description: 'O que volta, ou voltou, por cobrança' }),
    ({ sale }) => refundsOf(sale).map(refund.present),
  ],
  dispute: [
    nullable(dispute.schema, 'A contestação do pagamento no banco (chargeback); nulo se não houve'),
    ({ sale }) => {
      const found = disputeOf(sale);
      return found === undefined ? null : dispute.present(found);
    },
  ],
}).fields;

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
