const OFFER_REFUSALS = [
  'product_unknown',
  'product_ambiguous',
  'product_not_granted',
  'plan_unknown',
  'coverage_unknown',
  'coverage_repeated',
  'channel_inactive',
  'payment_not_with_channel',
  'payment_not_with_service',
] as const;

/** Why a channel cannot sell what it requests. */
export type OfferRefusal = (typeof OFFER_REFUSALS)[number];

const PRICE_REFUSALS = [
  'iof_rate_missing',
  'premium_not_declared',
  'premium_not_positive',
  'amount_too_large',
  'insured_amount_missing',
] as const;

/** Why something has no price. */
export type PriceRefusal = (typeof PRICE_REFUSALS)[number];

const FIGURE_REFUSALS = ['net_premium_differs', 'iof_differs', 'total_differs'] as const;

/** Why the channel's own figures are refused. The refusal carries the right amount. */
export type FigureRefusal = (typeof FIGURE_REFUSALS)[number];

const INSTALLMENT_REFUSALS = [
  'installments_not_offered',
  'installment_below_one_cent',
  'iof_rate_ends',
] as const;

/** Why a price cannot be paid in so many installments. */
export type InstallmentRefusal = (typeof INSTALLMENT_REFUSALS)[number];

const DATE_REFUSALS = [
  'paid_in_future',
  'sold_in_future',
  'sold_long_ago',
  'event_before_payment',
  'born_in_future',
] as const;

/** Why the dates of a sale contradict each other or today. */
export type DateRefusal = (typeof DATE_REFUSALS)[number];

const PERIOD_REFUSALS = [
  'period_not_declared',
  'period_differs',
  'period_reversed',
  'period_over',
] as const;

/** Why a coverage period is refused. */
export type PeriodRefusal = (typeof PERIOD_REFUSALS)[number];

const QUOTE_REFUSALS = ['quote_expired', 'quote_differs'] as const;

/** Why a sale does not get the price of its quote. `at` names the parts that differ from it. */
export type QuoteRefusal = (typeof QUOTE_REFUSALS)[number];

const CANCELLATION_REFUSALS = ['cancelled_before_sale', 'coverage_ended'] as const;

/** Why a sale cannot be cancelled on a day. */
export type CancellationRefusal = (typeof CANCELLATION_REFUSALS)[number];

const CORRECTION_REFUSALS = ['too_many_corrections'] as const;

/** Why an e-mail address is not corrected. */
export type CorrectionRefusal = (typeof CORRECTION_REFUSALS)[number];

const TRANSITION_REFUSALS = [
  'transition_not_possible',
  'payment_amount_differs',
  'refund_amount_differs',
  'payment_returned',
  'charge_not_named',
  'quotation_expired',
] as const;

/** Why a transition is not possible. */
export type TransitionRefusal = (typeof TRANSITION_REFUSALS)[number];

const KINDS = [
  ...OFFER_REFUSALS,
  ...PRICE_REFUSALS,
  ...FIGURE_REFUSALS,
  ...INSTALLMENT_REFUSALS,
  ...DATE_REFUSALS,
  ...PERIOD_REFUSALS,
  ...QUOTE_REFUSALS,
  ...CANCELLATION_REFUSALS,
  ...CORRECTION_REFUSALS,
  ...TRANSITION_REFUSALS,
] as const;

/** Why the domain refuses: stable codes for programs. `messageOf` tells them to people. */
export type RefusalKind = (typeof KINDS)[number];

/** Lists every kind of refusal, once. @example REFUSAL_KINDS.includes('period_over') // true */
export const REFUSAL_KINDS: readonly RefusalKind[] = KINDS;

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

/** Whether a result is a refusal. @example isRefusal(parseDate('2026-11-20')) // false */
export const isRefusal = <Value>(
  value: Value,
): value is Extract<Value, { readonly refused: true }> =>
  typeof value === 'object' && value !== null && 'refused' in value && value.refused === true;

/**
 * The value, if it is neither missing nor refused. For constants, tests and scripts; not for input.
 *
 * @example unwrap(parseDate('2026-11-20')) // '2026-11-20'
 * @throws RangeError otherwise, naming the refusal.
 */
export const unwrap = <Value>(
  value: Value,
): Exclude<Value, { readonly refused: true } | undefined> => {
  if (value === undefined) throw new RangeError('there is no value');
  if (isRefusal<unknown>(value)) throw new RangeError(`refused: ${(value as Refusal).kind}`);
  return value as Exclude<Value, { readonly refused: true } | undefined>;
};
