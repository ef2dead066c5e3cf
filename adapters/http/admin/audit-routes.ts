import Type, { type Static } from 'typebox';
import {
  AUDIT_ACTIONS,
  type AuditLog,
  type NumberedEntry,
} from '../../../application/audit/audit-log.ts';
import { listAnswerSchema } from '../../kit/contract/answer-shapes.ts';
import { nullableText, text } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { answerHistory, historyQuerySchema } from '../../kit/web/pipeline/list-answers.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';

export interface AuditRouteParts {
  readonly auditLog: AuditLog;
}

const auditQuery = historyQuerySchema({
  action: Type.Optional(Type.Enum(AUDIT_ACTIONS, { description: 'O que foi feito' })),
  actor: Type.Optional(text(200, { description: 'client_id ou nome do operador' })),
  subject: Type.Optional(
    text(300, {
      description:
        'api-client/…, channel/…, product/…, transaction/…, mailing/…, alert/… ou webhook/…',
    }),
  ),
});

const entry = namedObject('AuditEntry', {
  number: Type.Integer(),
  at: Type.String(),
  action: Type.Enum(AUDIT_ACTIONS),
  actor: Type.Object({ kind: Type.String(), name: nullableText() }),
  address: nullableText(),
  request_id: nullableText(),
  subject: nullableText(),
  reason: nullableText(),
  changes: Type.Array(Type.Object({ field: Type.String(), before: Type.Any(), after: Type.Any() })),
});

const presentEntry = (shown: NumberedEntry): Static<typeof entry> => ({
  number: shown.number,
  at: shown.at,
  action: shown.action,
  actor: { kind: shown.actor.kind, name: shown.actor.name },
  address: shown.actor.address,
  request_id: shown.actor.requestId,
  subject: shown.subject,
  reason: shown.reason,
  changes: shown.changes.map((each) => ({ ...each })),
});

export const createAuditRoutes = ({ auditLog }: AuditRouteParts): readonly Route[] => [
  {
    ...ADMIN_ROUTE,
    method: 'get',
    path: '/admin/audit',
    operationId: 'listAuditEntries',
    summary: 'Lista o que foi feito, por quem, quando e de onde, do mais novo ao mais antigo',
    description:
      'O registro só cresce: nada nele muda ou é apagado. Filtre por subject (como channel/teatro), action, actor e período. Mostra o catálogo nas unidades do serviço: centavos e milionésimos. Siga next_cursor até que seja nulo.',
    query: auditQuery,
    answers: { 200: { description: 'Uma página', schema: listAnswerSchema(entry) } },
    handle: answerHistory(auditQuery, {
      read: ({ action, actor, subject }, page) =>
        auditLog.list({ action, actor, subject, ...page }),
      numberOf: ({ number }) => number,
      present: presentEntry,
    }),
  },
];
