import {
  type Cents,
  cents,
  type Dispute,
  type PaymentMethod,
  type PaymentReport,
  type RefundWait,
} from '#domain';
import type { Clock } from '../../application/clock.ts';
import type {
  ChargeOrder,
  GatewayAnswer,
  Payments,
  RefundOrder,
} from '../../application/payments/payments.ts';

interface PanelRefund {
  readonly amount: number;
  state: 'pending' | 'waiting' | 'done';
}

export interface PanelCharge {
  readonly id: string;
  readonly reference: string;
  readonly asked: Cents;
  status: 'open' | 'paid' | 'closed';
  received: number;
  method: PaymentMethod;
  paidOn: string;
  refunds: PanelRefund[];
  dispute?: { status: Dispute['status']; amount: number };
  /** What the bank has taken back in disputes. */
  taken: number;
  /** How many disputes are over. */
  endedDisputes: number;
  inCash: boolean;
  /** How the gateway shows a charge whose confirmed money is not there any more; undefined: it is. */
  gone?: 'awaited' | 'expired' | 'unknown' | 'absent' | undefined;
  /** The payer has paid, and the gateway has not confirmed it. */
  isExamined?: boolean;
}

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0);

/** What has left of a charge for the payer, in cents. */
export const outOf = ({ refunds, taken }: PanelCharge): number =>
  taken + sum(refunds.filter(({ state }) => state === 'done').map(({ amount }) => amount));

const orderedOf = (charge: PanelCharge): number =>
  charge.taken + sum(charge.refunds.map(({ amount }) => amount));

const isBarred = ({ dispute, inCash }: PanelCharge): boolean =>
  dispute?.status === 'opened' || inCash;

/**
 * A payment gateway in whose panel a person, a payer or a bank can do everything that moves money
 * after a sale. Its own books are the truth that a test compares with.
 */
export class PanelGateway implements Payments {
  readonly name = 'panel';
  readonly charges: PanelCharge[] = [];
  /** Orders that no service may send. */
  readonly violations: string[] = [];
  /** How many refunds banks and persons have cancelled or taken back. */
  undone = 0;
  /** How long a refund takes that the service orders. */
  refunds: PanelRefund['state'] = 'done';
  /** Charges whose missing money an operator has not decided about. */
  sought = new Set<string | undefined>();
  /** Whether the gateway refuses the refunds that the service orders. */
  refusesRefunds = false;
  readonly #clock: Clock;
  /** The charges that the last answer has shown as barred. */
  readonly #shownBarred = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async charge(order: ChargeOrder): Promise<GatewayAnswer> {
    return this.#reportsOf(this.addCharge(order.reference, order.amount, order.card !== undefined));
  }

  /** Adds a charge for the sale. A test may add one that the service did not order. */
  addCharge(reference: string, asked: Cents, isPaid: boolean): PanelCharge {
    const charge: PanelCharge = {
      ...{ id: `ch-${this.charges.length + 1}`, reference, asked },
      ...{ status: 'open', received: 0, method: 'pix', paidOn: '' },
      ...{ refunds: [], taken: 0, endedDisputes: 0, inCash: false },
    };
    this.charges.push(charge);
    if (isPaid) this.pay(charge, asked, 'credit');
    return charge;
  }

  async find(reference: string): Promise<GatewayAnswer> {
    return this.charges
      .filter((each) => each.reference === reference)
      .flatMap((each) => this.#reportsOf(each));
  }

  /** It authorises no cards. */
  capture(reference: string): Promise<GatewayAnswer> {
    return this.find(reference);
  }

  async withdraw(reference: string, chargeId: string): Promise<GatewayAnswer> {
    const charge = this.charges.find(({ id }) => id === chargeId);
    if (charge?.gone && this.sought.has(chargeId))
      this.violations.push(`a withdrawal of ${chargeId}, whose money is sought`);
    if (charge?.gone === 'awaited') charge.gone = 'expired';
    if (charge?.status === 'open' && !charge.isExamined) charge.status = 'closed';
    return this.find(reference);
  }

  async refund({ reference, chargeId, upTo }: RefundOrder): Promise<GatewayAnswer> {
    const charge = this.charges.find(({ id }) => id === chargeId);
    if (charge === undefined || charge.status !== 'paid' || charge.gone) {
      this.violations.push(`a refund of ${chargeId}, which is not paid`);
      return this.find(reference);
    }
    if (upTo > charge.received) this.violations.push(`a refund of more than came: ${upTo}`);
    if (this.#shownBarred.has(chargeId)) this.violations.push(`an order beside a bar: ${chargeId}`);
    if (this.refusesRefunds) return this.find(reference);
    const missing = upTo - orderedOf(charge);
    const isPart = charge.method === 'boleto' && missing < charge.received;
    if (isPart && missing > 0) this.violations.push(`a part of a boleto: ${missing}`);
    if (missing > 0 && !isBarred(charge) && !isPart && upTo <= charge.received) {
      const state = charge.method === 'boleto' ? 'waiting' : this.refunds;
      charge.refunds.push({ amount: missing, state });
    }
    return this.find(reference);
  }

  async trace(chargeId: string): Promise<string | undefined> {
    return this.charges.find(({ id }) => id === chargeId)?.reference;
  }

  async *listCharges(): AsyncIterable<never> {}

  pay(charge: PanelCharge, received: number, method: PaymentMethod): void {
    if (charge.status !== 'open' || received <= 0) return;
    const paidOn = this.#clock.today();
    Object.assign(charge, { status: 'paid', received, method, paidOn, isExamined: false });
  }

  /** The payer has paid. The gateway examines it, or dates it tomorrow. */
  examine(charge: PanelCharge): void {
    if (charge.status === 'open') charge.isExamined = true;
  }

  /** Confirmed money is not there any more: its capture was refused, or the charge was deleted. */
  lose(charge: PanelCharge, gone: Required<PanelCharge>['gone']): void {
    if (charge.status === 'paid' && !isBarred(charge) && orderedOf(charge) === 0)
      charge.gone = gone;
  }

  noteCash(charge: PanelCharge): void {
    if (charge.status !== 'open' || charge.isExamined) return;
    this.pay(charge, charge.asked, 'pix');
    charge.inCash = true;
  }

  undoCash(charge: PanelCharge): void {
    if (charge.inCash) Object.assign(charge, { status: 'open', received: 0, inCash: false });
  }

  /** A bank disputes what the payer has not got back. No service can stop one that wants it twice. */
  dispute(charge: PanelCharge, part: number, handed = 0): void {
    const left = charge.received - orderedOf(charge) - handed;
    const amount = Math.ceil(left * part);
    if (charge.status !== 'paid' || charge.gone || isBarred(charge) || amount <= 0) return;
    charge.dispute = { status: 'opened', amount };
  }

  endDispute(charge: PanelCharge, as: 'won' | 'lost'): void {
    if (charge.dispute?.status !== 'opened') return;
    charge.dispute.status = as;
    charge.endedDisputes += 1;
    if (as === 'lost') charge.taken += charge.dispute.amount;
  }

  /** A person returns money in the panel, but nothing that a person has handed back elsewhere. */
  refundByHand(charge: PanelCharge, part: number, state: PanelRefund['state'], handed = 0): void {
    const amount = Math.ceil((charge.received - orderedOf(charge) - handed) * part);
    if (charge.status === 'paid' && !charge.gone && !isBarred(charge) && amount > 0)
      charge.refunds.push({ amount, state });
  }

  /** Banks carry out what is on its way, or cancel it. */
  settleRefunds(charge: PanelCharge, as: 'done' | 'cancelled'): void {
    if (as === 'cancelled') this.#keep(charge, ({ state }) => state === 'done');
    for (const refund of charge.refunds) refund.state = 'done';
  }

  /** Banks take back what was returned. */
  undoRefunds(charge: PanelCharge): void {
    this.#keep(charge, ({ state }) => state !== 'done');
  }

  #keep(charge: PanelCharge, isKept: (refund: PanelRefund) => boolean): void {
    const kept = charge.refunds.filter(isKept);
    this.undone += charge.refunds.length - kept.length;
    charge.refunds = kept;
  }

  #reportsOf(charge: PanelCharge): readonly PaymentReport[] {
    const { id: chargeId, asked, status, received, method, paidOn, dispute, inCash } = charge;
    if (charge.gone === 'absent') return [];
    if (charge.isExamined || charge.gone === 'unknown')
      return [{ status: 'unknown', chargeId, amount: asked }];
    if (charge.gone === 'expired') return [{ status: 'expired', chargeId, amount: asked }];
    if (status === 'open' || charge.gone === 'awaited')
      return [
        { status: 'awaited', chargeId, amount: asked, url: `https://panel.example/${chargeId}` },
      ];
    if (status === 'closed') return [{ status: 'expired', chargeId, amount: asked }];
    if (isBarred(charge)) this.#shownBarred.add(chargeId);
    else this.#shownBarred.delete(chargeId);
    const about = { chargeId, amount: cents(received) };
    const approved = {
      ...about,
      status: 'approved',
      collectedBy: 'service',
      method,
      paidOn: paidOn as never,
      ...(dispute && { dispute: { status: dispute.status, amount: cents(dispute.amount) } }),
      ...(inCash && { inCash }),
      ...(method === 'boleto' && { returnsWholeOnly: true as const }),
    } as const;
    const [returned, ordered] = [cents(outOf(charge)), cents(orderedOf(charge))];
    if (ordered === 0) return [approved];
    const isWaiting = charge.refunds.some(({ state }) => state === 'waiting');
    const waitsFor: RefundWait = {
      actor: 'insured',
      url: `https://panel.example/refund/${chargeId}`,
    };
    const onItsWay = ordered > returned && { ordered, ...(isWaiting && { waitsFor }) };
    return [approved, { ...about, status: 'returned', returned, ...onItsWay }];
  }
}
