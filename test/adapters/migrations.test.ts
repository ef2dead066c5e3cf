import { Migrator } from '@mikro-orm/migrations';
import { expect } from 'chai';
import { type Channel, type Product, readChannel, readProduct, type Sale } from '#domain';
import { DatabaseCatalogue } from '../../adapters/persistence/catalogue.ts';
import { type Database, openEmbedded, openPostgres } from '../../adapters/persistence/database.ts';
import { DatabaseSales } from '../../adapters/persistence/sales.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { AT, TOTAL } from '../support/sales.ts';

/** What the first version stored: a product with a priced coverage, a channel with one commission, a sale. */
const OLD_PRODUCT = {
  id: 3,
  code: 'CELULAR',
  name: 'Seguro Celular',
  line: 'mobile_phone',
  pricingBasis: 'gross',
  rounding: 'half-up',
  iofClass: 'general',
  collectedBy: 'service',
  registration: {
    susepProcess: '15414.900003/2026-00',
    branchCode: '71',
    branchName: 'Riscos diversos',
    insurer: { name: 'Seguradora', cnpj: '11222333000181', susepCode: '00000' },
  },
  plans: [
    { id: 32, code: 'ANUAL', name: 'Anual', tariff: { kind: 'fixed', amount: 29_900 }, period: { kind: 'months', months: 12 } },
    { id: 31, code: 'MENSAL', name: 'Mensal', tariff: { kind: 'fixed', amount: 2_990 }, period: { kind: 'months', months: 1 } },
  ],
  coverages: [
    { id: 302, code: 'FURTO', name: 'Furto', price: 750 },
    { id: 301, code: 'TELA', name: 'Tela', price: 500 },
  ],
};
const OLD_CHANNEL = {
  channelLink: 'canal-demo',
  name: 'Canal',
  active: true,
  grants: [
    { productCode: 'CELULAR', commissionRate: 200_000, plans: [{ planCode: 'ANUAL', commissionRate: 125_000 }] },
    { productCode: 'INGRESSO', commissionRate: 150_000, plans: [] },
  ],
};
const OLD_TERMS = {
  channelLink: 'canal-demo',
  clientId: 'client-1',
  product: { id: 3, code: 'CELULAR', line: 'mobile_phone' },
  plan: { id: 32, code: 'ANUAL' },
  insured: { name: 'Maria', taxId: '52998224725', birthDate: '1990-05-17', email: 'maria@example.com', phone: '11987654321' },
  insuredObject: {},
  insuredAmount: 188_600,
  quote: {
    premium: { net: 18_860, iof: 1_392, total: TOTAL, iofRate: 73_800, legalBasis: 'Decreto', rounding: 'half-up' },
    commission: { rate: 200_000, amount: 3_772, netAmount: 16_480 },
  },
  period: { start: '2026-11-20', end: '2026-12-31' },
  payment: { method: 'pix', paidOn: '2026-11-20' },
  soldOn: '2026-11-20',
};

const filled = async (database: Database): Promise<void> => {
  await new Migrator(database.entities()).up({ to: '0001-first-sale' });
  const insert = (table: string, text: string, values: unknown[]) => database.run({ name: `old-${table}`, text }, values);
  const { id, code } = OLD_PRODUCT;
  await insert('product', 'insert into product values ($1, $2, $3)', [code, id, JSON.stringify(OLD_PRODUCT)]);
  await insert('channel', 'insert into channel values ($1, $2)', ['canal-demo', JSON.stringify(OLD_CHANNEL)]);
  for (const [ticket, product] of [
    ['T-1', OLD_TERMS.product],
    ['T-2', { id: 9, code: 'ESQUECIDO', line: 'event_ticket' }],
  ] as const) {
    const columns = 'ticket, channel_link, client_id, status, version, registered_at, terms';
    const text = `insert into sale (${columns}) values ($1, 'canal-demo', 'client-1', 'paid', 1, $2, $3)`;
    await insert('sale', text, [ticket, AT, JSON.stringify({ ...OLD_TERMS, product })]);
  }
};

const DATABASES: Readonly<Record<string, () => Promise<Database>>> = {
  PGlite: () => openEmbedded(undefined),
  PostgreSQL: async () => openPostgres({ url: await sharedPostgres.database(), pool: 2 }),
};

for (const [name, open] of Object.entries(DATABASES)) {
  describe(`what the first version stored, brought up to date on ${name}`, () => {
    let database: Database;
    before(async () => {
      database = await open();
      await filled(database);
      await database.migrate();
    });
    after(() => database.close());

    it('are products that the domain reads, with everything that they had', async () => {
      const [product] = (await new DatabaseCatalogue(database).products()) as readonly [Product];
      expect(readProduct(product)).to.deep.equal({ ok: true, value: product });
      expect(product).to.deep.include({ name: 'Seguro Celular', pricingBasis: 'gross', commissionCap: 1_000_000 });
      expect(product.plans).to.deep.equal(OLD_PRODUCT.plans.map((plan) => ({ ...plan, maxInstallments: 12 })));
      expect(product.coverages).to.deep.equal(
        OLD_PRODUCT.coverages.map(({ price: amount, ...coverage }) => ({ ...coverage, tariff: { kind: 'fixed', amount } })),
      );
    });

    it('are channels with their rates', async () => {
      const channel = (await new DatabaseCatalogue(database).channel('canal-demo')) as Channel;
      expect(readChannel(channel)).to.deep.equal({ ok: true, value: channel });
      const agreed = (rate: number) => [{ kind: 'representative', rate }];
      expect(channel.grants).to.deep.equal([
        { productCode: 'CELULAR', commissions: agreed(200_000), plans: [{ planCode: 'ANUAL', commissions: agreed(125_000) }] },
        { productCode: 'INGRESSO', commissions: agreed(150_000), plans: [] },
      ]);
    });

    it('are sales with the figures that they were sold at', async () => {
      const sales = new DatabaseSales(database);
      const { terms, ...sale } = (await sales.find('canal-demo', 1)) as Sale;
      expect(sale).to.deep.equal({
        id: 1,
        ticket: 'T-1',
        version: 1,
        registeredAt: AT,
        status: 'paid',
        payment: { status: 'approved', amount: TOTAL, collectedBy: 'channel', method: 'pix', paidOn: '2026-11-20' },
        receipts: [{ amount: TOTAL, returned: 0 }],
      });
      expect(terms).to.deep.equal({
        ...OLD_TERMS,
        coverages: [],
        cancellation: { kind: 'pro_rata', iof: 'retained' },
        payment: { collectedBy: 'channel', method: 'pix', paidOn: '2026-11-20' },
        quote: {
          prices: [],
          premium: { ...OLD_TERMS.quote.premium, pricingBasis: 'gross' },
          commission: {
            cap: 1_000_000,
            base: 18_860,
            items: [{ kind: 'representative', rate: 200_000, amount: 3_772 }],
            amount: 3_772,
            netAmount: 16_480,
          },
        },
      });
    });

    it('are sales even of products that are gone', async () => {
      const sale = await new DatabaseSales(database).find('canal-demo', 2);
      expect(sale?.terms.quote.premium.pricingBasis).to.equal('net');
    });
  });
}

describe('a sale that was cancelled by other hands before cancellations had figures', () => {
  it('stops the migration, by name, and leaves everything as it was', async () => {
    const database = await openEmbedded(undefined);
    await filled(database);
    const text = `update sale set status = 'cancelled', cancelled_at = now() where id = 1`;
    await database.run({ name: 'by other hands', text }, []);
    const failure = await database.migrate().catch((error: Error) => error);
    expect(String(failure)).to.include('cancelled_before_there_were_figures');
    const columns = `select column_name as name from information_schema.columns where table_name = 'sale'`;
    const rows = await database.run<{ name: string }>({ name: 'columns', text: columns }, []);
    expect(rows.map(({ name }) => name))
      .to.include('cancelled_at')
      .and.not.to.include('progress');
    await database.close();
  });
});
