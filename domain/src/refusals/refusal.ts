/** Why a channel cannot sell what it requests. */
export type OfferRefusal =
  | 'product_unknown'
  | 'product_ambiguous'
  | 'product_not_granted'
  | 'plan_unknown'
  | 'coverage_unknown'
  | 'coverage_repeated'
  | 'channel_inactive'
  | 'payment_not_with_channel'
  | 'payment_not_with_service';

/** Why something has no price. */
export type PriceRefusal =
  | 'iof_rate_missing'
  | 'premium_not_declared'
  | 'premium_not_positive'
  | 'amount_too_large'
  | 'insured_amount_missing';

/** Why the channel's own figures are refused. The refusal carries the right amount. */
export type FigureRefusal = 'net_premium_differs' | 'iof_differs' | 'total_differs';

/** Why a price cannot be paid in so many installments. */
export type InstallmentRefusal = 'installments_not_offered' | 'installment_below_one_cent';

/** Why the dates of a sale contradict each other or today. */
export type DateRefusal =
  | 'paid_in_future'
  | 'sold_in_future'
  | 'sold_long_ago'
  | 'event_before_payment'
  | 'born_in_future';

/** Why a coverage period is refused. */
export type PeriodRefusal =
  | 'period_not_declared'
  | 'period_differs'
  | 'period_reversed'
  | 'period_over';

/** Why a sale does not get the price of its quote. `at` names the parts that differ from it. */
export type QuoteRefusal = 'quote_expired' | 'quote_differs';

/** Why a sale cannot be cancelled on a day. */
export type CancellationRefusal = 'cancelled_before_sale' | 'coverage_ended';

/** Why an e-mail address is not corrected. */
export type CorrectionRefusal = 'too_many_corrections';

/** Why a transition is not possible. */
export type TransitionRefusal =
  | 'transition_not_possible'
  | 'payment_amount_differs'
  | 'refund_amount_differs'
  | 'payment_returned'
  | 'charge_not_named'
  | 'quotation_expired'
  | 'not_expired_yet';

/** Why the domain refuses: stable codes for programs. Adapters translate them for people. */
export type RefusalKind =
  | OfferRefusal
  | PriceRefusal
  | FigureRefusal
  | InstallmentRefusal
  | DateRefusal
  | PeriodRefusal
  | QuoteRefusal
  | CancellationRefusal
  | CorrectionRefusal
  | TransitionRefusal;

/** A business "no". Returned, never thrown. The application has kinds of its own. */
export interface Refusal<Kind extends string = RefusalKind> {
  readonly refused: true;
  readonly kind: Kind;
  /** The right amount in cents, if there is one. */
  readonly expected?: number;
  /**
   * The parts of the request at fault, if the kind does not tell them: `id` or `code` of a
   * reference, `0.id` in a list of references.
   */
  readonly at?: readonly string[];
  /** What the channel could have named instead, of a reference that names nothing. */
  readonly offered?: readonly { readonly id: number; readonly code: string }[];
}

export const refuse = <Kind extends string>(kind: Kind, expected?: number): Refusal<Kind> =>
  expected === undefined ? { refused: true, kind } : { refused: true, kind, expected };

export const refuseAt = <Kind extends string>(
  kind: Kind,
  at: readonly string[],
  offered?: Refusal['offered'],
): Refusal<Kind> => ({ refused: true, kind, at, ...(offered && { offered }) });

export const isRefusal = <Value>(
  value: Value,
): value is Extract<Value, { readonly refused: true }> =>
  typeof value === 'object' && value !== null && 'refused' in value && value.refused === true;

/**
 * The value, if it is neither missing nor refused. For constants, tests and scripts; not for input.
 *
 * @throws RangeError otherwise, naming the refusal.
 */
export const unwrap = <Value>(
  value: Value,
): Exclude<Value, { readonly refused: true } | undefined> => {
  if (value === undefined) throw new RangeError('there is no value');
  if (isRefusal<unknown>(value)) throw new RangeError(`refused: ${(value as Refusal).kind}`);
  return value as Exclude<Value, { readonly refused: true } | undefined>;
};
