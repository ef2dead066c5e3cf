import type { Policy } from './policy.ts';
import type { Proposal } from './proposal.ts';
import type { DraftQuotation, Quotation } from './quotation.ts';

/** Status words that an insurer used and nobody here knows, as it spelt them. */
export interface UnknownWords {
  readonly quotation?: string;
  readonly proposal?: string;
  readonly policy?: string;
}

/** How far the insurer has come with a sale: the papers it has shown. */
export interface Issuance {
  readonly quotation: Quotation;
  readonly proposal?: Proposal;
  /** How the policy stands with the insurer, once there is one. */
  readonly policy?: Policy['status'];
  /** Where the insurer's last word was none that we know, what it was; what is said beside it is older. */
  readonly unknownWords?: UnknownWords;
}

/** What an insurer says of a sale; it need not say all. */
export interface InsurerReport {
  readonly quotation?: Exclude<Quotation, DraftQuotation>;
  readonly proposal?: Proposal;
  readonly policy?: Policy;
  readonly unknownWords?: UnknownWords;
}

/** The insurer has been asked, and has shown nothing yet. */
export const NOTHING_SHOWN: Issuance = { quotation: { status: 'draft' } };

/** The insurer holds no paper, and will issue none. */
export const NOTHING_HELD: Issuance = { quotation: { status: 'cancelled' } };

const OVER: readonly string[] = ['rejected', 'expired', 'cancelled'];

/** Whether an insurer that has shown these papers may still hold something for the sale: a policy or, as long as there is none, an offer. */
export const isBinding = ({ quotation, proposal, policy }: Issuance): boolean =>
  policy === undefined
    ? !OVER.includes(quotation.status) ||
      (proposal !== undefined && !OVER.includes(proposal.status))
    : policy === 'active';
