import type { Alerts } from '../alerts/alerts.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Gateways } from '../payments/gateways.ts';
import type { KeptNotice, Notice, NoticeReader, Notices } from '../payments/notices.ts';
import { referenceOf, saleIdOf } from '../payments/payments.ts';
import type { AdvanceSale } from '../saga/advance-sale.ts';
import type { Sales } from '../sales/sales.ts';
import { redactNotice } from './redact-notice.ts';
import { refreshPayment } from './refresh-payment.ts';

interface Needs {
  readonly notices: Notices;
  /** One for each gateway that sends notices. */
  readonly noticeReaders: readonly NoticeReader[];
  readonly gateways: Gateways;
  readonly catalogue: Catalogue;
  readonly sales: Sales;
  readonly clock: Clock;
  readonly alerts: Alerts;
  readonly advanceSale: AdvanceSale;
}

export interface TakeNotices {
  /**
   * Stores a notice for processing. Nothing else happens before the gateway gets its answer. An
   * unreadable one is stored too, with an alert, and not processed. `unknown_gateway`: no gateway of
   * that name sends notices here.
   */
  receive(
    gateway: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: string,
  ): Promise<'kept' | 'repeated' | 'forged' | 'unreadable' | 'unknown_gateway'>;
  /**
   * Processes a stored notice once.
   *
   * @param gateway undefined in a job of version 1.0.0: it is looked for under each name
   * @returns `later`: the gateway did not answer how the charge stands
   */
  process(gateway: string | undefined, id: string): Promise<'done' | 'later'>;
}

/**
 * Receives the gateway's notices. Their content is not trusted: each is a reason to ask the gateway
 * for the charges. So order, repetition and false claims do no harm.
 */
export const makeTakeNotices = (parts: Needs): TakeNotices => ({
  receive: async (gateway, headers, body) => {
    const reader = readerOf(gateway, parts);
    if (reader === undefined) return 'unknown_gateway';
    const notice = reader.read(headers, body);
    if (notice === 'forged') return notice;
    return notice === 'unreadable'
      ? keepUnreadable(gateway, body, parts)
      : keep(gateway, notice, parts);
  },
  process: async (gateway, id) => {
    const names =
      gateway === undefined ? parts.noticeReaders.map((each) => each.gateway) : [gateway];
    for (const name of names) if ((await processOne(name, id, parts)) === 'later') return 'later';
    return 'done';
  },
});

const processOne = async (gateway: string, id: string, parts: Needs): Promise<'done' | 'later'> => {
  const { notices } = parts;
  const kept = await notices.find(gateway, id);
  if (kept === undefined || kept.outcome !== 'received') return 'done';
  const outcome = await worked(kept, parts);
  if (outcome === 'later') return 'later';
  await notices.settle(gateway, id, outcome);
  return 'done';
};

const readerOf = (gateway: string, { noticeReaders }: Needs): NoticeReader | undefined =>
  noticeReaders.find((each) => each.gateway === gateway);

const keep = async (
  gateway: string,
  notice: Notice,
  parts: Needs,
): Promise<'kept' | 'repeated'> => {
  const { notices, clock, alerts } = parts;
  const received = { gateway, receivedAt: clock.now(), outcome: 'received' } as const;
  const outcome = await notices.keep({ ...received, notice });
  if (outcome === 'kept') return outcome;

  const earlier = await notices.find(gateway, notice.id);
  if (earlier === undefined || contentOf(earlier.notice) === contentOf(notice)) return 'repeated';
  // Another notice under a used id may be the only one that tells of a payment.
  const renamed = { ...notice, id: `${notice.id} ${contentOf(notice)}` };
  const again = await notices.keep({ ...received, notice: renamed });
  if (again === 'kept')
    alerts.raise({ kind: 'notice_differs', provider: gateway, noticeId: notice.id });
  return again;
};

const contentOf = ({ event, reference = '', chargeId = '' }: Notice): string =>
  `${event} ${reference} ${chargeId}`;

const keepUnreadable = async (
  gateway: string,
  body: string,
  parts: Needs,
): Promise<'unreadable'> => {
  const { notices, clock, alerts } = parts;
  const excerpt = redactNotice(body);
  const { kind, digest } = await notices.keepUnreadable({
    gateway,
    body,
    excerpt,
    receivedAt: clock.now(),
  });
  if (kind === 'kept') alerts.raise({ kind: 'notice_unreadable', provider: gateway, digest });
  return 'unreadable';
};

const worked = async ({ notice, gateway }: KeptNotice, parts: Needs) => {
  const { gateways, sales, alerts, advanceSale } = parts;
  const [reader, payments] = [readerOf(gateway, parts), gateways.find(gateway)];
  // The settings of the gateway were removed since: a job comes back to the notice.
  if (reader === undefined || payments === undefined) return 'later';
  if (reader.isBlock?.(notice.event))
    alerts.raise({ kind: 'balance_blocked', provider: gateway, noticeId: notice.id });
  if (!reader.isOfInterest(notice.event)) return 'ignored';
  const { reference = notice.chargeId && (await payments.trace(notice.chargeId)) } = notice;
  if (reference === 'unknown') return 'later';
  const id = saleIdOf(reference ?? '');
  const sale = id === undefined ? undefined : await sales.load(id);
  // No money of a sale is expected at another gateway: a person looks at it.
  const isOfSale = sale && referenceOf(sale) === reference && gateways.of(sale).name === gateway;
  if (!isOfSale) {
    const { id: noticeId, chargeId } = notice;
    const about = { provider: gateway, noticeId, ...(chargeId !== undefined && { chargeId }) };
    alerts.raise({ kind: 'notice_of_nothing', ...about });
    return 'of_nothing';
  }
  const changed = await refreshPayment(sale, parts);
  if (changed === 'unanswered') return 'later';
  if (changed === sale) return 'unchanged';
  // The next steps are queued already; this only makes them start sooner.
  await advanceSale.claimed(changed.id);
  return 'taken';
};
