import {
  type HeldQuotes,
  isRefusal,
  type ProductReference,
  type Refusal,
  refuse,
  type VersionedProduct,
} from '#domain';
import type { Catalogue, CatalogueOfDay } from '../catalogue/catalogue.ts';
import { inForce } from '../catalogue/versions.ts';
import { given, type SaleDraft } from '../sales/sale-request.ts';
import type { QuoteSeal } from './quote-seal.ts';

/** Quotes, and the version of the product that was quoted. */
export interface OpenedQuote {
  readonly held: HeldQuotes;
  readonly product: VersionedProduct;
}

/** Versions of products that are kept in memory. */
const MAX_KEPT = 50;

/** What a draft on a quote has to be judged by. */
interface DraftOnQuote<Draft extends SaleDraft> {
  /** The request with what it leaves out: plan, coverages and insured amount are those quoted. */
  readonly draft: Draft;
  /** The catalogue with the product as it was quoted. */
  readonly catalogue: CatalogueOfDay;
  readonly opened: OpenedQuote | Refusal<'quote_unknown'>;
}

/** Opens the quote of a draft. The quote of another channel is unknown. */
export type OpenQuote = <Draft extends SaleDraft>(
  draft: Draft,
  quoteId: string,
  catalogue: CatalogueOfDay,
) => Promise<DraftOnQuote<Draft>>;

export const makeOpenQuote = ({
  catalogue: store,
  quoteSeal,
}: {
  readonly catalogue: Catalogue;
  readonly quoteSeal: QuoteSeal;
}): OpenQuote => {
  /** Versions never change. Each is kept once. */
  const kept = new Map<string, VersionedProduct>();

  const findProduct = async (
    { product: { code, version } }: HeldQuotes,
    { products }: CatalogueOfDay,
  ): Promise<VersionedProduct | undefined> => {
    const current = products.find((each) => each.code === code);
    if (version === undefined || current?.version === version) return current;
    const name = `${code} ${version}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const earlier = await store.productVersion(code, version);
    if (earlier === undefined) return undefined;
    if (kept.size >= MAX_KEPT) kept.clear();
    const product = inForce(earlier);
    kept.set(name, product);
    return product;
  };

  const find = async (
    quoteId: string,
    { channelLink }: SaleDraft,
    catalogue: CatalogueOfDay,
  ): Promise<OpenedQuote | Refusal<'quote_unknown'>> => {
    const held = await quoteSeal.open(quoteId);
    if (held?.channelLink !== channelLink) return refuse('quote_unknown');
    const product = await findProduct(held, catalogue);
    return product === undefined ? refuse('quote_unknown') : { held, product };
  };

  return async function openQuote(draft, quoteId, catalogue) {
    const opened = await find(quoteId, draft, catalogue);
    if (isRefusal(opened)) return { draft, catalogue, opened };
    const { product } = opened;
    // The version that follows today's ends links and boletos of the quoted one, too.
    const products = catalogue.products.map((each) =>
      each.code === product.code ? withEnd(product, each.until) : each,
    );
    return {
      draft: completeByQuote(draft, opened),
      catalogue: { ...catalogue, products },
      opened,
    };
  };
};

const withEnd = (product: VersionedProduct, until: VersionedProduct['until']): VersionedProduct =>
  product.until === until ? product : { ...product, ...given({ until }) };

/** Fills in what the draft leaves out, unless it is for another product. */
const completeByQuote = <Draft extends SaleDraft>(
  draft: Draft,
  { product, held }: OpenedQuote,
): Draft => {
  if (!isOfProduct(draft.product, product)) return draft;
  const [only, ...others] = held.plans;
  const isPlanClear =
    others.length === 0 && only !== undefined && !namesPlan(draft.product, product);
  return {
    ...draft,
    plan: draft.plan ?? (isPlanClear ? { id: only.planId } : undefined),
    coverages: draft.coverages?.length ? draft.coverages : held.coverages.map(({ id }) => ({ id })),
    insuredAmount: draft.insuredAmount ?? held.insuredAmount,
  };
};

/** Whether a reference names the product or one of its plans, as far as it says. */
const isOfProduct = (
  reference: ProductReference | undefined,
  product: VersionedProduct,
): boolean => {
  if (reference === undefined || 'only' in reference) return true;
  return 'id' in reference
    ? reference.id === product.id || namesPlan(reference, product)
    : reference.code.toLowerCase() === product.code.toLowerCase();
};

/** Whether a reference to a product names one of its plans instead. */
export const namesPlan = (
  reference: ProductReference | undefined,
  { id, plans }: VersionedProduct,
): boolean =>
  reference !== undefined &&
  'id' in reference &&
  reference.id !== id &&
  plans.some((plan) => plan.id === reference.id);
