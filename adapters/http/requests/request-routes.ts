import Type from 'typebox';
import {
  type AnsweredRequest,
  REQUEST_DAYS,
} from '../../../application/requests/answered-requests.ts';
import {
  MAX_SHOWN_ANSWERS,
  type ReadRequests,
} from '../../../application/requests/read-requests.ts';
import {
  MAX_FAILURES_A_MINUTE,
  MAX_REFUSALS_A_MINUTE,
  type RequestNotes,
} from '../../../application/requests/request-notes.ts';
import { notFound } from '../../kit/contract/answer-error.ts';
import { errorCodeSchema, standardErrorSchema } from '../../kit/contract/answer-shapes.ts';
import { described } from '../../kit/contract/described.ts';
import { nullable } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { callerOf, pathParameter } from '../../kit/web/pipeline/context.ts';
import { catchUp, OWN_REQUEST_PATH } from '../../kit/web/pipeline/request-log.ts';
import { ACCEPTED_REQUEST_ID } from '../../kit/web/pipeline/request-origin.ts';
import type { Route } from '../routes/route.ts';
import { createReadinessRoute } from './readiness-route.ts';

export interface RequestRouteParts {
  readonly readRequests: ReadRequests;
  readonly requestNotes: RequestNotes;
  /** Whether partners are shown what they have tried. */
  readonly isTest: boolean;
}

/** Reads `X-Error-Fields`: a field may stand there with several codes, each an item of its own. */
const readFields = (header: string | null): readonly { path: string; codes: string[] }[] => {
  const items = header === null ? [] : header.split(', ').map((item) => item.split('='));
  const byPath = Map.groupBy(items, ([path = '']) => path);
  return [...byPath].map(([path, each]) => ({
    path: decodeURIComponent(path),
    codes: each.map(([, code = '']) => code),
  }));
};

/** An answered request, as its partner sees it. */
export const requestAnswer = described<AnsweredRequest>('RequestAnswer')({
  at: [Type.String({ description: 'Quando foi respondida' }), ({ at }) => at],
  client_id: [Type.String(), ({ clientId }) => clientId],
  method: [Type.String(), ({ method }) => method],
  route: [
    Type.String({ description: 'O caminho, com o nome de cada parâmetro' }),
    ({ route }) => route,
  ],
  status: [Type.Integer(), ({ status }) => status],
  code: [nullable(errorCodeSchema, 'Nulo: não houve erro'), ({ code }) => code],
  fields: [
    Type.Array(Type.Object({ path: Type.String(), codes: Type.Array(Type.String()) }), {
      description: 'Os campos com erro, até 1.000 caracteres',
    }),
    ({ fields }) => readFields(fields),
  ],
  ms: [Type.Number({ description: 'Do começo da requisição à resposta' }), ({ ms }) => ms],
  transaction_id: [nullable(Type.Integer()), ({ saleId }) => saleId],
  replayed: [
    Type.Boolean({ description: 'Se repetiu a resposta de uma requisição anterior' }),
    ({ replayed }) => replayed,
  ],
});

const ownRequestAnswer = namedObject('OwnRequestAnswer', {
  success: Type.Literal(true),
  data: Type.Object({ request_id: Type.String(), answers: Type.Array(requestAnswer.schema) }),
});

const createOwnRequestRoute = (readRequests: ReadRequests): Route => ({
  tag: 'Integração',
  scope: 'sales',
  partnerCredentials: true,
  method: 'get',
  operationId: 'getRequest',
  path: OWN_REQUEST_PATH,
  summary: 'O que respondemos a uma requisição do canal, pelo seu X-Request-Id',
  description: `Só requisições que falharam, ou que criaram ou mudaram uma venda: status, código, campos e tempo, sem corpos, por ${REQUEST_DAYS} dias. Um X-Request-Id enviado pelo parceiro pode ter várias respostas: as ${MAX_SHOWN_ANSWERS} mais novas, da mais nova à mais antiga. Das recusas por limite de requisições, só as ${MAX_REFUSALS_A_MINUTE} primeiras de um cliente em um minuto, e das falhas as ${MAX_FAILURES_A_MINUTE} primeiras. No nome de um campo desconhecido está *. 404 nada diz de uma venda: consulte a venda, ou repita-a com o mesmo nome.`,
  answers: {
    200: { description: 'As respostas', schema: ownRequestAnswer },
    404: { description: 'Nenhuma requisição com este id', schema: standardErrorSchema },
  },
  handle: async function showOwnRequest(ctx) {
    const requestId = pathParameter(ctx, 'request_id');
    const { channelLink } = callerOf(ctx);
    const found =
      channelLink !== null && ACCEPTED_REQUEST_ID.test(requestId)
        ? await readRequests.find(channelLink, requestId)
        : [];
    if (found.length === 0) throw notFound('Requisição não encontrada.');
    ctx.body = {
      success: true,
      data: { request_id: requestId, answers: found.map(requestAnswer.present) },
    };
  },
});

/** The routes with which a partner looks at what it has sent. */
export const createRequestRoutes = (parts: RequestRouteParts): readonly Route[] => {
  const { readRequests, requestNotes, isTest } = parts;
  const routes = [
    createOwnRequestRoute(readRequests),
    ...(isTest ? [createReadinessRoute(readRequests)] : []),
  ];
  return routes.map((route) => ({
    ...route,
    async handle(ctx) {
      await catchUp(requestNotes);
      await route.handle(ctx);
    },
  }));
};
