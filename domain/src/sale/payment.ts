import type { CalendarDate, Instant } from '../values/calendar.ts';
import type { Cents } from '../values/money.ts';

export type PaymentMethod = 'credit' | 'debit' | 'pix' | 'boleto';

interface Due {
  /** The whole amount, IOF included. */
  readonly amount: Cents;
  /** The gateway's id of the charge; absent if there is no charge, or its id is unknown. */
  readonly chargeId?: string;
  /** The name of the gateway that is asked for the charge, stored with the sale. */
  readonly gateway?: string;
}

/** The gateway has not been asked yet. */
export interface RequestedPayment extends Due {
  readonly status: 'requested';
}

/**
 * The gateway was asked, and no money is known. Its answer was lost: look for the charge, never charge
 * again. Or the card is authorised.
 */
export interface UnknownPayment extends Due {
  readonly status: 'unknown';
  /** The bank holds the amount on the card until it is captured or released. */
  readonly isAuthorized?: true;
}

/** Charged; the payer has to pay at `url`. */
export interface AwaitedPayment extends Due {
  readonly status: 'awaited';
  readonly chargeId: string;
  readonly url: string;
  /** When the service closes an unpaid charge. */
  readonly until?: Instant;
  /** What the charge asks for, in cents, where it is not the price and the charge stays open. */
  readonly asks?: Cents;
  /** An operator lets the payer pay what the charge asks for. */
  readonly mayAsk?: true;
  /** The gateway has seen a payment that it has not confirmed yet: the payer must not pay again. */
  readonly isSeen?: true;
}

/** The payer did not pay in time. */
export interface ExpiredPayment extends Due {
  readonly status: 'expired';
}

/**
 * Why a charge was finally declined. `declined`: the bank gave no other reason. `payer_refused`:
 * on the payment page. `gateway_refused`: the gateway did not accept the order.
 */
export type DeclineReason =
  | 'declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'payer_refused'
  | 'gateway_refused';

/**
 * Finally declined by the payer's bank or the payer. A try that may be repeated is not declined.
 */
export interface DeclinedPayment extends Due {
  readonly status: 'declined';
  readonly reason: DeclineReason;
}

interface Approved extends Due {
  readonly status: 'approved';
  readonly method?: PaymentMethod;
  readonly paidOn: CalendarDate;
}

/** The payer has asked the bank for the money of a charge (chargeback). */
export interface Dispute {
  /** While it is open, the bank may take the money back: a refund would pay twice. */
  readonly status: 'opened' | 'won' | 'lost';
  /** How much the payer asks for, in cents. */
  readonly amount: Cents;
  /** The last day on which the gateway takes documents; absent: it names none. */
  readonly respondBy?: CalendarDate;
}

/** What a gateway says about money that it has received. */
interface HeldMoney {
  readonly dispute?: Dispute;
  /** Noted by hand: the money never reached the gateway. */
  readonly inCash?: true;
  /** The gateway can only return all of it, not a part. */
  readonly returnsWholeOnly?: true;
}

/** Who must act before an ordered refund can leave. */
export interface RefundWait {
  /** The payer names a bank account; the operator authorizes the refund at the gateway. */
  readonly actor: 'insured' | 'operator';
  /** The page on which the payer names the account; absent: it is not known. */
  readonly url?: string;
}

/** An order of a refund that the gateway has refused. */
export interface RefusedRefund {
  readonly times: number;
  readonly lastAt: Instant;
  /** The day of the last order. Absent: a person wants another order now. */
  readonly lastOn?: CalendarDate;
  /** Why, in the gateway's words without personal data. */
  readonly words?: string;
}

/** How a channel gives money back. */
export const REFUND_METHODS = ['pix', 'credit', 'debit', 'transfer', 'cash', 'other'] as const;

/** A refund that the channel has made, by its own account. */
export interface ChannelRefund {
  /** In cents. */
  readonly amount: Cents;
  readonly on: CalendarDate;
  readonly method: (typeof REFUND_METHODS)[number];
  /** The channel's name of it; absent if it sent none. */
  readonly reference?: string;
}

/** Money that the gateway had confirmed, and does not show as paid any more. */
export interface UnconfirmedMoney {
  readonly since: Instant;
  /** An operator knows that the money is there by another way. */
  readonly isAccepted?: true;
}

/** How many mails ask a payer to name an account. */
export const MAX_ASKED = 3;

/** A refund that waits for a person. */
export interface WaitingRefund extends RefundWait {
  readonly since: CalendarDate;
  /** The last day on which the service waits without an alert. */
  readonly until: CalendarDate;
  /** How many mails have asked the person: 1 to 3; 4 after `until`. */
  readonly asked: number;
}

/** Paid to the service, through its gateway. */
export interface CollectedPayment extends Approved {
  readonly collectedBy: 'service';
  readonly chargeId: string;
  /** Other charges whose money pays the sale as well, because each brought less than the price. */
  readonly alsoBy?: readonly string[];
  /** Less than the price, in cents, that an operator has accepted in its place. */
  readonly accepted?: Cents;
  /** The cash that was noted for the charge is gone, and the charge takes no payment any more. */
  readonly isClosed?: true;
}

/** Paid, to the channel or to the service. */
export type ApprovedPayment =
  | CollectedPayment
  | (Approved & { readonly collectedBy: 'channel'; readonly chargeId?: never });

/** State of the payment. An unknown outcome is a state too. Refunds are in the receipts. */
export type Payment =
  | RequestedPayment
  | UnknownPayment
  | AwaitedPayment
  | ExpiredPayment
  | DeclinedPayment
  | ApprovedPayment;

/**
 * Money received by one charge, and how much of it has left for the payer. `returned` only grows,
 * unless the gateway takes a refund back, so that old and repeated reports change nothing.
 */
export interface Receipt extends Omit<HeldMoney, 'dispute'> {
  /** Absent if the channel collected. */
  readonly chargeId?: string;
  /** What came, in cents: it may be another amount than the price. */
  readonly amount: Cents;
  readonly method?: PaymentMethod;
  readonly paidOn?: CalendarDate;
  /** The day on which the service learned of it; absent if the payment of the sale says it. */
  readonly receivedOn?: CalendarDate;
  readonly returned: Cents;
  /** Returned in another way than by the gateway, which cannot return it; not in `returned`. */
  readonly returnedByHand?: Cents;
  /** When the last part that left was reported. */
  readonly returnedAt?: Instant;
  /** Total ordered at the gateway, `returned` included; absent: nothing is on its way. */
  readonly ordered?: Cents;
  /** When the last part of it was reported as ordered. */
  readonly orderedAt?: Instant;
  readonly waitsFor?: WaitingRefund;
  /** The day on which a refund was taken back; absent: none was since the last order. */
  readonly undoneOn?: CalendarDate;
  readonly dispute?: Dispute & { readonly openedAt: Instant };
  /** The refusals since the last order; absent: there were none. */
  readonly refused?: RefusedRefund;
  readonly unconfirmed?: UnconfirmedMoney;
  /** What the channel says that it has returned of its own money; its sum is in `returned`. */
  readonly confirmed?: readonly ChannelRefund[];
}

/** The money of a charge came. `amount` is what came. */
export interface ReceivedReport extends CollectedPayment, HeldMoney {}

/** Money returned to the payer of a charge; without `chargeId`, by the channel. */
export interface ReturnReport {
  readonly status: 'returned';
  readonly chargeId?: string;
  /** What came by the charge, in cents. */
  readonly amount: Cents;
  /** Total that has left of this charge. */
  readonly returned: Cents;
  /** The same as in the receipt. */
  readonly ordered?: Cents;
  readonly waitsFor?: RefundWait;
}

/** Less has left, or is on its way, than was reported before. The figures are those of now. */
export interface UndoneReport extends Omit<ReturnReport, 'status' | 'waitsFor'> {
  readonly status: 'undone';
}

/**
 * A charge whose money is known is not shown as paid any more: it waits for its payer, is overdue,
 * examined or deleted.
 */
export interface UnconfirmedReport {
  readonly status: 'unconfirmed';
  readonly chargeId: string;
  readonly amount: Cents;
}

/** The gateway did not take the order of a refund. */
export interface RefundRefusedReport {
  readonly status: 'refund_refused';
  readonly chargeId: string;
  readonly amount: Cents;
  readonly words?: string;
}

/** A gateway's report on one charge. */
export type PaymentReport =
  | UnknownPayment
  | AwaitedPayment
  | ExpiredPayment
  | DeclinedPayment
  | ReceivedReport
  | ReturnReport
  | UndoneReport
  | UnconfirmedReport
  | RefundRefusedReport;
