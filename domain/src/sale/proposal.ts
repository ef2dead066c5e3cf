import { type Refusal, refuse } from '../refusal.ts';
import type { CalendarDate } from '../values/calendar.ts';
import type { QuotedQuotation } from './quotation.ts';
import { follow, type Lifecycle, type Moved, moveTo, type Transition } from './transition.ts';

interface Numbered {
  readonly number: string;
  readonly quotationNumber: string;
}

/** Handed to the insurer, on the terms of a quotation. */
export interface SubmittedProposal extends Numbered {
  readonly status: 'submitted';
}

export interface ProposalUnderAnalysis extends Numbered {
  readonly status: 'under_analysis';
}

export interface AcceptedProposal extends Numbered {
  readonly status: 'accepted';
}

/** It has become a policy. */
export interface ProposalTurnedPolicy extends Numbered {
  readonly status: 'policy';
  readonly policyNumber: string;
}

export interface RejectedProposal extends Numbered {
  readonly status: 'rejected';
  readonly reason: string;
}

export interface CancelledProposal extends Numbered {
  readonly status: 'cancelled';
  readonly policyNumber?: string;
}

/** The insured's offer to the insurer to conclude the contract (Lei 15.040/2024). */
export type Proposal =
  | SubmittedProposal
  | ProposalUnderAnalysis
  | AcceptedProposal
  | ProposalTurnedPolicy
  | RejectedProposal
  | CancelledProposal;

type OpenProposal = SubmittedProposal | ProposalUnderAnalysis;

const LIFECYCLE: Lifecycle<Proposal['status']> = {
  submitted: ['under_analysis'],
  under_analysis: ['accepted', 'rejected'],
  accepted: ['policy', 'rejected'],
  policy: ['cancelled'],
  rejected: ['cancelled'],
  cancelled: [],
};

type Step<To extends Proposal> = Transition<To, Moved<Proposal['status']>>;

/** Proposes what was quoted, on the last day of its price at the latest. */
export const propose = (
  { number: quotationNumber, validUntil }: QuotedQuotation,
  number: string,
  today: CalendarDate,
): SubmittedProposal | Refusal<'quotation_expired'> =>
  today > validUntil
    ? refuse('quotation_expired')
    : { status: 'submitted', number, quotationNumber };

export const analyseProposal = (proposal: SubmittedProposal): Step<ProposalUnderAnalysis> =>
  moveTo(proposal, { ...proposal, status: 'under_analysis' });

export const acceptProposal = (proposal: OpenProposal): Step<AcceptedProposal> =>
  moveTo(proposal, { ...proposal, status: 'accepted' });

/** The policy is issued. */
export const turnIntoPolicy = (
  proposal: AcceptedProposal,
  policyNumber: string,
): Step<ProposalTurnedPolicy> => moveTo(proposal, { ...proposal, status: 'policy', policyNumber });

export const rejectProposal = (proposal: OpenProposal, reason: string): Step<RejectedProposal> =>
  moveTo(proposal, { ...proposal, status: 'rejected', reason });

export const cancelProposal = (
  proposal: OpenProposal | AcceptedProposal | ProposalTurnedPolicy,
): Step<CancelledProposal> => moveTo(proposal, { ...proposal, status: 'cancelled' });

/** Takes over what the insurer reports, unless it is old news; a report of another number is refused. */
export const followProposal = (known: Proposal, reported: Proposal) =>
  follow(LIFECYCLE, known, reported);
