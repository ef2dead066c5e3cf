import type { ActivePolicy, Policy } from './policy.ts';
import type { Proposal } from './proposal.ts';
import type { DraftQuotation, Quotation } from './quotation.ts';
import type { Underwriting } from './terms.ts';

/** Unknown status words, as the insurer spelled them. */
export interface UnknownWords {
  readonly quotation?: string;
  readonly proposal?: string;
  readonly policy?: string;
}

/** The insurer's documents of a sale. */
export interface Issuance {
  readonly quotation: Quotation;
  readonly proposal?: Proposal;
  /** Status of the policy, if there is one. */
  readonly policy?: Policy['status'];
  /** The policy, if it was issued before the card was captured. */
  readonly unpaidPolicy?: ActivePolicy;
  /** The insurer's latest status words, if unknown; the other fields then show the state before. */
  readonly unknownWords?: UnknownWords;
}

/** An insurer's report on a sale. Each part is optional. */
export interface InsurerReport {
  readonly quotation?: Exclude<Quotation, DraftQuotation>;
  readonly proposal?: Proposal;
  readonly policy?: Policy;
  readonly unknownWords?: UnknownWords;
}

/** The insurer was asked and has shown nothing yet. */
export const NOTHING_SHOWN: Issuance = { quotation: { status: 'draft' } };

/** The insurer holds no document, and will issue none. */
export const NOTHING_HELD: Issuance = { quotation: { status: 'cancelled' } };

/** Whether the proposal is as far as it must be before the gateway is asked for a charge. */
export const isProposed = (
  underwriting: Underwriting | undefined,
  { proposal }: Issuance,
): boolean =>
  proposal !== undefined &&
  (underwriting !== 'accepted' || ['accepted', 'policy'].includes(proposal.status));

const OVER: readonly string[] = ['rejected', 'expired', 'cancelled'];

/** Whether the insurer may still hold a policy or, without a policy, an offer for the sale. */
export const isBinding = ({ quotation, proposal, policy }: Issuance): boolean =>
  policy === undefined
    ? !OVER.includes(quotation.status) ||
      (proposal !== undefined && !OVER.includes(proposal.status))
    : policy === 'active';
