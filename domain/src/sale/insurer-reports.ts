import { isRefusal, type Refusal, refuse, type TransitionRefusal } from '../refusal.ts';
import { cancel } from './cancel-sale.ts';
import { type InsurerReport, type Issuance, NOTHING_SHOWN } from './issuance.ts';
import { followPolicy, type Policy } from './policy.ts';
import { followProposal } from './proposal.ts';
import { followQuotation, type QuotedQuotation } from './quotation.ts';
import type { IssuedSale, PaidSale, Sale } from './sale.ts';
import {
  issue,
  isUnpaid,
  type Moment,
  refuseSale,
  type SaleTransition,
} from './sale-transitions.ts';
import { moved } from './transition.ts';

type Outcome = SaleTransition | Refusal<TransitionRefusal>;

/**
 * Takes what an insurer says of its papers for a sale, in whatever state the sale is, in whatever order and however often.
 *
 * Old news changes nothing. A policy issues a sale that is paid; a rejection refuses one that nobody has paid, and ends
 * one that is paid, whose money is then due back; a policy that the insurer has cancelled ends the sale. An ended sale
 * stays as it is: what the insurer still holds for it is known, and has to be withdrawn.
 * Nor is a sale made at another price than the insurer's. Refused where a paper bears another number than before or
 * contradicts it, or where a policy is shown for a sale that nobody has paid.
 */
export const followInsurer = (sale: Sale, report: InsurerReport, now: Moment): Outcome => {
  const issuance = followPapers(sale.issuance ?? NOTHING_SHOWN, report);
  if (isRefusal(issuance)) return issuance;
  const shown = { ...sale, issuance };
  const moves = ofStatus(shown, issuance, report.policy, now);
  if (moves !== undefined) return moves;
  return saysTheSame(sale.issuance, issuance)
    ? moved(sale, { kind: 'ignored', because: 'repeated' })
    : moved(shown, { kind: 'papers_moved' });
};

/** What it does to the sale's status, if anything. */
const ofStatus = (
  sale: Sale,
  issuance: Issuance,
  policy: Policy | undefined,
  now: Moment,
): Outcome | undefined => {
  if (isUnpaid(sale)) {
    if (policy !== undefined) return refuse('transition_not_possible');
    const reason = isTurnedDown(issuance)
      ? 'insurer_rejected'
      : hasOtherPrice(sale)
        ? 'premium_differs'
        : undefined;
    return reason === undefined ? undefined : refuseSale(sale, { reason, closedAt: now.at });
  }
  if (sale.status === 'paid') {
    if (policy?.status === 'active') return issue(sale, policy);
    return isTurnedDown(issuance) ? endedByInsurer(sale, now) : undefined;
  }
  return sale.status === 'issued' && policy !== undefined
    ? ofIssuedSale(sale, policy, now)
    : undefined;
};

const ofIssuedSale = (sale: IssuedSale, policy: Policy, now: Moment): Outcome | undefined => {
  const followed = followPolicy(sale.policy, policy);
  if (isRefusal(followed)) return followed;
  return followed.state.status === 'cancelled' ? endedByInsurer(sale, now) : undefined;
};

/** Where the cover has run out, an insurer that closes its file changes nothing of the contract. */
const endedByInsurer = (sale: PaidSale | IssuedSale, now: Moment): Outcome | undefined => {
  const ended = cancel(sale, now, 'insurer');
  return isRefusal(ended) ? undefined : ended;
};

const followPapers = (
  known: Issuance,
  report: InsurerReport,
): Issuance | Refusal<'transition_not_possible'> => {
  const { unknownWords } = report;
  // A policy that was cancelled is not revived by old news.
  const policy =
    known.policy === 'cancelled' ? known.policy : (report.policy?.status ?? known.policy);
  const quotation = followQuotation(known.quotation, report.quotation ?? known.quotation);
  if (isRefusal(quotation)) return quotation;
  const shown = {
    quotation: quotation.state,
    ...(policy && { policy }),
    ...(unknownWords && { unknownWords }),
  };
  // The first proposal seen is taken as it is.
  const { proposal: latest = known.proposal } = report;
  if (latest === undefined) return shown;
  const proposal = followProposal(known.proposal ?? latest, latest);
  return isRefusal(proposal) ? proposal : { ...shown, proposal: proposal.state };
};

/** The insurer will not issue: a price that has lapsed is no more than that where the contract was offered in time. */
const isTurnedDown = ({ quotation, proposal }: Issuance): boolean => {
  const { status } = proposal ?? quotation;
  return (
    ['rejected', 'cancelled'].includes(quotation.status) ||
    ['rejected', 'cancelled', 'expired'].includes(status)
  );
};

/** Whether the insurer's price is another than the insured's. */
export const hasOtherPrice = ({ issuance, terms }: Sale): boolean => {
  const { net, iof } = terms.quote.premium;
  const { amounts } = (issuance?.quotation ?? {}) as Partial<QuotedQuotation>;
  return amounts !== undefined && (amounts.net !== net || amounts.iof !== iof);
};

const saysTheSame = (before: Issuance | undefined, after: Issuance): boolean =>
  before?.quotation.status === after.quotation.status &&
  before.proposal?.status === after.proposal?.status &&
  before.policy === after.policy &&
  before.unknownWords?.quotation === after.unknownWords?.quotation &&
  before.unknownWords?.proposal === after.unknownWords?.proposal &&
  before.unknownWords?.policy === after.unknownWords?.policy;
