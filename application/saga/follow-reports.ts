import {
  applyPaymentReport,
  followInsurer,
  hasOtherPrice,
  type InsurerReport,
  isRefusal,
  type Moment,
  type PaymentReport,
  type ReturnReport,
  receiptOf,
  type Sale,
  ZERO,
} from '#domain';
import type { Alerts } from '../alerts/alerts.ts';

interface Provider {
  readonly name: string;
  readonly alerts: Pick<Alerts, 'raise'>;
}

interface Gateway extends Provider {
  /** The sale about which the gateway was asked. */
  readonly asked: Sale;
}

/**
 * Applies a gateway's reports to a sale. A report that contradicts the sale is not applied and
 * raises an alert.
 */
export const followGateway = (
  sale: Sale,
  reports: readonly PaymentReport[],
  now: Moment,
  gateway: Gateway,
): Sale => {
  const isCurrent = gateway.asked.version === sale.version;
  const shown = isCurrent
    ? withMissingMoney(sale, withUndoneRefunds(sale, reports))
    : withoutAbsences(sale, reports);
  return shown.reduce(
    (before, report) => taken(before, applyPaymentReport(before, report, now), gateway),
    sale,
  );
};

/**
 * The reports, after one of each refund that is known and that the gateway does not show any more.
 */
const withUndoneRefunds = (
  sale: Sale,
  reports: readonly PaymentReport[],
): readonly PaymentReport[] => [
  ...reports.flatMap((report): readonly PaymentReport[] => {
    const { status, chargeId, amount } = report;
    if (status !== 'approved') return [];
    const returns = reports.filter((each) => each.status === 'returned');
    const shown = returns.find((each) => each.chargeId === chargeId) ?? NOTHING;
    const { returned, ordered = returned } = shown;
    const known = receiptOf(sale, chargeId) ?? NOTHING;
    const isUndone = returned < known.returned || ordered < (known.ordered ?? known.returned);
    return isUndone ? [{ status: 'undone', chargeId, amount, returned, ordered }] : [];
  }),
  ...reports,
];

const hasMoney = ({ status }: PaymentReport): boolean =>
  status === 'approved' || status === 'returned' || status === 'undone';

/**
 * The reports, in which a charge that has brought money and is not shown as paid any more is
 * unconfirmed. Cash that was noted by hand is gone instead.
 */
const withMissingMoney = (
  sale: Sale,
  reports: readonly PaymentReport[],
): readonly PaymentReport[] => {
  const missing = sale.receipts.flatMap(({ chargeId, amount, inCash }) => {
    const isShown = reports.some((each) => each.chargeId === chargeId && hasMoney(each));
    if (chargeId === undefined || inCash || isShown) return [];
    return { status: 'unconfirmed', chargeId, amount } as const;
  });
  const isOther = ({ chargeId }: PaymentReport): boolean =>
    missing.every((each) => each.chargeId !== chargeId);
  return [...reports.filter(isOther), ...missing];
};

/**
 * The reports of an answer that may be older than the sale. What it does not show of money that the
 * sale knows may have come since, and a dispute that it shows as open may be over.
 */
const withoutAbsences = (sale: Sale, reports: readonly PaymentReport[]): readonly PaymentReport[] =>
  reports.flatMap((report): readonly PaymentReport[] => {
    const known = receiptOf(sale, report.chargeId);
    if (known === undefined) return [report];
    if (report.status === 'returned' || report.status === 'refund_refused') return [report];
    if (report.status !== 'approved') return [];
    const { inCash, returnsWholeOnly } = known;
    const told = report.dispute;
    const isNews = told !== undefined && (!known.dispute || told.status !== 'opened');
    const dispute = isNews ? told : known.dispute;
    return [
      {
        ...report,
        ...(dispute && { dispute }),
        ...(inCash && { inCash }),
        ...(returnsWholeOnly && { returnsWholeOnly }),
      },
    ];
  });

const NOTHING: Pick<ReturnReport, 'returned' | 'ordered'> = { returned: ZERO };

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
  const isIssued =
    after.status !== sale.status || after.issuance?.unpaidPolicy !== sale.issuance?.unpaidPolicy;
  if (hasOtherPeriod && isIssued) provider.alerts.raise({ kind: 'period_differs', ...about });
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
  outcome: ReturnType<typeof applyPaymentReport>,
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
