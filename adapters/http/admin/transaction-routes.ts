import Type from 'typebox';
import { SALE_STATUSES, type Sale } from '#domain';
import type { GroupView } from '../../../application/all-groups/group-view.ts';
import type { Clock } from '../../../application/clock.ts';
import type { InGroups } from '../../../application/groups/in-groups.ts';
import { findLostMail } from '../../../application/mail/mailings.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import type { CancelSale } from '../../../application/servicing/cancel-sale.ts';
import type { ConfirmRefund } from '../../../application/servicing/confirm-refund.ts';
import type { CorrectSaleEmail } from '../../../application/servicing/correct-sale-email.ts';
import {
  MOST_COPIES,
  type RequestSecondCopy,
} from '../../../application/servicing/request-second-copy.ts';
import { notFound } from '../../kit/contract/answer-error.ts';
import {
  answerData,
  dataAnswer,
  mergedListAnswerSchema,
  standardErrorSchema,
  TRANSACTION_NOT_FOUND,
} from '../../kit/contract/answer-shapes.ts';
import { text } from '../../kit/contract/formats.ts';
import { type Context, pathParameter } from '../../kit/web/pipeline/context.ts';
import {
  answerHistory,
  historyQuerySchema,
  isSerialNumber,
} from '../../kit/web/pipeline/list-answers.ts';
import { type EvidenceParts, evidenceAnswer, showEvidence } from '../generic/evidence-answer.ts';
import {
  confirmRefundOfFoundSale,
  refundConfirmationBody,
} from '../generic/refund-confirmation.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';
import {
  adminCancellationBody,
  CANCELLATION_ANSWERS,
  cancelFoundSale,
} from '../sales/cancellation.ts';
import { channelTextFilters, readChannelTextFilters } from '../sales/channel-texts.ts';
import {
  correctEmailOfFoundSale,
  EMAIL_CORRECTION_ANSWERS,
  EMAIL_CORRECTION_DESCRIPTION,
  emailCorrectionBody,
} from '../sales/email-correction.ts';
import type { FindSale } from '../sales/find-named-sale.ts';
import { SECOND_COPY_ANSWERS, secondCopyBody, sendSecondCopy } from '../sales/second-copy.ts';
import { transaction } from './transaction-shapes.ts';

export interface TransactionRouteParts extends EvidenceParts {
  readonly clock: Clock;
  readonly groupViews: InGroups<Pick<GroupView, 'sales' | 'mailings'>>;
  readonly requestSecondCopy: RequestSecondCopy;
  readonly sales: Sales;
  readonly cancelSale: CancelSale;
  readonly correctSaleEmail: CorrectSaleEmail;
  readonly confirmRefund: ConfirmRefund;
}

/** The sale of any channel that the path names. */
async function findTransaction(sales: Sales, ctx: Context): Promise<Sale | undefined> {
  const id = pathParameter(ctx, 'id');
  return isSerialNumber(id) ? sales.load(Number(id)) : undefined;
}

/** The same. @throws AnswerError 404 */
export async function findKnownTransaction(sales: Sales, ctx: Context): Promise<Sale> {
  const sale = await findTransaction(sales, ctx);
  if (sale === undefined) throw notFound('Transação não encontrada.');
  return sale;
}

const transactionsQuery = historyQuerySchema({
  channelLink: Type.Optional(text(100, { description: 'Só as vendas deste canal' })),
  product: Type.Optional(text(50, { description: 'Código do produto' })),
  status: Type.Optional(Type.Enum(SALE_STATUSES, { description: 'Só as vendas com este status' })),
  ...channelTextFilters,
});

export const createTransactionRoutes = (parts: TransactionRouteParts): readonly Route[] => [
  ...createActRoutes(parts),
  createTransactionsRoute(parts),
];

const createActRoutes = (parts: TransactionRouteParts): readonly Route[] => {
  const { sales } = parts;
  const findSale: FindSale = (ctx) => findTransaction(sales, ctx);
  return [
    {
      ...ADMIN_ROUTE,
      method: 'post',
      path: '/admin/transactions/{id}/cancel',
      operationId: 'cancelTransaction',
      summary:
        'Cancela uma venda de qualquer canal, ou mostra antes (preview) o que seria devolvido',
      description:
        'Com by insurer, quem encerra o contrato é a seguradora: ela fica só com o prêmio dos dias corridos. Peça antes a prévia (preview) e mande o valor dela em refundTotal: se a devolução é outra agora, a resposta é 409 e nada muda. Repetir responde com os valores do primeiro cancelamento.',
      body: adminCancellationBody,
      answers: CANCELLATION_ANSWERS,
      handle: cancelFoundSale(adminCancellationBody, parts.cancelSale, findSale),
    },
    {
      ...ADMIN_ROUTE,
      method: 'post',
      path: '/admin/transactions/{id}/correct-email',
      operationId: 'correctTransactionEmail',
      summary: 'Corrige o e-mail do segurado de uma venda de qualquer canal',
      description: EMAIL_CORRECTION_DESCRIPTION,
      body: emailCorrectionBody,
      answers: EMAIL_CORRECTION_ANSWERS,
      handle: correctEmailOfFoundSale(parts.correctSaleEmail, findSale),
    },
    {
      ...ADMIN_ROUTE,
      method: 'post',
      path: '/admin/transactions/{id}/second-copy',
      operationId: 'sendTransactionSecondCopy',
      summary: 'Envia a segunda via do bilhete ou da apólice de uma venda de qualquer canal',
      description: `Vai ao e-mail cadastrado na venda. No máximo ${MOST_COPIES} por venda e hora. Com Idempotency-Key, repetir não envia outra.`,
      body: secondCopyBody,
      idempotent: true,
      answers: SECOND_COPY_ANSWERS,
      handle: sendSecondCopy(secondCopyBody, parts.requestSecondCopy, findSale),
    },
    {
      ...ADMIN_ROUTE,
      method: 'post',
      path: '/admin/transactions/{id}/refund-confirmed',
      operationId: 'confirmTransactionRefund',
      summary: 'Anota que um canal devolveu o dinheiro de uma venda cancelada',
      description:
        'Só do que o canal recebeu. Pode ser em partes: com tudo devolvido, a venda fica refunded. A mesma confirmação repetida não muda nada.',
      body: refundConfirmationBody,
      answers: {
        200: { description: 'A venda, como está agora', schema: dataAnswer(transaction.schema) },
        ...TRANSACTION_NOT_FOUND,
        409: { description: 'O canal não deve devolução', schema: standardErrorSchema },
      },
      handle: confirmRefundOfFoundSale(parts, findSale, (ctx, sale) =>
        answerData(ctx, transaction.present({ sale, now: parts.clock.now() })),
      ),
    },
    {
      ...ADMIN_ROUTE,
      method: 'get',
      path: '/admin/transactions/{id}/evidence',
      operationId: 'getTransactionEvidence',
      summary: 'A prova de uma venda de qualquer canal, assinada',
      description:
        'A mesma que o canal lê. Contém o nome, o CPF ou CNPJ e o e-mail do segurado: cada leitura fica no registro de auditoria.',
      answers: {
        200: { description: 'A prova', schema: evidenceAnswer },
        ...TRANSACTION_NOT_FOUND,
      },
      handle: showEvidence(parts, (ctx) => findKnownTransaction(sales, ctx)),
    },
  ];
};

const createTransactionsRoute = ({ groupViews, clock }: TransactionRouteParts): Route => ({
  ...ADMIN_ROUTE,
  method: 'get',
  path: '/admin/transactions',
  operationId: 'listTransactions',
  summary: 'Lista as vendas de todos os canais, da mais nova à mais antiga, sem dados do segurado',
  description: 'Filtre por canal, produto, status e período. Siga next_cursor até que seja nulo.',
  query: transactionsQuery,
  answers: {
    200: { description: 'Uma página', schema: mergedListAnswerSchema(transaction.schema) },
  },
  handle: answerHistory(transactionsQuery, {
    groups: groupViews,
    read: async ({ sales, mailings }, { channelLink, product, status, ...query }, page) => {
      const found = await sales.list({
        channelLink,
        productCode: product,
        statuses: status && [status],
        channelTexts: readChannelTextFilters(query),
        ...page,
      });
      const lost = await findLostMail(mailings, found);
      return found.map((sale) => ({ sale, isMailLost: lost.has(sale.id) }));
    },
    numberOf: ({ sale }) => sale.id,
    timeOf: ({ sale }) => sale.registeredAt,
    present: (found) => transaction.present({ ...found, now: clock.now() }),
  }),
});
