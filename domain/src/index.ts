// What other systems build on. Papers of an insurer are in `policy.ts`, the rest in `service.ts`.

// Catalogue
export { readCatalogue } from './catalogue/catalogue.ts';
export { type Channel, type Grant, readChannel } from './catalogue/channel.ts';
// Results
export { FAULT_KINDS, type Fault, type FaultKind, messageOf } from './catalogue/faults.ts';
export { findOffer, type Offer, type OfferRequest } from './catalogue/offer.ts';
export { type Coverage, type Plan, type Product, readProduct } from './catalogue/product.ts';
export type { Reading } from './catalogue/reading.ts';
// Prices
export {
  type Commission,
  type CommissionRate,
  calculateCommission,
} from './pricing/commission.ts';
export {
  type Installment,
  type InstallmentTerms,
  splitIntoInstallments,
} from './pricing/installments.ts';
export {
  findIofRate,
  IOF_RATES,
  type IofClass,
  type IofRate,
  lastDayOfRate,
} from './pricing/iof.ts';
export {
  type Amounts,
  calculatePremium,
  type Premium,
  type PricingBasis,
  type Tariff,
} from './pricing/premium.ts';
export { type PriceBasis, type Quote, quotePrice } from './quoting/quote.ts';
export {
  isRefusal,
  REFUSAL_KINDS,
  type Refusal,
  type RefusalKind,
  unwrap,
} from './refusals/refusal.ts';
// A sale, and its states
export type { CancellationFigures } from './rules/cancellation.ts';
// Dates
export type { CoveragePeriod } from './rules/period.ts';
export { cancelSale, previewCancellation } from './sale/cancel-sale.ts';
export { type OutstandingRefund, outstandingRefunds } from './sale/outstanding-refunds.ts';
export type { PaymentReport } from './sale/payment.ts';
export { applyPaymentReport } from './sale/payment-reports.ts';
export {
  type AwaitingPaymentSale,
  type CancelledSale,
  createSale,
  type ExpiredSale,
  type IssuedSale,
  numbered,
  type PaidSale,
  type PendingSale,
  type RefundedSale,
  type RefusedSale,
  SALE_LIFECYCLE,
  type Sale,
} from './sale/sale.ts';
export {
  expireSale,
  issueSale,
  type Moment,
  refuseSale,
  type SaleEvent,
  type SaleTransition,
} from './sale/sale-transitions.ts';
export { type SaleTerms, type SoldTerms, saleTerms } from './sale/terms.ts';
// Statement
export { type Booking, type BookSums, bookingsOf, sumBookings } from './statements/books.ts';
// Values
export { isUf, parsePostcode, type Uf } from './values/address.ts';
export {
  addDays,
  addMonths,
  businessDay,
  type CalendarDate,
  daysBetween,
  formatDate,
  type Instant,
  instantOf,
  parseDate,
  parseInstant,
} from './values/calendar.ts';
export { CardNumber } from './values/card-number.ts';
export { type Email, type Phone, parseEmail, parsePhone } from './values/contact.ts';
// Money
export {
  centsFromNumber,
  centsFromText,
  formatPercent,
  formatReais,
  parseReais,
  rateFromPercent,
  toPercent,
  toReais,
} from './values/decimal.ts';
export { parseImei } from './values/imei.ts';
export {
  allocate,
  type Cents,
  cents,
  max,
  min,
  minus,
  plus,
  type Rate,
  type Rounding,
  rate,
  share,
} from './values/money.ts';
export {
  type Cnpj,
  type Cpf,
  formatTaxId,
  parseCnpj,
  parseCpf,
  parseTaxId,
  type TaxId,
} from './values/tax-id.ts';
