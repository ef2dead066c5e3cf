import Type, { type Static, type TSchema } from 'typebox';
import type { Sale } from '#domain';
import {
  MOST_COPIES,
  type RequestSecondCopy,
} from '../../../application/servicing/request-second-copy.ts';
import { notFound, standardError } from '../../kit/contract/answer-error.ts';
import {
  conflictSchema,
  standardErrorSchema,
  TRANSACTION_NOT_FOUND,
} from '../../kit/contract/answer-shapes.ts';
import { closedObject } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { compileReader } from '../../kit/contract/validation.ts';
import { actorOf, type Context, callerOf, type Handler } from '../../kit/web/pipeline/context.ts';
import { tooManyRequests } from '../../kit/web/pipeline/rate-limits.ts';
import { conflictError, readKeyHeader } from './idempotency.ts';

/** Why the sale has no document to send. */
const describeMissingDocument = ({ status }: Sale): string => {
  if (status === 'cancelled' || status === 'refunded')
    return 'A transação foi cancelada; não há bilhete a enviar.';
  if (status === 'paid') return 'A apólice desta transação ainda está em emissão.';
  return 'A transação não está paga; não há bilhete a enviar.';
};

/** The path names the sale. */
export const secondCopyBody = closedObject({});

const secondCopyAnswer = namedObject('SecondCopyAnswer', {
  success: Type.Literal(true),
  message: Type.String(),
});

export const SECOND_COPY_ANSWERS = {
  200: { description: 'Segunda via enviada', schema: secondCopyAnswer },
  ...TRANSACTION_NOT_FOUND,
  409: {
    name: 'SecondCopyConflict',
    description: 'Transação cancelada ou não paga, ou Idempotency-Key já usada para outra',
    schema: Type.Union([conflictSchema, standardErrorSchema]),
  },
};

/** The content of a request is its sale. A repeated key must come with the same sale. */
const SECOND_COPY_CONTENT = Type.Object({ transaction_id: Type.Optional(Type.Integer()) });

/**
 * Mails a second copy of a sale's document.
 *
 * @param schema of the body
 * @throws AnswerError if the sale has no document, or too many copies were requested
 */
export const sendSecondCopy = <Schema extends TSchema>(
  schema: Schema,
  requestSecondCopy: RequestSecondCopy,
  findSale: (ctx: Context, body: Static<Schema>) => Promise<Sale | undefined>,
): Handler => {
  const readBody = compileReader(schema);

  return async function sendSecondCopy(ctx) {
    const sale = await findSale(ctx, readBody(ctx.request.body as object));
    if (sale === undefined) throw notFound('Transação não encontrada.');

    const key = readKeyHeader(ctx);
    const outcome = await requestSecondCopy(
      sale,
      actorOf(ctx),
      key === undefined ? undefined : { clientId: callerOf(ctx).clientId, key },
    );
    if (outcome.kind === 'not_certified')
      throw standardError(409, 'second_copy_unavailable', describeMissingDocument(sale));
    if (outcome.kind === 'too_many')
      throw tooManyRequests(
        `São enviadas no máximo ${MOST_COPIES} segundas vias por transação e hora.`,
        outcome.waitFor,
      );
    if (outcome.kind === 'conflict') {
      const difference = { path: 'transaction_id', stored: outcome.saleId, received: sale.id };
      const conflict = {
        owner: 'client',
        saleId: outcome.saleId,
        differences: [difference],
      } as const;
      throw conflictError(conflict, [SECOND_COPY_CONTENT]);
    }
    if (outcome.kind === 'repeated') ctx.set('Idempotent-Replayed', 'true');
    const document = sale.terms.payment.collectedBy === 'channel' ? 'do bilhete' : 'da apólice';
    ctx.body = {
      success: true,
      message: `A segunda via ${document} foi enviada para o e-mail cadastrado na transação.`,
    };
  };
};
