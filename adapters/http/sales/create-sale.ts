import type { NoNewSale } from '../../../application/sales/register-sale.ts';
import type { Sell } from '../../../application/sales/sell.ts';
import type { AnswerError } from '../contract/answer-error.ts';
import { conflictSchema, standardErrorSchema } from '../contract/answer-shapes.ts';
import type { Step } from '../pipeline/context.ts';
import { conflictError, stillRunningError } from './idempotency.ts';
import {
  compileSaleReader,
  explainFaults,
  type ReadParts,
  refusalError,
  type SaleRead,
} from './read-sale.ts';
import type { SaleEndpoint } from './sale-dialect.ts';

export interface CreateParts extends ReadParts {
  readonly sell: Sell;
}

/** Reads the request, sells, and presents the sale. */
export const createSale = (parts: CreateParts, endpoint: SaleEndpoint): Step => {
  const { sell } = parts;
  const readSale = compileSaleReader(parts, endpoint);

  return async function createSale(ctx) {
    const read = readSale(ctx);
    if (read.kind === 'faulty') throw await explainFaults(parts, endpoint, read);

    const outcome = await sell(read.request, {
      card: read.card,
      orderedFrom: ctx.state.applicant.address ?? undefined,
    });
    if (outcome.kind === 'refused' || outcome.kind === 'conflict')
      throw notSoldError(outcome, endpoint, read.dialect);
    if (outcome.kind === 'running') throw stillRunningError(endpoint.naming, outcome.saleId);

    if (outcome.replayed) ctx.set('Idempotent-Replayed', 'true');
    ctx.status = outcome.replayed ? 200 : (endpoint.createdStatus ?? 200);
    ctx.body = endpoint.present(outcome.sale);
  };
};

export const notSoldError = (
  outcome: Extract<NoNewSale, { readonly kind: 'refused' | 'conflict' }>,
  endpoint: SaleEndpoint,
  dialect: SaleRead['dialect'],
): AnswerError => {
  if (outcome.kind === 'refused') return refusalError(outcome, endpoint, dialect);
  const schemas = endpoint.dialects.map(({ schema }) => schema);
  return conflictError(endpoint.naming, outcome.saleId, outcome.differences, schemas);
};

/** The refusals that every endpoint which sells may answer. */
export const SELLING_REFUSALS = {
  403: {
    description: 'Canal ou produto não permitido ao cliente',
    schema: standardErrorSchema,
  },
  409: {
    description: 'Venda já feita com outro conteúdo sob o mesmo nome, ou ainda em andamento',
    schema: conflictSchema,
  },
};
