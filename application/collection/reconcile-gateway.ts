import { type Instant, instantOf } from '#domain';
import type { Actor } from '../audit/audit-log.ts';
import { type Acted, type Acting, actOn } from './act-on-finding.ts';
import {
  type Examination,
  type ExaminedPeriod,
  type ExaminePorts,
  examineGateway,
} from './examine-gateway.ts';
import type { Finding } from './gateway-findings.ts';

type Needs = Omit<ExaminePorts & Acting, 'actor' | 'payments'>;

export interface GatewayReport extends Omit<Examination, 'findings'>, ExaminedPeriod {
  readonly gateway: string;
  /** A finding, with `outcome` once it was acted on. `error` says to a person why it failed. */
  readonly findings: readonly (Finding & Partial<Acted> & { readonly error?: string })[];
  /** Whether so much does not fit that the gateway's account or the database may be a wrong one. */
  readonly isDoubtful: boolean;
  readonly isApplied: boolean;
}

export interface ReconcileRequest {
  /** Default: that of new charges. */
  readonly gateway?: string | undefined;
  readonly from: Instant;
  /** Default: ten minutes ago. */
  readonly to?: Instant | undefined;
  /**
   * The moment to which the database was restored. Charges without a sale are withdrawn or refunded
   * only if their tickets were made from then on. Absent: they are only reported.
   */
  readonly lostSince?: Instant | undefined;
  /** Whether to act on the findings. */
  readonly apply: boolean;
  /** Whether to act on doubtful findings too. */
  readonly evenIfMany: boolean;
}

/**
 * Compares the gateway's charges with the sales of a period, and acts on what differs: no payer
 * stays charged without insurance. It may be repeated, and killed at any time.
 *
 * @throws Unavailable if the gateway or the database does not answer before anything was done; Error for
 * a gateway without settings
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
  async function reconcileGateway({ gateway, from, to, lostSince, apply, evenIfMany }, actor) {
    const { gateways, clock } = ports;
    const payments = gateway === undefined ? gateways.standard : gateways.find(gateway);
    if (payments === undefined) throw new Error(`the gateway ${gateway} has no settings`);
    const period = { from, to: endOfPeriod(to, clock.now()), lostSince };

    const examined = await examineGateway(period, { ...ports, payments });
    const isDoubtful = isTooMuch(examined);
    const isApplied = apply && (!isDoubtful || evenIfMany);
    const report = { ...examined, ...period, gateway: payments.name, isDoubtful, isApplied };
    if (!isApplied) return report;

    const acting = { ...ports, payments, actor };
    const findings = [];
    for (const finding of examined.findings) {
      const isLeft = isOrder(finding) && lostSince === undefined;
      const result = isLeft ? ({ outcome: 'left' } as const) : await resultOf(finding, acting);
      findings.push({ ...finding, ...result });
    }
    return { ...report, findings };
  };

/** Whether the finding changes a charge that no sale here knows. */
const isOrder = ({ kind, act }: Finding): boolean =>
  kind === 'charge_without_sale' && act !== 'wait';

/** A failure stops no other finding: the report must tell what was done. */
const resultOf = async (
  finding: Finding,
  acting: Acting,
): Promise<Acted & { readonly error?: string }> => {
  try {
    return await actOn(finding, acting);
  } catch (error) {
    return { outcome: 'waiting', error: error instanceof Error ? error.message : String(error) };
  }
};

/**
 * Whether, of all charges listed, none or less than half belong to sales here, settled charges
 * included; or more than half of the sales that should have a charge have none.
 */
const isTooMuch = ({ findings, charges, sales }: Examination): boolean => {
  if (findings.length === 0) return false;
  const missing = findings.filter(({ kind }) => kind === 'charge_missing').length;
  return charges.ofSales === 0 || charges.withoutSale > charges.ofSales || 2 * missing > sales;
};
