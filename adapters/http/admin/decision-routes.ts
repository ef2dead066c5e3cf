import Type, { type Static } from 'typebox';
import { isRefusal, type Sale } from '#domain';
import type { DecidePayment, Decision } from '../../../application/collection/decide-payment.ts';
import {
  CALL_DAYS,
  type ProviderCallNotes,
} from '../../../application/providers/provider-calls.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import type { CancelSale } from '../../../application/servicing/cancel-sale.ts';
import { type InspectSale, MAX_SHOWN_CALLS } from '../../../application/servicing/inspect-sale.ts';
import type { RetrySale } from '../../../application/servicing/retry-sale.ts';
import { invalidFields } from '../../kit/contract/answer-error.ts';
import {
  answerData,
  dataAnswer,
  standardErrorSchema,
  TRANSACTION_NOT_FOUND,
} from '../../kit/contract/answer-shapes.ts';
import { readCents } from '../../kit/contract/domain-values.ts';
import { faultAt } from '../../kit/contract/field-faults.ts';
import { text } from '../../kit/contract/formats.ts';
import { closedNamedObject, namedObject } from '../../kit/contract/named-object.ts';
import { refusalError } from '../../kit/contract/refusal-answers.ts';
import { compileReader } from '../../kit/contract/validation.ts';
import { actorOf } from '../../kit/web/pipeline/context.ts';
import { catchUp } from '../../kit/web/pipeline/request-log.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';
import { cancellation, presentCancelled } from '../sales/cancellation.ts';
import { findKnownTransaction } from './transaction-routes.ts';
import { inspectedTransaction } from './transaction-shapes.ts';

export interface DecisionRouteParts {
  readonly sales: Sales;
  readonly cancelSale: CancelSale;
  readonly inspectSale: InspectSale;
  readonly retrySale: RetrySale;
  readonly decidePayment: DecidePayment;
  readonly providerCallNotes: ProviderCallNotes;
  /** The public URL, without `/api`. */
  readonly publicUrl: string;
}

const retriedTransactionShape = namedObject('RetriedTransaction', {
  outcome: Type.Enum(['settled', 'waiting', 'awaiting'], {
    description:
      'settled: nada falta; waiting: um provedor não fez a sua parte, e a tarefa continua; awaiting: falta o pagador ou o gateway',
  }),
  ...inspectedTransaction.schema.properties,
});

const givingUpBody = closedNamedObject('GivingUpRequest', {
  reason: text(500, {
    description: 'Por que se desiste: só para o registro de auditoria, sem dados pessoais',
  }),
});

const readGivingUp = compileReader(givingUpBody);

/** What an administrator does with a sale that is stuck, or whose money only a person can decide. */
export const createDecisionRoutes = (parts: DecisionRouteParts): readonly Route[] => {
  const { sales, inspectSale, retrySale, providerCallNotes, publicUrl } = parts;

  /** Inspects a sale, with what this process has noted until now, and presents it. */
  const inspectNow = async (sale: Sale) => {
    await catchUp(providerCallNotes);
    return inspectedTransaction.present({ ...(await inspectSale(sale)), publicUrl });
  };

  return [
    {
      ...ADMIN_ROUTE,
      method: 'get',
      path: '/admin/transactions/{id}',
      operationId: 'getTransaction',
      summary: 'Mostra uma venda de qualquer canal, e por que está parada, sem dados do segurado',
      description: `O que falta e de quem se espera, a tarefa que a continua, o dinheiro em valores, e o que gateway e seguradora responderam. provider_calls tem, das vendas que uma tarefa continua, todas as respostas, e das outras só as que faltaram: respostas iguais são contadas. Mostra até ${MAX_SHOWN_CALLS}, com atraso de até um segundo, por ${CALL_DAYS} dias.`,
      answers: {
        200: { description: 'A venda', schema: dataAnswer(inspectedTransaction.schema) },
        ...TRANSACTION_NOT_FOUND,
      },
      handle: async function showTransaction(ctx) {
        answerData(ctx, await inspectNow(await findKnownTransaction(sales, ctx)));
      },
    },
    {
      ...ADMIN_ROUTE,
      method: 'post',
      path: '/admin/transactions/{id}/retry',
      operationId: 'retryTransaction',
      summary: 'Tenta já o que falta a uma venda parada',
      description:
        'Pergunta aos provedores nesta requisição, sem esperar a pausa da tarefa, por até cerca de meio minuto. O que ainda falta depois, a tarefa continua. Sem nada a fazer, responde settled. Repetir não cobra nem devolve duas vezes.',
      answers: {
        200: {
          description: 'A venda, depois de tentar',
          schema: dataAnswer(retriedTransactionShape),
        },
        ...TRANSACTION_NOT_FOUND,
        409: { description: 'Em processamento (still_running)', schema: standardErrorSchema },
      },
      handle: async function retryTransaction(ctx) {
        const retried = await retrySale(await findKnownTransaction(sales, ctx), actorOf(ctx));
        if (isRefusal(retried)) throw refusalError(retried);
        answerData(ctx, { outcome: retried.outcome, ...(await inspectNow(retried.sale)) });
      },
    },
    createGiveUpRoute(parts),
    createPaymentDecisionRoute(parts),
  ];
};

const createGiveUpRoute = ({ sales, cancelSale }: DecisionRouteParts): Route => ({
  ...ADMIN_ROUTE,
  method: 'post',
  path: '/admin/transactions/{id}/give-up',
  operationId: 'giveUpTransaction',
  summary: 'Desiste de uma venda que está parada: o dinheiro volta inteiro',
  description:
    'Só de uma venda paga ao serviço e ainda não emitida (pending, awaiting_payment, paid). É um cancelamento por parte da seguradora, com devolução de tudo: cobranças em aberto são retiradas, pagamentos são devolvidos, também os que chegarem depois, os papéis na seguradora são retirados, e o segurado recebe um e-mail. O que um provedor não fizer já, o serviço continua a pedir. O canal recebe sale.cancelled, sem o motivo. Repetir responde o mesmo.',
  body: givingUpBody,
  answers: {
    200: { description: 'Cancelada', schema: dataAnswer(cancellation.schema) },
    ...TRANSACTION_NOT_FOUND,
    409: {
      description:
        'Emitida, terminada ou paga ao canal (nothing_to_give_up), ou em processamento (still_running)',
      schema: standardErrorSchema,
    },
  },
  handle: async function giveUpTransaction(ctx) {
    const { reason } = readGivingUp(ctx.request.body as object);
    const sale = await findKnownTransaction(sales, ctx);
    const outcome = await cancelSale.giveUp({ sale, reason, actor: actorOf(ctx) });
    if (isRefusal(outcome)) throw refusalError(outcome);
    answerData(ctx, presentCancelled(outcome));
  },
});

const decisionBody = closedNamedObject('PaymentDecision', {
  decision: Type.Enum(['accept', 'return', 'returned'], {
    description:
      'accept: o que veio, ou o que ficou, paga a venda; return: a venda termina, e o que há volta inteiro; returned: uma pessoa já devolveu amount por outro meio',
  }),
  amount: Type.Optional(
    Type.Number({ format: 'money', exclusiveMinimum: 0, description: 'Só com returned' }),
  ),
  protocol: Type.Optional(
    text(100, { description: 'Só com returned: como o banco chama a transferência' }),
  ),
  note: text(500, {
    description: 'Por quê: só para o registro de auditoria, sem dados pessoais',
  }),
});

const readDecision = compileReader(decisionBody);

const decisionOf = ({ decision, amount, protocol }: Static<typeof decisionBody>): Decision => {
  if ((decision === 'returned') !== (amount !== undefined))
    throw invalidFields(
      amount === undefined
        ? faultAt('amount', 'required', 'O campo amount é obrigatório com returned.')
        : faultAt('amount', 'contradicts', 'O campo amount só pode ser enviado com returned.'),
    );
  if (decision !== 'returned' && protocol !== undefined)
    throw invalidFields(
      faultAt('protocol', 'contradicts', 'O campo protocol só pode ser enviado com returned.'),
    );
  return decision === 'returned'
    ? {
        kind: decision,
        amount: readCents(amount ?? 0),
        ...(protocol !== undefined && { protocol }),
      }
    : { kind: decision };
};

const createPaymentDecisionRoute = ({
  sales,
  decidePayment,
  inspectSale,
  publicUrl,
}: DecisionRouteParts): Route => ({
  ...ADMIN_ROUTE,
  method: 'post',
  path: '/admin/transactions/{id}/payment-decision',
  operationId: 'decidePayment',
  summary:
    'Decide sobre um pagamento que falta ou é menor que o preço, ou anota o que voltou por fora',
  description:
    'De uma venda cujo next é decide_payment. accept: a venda segue como paga, pelo preço, e quem aceita arca com a diferença; se for cancelada depois, volta no máximo o que veio. return: a venda não paga é recusada e a paga é encerrada, e o que há volta inteiro. Sem decisão, o que veio para uma venda não paga volta depois de três dias úteis bancários. Com next check_payment, o gateway não mostra mais o dinheiro: accept diz que ele está lá por outro meio, return que não está. returned: anota amount, que uma pessoa devolveu por outro meio e que o serviço então não pede mais: dinheiro em espécie, parte de um boleto, ou o que o gateway recusa devolver. Antes, o gateway é consultado de novo.',
  body: decisionBody,
  answers: {
    200: {
      description: 'A venda, depois da decisão',
      schema: dataAnswer(inspectedTransaction.schema),
    },
    ...TRANSACTION_NOT_FOUND,
    409: {
      description: 'Não há o que decidir (nothing_to_decide), ou em processamento (still_running)',
      schema: standardErrorSchema,
    },
  },
  handle: async function decideAboutPayment(ctx) {
    const body = readDecision(ctx.request.body as object);
    const decision = decisionOf(body);
    const sale = await findKnownTransaction(sales, ctx);
    const actor = actorOf(ctx);
    const decided = await decidePayment({ sale, decision, note: body.note, actor });
    if (isRefusal(decided)) throw refusalError(decided);
    const inspected = await inspectSale(decided);
    answerData(ctx, inspectedTransaction.present({ ...inspected, publicUrl }));
  },
});
