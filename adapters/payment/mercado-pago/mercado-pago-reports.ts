import type { Instant, PaymentReport } from '#domain';
import { inCents } from '../reais.ts';
import type { Found, Preference } from './mercado-pago-api.ts';
import { isOpen, isPaid, type MercadoPagoPayment, reportPayment } from './mercado-pago-payments.ts';

/** The payments that were made on a page, the first approved one first. */
const paymentsOf = ({ payments }: Found, page: Preference): readonly MercadoPagoPayment[] =>
  payments
    .filter(({ id }) => page.payments.has(id))
    .sort((one, other) => approvalOf(one).localeCompare(approvalOf(other)));

const approvalOf = (paid: MercadoPagoPayment): string =>
  new Date(paid.date_approved ?? paid.date_created).toISOString();

/** What payers have begun on a page, and can still pay. */
export const begunOn = (found: Found, page: Preference): readonly MercadoPagoPayment[] =>
  paymentsOf(found, page).filter(isOpen);

/** The payment of a charge: itself, or the first that was paid on its page. */
export const chargedOn = (found: Found, chargeId: string): MercadoPagoPayment | undefined => {
  const page = found.preferences.find(({ id }) => id === chargeId);
  if (page !== undefined) return paymentsOf(found, page).find(isPaid);
  return found.payments.find(({ id }) => String(id) === chargeId);
};

/**
 * Reports a page as a charge. It counts as paid by its first payment; each further payment is a
 * charge of its own, and so a surplus. What was declined there may be tried again.
 */
const reportPage = (
  page: Preference,
  own: readonly MercadoPagoPayment[],
  now: Instant,
): readonly PaymentReport[] => {
  const [first, ...others] = own.filter(isPaid);
  if (first !== undefined)
    return [reportPayment(first, page.id), ...others.map((each) => reportPayment(each))].flat();
  const about = { chargeId: page.id, amount: inCents(page.amount) };
  const begun = own.filter(isOpen).flatMap((each) => reportPayment(each, page.id));
  const seen = begun.find(({ status }) => status === 'unknown');
  if (seen !== undefined) return [{ ...about, status: 'unknown' }];
  // A boleto or Pix can be paid after its page has closed.
  const [open] = begun;
  if (open !== undefined && page.until <= now) return [open];
  return page.until <= now
    ? [{ ...about, status: 'expired' }]
    : [{ ...about, status: 'awaited', url: page.url, until: page.until }];
};

/** Translates all that was found of a reference to reports, the oldest charge first. */
export const reportFound = (found: Found, now: Instant): readonly PaymentReport[] => {
  const pages = found.preferences.map((page) => {
    const own = paymentsOf(found, page);
    return { at: page.createdAt as string, reports: reportPage(page, own, now) };
  });
  const direct = found.payments
    .filter(({ id }) => !found.preferences.some(({ payments }) => payments.has(id)))
    .map((each) => ({
      at: new Date(each.date_created).toISOString(),
      reports: reportPayment(each),
    }));
  return [...pages, ...direct]
    .sort((one, other) => one.at.localeCompare(other.at))
    .flatMap(({ reports }) => reports);
};
