/** What a person should look at: something that no program can put right by itself. Holds no secret and no personal data. */
export type Alert =
  /** A provider's word was not taken over: it contradicts what is known. */
  | {
      readonly kind: 'provider_contradicts';
      readonly provider: string;
      readonly saleId: number;
      readonly refusal: string;
    }
  /** An insurer used a status word that the mapping does not know. */
  | {
      readonly kind: 'status_unknown';
      readonly provider: string;
      readonly saleId: number;
      readonly words: readonly string[];
    }
  /** The insurer's price is not what the insured paid. */
  | { readonly kind: 'premium_differs'; readonly provider: string; readonly saleId: number }
  /** The insurer's policy covers other days than those that were sold. */
  | { readonly kind: 'period_differs'; readonly provider: string; readonly saleId: number }
  /** Less has gone back than was said before: a refund has failed after all. */
  | { readonly kind: 'refund_undone'; readonly provider: string; readonly saleId: number }
  /** The insurer says that it knows nothing of papers it has shown. */
  | { readonly kind: 'papers_gone'; readonly provider: string; readonly saleId: number }
  /** Many tries have brought a sale no further. */
  | { readonly kind: 'sale_stuck'; readonly saleId: number; readonly tries: number }
  /** A certificate could not be mailed, and nobody tries any more. */
  | {
      readonly kind: 'mail_undelivered';
      readonly saleId: number;
      readonly number: number;
      readonly reason: string;
    }
  /** A notice speaks of a charge that is no sale's. */
  | { readonly kind: 'notice_of_nothing'; readonly provider: string; readonly noticeId: string };

/** Tells somebody. Never fails. */
export interface Alerts {
  raise(alert: Alert): void;
}
