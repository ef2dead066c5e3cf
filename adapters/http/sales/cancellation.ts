import Type, { type Static, type TSchema } from 'typebox';
import {
  type CancellationFigures,
  type Cents,
  centsFromNumber,
  outstandingRefunds,
  reais,
  type Sale,
} from '#domain';
import type { CancelSale } from '../../../application/sales/cancel-sale.ts';
import { type Refused, refused } from '../contract/answer-error.ts';
import { actorOf, type Context } from '../pipeline/context.ts';
import { houseErrorSchema } from '../contract/answer-shapes.ts';
import { answerWith, INVALID, wrapped } from '../contract/house-answers.ts';
import { invalid } from '../pipeline/request-query.ts';
import { valueOr } from '../contract/validation.ts';
import { amountsOf, amountsShape, busy, statusId } from './sale-answer-parts.ts';

const orders = {
  preview: Type.Optional(Type.Boolean({ description: 'true: só mostra os valores, nada muda' })),
  refundTotal: Type.Optional(
    Type.Number({
      format: 'money',
      minimum: 0,
      description: 'Devolução mostrada na prévia; outra agora: 409, nada muda',
    }),
  ),
};

export const cancellationBody = Type.Object(orders, {
  additionalProperties: false,
  title: 'Cancelamento',
});

export const adminCancellationBody = Type.Object(
  {
    ...orders,
    by: Type.Optional(
      Type.Enum(['insured', 'insurer'], {
        description: 'Quem encerra o contrato. Padrão: insured',
      }),
    ),
  },
  { additionalProperties: false, title: 'CancelamentoAdministrativo' },
);

const cancelled = Type.Object({
  transaction_id: Type.Integer(),
  ticket: Type.String(),
  status_id: Type.Integer(),
  status: Type.String(),
  preview: Type.Boolean(),
  cancellation: Type.Object({
    reason: Type.Enum(['not_paid', 'withdrawal', 'cancellation', 'not_issued', 'charged_back']),
    by: Type.Enum(['insured', 'insurer']),
    on: Type.String(),
    used_days: Type.Integer(),
    total_days: Type.Integer(),
    ...{ paid: amountsShape, kept: amountsShape, refund: amountsShape },
    refund_by: Type.Enum(['service', 'channel'], {
      description: 'Quem devolve: quem recebeu o pagamento',
    }),
    refund_pending: Type.Number({ description: 'Quanto da devolução ainda não foi feito' }),
  }),
});

export const CANCELLATION_ANSWERS = {
  200: {
    description: 'Cancelada; ou, com preview, o que o cancelamento daria hoje',
    schema: wrapped(cancelled),
  },
  404: { description: 'Transação não encontrada', schema: houseErrorSchema },
  409: {
    description:
      'Já encerrada de outra forma, em processamento, ou devolução diferente da prévia (refund_total: a de agora)',
    schema: Type.Object({
      ...houseErrorSchema.properties,
      refund_total: Type.Optional(Type.Number()),
    }),
  },
  ...INVALID,
};

const present = (
  sale: Sale,
  figures: CancellationFigures,
  preview: boolean,
): Static<typeof cancelled> => {
  const { reason, by, on, usedDays, totalDays } = figures;
  const { collectedBy } = sale.terms.payment;
  const pending = outstandingRefunds(sale).reduce((sum, { amount }) => sum + amount, 0) as Cents;
  return {
    ...{
      transaction_id: sale.id,
      ticket: sale.ticket,
      status_id: statusId(sale),
      status: sale.status,
      preview,
    },
    cancellation: {
      ...{ reason, by, on, used_days: usedDays, total_days: totalDays },
      ...{
        paid: amountsOf(figures.paid),
        kept: amountsOf(figures.kept),
        refund: amountsOf(figures.refund),
      },
      refund_by: collectedBy,
      refund_pending: reais('cancellation' in sale ? pending : figures.refund.total),
    },
  };
};

const REFUSALS = {
  ended: 'A transação já foi encerrada e não pode ser cancelada.',
  coverage_ended: 'A vigência já terminou: não há o que cancelar.',
  cancelled_before_sale: 'A venda ainda não tinha sido feita nesta data.',
  refund_differs: 'A devolução já não é a que a prévia mostrou. Peça uma nova prévia.',
} as const;

const conflict = (kind: keyof typeof REFUSALS, more: object = {}): Refused =>
  refused(409, REFUSALS[kind], more);

/** Cancels a sale that was found for its caller, or shows what that would give. */
export const cancelling = (schema: TSchema, { preview, cancel }: CancelSale) => {
  const ordersOf = valueOr(schema, invalid);
  return async (ctx: Context, sale: Sale | undefined): Promise<void> => {
    const {
      preview: only = false,
      refundTotal,
      by = 'insured',
    } = ordersOf(ctx.request.body as object) as Static<typeof adminCancellationBody>;
    if (sale === undefined) throw refused(404, 'Transação não encontrada.');
    if (only) {
      const figures = await preview(sale, by);
      if (typeof figures === 'string') throw conflict(figures);
      return answerWith(ctx, present(sale, figures, true));
    }
    const expectedRefund = refundTotal === undefined ? undefined : centsFromNumber(refundTotal);
    const outcome = await cancel({ sale, by, expectedRefund, actor: actorOf(ctx) });
    if (outcome.kind === 'busy')
      throw busy('A transação está sendo processada. Tente novamente em instantes.');
    if (outcome.kind === 'refused') throw conflict(outcome.reason);
    if (outcome.kind === 'refund_differs') {
      throw conflict('refund_differs', { refund_total: reais(outcome.figures.refund.total) });
    }
    if (outcome.kind === 'ended') throw conflict('ended');
    answerWith(ctx, present(outcome.sale, outcome.sale.cancellation, false));
  };
};
