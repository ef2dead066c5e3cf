import type { Static, TSchema } from 'typebox';
import type { CalendarDate, Sale } from '#domain';
import type { PaymentCard } from '../../../application/payments/payment-card.ts';
import type {
  DraftPart,
  SaleDraft,
  SaleRefusalKind,
  SaleRequest,
} from '../../../application/sales/sale-request.ts';
import type { AnswerError } from '../contract/answer-error.ts';
import type { ErrorCode } from '../contract/error-codes.ts';
import type { Complaint, FieldFaults } from '../contract/field-faults.ts';
import type { FieldOfRefusal } from '../contract/refusal-answers.ts';
import type { Naming } from './idempotency.ts';

/** The shape of a body, and how to translate it into a request of the domain. */
export interface SaleDialect<Schema extends TSchema> {
  readonly schema: Schema;
  /** What the sound fields of a faulty body say, so that the catalogue can be checked as well. */
  draft(
    sound: Partial<Static<Schema>>,
    today: CalendarDate,
    faults: FieldFaults,
  ): Omit<SaleDraft, 'channelLink' | 'line' | 'unknown'>;
  /**
   * The fields that each part of the draft is read from. With a dot at its end, a field stands for
   * all fields inside it as well.
   */
  fieldsOfParts(sound: Partial<Static<Schema>>): Partial<Record<DraftPart, readonly string[]>>;
  /** All that a body without faults says. */
  request(
    body: Static<Schema>,
    today: CalendarDate,
  ): Omit<SaleRequest, 'client' | 'channelLink' | 'line' | 'idempotency'>;
  /** Faults between fields of this shape. `faults` are those of single fields. */
  ownFaults(sound: Partial<Static<Schema>>, faults: FieldFaults, today: CalendarDate): FieldFaults;
  /** The card to charge, if the body has one. */
  card?(body: Static<Schema>): PaymentCard | undefined;
  /** Complaints that replace the common ones for this shape. */
  readonly complaintOf?: Partial<Record<SaleRefusalKind, Complaint>>;
  /** The field at which each refusal is shown; a nested one by its path. */
  readonly fieldOf: FieldOfRefusal<(keyof Static<Schema> & string) | `${string}.${string}`>;
}

/** An endpoint that sells: what it sells, the bodies it reads, and its answers. */
export interface SaleEndpoint {
  /** The line of business that it sells; absent, all of them. */
  readonly line?: string;
  /** How a request is named, so that a repeated one sells once. */
  readonly naming: Naming;
  /** The status for a new sale; absent, 200, as for a repeated request. */
  readonly createdStatus?: 201;
  /** The dialect, among `dialects`, in which a body is written. */
  dialectOf(body: Readonly<Record<string, unknown>>): SaleDialect<TSchema>;
  readonly dialects: readonly SaleDialect<TSchema>[];
  /** The answer to faults, by field. */
  faulty(faults: FieldFaults, code: ErrorCode): AnswerError;
  /**
   * @param body of the request, as it came
   * @throws AnswerError if the gateway or the insurer refused the sale.
   */
  present(sale: Sale, body: Readonly<Record<string, unknown>>): object;
}
