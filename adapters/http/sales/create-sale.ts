import type { NoNewSale } from '../../../application/sales/register-sale.ts';
import type { Sell } from '../../../application/sales/sell.ts';
import type { Refused } from '../contract/answer-error.ts';
import type { Step } from '../pipeline/context.ts';
import { conflictSchema, houseErrorSchema } from '../contract/answer-shapes.ts';
import type { SaleEndpoint } from './sale-dialect.ts';
import { conflict, stillRunning } from './idempotency.ts';
import { type ReadParts, refusalOf, type SaleRead, saleReader } from './read-sale.ts';

export interface CreateParts extends ReadParts {
  readonly sell: Sell;
}

/** Sells what the endpoint sells: validate, translate, sell, present. */
export const createSale = ({ sell, ...parts }: CreateParts, endpoint: SaleEndpoint): Step => {
  const read = saleReader(parts, endpoint);
  return async (ctx) => {
    const { request, card, dialect } = await read(ctx);
    const outcome = await sell(request, {
      card,
      orderedFrom: ctx.state.applicant.address ?? undefined,
    });
    if (outcome.kind === 'refused' || outcome.kind === 'conflict')
      throw notSold(outcome, endpoint, dialect);
    if (outcome.kind === 'running') throw stillRunning(endpoint.naming, outcome.saleId);
    if (outcome.replayed) ctx.set('Idempotent-Replayed', 'true');
    ctx.status = outcome.replayed ? 200 : (endpoint.createdStatus ?? 200);
    ctx.body = endpoint.present(outcome.sale);
  };
};

/** Why nothing was sold. */
export const notSold = (
  outcome: Extract<NoNewSale, { readonly kind: 'refused' | 'conflict' }>,
  endpoint: SaleEndpoint,
  dialect: SaleRead['dialect'],
): Refused => {
  if (outcome.kind === 'refused') return refusalOf(outcome, endpoint, dialect);
  const schemas = endpoint.dialects.map(({ schema }) => schema);
  return conflict(endpoint.naming, outcome.saleId, outcome.differences, schemas);
};

/** What an endpoint that sells may refuse, whatever it sells. */
export const SELLING_REFUSALS = {
  403: { description: 'Canal ou produto não permitido ao cliente', schema: houseErrorSchema },
  409: {
    description: 'Venda já feita com outro conteúdo sob o mesmo nome, ou ainda em andamento',
    schema: conflictSchema,
  },
};
