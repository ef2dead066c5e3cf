import Type, { type TObject } from 'typebox';
import { parseExternalSaleId, type Sale } from '#domain';
import type { DocumentUrl } from '../../../../application/certificates/document-links.ts';
import type { Clock } from '../../../../application/clock.ts';
import {
  MOST_COPIES,
  type RequestSecondCopy,
} from '../../../../application/mail/request-second-copy.ts';
import type { CancelSale } from '../../../../application/sales/cancel-sale.ts';
import type { Sales } from '../../../../application/sales/sales.ts';
import type { SynchronizeSale } from '../../../../application/sales/synchronize-sale.ts';
import type { ValidateSale } from '../../../../application/sales/validate-sale.ts';
import { refused } from '../../contract/answer-error.ts';
import { jsonBody } from '../../pipeline/request-body.ts';
import { type Context, callerOf, parameter, type Step } from '../../pipeline/context.ts';
import { houseErrorSchema } from '../../contract/answer-shapes.ts';
import { closed, isText } from '../../contract/formats.ts';
import { INVALID } from '../../contract/house-answers.ts';
import { invalid } from '../../pipeline/request-query.ts';
import type { Route } from '../../pipeline/route.ts';
import { CANCELLATION_ANSWERS, cancellationBody, cancelling } from '../../sales/cancellation.ts';
import { type CreateParts, createSale, notSold, SELLING_REFUSALS } from '../../sales/create-sale.ts';
import type { SaleEndpoint } from '../../sales/sale-dialect.ts';
import { saleReader } from '../../sales/read-sale.ts';
import { SECOND_COPY_ANSWERS, secondCopyOf } from '../../sales/second-copy.ts';
import { valueOr } from '../../contract/validation.ts';
import { credentialFields } from './integration-access.ts';
import { saleBody } from './integration-body.ts';
import { BY_EXTERNAL_ID, saleDialect } from './integration-dialect.ts';
import { listSales, salesAnswer, salesQuery } from './integration-list.ts';
import {
  presentData,
  presentSold,
  presentValid,
  refusedSale,
  saleAnswer,
  soldAnswer,
  validSale,
} from './integration-answers.ts';

export interface IntegrationRouteParts extends CreateParts {
  readonly sales: Sales;
  readonly clock: Clock;
  readonly validateSale: ValidateSale;
  readonly synchronizeSale: SynchronizeSale;
  readonly cancelSale: CancelSale;
  readonly documentUrl: DocumentUrl;
  readonly requestSecondCopy: RequestSecondCopy;
}

/** What all routes of the integration have in common. */
const INTEGRATION = { tag: 'Venda', scope: 'sales', partnerCredentials: true } as const;

/** A body as callers may send it: with their credentials, where no header has them. */
const withCredentials = ({ properties, ...rest }: TObject, title: string) =>
  Type.Object(
    { ...properties, ...credentialFields },
    { ...rest, additionalProperties: false, title },
  );

const endpointWith = (clock: Clock): SaleEndpoint => {
  const dialect = saleDialect(clock);
  return {
    naming: BY_EXTERNAL_ID,
    createdStatus: 201,
    dialects: [dialect],
    dialectOf: () => dialect,
    faulty: invalid,
    present: presentSold,
  };
};

const NOT_FOUND = { 404: { description: 'Venda não encontrada', schema: houseErrorSchema } };

export const integrationRoutes = (parts: IntegrationRouteParts): readonly Route[] => {
  const endpoint = endpointWith(parts.clock);
  const cancel = cancelling(cancellationBody, parts.cancelSale);
  return [
    {
      ...INTEGRATION,
      method: 'post',
      path: '/private/integration/sale',
      summary: 'Registra a venda de qualquer produto do catálogo, uma vez por externalSaleId',
      description:
        'A mesma venda repetida responde 200 com o mesmo corpo e o cabeçalho Idempotent-Replayed: true.',
      body: withCredentials(saleBody, 'Venda'),
      replays: true,
      answers: {
        200: { description: 'Já registrada: a mesma resposta', schema: soldAnswer },
        201: { description: 'Registrada', schema: soldAnswer },
        ...SELLING_REFUSALS,
        422: { description: 'Campos com erro, ou cobrança recusada', schema: refusedSale },
      },
      steps: [jsonBody, createSale(parts, endpoint)],
    },
    {
      ...INTEGRATION,
      method: 'post',
      path: '/private/integration/sale/validate',
      summary: 'Confere e calcula tudo como no registro, sem gravar nada',
      body: withCredentials(saleBody, 'VendaAValidar'),
      answers: {
        200: { description: 'Os valores da venda', schema: validSale },
        ...SELLING_REFUSALS,
        ...INVALID,
      },
      steps: [jsonBody, validating(parts, endpoint)],
    },
    {
      ...INTEGRATION,
      method: 'get',
      path: '/private/integration/sale/{externalSaleId}',
      summary: 'Consulta uma venda do canal, como está agora',
      description: BY_EITHER_NAME,
      answers: { 200: { description: 'A venda', schema: saleAnswer }, ...NOT_FOUND },
      steps: [showing(parts)],
    },
    {
      ...INTEGRATION,
      method: 'get',
      path: '/private/integration/sales',
      summary: 'Lista as vendas do canal, da mais nova à mais antiga',
      query: salesQuery,
      answers: { 200: { description: 'Uma página', schema: salesAnswer }, ...INVALID },
      steps: [listSales(parts)],
    },
    {
      ...INTEGRATION,
      method: 'post',
      path: '/private/integration/sale/{externalSaleId}/cancel',
      summary: 'Cancela uma venda do canal, ou mostra antes (preview) o que seria devolvido',
      description: `${BY_EITHER_NAME} Repetir um cancelamento responde com os valores do primeiro.`,
      body: withCredentials(cancellationBody, 'Cancelamento'),
      answers: CANCELLATION_ANSWERS,
      steps: [jsonBody, async (ctx) => cancel(ctx, await namedSale(parts.sales, ctx))],
    },
    {
      ...INTEGRATION,
      method: 'post',
      path: '/private/integration/sale/{externalSaleId}/second-copy',
      summary: 'Envia a segunda via do bilhete ou da apólice ao e-mail cadastrado na venda',
      description: `${BY_EITHER_NAME} No máximo ${MOST_COPIES} por venda e hora.`,
      body: withCredentials(closed({}), 'SegundaViaDaVenda'),
      idempotent: true,
      answers: { ...SECOND_COPY_ANSWERS, ...INVALID },
      steps: [jsonBody, copying(parts)],
    },
  ];
};

const BY_EITHER_NAME =
  'externalSaleId: o da venda ou, se foi feita por outro endereço, o seu ticket.';

/** The sale of the caller's channel that the path names. */
const namedSale = async (sales: Sales, ctx: Context): Promise<Sale | undefined> => {
  const { channelLink } = callerOf(ctx);
  const sent = parameter(ctx, 'externalSaleId');
  if (channelLink === null || !isText(sent)) return undefined;
  // First as it was sent: an earlier version took names that are not composed, and such as nobody can see.
  const names = new Set([sent, parseExternalSaleId(sent) ?? sent]);
  for (const name of names) {
    const found = await sales.findByExternalId(channelLink, name);
    if (found !== undefined) return found;
  }
  return sales.findByTicket(channelLink, sent);
};

const showing =
  ({ sales, synchronizeSale, documentUrl }: IntegrationRouteParts): Step =>
  async (ctx) => {
    const sale = await namedSale(sales, ctx);
    if (sale === undefined) throw refused(404, 'Transação não encontrada.');
    const synchronized = await synchronizeSale(sale);
    ctx.body = {
      success: true,
      data: presentData(synchronized),
      document_url: documentUrl(synchronized),
    };
  };

const copying = ({ sales, requestSecondCopy }: IntegrationRouteParts): Step => {
  const answer = secondCopyOf(requestSecondCopy);
  const nothingElse = valueOr(closed({}), invalid);
  return async (ctx) => {
    nothingElse(ctx.request.body as object);
    const sale = await namedSale(sales, ctx);
    if (sale === undefined) throw refused(404, 'Transação não encontrada.');
    await answer(ctx, sale);
  };
};

const validating = (
  { validateSale, ...parts }: IntegrationRouteParts,
  endpoint: SaleEndpoint,
): Step => {
  const read = saleReader(parts, endpoint);
  return async (ctx) => {
    const { request, dialect } = await read(ctx);
    const outcome = await validateSale(request);
    if (outcome.kind === 'refused' || outcome.kind === 'conflict')
      throw notSold(outcome, endpoint, dialect);
    ctx.body =
      outcome.kind === 'valid'
        ? presentValid(outcome.terms)
        : {
            success: true,
            message: 'Venda já registrada.',
            data: presentData(outcome.earlier.sale),
          };
  };
};
