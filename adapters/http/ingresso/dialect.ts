import type { Static, TSchema } from 'typebox';
import type { CalendarDate } from '#domain';
import type { SaleDraft } from '../../../application/sales/examine-sale.ts';
import type { SaleRefusalKind, SaleRequest } from '../../../application/sales/register-sale.ts';
import type { Faults } from '../answers.ts';
import type { FieldOfRefusal } from '../refusals.ts';

/** The line of business that these endpoints sell. */
export const TICKET_LINE = 'event_ticket';

/** One of the two shapes in which a ticket sale arrives, and how it reads in the field's own terms. */
export interface TicketDialect<Schema extends TSchema> {
  readonly schema: Schema;
  /** What the fields without fault say already. */
  draft(sound: Partial<Static<Schema>>, today: CalendarDate): Omit<SaleDraft, 'channelLink' | 'line'>;
  /** Faults between fields that only this shape can have; `faults` are those of single fields. */
  ownFaults(sound: Partial<Static<Schema>>, faults: Faults): Faults;
  request(body: Static<Schema>, today: CalendarDate): Omit<SaleRequest, 'seller' | 'channelLink' | 'line' | 'idempotency'>;
  /** Words for a refusal that fit this shape better than the common ones. */
  readonly messageOf?: Partial<Record<SaleRefusalKind, string>>;
  readonly fieldOf: FieldOfRefusal<keyof Static<Schema> & string>;
}
