import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Errors } from 'typebox/value';
import { asRegistered, type Instant, isCertified, refundsOf, type Sale } from '#domain';
import {
  evidenceContent,
  presentEvidence,
} from '../../adapters/http/products/integration/evidence-answer.ts';
import { MemoryDocuments } from '../../adapters/memory/certificate-delivery.ts';
import { DatabaseCatalogue } from '../../adapters/persistence/catalogue/catalogue.ts';
import type { Database } from '../../adapters/persistence/engine/database.ts';
import { migratorOn } from '../../adapters/persistence/engine/migrate-schema.ts';
import { DatabaseMailings } from '../../adapters/persistence/sales/mailings.ts';
import { DatabaseSales } from '../../adapters/persistence/sales/sales.ts';
import type { Certificate } from '../../application/certificates/certificate.ts';
import { makeComposeCertificate } from '../../application/certificates/compose-certificate.ts';
import { makeCollectEvidence } from '../../application/evidence/collect-evidence.ts';
import { memoryService } from '../../bootstrap/composition/memory.ts';
import { openEmptyEmbedded } from '../support/shared.ts';

// Each file holds sales as the version wrote them whose last migration gives the file its name, and
// what is derived from them. The files of released versions are never changed: a change of what is
// derived from a frozen sale is a fault.
const FOLDER = new URL('../golden/stored-sales/', import.meta.url);

const REGISTERED_AT = '2026-11-20T15:00:00.123Z';

interface StoredSale {
  readonly what: string;
  readonly status: Sale['status'];
  readonly terms: object;
  /** Absent before migration 0002. */
  readonly progress?: object;
  /** Absent before migration 0004, and where the sale was not registered under a lease. */
  readonly answered?: object;
  readonly expected: object;
}

interface VersionFile {
  readonly name: string;
  /** The first part of the name. */
  readonly migration: string;
  readonly product?: { readonly id: number; readonly code: string };
  readonly sales: readonly StoredSale[];
}

const VERSIONS: readonly VersionFile[] = readdirSync(FOLDER)
  .map((file) => file.replace('.json', ''))
  .sort()
  .map((name) => ({
    name,
    migration: name.split('.')[0] as string,
    ...JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')),
  }));

const ticketOf = (version: VersionFile, index: number): string => `${version.name}-${index}`;

const insert = async (database: Database, table: string, row: object): Promise<void> => {
  const places = Object.keys(row).map((_, index) => `$${index + 1}`);
  const text = `insert into ${table} (${Object.keys(row)}) values (${places})`;
  await database.run(
    { name: `insert-${table}-${Object.keys(row).length}`, text },
    Object.values(row),
  );
};

const store = async (database: Database, version: VersionFile): Promise<void> => {
  const { product } = version;
  if (product) {
    const { id, code } = product;
    await insert(database, 'product', { code, id, definition: JSON.stringify(product) });
  }
  for (const [index, { status, terms, progress, answered }] of version.sales.entries()) {
    const { bookedAt, cancelledAt } = (progress ?? {}) as Record<string, unknown>;
    await insert(database, 'sale', {
      ticket: ticketOf(version, index),
      channel_link: 'canal-demo',
      client_id: 'client-1',
      status,
      version: 4,
      registered_at: REGISTERED_AT,
      terms: JSON.stringify(terms),
      idempotency_key: ticketOf(version, index),
      idempotency_content: JSON.stringify({ ticketNumber: 'A-1' }),
      ...(progress && { progress: JSON.stringify(progress) }),
      ...(answered && { answered: JSON.stringify(answered) }),
      // Columns since migration 0005.
      ...(version.migration >= '0005' && {
        booked_at: bookedAt ?? null,
        cancelled_at: cancelledAt ?? null,
      }),
    });
  }
};

/**
 * The certificate without the parts that the versions of these sales did not have. The catalogue
 * says nothing of them, and the one coverage has the whole premium.
 */
const withoutLaterParts = (certificate: Certificate): object => {
  const { coverages, coveragesNotBought, conditions, ...rest } = certificate;
  const { net, iof, total } = certificate.premium;
  expect([coveragesNotBought, conditions, coverages.length]).to.deep.equal([
    [],
    { exclusions: [], claimDocuments: [] },
    1,
  ]);
  return {
    ...rest,
    coverages: coverages.map(({ premium, notCovered, ...each }) => {
      expect([premium, notCovered]).to.deep.equal([{ net, iof, total }, []]);
      return each;
    }),
  };
};

describe('sales that earlier versions stored', () => {
  let database: Database;
  before(async () => {
    database = await openEmptyEmbedded();
    for (const version of VERSIONS) {
      await database.entities(async (em) => (await migratorOn(em)).up({ to: version.migration }));
      await store(database, version);
    }
    await database.migrate();
  });
  after(() => database.close());

  /**
   * What a sale's certificate says, its lines in the statement, and what a repeated request is
   * answered.
   */
  const derivedFrom = async (ticket: string): Promise<object> => {
    const sales = new DatabaseSales(database, async () => {});
    const catalogue = new DatabaseCatalogue(database);
    const sale = (await sales.loadByTicket(ticket)) as Sale;

    const certify = makeComposeCertificate({ catalogue, publicUrl: 'https://sales.example' });
    const statement: object[] = [];
    const from = '2026-11-01T00:00:00.000Z' as Instant;
    const to = '2027-01-01T00:00:00.000Z' as Instant;
    for await (const line of sales.booked({ channelLink: 'canal-demo', from, to }))
      if (line.sale.ticket === ticket) {
        // The golden files were written before a line told how its sale and its refunds stand.
        const { sale: of, returning, ...told } = line;
        const { status, ...named } = of;
        expect(status).to.equal(sale.status);
        if (returning !== undefined) expect(returning.refunds).to.deep.equal(refundsOf(sale));
        statement.push({ ...told, sale: named });
      }

    const seller = { clientId: 'client-1', channelLink: 'canal-demo' };
    const earlier = await sales.findEarlier(seller, { owner: 'client', key: ticket });
    const replayed = earlier?.answered ?? (earlier && asRegistered(earlier.sale));
    expect(earlier?.sale).to.deep.equal(sale);
    expect(earlier?.content).to.deep.equal({ ticketNumber: 'A-1' });
    expect(replayed?.terms).to.deep.equal(sale.terms);
    // The golden files were written before a sale knew its key.
    const { terms: _, idempotencyKey, ...replay } = replayed as Sale;
    expect(idempotencyKey ?? ticket).to.equal(ticket);

    const certificate = isCertified(sale) ? withoutLaterParts(await certify(sale)) : null;
    return JSON.parse(JSON.stringify({ certificate, statement, replay }));
  };

  /** Fields of the evidence that are not as the OpenAPI document says. */
  const faultsOfEvidence = async (ticket: string): Promise<readonly object[]> => {
    const sales = new DatabaseSales(database, async () => {});
    const catalogue = new DatabaseCatalogue(database);
    const collect = makeCollectEvidence({
      catalogue,
      documents: new MemoryDocuments(),
      mailings: new DatabaseMailings(database),
      evidenceSeal: memoryService().evidenceSeal,
      composeCertificate: makeComposeCertificate({ catalogue, publicUrl: 'https://sales.example' }),
    });
    const sale = (await sales.loadByTicket(ticket)) as Sale;
    return [...Errors(evidenceContent, presentEvidence(await collect(sale)))];
  };

  /** Versions before migration 0019 knew disputes and cash by `barred` alone. */
  it('with a dispute or cash: known as such', async () => {
    const sales = new DatabaseSales(database, async () => {});
    const [{ id } = { id: 0 }] = await database.run<{ id: number }>(
      { name: 'one', text: 'select id::int as id from sale order by id limit 1' },
      [],
    );
    const store = async (by: string): Promise<void> => {
      const barred = { by, respondBy: '2026-12-15' };
      const receipt = { chargeId: 'ch-1', amount: 20_252, returned: 0, barred };
      const text = `update sale set progress = (progress::jsonb || jsonb_build_object('receipts', $1::jsonb))::json where id = $2`;
      await database.run({ name: 'bar', text }, [JSON.stringify([receipt]), id]);
    };
    const receipts = async () => (await sales.load(id))?.receipts[0];

    await store('paid_in_cash');
    expect(await receipts()).to.deep.equal({
      ...{ chargeId: 'ch-1', amount: 20_252, returned: 0, inCash: true },
    });
    await store('dispute');
    expect((await receipts())?.dispute).to.include({
      ...{ status: 'opened', amount: 20_252, respondBy: '2026-12-15' },
    });
  });

  for (const version of VERSIONS)
    for (const [index, { what }] of version.sales.entries())
      it(`${version.migration}, ${what}: complete evidence`, async () => {
        expect(await faultsOfEvidence(ticketOf(version, index))).to.deep.equal([]);
      });

  for (const version of VERSIONS)
    for (const [index, { what, expected }] of version.sales.entries())
      it(`${version.name}, ${what}: same certificate, statement and replay`, async () => {
        expect(await derivedFrom(ticketOf(version, index))).to.deep.equal(expected);
      });
});
