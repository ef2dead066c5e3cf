import { isRefusal, type SaleTerms } from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { KeyReused, NotSellable } from '../sales/sale-refusals.ts';
import type { SaleRequest } from '../sales/sale-request.ts';
import type { Sales } from '../sales/sales.ts';
import type { FindTerms } from '../terms/find-terms.ts';
import { findRepeated, type Repeated } from './repeated-request.ts';

interface Needs {
  readonly catalogue: Catalogue;
  readonly sales: Sales;
  readonly findTerms: FindTerms;
}

/** What selling now would give, with all figures. Writes nothing. */
export type ValidateSale = (
  request: SaleRequest,
) => Promise<
  { readonly kind: 'valid'; readonly terms: SaleTerms } | Repeated | NotSellable | KeyReused
>;

export const makeValidateSale = ({ catalogue, sales, findTerms }: Needs): ValidateSale =>
  async function validateSale(request) {
    const current = await catalogue.current();
    const repeated = await findRepeated(sales, request, current);
    if (repeated !== undefined) return repeated;
    const terms = await findTerms(request, current);
    return isRefusal(terms) ? terms : { kind: 'valid', terms };
  };
