import type {
  CancellationFigures,
  CertificatePaper,
  CoveragePeriod,
  Insured,
  Insurer,
  PaymentMethod,
} from '#domain';

/** The notice to the insured that the contract has ended. */
export interface CancellationNotice {
  readonly protocol: string;
  /** Who ended the contract and why, what was paid, and what goes back. */
  readonly figures: CancellationFigures;
  /** Absent if no document was issued. */
  readonly paper?: Pick<CertificatePaper, 'kind' | 'number'>;
  readonly productName: string;
  readonly insured: Pick<Insured, 'name' | 'socialName'>;
  /** The days that were sold. */
  readonly period: CoveragePeriod;
  /** Who received the payment, and so refunds it; the method, if known. */
  readonly collectedBy: 'channel' | 'service';
  readonly method?: PaymentMethod;
  readonly channelName: string;
  readonly insurer: Insurer;
}
