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

/** What the gateway is to collect. */
export interface ChargeOrder {
  /** Names the sale to the gateway, for good: whatever became of a request, its charges are found by this. */
  readonly reference: string;
  readonly saleId: number;
  /** What the payer reads. */
  readonly description: string;
  readonly net: Cents;
  readonly iof: Cents;
  /** What is paid: net premium and IOF. */
  readonly amount: Cents;
  readonly payer: {
    readonly name: string;
    readonly taxId: TaxId;
    readonly email: Email;
    readonly phone?: Phone | undefined;
    readonly address?: Address | undefined;
  };
  /** Absent: the payer chooses, on the gateway's page. */
  readonly method?: 'credit' | 'boleto' | undefined;
  readonly installments: number;
  /** The day by which a boleto is to be paid. */
  readonly dueOn: CalendarDate;
  /** When a charge that waits for its payer is closed. */
  readonly until: Instant;
  /** With it, the card is charged at once. */
  readonly card?: PaymentCard | undefined;
  /** The network address that the order came from. */
  readonly orderedFrom?: string | undefined;
}

/** So much of a charge is to have gone back in all. */
export interface RefundOrder {
  readonly reference: string;
  readonly chargeId: string;
  readonly upTo: Cents;
}

/**
 * What the gateway says of the charges for a sale, each by itself; none where there is none. `unknown`: the answer was
 * lost, and whatever was asked for may have been done, or be done still. `failed`: the gateway says that it failed, and has finished;
 * what it did, it can be asked. `unreached`: it was certainly not asked.
 */
export type GatewayAnswer = readonly PaymentReport[] | NoAnswer;

type NoAnswer = 'unknown' | 'failed' | 'unreached';

/** Whether the gateway has said how the charges stand. */
export const hasReports = (answer: GatewayAnswer): answer is readonly PaymentReport[] =>
  Array.isArray(answer);

/**
 * A payment gateway.
 *
 * 1. A card is approved or declined at once; without one, a charge waits for its payer at an address.
 * 2. Every charge is found by the reference of its order, also when the answer to the order was lost.
 * 3. A charge that is withdrawn takes no payment any more; where it was faster paid, that is reported.
 * 4. A refund brings what has gone back of a charge to so much, and never beyond: asked again, it gives back nothing more.
 *    A refund that is under way counts as gone.
 * 5. Whoever cannot be reached, hangs or answers nonsense is `unreached`, `unknown` or `failed`: nothing is thrown.
 */
export interface Payments {
  readonly name: string;
  /** Whether a card is charged only where its holder's address is known. */
  readonly needsCardAddress?: boolean;
  charge(order: ChargeOrder): Promise<GatewayAnswer>;
  /** `chargeId`: a charge that is known already, to be told of even where it is listed no more. */
  find(reference: string, chargeId?: string): Promise<GatewayAnswer>;
  withdraw(reference: string, chargeId: string): Promise<GatewayAnswer>;
  refund(order: RefundOrder): Promise<GatewayAnswer>;
  /** The reference under which a charge was ordered; undefined where the gateway knows no such charge. */
  trace(chargeId: string): Promise<string | undefined | 'unknown'>;
}

/** Numbers may repeat in another database that shares the gateway; tickets do not. */
export const referenceOf = ({ id, ticket }: Pick<Sale, 'id' | 'ticket'>): string =>
  `${id}-${ticket}`;

export const saleIdOf = (reference: string): number | undefined => {
  const [, id] = /^([1-9]\d{0,14})-./.exec(reference) ?? [];
  return id === undefined ? undefined : Number(id);
};
