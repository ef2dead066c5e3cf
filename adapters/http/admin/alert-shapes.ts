import Type, { type Static } from 'typebox';
import type { JsonObject } from '#domain';
import { ALERT_KINDS, runbookOf } from '../../../application/alerts/alert-kinds.ts';
import {
  ALERT_STATUSES,
  type AlertRecord,
  alertStatus,
  MAX_ALERT_NOTE,
} from '../../../application/alerts/alert-records.ts';
import { closedObject, nullable, nullableText, text } from '../contract/formats.ts';
import { listQuerySchema } from '../pipeline/list-answers.ts';

export const alertsQuery = listQuerySchema({
  status: Type.Optional(
    Type.Enum(ALERT_STATUSES, { description: 'Só os alertas com este status' }),
  ),
  kind: Type.Optional(Type.Enum([...ALERT_KINDS], { description: 'Só os deste tipo' })),
  transaction_id: Type.Optional(
    Type.String({ format: 'transaction-id', description: 'Só os alertas desta venda' }),
  ),
});

export const resolutionBody = closedObject(
  {
    note: text(MAX_ALERT_NOTE, {
      description: 'O que foi feito. Fica também na auditoria: não escreva dados pessoais',
    }),
  },
  { title: 'AlertResolutionRequest' },
);

export const alert = Type.Object(
  {
    alert_id: Type.Integer(),
    kind: Type.Enum([...ALERT_KINDS]),
    status: Type.Enum(ALERT_STATUSES),
    transaction_id: nullable(Type.Integer(), 'Nulo se não é de uma venda'),
    details: Type.Unsafe<JsonObject>(
      Type.Record(Type.String(), Type.Any(), {
        description: 'O que o alerta diz além disso, conforme o tipo',
      }),
    ),
    times: Type.Integer({ description: 'Quantas vezes ocorreu enquanto esteve aberto' }),
    first_at: Type.String(),
    last_at: Type.String(),
    request_id: nullableText('A requisição que o causou da última vez, se foi uma'),
    resolution: nullable(
      Type.Object({
        at: Type.String(),
        by: Type.String({ description: 'client_id, nome do operador, ou service' }),
        note: Type.String(),
      }),
      'Nulo enquanto está aberto',
    ),
    runbook: Type.String({ description: 'Onde o guia do operador diz o que fazer' }),
  },
  { title: 'Alert' },
);

export const presentAlert = (record: AlertRecord): Static<typeof alert> => ({
  alert_id: record.id,
  kind: record.kind,
  status: alertStatus(record),
  transaction_id: record.saleId,
  details: record.details,
  times: record.times,
  first_at: record.firstAt,
  last_at: record.lastAt,
  request_id: record.requestId,
  resolution: record.resolution && { ...record.resolution },
  runbook: runbookOf(record.kind),
});
