import Type from 'typebox';
import { isRefusal, type JsonObject, refuse } from '#domain';
import {
  ALERT_STATUSES,
  type AlertRecord,
  type AlertRecords,
  alertStatus,
  MAX_ALERT_NOTE,
} from '../../../application/alerts/alert-records.ts';
import { ALERT_KINDS, runbookOf } from '../../../application/alerts/alerts.ts';
import type { ResolveAlert } from '../../../application/alerts/resolve-alert.ts';
import type { GroupView } from '../../../application/all-groups/group-view.ts';
import type { InGroups } from '../../../application/groups/in-groups.ts';
import {
  answerData,
  dataAnswer,
  mergedListAnswerSchema,
  notFoundAnswer,
} from '../../kit/contract/answer-shapes.ts';
import { described } from '../../kit/contract/described.ts';
import { nullable, nullableText, text } from '../../kit/contract/formats.ts';
import { closedNamedObject } from '../../kit/contract/named-object.ts';
import { refusalError } from '../../kit/contract/refusal-answers.ts';
import { compileReader } from '../../kit/contract/validation.ts';
import { actorOf, type Context, pathParameter } from '../../kit/web/pipeline/context.ts';
import {
  answerMergedList,
  isSerialNumber,
  listQuerySchema,
} from '../../kit/web/pipeline/list-answers.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';

const alertsQuery = listQuerySchema({
  status: Type.Optional(
    Type.Enum(ALERT_STATUSES, { description: 'Só os alertas com este status' }),
  ),
  kind: Type.Optional(Type.Enum([...ALERT_KINDS], { description: 'Só os deste tipo' })),
  transaction_id: Type.Optional(
    Type.String({ format: 'transaction-id', description: 'Só os alertas desta venda' }),
  ),
});

const resolutionBody = closedNamedObject('AlertResolutionRequest', {
  note: text(MAX_ALERT_NOTE, {
    description: 'O que foi feito. Fica também na auditoria: não escreva dados pessoais',
  }),
});

interface ShownAlert {
  readonly record: AlertRecord;
  /** The public URL, without `/api`. */
  readonly publicUrl: string;
}

export const alert = described<ShownAlert>('Alert')({
  alert_id: [Type.Integer(), ({ record }) => record.id],
  kind: [Type.Enum([...ALERT_KINDS]), ({ record }) => record.kind],
  status: [Type.Enum(ALERT_STATUSES), ({ record }) => alertStatus(record)],
  transaction_id: [
    nullable(Type.Integer(), 'Nulo se não é de uma venda'),
    ({ record }) => record.saleId,
  ],
  details: [
    Type.Unsafe<JsonObject>(
      Type.Record(Type.String(), Type.Any(), {
        description: 'O que o alerta diz além disso, conforme o tipo',
      }),
    ),
    ({ record }) => record.details,
  ],
  times: [
    Type.Integer({ description: 'Quantas vezes ocorreu enquanto esteve aberto' }),
    ({ record }) => record.times,
  ],
  first_at: [Type.String(), ({ record }) => record.firstAt],
  last_at: [Type.String(), ({ record }) => record.lastAt],
  request_id: [
    nullableText('A requisição que o causou da última vez, se foi uma'),
    ({ record }) => record.requestId,
  ],
  resolution: [
    nullable(
      Type.Object({
        at: Type.String(),
        by: Type.String({ description: 'client_id, nome do operador, ou service' }),
        note: Type.String(),
      }),
      'Nulo enquanto está aberto',
    ),
    ({ record }) => record.resolution,
  ],
  runbook: [
    Type.String({ description: 'A página do guia do operador que diz o que fazer' }),
    ({ record, publicUrl }) => runbookOf(record.kind, publicUrl),
  ],
});

export interface AlertRouteParts {
  readonly alertRecords: AlertRecords;
  readonly groupViews: InGroups<Pick<GroupView, 'alertRecords'>>;
  readonly resolveAlert: ResolveAlert;
  /** The public URL, without `/api`. */
  readonly publicUrl: string;
}

/** The alert id in the path. */
const alertIdOf = (ctx: Context): number => {
  const id = pathParameter(ctx, 'alertId');
  if (!isSerialNumber(id)) throw refusalError(refuse('alert_unknown'));
  return Number(id);
};

const readResolution = compileReader(resolutionBody);

const NOT_FOUND = notFoundAnswer('Alert', 'Alerta não encontrado');

export const createAlertRoutes = ({
  alertRecords,
  groupViews,
  resolveAlert,
  publicUrl,
}: AlertRouteParts): readonly Route[] => [
  {
    ...ADMIN_ROUTE,
    method: 'get',
    path: '/admin/alerts',
    operationId: 'listAlerts',
    summary: 'Lista os alertas, do mais novo ao mais antigo',
    description:
      'status=open mostra os que esperam por alguém. Um alerta que se repete enquanto está aberto não gera outro: times aumenta. Sem dados pessoais.',
    query: alertsQuery,
    answers: { 200: { description: 'Uma página', schema: mergedListAnswerSchema(alert.schema) } },
    handle: answerMergedList(alertsQuery, {
      groups: groupViews,
      read: (view, { query: { status, kind, transaction_id }, after, limit }) =>
        view.alertRecords.list({
          ...{ status, kind, limit },
          saleId: transaction_id === undefined ? undefined : Number(transaction_id),
          before: after === undefined ? undefined : Number(after),
        }),
      timeOf: ({ firstAt }) => firstAt,
      placeOfItem: ({ id }) => String(id),
      isPlace: isSerialNumber,
      present: (record) => alert.present({ record, publicUrl }),
    }),
  },
  {
    ...ADMIN_ROUTE,
    method: 'get',
    path: '/admin/alerts/{alertId}',
    operationId: 'getAlert',
    summary: 'Mostra um alerta',
    description: 'runbook leva ao guia do operador: o que significa e o que fazer.',
    answers: { 200: { description: 'O alerta', schema: dataAnswer(alert.schema) }, ...NOT_FOUND },
    handle: async function getAlert(ctx) {
      const found = await alertRecords.find(alertIdOf(ctx));
      if (found === undefined) throw refusalError(refuse('alert_unknown'));
      answerData(ctx, alert.present({ record: found, publicUrl }));
    },
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
      200: { description: 'Encerrado, agora ou antes', schema: dataAnswer(alert.schema) },
      ...NOT_FOUND,
    },
    handle: async function resolveAlertOfPath(ctx) {
      const { note } = readResolution(ctx.request.body as object);
      const outcome = await resolveAlert(alertIdOf(ctx), note, actorOf(ctx));
      if (isRefusal(outcome)) throw refusalError(outcome);
      answerData(ctx, alert.present({ record: outcome, publicUrl }));
    },
  },
];
