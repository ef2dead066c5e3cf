import Type, { type Static } from 'typebox';
import { isRefusal } from '#domain';
import type { DecidePayment } from '../../../application/payments/decide-payment.ts';
import type { InspectSale } from '../../../application/sales/inspect-sale.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import { invalidFields, notFound } from '../contract/answer-error.ts';
import {
  answerData,
  dataAnswer,
  INVALID_FIELDS_ANSWER,
  standardErrorSchema,
} from '../contract/answer-shapes.ts';
import { text } from '../contract/formats.ts';
import { refusalError } from '../contract/refusal-answers.ts';
import { compileReader } from '../contract/validation.ts';
import { actorOf, type Step } from '../pipeline/context.ts';
import { readJsonBody } from '../pipeline/request-body.ts';
import { ADMIN_ROUTE, type Route } from '../pipeline/route.ts';
import { findTransaction } from './find-transaction.ts';
import { inspectedTransactionShape, presentInspected } from './transaction-shapes.ts';

const decisionBody = Type.Object(
  {
    decision: Type.Enum(['accept', 'return'], {
      description: 'accept: o que veio paga a venda; return: volta inteiro, e a venda é recusada',
    }),
    note: text(500, {
      description: 'Por quê: só para o registro de auditoria, sem dados pessoais',
    }),
  },
  { additionalProperties: false, title: 'PaymentDecision' },
);

const readDecision = compileReader(decisionBody, invalidFields);

export interface PaymentDecisionParts {
  readonly sales: Sales;
  readonly decidePayment: DecidePayment;
  readonly inspectSale: InspectSale;
}

/** What an administrator decides about money that is less than the price. */
export const createPaymentDecisionRoute = (parts: PaymentDecisionParts): Route => {
  const { sales, decidePayment, inspectSale } = parts;

  const decideAboutPayment: Step = async function decideAboutPayment(ctx) {
    const { decision, note } = readDecision(ctx.request.body as object) as Static<
      typeof decisionBody
    >;
    const sale = await findTransaction(sales, ctx);
    if (sale === undefined) throw notFound('Transação não encontrada.');
    const decided = await decidePayment({ sale, decision, note, actor: actorOf(ctx) });
    if (isRefusal(decided)) throw refusalError(decided);
    answerData(ctx, presentInspected(await inspectSale(decided)));
  };

  return {
    ...ADMIN_ROUTE,
    method: 'post',
    path: '/admin/transactions/{id}/payment-decision',
    operationId: 'decidePayment',
    summary: 'Decide sobre um pagamento menor que o preço',
    description:
      'De uma venda cujo next é decide_payment. accept: a venda segue como paga, pelo preço, e quem aceita arca com a diferença; se for cancelada depois, volta no máximo o que veio. return: o que veio volta inteiro, e a venda é recusada. Sem decisão, volta depois de três dias úteis bancários. Antes, o gateway é consultado de novo.',
    body: decisionBody,
    answers: {
      200: {
        description: 'A venda, depois da decisão',
        schema: dataAnswer(inspectedTransactionShape),
      },
      404: {
        name: 'TransactionNotFound',
        description: 'Transação não encontrada',
        schema: standardErrorSchema,
      },
      409: {
        description:
          'Não há o que decidir (nothing_to_decide), ou em processamento (still_running)',
        schema: standardErrorSchema,
      },
      ...INVALID_FIELDS_ANSWER,
    },
    steps: [readJsonBody, decideAboutPayment],
  };
};
