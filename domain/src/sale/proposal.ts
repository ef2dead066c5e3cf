import { type Refusal, refuse } from '../refusals/refusal.ts';
import type { CalendarDate } from '../values/calendar.ts';
import type { QuotedQuotation } from './quotation.ts';
import {
  checkLeaves,
  follow,
  type Lifecycle,
  type Moved,
  moveTo,
  type Transition,
} from './transition.ts';

interface Numbered {
  readonly number: string;
  readonly quotationNumber: string;
}

/** Sent to the insurer on the terms of a quotation. */
export interface SubmittedProposal extends Numbered {
  readonly status: 'submitted';
}

export interface ProposalUnderAnalysis extends Numbered {
  readonly status: 'under_analysis';
}

export interface AcceptedProposal extends Numbered {
  readonly status: 'accepted';
}

/** The policy was issued. */
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

/** The insured's offer to conclude the contract (Lei 15.040/2024). */
export type Proposal =
  | SubmittedProposal
  | ProposalUnderAnalysis
  | AcceptedProposal
  | ProposalTurnedPolicy
  | RejectedProposal
  | CancelledProposal;

type OpenProposal = SubmittedProposal | ProposalUnderAnalysis;

const OPEN: readonly OpenProposal['status'][] = ['submitted', 'under_analysis'];

const LIFECYCLE: Lifecycle<Proposal['status']> = {
  submitted: ['under_analysis'],
  under_analysis: ['accepted', 'rejected'],
  accepted: ['policy', 'rejected'],
  policy: ['cancelled'],
  rejected: ['cancelled'],
  cancelled: [],
};

type Step<To extends Proposal> = Transition<To, Moved<Proposal['status']>>;

/** Proposes on a quotation, not after the last day of its price. */
export const propose = (
  { status, number: quotationNumber, validUntil }: QuotedQuotation,
  number: string,
  today: CalendarDate,
): SubmittedProposal | Refusal<'quotation_expired'> => {
  checkLeaves(status, 'submitted', ['quoted']);
  return today > validUntil
    ? refuse('quotation_expired')
    : { status: 'submitted', number, quotationNumber };
};

export const analyseProposal = (proposal: SubmittedProposal): Step<ProposalUnderAnalysis> =>
  moveTo(proposal, ['submitted'], { ...proposal, status: 'under_analysis' });

export const acceptProposal = (proposal: OpenProposal): Step<AcceptedProposal> =>
  moveTo(proposal, OPEN, { ...proposal, status: 'accepted' });

/** Records that the policy was issued. */
export const turnIntoPolicy = (
  proposal: AcceptedProposal,
  policyNumber: string,
): Step<ProposalTurnedPolicy> =>
  moveTo(proposal, ['accepted'], { ...proposal, status: 'policy', policyNumber });

export const cancelProposal = (
  proposal: OpenProposal | AcceptedProposal | ProposalTurnedPolicy,
): Step<CancelledProposal> =>
  moveTo(proposal, [...OPEN, 'accepted', 'policy'], { ...proposal, status: 'cancelled' });

/** Applies the insurer's report; old news is ignored, another proposal number refused. */
export const followProposal = (known: Proposal, reported: Proposal) =>
  follow(LIFECYCLE, known, reported);
