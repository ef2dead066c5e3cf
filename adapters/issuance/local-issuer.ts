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
  underwritingOf,
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

/** Validity of a quotation, in days. */
const QUOTATION_VALID_DAYS = 30;

/**
 * Numbers of the documents of a sale: cotação, proposta, apólice. Each kind has its own series. A
 * document that exists, or that the step does not need, has an empty number here.
 */
interface Numbers {
  readonly quotation: string;
  readonly proposal: string;
  readonly policy: string;
}

interface LocalIssuerParts {
  readonly files: Records<LocalFile>;
  readonly numbers: Records<number>;
  /** Each series begins after this number; 0 by default. */
  readonly numbersAfter?: number;
  readonly clock: Clock;
}

/**
 * An insurer inside the service that accepts every sale: for tests, demos, and insurers that let
 * the service number policies. It creates and numbers quotation, proposal and policy, and stores
 * one file per reference.
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
      // Without a file, a cancelled one is stored, so that a delayed order issues no policy later.
      return files.change(order.reference, (known) =>
        withdrawFile(known ?? { quotation: { status: 'cancelled' } }, order.on),
      );
    }
    const known = await files.find(order.reference);
    const numbers: Numbers = {
      quotation: known?.quotation ? '' : await this.#drawNumber('C', order.on),
      proposal: known?.proposal || step === 'quote' ? '' : await this.#drawNumber('P', order.on),
      policy: known?.policy || step !== 'issue' ? '' : await this.#drawNumber('A', order.on),
    };
    // If another process advanced the file meanwhile, its numbers stay and ours are discarded.
    return files.change(order.reference, (current) =>
      this.#advanceFile(current, step, order, numbers),
    );
  }

  async #drawNumber(series: string, on: CalendarDate): Promise<string> {
    const name = `${series}-${on.slice(0, 4)}`;
    const { numbers, numbersAfter = 0 } = this.#parts;
    const number = await numbers.change(name, (last = numbersAfter) => last + 1);
    return `${name}-${String(number).padStart(6, '0')}`;
  }

  /** Performs a step and all steps before it that were not performed yet. */
  #advanceFile(
    known: LocalFile | undefined,
    step: IssuerStep,
    order: IssuanceOrder,
    numbers: Numbers,
  ): LocalFile {
    const quoted = known ?? { quotation: quoteOrder(order, numbers.quotation) };
    if (step === 'quote' || quoted.quotation.status !== 'quoted') return quoted;
    const made = quoted.proposal ?? propose(quoted.quotation, numbers.proposal, order.on);
    if (isRefusal(made)) return { quotation: { ...quoted.quotation, status: 'expired' } };
    const mustAccept = step === 'issue' || underwritingOf(order.terms) === 'accepted';
    const proposal =
      mustAccept && made.status === 'submitted'
        ? acceptProposal(analyseProposal(made).state).state
        : made;
    if (step === 'propose' || proposal.status !== 'accepted') return { ...quoted, proposal };

    // The proposal was made before the quotation expired, so a later payment is accepted.
    const { validUntil } = quoted.quotation;
    const issuedOn = order.on < validUntil ? order.on : validUntil;
    const issued = issueQuotation(quoted.quotation, numbers.policy, issuedOn);
    if (isRefusal(issued)) return { ...quoted, proposal };

    return {
      quotation: issued.state,
      proposal: turnIntoPolicy(proposal, issued.state.policyNumber).state,
      policy: {
        status: 'active',
        number: issued.state.policyNumber,
        issuedAt: this.#parts.clock.now(),
        period: order.terms.period,
      },
    };
  }
}

const quoteOrder = ({ terms, on }: IssuanceOrder, number: string) => {
  const { net, iof, total } = terms.quote.premium;
  const validUntil = addDays(on, QUOTATION_VALID_DAYS);
  return priceQuotation({ status: 'draft' }, { number, amounts: { net, iof, total }, validUntil })
    .state;
};

const withdrawFile = (
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
