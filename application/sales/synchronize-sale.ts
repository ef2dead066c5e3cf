import type { Sale } from '#domain';
import { momentOf } from '../clock.ts';
import { referenceOf } from '../payments/payments.ts';
import type { Ports } from '../ports.ts';
import { changeSale } from './change-sale.ts';
import { followIssuer } from './follow-reports.ts';
import { nextSteps } from './next-step.ts';

type Needs = Pick<Ports, 'sales' | 'issuer' | 'clock' | 'alerts'>;

/** Milliseconds that somebody who only asks how a sale stands waits for the insurer. */
const PATIENCE = 2_000;

/** The sale as it stands with the insurer. */
export type SynchronizeSale = (sale: Sale) => Promise<Sale>;

/**
 * Asks the insurer how its papers stand and takes that over. An insurer that does not answer in time costs nothing but
 * the news: the sale is as it is stored.
 */
export const makeSynchronizeSale = ({ sales, issuer, clock, alerts }: Needs): SynchronizeSale =>
  async function synchronizeSale(sale) {
    if (sale.issuance === undefined) return sale;
    const answer = await issuer.find(referenceOf(sale), PATIENCE);
    if (typeof answer === 'string') return sale;
    const now = momentOf(clock);
    const follow = (present: Sale): Sale =>
      followIssuer(present, answer, now, { name: issuer.name, alerts });
    return changeSale(sales, sale, follow, (changed) => ({
      resume: nextSteps(changed, now).length > 0,
    }));
  };
