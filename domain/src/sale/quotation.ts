import type { Amounts } from '../pricing/premium.ts';
import { type Refusal, refuse } from '../refusals/refusal.ts';
import type { CalendarDate } from '../values/calendar.ts';
import { follow, type Lifecycle, type Moved, moveTo, type Transition } from './transition.ts';

/** Requested; the insurer has not named a price yet. */
export interface DraftQuotation {
  readonly status: 'draft';
}

interface Numbered {
  readonly number: string;
  readonly amounts: Amounts;
  /** Last day on which the insurer accepts its price. */
  readonly validUntil: CalendarDate;
}

export interface QuotedQuotation extends Numbered {
  readonly status: 'quoted';
}

/** A policy was issued at this price. */
export interface IssuedQuotation extends Numbered {
  readonly status: 'issued';
  readonly policyNumber: string;
}

export interface RejectedQuotation extends Partial<Numbered> {
  readonly status: 'rejected';
  readonly reason: string;
}

export interface ExpiredQuotation extends Numbered {
  readonly status: 'expired';
}

export interface CancelledQuotation extends Partial<Numbered> {
  readonly status: 'cancelled';
  readonly policyNumber?: string;
}

/** An insurer's price for a risk. */
export type Quotation =
  | DraftQuotation
  | QuotedQuotation
  | IssuedQuotation
  | RejectedQuotation
  | ExpiredQuotation
  | CancelledQuotation;

const LIFECYCLE: Lifecycle<Quotation['status']> = {
  draft: ['quoted'],
  quoted: ['issued', 'rejected', 'expired'],
  issued: ['cancelled'],
  rejected: ['cancelled'],
  expired: ['cancelled'],
  cancelled: [],
};

type Step<To extends Quotation> = Transition<To, Moved<Quotation['status']>>;

/** The insurer names its price. */
export const priceQuotation = (quotation: DraftQuotation, terms: Numbered): Step<QuotedQuotation> =>
  moveTo(quotation, ['draft'], { ...terms, status: 'quoted' });

/** A policy is issued at the price, not after its last day. */
export const issueQuotation = (
  quotation: QuotedQuotation,
  policyNumber: string,
  today: CalendarDate,
): Step<IssuedQuotation> | Refusal<'quotation_expired'> =>
  today > quotation.validUntil
    ? refuse('quotation_expired')
    : moveTo(quotation, ['quoted'], { ...quotation, status: 'issued', policyNumber });

export const cancelQuotation = (
  quotation: DraftQuotation | QuotedQuotation | IssuedQuotation,
): Step<CancelledQuotation> =>
  moveTo(quotation, ['draft', 'quoted', 'issued'], { ...quotation, status: 'cancelled' });

/** Applies the insurer's report; old news is ignored, another quotation number refused. */
export const followQuotation = (known: Quotation, reported: Quotation) =>
  follow(LIFECYCLE, known, reported);
