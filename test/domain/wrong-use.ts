/** Wrong uses of the domain, which must not compile. `npm run check` compiles them. */
import {
  type ApprovedPayment,
  acceptProposal,
  applyPaymentReport,
  awaitPayment,
  type CalendarDate,
  type Cents,
  type Cpf,
  cancelPolicy,
  cancelSale,
  cents,
  type Email,
  expireSale,
  followQuotation,
  formatTaxId,
  type Imei,
  type Instant,
  issueQuotation,
  issueSale,
  type PricingBasis,
  paySale,
  plus,
  previewCancellation,
  type Rate,
  type Refusal,
  rate,
  refuse,
  refuseSale,
  share,
  type TaxId,
  turnIntoPolicy,
} from '#domain';
import {
  APPROVED,
  AWAITED,
  POLICY,
  paidSale,
  pendingSale,
  salesInEveryState,
} from '../support/sales.ts';

const at = '2026-11-20T15:00:00.000Z' as Instant;
const on = '2026-11-20' as CalendarDate;
const [pending, paid] = [pendingSale(), paidSale()];
const moment = { on, at };
const any = salesInEveryState()[0] ?? paid;

// @ts-expect-error an unpaid sale cannot be issued
issueSale(pending, POLICY);
// @ts-expect-error a sale of unknown state cannot be issued
issueSale(any, POLICY);
// @ts-expect-error a paid sale is not paid again
paySale(paid, APPROVED, at);
// @ts-expect-error a payment that is only awaited pays nothing
paySale(pending, AWAITED, at);
// @ts-expect-error a paid sale awaits no payment
awaitPayment(paid, AWAITED);
// @ts-expect-error a paid sale does not expire
expireSale(paid, { closedAt: at });
// @ts-expect-error a paid sale is not refused: it is cancelled and refunded
refuseSale(paid, { reason: 'late', closedAt: at });
// @ts-expect-error a sale that has ended is not cancelled
cancelSale({ ...pending, status: 'expired', closedAt: at }, moment);
// @ts-expect-error a sale that has ended has no cancellation preview
previewCancellation({ ...pending, status: 'refused', reason: '', closedAt: at }, on);
// @ts-expect-error a sale whose payment was approved has not expired
expireSale(pending, { closedAt: at, payment: APPROVED });
// @ts-expect-error a payment that the service collected has a charge
export const chargeless: ApprovedPayment = {
  status: 'approved',
  amount: cents(1),
  collectedBy: 'service',
  paidOn: on,
};
// @ts-expect-error a cancelled policy is not cancelled again
cancelPolicy({ ...POLICY, status: 'cancelled', cancelledOn: on }, on);
// @ts-expect-error a policy is not a payment report
applyPaymentReport(paid, POLICY, moment);
// @ts-expect-error a payment to the channel is not a report of the gateway
applyPaymentReport(pending, paid.payment, moment);
// @ts-expect-error a proposal is not a quotation
followQuotation({ status: 'draft' }, { status: 'submitted', number: '1', quotationNumber: '1' });
// @ts-expect-error a draft has no price to issue
issueQuotation({ status: 'draft' }, 'P-1', on);
// @ts-expect-error only an accepted proposal becomes a policy
turnIntoPolicy({ status: 'submitted', number: '1', quotationNumber: '1' }, 'P-1');
// @ts-expect-error a rejected proposal is not accepted
acceptProposal({ status: 'rejected', number: '1', quotationNumber: '1', reason: '' });

// @ts-expect-error cents and rates cannot be added
plus(cents(100), rate(73_800));
// @ts-expect-error a share takes the amount first, then the rate
share(rate(73_800), cents(100), 'half-up');
// @ts-expect-error a plain number may be a float
plus(cents(100), 0.5);
// @ts-expect-error cents are not a rate
export const wrongRate: Rate = cents(100);
// @ts-expect-error a sum of cents is a number until it is checked
export const unchecked: Cents = cents(1) + cents(2);
// @ts-expect-error a text must be parsed to be a tax id
export const rawTaxId: TaxId = '11144477735';
// @ts-expect-error a raw text cannot be formatted as a tax id
formatTaxId('11144477735');
// @ts-expect-error a tax id of either kind is not necessarily a CPF
export const anyId = (id: TaxId): Cpf => id;
// @ts-expect-error a text must be parsed to be an e-mail address
export const rawEmail: Email = 'maria@example.com';
// @ts-expect-error a tax id is not an IMEI
export const wrongImei = (id: TaxId): Imei => id;
// @ts-expect-error a text must be parsed to be a day
export const rawDay: CalendarDate = '2026-11-20';
// @ts-expect-error a day is not an instant
export const wrongInstant: Instant = on;
// @ts-expect-error there is no third pricing basis
export const wrongBasis: PricingBasis = 'both';
// @ts-expect-error the domain refuses only with its documented kinds
export const wrongKind: Refusal = refuse('because');
