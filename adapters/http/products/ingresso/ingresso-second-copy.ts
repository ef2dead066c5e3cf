import Type from 'typebox';
import type { Sales } from '../../../../application/sales/sales.ts';
import {
  MOST_COPIES,
  type RequestSecondCopy,
} from '../../../../application/servicing/request-second-copy.ts';
import { invalidFields, notFound } from '../../contract/answer-error.ts';
import { compileReader } from '../../contract/validation.ts';
import { callerOf, type Handler } from '../../pipeline/context.ts';
import type { Route } from '../../pipeline/route.ts';
import { SECOND_COPY_ANSWERS, sendSecondCopy } from '../../sales/second-copy.ts';

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
  { title: 'IngressoSecondCopy' },
);

export const createSecondCopyRoute = (
  parts: SecondCopyParts,
  line: string,
  tag: Route['tag'],
): Route => ({
  method: 'post',
  path: '/seguros/ingresso-protegido/segunda-via',
  operationId: 'sendIngressoSecondCopy',
  summary: 'Envia a segunda via do bilhete ao e-mail cadastrado na transação',
  description: `No máximo ${MOST_COPIES} por transação e hora. A resposta vem quando o envio está garantido. Com Idempotency-Key, repetir não envia outra.`,
  tag,
  scope: 'sales',
  body: secondCopyBody,
  idempotent: true,
  answers: SECOND_COPY_ANSWERS,
  handle: copyDocument(parts, line),
});

function copyDocument({ sales, requestSecondCopy }: SecondCopyParts, line: string): Handler {
  const readBody = compileReader(secondCopyBody, invalidFields);
  const sendAndAnswer = sendSecondCopy(requestSecondCopy);

  return async function copyDocument(ctx) {
    const { transaction_id: id } = readBody(ctx.request.body as object);
    const { channelLink } = callerOf(ctx);
    const sale = channelLink === null ? undefined : await sales.find(channelLink, id);
    if (sale?.terms.product.line !== line) throw notFound('Transação não encontrada.');
    return sendAndAnswer(ctx, sale);
  };
}
