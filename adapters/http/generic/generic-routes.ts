import { isRefusal } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type { ValidateSale } from '../../../application/selling/sell.ts';
import { invalidFields } from '../../kit/contract/answer-error.ts';
import { refusedSaleSchema } from '../../kit/contract/answer-shapes.ts';
import type { Exchange } from '../../kit/web/pipeline/context.ts';
import { BY_PARTNER, withCredentials } from '../oauth/partner-access.ts';
import type { Route } from '../routes/route.ts';
import {
  type CreateParts,
  compileSaleReader,
  createSale,
  SELLING_REFUSALS,
} from '../sales/create-sale.ts';
import { nameByBodyAlone } from '../sales/idempotency.ts';
import type { SaleEndpoint } from '../sales/sale-dialect.ts';
import { explainFaults, notSoldError } from '../sales/shown-refusals.ts';
import { createProductRoutes, type ProductRouteParts } from './channel-products.ts';
import { createDeclinedOffersRoute, type DeclinedOffersParts } from './declined-offers-route.ts';
import { createFoundSaleRoutes, type FoundSaleRouteParts } from './found-sale-routes.ts';
import { foundSale, presentSold, presentValid, soldAnswer, validSale } from './generic-answers.ts';
import { saleBody } from './generic-body.ts';
import { createSaleDialect } from './generic-dialect.ts';
import { createOwedRefundsRoute } from './owed-refunds-route.ts';
import { createQuoteRoute, type QuoteRouteParts } from './quote-route.ts';

/** The endpoint that sells any product. */
export const createEndpoint = (clock: Clock): SaleEndpoint => ({
  naming: nameByBodyAlone,
  createdStatus: 201,
  dialects: [createSaleDialect(clock)],
  faulty: invalidFields,
  present: presentSold,
});

export type ValidateParts = CreateParts & { readonly validateSale: ValidateSale };

/** Does everything that a sale does, except selling. */
export const validateSale = (
  parts: ValidateParts,
  endpoint: SaleEndpoint,
): ((exchange: Exchange) => Promise<void>) => {
  const readRequest = compileSaleReader(parts, endpoint);

  return async function validateSale(exchange) {
    const read = readRequest(exchange);
    if (read.kind === 'faulty') throw await explainFaults(parts, endpoint, read);

    const outcome = await parts.validateSale(read.request);
    if (isRefusal(outcome)) throw notSoldError(outcome, endpoint, read.dialect);
    exchange.body =
      outcome.kind === 'valid'
        ? presentValid(outcome.terms)
        : {
            success: true,
            message: 'Venda já registrada.',
            data: foundSale.present({ sale: outcome.earlier.sale, now: parts.clock.now() }),
          };
  };
};

export type GenericRouteParts = ValidateParts &
  FoundSaleRouteParts &
  ProductRouteParts &
  QuoteRouteParts &
  DeclinedOffersParts;

export const createGenericRoutes = (parts: GenericRouteParts): readonly Route[] => {
  const endpoint = createEndpoint(parts.clock);
  return [
    {
      ...BY_PARTNER,
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
      ...BY_PARTNER,
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
    createQuoteRoute(parts),
    createDeclinedOffersRoute(parts),
    createOwedRefundsRoute(parts),
  ];
};
