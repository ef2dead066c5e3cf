import { expect } from 'chai';
import type { Email, Phone, TaxId } from '#domain';
import { makeRebuildSearch } from '../../application/search/search-sales.ts';
import {
  readQuestion,
  saleNamesOf,
  searchEntryOf,
  wordsOf,
} from '../../application/search/search-terms.ts';
import { memoryService } from '../../bootstrap/composition/memory.ts';
import { loadDemoCatalogue } from '../../bootstrap/processes/first-run.ts';
import { ISSUED, paidSale, terms } from '../support/sales.ts';
import { ticketSale } from '../support/selling.ts';

describe('what is looked for', () => {
  it('is read as each thing that it may be', () => {
    for (const [typed, expected] of [
      [' 4711 ', { name: '4711', keys: [], saleId: 4711, words: [] }],
      [
        '111.444.777-35',
        { name: '111.444.777-35', keys: ['tax:11144477735', 'phone:11144477735'], words: [] },
      ],
      [
        '+55 (11) 98765-4321',
        { name: '+55 (11) 98765-4321', keys: ['phone:11987654321'], words: [] },
      ],
      ['Ana@Example.com', { name: 'Ana@Example.com', keys: ['mail:ana@example.com'], words: [] }],
      ['José D’Ávila', { name: 'José D’Ávila', keys: [], words: ['jose', 'd', 'avila'] }],
      ['Pedido 7', { name: 'Pedido 7', keys: [], words: ['pedido', '7'] }],
      ['1234567890123456', { name: '1234567890123456', keys: [], words: [] }],
      ['b-000000062', { name: 'b-000000062', keys: [], saleId: 62, words: ['b', '000000062'] }],
      ['20261128-97-5849945', { name: '20261128-97-5849945', keys: [], saleId: 97, words: [] }],
      ['97-5849945', { name: '97-5849945', keys: ['phone:975849945'], words: [] }],
    ] as const)
      expect(readQuestion(typed), typed).to.deep.equal(expected);
    // A number of eleven digits may be a tax id, a phone, a sale or a name of one.
    expect(readQuestion('11987654321')).to.deep.include({ saleId: 11_987_654_321 });
    expect(readQuestion('11987654321').keys).to.include('phone:11987654321');
  });

  it('has a limited number of words, each of limited length', () => {
    expect(wordsOf(`${'x'.repeat(50)} x x y`)).to.deep.equal(['x'.repeat(40), 'x', 'y']);
    expect(wordsOf(Array.from({ length: 50 }, (_, each) => `w${each}`).join(' '))).to.have.length(
      20,
    );
    expect(wordsOf('ﬁlho İstanbul Straße 山田')).to.deep.equal([
      ...['filho', 'istanbul', 'straße', '山田'],
    ]);
  });
});

describe('under what a sale is found', () => {
  it('are its names, and what its people are known by', () => {
    const insured = {
      ...terms().insured,
      ...{ name: 'Ana Lima', socialName: 'Beto Lima', taxId: '39053344705' as TaxId },
      ...{ email: 'A@Example.com' as Email, phone: '11987654321' as Phone },
    };
    const companion = { name: 'Caio', taxId: '11144477735' as TaxId, birthDate: '2000-01-01' };
    const over = { insured, externalSaleId: 'Pedido-1', additionalInsured: [companion] };
    const sale = paidSale(over as object);
    const corrections = [{ email: 'b@example.com' as Email, at: sale.registeredAt }];
    const entry = searchEntryOf({ ...sale, corrections });
    expect(entry.words).to.deep.equal(['ana', 'lima', 'beto', 'caio']);
    expect([...entry.keys].sort()).to.deep.equal([
      ...[
        'mail:a@example.com',
        'mail:b@example.com',
        'phone:11987654321',
        'tax:11144477735',
        'tax:39053344705',
      ],
    ]);
    expect(saleNamesOf(sale)).to.deep.equal([sale.ticket, 'Pedido-1']);
    expect(saleNamesOf(ISSUED)).to.include(ISSUED.policy.number);
  });

  it('is also a phone of another country, by its digits', () => {
    const insured = { ...terms().insured, phone: '+351 912 345 678' as Phone };
    expect(searchEntryOf(paidSale({ insured })).keys).to.include('phone:351912345678');
  });
});

describe('searching', () => {
  it('finds a sale that was followed, and again after a rebuild, which tells how far it is', async () => {
    const service = memoryService();
    await loadDemoCatalogue(service.useCases);
    const { sell, followSales, searchSales } = service.useCases;
    for (let count = 0; count < 501; count += 1)
      await sell(ticketSale({ externalSaleId: `order-${count}` } as object));
    const find = async (limit = 1_000) => (await searchSales('silva', { limit })).sales.length;
    expect(await find()).to.equal(0);
    expect(await followSales()).to.equal('more');
    while ((await followSales()) === 'more');
    expect(await find()).to.equal(501);
    const { sales, isPartial } = await searchSales('silva', { limit: 1, before: 500 });
    expect([sales[0]?.id, isPartial]).to.deep.equal([499, false]);
    const told: number[] = [];
    const rebuild = makeRebuildSearch({ searchIndex: service.searchIndex });
    expect(await rebuild((entered) => void told.push(entered))).to.equal(501);
    expect(told).to.deep.equal([500, 501]);
    expect(await find()).to.equal(501);
  });
});
