import Type from 'typebox';
import type { Sale } from '#domain';
import {
  MOST_COPIES,
  type RequestSecondCopy,
} from '../../../application/mail/request-second-copy.ts';
import { refused } from '../contract/answer-error.ts';
import { type Context, callerOf } from '../pipeline/context.ts';
import { conflictSchema, houseErrorSchema } from '../contract/answer-shapes.ts';
import { tooMany } from '../pipeline/rate-limits.ts';
import { BY_HEADER, conflict } from './idempotency.ts';

/** Why there is nothing to send. */
const reasonOf = ({ status }: Sale): string => {
  if (status === 'cancelled' || status === 'refunded')
    return 'A transação foi cancelada; não há bilhete a enviar.';
  if (status === 'paid') return 'A apólice desta transação ainda está em emissão.';
  return 'A transação não está paga; não há bilhete a enviar.';
};

const secondCopyAnswer = Type.Object({ success: Type.Literal(true), message: Type.String() });

export const SECOND_COPY_ANSWERS = {
  200: { description: 'Segunda via enviada', schema: secondCopyAnswer },
  404: { description: 'Transação não encontrada', schema: houseErrorSchema },
  409: {
    description: 'Transação cancelada ou não paga, ou Idempotency-Key já usada para outra',
    schema: conflictSchema,
  },
};

/** What the requests that bring a key say, apart from the sale that they name. */
const NOTHING = Type.Object({ transaction_id: Type.Optional(Type.Integer()) });

/** Has a second copy of a sale's certificate mailed. @throws Refused where there is none, or too many were asked for. */
export const secondCopyOf =
  (requestSecondCopy: RequestSecondCopy) =>
  async (ctx: Context, sale: Sale): Promise<void> => {
    const named = BY_HEADER.of(ctx, NOTHING, {}, () => '');
    const outcome = await requestSecondCopy(
      sale,
      named && { clientId: callerOf(ctx).clientId, key: named.key },
    );
    if (outcome.kind === 'not_certified') throw refused(409, reasonOf(sale));
    if (outcome.kind === 'too_many')
      throw tooMany(
        `São enviadas no máximo ${MOST_COPIES} segundas vias por transação e hora.`,
        outcome.waitFor,
      );
    if (outcome.kind === 'conflict') {
      const difference = { path: 'transaction_id', stored: outcome.saleId, received: sale.id };
      throw conflict(BY_HEADER, outcome.saleId, [difference], [NOTHING]);
    }
    if (outcome.kind === 'repeated') ctx.set('Idempotent-Replayed', 'true');
    const paper = sale.terms.payment.collectedBy === 'channel' ? 'do bilhete' : 'da apólice';
    ctx.body = {
      success: true,
      message: `A segunda via ${paper} foi enviada para o e-mail cadastrado na transação.`,
    };
  };
