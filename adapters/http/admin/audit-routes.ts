import Type from 'typebox';
import type { GroupView } from '../../../application/all-groups/group-view.ts';
import { AUDIT_ACTIONS, type NumberedEntry } from '../../../application/audit/audit-log.ts';
import type { InGroups } from '../../../application/groups/in-groups.ts';
import { mergedListAnswerSchema } from '../../kit/contract/answer-shapes.ts';
import { described } from '../../kit/contract/described.ts';
import { nullableText, text } from '../../kit/contract/formats.ts';
import { answerHistory, historyQuerySchema } from '../../kit/web/pipeline/list-answers.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';

export interface AuditRouteParts {
  readonly groupViews: InGroups<Pick<GroupView, 'auditLog'>>;
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

const entry = described<NumberedEntry>('AuditEntry')({
  number: [Type.Integer(), ({ number }) => number],
  at: [Type.String(), ({ at }) => at],
  action: [Type.Enum(AUDIT_ACTIONS), ({ action }) => action],
  actor: [
    Type.Object({ kind: Type.String(), name: nullableText() }),
    ({ actor: { kind, name } }) => ({ kind, name }),
  ],
  address: [nullableText(), ({ actor }) => actor.address],
  request_id: [nullableText(), ({ actor }) => actor.requestId],
  subject: [nullableText(), ({ subject }) => subject],
  reason: [nullableText(), ({ reason }) => reason],
  changes: [
    Type.Array(Type.Object({ field: Type.String(), before: Type.Any(), after: Type.Any() })),
    ({ changes }) => changes,
  ],
});

export const createAuditRoutes = ({ groupViews }: AuditRouteParts): readonly Route[] => [
  {
    ...ADMIN_ROUTE,
    method: 'get',
    path: '/admin/audit',
    operationId: 'listAuditEntries',
    summary: 'Lista o que foi feito, por quem, quando e de onde, do mais novo ao mais antigo',
    description:
      'O registro só cresce: nada nele muda ou é apagado. Filtre por subject (como channel/teatro), action, actor e período. Mostra o catálogo nas unidades do serviço: centavos e milionésimos. Siga next_cursor até que seja nulo.',
    query: auditQuery,
    answers: { 200: { description: 'Uma página', schema: mergedListAnswerSchema(entry.schema) } },
    handle: answerHistory(auditQuery, {
      groups: groupViews,
      read: ({ auditLog }, { action, actor, subject }, page) =>
        auditLog.list({ action, actor, subject, ...page }),
      numberOf: ({ number }) => number,
      timeOf: ({ at }) => at,
      present: entry.present,
    }),
  },
];
