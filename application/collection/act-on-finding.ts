import type { Sale } from '#domain';
import type { Alerts } from '../alerts/alerts.ts';
import type { Actor, AuditAction, AuditEntry, AuditLog, Change } from '../audit/audit-log.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Gateways } from '../payments/gateways.ts';
import {
  type GatewayAnswer,
  hasReports,
  type Payments,
  partsOfReference,
  referenceOf,
} from '../payments/payments.ts';
import type { Sales } from '../sales/sales.ts';
import { type Finding, findingsWithoutSale } from './gateway-findings.ts';
import { refreshPayment } from './refresh-payment.ts';

export interface Acting {
  readonly sales: Sales;
  readonly gateways: Gateways;
  /** The gateway of the finding. */
  readonly payments: Payments;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly alerts: Alerts;
  readonly auditLog: AuditLog;
  readonly actor: Actor;
}

/**
 * `raised`: an alert tells a person. `waiting`: the gateway or the database did not answer, or the
 * gateway does not know yet; the finding comes again. `left`: nothing was done, because the request names no moment since which
 * sales were lost: the charge may be another environment's.
 */
export type Outcome = 'done' | 'raised' | 'waiting' | 'left';

/** What was done about a finding. */
export interface Acted {
  readonly outcome: Outcome;
  /** The page on which the payer names an account for the refund. No mail can name it. */
  readonly payerPage?: string;
}

/** Does what a finding asks for. Repeated, it does nothing more. */
export const actOn = async (finding: Finding, acting: Acting): Promise<Acted> =>
  finding.kind === 'charge_without_sale' && finding.act !== 'wait'
    ? settleWithoutSale(finding, acting)
    : { outcome: await actOnSale(finding, acting) };

const actOnSale = async (finding: Finding, acting: Acting): Promise<Outcome> => {
  const { alerts, payments, sales } = acting;
  if (finding.act === 'wait') return 'waiting';

  const sale = await sales.load(partsOfReference(finding.reference)?.id ?? 0);
  if (sale === undefined || referenceOf(sale) !== finding.reference) return 'waiting';
  if (finding.kind === 'charge_missing') {
    alerts.raise({ kind: 'charge_missing', provider: payments.name, saleId: sale.id });
    return 'raised';
  }

  const answer = finding.act === 'withdraw' ? await withdraw(finding, acting) : [];
  return hasReports(answer) ? takeOver(sale, finding, acting) : 'waiting';
};

const settleWithoutSale = async (finding: Finding, acting: Acting): Promise<Acted> => {
  const { act, reference, chargeId } = finding;
  const answer = await (act === 'refund' ? refund(finding, acting) : withdraw(finding, acting));
  if (!hasReports(answer)) return { outcome: 'waiting' };

  const left = findingsWithoutSale(reference, answer).find((each) => each.chargeId === chargeId);
  // The payer has paid in the moment of the withdrawal.
  if (act === 'withdraw' && left?.act === 'refund') return settleWithoutSale(left, acting);
  if (left === undefined) return { outcome: 'done' };
  const payerPage = answer
    .map((report) => (report.status === 'returned' ? report.waitsFor?.url : undefined))
    .find((url) => url !== undefined);
  return { outcome: 'waiting', ...(payerPage !== undefined && { payerPage }) };
};

const withdraw = async (finding: Finding, acting: Acting): Promise<GatewayAnswer> => {
  await noteOrder('charge.withdrawal_ordered', finding, acting);
  return acting.payments.withdraw(finding.reference, finding.chargeId);
};

/** All of the charge: the gateway returns no more than that, however often it is asked. */
const refund = async (finding: Finding, acting: Acting): Promise<GatewayAnswer> => {
  await noteOrder('charge.refund_ordered', finding, acting);
  const { reference, chargeId, amount: upTo } = finding;
  return acting.payments.refund({ reference, chargeId, upTo });
};

/** Stored before the gateway is asked: an order that is repeated has several entries. */
const noteOrder = (action: AuditAction, finding: Finding, acting: Acting): Promise<void> => {
  const { chargeId, reference, amount, returned } = finding;
  const changes = Object.entries({ reference, amount, returned }).map(([field, after]) => ({
    field,
    before: null,
    after,
  }));
  const subject = `charge/${chargeId}`;
  return acting.auditLog.append(entryOf({ action, subject, changes }, finding, acting));
};

const entryOf = (
  about: { action: AuditAction; subject: string; changes: readonly Change[] },
  { kind }: Finding,
  { clock, actor }: Acting,
): AuditEntry => ({ ...about, at: clock.now(), actor, reason: kind });

const reconciled = (before: Sale, after: Sale, finding: Finding, acting: Acting): AuditEntry => {
  const changes = [
    { field: 'status', before: before.status, after: after.status },
    { field: 'payment', before: before.payment.status, after: after.payment.status },
  ];
  const subject = `transaction/${before.id}`;
  return entryOf({ action: 'sale.reconciled', subject, changes }, finding, acting);
};

const takeOver = async (sale: Sale, finding: Finding, acting: Acting): Promise<Outcome> => {
  const changed = await refreshPayment(sale, acting, (after) =>
    reconciled(sale, after, finding, acting),
  );
  if (changed === 'unanswered') return 'waiting';
  return finding.act === 'alert' ? 'raised' : 'done';
};
