import type { SaleTerms } from '#domain';
import type { AgreeTerms } from './agree-terms.ts';
import { type NoNewSale, repeatedIn } from './register-sale.ts';
import type { SaleRequest } from './sale-request.ts';
import type { Sales } from './sales.ts';

export interface ValidateSaleParts {
  readonly sales: Sales;
  readonly agreeTerms: AgreeTerms;
}

/** What registering the sale now would come to, with all its figures. Writes nothing. */
export type ValidateSale = (
  request: SaleRequest,
) => Promise<{ readonly kind: 'valid'; readonly terms: SaleTerms } | NoNewSale>;

export const validateSale =
  ({ sales, agreeTerms }: ValidateSaleParts): ValidateSale =>
  async (request) => {
    const [terms, before] = await Promise.all([agreeTerms(request), repeatedIn(sales, request)]);
    if (before !== undefined) return before;
    return 'reasons' in terms ? { kind: 'refused', ...terms } : { kind: 'valid', terms };
  };
