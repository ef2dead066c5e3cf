import { isBinding, type Moment, outstandingRefunds, type Sale, type SaleStep } from '#domain';

/** `await`: it is for the payer, or the gateway, to go on, and for us to ask now and then. */
export type NextStep = SaleStep | 'await';

/** So long a charge that could not be found is still looked for, in case it comes into being after all. */
const LOOKED_FOR_HOURS = 24;

/**
 * What the service has to do for a sale, the most urgent first; nothing, unless somebody else moves it, where the list is
 * empty. Several where they concern different providers: one that fails must not keep the other from doing its part.
 */
export const nextSteps = (sale: Sale, now: Moment): readonly NextStep[] => {
  // What the channel collects, the channel gives back.
  if (sale.terms.payment.collectedBy === 'channel') return [];
  // A charge that may have been made is looked for before anything else, whatever has become of the sale.
  if (isChargeOpen(sale)) return ['charge'];
  const isRefundDue = outstandingRefunds(sale).some(({ chargeId }) => chargeId !== undefined);
  return [...(isRefundDue ? (['refund'] as const) : []), ...stepsOfState(sale, now)];
};

/** Whether the gateway may have been asked for a charge of which nothing has been heard. */
const isChargeOpen = ({ attempts = [], payment }: Sale): boolean =>
  payment.status === 'unknown' &&
  payment.chargeId === undefined &&
  attempts.some(({ step }) => step === 'charge');

const stepsOfState = (sale: Sale, { at }: Moment): readonly NextStep[] => {
  if (sale.status === 'pending')
    return [sale.payment.status === 'unknown' ? 'await' : stepOfPending(sale)];
  if (sale.status === 'awaiting_payment')
    return [(sale.payment.until ?? '9') <= at ? 'withdraw_charge' : 'await'];
  if (sale.status === 'paid') return ['issue'];
  return sale.status === 'issued' ? [] : stepsOfEnded(sale, at);
};

const stepOfPending = ({ terms, issuance }: Sale): SaleStep => {
  if (terms.payment.collectedBy !== 'service' || terms.payment.underwriting === undefined)
    return 'charge';
  if (issuance === undefined || issuance.quotation.status === 'draft') return 'quote';
  return issuance.proposal === undefined ? 'propose' : 'charge';
};

type EndedSale = Extract<Sale, { status: 'refused' | 'expired' | 'cancelled' | 'refunded' }>;

/** What may still be paid is closed, and what the insurer still holds is withdrawn. */
const stepsOfEnded = (sale: EndedSale, at: string): readonly NextStep[] => {
  const { payment, receipts, issuance } = sale;
  const isHeardOf = receipts.some(({ chargeId }) => chargeId === payment.chargeId);
  const isNamed = payment.chargeId !== undefined && !isHeardOf;
  const endedAt = 'closedAt' in sale ? sale.closedAt : sale.cancelledAt;
  const isLookedFor =
    payment.status === 'unknown' &&
    payment.chargeId === undefined &&
    Date.parse(at) - Date.parse(endedAt) < LOOKED_FOR_HOURS * 3_600_000;
  return [
    ...(isNamed && (payment.status === 'awaited' || payment.status === 'unknown')
      ? (['withdraw_charge'] as const)
      : []),
    ...(issuance !== undefined && isBinding(issuance) ? (['withdraw_papers'] as const) : []),
    ...(isLookedFor ? (['await'] as const) : []),
  ];
};
