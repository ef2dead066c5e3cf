import Type, { type Static } from 'typebox';
import { isRefusal } from '#domain';
import type { DecidePayment, Decision } from '../../../application/collection/decide-payment.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import type { InspectSale } from '../../../application/servicing/inspect-sale.ts';
import { invalidFields } from '../contract/answer-error.ts';
import {
  answerData,
  dataAnswer,
  standardErrorSchema,
  TRANSACTION_NOT_FOUND,
} from '../contract/answer-shapes.ts';
import { readCents } from '../contract/domain-values.ts';
import { faultAt } from '../contract/field-faults.ts';
import { text } from '../contract/formats.ts';
import { refusalError } from '../contract/refusal-answers.ts';
import { compileReader } from '../contract/validation.ts';
import { actorOf, type Handler } from '../pipeline/context.ts';
import { ADMIN_ROUTE, type Route } from '../pipeline/route.ts';
import { findKnownTransaction } from './find-transaction.ts';
import { inspectedTransactionShape, presentInspected } from './transaction-shapes.ts';

const decisionBody = Type.Object(
  {
    decision: Type.Enum(['accept', 'return', 'returned'], {
      description:
        'accept: o que veio paga a venda; return: volta inteiro, e a venda é recusada; returned: uma pessoa já devolveu amount, que o gateway não pode devolver',
    }),
    amount: Type.Optional(
      Type.Number({ format: 'money', exclusiveMinimum: 0, description: 'Só com returned' }),
    ),
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

const decisionOf = ({ decision, amount }: Static<typeof decisionBody>): Decision => {
  if ((decision === 'returned') !== (amount !== undefined))
    throw invalidFields(
      amount === undefined
        ? faultAt('amount', 'required', 'O campo amount é obrigatório com returned.')
        : faultAt('amount', 'contradicts', 'O campo amount só pode ser enviado com returned.'),
    );
  return decision === 'returned'
    ? { kind: decision, amount: readCents(amount ?? 0) }
    : { kind: decision };
};

/** What an administrator decides about money that only a person can decide about. */
export const createPaymentDecisionRoutes = (parts: PaymentDecisionParts): readonly Route[] => {
  const { sales, decidePayment, inspectSale } = parts;

  const decideAboutPayment: Handler = async function decideAboutPayment(ctx) {
    const body = readDecision(ctx.request.body as object) as Static<typeof decisionBody>;
    const [decision, { note }] = [decisionOf(body), body];
    const sale = await findKnownTransaction(sales, ctx);
    const decided = await decidePayment({ sale, decision, note, actor: actorOf(ctx) });
    if (isRefusal(decided)) throw refusalError(decided);
    answerData(ctx, presentInspected(await inspectSale(decided)));
  };

  return [
    {
      ...ADMIN_ROUTE,
      method: 'post',
      path: '/admin/transactions/{id}/payment-decision',
      operationId: 'decidePayment',
      summary: 'Decide sobre um pagamento menor que o preço, ou anota o que voltou por fora',
      description:
        'De uma venda cujo next é decide_payment. accept: a venda segue como paga, pelo preço, e quem aceita arca com a diferença; se for cancelada depois, volta no máximo o que veio. return: o que veio volta inteiro, e a venda é recusada. Sem decisão, volta depois de três dias úteis bancários. returned: com next return_money, anota amount, que uma pessoa devolveu: o que foi recebido em dinheiro, ou parte de um boleto. Antes, o gateway é consultado de novo.',
      body: decisionBody,
      answers: {
        200: {
          description: 'A venda, depois da decisão',
          schema: dataAnswer(inspectedTransactionShape),
        },
        ...TRANSACTION_NOT_FOUND,
        409: {
          description:
            'Não há o que decidir (nothing_to_decide), ou em processamento (still_running)',
          schema: standardErrorSchema,
        },
      },
      handle: decideAboutPayment,
    },
  ];
};
