export {
  type Answer,
  type AnswerDetails,
  type Body,
  detailsOf,
  type Query,
  type Schemas,
} from './answers.ts';
export { createInsuranceClient, type InsuranceClient } from './client.ts';
export type {
  ApiErrorCode,
  ClientErrorCode,
  ErrorCode,
  FieldCode,
  NextStep,
} from './error-codes.ts';
export { InsuranceError, type InsuranceErrorOf, isCode, type RefusedSaleCode } from './errors.ts';
export type { ImportedLine, ImportOptions, ImportSummary } from './import.ts';
export type { Delivery, FollowOptions, FoundSale, OwedRefund, PartnerEvent } from './lists.ts';
export type { CallOptions, ClientOptions, RetryLimits } from './options.ts';
export type { Page, Pages } from './pages.ts';
export type { SaleOptions } from './selling.ts';
export { verifyWebhook, WebhookError, type WebhookFault } from './verify-webhook.ts';
