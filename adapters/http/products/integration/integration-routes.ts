import Type from 'typebox';
import type { Clock } from '../../../../application/clock.ts';
import { MOST_COPIES } from '../../../../application/mail/request-second-copy.ts';
import { invalidFields } from '../../contract/answer-error.ts';
import {
  INVALID_FIELDS_ANSWER,
  refusedSaleSchema,
  standardErrorSchema,
} from '../../contract/answer-shapes.ts';
import { closedObject } from '../../contract/formats.ts';
import { readJsonBody } from '../../pipeline/request-body.ts';
import type { Route } from '../../pipeline/route.ts';
import { CANCELLATION_ANSWERS, cancellationBody } from '../../sales/cancellation.ts';
import { createSale, SELLING_REFUSALS } from '../../sales/create-sale.ts';
import {
  EMAIL_CORRECTION_ANSWERS,
  EMAIL_CORRECTION_DESCRIPTION,
  emailCorrectionBody,
} from '../../sales/email-correction.ts';
import { BY_EITHER_NAME } from '../../sales/find-named-sale.ts';
import { nameByBodyAlone } from '../../sales/idempotency.ts';
import type { SaleEndpoint } from '../../sales/sale-dialect.ts';
import { SECOND_COPY_ANSWERS } from '../../sales/second-copy.ts';
import { listProducts, productShape, showProduct } from './channel-products.ts';
import { evidenceAnswer } from './evidence-shape.ts';
import { saleAnswer, validSale } from './found-sale.ts';
import { withCredentials } from './integration-access.ts';
import { presentSold, soldAnswer } from './integration-answers.ts';
import { saleBody } from './integration-body.ts';
import { createSaleDialect } from './integration-dialect.ts';
import {
  cancelNamedSale,
  copyDocument,
  correctNamedEmail,
  type IntegrationRouteParts,
  proveSale,
  showSale,
  validateSale,
} from './integration-endpoints.ts';
import { listSales, salesAnswer, salesQuery } from './integration-list.ts';
import { quoteBody } from './quote-body.ts';
import { createQuoteRoute } from './quote-route.ts';

export type { IntegrationRouteParts } from './integration-endpoints.ts';

/** The fields that all routes of the integration share. */
const INTEGRATION = { tag: 'Venda', scope: 'sales', partnerCredentials: true } as const;

/** The endpoint that sells any product. */
export const createEndpoint = (clock: Clock): SaleEndpoint => {
  const dialect = createSaleDialect(clock);
  return {
    naming: nameByBodyAlone,
    createdStatus: 201,
    dialects: [dialect],
    dialectOf: () => dialect,
    faulty: invalidFields,
    present: presentSold,
  };
};

const NOT_FOUND = {
  404: { name: 'SaleNotFound', description: 'Venda não encontrada', schema: standardErrorSchema },
};

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
        'A mesma venda repetida responde 200 com o mesmo corpo e o cabeçalho Idempotent-Replayed: true.',
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
      body: withCredentials(saleBody, 'Sale'),
      answers: {
        200: { description: 'Os valores da venda', schema: validSale },
        ...SELLING_REFUSALS,
        ...INVALID_FIELDS_ANSWER,
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
const createFoundSaleRoutes = (parts: IntegrationRouteParts): readonly Route[] => [
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
    query: salesQuery,
    answers: {
      200: { description: 'Uma página', schema: salesAnswer },
      ...INVALID_FIELDS_ANSWER,
    },
    steps: [listSales(parts)],
  },
  {
    ...INTEGRATION,
    method: 'post',
    path: '/private/integration/sale/{externalSaleId}/cancel',
    operationId: 'cancelSale',
    summary: 'Cancela uma venda do canal, ou mostra antes (preview) o que seria devolvido',
    description: `${BY_EITHER_NAME} Repetir um cancelamento responde com os valores do primeiro.`,
    body: withCredentials(cancellationBody, 'CancellationRequest'),
    answers: CANCELLATION_ANSWERS,
    steps: [readJsonBody, cancelNamedSale(parts)],
  },
  {
    ...INTEGRATION,
    method: 'post',
    path: '/private/integration/sale/{externalSaleId}/second-copy',
    operationId: 'sendSecondCopy',
    summary: 'Envia a segunda via do bilhete ou da apólice ao e-mail cadastrado na venda',
    description: `${BY_EITHER_NAME} No máximo ${MOST_COPIES} por venda e hora.`,
    body: withCredentials(closedObject({}), 'PartnerCredentials'),
    idempotent: true,
    answers: { ...SECOND_COPY_ANSWERS, ...INVALID_FIELDS_ANSWER },
    steps: [readJsonBody, copyDocument(parts)],
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
    steps: [readJsonBody, correctNamedEmail(parts)],
  },
];
