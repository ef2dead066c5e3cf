import { expect } from 'chai';
import { cents, isRefusal, type Product, unwrap } from '#domain';
import type { SaleRequest } from '../../application/sales/sale-request.ts';
import { type MemoryService, memoryService } from '../../bootstrap/composition/memory.ts';
import { DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';
import { loadDemoCatalogue } from '../../bootstrap/processes/first-run.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import { phoneSale } from '../support/selling.ts';

const PHONE = unwrap(DEMO_PRODUCTS[2]) as Product;

describe('quotes of a channel', () => {
  let memory: MemoryService;
  beforeEach(async () => {
    memory = memoryService();
    await loadDemoCatalogue(memory.useCases);
  });

  const quoteOf = async (over: object = {}) => {
    const wanted = { channelLink: 'canal-demo', product: { code: 'CELULAR' }, insuredObject: {} };
    const outcome = await memory.useCases.quotePrices({ ...wanted, ...over });
    if (isRefusal(outcome)) throw new Error(outcome.reasons.map(({ kind }) => kind).join());
    return outcome;
  };
  const validate = (over: Partial<SaleRequest>) =>
    memory.useCases.validateSale(phoneSale(undefined, { plan: undefined, ...over }));
  const reasonsOf = async (over: Partial<SaleRequest>) => {
    const outcome = await validate(over);
    if (!isRefusal(outcome) || outcome.kind !== 'not_sellable') return [outcome.kind];
    return outcome.reasons.map(({ kind, at = [] }) => [kind, ...at].join(' '));
  };
  /** Makes a version of the product that costs one cent. */
  const cheapen = async () => {
    const [first] = PHONE.plans;
    const plan = { ...first, tariff: { kind: 'fixed', amount: cents(1) } as const };
    const product = { ...PHONE, plans: [plan] as const, coverages: [] };
    await memory.useCases.manageCatalogue.putProduct(product, ADMINISTRATOR);
  };

  it('give the figures that were shown, from the version of the product that was shown', async () => {
    const { quoteId, offers } = await quoteOf({ plan: { id: 32 }, coverages: [{ id: 302 }] });
    await cheapen();
    const outcome = await validate({ quoteId });
    if (outcome.kind !== 'valid') throw new Error(outcome.kind);
    expect(outcome.terms.quote).to.deep.equal(offers[0]?.quote);
    expect(outcome.terms).to.deep.include({
      plan: { id: 32, code: 'ANUAL' },
      coverages: [{ id: 302, code: 'FURTO_SIMPLES' }],
    });
    expect(outcome.terms.product.version).to.equal(1);
  });

  it('keep each coverage with its own price, in whatever order the sale names them', async () => {
    const { quoteId } = await quoteOf({ plan: { id: 32 }, coverages: [{ id: 301 }, { id: 302 }] });
    const outcome = await validate({ quoteId, coverages: [{ id: 302 }, { id: 301 }] });
    if (outcome.kind !== 'valid') throw new Error(outcome.kind);
    const [, ...prices] = outcome.terms.quote.prices;
    expect(prices.map(({ code, amount }) => [code, amount])).to.deep.equal([
      ['FURTO_SIMPLES', 750],
      ['QUEBRA_TELA', 500],
    ]);
    expect(outcome.terms.coverages.map(({ code }) => code)).to.deep.equal([
      'FURTO_SIMPLES',
      'QUEBRA_TELA',
    ]);
  });

  it('read an earlier version of the product once', async () => {
    const { quoteId } = await quoteOf({ plan: { id: 32 } });
    await cheapen();
    let reads = 0;
    const { catalogue } = memory;
    const { productVersion } = catalogue;
    catalogue.productVersion = (...version) => {
      reads += 1;
      return productVersion.apply(catalogue, version);
    };
    for (let count = 0; count < 3; count += 1)
      expect(await reasonsOf({ quoteId })).to.deep.equal(['valid']);
    expect(reads).to.equal(1);
  });

  it('refuse a sale with all that differs, beside its other faults', async () => {
    const { quoteId } = await quoteOf({ insuredAmount: cents(100_000) });
    const differing = { quoteId, insuredAmount: cents(5), soldOn: '2026-11-21' as never };
    expect(await reasonsOf(differing)).to.have.members([
      'sold_in_future',
      'quote_differs plan insuredAmount',
    ]);
    expect(await reasonsOf({ quoteId: 'unknown' })).to.deep.equal(['quote_unknown']);
  });

  it('are for one product, also if the sale names it by one of its plans', async () => {
    const { quoteId } = await quoteOf();
    expect(await reasonsOf({ quoteId, product: { id: 32 } })).to.deep.equal(['valid']);
    expect(await reasonsOf({ quoteId, line: 'travel', product: { id: 41 } })).to.include(
      'quote_differs product',
    );
  });

  it('name every reason where no plan can be sold', async () => {
    const outcome = await memory.useCases.quotePrices({
      channelLink: 'canal-demo',
      product: { code: 'ARTISTA' },
      insuredObject: { eventStartDate: 'soon' },
    });
    if (!isRefusal(outcome)) throw new Error('it was offered');
    expect(outcome.reasons.map(({ kind }) => kind)).to.deep.equal(['premium_not_declared']);
    expect(outcome.attributeFaults.map(({ path }) => path)).to.deep.equal(['eventStartDate']);
  });
});
