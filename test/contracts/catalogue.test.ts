import { expect } from 'chai';
import { DEMO_CHANNEL, DEMO_PRODUCTS } from '../../bootstrap/demo-catalogue.ts';
import { overEveryStore, within } from '../support/stores.ts';

/** The second in which a change must be seen, and what a slow machine may add to the asking itself. */
const SECOND = 1_000;

overEveryStore('the catalogue', (store) => {
  it('is empty at first', async () => {
    expect(await store().catalogue.products()).to.deep.equal([]);
    expect(await store().catalogue.channel('canal-demo')).to.equal(undefined);
  });

  it('holds products whole, in the order of their ids', async () => {
    for (const product of [...DEMO_PRODUCTS].reverse()) await store().catalogue.putProduct(product);
    const products = await within(
      SECOND,
      () => store().catalogue.products(),
      ({ length }) => length === DEMO_PRODUCTS.length,
    );
    expect(products).to.deep.equal(DEMO_PRODUCTS);
  });

  it('holds channels whole; an unknown one is undefined', async () => {
    await store().catalogue.putChannel(DEMO_CHANNEL);
    expect(await store().catalogue.channel('canal-demo')).to.deep.equal(DEMO_CHANNEL);
    expect(await store().catalogue.channel('canal-alheio')).to.equal(undefined);
  });

  it('replaces what is put again, and every reader sees it within a second', async () => {
    await store().catalogue.putChannel({ ...DEMO_CHANNEL, active: false });
    const channel = await within(
      SECOND,
      () => store().catalogue.channel('canal-demo'),
      (found) => found?.active === false,
    );
    expect(channel).to.deep.equal({ ...DEMO_CHANNEL, active: false });

    const renamed = { ...DEMO_PRODUCTS[0], name: 'Outro nome' } as (typeof DEMO_PRODUCTS)[number];
    await store().catalogue.putProduct(renamed);
    const products = await within(
      SECOND,
      () => store().catalogue.products(),
      ([first]) => first?.name === 'Outro nome',
    );
    expect(products).to.deep.equal([renamed, ...DEMO_PRODUCTS.slice(1)]);
  });
});
