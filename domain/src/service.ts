// All of the package, as the service itself uses it.

export { type CatalogueData, readCatalogue } from './catalogue/catalogue.ts';
export {
  CHANNEL_SHAPE,
  type Channel,
  type ChannelRole,
  type Grant,
  isChannelLink,
  isLoopbackOrigin,
  readChannel,
} from './catalogue/channel.ts';
export { FAULT_KINDS, type Fault, type FaultKind, messageOf } from './catalogue/faults.ts';
export * from './catalogue/iof-table.ts';
export * from './catalogue/offer.ts';
export {
  type Collector,
  type Coverage,
  type Deductible,
  type IncludedCoverage,
  type Insurer,
  type Plan,
  PRODUCT_SHAPE,
  type Product,
  readProduct,
  type SusepRegistration,
} from './catalogue/product.ts';
export type { Reading, Shape } from './catalogue/reading.ts';
export * from './pricing/commission.ts';
export * from './pricing/installments.ts';
export * from './pricing/iof.ts';
export * from './pricing/premium.ts';
export * from './quoting/held-quotes.ts';
export * from './quoting/premium-by-coverage.ts';
export * from './quoting/quote.ts';
export * from './refusals/refusal.ts';
export * from './rules/cancellation.ts';
export * from './rules/legal-periods.ts';
export * from './rules/period.ts';
export * from './sale/attempts.ts';
export {
  type CancellableSale,
  canBeGivenUp,
  cancelSale,
  isCancellable,
  previewCancellation,
  wasGivenUp,
} from './sale/cancel-sale.ts';
export * from './sale/cancellation-notice.ts';
export * from './sale/certificate.ts';
export { confirmChannelRefund } from './sale/channel-refund.ts';
export {
  decidePayment,
  decisionDue,
  endUndecided,
  noteReturnByHand,
} from './sale/decide-payment.ts';
export * from './sale/email-corrections.ts';
export * from './sale/insurer-reports.ts';
export * from './sale/issuance.ts';
export * from './sale/money-news.ts';
export * from './sale/next-act.ts';
export { type NextStep, nextSteps } from './sale/next-steps.ts';
export {
  canBeOrdered,
  isRefusedForGood,
  type OutstandingRefund,
  orderRefundsAgain,
  outstandingRefunds,
  type RefundBar,
} from './sale/outstanding-refunds.ts';
export * from './sale/payment.ts';
export * from './sale/payment-reports.ts';
export * from './sale/policy.ts';
export { lastDayOfPrice, refuseOutdatedPrice } from './sale/price-end.ts';
export * from './sale/proposal.ts';
export * from './sale/provider-answers.ts';
export * from './sale/quotation.ts';
export { goneBack, isShort, isUnconfirmed, receiptOf, undecidedReceipts } from './sale/receipts.ts';
export * from './sale/refunds.ts';
export * from './sale/sale.ts';
export {
  awaitPayment,
  type EmailCorrected,
  expireSale,
  issueSale,
  type Moment,
  type MoneyReceived,
  type MoneyReturned,
  type PapersMoved,
  type PaymentMoved,
  paySale,
  type RefundDue,
  refuseSale,
  type SaleEvent,
  type SaleTransition,
} from './sale/sale-transitions.ts';
export * from './sale/terms.ts';
export type { Ignored, Moved, Transition } from './sale/transition.ts';
export * from './statements/books.ts';
export * from './statements/reconciliation.ts';
export * from './values/address.ts';
export { BOLETO_GRACE_DAYS, lastDayOfBoleto, lastReportDay } from './values/bank-days.ts';
export * from './values/calendar.ts';
export * from './values/card-in-text.ts';
export { type CardBrand, CardNumber } from './values/card-number.ts';
export * from './values/contact.ts';
export * from './values/decimal.ts';
export * from './values/imei.ts';
export * from './values/json.ts';
export * from './values/money.ts';
export * from './values/tax-id.ts';
export { type ExternalSaleId, isVisible, parseExternalSaleId } from './values/text.ts';
