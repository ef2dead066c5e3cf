/** Why the domain says no. Stable and meant for programs; whoever talks to people finds the words for it. */
export type RefusalKind =
  | 'product_unknown'
  | 'product_ambiguous'
  | 'product_not_granted'
  | 'channel_inactive'
  | 'payment_not_with_channel'
  | 'iof_rate_missing'
  | 'premium_not_declared'
  | 'premium_not_positive'
  | 'amount_too_large'
  | 'insured_amount_missing'
  | 'paid_in_future'
  | 'event_before_payment'
  | 'born_in_future'
  | 'period_not_declared'
  | 'period_reversed';

/** A business "no", returned and never thrown. */
export interface Refusal {
  readonly refused: true;
  readonly kind: RefusalKind;
}

export const refuse = (kind: RefusalKind): Refusal => ({ refused: true, kind });

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'refused' in value && value.refused === true;
