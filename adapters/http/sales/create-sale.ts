import { isRefusal } from '#domain';
import type {
  KeyReused,
  NotSellable,
  StillRunning,
} from '../../../application/sales/sale-refusals.ts';
import type { Sell } from '../../../application/selling/sell.ts';
import type { AnswerError } from '../contract/answer-error.ts';
import { conflictSchema, standardErrorSchema } from '../contract/answer-shapes.ts';
import type { Exchange } from '../pipeline/context.ts';
import { conflictError, stillRunningError } from './idempotency.ts';
import {
  compileSaleReader,
  explainFaults,
  notSellableError,
  type ReadParts,
  type SaleRead,
} from './read-sale.ts';
import type { SaleEndpoint } from './sale-dialect.ts';

export interface CreateParts extends ReadParts {
  readonly sell: Sell;
}

/** Reads the request, sells, and presents the sale. */
export const createSale = (
  parts: CreateParts,
  endpoint: SaleEndpoint,
): ((exchange: Exchange) => Promise<void>) => {
  const { sell } = parts;
  const readSale = compileSaleReader(parts, endpoint);

  return async function createSale(exchange) {
    const read = readSale(exchange);
    if (read.kind === 'faulty') throw await explainFaults(parts, endpoint, read);

    const outcome = await sell(read.request, {
      card: read.card,
      orderedFrom: exchange.state.applicant.address ?? undefined,
    });
    if (isRefusal(outcome)) throw notSoldError(outcome, endpoint, read.dialect);

    const { sale, replayed } = outcome;
    const { code: productCode } = sale.terms.product;
    const effect = { kind: 'sold', productCode } as const;
    exchange.state.effect = { effect, saleId: sale.id, replayed };
    if (replayed) exchange.set('Idempotent-Replayed', 'true');
    exchange.status = replayed ? 200 : (endpoint.createdStatus ?? 200);
    exchange.body = endpoint.present(sale, exchange.request.body as Record<string, unknown>);
  };
};

/** The answer to a request that sold nothing. */
export const notSoldError = (
  refusal: NotSellable | KeyReused | StillRunning,
  endpoint: SaleEndpoint,
  dialect: SaleRead['dialect'],
): AnswerError => {
  if (refusal.kind === 'not_sellable') return notSellableError(refusal, endpoint, dialect);
  if (refusal.kind === 'still_running') return stillRunningError(refusal);
  const schemas = endpoint.dialects.map(({ schema }) => schema);
  return conflictError(refusal, schemas);
};

/** The refusals that every endpoint which sells may answer. */
export const SELLING_REFUSALS = {
  403: {
    name: 'NotGranted',
    description: 'Canal ou produto não permitido ao cliente',
    schema: standardErrorSchema,
  },
  409: {
    name: 'SaleConflict',
    description: 'Venda já feita com outro conteúdo sob o mesmo nome, ou ainda em andamento',
    schema: conflictSchema,
  },
};
