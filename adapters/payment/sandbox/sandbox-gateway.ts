import { type CalendarDate, type Instant, type PaymentMethod, ZERO } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type {
  ChargeOrder,
  GatewayAnswer,
  Payments,
  RefundOrder,
} from '../../../application/payments/payments.ts';
import type { Records } from '../../../application/records.ts';
import {
  chargeIn,
  closed,
  referenceIn,
  reportsOf,
  type SandboxCharge,
  type SandboxFile,
  withCharge,
} from './sandbox-ledger.ts';

/** Cards by which a test chooses what happens. Any other approves. */
const DECLINED: Readonly<Record<string, string>> = {
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient_funds',
};
const FAILS_BEFORE = '4000000000000119';
const FAILS_AFTER = '4000000000003220';

/** How the service is to be told: at once, late, twice, or not at all. */
export const NOTICE_MANNERS = ['once', 'twice', 'late', 'never'] as const;
export type NoticeManner = (typeof NOTICE_MANNERS)[number];

/** Something has become of a charge. */
export interface SandboxEvent {
  readonly event: 'charge.paid' | 'charge.refused' | 'charge.closed' | 'charge.refunded';
  readonly reference: string;
  readonly chargeId: string;
}

interface SandboxParts {
  readonly ledger: Records<SandboxFile>;
  readonly clock: Clock;
  /** Where the payment pages are. */
  readonly publicUrl: string;
  /** Tells the service, some time later. */
  readonly notify: (event: SandboxEvent, manner: NoticeManner) => Promise<void>;
}

/** What somebody did on the payment page. */
export type PageOutcome =
  | 'paid'
  | 'refused'
  | 'declined'
  | 'insufficient_funds'
  | 'failed'
  | 'over';

/**
 * A payment gateway that moves no money: its ledger is kept, its pages can be paid on, and it is as careless as a real one:
 * whoever orders a charge twice gets two.
 */
export class SandboxGateway implements Payments {
  readonly name = 'sandbox';
  readonly #parts: SandboxParts;

  constructor(parts: SandboxParts) {
    this.#parts = parts;
  }

  async charge(order: ChargeOrder): Promise<GatewayAnswer> {
    const number = order.card?.reveal().number;
    if (number === FAILS_BEFORE) return 'failed';
    const { reference } = order;
    const reason = number === undefined ? undefined : DECLINED[number];
    const file = await this.#parts.ledger.change(reference, (known) => {
      const charge = this.#opened(order, `${reference}-${(known?.charges.length ?? 0) + 1}`);
      if (number === undefined) return withCharge(known, charge);
      return withCharge(
        known,
        reason === undefined
          ? this.#paid(charge, 'credit')
          : { ...charge, status: 'declined', reason },
      );
    });
    const made = file.charges.at(-1) as SandboxCharge;
    if (made.status === 'paid') await this.#notify('charge.paid', made);
    return number === FAILS_AFTER ? 'unknown' : this.#reports({ charges: [made] });
  }

  async find(reference: string): Promise<GatewayAnswer> {
    return this.#reports(await this.#parts.ledger.find(reference));
  }

  async withdraw(_: string, chargeId: string): Promise<GatewayAnswer> {
    const file = await this.#change(chargeId, closed);
    return this.#reports(file);
  }

  async refund({ chargeId, upTo }: RefundOrder): Promise<GatewayAnswer> {
    const file = await this.#change(chargeId, (charge) => {
      const canReturn = charge.status === 'paid' && upTo > charge.returned && upTo <= charge.amount;
      return canReturn ? { ...charge, returned: upTo } : charge;
    });
    const charge = chargeIn(file, chargeId);
    if (charge?.status === 'paid') await this.#notify('charge.refunded', charge);
    return this.#reports(file);
  }

  async trace(chargeId: string): Promise<string | undefined> {
    return (await this.#parts.ledger.find(referenceIn(chargeId))) === undefined
      ? undefined
      : referenceIn(chargeId);
  }

  /** The charge as its page shows it: one whose time is up is closed by whoever looks. */
  async look(chargeId: string): Promise<SandboxCharge | undefined> {
    const known = chargeIn(await this.#parts.ledger.find(referenceIn(chargeId)), chargeId);
    if (known?.status !== 'open' || this.#now() < known.until) return known;
    await this.#change(chargeId, closed);
    await this.#notify('charge.closed', known);
    return closed(known);
  }

  /** What the payer does on the page; a card that is declined there may be tried again. */
  async payOnPage(
    chargeId: string,
    method: PaymentMethod,
    card: string | undefined,
    manner: NoticeManner,
  ): Promise<PageOutcome> {
    const reason = card === undefined ? undefined : DECLINED[card];
    if (reason !== undefined) return reason as PageOutcome;
    if (card === FAILS_BEFORE) return 'failed';
    return this.#settle(chargeId, (charge) => this.#paid(charge, method), 'charge.paid', manner);
  }

  refuseOnPage(chargeId: string, manner: NoticeManner): Promise<PageOutcome> {
    const refused = (charge: SandboxCharge): SandboxCharge => ({
      ...charge,
      status: 'refused',
      reason: 'payer_refused',
    });
    return this.#settle(chargeId, refused, 'charge.refused', manner);
  }

  /** All charges for a transaction. */
  async chargesOf(saleId: number): Promise<readonly SandboxCharge[]> {
    return (await this.#parts.ledger.list(`${saleId}-`)).flatMap(({ charges }) => charges);
  }

  async #settle(
    chargeId: string,
    change: (charge: SandboxCharge) => SandboxCharge,
    event: SandboxEvent['event'],
    manner: NoticeManner,
  ): Promise<PageOutcome> {
    let outcome: PageOutcome = 'over';
    const file = await this.#change(chargeId, (charge) => {
      // Told anew each time that somebody else was faster.
      outcome = 'over';
      if (charge.status !== 'open' || this.#now() >= charge.until) return charge;
      outcome = event === 'charge.paid' ? 'paid' : 'refused';
      return change(charge);
    });
    const charge = chargeIn(file, chargeId);
    if (charge !== undefined && outcome !== 'over') await this.#notify(event, charge, manner);
    return outcome;
  }

  async #change(
    chargeId: string,
    change: (charge: SandboxCharge) => SandboxCharge,
  ): Promise<SandboxFile | undefined> {
    const reference = referenceIn(chargeId);
    if ((await this.#parts.ledger.find(reference)) === undefined) return undefined;
    return this.#parts.ledger.change(reference, (file) => {
      const charge = chargeIn(file, chargeId);
      return charge === undefined ? (file ?? { charges: [] }) : withCharge(file, change(charge));
    });
  }

  #opened(order: ChargeOrder, id: string): SandboxCharge {
    const { reference, saleId, description, net, iof, amount, installments, dueOn, until, method } =
      order;
    const about = {
      id,
      reference,
      saleId,
      description,
      net,
      iof,
      amount,
      installments,
      dueOn,
      until,
    };
    return {
      ...about,
      ...(method && { only: method }),
      status: 'open',
      createdAt: this.#now(),
      returned: ZERO,
    };
  }

  #paid(charge: SandboxCharge, method: PaymentMethod): SandboxCharge {
    return { ...charge, status: 'paid', method, paidOn: this.#today() };
  }

  #notify(
    event: SandboxEvent['event'],
    { reference, id }: SandboxCharge,
    manner: NoticeManner = 'once',
  ): Promise<void> {
    return this.#parts.notify({ event, reference, chargeId: id }, manner);
  }

  #reports(file: SandboxFile | undefined): GatewayAnswer {
    const urlOf = (chargeId: string): string => `${this.#parts.publicUrl}/sandbox/pay/${chargeId}`;
    return (file?.charges ?? []).flatMap((charge) => reportsOf(charge, urlOf));
  }

  #now(): Instant {
    return this.#parts.clock.now();
  }

  #today(): CalendarDate {
    return this.#parts.clock.today();
  }
}
