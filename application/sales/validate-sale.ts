import { isRefusal, type SaleTerms } from '#domain';
import type { Ports } from '../ports.ts';
import type { KeyReused, NotSellable } from '../refusals.ts';
import type { AgreeTerms } from './agree-terms.ts';
import { findRepeated, type Repeated } from './register-sale.ts';
import type { SaleRequest } from './sale-request.ts';

type Needs = Pick<Ports, 'catalogue' | 'sales'> & { readonly agreeTerms: AgreeTerms };

/** What registering the sale now would give, with all figures. Writes nothing. */
export type ValidateSale = (
  request: SaleRequest,
) => Promise<
  { readonly kind: 'valid'; readonly terms: SaleTerms } | Repeated | NotSellable | KeyReused
>;

export const makeValidateSale = ({ catalogue, sales, agreeTerms }: Needs): ValidateSale =>
  async function validateSale(request) {
    const repeated = await findRepeated(sales, request);
    if (repeated !== undefined) return repeated;
    const terms = await agreeTerms(request, await catalogue.current());
    return isRefusal(terms) ? terms : { kind: 'valid', terms };
  };
