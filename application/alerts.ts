/** What a person should look at: something that no program can put right by itself. Holds no secret and no personal data. */
export type Alert =
  /** A provider's word was not taken over: it contradicts what is known. */
  | { readonly kind: 'provider_contradicts'; readonly provider: string; readonly saleId: number; readonly refusal: string }
  /** An insurer used a status word that the mapping does not know. */
  | { readonly kind: 'status_unknown'; readonly provider: string; readonly saleId: number; readonly words: readonly string[] }
  /** A notice speaks of a charge that is no sale's. */
  | { readonly kind: 'notice_of_nothing'; readonly provider: string; readonly noticeId: string };

/** Tells somebody. Never fails. */
export interface Alerts {
  raise(alert: Alert): void;
}
