import type { Instant } from '#domain';
import type { SeenAlert } from '../../application/alerts/alert-records.ts';
import type { DueEndpoint } from '../../application/webhooks/deliveries.ts';
import type { SendingRun } from '../../application/webhooks/send-deliveries.ts';

/** `later`: the job is to be retried. */
export type JobOutcome = 'done' | 'later';
/** Only the payer can act, until `closesAt`: the sale is looked at less often, and then. */
interface AwaitPayer {
  readonly kind: 'await_payer';
  readonly closesAt?: Instant | undefined;
}

type ResumeOutcome = JobOutcome | AwaitPayer;

/** A notice of the sandbox gateway, to be delivered to the service. */
export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly reference: string;
  readonly chargeId: string;
}

/** Does the jobs. A job that throws is retried. */
export interface Workers {
  resumeSale(id: number): Promise<ResumeOutcome>;
  /** Reports a sale that has been tried `tries` times without success. */
  stuck(saleId: number, tries: number): Promise<void>;
  /** The open report about such a sale. */
  findStuck(saleId: number): Promise<SeenAlert | undefined>;
  /** Ends the report that was seen before the sale went on; a newer one stays. */
  unstuck(seen: SeenAlert, tries: number): Promise<void>;
  /** @param gateway absent in a job of version 1.0.0 */
  processNotice(id: string, gateway: string | undefined): Promise<JobOutcome>;
  deliver(delivery: Delivery): Promise<JobOutcome>;
  /** Sends up to `limit` mails that are due. @returns how many it has taken */
  sendMails(limit: number): Promise<number>;
  /** Raises the alerts of the time limits that the law sets. */
  watchLegalClocks(): Promise<void>;
  /** Gives new events their places in the feed. `more`: some are left. */
  givePlaces(): Promise<'done' | 'more'>;
  /** The endpoints to which webhooks are to be sent now. */
  dueEndpoints(limit: number): Promise<readonly DueEndpoint[]>;
  /** Sends for a moment what is due to an endpoint. */
  sendWebhooks(run: SendingRun): Promise<void>;
  /** Does a step of a replay, of up to `limit` events. `done`: the replay has ended. */
  replayEvents(limit: number): Promise<'more' | 'done'>;
  /** Enters sales into the search. `more`: some are left. */
  followSales(): Promise<'more' | 'done'>;
  /** Counts bookings into the totals. `more`: some are left. */
  followBookings(): Promise<'more' | 'done'>;
  /** Settles alerts whose cause is gone. */
  settleAlerts(): Promise<void>;
  /** Tells operators of alerts. `more`: further ones may be due. */
  notifyOperators(): Promise<'more' | 'done'>;
}
