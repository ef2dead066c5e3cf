import type { Cents, Instant, Sale } from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Clock, momentOf } from '../clock.ts';
import type { Gateways } from '../payments/gateways.ts';
import { hasReports, referenceOf } from '../payments/payments.ts';
import { type Finding, findingsOfSale, shownCharges } from './gateway-findings.ts';

/** A charge of a sale, as the gateway shows it now. */
export interface ShownCharge {
  readonly chargeId: string;
  /** In cents. */
  readonly amount: Cents;
  /** How much of it has gone back, in cents. */
  readonly returned: Cents;
  /** In words: `approved, dispute opened`. */
  readonly there: string;
}

export interface GatewayComparison {
  readonly at: Instant;
  readonly charges: readonly ShownCharge[];
  /** Where gateway and sale disagree, or that the gateway gave no answer. */
  readonly findings: readonly Finding[];
}

interface Needs {
  readonly gateways: Gateways;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
}

/** Asks the gateway about the charges of one sale, and changes nothing. */
export type CompareWithGateway = (sale: Sale) => Promise<GatewayComparison>;

export const makeCompareWithGateway = ({ gateways, catalogue, clock }: Needs): CompareWithGateway =>
  async function compareWithGateway(sale) {
    const now = momentOf(clock, await catalogue.current());
    const { at } = now;
    if (sale.terms.payment.collectedBy === 'channel') return { at, charges: [], findings: [] };
    const answer = await gateways.of(sale).find(referenceOf(sale), sale.payment.chargeId);
    const charges = hasReports(answer) ? shownCharges(answer) : [];
    return { at, charges, findings: findingsOfSale(sale, answer, now) };
  };
