import { type Instant, instantOf, isUnpaid, type Moment, nextSteps, type Sale } from '#domain';
import type { Actor, AuditAction, AuditEntry, Change } from '../audit/audit-log.ts';
import { momentOf } from '../clock.ts';
import type { Ports } from '../ports.ts';
import { changeSale } from '../saga/change-sale.ts';
import { followGateway } from '../saga/follow-reports.ts';
import { refreshPayment } from '../sales/refresh-payment.ts';
import type { CollectedPeriod } from '../sales/sales.ts';
import { type Examination, type ExaminePorts, examineGateway } from './examine-gateway.ts';
import { type Finding, findingsWithoutSale, missingChargeOf } from './gateway-findings.ts';
import { type GatewayAnswer, hasReports, partsOfReference, referenceOf } from './payments.ts';

type Needs = ExaminePorts & Pick<Ports, 'alerts' | 'auditLog'>;

/** `waiting`: the gateway did not answer, or does not know yet. Run the command again. */
type Outcome = 'done' | 'raised' | 'waiting';

export interface GatewayReport extends Omit<Examination, 'findings'>, CollectedPeriod {
  readonly gateway: string;
  /** With `outcome` once it was acted on. */
  readonly findings: readonly (Finding & { readonly outcome?: Outcome })[];
  /** Whether so much does not fit that the gateway's account or the database may be a wrong one. */
  readonly isDoubtful: boolean;
  readonly isApplied: boolean;
}

export interface ReconcileRequest {
  readonly from: Instant;
  /** Default: ten minutes ago. */
  readonly to?: Instant | undefined;
  /** Whether to act on the findings. */
  readonly apply: boolean;
  /** Whether to act on doubtful findings too. */
  readonly evenIfMany: boolean;
}

/**
 * Compares the gateway's charges with the sales of a period, and acts on what differs: no payer
 * stays charged without insurance. It may be repeated, and killed at any time.
 *
 * @throws Unavailable if the gateway or the database does not answer before anything was done
 */
export type ReconcileGateway = (request: ReconcileRequest, actor: Actor) => Promise<GatewayReport>;

/**
 * A sale that is younger is left alone by default: it may be in the middle of its payment. It is no
 * danger to it, because a sale is stored before its charge is ordered.
 */
export const YOUNG_MINUTES = 10;

const minutesBefore = (at: Instant, minutes: number): Instant =>
  instantOf(new Date(Date.parse(at) - minutes * 60_000));

/** The end of the period that a request means. */
export const endOfPeriod = (to: Instant | undefined, now: Instant): Instant => {
  const end = to ?? minutesBefore(now, YOUNG_MINUTES);
  return end < now ? end : now;
};

export const makeReconcileGateway = (ports: Needs): ReconcileGateway =>
  async function reconcileGateway({ from, to, apply, evenIfMany }, actor) {
    const { clock, payments } = ports;
    const period = { from, to: endOfPeriod(to, clock.now()) };

    const examined = await examineGateway(period, ports);
    const isDoubtful = isTooMuch(examined);
    const isApplied = apply && (!isDoubtful || evenIfMany);
    const report = { ...examined, ...period, gateway: payments.name, isDoubtful, isApplied };
    if (!isApplied) return report;

    const act = makeActOn(ports, actor);
    const findings = [];
    for (const finding of examined.findings)
      findings.push({ ...finding, outcome: await act(finding) });
    return { ...report, findings };
  };

/** Whether more than half of the charges have no sale, or more than half of the sales no charge. */
const isTooMuch = ({ findings, charges, sales }: Examination): boolean => {
  const count = (kind: Finding['kind']): number =>
    findings.filter((finding) => finding.kind === kind).length;
  return (
    2 * count('charge_without_sale') > charges.ofSales + charges.withoutSale ||
    2 * count('charge_missing') > sales
  );
};

const makeActOn = (ports: Needs, actor: Actor) => {
  const { alerts, auditLog, clock, payments, sales } = ports;

  const entryOf = (
    action: AuditAction,
    subject: string,
    { kind }: Finding,
    changes: readonly Change[],
  ): AuditEntry => ({ at: clock.now(), action, actor, subject, reason: kind, changes });

  /** Stored before the gateway is asked: an order that is repeated has several entries. */
  const noteOrder = (action: AuditAction, finding: Finding): Promise<void> => {
    const { chargeId, reference, amount, returned } = finding;
    const changes = Object.entries({ reference, amount, returned }).map(([field, after]) => ({
      field,
      before: null,
      after,
    }));
    return auditLog.append(entryOf(action, `charge/${chargeId}`, finding, changes));
  };

  const withdraw = async (finding: Finding): Promise<GatewayAnswer> => {
    await noteOrder('charge.withdrawal_ordered', finding);
    return payments.withdraw(finding.reference, finding.chargeId);
  };

  /** All of the charge: the gateway returns no more than that, however often it is asked. */
  const refund = async (finding: Finding): Promise<GatewayAnswer> => {
    await noteOrder('charge.refund_ordered', finding);
    const { reference, chargeId, amount: upTo } = finding;
    return payments.refund({ reference, chargeId, upTo });
  };

  const settleWithoutSale = async (finding: Finding): Promise<Outcome> => {
    const { act, reference, chargeId } = finding;
    if (act === 'wait') return 'waiting';
    const answer = await (act === 'refund' ? refund(finding) : withdraw(finding));
    if (!hasReports(answer)) return 'waiting';
    const left = findingsWithoutSale(reference, answer).find((each) => each.chargeId === chargeId);
    // The payer has paid in the moment of the withdrawal.
    if (act === 'withdraw' && left?.act === 'refund') return settleWithoutSale(left);
    return left === undefined ? 'done' : 'waiting';
  };

  const reconciled = (before: Sale, after: Sale, finding: Finding): AuditEntry =>
    entryOf('sale.reconciled', `transaction/${before.id}`, finding, [
      { field: 'status', before: before.status, after: after.status },
      { field: 'payment', before: before.payment.status, after: after.payment.status },
    ]);

  const takeOver = async (sale: Sale, finding: Finding): Promise<Outcome> => {
    const changed = await refreshPayment(sale, ports, (after) => reconciled(sale, after, finding));
    if (changed === 'unanswered') return 'waiting';
    return finding.act === 'alert' ? 'raised' : 'done';
  };

  /** The payer cannot pay any more. A payment that appears after all is refunded. */
  const expire = async (sale: Sale, finding: Finding): Promise<Outcome> => {
    const answer = await payments.find(finding.reference, finding.chargeId);
    if (!hasReports(answer)) return 'waiting';
    if (missingChargeOf(sale, answer).length === 0) return takeOver(sale, finding);
    const now = momentOf(clock, await ports.catalogue.current());
    await changeSale(
      sales,
      sale,
      (present) => asExpired(present, finding, now, ports),
      (changed) => ({
        resume: nextSteps(changed, now).length > 0,
        entry: reconciled(sale, changed, finding),
      }),
    );
    return 'done';
  };

  return async function actOn(finding: Finding): Promise<Outcome> {
    if (finding.kind === 'charge_without_sale') return settleWithoutSale(finding);
    const sale = await sales.load(partsOfReference(finding.reference)?.id ?? 0);
    if (sale === undefined || referenceOf(sale) !== finding.reference) return 'waiting';
    if (finding.kind === 'charge_missing') {
      if (finding.act === 'expire') return expire(sale, finding);
      alerts.raise({ kind: 'charge_missing', provider: payments.name, saleId: sale.id });
      return 'raised';
    }
    const answer = finding.act === 'withdraw' ? await withdraw(finding) : [];
    return hasReports(answer) ? takeOver(sale, finding) : 'waiting';
  };
};

const asExpired = (
  sale: Sale,
  { chargeId }: Finding,
  now: Moment,
  { alerts, payments }: Pick<Needs, 'alerts' | 'payments'>,
): Sale => {
  if (!isUnpaid(sale) || sale.payment.chargeId !== chargeId) return sale;
  const report = { status: 'expired', chargeId, amount: sale.payment.amount } as const;
  return followGateway(sale, [report], now, { name: payments.name, alerts });
};
