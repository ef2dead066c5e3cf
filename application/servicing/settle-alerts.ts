import {
  disputeOf,
  isRefusedForGood,
  isShort,
  isUnconfirmed,
  outstandingRefunds,
  refundPending,
  type Sale,
  undecidedReceipts,
} from '#domain';
import type { AlertRecord, AlertRecords } from '../alerts/alert-records.ts';
import type { AlertKind } from '../alerts/alerts.ts';
import type { Clock } from '../clock.ts';
import type { InGroups } from '../groups/in-groups.ts';
import type { Mailings } from '../mail/mailings.ts';
import type { Sales } from '../sales/sales.ts';
import type { WebhookEndpoints } from '../webhooks/endpoints.ts';

interface Needs {
  readonly alertRecords: AlertRecords;
  readonly mailings: Mailings;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly sales: Sales;
  readonly groupViews: InGroups<{ readonly sales: Sales }>;
  readonly clock: Clock;
}

export type SettleAlerts = () => Promise<void>;

/** Open alerts of a kind that are looked at in a run; the next run goes on after them. */
const LOOKED_AT = 100;

/** An alert about money is raised before the change of its sale is stored, which may take this long. */
const STORED_WITHIN_MS = 60_000;

/** Why a person need not look at the alert any more; undefined: a person must. */
type ReadCause = (record: AlertRecord) => Promise<string | undefined>;

/** The alerts of a sale's money whose cause may go by itself. */
const MONEY_CAUSES: Readonly<Partial<Record<AlertKind, (sale: Sale) => string | false>>> = {
  dispute_opened: (sale) => disputeOf(sale)?.status !== 'opened' && 'The dispute is over.',
  refund_barred: (sale) =>
    outstandingRefunds(sale).every(
      ({ barred, waitsFor }) => barred === undefined && waitsFor?.actor !== 'operator',
    ) && 'No refund of the sale waits for a person any more.',
  refund_undone: (sale) =>
    refundPending(sale) === 0 &&
    sale.receipts.every(({ undoneOn }) => undoneOn === undefined) &&
    'The refund has left.',
  refund_waits_for_payer: (sale) =>
    outstandingRefunds(sale).every(({ waitsFor }) => waitsFor?.actor !== 'insured') &&
    'No refund of the sale waits for the payer any more.',
  payment_amount_differs: (sale) =>
    undecidedReceipts(sale).length === 0 &&
    !isShort(sale) &&
    !('asks' in sale.payment && !sale.payment.mayAsk) &&
    refundPending(sale) === 0 &&
    'The money was accepted, or what was too much has gone back.',
  payment_unconfirmed: (sale) =>
    !sale.receipts.some(isUnconfirmed) &&
    'The gateway shows the money again, or an operator has decided.',
  refund_unconfirmed: (sale) =>
    refundPending(sale) === 0 && 'The channel has confirmed the refund.',
  refund_refused: (sale) =>
    !outstandingRefunds(sale).some(isRefusedForGood) && 'The refund was ordered, or made by hand.',
};

/** Looks at open alerts whose cause may be gone, and settles those whose cause is. */
export const makeSettleAlerts = (ports: Needs): SettleAlerts => {
  const { alertRecords, mailings, webhookEndpoints, sales, groupViews, clock } = ports;

  const readMail: ReadCause = async ({ saleId, details }) => {
    const name = { saleId: Number(saleId), number: Number(details['number']) };
    const status = (await mailings.find(name))?.status;
    if (status === 'sent') return 'The mail was sent.';
    return status === 'withdrawn' ? 'The mail was withdrawn: the contract has ended.' : undefined;
  };
  const readEndpoint: ReadCause = async ({ details }) => {
    const endpoint = await webhookEndpoints.find(String(details['endpointId']));
    if (endpoint === undefined) return 'The webhook was deleted.';
    return endpoint.disabled === undefined ? 'The webhook is active again.' : undefined;
  };
  const readGroup: ReadCause = async ({ details }) => {
    const sales = groupViews().get(Number(details['group']))?.sales;
    const isBack = await sales?.list({ limit: 1 }).catch(() => undefined);
    return isBack && 'The group answers again.';
  };
  const readMoney: ReadCause = async ({ kind, saleId, lastAt }) => {
    if (Date.parse(clock.now()) - Date.parse(lastAt) < STORED_WITHIN_MS) return undefined;
    const sale = await sales.load(Number(saleId));
    return (sale && MONEY_CAUSES[kind]?.(sale)) || undefined;
  };

  const causes = new Map<AlertKind, ReadCause>([
    ['mail_undelivered', readMail],
    ['webhook_disabled', readEndpoint],
    ['group_unavailable', readGroup],
    ...(Object.keys(MONEY_CAUSES) as AlertKind[]).map((kind) => [kind, readMoney] as const),
  ]);
  /** The place at which the next run goes on, by kind. */
  const places = new Map<AlertKind, number | undefined>();

  return async function settleAlerts() {
    for (const [kind, read] of causes) {
      const before = places.get(kind);
      const records = await alertRecords.list({ status: 'open', kind, before, limit: LOOKED_AT });
      for (const record of records) {
        const note = await read(record);
        if (note !== undefined) await alertRecords.settle(record, clock.now(), note);
      }
      places.set(kind, records.length < LOOKED_AT ? undefined : records.at(-1)?.id);
    }
  };
};
