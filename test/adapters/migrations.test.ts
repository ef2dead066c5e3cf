import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import {
  bookingsOf,
  type Instant,
  type NewSale,
  readChannel,
  readProduct,
  type Sale,
  type VersionedChannel,
  type VersionedProduct,
} from '#domain';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { DatabaseCatalogue } from '../../adapters/persistence/catalogue/catalogue.ts';
import { type Database, openPostgres } from '../../adapters/persistence/engine/database.ts';
import { migratorOn } from '../../adapters/persistence/engine/migrate-schema.ts';
import { DatabasePartnerEvents } from '../../adapters/persistence/events/partner-events.ts';
import { DatabaseClients } from '../../adapters/persistence/identity/clients.ts';
import { DatabaseRefreshTokens } from '../../adapters/persistence/identity/refresh-tokens.ts';
import { DatabaseAuditLog } from '../../adapters/persistence/operations/audit-log.ts';
import { DatabaseMailings } from '../../adapters/persistence/sales/mailings.ts';
import { DatabaseSales } from '../../adapters/persistence/sales/sales.ts';
import { MIGRATIONS } from '../../adapters/persistence/schema/migrations/index.ts';
import { makeManageCatalogue } from '../../application/catalogue/manage-catalogue.ts';
import { EVENT_TYPES, type FeedPage } from '../../application/events/partner-events.ts';
import { expectError } from '../support/expected-error.ts';
import { ADMINISTRATOR, entry } from '../support/identity.ts';
import { rowsIn } from '../support/postgres.ts';
import { insertSale } from '../support/sale-writer.ts';
import { AT, salesInEveryState, TOTAL, terms } from '../support/sales.ts';
import { ServiceProcess } from '../support/service.ts';
import { openEmptyEmbedded, sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

/**
 * Rows of the first version: a product with a priced coverage, a channel with one commission, a
 * sale.
 */
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
    {
      id: 32,
      code: 'ANUAL',
      name: 'Anual',
      tariff: { kind: 'fixed', amount: 29_900 },
      period: { kind: 'months', months: 12 },
    },
    {
      id: 31,
      code: 'MENSAL',
      name: 'Mensal',
      tariff: { kind: 'fixed', amount: 2_990 },
      period: { kind: 'months', months: 1 },
    },
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
    {
      productCode: 'CELULAR',
      commissionRate: 200_000,
      plans: [{ planCode: 'ANUAL', commissionRate: 125_000 }],
    },
    { productCode: 'INGRESSO', commissionRate: 150_000, plans: [] },
  ],
};
const OLD_TERMS = {
  channelLink: 'canal-demo',
  clientId: 'client-1',
  product: { id: 3, code: 'CELULAR', line: 'mobile_phone' },
  plan: { id: 32, code: 'ANUAL' },
  insured: {
    name: 'Maria',
    taxId: '52998224725',
    birthDate: '1990-05-17',
    email: 'maria@example.com',
    phone: '11987654321',
  },
  insuredObject: {},
  insuredAmount: 188_600,
  quote: {
    premium: {
      net: 18_860,
      iof: 1_392,
      total: TOTAL,
      iofRate: 73_800,
      legalBasis: 'Decreto',
      rounding: 'half-up',
    },
    commission: { rate: 200_000, amount: 3_772, netAmount: 16_480 },
  },
  period: { start: '2026-11-20', end: '2026-12-31' },
  payment: { method: 'pix', paidOn: '2026-11-20' },
  soldOn: '2026-11-20',
};

const LATER = '2199-01-01T00:00:00.000Z';

const filled = async (database: Database): Promise<void> => {
  await database.entities(async (em) => (await migratorOn(em)).up({ to: '0001-first-sale' }));
  const insert = (table: string, text: string, values: unknown[]) =>
    database.run({ name: `old-${table}`, text }, values);
  const { id, code } = OLD_PRODUCT;
  await insert('product', 'insert into product values ($1, $2, $3)', [
    code,
    id,
    JSON.stringify(OLD_PRODUCT),
  ]);
  await insert('channel', 'insert into channel values ($1, $2)', [
    'canal-demo',
    JSON.stringify(OLD_CHANNEL),
  ]);
  const client = [
    'client-1',
    'Bilheteria',
    'canal-demo',
    '["sales"]',
    'active',
    '["older", "newer"]',
    AT,
  ];
  await insert('client', 'insert into api_client values ($1, $2, $3, $4, $5, $6, $7)', client);
  const family = ['family-1', 'client-1', '["sales"]', LATER];
  await insert(
    'family',
    'insert into token_family (family_id, client_id, scopes, expires_at) values ($1, $2, $3, $4)',
    family,
  );
  await insert('token', 'insert into refresh_token (hash, family_id) values ($1, $2)', [
    'token-1',
    'family-1',
  ]);
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
  PGlite: () => openEmptyEmbedded(),
  PostgreSQL: async () => openPostgres({ url: await sharedPostgres.database(), pool: 2 }),
};

for (const [name, open] of Object.entries(DATABASES)) {
  describe(`rows of the first version, migrated on ${name}`, () => {
    let database: Database;
    before(async () => {
      database = await open();
      await filled(database);
      await database.migrate();
    });
    after(() => database.close());

    it('are products that the domain accepts, with all their data', async () => {
      const { products } = await new DatabaseCatalogue(database).current();
      const [{ version, ...product }] = products as readonly [VersionedProduct];
      expect(version).to.be.above(0);
      expect(readProduct(product)).to.deep.equal({ ok: true, value: product });
      expect(product).to.deep.include({
        name: 'Seguro Celular',
        pricingBasis: 'gross',
        commissionCap: 1_000_000,
      });
      expect(product.plans).to.deep.equal(
        OLD_PRODUCT.plans.map((plan) => ({ ...plan, maxInstallments: 12 })),
      );
      expect(product.coverages).to.deep.equal(
        OLD_PRODUCT.coverages.map(({ price: amount, ...coverage }) => ({
          ...coverage,
          tariff: { kind: 'fixed', amount },
        })),
      );
    });

    it('are channels with their rates', async () => {
      const { channels } = await new DatabaseCatalogue(database).current();
      const { version, ...channel } = channels.get('canal-demo') as VersionedChannel;
      expect(version).to.equal(1);
      expect(readChannel(channel)).to.deep.equal({ ok: true, value: channel });
      const agreed = (rate: number) => [{ kind: 'representative', rate }];
      expect(channel.grants).to.deep.equal([
        {
          productCode: 'CELULAR',
          commissions: agreed(200_000),
          plans: [{ planCode: 'ANUAL', commissions: agreed(125_000) }],
        },
        { productCode: 'INGRESSO', commissions: agreed(150_000), plans: [] },
      ]);
    });

    it('are version 1 of a catalogue that can be changed, also where it had faults', async () => {
      const catalogue = new DatabaseCatalogue(database);
      const { products, channels } = await catalogue.load();
      expect([...products, ...channels].map(({ version }) => version)).to.deep.equal([1, 1]);
      expect((await catalogue.productVersion('CELULAR', 1))?.definition).to.deep.equal(
        products[0]?.definition,
      );
      // The channel had been granted a product that there is not.
      const { putProduct, putChannel } = makeManageCatalogue({
        catalogue,
        readProduct,
        clock: new MemoryClock(AT),
      });
      const renamed = { ...products[0]?.definition, name: 'Outro nome' };
      expect((await putProduct(renamed, ADMINISTRATOR)).kind).to.equal('replaced');
      expect(
        (await putChannel({ ...channels[0]?.definition, name: 'Outro' }, ADMINISTRATOR)).kind,
      ).to.equal('faulty');
      await putProduct(products[0]?.definition, ADMINISTRATOR);
    });

    it('are clients with their secrets, and logins that stay valid', async () => {
      const client = await new DatabaseClients(database).find('client-1');
      expect(client).to.deep.equal({
        ...{
          clientId: 'client-1',
          name: 'Bilheteria',
          channelLink: 'canal-demo',
          scopes: ['sales'],
          status: 'active',
        },
        secrets: ['newer', 'older'].map((hash) => ({ hash, createdAt: AT, expiresAt: null })),
        ...{ generation: 0, createdAt: AT, version: 1 },
      });
      const rotation = {
        hash: 'token-1',
        successorHash: 'token-2',
        sealedSuccessor: 'sealed',
        at: AT as Instant,
      };
      const rotated = await new DatabaseRefreshTokens(database).rotate(rotation);
      expect(rotated).to.deep.nested.include({
        kind: 'rotated',
        'family.generation': 0,
        'family.expiresAt': LATER,
      });
    });

    it('are sales with the amounts that they were sold at', async () => {
      const sales = new DatabaseSales(database, async () => {});
      const { terms, ...sale } = (await sales.find('canal-demo', 1)) as Sale;
      expect(sale).to.deep.equal({
        id: 1,
        ticket: 'T-1',
        version: 1,
        registeredAt: AT,
        status: 'paid',
        payment: {
          status: 'approved',
          amount: TOTAL,
          collectedBy: 'channel',
          method: 'pix',
          paidOn: '2026-11-20',
        },
        bookedAt: AT,
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

    it('are sales also of products that no longer exist', async () => {
      const sale = await new DatabaseSales(database, async () => {}).find('canal-demo', 2);
      expect(sale?.terms.quote.premium.pricingBasis).to.equal('net');
    });
  });
}

for (const [name, open] of Object.entries(DATABASES)) {
  describe(`the append-only tables, on ${name}`, () => {
    it('refuse update, delete and truncate in the database itself', async () => {
      const database = await open();
      await database.migrate();
      const run = (text: string) => database.run({ name: text, text }, []);
      await new DatabaseAuditLog(database).append(entry());
      const columns = { audit_entry: 'action', catalogue_version: 'name' };
      for (const [table, column] of Object.entries(columns)) {
        const attempts = [
          `update ${table} set ${column} = 'x'`,
          `update ${table} set ${column} = 'x' where false`,
          `delete from ${table}`,
          `truncate ${table}`,
          `with gone as (delete from ${table} returning 1) select * from gone`,
        ];
        for (const attempt of attempts) {
          const failure = await expectError(run(attempt));
          expect(failure, attempt)
            .to.be.instanceOf(Error)
            .and.to.have.property('message', `${table} is append-only`);
        }
      }
      await run(`set session_replication_role = 'replica'`);
      const failure = await expectError(run('delete from audit_entry'));
      expect(failure).to.be.instanceOf(Error);
      expect(await new DatabaseAuditLog(database).list({ limit: 10 })).to.have.length(1);
      await database.close();
    });
  });
}

describe('a sale that was cancelled by hand before cancellations had amounts', () => {
  it('stops the migration with a named error, and changes nothing', async () => {
    const database = await openEmptyEmbedded();
    await filled(database);
    const text = `update sale set status = 'cancelled', cancelled_at = now() where id = 1`;
    await database.run({ name: 'by hand', text }, []);
    const failure = await expectError(database.migrate());
    expect(String(failure)).to.include('cancelled_before_there_were_figures');
    const columns = `select column_name as name from information_schema.columns where table_name = 'sale'`;
    const rows = await database.run<{ name: string }>({ name: 'columns', text: columns }, []);
    expect(rows.map(({ name }) => name))
      .to.include('cancelled_at')
      .and.not.to.include('progress');
    await database.close();
  });
});

for (const [name, open] of Object.entries(DATABASES)) {
  describe(`rows of migration 0004, migrated on ${name}`, () => {
    let database: Database;
    before(async () => {
      database = await open();
      await database.entities(async (em) => (await migratorOn(em)).up({ to: '0004-payment' }));
      const columns =
        'ticket, channel_link, client_id, status, version, registered_at, terms, progress';
      for (const [index, sale] of salesInEveryState().entries()) {
        const { id: _, ticket: __, version, status, registeredAt, terms, ...rest } = sale;
        const { bookedAt: ___, ...progress } = rest as { bookedAt?: unknown };
        const values = [
          `T-${index}`,
          terms.channelLink,
          terms.clientId,
          status,
          version,
          registeredAt,
        ];
        const text = `insert into sale (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8)`;
        await database.run({ name: 'four', text }, [
          ...values,
          JSON.stringify(terms),
          JSON.stringify(progress),
        ]);
      }
      await database.migrate();
    });
    after(() => database.close());

    it('are sales that are booked on the day of their payment, and unpaid ones are not', async () => {
      const sales = new DatabaseSales(database, async () => {});
      for (const [index, sale] of salesInEveryState().entries()) {
        const found = (await sales.loadByTicket(`T-${index}`)) as Sale;
        const before = { ...sale, id: found.id, ticket: `T-${index}` };
        const isBooked = 'bookedAt' in sale && sale.bookedAt !== undefined;
        // The service's payments were stored with their day only, so they are booked at noon.
        const bookedAt =
          sale.terms.payment.collectedBy === 'channel' ? AT : '2026-11-21T15:00:00.000Z';
        expect(found, `${index} ${sale.status}`).to.deep.equal(
          isBooked ? { ...before, bookedAt } : before,
        );
      }
    });

    it('are in statements of channels', async () => {
      const kinds: string[] = [];
      const query = {
        channelLink: 'canal-demo',
        from: '2026-11-01T03:00:00.000Z',
        to: '2026-12-31T03:00:00.000Z',
      } as const;
      const sales = new DatabaseSales(database, async () => {});
      for await (const { booking } of sales.booked(query as Parameters<typeof sales.booked>[0]))
        kinds.push(booking.kind);
      const expected = salesInEveryState().flatMap((sale) =>
        bookingsOf(sale).map(({ kind }) => kind),
      );
      expect(kinds.sort()).to.deep.equal(expected.sort());
    });
  });
}

for (const [name, open] of Object.entries(DATABASES)) {
  describe(`rows of migration 0008, migrated on ${name}`, () => {
    let database: Database;
    before(async () => {
      database = await open();
      await database.entities(async (em) => (await migratorOn(em)).up({ to: '0008-as-written' }));
    });
    after(() => database.close());

    it('are clients of channels without `admin`, with an audit entry for each change', async () => {
      const insert = {
        name: 'insert-client',
        text: `
          insert into api_client (client_id, name, channel_link, scopes, status, secrets, generation, created_at, version)
          values ($1, $1, $2, $3, 'active', '[]', 0, now(), 1)`,
      };
      const CLIENTS: readonly [string, string | null, string][] = [
        ['both', 'canal', '["sales", "admin"]'],
        ['administers-channel', 'canal', '["admin"]'],
        ['sells', 'canal', '["sales"]'],
        ['administers', null, '["admin"]'],
      ];
      for (const client of CLIENTS) await database.run(insert, [...client]);
      await database.migrate();
      const clients = new DatabaseClients(database);
      const scopes = await Promise.all(
        CLIENTS.map(async ([id]) => (await clients.find(id))?.scopes),
      );
      expect(scopes).to.deep.equal([['sales'], ['sales'], ['sales'], ['admin']]);
      const entries = await new DatabaseAuditLog(database).list({
        action: 'client.scopes_reduced',
        limit: 10,
      });
      expect(
        entries.map(({ subject, reason, actor }) => [subject, reason, actor.kind]),
      ).to.have.deep.members([
        ['api-client/both', 'admin_excludes_channel', 'service'],
        ['api-client/administers-channel', 'admin_excludes_channel', 'service'],
      ]);
      const both = entries.find(({ subject }) => subject === 'api-client/both');
      expect(both?.changes).to.deep.equal([
        { field: 'scopes', before: ['sales', 'admin'], after: ['sales'] },
      ]);
    });

    it('are sales with composed names, where no other sale has that name', async () => {
      await database.run(
        { name: 'undone', text: `delete from mikro_orm_migrations where name like '0009-%'` },
        [],
      );
      const sales = new DatabaseSales(database, async () => {});
      const [sold] = salesInEveryState();
      const NAMES = [
        'plain',
        'e\u0301 alone',
        '\u00e9 twice',
        'e\u0301 twice',
        'a\u0301e\u0301',
        '\u00e1e\u0301',
      ];
      for (const [index, externalSaleId] of NAMES.entries())
        await sales.register({
          ...(sold as Sale),
          ticket: `name-${index}`,
          terms: { ...(sold as Sale).terms, channelLink: 'nomes', externalSaleId },
        } as NewSale);
      await database.migrate();
      const stored = await database.run<{ external_sale_id: string }>(
        {
          name: 'names',
          text: `select external_sale_id from sale where channel_link = 'nomes' order by id`,
        },
        [],
      );
      expect(stored.map(({ external_sale_id }) => external_sale_id)).to.deep.equal([
        ...[
          'plain',
          '\u00e9 alone',
          '\u00e9 twice',
          'e\u0301 twice',
          '\u00e1\u00e9',
          '\u00e1e\u0301',
        ],
      ]);
    });
  });

  describe(`rows of migration 0024, migrated on ${name}`, () => {
    let database: Database;
    before(async () => {
      database = await open();
      await database.entities(async (em) =>
        (await migratorOn(em)).up({ to: '0024-expand-mail-claims' }),
      );
      const run = (text: string) => database.run({ text }, []);
      const SOLD = JSON.stringify(terms()).replaceAll("'", "''");
      // Sale 2 is not paid yet. Of sale 4, a change waits for its place already.
      await run(`
        insert into sale (ticket, channel_link, client_id, status, version, registered_at, booked_at, terms, progress)
        select 'ticket-' || g, 'canal-demo', 'client', case g when 2 then 'pending' else 'paid' end, 1,
          '2026-11-20T15:00Z'::timestamptz + g * interval '1 s',
          case g when 2 then null else '2026-11-20T15:00Z'::timestamptz + g * interval '1 s' end,
          '${SOLD}', '{"bookedAt":"2026-11-20T15:00:01.000Z"}'
        from generate_series(1, 4) as g`);
      await run(`
        insert into registration_range (first_place, first_sale, last_sale, at)
        values (11, 1, 1, now()), (15, 2, 3, now())`);
      await run('update event_numbering set last_place = 18, sale_id = 3');
      await run(`
        insert into new_partner_event (channel_link, type, at, sale_id, state)
        select channel_link, 'sale.refused', now(), id,
          state_of_sale(version, 'refused', now(), progress) from sale where id = 4`);
      await run(`
        insert into mailing (sale_id, number, requested_at, status, claimed_until)
        values (1, 0, now(), 'handed_over', '2099-01-01Z'), (3, 0, now(), 'handed_over', null)`);
      await database.migrate();
    });
    after(() => database.close());

    it('are registrations that keep their places, and those without one come next, before their changes', async () => {
      const events = new DatabasePartnerEvents(database);
      expect(await events.givePlaces('2026-11-20T15:00:00.000Z' as Instant)).to.equal('done');
      const query = { channelLink: 'canal-demo', after: 0, types: EVENT_TYPES, limit: 100 };
      const page = (await events.read(query)) as FeedPage;
      expect(
        page.events.map(
          (event) => `${event.place} ${event.type} ${'sale' in event && event.sale.id}`,
        ),
      ).to.deep.equal([
        '11 sale.registered 1',
        '12 sale.paid 1',
        '15 sale.registered 2',
        '17 sale.registered 3',
        '18 sale.paid 3',
        '19 sale.registered 4',
        '20 sale.paid 4',
        '21 sale.refused 4',
      ]);
      const marks = { text: 'select distinct place::int from place_mark order by place desc' };
      expect(await database.run(marks, [])).to.deep.equal([{ place: 18 }]);
    });

    it('are mails of workers, and those in the job queue of an earlier version wait again', async () => {
      const now = '2026-11-20T15:00:00.000Z' as Instant;
      const claim = { now, until: '2026-11-20T15:02:00.000Z' as Instant, limit: 10 };
      expect(await new DatabaseMailings(database).claim(claim)).to.deep.equal([
        { saleId: 3, number: 0, failures: 0 },
      ]);
    });
  });

  describe(`a schema of a newer version, on ${name}`, () => {
    it('is refused with a reason after a `contract` migration, and accepted after an `expand` migration', async () => {
      const database = await open();
      await database.migrate();
      const executed = (migration: string) =>
        database.run(
          {
            name: `executed-${migration}`,
            text: 'insert into mikro_orm_migrations (name) values ($1)',
          },
          [migration],
        );
      await executed('9998-expand-more');
      await database.migrate();
      await executed('9999-contract-less');
      const { message } = await expectError(database.migrate());
      expect(message).to.equal(
        'the database is too new for this version of the service: it has 9999-contract-less. Start the version that made this change, or a newer one',
      );
      await database.close();
    });
  });
}

const SIGNING_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

describe('a `contract` migration', () => {
  it('is refused while processes listen that do not know the migration before it', async () => {
    const url = await sharedPostgres.database();
    const database = await openPostgres({ url, pool: 2 });
    const migrateTo = (to: string) =>
      database.entities(async (em) => (await migratorOn(em)).up({ to }));
    const work = async (statement: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(statement);
      return client;
    };
    await migrateTo('0024-expand-mail-claims');
    const web = await work('listen insurance_sales');
    const { message } = await expectError(database.migrate());
    expect(message).to.match(
      /^processes of a version before 0025-expand-registration-events .* from 127\.0\.0\.1/,
    );
    await web.end();
    const worker = await work(`select 'as from jobs.job'`);
    await expectError(database.migrate());

    // A process that does not say what it knows may be of the version that migrated last.
    await migrateTo('0025-expand-registration-events');
    const saying = await work('listen insurance_sales -- 0024-expand-mail-claims');
    await expectError(database.migrate());
    await saying.end();
    await database.migrate();
    await worker.end();
    await database.close();
  });

  it('finds each process by what it knows, a worker without jobs too', async () => {
    const url = await sharedPostgres.database();
    const keys = { SECRETS_KEY: randomBytes(32).toString('base64'), SIGNING_KEY };
    const worker = new ServiceProcess({
      ...{ DATABASE_URL: url, DATA_DIR: 'memory:', ROLE: 'worker', ...keys },
      PUBLIC_URL: 'http://sales.test',
    });
    const listening = `
      select query from pg_stat_activity
      where datname = current_database() and query like 'listen %'`;
    const [found] = await within(
      () => rowsIn<{ query: string }>(url, listening),
      (rows) => rows.length > 0,
    );
    await worker.end('SIGKILL');
    expect(found?.query).to.equal(`listen insurance_sales -- ${MIGRATIONS.at(-1)?.name}`);
  });
});

describe('migration 0026', () => {
  it('leaves the triggers alone that keep tables append-only', async () => {
    const database = await openEmptyEmbedded();
    await database.migrate();
    const triggers = `
      select distinct proname as name from pg_trigger join pg_proc on pg_proc.oid = tgfoid
      where not tgisinternal`;
    expect(await database.run({ text: triggers }, [])).to.deep.equal([{ name: 'refuse_change' }]);
    await database.close();
  });

  it('waits for a long read, while sales go on', async () => {
    const url = await sharedPostgres.database();
    const database = await openPostgres({ url, pool: 2 });
    await database.entities(async (em) =>
      (await migratorOn(em)).up({ to: '0025-expand-registration-events' }),
    );
    const [reader, seller] = await Promise.all(
      [0, 1].map(async () => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        return client;
      }),
    );
    if (!reader || !seller) throw new Error('a connection is missing');
    await reader.query('begin; select from sale');
    const migrated = database.migrate();
    const waiting = `
      select from pg_stat_activity
      where datname = current_database() and (wait_event_type = 'Lock' or wait_event = 'PgSleep')`;
    while ((await seller.query(waiting)).rowCount === 0) await setTimeout(5);
    await insertSale(seller, 'sold meanwhile', 'canal-demo');
    await reader.query('commit');
    await migrated;
    await Promise.all([reader, seller].map((client) => client.end()));
    await database.close();
  });
});

describe('a migration', () => {
  const TAKES_AWAY =
    /\b(drop|rename|truncate|delete\s+from|alter\s+column(?!\s+\w+\s+set\s+default)|set\s+not\s+null|add\s+constraint|revoke)\b/i;
  const ADDS = /\b(create|add\s+column|set\s+default|insert\s+into)\b/i;

  it('either adds or removes, as its name says, so that the version before keeps working beside this one', async () => {
    const database = await openEmptyEmbedded();
    // Names before 0009 do not say it.
    for (const { name, load } of MIGRATIONS.slice(8)) {
      expect(name).to.match(/^\d{4}-(expand|contract)-[a-z-]+$/);
      const Step = await load();
      const step = await database.entities(async (em) => new Step(em.getDriver(), em.config));
      step.up();
      // A trigger that forbids to delete takes nothing away, nor does what is stored elsewhere now.
      const statements = step
        .getQueries()
        .map(String)
        .join(';\n')
        .replaceAll('before update or delete or truncate on', '')
        .replaceAll(/delete from (registration_range|new_registration) /g, '');
      expect(statements, name).not.to.match(name.includes('-expand-') ? TAKES_AWAY : ADDS);
    }
    await database.close();
  });
});
