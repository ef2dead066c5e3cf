import type { QuotedQuotation } from './quotation.ts';
import { follow, type Lifecycle, type Moved, moved, type Transition } from './transition.ts';

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
}

/** The insured's offer to the insurer to conclude the contract (Lei 15.040/2024; Código Civil, art. 759 before it). */
export type Proposal =
  | SubmittedProposal
  | ProposalUnderAnalysis
  | AcceptedProposal
  | ProposalTurnedPolicy
  | RejectedProposal
  | CancelledProposal;

type OpenProposal = SubmittedProposal | ProposalUnderAnalysis;

const LIFECYCLE: Lifecycle<Proposal['status']> = {
  submitted: ['under_analysis', 'accepted', 'rejected', 'cancelled'],
  under_analysis: ['accepted', 'rejected', 'cancelled'],
  accepted: ['policy', 'cancelled'],
  policy: ['cancelled'],
  rejected: [],
  cancelled: [],
};

type Step<To extends Proposal> = Transition<To, Moved<Proposal['status']>>;

const step = <To extends Proposal>(from: Proposal, state: To): Step<To> =>
  moved(state, { kind: 'moved', from: from.status, to: state.status });

/** Proposes what was quoted. */
export const propose = ({ number: quotationNumber }: QuotedQuotation, number: string): SubmittedProposal => ({
  status: 'submitted',
  number,
  quotationNumber,
});

export const analyse = (proposal: SubmittedProposal): Step<ProposalUnderAnalysis> =>
  step(proposal, { ...proposal, status: 'under_analysis' });

export const acceptProposal = (proposal: OpenProposal): Step<AcceptedProposal> =>
  step(proposal, { ...proposal, status: 'accepted' });

/** The policy is issued. */
export const turnIntoPolicy = (proposal: AcceptedProposal, policyNumber: string): Step<ProposalTurnedPolicy> =>
  step(proposal, { ...proposal, status: 'policy', policyNumber });

export const rejectProposal = (proposal: OpenProposal, reason: string): Step<RejectedProposal> =>
  step(proposal, { ...proposal, status: 'rejected', reason });

export const cancelProposal = ({
  number,
  quotationNumber,
  status,
}: OpenProposal | AcceptedProposal | ProposalTurnedPolicy): Step<CancelledProposal> =>
  moved({ status: 'cancelled', number, quotationNumber }, { kind: 'moved', from: status, to: 'cancelled' });

/** Takes over what the insurer reports, unless it is old news. */
export const followProposal = (known: Proposal, reported: Proposal) => follow(LIFECYCLE, known, reported);
