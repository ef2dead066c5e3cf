import type {
  Address,
  CalendarDate,
  Cents,
  Email,
  Instant,
  PaymentReport,
  Phone,
  Sale,
  TaxId,
} from '#domain';
import type { PaymentCard } from './payment-card.ts';

/** A charge to make. */
export interface ChargeOrder {
  /** Permanent name of the sale for the gateway: its charges are found by this. */
  readonly reference: string;
  readonly saleId: number;
  /** Shown to the payer. */
  readonly description: string;
  readonly net: Cents;
  readonly iof: Cents;
  /** Net premium and IOF. */
  readonly amount: Cents;
  readonly payer: {
    readonly name: string;
    readonly taxId: TaxId;
    readonly email: Email;
    readonly phone?: Phone | undefined;
    readonly address?: Address | undefined;
  };
  /** Absent if the payer chooses on the gateway's page. */
  readonly method?: 'credit' | 'boleto' | undefined;
  readonly installments: number;
  /** Due date of a boleto. */
  readonly dueOn: CalendarDate;
  /** When an unpaid charge is closed; for a boleto, when its bank must have reported. */
  readonly until: Instant;
  /**
   * The last day of the price, and its last second: the gateway must accept no payment later.
   * Absent if no end is known.
   */
  readonly priceEnd?: { readonly on: CalendarDate; readonly at: Instant } | undefined;
  /**
   * The address to which the gateway's page leads the payer back. Absent for a card that is charged
   * at once.
   */
  readonly returnUrl?: string | undefined;
  /** If given, the card is charged at once, or authorised. */
  readonly card?: PaymentCard | undefined;
  /** Authorise the card: `capture` takes the money. */
  readonly isCapturedLater?: true;
  /** The payer's network address. */
  readonly orderedFrom?: string | undefined;
}

/** A refund: `upTo` is the total returned of the charge afterwards, in cents. */
export interface RefundOrder {
  readonly reference: string;
  readonly chargeId: string;
  readonly upTo: Cents;
}

/**
 * The charges of a sale, which may be no charge. `unknown`: the answer was lost, and the order may
 * have been, or may yet be, carried out. `failed`: the gateway reports its own failure and has
 * finished; ask it what it did. `unreached`: the gateway was not asked.
 */
export type GatewayAnswer = readonly PaymentReport[] | NoAnswer;

/** The gateway has made the charge, and shows it without the reference of its order. */
interface UnnamedCharge {
  readonly unnamed: readonly PaymentReport[];
}

export type ChargeAnswer = GatewayAnswer | UnnamedCharge;

/** A charge in the list of a gateway. */
export interface ListedCharge {
  readonly chargeId: string;
  /** The reference of the order. Absent if another system or a person ordered the charge. */
  readonly reference?: string;
  readonly createdOn: CalendarDate;
  /** How it stands, as `find` reports it. Empty: the gateway's list cannot be read here. */
  readonly reports: readonly PaymentReport[];
}

/** Business days, both included. */
export interface ListedDays {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

type NoAnswer = 'unknown' | 'failed' | 'unreached';

/** Whether the gateway has reported the charges. */
export const hasReports = (answer: ChargeAnswer): answer is readonly PaymentReport[] =>
  Array.isArray(answer);

/** A charge that can still bring money: it waits for its payer, or its card is authorised. */
export type OpenCharge = PaymentReport & { readonly chargeId: string };

export const isOpenCharge = (report: PaymentReport): report is OpenCharge =>
  report.status === 'awaited' ||
  (report.status === 'unknown' && report.isAuthorized === true && report.chargeId !== undefined);

/** What a gateway needs of the holder of a card, beside name, tax id and e-mail. */
export interface CardNeeds {
  readonly address: boolean;
  readonly brazilianPhone: boolean;
}

/**
 * A payment gateway.
 *
 * 1. A card is approved or declined at once, if its holder has what `cardNeeds` names; without a card,
 *    a charge waits for its payer at a URL. A card that is authorised takes no money until it is
 *    captured; a second capture takes nothing more. One that fails is declined, and releases the card.
 * 2. Every charge is found by the reference of its order, also when the answer was lost; one that the
 *    gateway shows without a reference is found by its own number.
 * 3. A withdrawn charge accepts no payment, and an authorised card is released; if it was paid before,
 *    that is reported.
 * 4. A refund returns up to a total of the charge, never more: repeated, it returns nothing. What is
 *    on its way counts as ordered, and as returned when it has left. A charge that is barred (`RefundBar`) is never returned.
 * 5. A gateway that is down, hangs or answers nonsense gives `unreached`, `unknown` or `failed`.
 *    Nothing is thrown.
 * 6. The list has each charge that was created on its days, of all systems that use the account,
 *    also while charges are made and withdrawn. Withdrawn charges may be missing. Unlike the others it
 *    throws `GatewayUnavailable` where the gateway does not answer, or answers nonsense.
 */
export interface Payments {
  readonly name: string;
  /** What else a card needs; absent: nothing. */
  readonly cardNeeds?: CardNeeds;
  /** Cards in up to so many installments can be authorised; absent: none. */
  readonly authorizesUpTo?: number;
  charge(order: ChargeOrder): Promise<ChargeAnswer>;
  capture(reference: string, chargeId: string): Promise<GatewayAnswer>;
  /** `chargeId`: a known charge, to be reported even if the gateway no longer lists it. */
  find(reference: string, chargeId?: string): Promise<GatewayAnswer>;
  withdraw(reference: string, chargeId: string): Promise<GatewayAnswer>;
  refund(order: RefundOrder): Promise<GatewayAnswer>;
  /** The reference of a charge; undefined if the gateway does not know the charge. */
  trace(chargeId: string): Promise<string | undefined | 'unknown'>;
  /** The charges of some days, in no order; only those of one day are in memory at once. */
  listCharges(days: ListedDays): AsyncIterable<ListedCharge>;
}

/** The ticket is part of it because another database may use the same gateway and the same ids. */
export const referenceOf = ({ id, ticket }: Pick<Sale, 'id' | 'ticket'>): string =>
  `${id}-${ticket}`;

/** The number and the ticket in a reference; undefined: the service has not made it. */
export const partsOfReference = (reference: string): Pick<Sale, 'id' | 'ticket'> | undefined => {
  const [, id, ticket] = /^([1-9]\d{0,14})-(.+)$/.exec(reference) ?? [];
  return id === undefined || ticket === undefined ? undefined : { id: Number(id), ticket };
};

export const saleIdOf = (reference: string): number | undefined => partsOfReference(reference)?.id;
