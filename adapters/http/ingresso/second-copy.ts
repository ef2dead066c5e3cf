import Type from 'typebox';
import type { Sale } from '#domain';
import { MOST_COPIES, type RequestSecondCopy } from '../../../application/mail/request-second-copy.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import { refused } from '../answers.ts';
import { jsonBody } from '../body.ts';
import { callerOf, type Step } from '../context.ts';
import { conflictSchema, houseErrorSchema } from '../error-schemas.ts';
import { INVALID } from '../house-answers.ts';
import { tooMany } from '../limits.ts';
import { invalid } from '../query.ts';
import type { Route } from '../routes.ts';
import { BY_HEADER, conflict } from '../sales/idempotency.ts';
import { valueOr } from '../validation.ts';

export interface SecondCopyParts {
  readonly sales: Sales;
  readonly requestSecondCopy: RequestSecondCopy;
}

const secondCopyBody = Type.Object(
  { transaction_id: Type.Integer({ minimum: 1, maximum: 999_999_999_999_999, description: 'A transação da venda' }) },
  { title: 'SegundaVia' },
);

const secondCopyAnswer = Type.Object({ success: Type.Literal(true), message: Type.String() });

export const secondCopyRoute = (parts: SecondCopyParts, line: string, tag: string): Route => ({
  method: 'post',
  path: '/seguros/ingresso-protegido/segunda-via',
  summary: 'Envia a segunda via do bilhete ao e-mail cadastrado na transação',
  description: `No máximo ${MOST_COPIES} por transação e hora. A resposta vem quando o envio está garantido.`,
  tag,
  scope: 'sales',
  body: secondCopyBody,
  idempotent: true,
  answers: {
    200: { description: 'Segunda via enviada', schema: secondCopyAnswer },
    404: { description: 'Transação não encontrada', schema: houseErrorSchema },
    409: { description: 'Transação cancelada ou não paga, ou Idempotency-Key já usada para outra', schema: conflictSchema },
    ...INVALID,
  },
  steps: [jsonBody, secondCopy(parts, line)],
});

/** Why there is nothing to send. */
const reasonOf = ({ status }: Sale): string => {
  if (status === 'cancelled' || status === 'refunded') return 'A transação foi cancelada; não há bilhete a enviar.';
  if (status === 'paid') return 'A apólice desta transação ainda está em emissão.';
  return 'A transação não está paga; não há bilhete a enviar.';
};

function secondCopy({ sales, requestSecondCopy }: SecondCopyParts, line: string): Step {
  const bodyOf = valueOr(secondCopyBody, invalid);
  return async (ctx) => {
    const body = bodyOf(ctx.request.body as object);
    const { transaction_id: id } = body;
    const { clientId, channelLink } = callerOf(ctx);
    const named = BY_HEADER.of(ctx, secondCopyBody, body, () => '');
    const sale = channelLink === null ? undefined : await sales.find(channelLink, id);
    if (sale?.terms.product.line !== line) throw refused(404, 'Transação não encontrada.');
    const outcome = await requestSecondCopy(sale, named && { clientId, key: named.key });
    if (outcome.kind === 'not_certified') throw refused(409, reasonOf(sale));
    if (outcome.kind === 'too_many')
      throw tooMany(`São enviadas no máximo ${MOST_COPIES} segundas vias por transação e hora.`, outcome.waitFor);
    if (outcome.kind === 'conflict') {
      const difference = { path: 'transaction_id', stored: outcome.saleId, received: id };
      throw conflict(BY_HEADER, outcome.saleId, [difference], [secondCopyBody]);
    }
    if (outcome.kind === 'repeated') ctx.set('Idempotent-Replayed', 'true');
    ctx.body = { success: true, message: 'A segunda via do bilhete foi enviada para o e-mail cadastrado na transação.' };
  };
}
