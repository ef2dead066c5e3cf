import Type from 'typebox';
import type { Clock } from '../../../../application/clock.ts';
import { MOST_COPIES } from '../../../../application/servicing/request-second-copy.ts';
import { invalidFields } from '../../contract/answer-error.ts';
import {
  notFoundAnswer,
  refusedSaleSchema,
  standardErrorSchema,
} from '../../contract/answer-shapes.ts';
import { closedObject } from '../../contract/formats.ts';
import type { Route } from '../../pipeline/route.ts';
import {
  CANCELLATION_ANSWERS,
  cancelFoundSale,
  cancellationBody,
} from '../../sales/cancellation.ts';
import { createSale, SELLING_REFUSALS } from '../../sales/create-sale.ts';
import {
  correctEmailOfFoundSale,
  EMAIL_CORRECTION_ANSWERS,
  EMAIL_CORRECTION_DESCRIPTION,
  emailCorrectionBody,
} from '../../sales/email-correction.ts';
import { BY_EITHER_NAME, type FindSale, findNamedSale } from '../../sales/find-named-sale.ts';
import { nameByBodyAlone } from '../../sales/idempotency.ts';
import type { SaleEndpoint } from '../../sales/sale-dialect.ts';
import { SECOND_COPY_ANSWERS, sendSecondCopy } from '../../sales/second-copy.ts';
import { listProducts, productShape, showProduct } from './channel-products.ts';
import { evidenceAnswer } from './evidence-answer.ts';
import { withCredentials } from './integration-access.ts';
import { presentSold, saleAnswer, soldAnswer, validSale } from './integration-answers.ts';
import { saleBody } from './integration-body.ts';
import { createSaleDialect } from './integration-dialect.ts';
import {
  type IntegrationRouteParts,
  proveSale,
  showSale,
  validateSale,
} from './integration-endpoints.ts';
import { listSales, salesAnswer, salesQuery } from './integration-list.ts';
import { createQuoteRoute, quoteBody } from './quote-route.ts';

/** The fields that all routes of the integration share. */
const INTEGRATION = { tag: 'Venda', scope: 'sales', partnerCredentials: true } as const;

/** The endpoint that sells any product. */
export const createEndpoint = (clock: Clock): SaleEndpoint => ({
  naming: nameByBodyAlone,
  createdStatus: 201,
  dialects: [createSaleDialect(clock)],
  faulty: invalidFields,
  present: presentSold,
});

const noFields = closedObject({});

const NOT_FOUND = notFoundAnswer('Sale', 'Venda não encontrada');

export const createIntegrationRoutes = (parts: IntegrationRouteParts): readonly Route[] => {
  const endpoint = createEndpoint(parts.clock);
  return [
    {
      ...INTEGRATION,
      method: 'post',
      path: '/private/integration/sale',
      operationId: 'createSale',
      summary: 'Registra a venda de qualquer produto do catálogo, uma vez por externalSaleId',
      description:
        'Serve para todo produto liberado ao canal. Com payment.status paid, o canal recebeu o pagamento; com pending, o segurado paga em payment_url. externalSaleId é o nome da venda: sem resposta, repita igual. A mesma venda repetida responde 200 com o mesmo corpo e o cabeçalho Idempotent-Replayed: true; outro conteúdo com o mesmo nome, 409. Campos desconhecidos são recusados.',
      body: withCredentials(saleBody, 'Sale'),
      replays: true,
      answers: {
        200: { description: 'Já registrada: a mesma resposta', schema: soldAnswer },
        201: { description: 'Registrada', schema: soldAnswer },
        ...SELLING_REFUSALS,
        422: { description: 'Campos com erro, ou cobrança recusada', schema: refusedSaleSchema },
      },
      handle: createSale(parts, endpoint),
    },
    {
      ...INTEGRATION,
      method: 'post',
      path: '/private/integration/sale/validate',
      operationId: 'validateSale',
      summary: 'Confere e calcula tudo como no registro, sem gravar nada',
      description:
        'Use antes de vender, ou para testar a integração: mesmo corpo, mesmas regras e mesmos erros do registro. Não reserva o externalSaleId. Se a venda já existe, mostra-a. Pode ser repetida à vontade.',
      body: withCredentials(saleBody, 'Sale'),
      answers: {
        200: { description: 'Os valores da venda', schema: validSale },
        ...SELLING_REFUSALS,
      },
      handle: validateSale(parts, endpoint),
    },
    ...createFoundSaleRoutes(parts),
    ...createProductRoutes(parts),
    createQuoteRoute(parts, { ...INTEGRATION, body: withCredentials(quoteBody, 'QuoteRequest') }),
  ];
};

/** The routes of what the channel may sell. */
const createProductRoutes = (parts: IntegrationRouteParts): readonly Route[] => [
  {
    ...INTEGRATION,
    method: 'get',
    path: '/private/integration/products',
    operationId: 'listProducts',
    summary: 'Lista o que o canal pode vender: planos, coberturas, textos e comissões',
    description:
      'Com a alíquota de IOF de hoje. Os textos podem ser mostrados antes da venda; attributes é o JSON Schema do campo attributes de uma venda. Leia uma vez por dia: o catálogo muda pouco.',
    answers: {
      200: {
        description: 'Os produtos',
        schema: Type.Object({ success: Type.Literal(true), data: Type.Array(productShape) }),
      },
    },
    handle: listProducts(parts),
  },
  {
    ...INTEGRATION,
    method: 'get',
    path: '/private/integration/products/{code}',
    operationId: 'getProduct',
    summary: 'Consulta um produto que o canal pode vender',
    description:
      'code: o código do produto, como LUA_DE_MEL. Um produto que o canal não vende é 404.',
    answers: {
      200: {
        description: 'O produto',
        schema: Type.Object({ success: Type.Literal(true), data: productShape }),
      },
      404: { description: 'Produto não encontrado', schema: standardErrorSchema },
    },
    handle: showProduct(parts),
  },
];

/** The routes of sales that have been made. */
const createFoundSaleRoutes = (parts: IntegrationRouteParts): readonly Route[] => {
  const findSale: FindSale = (ctx) => findNamedSale(parts.sales, ctx, 'externalSaleId');
  return [
    {
      ...INTEGRATION,
      method: 'get',
      path: '/private/integration/sale/{externalSaleId}',
      operationId: 'getSale',
      summary: 'Consulta uma venda do canal, como está agora',
      description: BY_EITHER_NAME,
      answers: { 200: { description: 'A venda', schema: saleAnswer }, ...NOT_FOUND },
      handle: showSale(parts),
    },
    {
      ...INTEGRATION,
      method: 'get',
      path: '/private/integration/sale/{externalSaleId}/evidence',
      operationId: 'getSaleEvidence',
      summary: 'A prova de uma venda do canal, assinada: para uma reclamação ou um processo',
      description: `${BY_EITHER_NAME} Contém o nome, o CPF ou CNPJ e o e-mail do segurado.`,
      answers: { 200: { description: 'A prova', schema: evidenceAnswer }, ...NOT_FOUND },
      handle: proveSale(parts),
    },
    {
      ...INTEGRATION,
      method: 'get',
      path: '/private/integration/sales',
      operationId: 'listSales',
      summary: 'Lista as vendas do canal, da mais nova à mais antiga',
      description:
        'Uma venda deve atender a todos os filtros. Dias são os de São Paulo. Siga next_cursor até que seja nulo. Para acompanhar vendas, guarde a hora antes de ler e use-a em updatedSince na leitura seguinte, menos cinco minutos; ou leia os eventos.',
      query: salesQuery,
      answers: { 200: { description: 'Uma página', schema: salesAnswer } },
      handle: listSales(parts),
    },
    {
      ...INTEGRATION,
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
      ...INTEGRATION,
      method: 'post',
      path: '/private/integration/sale/{externalSaleId}/second-copy',
      operationId: 'sendSecondCopy',
      summary: 'Envia a segunda via do bilhete ou da apólice ao e-mail cadastrado na venda',
      description: `${BY_EITHER_NAME} No máximo ${MOST_COPIES} por venda e hora. A resposta vem quando o envio está garantido. Com Idempotency-Key, repetir não envia outra.`,
      body: withCredentials(noFields, 'PartnerCredentials'),
      idempotent: true,
      answers: SECOND_COPY_ANSWERS,
      handle: sendSecondCopy(noFields, parts.requestSecondCopy, findSale),
    },
    {
      ...INTEGRATION,
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
