import Type, { type Static } from 'typebox';
import { percent, reais, SALE_STATUSES, type Sale } from '#domain';
import type { CancelSale } from '../../../application/sales/cancel-sale.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import { jsonBody } from '../pipeline/request-body.ts';
import { parameter } from '../pipeline/context.ts';
import { text } from '../contract/formats.ts';
import { INVALID } from '../contract/house-answers.ts';
import { answerHistory, historyQuery, isSerialNumber, listAnswer } from '../pipeline/request-query.ts';
import type { Route } from '../pipeline/route.ts';
import { adminCancellationBody, CANCELLATION_ANSWERS, cancelling } from '../sales/cancellation.ts';
import { ADMINISTRATION } from './administration.ts';

export interface TransactionRouteParts {
  readonly sales: Sales;
  readonly cancelSale: CancelSale;
}

const transactionsQuery = historyQuery({
  channelLink: Type.Optional(text(100)),
  product: Type.Optional(text(50, { description: 'Código do produto' })),
  status: Type.Optional(Type.Enum(SALE_STATUSES)),
});

const named = Type.Object({ id: Type.Integer(), code: Type.String() });

const transaction = Type.Object({
  transaction_id: Type.Integer(),
  ticket: Type.String(),
  status: Type.Enum(SALE_STATUSES),
  registered_at: Type.String(),
  channelLink: Type.String(),
  client_id: Type.String(),
  product: named,
  plan: named,
  amounts: Type.Object({
    net_premium: Type.Number(),
    iof_rate: Type.Number({ description: 'Em por cento' }),
    iof: Type.Number(),
    total: Type.Number(),
    commission: Type.Number(),
    net_amount: Type.Number(),
  }),
  vigencia: Type.Object({ inicio: Type.String(), fim: Type.String() }),
});

/** Without the insured: whoever administers sales need not know who they are. */
const present = ({ id, ticket, status, registeredAt, terms }: Sale): Static<typeof transaction> => {
  const { premium, commission } = terms.quote;
  return {
    transaction_id: id,
    ticket,
    status,
    registered_at: registeredAt,
    channelLink: terms.channelLink,
    client_id: terms.clientId,
    product: { id: terms.product.id, code: terms.product.code },
    plan: { id: terms.plan.id, code: terms.plan.code },
    amounts: {
      net_premium: reais(premium.net),
      iof_rate: percent(premium.iofRate),
      iof: reais(premium.iof),
      total: reais(premium.total),
      commission: reais(commission.amount),
      net_amount: reais(commission.netAmount),
    },
    vigencia: { inicio: terms.period.start, fim: terms.period.end },
  };
};

export const transactionRoutes = ({
  sales,
  cancelSale,
}: TransactionRouteParts): readonly Route[] => [
  cancellationRoute(sales, cancelling(adminCancellationBody, cancelSale)),
  {
    ...ADMINISTRATION,
    method: 'get',
    path: '/admin/transactions',
    summary:
      'Lista as vendas de todos os canais, da mais nova à mais antiga, sem dados do segurado',
    query: transactionsQuery,
    answers: {
      200: { description: 'Uma página', schema: listAnswer(transaction) },
      ...INVALID,
    },
    steps: [
      answerHistory(transactionsQuery, {
        read: ({ channelLink, product, status }, page) =>
          sales.list({ channelLink, productCode: product, status, ...page }),
        numberOf: ({ id }) => id,
        present,
      }),
    ],
  },
];

function cancellationRoute(sales: Sales, cancel: ReturnType<typeof cancelling>): Route {
  return {
    ...ADMINISTRATION,
    method: 'post',
    path: '/admin/transactions/{id}/cancel',
    summary: 'Cancela uma venda de qualquer canal, ou mostra antes (preview) o que seria devolvido',
    body: adminCancellationBody,
    answers: CANCELLATION_ANSWERS,
    steps: [
      jsonBody,
      async (ctx) => {
        const id = parameter(ctx, 'id');
        await cancel(ctx, isSerialNumber(id) ? await sales.load(Number(id)) : undefined);
      },
    ],
  };
}
