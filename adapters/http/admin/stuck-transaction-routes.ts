import Type, { type Static } from 'typebox';
import { isRefusal } from '#domain';
import type { CancelSale } from '../../../application/sales/cancel-sale.ts';
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
import { cancellationAnswer, presentCancellation } from '../sales/cancellation.ts';
import { findTransaction } from './find-transaction.ts';

export interface StuckTransactionRouteParts {
  readonly sales: Sales;
  readonly cancelSale: CancelSale;
}

const NOT_FOUND_ANSWER = {
  name: 'TransactionNotFound',
  description: 'Transação não encontrada',
  schema: standardErrorSchema,
};

const givingUpBody = Type.Object(
  {
    reason: text(500, {
      description: 'Por que se desiste: só para o registro de auditoria, sem dados pessoais',
    }),
  },
  { additionalProperties: false, title: 'GivingUpRequest' },
);

const readGivingUp = compileReader(givingUpBody, invalidFields);

const createGiveUpRoute = ({ sales, cancelSale }: StuckTransactionRouteParts): Route => {
  const giveUpTransaction: Step = async function giveUpTransaction(ctx) {
    const body = readGivingUp(ctx.request.body as object) as Static<typeof givingUpBody>;
    const sale = await findTransaction(sales, ctx);
    if (sale === undefined) throw notFound('Transação não encontrada.');
    const outcome = await cancelSale.giveUp({ sale, reason: body.reason, actor: actorOf(ctx) });
    if (isRefusal(outcome)) throw refusalError(outcome);
    answerData(ctx, presentCancellation(outcome, outcome.cancellation, false));
  };

  return {
    ...ADMIN_ROUTE,
    method: 'post',
    path: '/admin/transactions/{id}/give-up',
    operationId: 'giveUpTransaction',
    summary: 'Desiste de uma venda que está parada: o dinheiro volta inteiro',
    description:
      'Só de uma venda paga ao serviço e ainda não emitida (pending, awaiting_payment, paid). É um cancelamento por parte da seguradora, com devolução de tudo: cobranças em aberto são retiradas, pagamentos são devolvidos, também os que chegarem depois, os papéis na seguradora são retirados, e o segurado recebe um e-mail. O que um provedor não fizer já, o serviço continua a pedir. O canal recebe sale.cancelled, sem o motivo. Repetir responde o mesmo.',
    body: givingUpBody,
    answers: {
      200: { description: 'Cancelada', schema: dataAnswer(cancellationAnswer) },
      404: NOT_FOUND_ANSWER,
      409: {
        description:
          'Emitida, terminada ou paga ao canal (nothing_to_give_up), ou em processamento (still_running)',
        schema: standardErrorSchema,
      },
      ...INVALID_FIELDS_ANSWER,
    },
    steps: [readJsonBody, giveUpTransaction],
  };
};

/** What an administrator does with a sale that is stuck. */
export const createStuckTransactionRoutes = (
  parts: StuckTransactionRouteParts,
): readonly Route[] => [createGiveUpRoute(parts)];
