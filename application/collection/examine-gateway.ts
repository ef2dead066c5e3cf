import { addDays, type Instant, instantOf, type Moment, type Sale } from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Clock, momentOf } from '../clock.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Gateways } from '../payments/gateways.ts';
import {
  hasReports,
  type ListedCharge,
  type Payments,
  partsOfReference,
  referenceOf,
} from '../payments/payments.ts';
import { type CollectedPeriod, NUMBERING_DISORDER_MS, type Sales } from '../sales/sales.ts';
import {
  differencesOf,
  type Finding,
  findingsOfSale,
  findingsWithoutSale,
  missingChargeOf,
  unansweredAbout,
} from './gateway-findings.ts';

export interface ExaminePorts {
  readonly sales: Sales;
  readonly gateways: Gateways;
  /** The gateway that is examined. */
  readonly payments: Payments;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
}

export interface ExaminedPeriod extends CollectedPeriod {
  /** The moment to which the database was restored: only later sales can be lost. */
  readonly lostSince?: Instant | undefined;
}

export interface Examination {
  readonly findings: readonly Finding[];
  /** How many charges the gateway has listed. */
  readonly charges: {
    readonly ofSales: number;
    /** Their sales were registered in the period, since the moment, by their tickets; not here. */
    readonly withoutSale: number;
    /** Charges of other systems that use the account. They are never touched. */
    readonly ofOthers: number;
  };
  /** Sales of the period whose charge the gateway must show: paid and not all returned, or waiting. */
  readonly sales: number;
}

/** Charges whose sales are looked up together. */
const BATCH = 100;

/**
 * Compares the gateway's charges with the sales of a period. Its list only names what to look at:
 * every finding is what the gateway answers about that sale alone. A sale about which it gives no
 * answer that can be read is a finding that waits.
 *
 * A charge is of a lost sale only if its reference has the form of the service's, its ticket was
 * made in the period, not before `lostSince`, and its number is above those of earlier sales. An
 * environment on the same account that sells at that time can fit all of it.
 *
 * @throws GatewayUnavailable if the gateway does not list its charges; nothing is found then
 */
export const examineGateway = async (
  period: ExaminedPeriod,
  ports: ExaminePorts,
): Promise<Examination> => {
  const { sales, payments, catalogue, clock } = ports;
  const now = momentOf(clock, await catalogue.current());
  const lostFrom = firstLostOf(period);
  const before = instantOf(new Date(Date.parse(lostFrom) - NUMBERING_DISORDER_MS));
  const lastIdBefore = await sales.lastIdBefore(before);
  const comparison = new Comparison(period, lastIdBefore, now, ports);

  // A sale of the last minutes of the period may be charged on the next day.
  const days = { from: clock.dayOf(period.from), to: addDays(clock.dayOf(period.to), 1) };
  for await (const charges of inBatches(payments.listCharges(days), BATCH))
    await comparison.addCharges(charges);
  for await (const sale of sales.collectedByService(period)) comparison.addSale(sale);

  const findings: Finding[] = [];
  for (const [reference, chargeId] of comparison.suspects)
    findings.push(...(await findingsOf(reference, chargeId, now, ports)));
  return { findings, charges: comparison.charges, sales: comparison.sales };
};

/** No sale that was registered earlier is lost. */
const firstLostOf = ({ from, lostSince = from }: ExaminedPeriod): Instant =>
  lostSince > from ? lostSince : from;

async function* inBatches<Item>(items: AsyncIterable<Item>, size: number): AsyncIterable<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Collects what does not fit; everything else is only counted. */
class Comparison {
  /** A charge of each reference. */
  readonly suspects = new Map<string, string>();
  readonly charges = { ofSales: 0, withoutSale: 0, ofOthers: 0 };
  sales = 0;
  /** Sales whose charge is in the list. */
  readonly #charged = new Set<number>();
  readonly #period: ExaminedPeriod;
  readonly #lastIdBefore: number;
  readonly #now: Moment;
  readonly #ports: ExaminePorts;

  constructor(period: ExaminedPeriod, lastIdBefore: number, now: Moment, ports: ExaminePorts) {
    this.#period = period;
    this.#lastIdBefore = lastIdBefore;
    this.#now = now;
    this.#ports = ports;
  }

  async addCharges(charges: readonly ListedCharge[]): Promise<void> {
    await Promise.all(
      charges.map(async (charge) => {
        const named = partsOfReference(charge.reference ?? '');
        const sale = named && (await this.#ports.sales.load(named.id));
        const isOfSale = sale !== undefined && sale.ticket === named?.ticket;
        if (isOfSale && this.#isOfGateway(sale)) this.#addOfSale(charge, sale);
        else if (named !== undefined && !isOfSale && this.#isLost(named))
          this.#addWithoutSale(charge);
        else this.charges.ofOthers += 1;
      }),
    );
  }

  addSale(sale: Sale): void {
    if (!this.#isOfGateway(sale) || missingChargeOf(sale, []).length === 0) return;
    this.sales += 1;
    const { chargeId = '' } = sale.payment;
    if (!this.#charged.has(sale.id)) this.suspects.set(referenceOf(sale), chargeId);
  }

  /** The money of a sale at another gateway is examined there. */
  #isOfGateway(sale: Sale): boolean {
    return this.#ports.gateways.of(sale).name === this.#ports.payments.name;
  }

  #addOfSale({ chargeId, reports }: ListedCharge, sale: Sale): void {
    this.charges.ofSales += 1;
    if (sale.payment.chargeId === chargeId) this.#charged.add(sale.id);
    // A sale that is younger may be in the middle of its payment.
    if (sale.registeredAt >= this.#period.to) return;
    if (reports.length === 0 || differencesOf(sale, reports, this.#now).length > 0)
      this.suspects.set(referenceOf(sale), chargeId);
  }

  #addWithoutSale(charge: ListedCharge): void {
    const { reference = '', chargeId, reports } = charge;
    this.charges.withoutSale += 1;
    if (reports.length === 0 || findingsWithoutSale(reference, reports).length > 0)
      this.suspects.set(reference, chargeId);
  }

  #isLost({ id, ticket }: Pick<Sale, 'id' | 'ticket'>): boolean {
    const soldAt = this.#ports.identifiers.timeOf(ticket);
    if (soldAt === undefined || id <= this.#lastIdBefore) return false;
    return soldAt >= firstLostOf(this.#period) && soldAt < this.#period.to;
  }
}

/** Asks the gateway about one sale. `chargeId`: the charge for which it is asked. */
const findingsOf = async (
  reference: string,
  chargeId: string,
  now: Moment,
  { sales, payments }: ExaminePorts,
): Promise<readonly Finding[]> => {
  const known = await sales.load(partsOfReference(reference)?.id ?? 0);
  const sale = known !== undefined && referenceOf(known) === reference ? known : undefined;
  const answer = await payments.find(reference, sale?.payment.chargeId);
  if (sale !== undefined) return findingsOfSale(sale, answer, now, chargeId);
  if (hasReports(answer)) return findingsWithoutSale(reference, answer);
  return [unansweredAbout({ reference, chargeId, there: answer }, sale)];
};
