import { type Instant, isBinding, outstandingRefunds, type PendingSale, type Sale, type SaleStep } from '#domain';

/** `await`: it is for the payer to go on, and for us to ask now and then. */
export type NextStep = SaleStep | 'await';

/** What the service has to do next for a sale; undefined: nothing, unless somebody else moves it. */
export const nextStep = (sale: Sale, now: Instant): NextStep | undefined => {
  const { payment, terms } = sale;
  // What the channel collects, the channel gives back.
  if (terms.payment.collectedBy === 'channel') return undefined;
  // A charge that may have been made is looked for before anything else, whatever has become of the sale.
  if (isChargeOpen(sale)) return 'charge';
  if (outstandingRefunds(sale).some(({ chargeId }) => chargeId !== undefined)) return 'refund';
  if (sale.status === 'pending') return payment.status === 'unknown' ? 'await' : stepOfPending(sale);
  if (sale.status === 'awaiting_payment') return (sale.payment.until ?? '9') <= now ? 'withdraw_charge' : 'await';
  if (sale.status === 'paid') return 'issue';
  if (sale.status === 'issued') return undefined;
  if (payment.status === 'awaited') return 'withdraw_charge';
  return sale.issuance !== undefined && isBinding(sale.issuance) ? 'withdraw_papers' : undefined;
};

/** Whether the gateway may have been asked for a charge of which nothing has been heard. */
const isChargeOpen = ({ attempt, payment }: Sale): boolean => attempt?.step === 'charge' && payment.status === 'unknown';

const stepOfPending = ({ terms, issuance }: PendingSale): SaleStep => {
  if (terms.payment.collectedBy !== 'service' || terms.payment.underwriting === undefined) return 'charge';
  if (issuance === undefined || issuance.quotation.status === 'draft') return 'quote';
  return issuance.proposal === undefined ? 'propose' : 'charge';
};
