import type { Static, TSchema } from 'typebox';
import type { CalendarDate, Sale } from '#domain';
import type { PaymentCard } from '../../../application/payments/payment-card.ts';
import type { SaleDraft } from '../../../application/sales/examine-sale.ts';
import type { SaleRefusalKind, SaleRequest } from '../../../application/sales/sale-request.ts';
import type { Faults, Refused } from '../contract/answer-error.ts';
import type { Naming } from './idempotency.ts';
import type { FieldOfRefusal } from './sale-refusals.ts';

/** A shape in which a sale arrives, and how it reads in the field's own terms. */
export interface SaleDialect<Schema extends TSchema> {
  readonly schema: Schema;
  /** What the fields without fault say already. */
  draft(
    sound: Partial<Static<Schema>>,
    today: CalendarDate,
    faults: Faults,
  ): Omit<SaleDraft, 'channelLink' | 'line'>;
  /** Faults between fields that only this shape can have; `faults` are those of single fields. */
  ownFaults(sound: Partial<Static<Schema>>, faults: Faults, today: CalendarDate): Faults;
  request(
    body: Static<Schema>,
    today: CalendarDate,
  ): Omit<SaleRequest, 'seller' | 'channelLink' | 'line' | 'idempotency'>;
  /** The card to be charged, where one was sent. */
  card?(body: Static<Schema>): PaymentCard | undefined;
  /** Words for a refusal that fit this shape better than the common ones. */
  readonly messageOf?: Partial<Record<SaleRefusalKind, string>>;
  /** Nested ones by their path. */
  readonly fieldOf: FieldOfRefusal<(keyof Static<Schema> & string) | `${string}.${string}`>;
}

/** How an endpoint that sells speaks: what it sells, and its answers. */
export interface SaleEndpoint {
  /** The line of business that it sells; absent, every line. */
  readonly line?: string;
  /** How a sale is named, so that it can be asked for twice and made once. */
  readonly naming: Naming;
  /** The status of a sale made now; absent, 200, as for one that was made before. */
  readonly createdStatus?: 201;
  /** The dialect of a body, among those it understands. */
  dialectOf(body: Readonly<Record<string, unknown>>): SaleDialect<TSchema>;
  readonly dialects: readonly SaleDialect<TSchema>[];
  /** All faults, by field. */
  faulty(faults: Faults): Refused;
  /** @throws Refused where the sale was refused on its way. */
  present(sale: Sale): object;
}
