import Type from 'typebox';
import { addDays, type Instant, parseDate, parseInstant, SALE_STATUSES, type Sale } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import { findLostMail, type Mailings } from '../../../application/mail/mailings.ts';
import type { CancelSale } from '../../../application/servicing/cancel-sale.ts';
import type { ConfirmRefund } from '../../../application/servicing/confirm-refund.ts';
import type { CorrectSaleEmail } from '../../../application/servicing/correct-sale-email.ts';
import {
  MOST_COPIES,
  type RequestSecondCopy,
} from '../../../application/servicing/request-second-copy.ts';
import { notFound } from '../../kit/contract/answer-error.ts';
import { notFoundAnswer, standardErrorSchema } from '../../kit/contract/answer-shapes.ts';
import { formatted, moment, nullableText, text } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { type Context, callerOf } from '../../kit/web/pipeline/context.ts';
import {
  answerList,
  isSerialNumber,
  listQuerySchema,
} from '../../kit/web/pipeline/list-answers.ts';
import { BY_PARTNER, withCredentials } from '../oauth/partner-access.ts';
import type { Route } from '../routes/route.ts';
import { CANCELLATION_ANSWERS, cancelFoundSale, cancellationBody } from '../sales/cancellation.ts';
import { channelTextFilters, readChannelTextFilters } from '../sales/channel-texts.ts';
import {
  correctEmailOfFoundSale,
  EMAIL_CORRECTION_ANSWERS,
  EMAIL_CORRECTION_DESCRIPTION,
  emailCorrectionBody,
} from '../sales/email-correction.ts';
import { BY_EITHER_NAME, type FindSale, findNamedSale } from '../sales/find-named-sale.ts';
import { saleStatusShape } from '../sales/sale-answer-parts.ts';
import { SECOND_COPY_ANSWERS, secondCopyBody, sendSecondCopy } from '../sales/second-copy.ts';
import type { StatusParts } from '../sales/status-by-ticket.ts';
import { type EvidenceParts, evidenceAnswer, showEvidence } from './evidence-answer.ts';
import { foundSale, foundSaleShape, saleAnswer } from './generic-answers.ts';
import { confirmRefundOfFoundSale, refundConfirmationBody } from './refund-confirmation.ts';

export interface FoundSaleRouteParts extends StatusParts, EvidenceParts {
  readonly clock: Clock;
  readonly mailings: Mailings;
  readonly cancelSale: CancelSale;
  readonly requestSecondCopy: RequestSecondCopy;
  readonly correctSaleEmail: CorrectSaleEmail;
  readonly confirmRefund: ConfirmRefund;
}

const NOT_FOUND = notFoundAnswer('Sale', 'Venda não encontrada');

/** The routes of sales that have been made. */
export const createFoundSaleRoutes = (parts: FoundSaleRouteParts): readonly Route[] => [
  ...createShowRoutes(parts),
  createListRoute(parts),
  ...createServiceRoutes(parts),
];

const createShowRoutes = (parts: FoundSaleRouteParts): readonly Route[] => {
  const { sales, mailings, synchronizeSale, documentUrl, clock } = parts;

  const loadNamedSale = async (ctx: Context): Promise<Sale> => {
    const sale = await findNamedSale(sales, ctx, 'externalSaleId');
    if (sale === undefined) throw notFound('Transação não encontrada.');
    return sale;
  };

  return [
    {
      ...BY_PARTNER,
      method: 'get',
      path: '/private/integration/sale/{externalSaleId}',
      operationId: 'getSale',
      summary: 'Consulta uma venda do canal, como está agora',
      description: BY_EITHER_NAME,
      answers: { 200: { description: 'A venda', schema: saleAnswer }, ...NOT_FOUND },
      handle: async function showSale(exchange) {
        const found = await loadNamedSale(exchange);
        const synchronized = await synchronizeSale(found);
        // The store knows when it stored the change.
        const sale =
          synchronized.version === found.version
            ? synchronized
            : ((await sales.load(found.id)) ?? synchronized);
        const lost = await findLostMail(mailings, [sale]);
        exchange.body = {
          success: true,
          data: foundSale.present({ sale, now: clock.now(), isMailLost: lost.has(sale.id) }),
          document_url: documentUrl(sale),
        };
      },
    },
    {
      ...BY_PARTNER,
      method: 'get',
      path: '/private/integration/sale/{externalSaleId}/evidence',
      operationId: 'getSaleEvidence',
      summary: 'A prova de uma venda do canal, assinada: para uma reclamação ou um processo',
      description: `${BY_EITHER_NAME} Contém o nome, o CPF ou CNPJ e o e-mail do segurado.`,
      answers: { 200: { description: 'A prova', schema: evidenceAnswer }, ...NOT_FOUND },
      handle: showEvidence(parts, loadNamedSale),
    },
  ];
};

const salesQuery = listQuerySchema({
  from: Type.Optional(
    formatted('date-or-time', { description: 'Registradas a partir deste dia ou instante' }),
  ),
  to: Type.Optional(
    formatted('date-or-time', { description: 'Até este dia, inclusive, ou antes deste instante' }),
  ),
  updatedSince: Type.Optional(
    moment({ description: 'Registradas ou mudadas a partir deste instante' }),
  ),
  status: Type.Optional(
    Type.Array(saleStatusShape, {
      maxItems: SALE_STATUSES.length,
      description: 'Um ou mais: repetido, ou separados por vírgulas',
    }),
  ),
  productCode: Type.Optional(text(50, { description: 'Código do produto' })),
  ...channelTextFilters,
});

const salesAnswer = namedObject('SaleList', {
  success: Type.Literal(true),
  data: Type.Array(foundSaleShape),
  next_cursor: nullableText('Nulo na última página'),
});

const createListRoute = ({ sales, mailings, clock }: FoundSaleRouteParts): Route => {
  /** The instant or, for a date, the start of the day that many days later. */
  const instantOf = (text: string | undefined, daysLater: number): Instant | undefined => {
    if (text === undefined) return undefined;
    const day = parseDate(text);
    return day === undefined ? parseInstant(text) : clock.startOf(addDays(day, daysLater));
  };

  return {
    ...BY_PARTNER,
    method: 'get',
    path: '/private/integration/sales',
    operationId: 'listSales',
    summary: 'Lista as vendas do canal, da mais nova à mais antiga',
    description:
      'Uma venda deve atender a todos os filtros. Dias são os de São Paulo. Siga next_cursor até que seja nulo. Para acompanhar vendas, guarde a hora antes de ler e use-a em updatedSince na leitura seguinte, menos cinco minutos; ou leia os eventos.',
    query: salesQuery,
    answers: { 200: { description: 'Uma página', schema: salesAnswer } },
    // New sales do not change the pages that follow.
    handle: answerList(salesQuery, {
      read: async ({ query, limit, after }, ctx) => {
        const { channelLink } = callerOf(ctx);
        if (channelLink === null) return [];
        const { status: statuses, productCode } = query;
        const updatedSince = query.updatedSince && parseInstant(query.updatedSince);
        const filters = {
          channelLink,
          statuses,
          productCode,
          channelTexts: readChannelTextFilters(query),
          from: instantOf(query.from, 0),
          to: instantOf(query.to, 1),
          before: after === undefined ? undefined : Number(after),
          limit,
        };
        const found = await sales.list(updatedSince ? { ...filters, updatedSince } : filters);
        const lost = await findLostMail(mailings, found);
        return found.map((sale) => ({ sale, isMailLost: lost.has(sale.id) }));
      },
      placeOfItem: ({ sale }) => String(sale.id),
      isPlace: isSerialNumber,
      present: (found) => foundSale.present({ ...found, now: clock.now() }),
      wrap: (page) => ({ success: true, ...page }),
    }),
  };
};

const createServiceRoutes = (parts: FoundSaleRouteParts): readonly Route[] => {
  const findSale: FindSale = (ctx) => findNamedSale(parts.sales, ctx, 'externalSaleId');
  return [
    {
      ...BY_PARTNER,
      method: 'post',
      path: '/private/integration/sale/{externalSaleId}/cancel',
      operationId: 'cancelSale',
      summary: 'Cancela uma venda do canal, ou mostra antes (preview) o que seria devolvido',
      description: `${BY_EITHER_NAME} Peça antes a prévia (preview) e mande o valor dela em refundTotal: se a devolução é outra agora, a resposta é 409 e nada muda. Não se desfaz. Repetir um cancelamento responde com os valores do primeiro. refund_by diz quem devolve: quem recebeu o pagamento.`,
      body: withCredentials(cancellationBody, 'CancellationRequest'),
      answers: CANCELLATION_ANSWERS,
      handle: cancelFoundSale(cancellationBody, parts.cancelSale, findSale),
    },
    {
      ...BY_PARTNER,
      method: 'post',
      path: '/private/integration/sale/{externalSaleId}/refund-confirmed',
      operationId: 'confirmRefund',
      summary: 'Confirma que o canal devolveu o dinheiro de uma venda cancelada',
      description: `${BY_EITHER_NAME} Só do que o próprio canal recebeu. Pode ser em partes: com tudo devolvido, a venda fica refunded. A mesma confirmação repetida não muda nada; duas devoluções iguais no mesmo dia precisam de reference diferentes.`,
      body: withCredentials(refundConfirmationBody, 'RefundConfirmationRequest'),
      answers: {
        200: {
          description: 'A venda, como está agora',
          schema: namedObject('RefundConfirmed', {
            success: Type.Literal(true),
            data: foundSaleShape,
          }),
        },
        ...NOT_FOUND,
        409: { description: 'O canal não deve devolução', schema: standardErrorSchema },
      },
      handle: confirmRefundOfFoundSale(parts, findSale, (ctx, sale) => {
        ctx.body = { success: true, data: foundSale.present({ sale, now: parts.clock.now() }) };
      }),
    },
    {
      ...BY_PARTNER,
      method: 'post',
      path: '/private/integration/sale/{externalSaleId}/second-copy',
      operationId: 'sendSecondCopy',
      summary: 'Envia a segunda via do bilhete ou da apólice ao e-mail cadastrado na venda',
      description: `${BY_EITHER_NAME} No máximo ${MOST_COPIES} por venda e hora. A resposta vem quando o envio está garantido. Com Idempotency-Key, repetir não envia outra.`,
      body: withCredentials(secondCopyBody, 'PartnerCredentials'),
      idempotent: true,
      answers: SECOND_COPY_ANSWERS,
      handle: sendSecondCopy(secondCopyBody, parts.requestSecondCopy, findSale),
    },
    {
      ...BY_PARTNER,
      method: 'post',
      path: '/private/integration/sale/{externalSaleId}/correct-email',
      operationId: 'correctSaleEmail',
      summary: 'Corrige o e-mail do segurado de uma venda do canal',
      description: `${BY_EITHER_NAME} ${EMAIL_CORRECTION_DESCRIPTION}`,
      body: withCredentials(emailCorrectionBody, 'EmailCorrectionRequest'),
      answers: EMAIL_CORRECTION_ANSWERS,
      handle: correctEmailOfFoundSale(parts.correctSaleEmail, findSale),
    },
  ];
};
