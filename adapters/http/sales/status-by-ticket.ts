import type { Sale } from '#domain';
import type { DocumentUrl } from '../../../application/certificates/document-links.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import type { SynchronizeSale } from '../../../application/sales/synchronize-sale.ts';
import { refused } from '../contract/answer-error.ts';
import { callerOf, parameter, type Step } from '../pipeline/context.ts';

export interface StatusParts {
  readonly sales: Sales;
  readonly synchronizeSale: SynchronizeSale;
  readonly documentUrl: DocumentUrl;
}

/** Longer than any ticket. */
const LONGEST = 100;

/** How a sale of the line stands, by its ticket, for its own channel. */
export const statusByTicket =
  (
    { sales, synchronizeSale, documentUrl }: StatusParts,
    line: string,
    name: string,
    present: (sale: Sale, documentUrl: string | null) => object,
  ): Step =>
  async (ctx) => {
    const { channelLink } = callerOf(ctx);
    const ticket = parameter(ctx, name);
    const isSane = channelLink !== null && /^[\w-]+$/.test(ticket) && ticket.length <= LONGEST;
    const sale = isSane ? await sales.findByTicket(channelLink, ticket) : undefined;
    if (sale?.terms.product.line !== line)
      throw refused(404, 'Transação não encontrada para a proposta (ticket) informada.');
    const synchronized = await synchronizeSale(sale);
    ctx.body = present(synchronized, documentUrl(synchronized));
  };
