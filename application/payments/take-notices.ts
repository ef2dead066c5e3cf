import type { Ports } from '../ports.ts';
import type { AdvanceSale } from '../saga/advance-sale.ts';
import { refreshPayment } from '../sales/refresh-payment.ts';
import type { KeptNotice } from './notices.ts';
import { referenceOf, saleIdOf } from './payments.ts';

type Needs = Pick<
  Ports,
  'notices' | 'noticeReader' | 'payments' | 'catalogue' | 'sales' | 'clock' | 'alerts'
> & {
  readonly advanceSale: AdvanceSale;
};

export interface TakeNotices {
  /** Stores a notice for processing. Nothing else happens before the gateway gets its answer. */
  receive(
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: string,
  ): Promise<'kept' | 'repeated' | 'forged' | 'unreadable'>;
  /** Processes a stored notice once. `later`: the gateway did not answer how the charge stands. */
  process(id: string): Promise<'done' | 'later'>;
}

/**
 * Receives the gateway's notices. Their content is not trusted: each is a reason to ask the gateway
 * for the charges. So order, repetition and false claims do no harm.
 */
export const makeTakeNotices = (parts: Needs): TakeNotices => ({
  receive: async (headers, body) => {
    const { noticeReader, notices, clock } = parts;
    const notice = noticeReader.read(headers, body);
    if (notice === 'forged' || notice === 'unreadable') return notice;
    return notices.keep({
      gateway: noticeReader.gateway,
      notice,
      receivedAt: clock.now(),
      outcome: 'received',
    });
  },
  process: async (id) => {
    const { noticeReader, notices } = parts;
    const { gateway } = noticeReader;
    const kept = await notices.find(gateway, id);
    if (kept === undefined || kept.outcome !== 'received') return 'done';
    const outcome = await worked(kept, parts);
    if (outcome === 'later') return 'later';
    await notices.settle(gateway, id, outcome);
    return 'done';
  },
});

const worked = async ({ notice, gateway }: KeptNotice, parts: Needs) => {
  const { noticeReader, payments, sales, alerts, advanceSale } = parts;
  if (!noticeReader.isOfInterest(notice.event)) return 'ignored';
  const { reference = notice.chargeId && (await payments.trace(notice.chargeId)) } = notice;
  if (reference === 'unknown') return 'later';
  const id = saleIdOf(reference ?? '');
  const sale = id === undefined ? undefined : await sales.load(id);
  if (sale === undefined || referenceOf(sale) !== reference) {
    alerts.raise({ kind: 'notice_of_nothing', provider: gateway, noticeId: notice.id });
    return 'of_nothing';
  }
  const changed = await refreshPayment(sale, parts);
  if (changed === 'unanswered') return 'later';
  if (changed === sale) return 'unchanged';
  // The next steps are queued already; this only makes them start sooner.
  await advanceSale.claimed(changed.id);
  return 'taken';
};
