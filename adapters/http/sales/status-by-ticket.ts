import type { Sale } from '#domain';
import type { DocumentUrl } from '../../../application/certificates/document-url.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import type { SynchronizeSale } from '../../../application/sales/synchronize-sale.ts';
import { notFound } from '../contract/answer-error.ts';
import { callerOf, type Handler, pathParameter } from '../pipeline/context.ts';

export interface StatusParts {
  readonly sales: Sales;
  readonly synchronizeSale: SynchronizeSale;
  readonly documentUrl: DocumentUrl;
}

/** Longer than any ticket. */
const MAX_TICKET_LENGTH = 100;

/** Shows the status of a sale of the caller's channel, found by its ticket. */
export const showStatusByTicket = (
  { sales, synchronizeSale, documentUrl }: StatusParts,
  line: string,
  name: string,
  present: (sale: Sale, documentUrl: string | null) => object,
): Handler =>
  async function showStatusByTicket(exchange) {
    const { channelLink } = callerOf(exchange);
    const ticket = pathParameter(exchange, name);
    const isPlausible =
      channelLink !== null && /^[\w-]+$/.test(ticket) && ticket.length <= MAX_TICKET_LENGTH;
    const sale = isPlausible ? await sales.findByTicket(channelLink, ticket) : undefined;
    if (sale?.terms.product.line !== line)
      throw notFound('Transação não encontrada para a proposta (ticket) informada.');
    const synchronized = await synchronizeSale(sale);
    exchange.body = present(synchronized, documentUrl(synchronized));
  };
