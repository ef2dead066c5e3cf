import {
  type Cents,
  isUnpaid,
  type Moment,
  type PaymentReport,
  receiptOf,
  type Sale,
  ZERO,
} from '#domain';
import type { Alert } from '../alerts/alerts.ts';
import { type GatewayAnswer, hasReports, isOpenCharge, referenceOf } from '../payments/payments.ts';
import { followGateway } from '../saga/follow-reports.ts';

export const FINDING_KINDS = [
  'charge_without_sale',
  'charge_not_wanted',
  'payment_differs',
  'charge_missing',
] as const;

export const FINDING_ACTS = ['withdraw', 'refund', 'take_over', 'alert', 'wait'] as const;

/** A disagreement of gateway and service, and what the service does about it. */
export interface Finding {
  /**
   * - `charge_without_sale`: the service has no sale with this number and ticket.
   * - `charge_not_wanted`: a charge can be paid, and its sale waits for no payment of it.
   * - `payment_differs`: the gateway shows payments or refunds that the sale does not, or, where the
   *   act is `wait`, an answer that cannot be read.
   * - `charge_missing`: the gateway does not know the charge of a sale.
   */
  readonly kind: (typeof FINDING_KINDS)[number];
  /**
   * `withdraw` closes the charge, `refund` returns what was not returned yet, `take_over` changes
   * the sale as the gateway's notices do. `alert`: a person must decide. `wait`: the gateway itself
   * does not know yet, its answer cannot be read, or it cannot return a paid charge.
   */
  readonly act: (typeof FINDING_ACTS)[number];
  readonly reference: string;
  readonly chargeId: string;
  /** The amount of the charge, in cents; 0 if it is not known. */
  readonly amount: Cents;
  /** How much of it has gone back, in cents. */
  readonly returned: Cents;
  /** How the gateway shows the charge: its statuses, or why it shows no status. */
  readonly there: string;
  /** The status of the sale; absent if there is no sale. */
  readonly here?: Sale['status'];
}

/** The reports of a sale's charges, by charge. A report that names no charge has no money. */
const byCharge = (reports: readonly PaymentReport[]) =>
  [...Map.groupBy(reports, ({ chargeId }) => chargeId)].flatMap(([chargeId, own]) =>
    chargeId === undefined ? [] : [{ chargeId, own }],
  );

const returnedIn = (own: readonly PaymentReport[]): Cents =>
  own.find((report) => report.status === 'returned')?.returned ?? ZERO;

/** How the gateway shows a charge, in words: `approved, dispute opened`. */
const shownAs = (report: PaymentReport): string => {
  if (report.status === 'approved') {
    const { dispute, inCash } = report;
    return `approved${dispute ? `, dispute ${dispute.status}` : ''}${inCash ? ', in cash' : ''}`;
  }
  if (report.status !== 'returned' || report.ordered === undefined) return report.status;
  const { waitsFor } = report;
  return waitsFor ? `refund waits for ${waitsFor.actor}` : 'refund on its way';
};

const aboutCharge = (chargeId: string, own: readonly PaymentReport[]) => ({
  chargeId,
  amount: own[0]?.amount ?? ZERO,
  returned: returnedIn(own),
  there: own.map(shownAs).join(', '),
});

/** What to do with the charges of a sale that the service does not have. */
export const findingsWithoutSale = (
  reference: string,
  reports: readonly PaymentReport[],
): readonly Finding[] =>
  byCharge(reports).flatMap(({ chargeId, own }): readonly Finding[] => {
    const about = {
      kind: 'charge_without_sale',
      reference,
      ...aboutCharge(chargeId, own),
    } as const;
    const is = (status: PaymentReport['status']) => own.some((report) => report.status === status);
    if (own.some(isOpenCharge)) return [{ ...about, act: 'withdraw' }];
    if (is('unknown')) return [{ ...about, act: 'wait' }];
    if (!is('approved') || about.returned >= about.amount) return [];
    const waitFor = (what: string) => [{ ...about, act: 'wait', there: what } as const];
    const ordered = own.find((report) => report.status === 'returned')?.ordered ?? ZERO;
    if (ordered >= about.amount) return waitFor(about.there);
    // A person has to decide about a payment in dispute, or one in cash.
    const isBarred = own.some(
      (report) =>
        report.status === 'approved' && (report.dispute?.status === 'opened' || report.inCash),
    );
    return isBarred ? waitFor(`${about.there}, no refund possible`) : [{ ...about, act: 'refund' }];
  });

/** The differences between reports on charges of a sale and the sale. */
export const differencesOf = (
  sale: Sale,
  reports: readonly PaymentReport[],
  now: Moment,
): readonly Finding[] => {
  const raised: Alert[] = [];
  const alerts = { raise: (alert: Alert) => void raised.push(alert) };
  const after = followGateway(sale, reports, now, { name: '', alerts, asked: sale });
  const about = { reference: referenceOf(sale), here: sale.status };

  const unwanted = byCharge(reports).filter(
    ({ chargeId, own }) =>
      own.some(isOpenCharge) &&
      receiptOf(after, chargeId) === undefined &&
      !(isUnpaid(after) && after.payment.chargeId === chargeId),
  );
  const findings: Finding[] = unwanted.map(({ chargeId, own }) => ({
    ...about,
    ...aboutCharge(chargeId, own),
    kind: 'charge_not_wanted',
    act: 'withdraw',
  }));

  const [first] = byCharge(reports);
  if (first === undefined || (after === sale && raised.length === 0)) return findings;
  const there = reports.map(shownAs).join(', ');
  const act = after === sale ? 'alert' : 'take_over';
  const differing = aboutCharge(first.chargeId, first.own);
  return [{ ...about, ...differing, there, kind: 'payment_differs', act }, ...findings];
};

/**
 * Whether a sale names a charge that is not among the reports, and that matters. It never ends the
 * sale: the payer may hold the charge's link, and the gateway may know the charge again later.
 */
export const missingChargeOf = (
  sale: Sale,
  reports: readonly PaymentReport[],
): readonly Finding[] => {
  const { chargeId, amount } = sale.payment;
  if (chargeId === undefined || reports.some((report) => report.chargeId === chargeId)) return [];
  const notReceived = isUnpaid(sale) ? ZERO : amount;
  const { returned } = receiptOf(sale, chargeId) ?? { returned: notReceived };
  const about = { reference: referenceOf(sale), chargeId, amount, there: 'nothing' };
  const finding = { ...about, kind: 'charge_missing', act: 'alert', here: sale.status } as const;
  return isUnpaid(sale) || returned < amount ? [{ ...finding, returned }] : [];
};

/** The charges among the reports, as the gateway shows them. */
export const shownCharges = (reports: readonly PaymentReport[]) =>
  byCharge(reports).map(({ chargeId, own }) => aboutCharge(chargeId, own));

/** Where the gateway's answer about a sale and the sale disagree. `chargeId`: what was asked for. */
export const findingsOfSale = (
  sale: Sale,
  answer: GatewayAnswer,
  now: Moment,
  chargeId = sale.payment.chargeId ?? '',
): readonly Finding[] => {
  if (hasReports(answer))
    return [...missingChargeOf(sale, answer), ...differencesOf(sale, answer, now)];
  return [unansweredAbout({ reference: referenceOf(sale), chargeId, there: answer }, sale)];
};

/** The gateway has not answered about a charge, or what it answers cannot be read. */
export const unansweredAbout = (
  about: Pick<Finding, 'reference' | 'chargeId' | 'there'>,
  sale: Sale | undefined,
): Finding => {
  const unread = { ...about, act: 'wait', returned: ZERO } as const;
  return sale === undefined
    ? { ...unread, kind: 'charge_without_sale', amount: ZERO }
    : { ...unread, kind: 'payment_differs', amount: sale.payment.amount, here: sale.status };
};
