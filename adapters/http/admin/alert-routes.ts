import { isRefusal, refuse } from '#domain';
import type { AlertRecords } from '../../../application/alerts/alert-records.ts';
import type { ResolveAlert } from '../../../application/alerts/resolve-alert.ts';
import { invalidFields } from '../contract/answer-error.ts';
import {
  answerData,
  dataAnswer,
  listAnswerSchema,
  notFoundAnswer,
} from '../contract/answer-shapes.ts';
import { refusalError } from '../contract/refusal-answers.ts';
import { compileReader } from '../contract/validation.ts';
import { actorOf, type Context, type Handler, pathParameter } from '../pipeline/context.ts';
import { answerList, isSerialNumber } from '../pipeline/list-answers.ts';
import { ADMIN_ROUTE, type Route } from '../pipeline/route.ts';
import { alert, alertsQuery, presentAlert, resolutionBody } from './alert-shapes.ts';

export interface AlertRouteParts {
  readonly alertRecords: AlertRecords;
  readonly resolveAlert: ResolveAlert;
}

/** The alert id in the path. */
const alertIdOf = (ctx: Context): number => {
  const id = pathParameter(ctx, 'alertId');
  if (!isSerialNumber(id)) throw refusalError(refuse('alert_unknown'));
  return Number(id);
};

const listAlerts = ({ alertRecords }: AlertRouteParts): Handler =>
  answerList(alertsQuery, {
    read: ({ query: { status, kind, transaction_id }, after, limit }) =>
      alertRecords.list({
        ...{ status, kind, limit },
        saleId: transaction_id === undefined ? undefined : Number(transaction_id),
        before: after === undefined ? undefined : Number(after),
      }),
    placeOfItem: ({ id }) => String(id),
    isPlace: isSerialNumber,
    present: presentAlert,
  });

const getAlert = ({ alertRecords }: AlertRouteParts): Handler =>
  async function getAlert(ctx) {
    const found = await alertRecords.find(alertIdOf(ctx));
    if (found === undefined) throw refusalError(refuse('alert_unknown'));
    answerData(ctx, presentAlert(found));
  };

const resolveAlertOfPath = ({ resolveAlert }: AlertRouteParts): Handler => {
  const readBody = compileReader(resolutionBody, invalidFields);

  return async function resolveAlertOfPath(ctx) {
    const { note } = readBody(ctx.request.body as object);
    const outcome = await resolveAlert(alertIdOf(ctx), note, actorOf(ctx));
    if (isRefusal(outcome)) throw refusalError(outcome);
    answerData(ctx, presentAlert(outcome));
  };
};

const NOT_FOUND = notFoundAnswer('Alert', 'Alerta não encontrado');

export const createAlertRoutes = (parts: AlertRouteParts): readonly Route[] => [
  {
    ...ADMIN_ROUTE,
    method: 'get',
    path: '/admin/alerts',
    operationId: 'listAlerts',
    summary: 'Lista os alertas, do mais novo ao mais antigo',
    description:
      'status=open mostra os que esperam por alguém. Um alerta que se repete enquanto está aberto não gera outro: times aumenta. Sem dados pessoais.',
    query: alertsQuery,
    answers: { 200: { description: 'Uma página', schema: listAnswerSchema(alert) } },
    handle: listAlerts(parts),
  },
  {
    ...ADMIN_ROUTE,
    method: 'get',
    path: '/admin/alerts/{alertId}',
    operationId: 'getAlert',
    summary: 'Mostra um alerta',
    description: 'runbook diz onde o guia do operador explica o que significa e o que fazer.',
    answers: { 200: { description: 'O alerta', schema: dataAnswer(alert) }, ...NOT_FOUND },
    handle: getAlert(parts),
  },
  {
    ...ADMIN_ROUTE,
    method: 'post',
    path: '/admin/alerts/{alertId}/resolve',
    operationId: 'resolveAlert',
    summary: 'Encerra um alerta, com uma nota do que foi feito',
    description:
      'Se a causa voltar, abre-se outro alerta. Repetir responde com o primeiro encerramento.',
    body: resolutionBody,
    answers: {
      200: { description: 'Encerrado, agora ou antes', schema: dataAnswer(alert) },
      ...NOT_FOUND,
    },
    handle: resolveAlertOfPath(parts),
  },
];
