import type { CancelSale } from '../../../application/sales/cancel-sale.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import { jsonBody } from '../body.ts';
import { callerOf, parameter } from '../context.ts';
import type { Route } from '../routes.ts';
import { CANCELLATION_ANSWERS, cancellationBody, cancelling } from './cancellation.ts';

export interface SaleRouteParts {
  readonly sales: Sales;
  readonly cancelSale: CancelSale;
}

export const saleRoutes = ({ sales, cancelSale }: SaleRouteParts): readonly Route[] => {
  const cancel = cancelling(cancellationBody, cancelSale);
  return [
    {
      method: 'post',
      path: '/private/integration/sale/{externalSaleId}/cancel',
      summary: 'Cancela uma venda do canal, ou mostra antes (preview) o que seria devolvido',
      description: 'externalSaleId: o ticket da venda. Repetir um cancelamento responde com os valores do primeiro.',
      tag: 'Venda',
      scope: 'sales',
      body: cancellationBody,
      answers: CANCELLATION_ANSWERS,
      steps: [
        jsonBody,
        async (ctx) => {
          const { channelLink } = callerOf(ctx);
          const ticket = parameter(ctx, 'externalSaleId');
          const isSane = channelLink !== null && /^[\w-]{1,100}$/.test(ticket);
          await cancel(ctx, isSane ? await sales.findByTicket(channelLink, ticket) : undefined);
        },
      ],
    },
  ];
};
