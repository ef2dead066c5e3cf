import Type from 'typebox';
import { isRefusal, refuse } from '#domain';
import type { GroupView } from '../../../application/all-groups/group-view.ts';
import type { InGroups } from '../../../application/groups/in-groups.ts';
import { MAILING_STATUSES, type Mailing } from '../../../application/mail/mailings.ts';
import {
  MAIL_OCCASIONS,
  mailingId,
  occasionOf,
  parseMailingId,
} from '../../../application/mailing-name.ts';
import type { RetryMailing } from '../../../application/servicing/retry-mailing.ts';
import {
  answerData,
  dataAnswer,
  mergedListAnswerSchema,
  standardErrorSchema,
} from '../../kit/contract/answer-shapes.ts';
import { described } from '../../kit/contract/described.ts';
import { nullableText } from '../../kit/contract/formats.ts';
import { refusalError } from '../../kit/contract/refusal-answers.ts';
import { actorOf, pathParameter } from '../../kit/web/pipeline/context.ts';
import { answerMergedList, listQuerySchema } from '../../kit/web/pipeline/list-answers.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';

export interface MailingRouteParts {
  readonly groupViews: InGroups<Pick<GroupView, 'mailings'>>;
  readonly retryMailing: RetryMailing;
}

const mailingsQuery = listQuerySchema({
  status: Type.Optional(
    Type.Enum(MAILING_STATUSES, { description: 'Só os envios com este status' }),
  ),
  transaction_id: Type.Optional(
    Type.String({ format: 'transaction-id', description: 'Só os envios desta venda' }),
  ),
});

/** A mailing without its address, which administrators do not need. */
export const mailing = described<Mailing>('Mailing')({
  mailing_id: [
    Type.String({
      description:
        'transaction_id e número: 0 é o da emissão, outros são segundas vias; cancellation é o aviso do cancelamento',
    }),
    mailingId,
  ],
  transaction_id: [Type.Integer(), ({ saleId }) => saleId],
  occasion: [Type.Enum(MAIL_OCCASIONS), occasionOf],
  status: [Type.Enum(MAILING_STATUSES), ({ status }) => status],
  requested_at: [Type.String(), ({ requestedAt }) => requestedAt],
  failures: [
    Type.Integer({ description: 'Quantas vezes não foi aceito' }),
    ({ failures }) => failures,
  ],
  settled_at: [nullableText('Nulo enquanto espera'), ({ settledAt }) => settledAt ?? null],
  reason: [
    nullableText('O código e as palavras do servidor, da última vez que não foi aceito'),
    ({ reason }) => reason ?? null,
  ],
  next_at: [
    nullableText('Quando é tentado de novo; nulo se já não espera, ou é agora'),
    ({ nextAt }) => nextAt ?? null,
  ],
});

export const createMailingRoutes = ({
  groupViews,
  retryMailing,
}: MailingRouteParts): readonly Route[] => [
  {
    ...ADMIN_ROUTE,
    method: 'get',
    path: '/admin/mailings',
    operationId: 'listMailings',
    summary:
      'Lista os envios por e-mail (bilhetes, apólices, avisos de cancelamento, pedidos de conta para a devolução), dos da venda mais nova aos da mais antiga',
    description: 'status=undelivered mostra os que falharam de vez, e esperam por POST …/retry.',
    query: mailingsQuery,
    answers: { 200: { description: 'Uma página', schema: mergedListAnswerSchema(mailing.schema) } },
    handle: answerMergedList(mailingsQuery, {
      groups: groupViews,
      read: ({ mailings }, { query: { status, transaction_id }, after, limit }) =>
        mailings.list({
          status,
          saleId: transaction_id === undefined ? undefined : Number(transaction_id),
          before: after === undefined ? undefined : parseMailingId(after),
          limit,
        }),
      timeOf: ({ requestedAt }) => requestedAt,
      placeOfItem: mailingId,
      isPlace: (place) => parseMailingId(place) !== undefined,
      present: mailing.present,
    }),
  },
  {
    ...ADMIN_ROUTE,
    method: 'post',
    path: '/admin/mailings/{mailingId}/retry',
    operationId: 'retryMailing',
    summary: 'Tenta de novo um envio que falhou de vez',
    description:
      'Depois de removida a causa (reason). O envio vai para o endereço atual da venda. Um que não falhou de vez responde 409.',
    answers: {
      200: { description: 'Espera de novo para ser enviado', schema: dataAnswer(mailing.schema) },
      404: { description: 'Envio não encontrado', schema: standardErrorSchema },
      409: {
        description: 'Não falhou: está à espera, ou foi enviado',
        schema: standardErrorSchema,
      },
    },
    reads: 'json',
    handle: async function retryFailedMailing(ctx) {
      const name = parseMailingId(pathParameter(ctx, 'mailingId'));
      const outcome =
        name === undefined ? refuse('mailing_unknown') : await retryMailing(name, actorOf(ctx));
      if (isRefusal(outcome)) throw refusalError(outcome);
      answerData(ctx, mailing.present(outcome));
    },
  },
];
