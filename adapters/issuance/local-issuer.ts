import {
  acceptProposal,
  addDays,
  analyseProposal,
  type CalendarDate,
  cancelPolicy,
  cancelProposal,
  cancelQuotation,
  type InsurerReport,
  isRefusal,
  issueQuotation,
  type Policy,
  type Proposal,
  priceQuotation,
  propose,
  type Quotation,
  turnIntoPolicy,
} from '#domain';
import type { Clock } from '../../application/clock.ts';
import type {
  IssuanceOrder,
  Issuer,
  IssuerAnswer,
  IssuerStep,
} from '../../application/issuance/issuer.ts';
import type { Records } from '../../application/records.ts';

/** An insurer's file on one sale. */
export interface LocalFile {
  readonly quotation: Exclude<Quotation, { status: 'draft' }>;
  readonly proposal?: Proposal;
  readonly policy?: Policy;
}

/** So many days the insurer stands by a price. */
const PRICE_DAYS = 30;

/** The papers of a sale, each numbered in a series of its own: cotação, proposta, apólice. */
interface Numbers {
  readonly quotation: string;
  readonly proposal: string;
  readonly policy: string;
}

interface LocalIssuerParts {
  readonly files: Records<LocalFile>;
  readonly numbers: Records<number>;
  readonly clock: Clock;
}

/**
 * An insurer that says yes: for tests, demos and insurers that give out their numbers in advance. Takes each sale through
 * quotation, proposal and policy, numbers each paper, and keeps one file for each reference.
 */
export class LocalIssuer implements Issuer {
  readonly name = 'local';
  readonly #parts: LocalIssuerParts;

  constructor(parts: LocalIssuerParts) {
    this.#parts = parts;
  }

  async find(reference: string): Promise<IssuerAnswer> {
    return (await this.#parts.files.find(reference)) ?? 'nothing';
  }

  async perform(step: IssuerStep, order: IssuanceOrder): Promise<IssuerAnswer> {
    const { files } = this.#parts;
    if (step === 'withdraw') {
      // Nothing will be issued under this reference any more, even if the order for it is still on its way.
      return files.change(order.reference, (known) =>
        withdrawn(known ?? { quotation: { status: 'cancelled' } }, order.on),
      );
    }
    const known = await files.find(order.reference);
    const numbers: Numbers = {
      quotation: known?.quotation ? '' : await this.#draw('C', order.on),
      proposal: known?.proposal || step === 'quote' ? '' : await this.#draw('P', order.on),
      policy: known?.policy || step !== 'issue' ? '' : await this.#draw('A', order.on),
    };
    // Whoever was faster has used numbers of its own; ours are left out.
    return files.change(order.reference, (present) => this.#taken(present, step, order, numbers));
  }

  async #draw(series: string, on: CalendarDate): Promise<string> {
    const name = `${series}-${on.slice(0, 4)}`;
    const number = await this.#parts.numbers.change(name, (last = 0) => last + 1);
    return `${name}-${String(number).padStart(6, '0')}`;
  }

  /** The file after a step, with the steps before it; what has been done is not done again. */
  #taken(
    known: LocalFile | undefined,
    step: IssuerStep,
    order: IssuanceOrder,
    numbers: Numbers,
  ): LocalFile {
    const quoted = known ?? { quotation: quote(order, numbers.quotation) };
    if (step === 'quote' || quoted.quotation.status !== 'quoted') return quoted;
    const proposal = quoted.proposal ?? propose(quoted.quotation, numbers.proposal, order.on);
    if (isRefusal(proposal)) return { quotation: { ...quoted.quotation, status: 'expired' } };
    if (step === 'propose' || proposal.status !== 'submitted') return { ...quoted, proposal };
    // What was proposed in time may be paid later.
    const { validUntil } = quoted.quotation;
    const issued = issueQuotation(
      quoted.quotation,
      numbers.policy,
      order.on < validUntil ? order.on : validUntil,
    );
    if (isRefusal(issued)) return { ...quoted, proposal };
    const accepted = acceptProposal(analyseProposal(proposal).state).state;
    return {
      quotation: issued.state,
      proposal: turnIntoPolicy(accepted, issued.state.policyNumber).state,
      policy: {
        status: 'active',
        number: issued.state.policyNumber,
        issuedAt: this.#parts.clock.now(),
        period: order.terms.period,
      },
    };
  }
}

const quote = ({ terms, on }: IssuanceOrder, number: string) => {
  const { net, iof, total } = terms.quote.premium;
  const price = { number, amounts: { net, iof, total }, validUntil: addDays(on, PRICE_DAYS) };
  return priceQuotation({ status: 'draft' }, price).state;
};

const withdrawn = (
  { quotation, proposal, policy }: LocalFile,
  on: CalendarDate,
): InsurerReport & LocalFile => {
  const isOpen = quotation.status === 'quoted' || quotation.status === 'issued';
  const isProposed =
    proposal !== undefined && proposal.status !== 'rejected' && proposal.status !== 'cancelled';
  return {
    quotation: isOpen ? cancelQuotation(quotation).state : quotation,
    ...(proposal && { proposal: isProposed ? cancelProposal(proposal).state : proposal }),
    ...(policy && { policy: policy.status === 'active' ? cancelPolicy(policy, on).state : policy }),
  };
};
