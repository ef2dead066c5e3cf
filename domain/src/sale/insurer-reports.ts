import { isRefusal, type Refusal, refuse, type TransitionRefusal } from '../refusals/refusal.ts';
import { cancelSale } from './cancel-sale.ts';
import { type InsurerReport, type Issuance, NOTHING_SHOWN } from './issuance.ts';
import { followPolicy, type Policy } from './policy.ts';
import { followProposal } from './proposal.ts';
import { followQuotation, type QuotedQuotation } from './quotation.ts';
import { isAuthorized } from './receipts.ts';
import { type IssuedSale, isUnpaid, type PaidSale, type Sale, type UnpaidSale } from './sale.ts';
import { issueSale, type Moment, refuseSale, type SaleTransition } from './sale-transitions.ts';
import { moved } from './transition.ts';

type Outcome = SaleTransition | Refusal<TransitionRefusal>;

/**
 * Applies an insurer's report to a sale in any state. Reports may come in any order and repeatedly;
 * old news changes nothing.
 *
 * A policy issues a paid sale; the sale of an authorised card keeps it. A rejection, or a price other
 * than the insured's, refuses an unpaid sale; a rejection ends a paid one, with a refund. A policy
 * cancelled by the insurer ends the sale. An ended sale only records the documents, which then have to
 * be withdrawn.
 *
 * Refused if a document's number differs from before, contradicts it, or a policy is shown for an
 * unpaid sale without an authorised card.
 */
export const followInsurer = (sale: Sale, report: InsurerReport, now: Moment): Outcome => {
  const issuance = followDocuments(sale.issuance ?? NOTHING_SHOWN, report);
  if (isRefusal(issuance)) return issuance;
  const shown = { ...sale, issuance };
  const moves = ofStatus(shown, issuance, report.policy, now);
  if (moves !== undefined) return moves;
  return saysTheSame(sale.issuance, issuance)
    ? moved(sale, { kind: 'ignored', because: 'repeated' })
    : moved(shown, { kind: 'papers_moved' });
};

/** The change of status, if any. */
const ofStatus = (
  sale: Sale,
  issuance: Issuance,
  policy: Policy | undefined,
  now: Moment,
): Outcome | undefined => {
  if (isUnpaid(sale)) {
    const followed = policy && ofUnpaidPolicy(sale, issuance, policy);
    if (followed !== undefined) return followed;
    const reason =
      isTurnedDown(issuance) || policy?.status === 'cancelled'
        ? 'insurer_rejected'
        : hasOtherPrice(sale)
          ? 'premium_differs'
          : undefined;
    return reason === undefined ? undefined : refuseSale(sale, { reason, closedAt: now.at });
  }
  if (sale.status === 'paid') {
    if (policy?.status === 'active') return issueSale(sale, policy);
    return isTurnedDown(issuance) ? endedByInsurer(sale, now) : undefined;
  }
  return sale.status === 'issued' && policy !== undefined
    ? ofIssuedSale(sale, policy, now)
    : undefined;
};

/**
 * A policy is issued before the card is captured, and never before a card is authorised. Undefined: it
 * is known.
 */
const ofUnpaidPolicy = (
  sale: UnpaidSale,
  issuance: Issuance,
  policy: Policy,
): Outcome | undefined => {
  const { unpaidPolicy: known } = issuance;
  if (known !== undefined) {
    const followed = followPolicy(known, policy);
    return isRefusal(followed) ? followed : undefined;
  }
  return policy.status === 'active' && isAuthorized(sale)
    ? moved({ ...sale, issuance: { ...issuance, unpaidPolicy: policy } }, { kind: 'papers_moved' })
    : refuse('transition_not_possible');
};

const ofIssuedSale = (sale: IssuedSale, policy: Policy, now: Moment): Outcome | undefined => {
  const followed = followPolicy(sale.policy, policy);
  if (isRefusal(followed)) return followed;
  return followed.state.status === 'cancelled' ? endedByInsurer(sale, now) : undefined;
};

/** After the coverage has ended, the insurer's cancellation does not change the contract. */
const endedByInsurer = (sale: PaidSale | IssuedSale, now: Moment): Outcome | undefined => {
  const ended = cancelSale(sale, now, 'insurer');
  return isRefusal(ended) ? undefined : ended;
};

const followDocuments = (
  known: Issuance,
  report: InsurerReport,
): Issuance | Refusal<'transition_not_possible'> => {
  const { unknownWords } = report;
  // An old report does not revive a cancelled policy.
  const policy =
    known.policy === 'cancelled' ? known.policy : (report.policy?.status ?? known.policy);
  const quotation = followQuotation(known.quotation, report.quotation ?? known.quotation);
  if (isRefusal(quotation)) return quotation;
  const shown = {
    quotation: quotation.state,
    ...(policy && { policy }),
    ...(known.unpaidPolicy && { unpaidPolicy: known.unpaidPolicy }),
    ...(unknownWords && { unknownWords }),
  };
  // The first proposal is accepted in any status.
  const { proposal: latest = known.proposal } = report;
  if (latest === undefined) return shown;
  const proposal = followProposal(known.proposal ?? latest, latest);
  return isRefusal(proposal) ? proposal : { ...shown, proposal: proposal.state };
};

/** Whether the insurer will not issue. A quotation may expire if the proposal was made in time. */
const isTurnedDown = ({ quotation, proposal }: Issuance): boolean => {
  const { status } = proposal ?? quotation;
  return (
    ['rejected', 'cancelled'].includes(quotation.status) ||
    ['rejected', 'cancelled', 'expired'].includes(status)
  );
};

/** Whether the insurer's price differs from the insured's. */
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
