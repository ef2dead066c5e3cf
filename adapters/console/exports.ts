import type { AuditLog } from '../../application/audit/audit-log.ts';
import type { OwnVisit } from './visit.ts';

/** Notes in the audit log who has taken a list that names customers, how many, and by which filters. */
export const noteExport = (
  auditLog: AuditLog,
  { actor, now }: OwnVisit,
  count: number,
  filters: Readonly<Record<string, string>>,
): Promise<void> =>
  auditLog.append({
    ...{ at: now, action: 'sales.exported', actor, subject: null, reason: null },
    changes: [
      { field: 'sales', before: null, after: count },
      { field: 'filters', before: null, after: filters },
    ],
  });
