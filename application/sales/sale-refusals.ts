import type { Refusal } from '#domain';
import type { AttributeFault } from '../catalogue/attribute-schemas.ts';
import type { Difference } from '../differences.ts';
import type { Idempotency, SaleRefusal } from './sale-request.ts';

/** A request cannot be sold. Holds every reason and every fault of its attributes; at least one. */
export interface NotSellable extends Refusal<'not_sellable'> {
  readonly reasons: readonly SaleRefusal[];
  readonly attributeFaults: readonly AttributeFault[];
}

/** The key of a request was used before, with other content. `owner`: of that key. */
export interface KeyReused extends Refusal<'key_reused'> {
  readonly owner: Idempotency['owner'];
  readonly saleId: number;
  readonly differences: readonly Difference[];
}

/** The first request with the same key is still in progress. */
export interface StillRunning extends Refusal<'still_running'> {
  readonly owner: Idempotency['owner'];
  readonly saleId: number;
}

/** Another worker has the sale. */
export type SaleBusy = Refusal<'sale_busy'>;
