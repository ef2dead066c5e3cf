import {
  type Amounts,
  type Cents,
  type Coverage,
  type IncludedCoverage,
  type Plan,
  type Product,
  type SaleTerms,
  splitByCoverage,
} from '#domain';
import type { CertifiedCoverage } from './certificate.ts';

/** The plan with a code, as the product was sold. */
export const findPlan = ({ plans }: Product, code: string): Plan | undefined =>
  plans.find((each) => each.code === code);

/** What the certificate says of a coverage, without its part of the premium. */
type Described = Omit<CertifiedCoverage, 'premium'>;

/** Lists the coverages of a sale: first those of the plan, then those bought with it. */
export const listCoverages = (terms: SaleTerms, product: Product): readonly CertifiedCoverage[] => {
  const { insuredAmount, quote } = terms;
  const plan = findPlan(product, terms.plan.code);
  const included = plan?.includes ?? [];
  const bought = terms.coverages.map(({ code }) => ({ code, found: findCoverage(product, code) }));

  const ofPlan =
    included.length > 0
      ? included.map((each) => describe(each, each.limit ?? plan?.limit, insuredAmount))
      : [describe(nameBasic(plan), plan?.limit, insuredAmount)];
  const ofBought = bought.map(({ code, found }) =>
    describe(found ?? { name: code }, found?.limit, insuredAmount),
  );
  const premiums = splitByCoverage(quote, {
    included: included.map(({ premiumShare }) => premiumShare),
    bought: bought.map(({ found }) => found?.premiumShare),
  });
  return [...ofPlan, ...ofBought].map((each, index) => ({
    ...each,
    premium: premiums[index] as Amounts,
  }));
};

const nameBasic = (plan: Plan | undefined): Pick<Described, 'name'> =>
  plan?.covers === undefined ? {} : { name: plan.covers };

const findCoverage = ({ coverages }: Product, code: string): Coverage | undefined =>
  coverages.find((each) => each.code === code);

const describe = (
  { name, description, notCovered = [] }: Partial<IncludedCoverage>,
  limit: Cents | undefined,
  insuredAmount: Cents | undefined,
): Described => {
  const most = smallerLimit(limit, insuredAmount);
  return {
    ...(name !== undefined && { name }),
    ...(most !== undefined && { limit: most }),
    ...(description !== undefined && { description }),
    notCovered,
  };
};

/** The insured amount of the sale, up to the limit of the product. */
const smallerLimit = (limit?: Cents, insuredAmount?: Cents): Cents | undefined => {
  if (limit === undefined || insuredAmount === undefined) return limit ?? insuredAmount;
  return limit < insuredAmount ? limit : insuredAmount;
};

/** Names of the product's coverages that the insured did not buy. */
export const listCoveragesNotBought = (terms: SaleTerms, product: Product): readonly string[] =>
  product.coverages
    .filter(({ code }) => !terms.coverages.some((bought) => bought.code === code))
    .map(({ name }) => name);
