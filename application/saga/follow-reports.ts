import {
  followInsurer,
  followSalePayment,
  hasOtherPrice,
  type InsurerReport,
  isRefusal,
  type Moment,
  outstandingRefunds,
  type PaymentReport,
  type RefundBar,
  receiptOf,
  type Sale,
  type SaleEvent,
  ZERO,
} from '#domain';
import type { Alerts } from '../alerts/alerts.ts';

interface Provider {
  readonly name: string;
  readonly alerts: Pick<Alerts, 'raise'>;
}

/**
 * Applies a gateway's reports to a sale. A report that contradicts the sale is not applied and
 * raises an alert. So do a dispute, and a refund that is due and cannot be ordered.
 */
export const followGateway = (
  sale: Sale,
  reports: readonly PaymentReport[],
  now: Moment,
  provider: Provider,
): Sale => {
  const { alerts, name } = provider;
  const about = { provider: name, saleId: sale.id };
  const after = withUndoneRefunds(sale, reports).reduce((before, report) => {
    const outcome = followSalePayment(before, report, now);
    const isUndone =
      report.status === 'returned' && !isRefusal(outcome) && isLateNews(outcome.events[0]);
    if (isUndone) alerts.raise({ kind: 'refund_undone', ...about });
    if (isCashTakenBack(before, report)) alerts.raise({ kind: 'receipt_undone', ...about });
    return taken(before, outcome, provider);
  }, sale);

  for (const { chargeId, barred } of after.receipts)
    if (barred?.by === 'dispute' && receiptOf(sale, chargeId)?.barred?.by !== 'dispute') {
      const { respondBy } = barred;
      alerts.raise({ kind: 'dispute_opened', ...about, ...(respondBy && { respondBy }) });
    }
  if (barOf(sale) === undefined) raiseBarredRefund(after, provider);
  return after;
};

/** What bars a refund that is due and not ordered. */
const barOf = (sale: Sale): RefundBar | undefined =>
  outstandingRefunds(sale).find(({ isOrdered, barred }) => !isOrdered && barred)?.barred;

/** Tells operators where a refund is due that the gateway cannot make. */
export const raiseBarredRefund = (sale: Sale, { name, alerts }: Provider): void => {
  const bar = barOf(sale);
  if (bar !== undefined)
    alerts.raise({ kind: 'refund_barred', provider: name, saleId: sale.id, by: bar.by });
};

/**
 * The reports, with one of nothing returned for each charge whose refund was known, and is shown no
 * more.
 */
const withUndoneRefunds = (
  sale: Sale,
  reports: readonly PaymentReport[],
): readonly PaymentReport[] =>
  reports.flatMap((report): readonly PaymentReport[] => {
    const { status, chargeId, amount } = report;
    const { returned = ZERO, ordered = returned } = receiptOf(sale, chargeId) ?? {};
    const isShown = reports.some(
      (each) => each.status === 'returned' && each.chargeId === chargeId,
    );
    if (status !== 'approved' || ordered === 0 || isShown) return [report];
    return [report, { status: 'returned', amount, chargeId, returned: ZERO }];
  });

/** Whether a charge can be paid that somebody had noted as paid in cash. */
const isCashTakenBack = (sale: Sale, { status, chargeId }: PaymentReport): boolean =>
  status === 'awaited' && receiptOf(sale, chargeId)?.barred?.by === 'paid_in_cash';

const isLateNews = (event: SaleEvent): boolean =>
  event.kind === 'ignored' && event.because === 'late';

/** Applies an insurer's report to a sale. */
export const followInsurerReport = (
  sale: Sale,
  report: InsurerReport,
  now: Moment,
  provider: Provider,
): Sale => {
  const { period } = sale.terms;
  const { policy } = report;
  const hasOtherPeriod =
    policy !== undefined &&
    (policy.period.start !== period.start || policy.period.end !== period.end);
  // The period that was sold is binding, whatever period the insurer's policy shows.
  const told = hasOtherPeriod ? { ...report, policy: { ...policy, period } } : report;
  const after = taken(sale, followInsurer(sale, told, now), provider);
  const about = { provider: provider.name, saleId: sale.id };
  const words = wordsIn(after);
  // Raise the alert only when the words are new.
  if (words.length > 0 && words.join() !== wordsIn(sale).join())
    provider.alerts.raise({ kind: 'status_unknown', ...about, words: words.map(wordForAlert) });
  if (hasOtherPeriod && after.status !== sale.status)
    provider.alerts.raise({ kind: 'period_differs', ...about });
  if (hasOtherPrice(after) && !hasOtherPrice(sale))
    provider.alerts.raise({ kind: 'premium_differs', ...about });
  return after;
};

/**
 * A status word as insurers write it: `EM_ANALISE`, `em_analise`, `UnderAnalysis` or `Em análise`. Not
 * two words that both begin with a capital, because they may be a person's name.
 */
const STATUS_WORD =
  /^(?=.{1,40}$)(\p{Lu}+(_\p{Lu}+){0,3}|\p{Ll}+(_\p{Ll}+){0,3}|\p{Lu}\p{Ll}+(\p{Lu}\p{Ll}+)?|\p{Lu}\p{Ll}+ \p{Ll}+)$/u;

/** Another text may hold personal data, which would leave with the alert. The sale keeps it. */
const wordForAlert = (word: string): string => (STATUS_WORD.test(word) ? word : '(not shown)');

const wordsIn = ({ issuance }: Sale): readonly string[] =>
  Object.values(issuance?.unknownWords ?? {}).filter((word) => word !== undefined);

const taken = (
  before: Sale,
  outcome: ReturnType<typeof followSalePayment>,
  { name, alerts }: Provider,
): Sale => {
  if (isRefusal(outcome)) {
    alerts.raise({
      kind: 'provider_contradicts',
      provider: name,
      saleId: before.id,
      refusal: outcome.kind,
    });
    return before;
  }
  // The same object means that nothing changed, so that nothing is written.
  return outcome.events[0].kind === 'ignored' ? before : outcome.state;
};
