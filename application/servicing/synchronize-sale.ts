import { nextSteps, type Sale } from '#domain';
import { type Clock, momentOf } from '../clock.ts';
import { type Issuer, isReport } from '../issuance/issuer.ts';
import { referenceOf } from '../payments/payments.ts';
import { type ChangePorts, changeSale } from '../saga/change-sale.ts';
import { followInsurerReport } from '../saga/follow-reports.ts';

interface Needs extends ChangePorts {
  readonly issuer: Issuer;
  readonly clock: Clock;
}

/** Max time that a status query waits for the insurer, in ms. */
const INSURER_WAIT_MS = 2_000;

/** Returns the sale with the insurer's latest documents. */
export type SynchronizeSale = (sale: Sale) => Promise<Sale>;

/**
 * Asks the insurer for its documents and stores what they change. If the insurer does not answer in
 * time, the stored sale is returned.
 */
export const makeSynchronizeSale = (ports: Needs): SynchronizeSale =>
  async function synchronizeSale(sale) {
    const { issuer, clock, alerts } = ports;
    if (sale.issuance === undefined) return sale;
    const answer = await issuer.find(referenceOf(sale), INSURER_WAIT_MS);
    if (!isReport(answer)) return sale;
    const now = momentOf(clock);
    const follow = (present: Sale): Sale =>
      followInsurerReport(present, answer, now, { name: issuer.name, alerts });
    return changeSale(ports, sale, follow, (changed) => ({
      resume: nextSteps(changed, now).length > 0,
    }));
  };
