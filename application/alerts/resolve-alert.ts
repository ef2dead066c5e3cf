import { type Refusal, refuse } from '#domain';
import type { Actor } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { AlertRecord, AlertRecords } from './alert-records.ts';

export type AlertRefusal = Refusal<'alert_unknown'>;

interface Needs {
  readonly alertRecords: AlertRecords;
  readonly clock: Clock;
}

/** Returns the alert with its first resolution. */
export type ResolveAlert = (
  id: number,
  note: string,
  actor: Actor,
) => Promise<AlertRecord | AlertRefusal>;

/** Resolves an alert for the person who has dealt with it. */
export const makeResolveAlert = ({ alertRecords, clock }: Needs): ResolveAlert =>
  async function resolveAlert(id, note, actor) {
    const at = clock.now();
    const resolved = await alertRecords.resolve(
      id,
      { at, by: actor.name ?? actor.kind, note },
      {
        ...{ at, action: 'alert.resolved', actor, subject: `alert/${id}`, reason: null },
        changes: [
          { field: 'status', before: 'open', after: 'resolved' },
          { field: 'note', before: null, after: note },
        ],
      },
    );
    return resolved ?? refuse('alert_unknown');
  };
