import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createSale, type Email, type Insured, type Phone, type Sale, type TaxId } from '#domain';
import { readQuestion, searchEntryOf } from '../../application/search/search-terms.ts';
import { settle } from '../support/mailings.ts';
import { AT, ISSUED, terms } from '../support/sales.ts';
import { overEveryStore } from '../support/stores.ts';

overEveryStore('the search for sales', (store) => {
  const register = async (insured: Partial<Insured>, over: object = {}): Promise<Sale> => {
    const person = { ...terms().insured, ...insured };
    const sold = createSale(randomUUID().toUpperCase(), AT, terms({ insured: person, ...over }));
    const outcome = await store().sales.register(sold);
    if (outcome.kind !== 'registered') throw new Error(outcome.kind);
    return outcome.sale;
  };
  const follow = async (limit = 500): Promise<void> => {
    await store().givePlaces();
    while ((await store().searchIndex.follow(limit, searchEntryOf)) === 'more');
  };
  const find = async (typed: string, limit = 10, before?: number) => {
    const found = await store().searchIndex.find({ ...readQuestion(typed), limit, before });
    return found.sales.map(({ id }) => id);
  };

  it('finds a sale by each of its names, and by each number of its person, however written', async () => {
    const sale = await register(
      {
        ...{ taxId: '39053344705' as TaxId, email: 'Zoe.Prado@example.com' as Email },
        phone: '(11) 97777-0001' as Phone,
      },
      { externalSaleId: 'Pedido-4711' },
    );
    await follow();
    const { id, ticket } = sale;
    for (const typed of [
      ...[
        String(id),
        ticket,
        ticket.toUpperCase(),
        ' Pedido-4711 ',
        '390.533.447-05',
        '39053344705',
      ],
      ...['zoe.prado@EXAMPLE.com', '11977770001', '+55 11 97777-0001', '(011) 97777 0001'],
    ])
      expect(await find(typed), typed).to.include(id);
    for (const typed of ['Pedido-471', 'zoe.prado', '1197777000', 'prado@example.com'])
      expect(await find(typed), typed).not.to.include(id);
    const [found] = (await store().searchIndex.find({ ...readQuestion(ticket), limit: 1 })).sales;
    expect(found).to.deep.equal(await store().sales.load(id));
  });

  it('finds names by words in any order, without accents, and by their beginnings', async () => {
    const sale = await register({
      name: 'Thaís Cristina de Ávila Xavier',
      socialName: 'Théo Xavier',
    });
    const other = await register({ name: 'Thaís de Souza' });
    await follow();
    for (const typed of [
      ...['thais avila', 'AVILA THAÍS', 'xav thai', 'cristina', 'theo xavier', 'Xavier, Thaís de'],
      ...['thais cristina de avila xavier'],
    ])
      expect(await find(typed), typed).to.include(sale.id);
    expect(await find('thais de')).to.deep.equal([other.id, sale.id]);
    // Short words are whole words; all words must be there.
    for (const typed of ['thais d', 'thais souza xavier', 'hais avila', 'th av', '', '--', '%'])
      expect(await find(typed), typed).to.deep.equal([]);
  });

  it('finds the newest first, page by page', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 5; count += 1)
      ids.unshift(
        (await register({ name: 'Quirino Baptista', email: 'q@example.com' as Email })).id,
      );
    await follow(2);
    for (const typed of ['quirino', 'bap qui', 'q@example.com']) {
      expect(await find(typed, 3), typed).to.deep.equal(ids.slice(0, 3));
      expect(await find(typed, 3, ids[2]), typed).to.deep.equal(ids.slice(3));
    }
  });

  it('finds those of one channel only, whatever else fits', async () => {
    const name = 'Quitéria Yolanda Brandão';
    const email = 'quiteria@example.com' as Email;
    const channels = ['one-shop', 'other-shop', 'one-shop'];
    const ids: number[] = [];
    for (const channelLink of channels)
      ids.push((await register({ name, email }, { channelLink })).id);
    await follow();
    const [first, second, third] = ids;
    const findIn = async (typed: string, channelLink: string) => {
      const page = { ...readQuestion(typed), channelLink, limit: 10 };
      return (await store().searchIndex.find(page)).sales.map(({ id }) => id);
    };
    for (const typed of ['quiteria bran', 'brandao', email, 'yolanda quiteria brandao']) {
      expect(await findIn(typed, 'one-shop'), typed).to.deep.equal([third, first]);
      expect(await findIn(typed, 'other-shop'), typed).to.deep.equal([second]);
      expect(await findIn(typed, 'third-shop'), typed).to.deep.equal([]);
    }
    expect(await findIn(String(second), 'one-shop')).to.deep.equal([]);
    expect(await findIn(String(second), 'other-shop')).to.deep.equal([second]);
  });

  it('finds every person that the sale insures', async () => {
    const companion = { name: 'Ofélia Brandão', taxId: '11144477735' as TaxId };
    const sale = await register(
      {},
      { additionalInsured: [{ ...companion, birthDate: '1990-01-01' }] },
    );
    await follow();
    for (const typed of ['ofelia brandao', '111.444.777-35'])
      expect(await find(typed), typed).to.deep.equal([sale.id]);
  });

  it('finds the number of a policy once it is issued, and an e-mail once it is corrected', async () => {
    const sale = await register({ email: 'wrong@example.com' as Email });
    await follow();
    const number = `APL-${randomUUID()}`;
    const policy = { ...ISSUED.policy, number } as typeof ISSUED.policy;
    const { id, ticket, version, registeredAt } = sale;
    const own = { id, ticket, registeredAt, terms: sale.terms };
    const issued = { ...ISSUED, ...own, version, policy } as Sale;
    expect(await find(number)).to.deep.equal([]);
    expect(await store().sales.save(issued)).to.equal('saved');
    await follow();
    expect(await find(number)).to.deep.equal([id]);
    const corrections = [{ email: 'right@example.com' as Email, at: AT }];
    const corrected = { ...issued, version: version + 1, corrections } as Sale;
    expect(await store().sales.save(corrected)).to.equal('saved');
    await settle(store().mailings, { saleId: id, number: 0 }, 'sent', AT);
    await follow();
    expect(await find('right@example.com')).to.deep.equal([id]);
  });

  it('is forgotten, and filled anew from the newest sale on', async () => {
    const [older, newer] = [
      await register({ name: 'Ulrica Old' }),
      await register({ name: 'Ulrica New' }),
    ];
    await follow();
    await store().searchIndex.empty();
    expect(await find('ulrica')).to.deep.equal([]);
    const first = await store().searchIndex.rebuild(Number.MAX_SAFE_INTEGER, 1, searchEntryOf);
    expect(first).to.deep.equal({ entered: 1, next: newer.id });
    expect(await find('ulrica')).to.deep.equal([newer.id]);
    let step = first;
    while (step.entered > 0) step = await store().searchIndex.rebuild(step.next, 3, searchEntryOf);
    expect(await find('ulrica')).to.deep.equal([newer.id, older.id]);
  });

  it('enters the same sale again without harm, also at the same time', async () => {
    const sale = await register({ name: 'Valério Twice' });
    await store().givePlaces();
    await Promise.all([1, 2, 3].map(() => store().searchIndex.follow(500, searchEntryOf)));
    expect(await find('valerio twice')).to.deep.equal([sale.id]);
    expect(await store().searchIndex.follow(500, searchEntryOf)).to.equal('done');
  });
});
