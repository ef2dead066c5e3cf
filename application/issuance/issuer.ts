import type { CalendarDate, InsurerReport, Issuance, SaleTerms } from '#domain';

/** A step that an insurer can be asked to take. */
export type IssuerStep = 'quote' | 'propose' | 'issue' | 'withdraw';

export interface IssuanceOrder {
  /** Permanent name of the sale for the insurer. */
  readonly reference: string;
  readonly terms: SaleTerms;
  /** The documents shown so far. */
  readonly issuance?: Issuance | undefined;
  /** Day on which the insured paid; absent before, also where the policy is issued first. */
  readonly paidOn?: CalendarDate | undefined;
  /** Day of the order. */
  readonly on: CalendarDate;
}

/**
 * The insurer's documents. `nothing`: it does not know the sale. `unknown`: the answer was lost.
 * `unreached`: the insurer was not asked.
 */
export type IssuerAnswer = InsurerReport | 'nothing' | 'unknown' | 'unreached';

/** Whether the insurer has shown documents. */
export const isReport = (answer: IssuerAnswer): answer is InsurerReport =>
  typeof answer === 'object';

/**
 * An insurer that issues policies.
 *
 * 1. It quotes a price, turns the quotation into a proposal and the proposal into a policy. `issue`
 *    alone does all three.
 * 2. A repeated or concurrent step returns the existing documents: one policy for each reference,
 *    ever.
 * 3. A withdrawal cancels the documents at any step, and nothing is issued under the reference
 *    afterwards.
 * 4. Documents are found by reference, also when the answer to a step was lost.
 * 5. An insurer that is down, hangs or answers nonsense gives `unreached` or `unknown`. Nothing is
 *    thrown.
 */
export interface Issuer {
  readonly name: string;
  perform(step: IssuerStep, order: IssuanceOrder): Promise<IssuerAnswer>;
  /** `within`: max wait, ms. */
  find(reference: string, within?: number): Promise<IssuerAnswer>;
}
