import type { DocumentUrl } from '../../../application/certificates/document-links.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import type { SynchronizeSale } from '../../../application/servicing/synchronize-sale.ts';
import { notFound } from '../../kit/contract/answer-error.ts';
import type { Handler } from '../../kit/web/pipeline/context.ts';
import { findSaleOfStatus } from './find-named-sale.ts';
import type { SaleSource } from './sale-answer-parts.ts';

export interface StatusSource extends SaleSource {
  /** A temporary link to the certificate; null if the sale has none. */
  readonly documentUrl: string | null;
}

export interface StatusParts {
  readonly sales: Sales;
  readonly synchronizeSale: SynchronizeSale;
  readonly documentUrl: DocumentUrl;
}

/** Shows the status of a sale of the caller's channel, found by `externalSaleId` or ticket. */
export const showStatusByTicket = (
  { sales, synchronizeSale, documentUrl }: StatusParts,
  line: string,
  name: string,
  present: (source: StatusSource) => object,
): Handler =>
  async function showStatusByTicket(exchange) {
    const sale = await findSaleOfStatus(sales, exchange, name, line);
    if (sale === undefined)
      throw notFound('Transação não encontrada para a proposta (ticket) informada.');
    const synchronized = await synchronizeSale(sale);
    exchange.body = present({ sale: synchronized, documentUrl: documentUrl(synchronized) });
  };
