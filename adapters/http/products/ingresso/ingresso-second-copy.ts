import Type from 'typebox';
import {
  MOST_COPIES,
  type RequestSecondCopy,
} from '../../../../application/mail/request-second-copy.ts';
import type { Sales } from '../../../../application/sales/sales.ts';
import { refused } from '../../contract/answer-error.ts';
import { jsonBody } from '../../pipeline/request-body.ts';
import { callerOf, type Step } from '../../pipeline/context.ts';
import { INVALID } from '../../contract/house-answers.ts';
import { invalid } from '../../pipeline/request-query.ts';
import type { Route } from '../../pipeline/route.ts';
import { SECOND_COPY_ANSWERS, secondCopyOf } from '../../sales/second-copy.ts';
import { valueOr } from '../../contract/validation.ts';

export interface SecondCopyParts {
  readonly sales: Sales;
  readonly requestSecondCopy: RequestSecondCopy;
}

const secondCopyBody = Type.Object(
  {
    transaction_id: Type.Integer({
      minimum: 1,
      maximum: 999_999_999_999_999,
      description: 'A transação da venda',
    }),
  },
  { title: 'SegundaVia' },
);

export const secondCopyRoute = (parts: SecondCopyParts, line: string, tag: string): Route => ({
  method: 'post',
  path: '/seguros/ingresso-protegido/segunda-via',
  summary: 'Envia a segunda via do bilhete ao e-mail cadastrado na transação',
  description: `No máximo ${MOST_COPIES} por transação e hora. A resposta vem quando o envio está garantido.`,
  tag,
  scope: 'sales',
  body: secondCopyBody,
  idempotent: true,
  answers: { ...SECOND_COPY_ANSWERS, ...INVALID },
  steps: [jsonBody, secondCopy(parts, line)],
});

function secondCopy({ sales, requestSecondCopy }: SecondCopyParts, line: string): Step {
  const bodyOf = valueOr(secondCopyBody, invalid);
  const answer = secondCopyOf(requestSecondCopy);
  return async (ctx) => {
    const { transaction_id: id } = bodyOf(ctx.request.body as object);
    const { channelLink } = callerOf(ctx);
    const sale = channelLink === null ? undefined : await sales.find(channelLink, id);
    if (sale?.terms.product.line !== line) throw refused(404, 'Transação não encontrada.');
    await answer(ctx, sale);
  };
}
