import type { Static, TSchema } from 'typebox';
import type { CalendarDate, Insured, JsonObject, Sale, ServicePayment } from '#domain';
import type { PaymentCard } from '../../../application/payments/payment-card.ts';
import type { CardNeeds } from '../../../application/payments/payments.ts';
import type {
  DraftPart,
  DraftPayment,
  SaleDraft,
  SaleRefusalKind,
  SaleRequest,
} from '../../../application/sales/sale-request.ts';
import type { AnswerError } from '../../kit/contract/answer-error.ts';
import type { ErrorCode } from '../../kit/contract/error-codes.ts';
import type { Complaint, FieldFaults } from '../../kit/contract/field-faults.ts';
import type { Naming } from './idempotency.ts';

/** What a body may say of a sale: what its terms depend on, who is insured, what refusals name. */
export type SalePart =
  | DraftPart
  | 'quote'
  | 'channel'
  | 'returnUrl'
  | 'iof'
  | 'start'
  | 'end'
  | 'name'
  | 'taxId'
  | 'email'
  | 'phone'
  | 'birthDate'
  | 'address';

/**
 * The fields in which a body says each part of a sale; nested ones by their paths. The first has the
 * value, and the refusals of the part are shown there; the others decide about it as well. With a
 * dot at its end, a field stands for all fields inside it too.
 */
export type SaleFields<Field extends string = string> = Readonly<
  Partial<Record<SalePart, readonly [Field, ...Field[]]>>
>;

/** The fields that are the same in every body. */
export const COMMON_FIELDS: SaleFields = {
  quote: ['quoteId'],
  channel: ['channelLink'],
  returnUrl: ['return_url'],
};

/** A payment, as far as the sound fields tell; whole, if the body is. */
type ReadPayment = DraftPayment & Partial<Pick<ServicePayment, 'underwriting' | 'firstDueOn'>>;

/**
 * The shape of a body, and in which of its fields each part of a sale stands. The functions read the
 * sound fields of a faulty body as well, so that the catalogue can be checked with them.
 */
export interface SaleDialect<Schema extends TSchema> {
  readonly schema: Schema;
  readonly fields: SaleFields<(keyof Static<Schema> & string) | `${string}.${string}`>;
  /** The fields of this body, if another of its fields decides which they are. */
  fieldsIn?(sound: Partial<Static<Schema>>): SaleFields;
  payment(sound: Partial<Static<Schema>>, today: CalendarDate): ReadPayment;
  /** @param faults of single fields; absent: the body has none */
  insuredObject(sound: Partial<Static<Schema>>, faults?: FieldFaults): JsonObject | undefined;
  /** The insured's address, of a body that has no field for the whole of it. */
  address?(body: Static<Schema>): Insured['address'];
  /** What the body says in a way of its own. */
  readMore?(sound: Partial<Static<Schema>>): Partial<SaleDraft>;
  /**
   * Faults between fields of this shape.
   *
   * @param faults of single fields
   * @param cardNeeds what the channel's gateway needs of the holder of a card
   */
  ownFaults(
    sound: Partial<Static<Schema>>,
    faults: FieldFaults,
    today: CalendarDate,
    cardNeeds: CardNeeds | undefined,
  ): FieldFaults;
  /** The card to charge, if the body has one. */
  card?(body: Static<Schema>, insured: Insured): PaymentCard | undefined;
  /** Complaints that replace the common ones for this shape. */
  readonly complaintOf?: Partial<Record<SaleRefusalKind, Complaint>>;
}

/** An endpoint that sells: what it sells, the bodies it reads, and its answers. */
export interface SaleEndpoint {
  /** The line of business that it sells; absent, all of them. */
  readonly line?: string;
  /** How a request is named, so that a repeated one sells once. */
  readonly naming: Naming;
  /** The status for a new sale; absent, 200, as for a repeated request. */
  readonly createdStatus?: 201;
  readonly dialects: readonly [SaleDialect<TSchema>, ...SaleDialect<TSchema>[]];
  /** The dialect, among `dialects`, in which a body is written. Absent: there is only one. */
  dialectOf?(body: Readonly<Record<string, unknown>>): SaleDialect<TSchema>;
  /** The answer to faults, by field. */
  faulty(faults: FieldFaults, code: ErrorCode): AnswerError;
  /**
   * @param body of the request, as it came
   * @throws AnswerError if the gateway or the insurer refused the sale.
   */
  present(sale: Sale, body: Readonly<Record<string, unknown>>): object;
}

/** A body without faults, as a request of the domain, and the dialect of the body. */
export interface SaleRead {
  readonly kind: 'read';
  readonly request: SaleRequest;
  readonly card: PaymentCard | undefined;
  readonly dialect: SaleDialect<TSchema>;
}

/** A body with faults. `explainFaults` adds those that only the catalogue can tell. */
export interface FaultySale {
  readonly kind: 'faulty';
  readonly dialect: SaleDialect<TSchema>;
  /** What the sound fields ask for; absent: no field is sound. */
  readonly draft?: SaleDraft;
  readonly faults: FieldFaults;
}
