import Type, { type Static, type TSchema } from 'typebox';
import {
  type CancellationFigures,
  centsFromNumber,
  type EndedByCancellation,
  isRefusal,
  refundPending,
  STATED_REASONS,
  type StatedReason,
} from '#domain';
import type { CancelRefusal, CancelSale } from '../../../application/servicing/cancel-sale.ts';
import { invalidFields, notFound } from '../../kit/contract/answer-error.ts';
import {
  answerData,
  dataAnswer,
  errorSchema,
  TRANSACTION_NOT_FOUND,
} from '../../kit/contract/answer-shapes.ts';
import { described } from '../../kit/contract/described.ts';
import { type FieldFaults, faultAt } from '../../kit/contract/field-faults.ts';
import { text } from '../../kit/contract/formats.ts';
import { refusalError } from '../../kit/contract/refusal-answers.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { compileValidator } from '../../kit/contract/validation.ts';
import { actorOf, type Handler } from '../../kit/web/pipeline/context.ts';
import type { FindSale } from './find-named-sale.ts';
import { refundPendingShape } from './money-after-sale.ts';
import {
  amounts,
  END_REASONS,
  nameEndReason,
  protocol,
  type SaleSource,
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
  reason: Type.Optional(
    Type.Enum(STATED_REASONS, { description: 'Por que se cancela; não muda a devolução' }),
  ),
  reasonText: Type.Optional(
    text(500, { description: 'Em palavras; obrigatório com other. Aparece só na prova da venda' }),
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

interface CancellationSource extends SaleSource {
  readonly figures: CancellationFigures;
  /** Whether nothing was changed. */
  readonly preview: boolean;
}

const ending = described<CancellationSource>()({
  reason: [Type.Enum(END_REASONS), ({ figures }) => nameEndReason(figures.reason)],
  by: [Type.Enum(['insured', 'insurer']), ({ figures }) => figures.by],
  on: [Type.String(), ({ figures }) => figures.on],
  used_days: [Type.Integer(), ({ figures }) => figures.usedDays],
  total_days: [Type.Integer(), ({ figures }) => figures.totalDays],
  paid: [amounts.schema, ({ figures }) => amounts.present(figures.paid)],
  kept: [amounts.schema, ({ figures }) => amounts.present(figures.kept)],
  refund: [amounts.schema, ({ figures }) => amounts.present(figures.refund)],
  refund_by: [
    Type.Enum(['service', 'channel'], {
      description: 'Quem devolve: quem recebeu o pagamento',
    }),
    ({ sale }) => sale.terms.payment.collectedBy,
  ],
  refund_pending: [
    refundPendingShape,
    ({ sale, figures }) =>
      inReais('cancellation' in sale ? refundPending(sale) : figures.refund.total),
  ],
});

export const cancellation = described<CancellationSource>('Cancellation')({
  transaction_id: [Type.Integer(), ({ sale }) => sale.id],
  ticket: [Type.String(), ({ sale }) => sale.ticket],
  status_id: [Type.Integer(), ({ sale }) => statusIdOf(sale)],
  status: [Type.String(), ({ sale }) => sale.status],
  preview: [Type.Boolean(), ({ preview }) => preview],
  ...protocol,
  cancellation: [ending.schema, ending.present],
});

/** The answer about a sale that has been cancelled. */
export const presentCancelled = (sale: EndedByCancellation) =>
  cancellation.present({ sale, figures: sale.cancellation, preview: false });

export const CANCELLATION_ANSWERS = {
  200: {
    description: 'Cancelada; ou, com preview, o que o cancelamento daria hoje',
    schema: dataAnswer(cancellation.schema),
  },
  ...TRANSACTION_NOT_FOUND,
  409: {
    description:
      'Já encerrada de outra forma, em processamento, ou devolução diferente da prévia (refund_total: a de agora)',
    schema: errorSchema('CancellationConflict', { refund_total: Type.Optional(reaisShape()) }),
  },
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
  const validate = compileValidator(schema);

  return async function cancelFoundSale(ctx) {
    const sale = await findSale(ctx);
    const checked = validate(ctx.request.body as object);
    const reasonFaults = findReasonFaults(checked.sound as Why);
    if (!checked.ok || Object.keys(reasonFaults).length > 0)
      throw invalidFields({ ...reasonFaults, ...checked.faults });
    const {
      preview: isPreview = false,
      refundTotal,
      by = 'insured',
      ...why
    } = checked.value as Static<typeof adminCancellationBody>;
    if (sale === undefined) throw notFound('Transação não encontrada.');
    if (isPreview) {
      const figures = await preview(sale, by);
      if (isRefusal(figures)) throw refusalError(figures);
      return answerData(ctx, cancellation.present({ sale, figures, preview: true }));
    }

    const expectedRefund = refundTotal === undefined ? undefined : centsFromNumber(refundTotal);
    const stated = statedIn(why);
    const outcome = await cancel({ sale, by, expectedRefund, stated, actor: actorOf(ctx) });
    if (isRefusal(outcome)) throw refusalError(outcome, fieldsOfRefusal(outcome));
    const { id: saleId } = sale;
    if (!('cancellation' in sale))
      ctx.state.effect = { effect: { kind: 'cancelled' }, saleId, replayed: false };
    answerData(ctx, presentCancelled(outcome));
  };
};

type Why = Pick<Static<typeof cancellationBody>, 'reason' | 'reasonText'>;

const statedIn = ({ reason, reasonText: words }: Why): StatedReason | undefined =>
  reason && { reason, ...(words !== undefined && { text: words }) };

const findReasonFaults = ({ reason, reasonText: words }: Why): FieldFaults => {
  if (reason === 'other' && words === undefined)
    return faultAt('reasonText', 'required', 'O campo reasonText é obrigatório com reason other.');
  return reason === undefined && words !== undefined
    ? faultAt('reason', 'required', 'O campo reason é obrigatório com reasonText.')
    : {};
};

/** The refund as it is now, if the caller expected another one. */
const fieldsOfRefusal = (refusal: CancelRefusal): object =>
  refusal.kind === 'refund_differs' ? { refund_total: inReais(refusal.figures.refund.total) } : {};
