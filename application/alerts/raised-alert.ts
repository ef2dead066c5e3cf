import type { Instant, JsonObject } from '#domain';
import { mailingId } from '../mailing-name.ts';
import type { Alert, AlertKind } from './alerts.ts';

/** An alert that was raised once or several times. Holds no secret and no personal data. */
export interface RaisedAlert {
  readonly kind: AlertKind;
  /**
   * What it concerns, in the words of the audit log: `transaction/6`, `mailing/6-0`, `notice/…`,
   * `charge/…`, `webhook/whe_…`, `group/1`.
   */
  readonly subject: string;
  /** Null if it concerns no sale. */
  readonly saleId: number | null;
  /** What else the alert says; from the last time. */
  readonly details: JsonObject;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly times: number;
  /** The request or job that raised it last; null: none, or not known. */
  readonly requestId: string | null;
}

/** An alert that was raised now. */
export const toRaised = (alert: Alert, at: Instant, requestId: string | undefined): RaisedAlert => {
  const { kind, saleId, ...details }: Alert & { readonly saleId?: number } = alert;
  return {
    ...{ kind, subject: subjectOf(alert), saleId: saleId ?? null, details: details as JsonObject },
    ...{ firstAt: at, lastAt: at, times: 1, requestId: requestId ?? null },
  };
};

/** Alerts of one kind with the same subject are one alert, which is raised again. */
export const subjectOf = (alert: Alert): string => {
  switch (alert.kind) {
    case 'mail_undelivered':
      return `mailing/${mailingId(alert)}`;
    case 'notice_unreadable':
      return `notice/${alert.digest}`;
    case 'notice_differs':
    case 'balance_blocked':
      return `notice/${alert.noticeId}`;
    case 'notice_of_nothing':
      // An account that is shared sends several notices of each charge.
      return alert.chargeId === undefined ? `notice/${alert.noticeId}` : `charge/${alert.chargeId}`;
    case 'webhook_disabled':
    case 'webhook_undelivered':
    case 'webhook_secret_unreadable':
      return `webhook/${alert.endpointId}`;
    case 'group_unavailable':
      return `group/${alert.group}`;
    default:
      return `transaction/${alert.saleId}`;
  }
};

/** One alert that says what two say: `again` was raised later. */
export const mergeRaised = (before: RaisedAlert, again: RaisedAlert): RaisedAlert => ({
  ...again,
  saleId: again.saleId ?? before.saleId,
  firstAt: before.firstAt,
  times: before.times + again.times,
  requestId: again.requestId ?? before.requestId,
});
