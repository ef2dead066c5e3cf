import Type, { type Static } from 'typebox';
import {
  AUDIT_ACTIONS,
  type AuditLog,
  type NumberedEntry,
} from '../../../application/audit/audit-log.ts';
import { text } from '../contract/formats.ts';
import { INVALID } from '../contract/house-answers.ts';
import { answerHistory, historyQuery, listAnswer } from '../pipeline/request-query.ts';
import type { Route } from '../pipeline/route.ts';
import { ADMINISTRATION } from './administration.ts';

export interface AuditRouteParts {
  readonly auditLog: AuditLog;
}

const auditQuery = historyQuery({
  action: Type.Optional(Type.Enum(AUDIT_ACTIONS)),
  actor: Type.Optional(text(200, { description: 'client_id ou nome do operador' })),
  subject: Type.Optional(text(300, { description: 'api-client/…, channel/… ou product/…' })),
});

const nullable = Type.Union([Type.String(), Type.Null()]);

const entry = Type.Object({
  number: Type.Integer(),
  at: Type.String(),
  action: Type.Enum(AUDIT_ACTIONS),
  actor: Type.Object({ kind: Type.String(), name: nullable }),
  address: nullable,
  request_id: nullable,
  subject: nullable,
  reason: nullable,
  changes: Type.Array(Type.Object({ field: Type.String(), before: Type.Any(), after: Type.Any() })),
});

const present = ({
  number,
  at,
  action,
  actor,
  subject,
  reason,
  changes,
}: NumberedEntry): Static<typeof entry> => ({
  number,
  at,
  action,
  actor: { kind: actor.kind, name: actor.name },
  address: actor.address,
  request_id: actor.requestId,
  subject,
  reason,
  changes: changes.map((each) => ({ ...each })),
});

export const auditRoutes = ({ auditLog }: AuditRouteParts): readonly Route[] => [
  {
    ...ADMINISTRATION,
    method: 'get',
    path: '/admin/audit',
    summary: 'Lista o que foi feito, por quem, quando e de onde, do mais novo ao mais antigo',
    query: auditQuery,
    answers: {
      200: { description: 'Uma página', schema: listAnswer(entry) },
      ...INVALID,
    },
    steps: [
      answerHistory(auditQuery, {
        read: ({ action, actor, subject }, page) =>
          auditLog.list({ action, actor, subject, ...page }),
        numberOf: ({ number }) => number,
        present,
      }),
    ],
  },
];
