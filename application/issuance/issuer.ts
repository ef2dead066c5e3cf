import type { CalendarDate, InsurerReport, Issuance, SaleTerms } from '#domain';

/** What an insurer can be asked to do with a sale. */
export type IssuerStep = 'quote' | 'propose' | 'issue' | 'withdraw';

export interface IssuanceOrder {
  /** Names the sale to the insurer, for good. */
  readonly reference: string;
  readonly terms: SaleTerms;
  /** What the insurer has shown so far. */
  readonly issuance?: Issuance | undefined;
  /** The day on which the insured paid, once that is so. */
  readonly paidOn?: CalendarDate | undefined;
  /** The day of the order. */
  readonly on: CalendarDate;
}

/** What the insurer shows of its papers: issued, rejected or pending; `nothing`: it knows of no such sale. As of a gateway, `unknown` and `unreached`. */
export type IssuerAnswer = InsurerReport | 'nothing' | 'unknown' | 'unreached';

/** Whether the insurer has shown papers. */
export const isReport = (answer: IssuerAnswer): answer is InsurerReport =>
  typeof answer === 'object';

/**
 * An insurer that issues policies.
 *
 * 1. A price is quoted, the quotation proposed, the paid proposal issued as a policy; `issue` alone does all three.
 * 2. A step asked for again, by whoever and at once, gives the papers there are: one policy for a reference, ever.
 * 3. What was withdrawn is cancelled, at whatever step, and nothing is issued under its reference any more.
 * 4. Papers are found by their reference, also when the answer to the step was lost.
 * 5. Whoever cannot be reached, hangs or answers nonsense is `unreached` or `unknown`: nothing is thrown.
 */
export interface Issuer {
  readonly name: string;
  perform(step: IssuerStep, order: IssuanceOrder): Promise<IssuerAnswer>;
  /** `within`: how many milliseconds whoever asks can wait. */
  find(reference: string, within?: number): Promise<IssuerAnswer>;
}
