import { type Cents, type Instant, instantOf, type PaymentMethod, ZERO } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type {
  ChargeOrder,
  GatewayAnswer,
  ListedCharge,
  ListedDays,
  Payments,
  RefundOrder,
} from '../../../application/payments/payments.ts';
import type { Records } from '../../../application/records.ts';
import { type CardDecline, type CardEffect, effectOf, isDecline } from './sandbox-cards.ts';
import {
  closeCharge,
  endWaiting,
  findCharge,
  methodsOf,
  moveDispute,
  parseReference,
  putCharge,
  refundCharge,
  reportCharge,
  type SandboxCharge,
  type SandboxFile,
  type SandboxUrls,
  undoRefund,
} from './sandbox-ledger.ts';

/** How the sandbox notifies the service: at once, twice, late, or never. */
export const NOTICE_MANNERS = ['once', 'twice', 'late', 'never'] as const;
export type NoticeManner = (typeof NOTICE_MANNERS)[number];

/** A change of a charge. The sandbox sends a notice of it to the service. */
export interface SandboxEvent {
  readonly event:
    | 'charge.paid'
    | 'charge.refused'
    | 'charge.closed'
    | 'charge.refunded'
    | 'charge.refund_requested'
    | 'charge.refund_undone'
    | 'charge.disputed';
  readonly reference: string;
  readonly chargeId: string;
}

interface SandboxParts {
  readonly ledger: Records<SandboxFile>;
  readonly clock: Clock;
  /** Base URL of the payment pages. */
  readonly publicUrl: string;
  /** Sends a notice to the service, asynchronously. */
  readonly notify: (event: SandboxEvent, manner: NoticeManner) => Promise<void>;
}

/** Result of an action on the payment page. `over`: the charge was no longer open. */
export type PageOutcome = 'paid' | 'refused' | CardDecline | 'failed' | 'over';

/**
 * A payment gateway for tests. It moves no money, stores its ledger, and has payment pages. Like
 * Asaas it has no idempotency key: two orders for one sale make two charges.
 */
export class SandboxGateway implements Payments {
  readonly name = 'sandbox';
  readonly authorizesUpTo = 60;
  readonly #parts: SandboxParts;
  readonly #urls: SandboxUrls;

  constructor(parts: SandboxParts) {
    this.#parts = parts;
    const { publicUrl } = parts;
    this.#urls = {
      pay: (chargeId) => `${publicUrl}/sandbox/pay/${chargeId}`,
      refund: (chargeId) => `${publicUrl}/sandbox/refund/${chargeId}`,
    };
  }

  async charge(order: ChargeOrder): Promise<GatewayAnswer> {
    const number = order.card?.reveal().number;
    const effect = effectOf(number);
    if (effect === 'failed') return 'failed';

    const { reference } = order;
    const declined = isDecline(effect) ? effect : undefined;
    const file = await this.#parts.ledger.change(reference, (known) => {
      const charge = this.#openCharge(order, `${reference}-${(known?.charges.length ?? 0) + 1}`);
      const reason = methodsOf(charge).length === 0 ? 'gateway_refused' : declined;
      if (reason !== undefined) return putCharge(known, { ...charge, status: 'declined', reason });
      if (number === undefined) return putCharge(known, charge);
      return putCharge(
        known,
        order.isCapturedLater
          ? { ...charge, ...(effect && { effect }), status: 'authorized' }
          : this.#markPaid(charge, 'credit', effect),
      );
    });
    const made = file.charges.at(-1) as SandboxCharge;
    if (made.status === 'paid') await this.#tellPaid(made, effect);
    return effect === 'unanswered' ? 'unknown' : this.#report({ charges: [made] });
  }

  async find(reference: string): Promise<GatewayAnswer> {
    return this.#report(await this.#parts.ledger.find(reference));
  }

  async capture(_: string, chargeId: string): Promise<GatewayAnswer> {
    let wasHeld = false;
    const file = await this.#change(chargeId, (charge) => {
      wasHeld = charge.status === 'authorized' && this.#now() < holdEndOf(charge);
      if (!wasHeld) return charge;
      return charge.effect === 'capture_declined'
        ? { ...charge, status: 'declined', reason: 'declined' }
        : this.#markPaid(charge, 'credit', charge.effect);
    });
    const charge = findCharge(file, chargeId);
    if (wasHeld && charge?.status === 'paid') await this.#tellPaid(charge, charge.effect);
    return this.#report(file);
  }

  async withdraw(_: string, chargeId: string): Promise<GatewayAnswer> {
    return this.#report(await this.#change(chargeId, closeCharge));
  }

  async refund({ chargeId, upTo }: RefundOrder): Promise<GatewayAnswer> {
    const file = await this.#change(chargeId, (charge) => refundCharge(charge, upTo));
    const charge = findCharge(file, chargeId);
    if (charge?.failsRefund && charge.returned > 0) {
      await this.#change(chargeId, undoRefund);
      await this.#notify('charge.refund_undone', charge, 'late');
    } else if (charge?.waiting !== undefined) await this.#notify('charge.refund_requested', charge);
    else if (charge?.status === 'paid') await this.#notify('charge.refunded', charge);
    return this.#report(file);
  }

  async trace(chargeId: string): Promise<string | undefined> {
    const reference = parseReference(chargeId);
    const file = await this.#parts.ledger.find(reference);
    return file === undefined ? undefined : reference;
  }

  async *listCharges({ from, to }: ListedDays): AsyncIterable<ListedCharge> {
    for (const { charges } of await this.#parts.ledger.list('')) {
      for (const charge of charges) {
        const createdOn = this.#parts.clock.dayOf(charge.createdAt);
        if (createdOn < from || createdOn > to) continue;
        const { id: chargeId, reference } = charge;
        yield { chargeId, reference, createdOn, reports: reportCharge(charge, this.#urls) };
      }
    }
  }

  /** Finds a charge for its page. Closes it first if its time is over. */
  async findForPage(chargeId: string): Promise<SandboxCharge | undefined> {
    const known = findCharge(await this.#parts.ledger.find(parseReference(chargeId)), chargeId);
    if (known?.status !== 'open' || this.#now() < known.until) return known;
    await this.#change(chargeId, closeCharge);
    await this.#notify('charge.closed', known);
    return closeCharge(known);
  }

  /**
   * Pays a charge on its page. The payer may try again after a declined card.
   *
   * @param amount what the payer pays, in cents; by default what is asked for
   */
  async payOnPage(
    chargeId: string,
    method: PaymentMethod,
    card: string | undefined,
    manner: NoticeManner,
    amount?: Cents,
  ): Promise<PageOutcome> {
    const effect = effectOf(card);
    if (isDecline(effect) || effect === 'failed') return effect;
    const markPaid = (charge: SandboxCharge): SandboxCharge => ({
      ...this.#markPaid(charge, method, effect),
      ...(amount !== undefined && amount !== charge.amount && { received: amount }),
    });
    const told = effect === 'unanswered' ? 'never' : manner;
    const outcome = await this.#settle(chargeId, markPaid, 'charge.paid', told);
    const file = await this.#parts.ledger.find(parseReference(chargeId));
    const charge = findCharge(file, chargeId);
    if (outcome === 'paid' && charge !== undefined) await this.#disputeBy(effect, charge, told);
    return outcome;
  }

  /** Ends an open dispute. A charge without one does not change. */
  async endDispute(chargeId: string, as: 'won' | 'lost', manner?: NoticeManner): Promise<void> {
    await this.#moveDispute(chargeId, as, manner);
  }

  /** The payer of a boleto names an account for the refund, or lets the time for it pass. */
  async endRefund(chargeId: string, isNamed: boolean): Promise<void> {
    let wasWaiting = false;
    const file = await this.#change(chargeId, (charge) => {
      wasWaiting = charge.waiting !== undefined;
      return endWaiting(charge, isNamed);
    });
    const charge = findCharge(file, chargeId);
    const event = isNamed ? 'charge.refunded' : 'charge.refund_undone';
    if (wasWaiting && charge !== undefined) await this.#notify(event, charge);
  }

  refuseOnPage(chargeId: string, manner: NoticeManner): Promise<PageOutcome> {
    const markRefused = (charge: SandboxCharge): SandboxCharge => ({
      ...charge,
      status: 'refused',
      reason: 'payer_refused',
    });
    return this.#settle(chargeId, markRefused, 'charge.refused', manner);
  }

  /** Lists all charges of a transaction. */
  async chargesOf(saleId: number): Promise<readonly SandboxCharge[]> {
    return (await this.#parts.ledger.list(`${saleId}-`)).flatMap(({ charges }) => charges);
  }

  async #tellPaid(charge: SandboxCharge, effect: CardEffect | undefined): Promise<void> {
    await this.#notify('charge.paid', charge);
    await this.#disputeBy(effect, charge);
  }

  /** The holder of some test cards disputes the charge as soon as it is paid. */
  async #disputeBy(
    effect: CardEffect | undefined,
    { id, status }: SandboxCharge,
    manner?: NoticeManner,
  ): Promise<void> {
    const isDisputed = effect === 'disputed' || effect === 'dispute_lost';
    if (!isDisputed || status !== 'paid') return;
    await this.#moveDispute(id, 'open', manner);
    if (effect === 'dispute_lost') await this.#moveDispute(id, 'lost', manner);
  }

  async #moveDispute(
    chargeId: string,
    to: 'open' | 'won' | 'lost',
    manner?: NoticeManner,
  ): Promise<void> {
    const file = await this.#change(chargeId, (charge) => moveDispute(charge, to));
    const charge = findCharge(file, chargeId);
    if (charge?.dispute === to) await this.#notify('charge.disputed', charge, manner);
  }

  async #settle(
    chargeId: string,
    change: (charge: SandboxCharge) => SandboxCharge,
    event: SandboxEvent['event'],
    manner: NoticeManner,
  ): Promise<PageOutcome> {
    let outcome: PageOutcome = 'over';
    const file = await this.#change(chargeId, (charge) => {
      // The ledger calls this again if another request changed the file meanwhile.
      outcome = 'over';
      if (charge.status !== 'open' || this.#now() >= charge.until) return charge;
      outcome = event === 'charge.paid' ? 'paid' : 'refused';
      return change(charge);
    });
    const charge = findCharge(file, chargeId);
    if (charge !== undefined && outcome !== 'over') await this.#notify(event, charge, manner);
    return outcome;
  }

  async #change(
    chargeId: string,
    change: (charge: SandboxCharge) => SandboxCharge,
  ): Promise<SandboxFile | undefined> {
    const reference = parseReference(chargeId);
    if ((await this.#parts.ledger.find(reference)) === undefined) return undefined;
    return this.#parts.ledger.change(reference, (file) => {
      const charge = findCharge(file, chargeId);
      return charge === undefined ? (file ?? { charges: [] }) : putCharge(file, change(charge));
    });
  }

  #openCharge(order: ChargeOrder, id: string): SandboxCharge {
    return {
      id,
      reference: order.reference,
      saleId: order.saleId,
      description: order.description,
      net: order.net,
      iof: order.iof,
      amount: order.amount,
      installments: order.installments,
      dueOn: order.dueOn,
      until: earlier(order.until, order.priceEnd?.at),
      ...(order.method && { only: order.method }),
      ...(order.returnUrl !== undefined && { returnUrl: order.returnUrl }),
      status: 'open',
      createdAt: this.#now(),
      returned: ZERO,
    };
  }

  #markPaid(charge: SandboxCharge, method: PaymentMethod, effect?: CardEffect): SandboxCharge {
    const failing = effect === 'first_refund_undone' ? { failsRefund: true as const } : {};
    return { ...charge, status: 'paid', method, paidOn: this.#parts.clock.today(), ...failing };
  }

  #notify(
    event: SandboxEvent['event'],
    { reference, id }: SandboxCharge,
    manner: NoticeManner = 'once',
  ): Promise<void> {
    return this.#parts.notify({ event, reference, chargeId: id }, manner);
  }

  #report(file: SandboxFile | undefined): GatewayAnswer {
    return (file?.charges ?? []).flatMap((charge) => {
      const isOver = charge.status === 'authorized' && this.#now() >= holdEndOf(charge);
      return reportCharge(isOver ? closeCharge(charge) : charge, this.#urls);
    });
  }

  #now(): Instant {
    return this.#parts.clock.now();
  }
}

/** Days for which the bank holds the amount of an authorised card. */
const HOLD_DAYS = 3;

const holdEndOf = ({ createdAt }: SandboxCharge): Instant =>
  instantOf(new Date(Date.parse(createdAt) + HOLD_DAYS * 86_400_000));

const earlier = (one: Instant, other: Instant = one): Instant => (other < one ? other : one);
