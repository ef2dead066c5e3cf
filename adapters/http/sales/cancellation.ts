import Type, { type Static, type TSchema } from 'typebox';
import {
  type CancellationFigures,
  centsFromNumber,
  isRefusal,
  refundPending,
  type Sale,
} from '#domain';
import type { CancelRefusal, CancelSale } from '../../../application/servicing/cancel-sale.ts';
import { notFound } from '../../kit/contract/answer-error.ts';
import {
  answerData,
  dataAnswer,
  errorSchema,
  TRANSACTION_NOT_FOUND,
} from '../../kit/contract/answer-shapes.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { refusalError } from '../../kit/contract/refusal-answers.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { compileReader } from '../../kit/contract/validation.ts';
import { actorOf, type Handler } from '../../kit/web/pipeline/context.ts';
import type { FindSale } from './find-named-sale.ts';
import { refundPendingShape } from './money-after-sale.ts';
import {
  amountsShape,
  presentAmounts,
  presentEndReason,
  presentProtocol,
  protocolShape,
  statusIdOf,
} from './sale-answer-parts.ts';

const orderFields = {
  preview: Type.Optional(Type.Boolean({ description: 'true: só mostra os valores, nada muda' })),
  refundTotal: Type.Optional(
    Type.Number({
      format: 'money',
      minimum: 0,
      description: 'Devolução mostrada na prévia; outra agora: 409, nada muda',
    }),
  ),
};

export const cancellationBody = Type.Object(orderFields, {
  additionalProperties: false,
  title: 'CancellationRequest',
});

export const adminCancellationBody = Type.Object(
  {
    ...orderFields,
    by: Type.Optional(
      Type.Enum(['insured', 'insurer'], {
        description: 'Quem encerra o contrato. Padrão: insured',
      }),
    ),
  },
  { additionalProperties: false, title: 'AdminCancellationRequest' },
);

export const cancellationAnswer = namedObject('Cancellation', {
  transaction_id: Type.Integer(),
  ticket: Type.String(),
  status_id: Type.Integer(),
  status: Type.String(),
  preview: Type.Boolean(),
  ...protocolShape,
  cancellation: Type.Object({
    reason: Type.Enum([
      'not_paid',
      'withdrawal',
      'cancellation',
      'not_issued',
      'chargeback',
      'payment_lost',
    ]),
    by: Type.Enum(['insured', 'insurer']),
    on: Type.String(),
    used_days: Type.Integer(),
    total_days: Type.Integer(),
    paid: amountsShape,
    kept: amountsShape,
    refund: amountsShape,
    refund_by: Type.Enum(['service', 'channel'], {
      description: 'Quem devolve: quem recebeu o pagamento',
    }),
    refund_pending: refundPendingShape,
  }),
});

export const CANCELLATION_ANSWERS = {
  200: {
    description: 'Cancelada; ou, com preview, o que o cancelamento daria hoje',
    schema: dataAnswer(cancellationAnswer),
  },
  ...TRANSACTION_NOT_FOUND,
  409: {
    description:
      'Já encerrada de outra forma, em processamento, ou devolução diferente da prévia (refund_total: a de agora)',
    schema: errorSchema('CancellationConflict', { refund_total: Type.Optional(reaisShape()) }),
  },
};

/** @param preview whether nothing was changed */
export const presentCancellation = (
  sale: Sale,
  figures: CancellationFigures,
  preview: boolean,
): Static<typeof cancellationAnswer> => {
  const { reason, by, on, usedDays, totalDays } = figures;
  const { collectedBy } = sale.terms.payment;
  return {
    transaction_id: sale.id,
    ticket: sale.ticket,
    status_id: statusIdOf(sale),
    status: sale.status,
    preview,
    ...presentProtocol(sale),
    cancellation: {
      reason: presentEndReason(reason),
      by,
      on,
      used_days: usedDays,
      total_days: totalDays,
      paid: presentAmounts(figures.paid),
      kept: presentAmounts(figures.kept),
      refund: presentAmounts(figures.refund),
      refund_by: collectedBy,
      refund_pending: inReais('cancellation' in sale ? refundPending(sale) : figures.refund.total),
    },
  };
};

/**
 * Cancels a sale, or previews the refund.
 *
 * @param schema of the body
 */
export const cancelFoundSale = (
  schema: TSchema,
  { preview, cancel }: CancelSale,
  findSale: FindSale,
): Handler => {
  const readOrders = compileReader(schema);

  return async function cancelFoundSale(ctx) {
    const sale = await findSale(ctx);
    const {
      preview: isPreview = false,
      refundTotal,
      by = 'insured',
    } = readOrders(ctx.request.body as object) as Static<typeof adminCancellationBody>;
    if (sale === undefined) throw notFound('Transação não encontrada.');
    if (isPreview) {
      const figures = await preview(sale, by);
      if (isRefusal(figures)) throw refusalError(figures);
      return answerData(ctx, presentCancellation(sale, figures, true));
    }

    const expectedRefund = refundTotal === undefined ? undefined : centsFromNumber(refundTotal);
    const outcome = await cancel({ sale, by, expectedRefund, actor: actorOf(ctx) });
    if (isRefusal(outcome)) throw refusalError(outcome, fieldsOfRefusal(outcome));
    const { id: saleId } = sale;
    if (!('cancellation' in sale))
      ctx.state.effect = { effect: { kind: 'cancelled' }, saleId, replayed: false };
    answerData(ctx, presentCancellation(outcome, outcome.cancellation, false));
  };
};

/** The refund as it is now, if the caller expected another one. */
const fieldsOfRefusal = (refusal: CancelRefusal): object =>
  refusal.kind === 'refund_differs' ? { refund_total: inReais(refusal.figures.refund.total) } : {};
