import { type Instant, type NextStep, nextSteps, type Sale } from '#domain';
import type { AlertRecord, AlertRecords } from '../alerts/alert-records.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { DocumentUrl } from '../certificates/document-links.ts';
import { type Clock, momentOf } from '../clock.ts';
import { findLostMail, type Mailing, type Mailings } from '../mail/mailings.ts';
import type { CountedCall, ProviderCalls } from '../providers/provider-calls.ts';
import type { SaleJob, SaleJobs } from '../sales/sale-jobs.ts';
import { type TimelineEntry, timelineOf } from './sale-timeline.ts';

/** Calls that are shown of a sale, at most. */
export const MAX_SHOWN_CALLS = 100;

/** Alerts that are shown of a sale, at most. */
const MAX_SHOWN_ALERTS = 20;

/** Mails that are shown of a sale, at most. */
const MAX_SHOWN_MAILS = 20;

/** Acts that are shown of a sale, at most. */
const MAX_SHOWN_ACTS = 100;

/** What an operator has to know of a sale that does not go on. */
export interface InspectedSale {
  readonly sale: Sale;
  /** When it was looked at. */
  readonly now: Instant;
  /** What the service does next. */
  readonly steps: readonly NextStep[];
  /** Undefined: no job goes on with the sale. */
  readonly job: SaleJob | undefined;
  /** The newest first. */
  readonly calls: readonly CountedCall[];
  /** The newest first, resolved ones as well. */
  readonly alerts: readonly AlertRecord[];
  /** The newest first. */
  readonly mails: readonly Mailing[];
  /** All that happened to it, the newest first. */
  readonly timeline: readonly TimelineEntry[];
  readonly isMailLost: boolean;
  /** A temporary link to the certificate; null if the sale has none. */
  readonly documentUrl: string | null;
}

export type InspectSale = (sale: Sale) => Promise<InspectedSale>;

interface Needs {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly saleJobs: SaleJobs;
  readonly providerCalls: ProviderCalls;
  readonly alertRecords: AlertRecords;
  readonly auditLog: AuditLog;
  readonly mailings: Mailings;
  readonly documentUrl: DocumentUrl;
}

export const makeInspectSale = (ports: Needs): InspectSale =>
  async function inspectSale(sale) {
    const { catalogue, clock, saleJobs, providerCalls, alertRecords, auditLog, mailings } = ports;
    const [current, job, calls, alerts, acts, mails, lost] = await Promise.all([
      catalogue.current(),
      saleJobs.find(sale.id),
      providerCalls.list(sale.id, MAX_SHOWN_CALLS),
      alertRecords.list({ saleId: sale.id, limit: MAX_SHOWN_ALERTS }),
      auditLog.list({ subject: `transaction/${sale.id}`, limit: MAX_SHOWN_ACTS }),
      mailings.list({ saleId: sale.id, limit: MAX_SHOWN_MAILS }),
      findLostMail(mailings, [sale]),
    ]);
    const now = momentOf(clock, current);
    return {
      sale,
      now: now.at,
      steps: nextSteps(sale, now),
      job,
      calls,
      alerts,
      mails: mails.toSorted((one, other) => other.requestedAt.localeCompare(one.requestedAt)),
      timeline: timelineOf({ sale, acts, mails, alerts }),
      isMailLost: lost.has(sale.id),
      documentUrl: ports.documentUrl(sale),
    };
  };
