import type {
  CancellationFigures,
  Cents,
  CoveragePeriod,
  Insured,
  Insurer,
  IssuedDocument,
  PaymentMethod,
  RefundBar,
  RefundStatus,
  UnbookedMoney,
} from '#domain';

/** The notice to the insured that the contract has ended. */
export interface CancellationNotice {
  readonly protocol: string;
  /** Who ended the contract and why, what was paid, and what goes back. */
  readonly figures: CancellationFigures;
  /** Present if no payment was booked: then the figures say that nothing was paid. */
  readonly unbooked?: UnbookedMoney;
  /** How the refund stands when the mail is sent; absent without a refund. */
  readonly refundStatus?: RefundStatus;
  /** Only if it is `barred`. */
  readonly barred?: RefundBar;
  /** What came beyond the price, in cents: it goes back, too. */
  readonly surplus?: Cents;
  /** Absent if no document was issued. */
  readonly document?: Pick<IssuedDocument, 'kind' | 'number'>;
  readonly productName: string;
  readonly insured: Pick<Insured, 'name' | 'socialName'>;
  /** The days that were sold. */
  readonly period: CoveragePeriod;
  /** Who receives the payment, and so refunds it; the method, if money came in and it is known. */
  readonly collectedBy: 'channel' | 'service';
  readonly method?: PaymentMethod;
  readonly channelName: string;
  readonly insurer: Insurer;
}
