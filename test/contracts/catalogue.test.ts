import { expect } from 'chai';
import {
  businessDay,
  type CalendarDate,
  type Channel,
  findIofRate,
  type Instant,
  mergeIofRates,
  type Product,
  rate,
  readProduct,
} from '#domain';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { makeManageCatalogue } from '../../application/catalogue/manage-catalogue.ts';
import { makeManageIofRates } from '../../application/catalogue/manage-iof-rates.ts';
import { DEMO_CHANNEL, DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';
import { saveVersion, TICKET_PRODUCT, versionAt } from '../support/catalogue.ts';
import { ADMINISTRATOR, AT, entry } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';

const DAY = businessDay(AT);
const LATER = '2026-11-21T15:00:00.000Z' as Instant;

const nextChannel = (name: string, version: number) =>
  versionAt({ ...DEMO_CHANNEL, name }, LATER, { version });

overEveryStore('the catalogue', (store) => {
  const save = async (
    definition: Product | Channel,
    given: Parameters<typeof versionAt>[2] & { readonly at?: Instant } = {},
  ): Promise<void> => {
    const { catalogue } = store();
    expect(await saveVersion(catalogue, versionAt(definition, given.at ?? AT, given))).to.equal(
      'saved',
    );
  };
  const productsOn = async (day: string, code = 'INGRESSO') =>
    (await store().catalogue.on(day as CalendarDate)).products.filter((each) => each.code === code);
  const entries = async () => (await store().auditLog.list({ limit: 100 })).length;

  it('is empty at first', async () => {
    expect((await store().catalogue.current()).products).to.deep.equal([]);
    expect((await store().catalogue.current()).channels.get('canal-demo')).to.equal(undefined);
    expect((await store().catalogue.load()).versions).to.deep.equal([]);
  });

  it('keeps products unchanged, in the order of their ids', async () => {
    for (const product of [...DEMO_PRODUCTS].reverse()) await save(product);
    expect((await store().catalogue.current()).products).to.deep.equal(
      DEMO_PRODUCTS.map((each) => ({ ...each, version: 1 })),
    );
    const { versions } = await store().catalogue.load();
    expect(versions).to.have.deep.members(DEMO_PRODUCTS.map((each) => versionAt(each, AT)));
  });

  it('keeps channels unchanged, and returns undefined for an unknown one', async () => {
    await save(DEMO_CHANNEL);
    expect((await store().catalogue.current()).channels.get('canal-demo')).to.deep.equal({
      ...DEMO_CHANNEL,
      version: 1,
    });
    expect((await store().catalogue.current()).channels.get('canal-alheio')).to.equal(undefined);
  });

  it('replaces a definition that is saved again, and keeps the earlier version', async () => {
    const [inactive, renamed] = [
      { ...DEMO_CHANNEL, active: false },
      { ...TICKET_PRODUCT, name: 'Outro nome' },
    ];
    await save(inactive, { at: LATER, version: 2 });
    await save(renamed, { at: LATER, version: 2 });
    const { catalogue } = store();
    expect((await catalogue.current()).channels.get('canal-demo')).to.deep.equal({
      ...inactive,
      version: 2,
    });
    const others = DEMO_PRODUCTS.slice(1).map((each) => ({ ...each, version: 1 }));
    expect((await catalogue.current()).products).to.deep.equal([
      { ...renamed, version: 2 },
      ...others,
    ]);
    expect(
      (await catalogue.load()).versions.filter(({ kind }) => kind === 'channel'),
    ).to.have.deep.members([
      versionAt(DEMO_CHANNEL, AT),
      versionAt(inactive, LATER, { version: 2 }),
    ]);
    expect(await catalogue.channelVersion('canal-demo', 1)).to.deep.equal({
      definition: DEMO_CHANNEL,
      version: 1,
      updatedAt: AT,
      effectiveFrom: DAY,
    });
    expect(await catalogue.productVersion('INGRESSO', 1)).to.deep.equal({
      definition: TICKET_PRODUCT,
      version: 1,
      updatedAt: AT,
      effectiveFrom: DAY,
    });
    expect((await catalogue.productVersion('INGRESSO', 2))?.definition.name).to.equal('Outro nome');
    expect(await catalogue.productVersion('INGRESSO', 3)).to.equal(undefined);
    expect(await catalogue.productVersion('canal-demo', 1)).to.equal(undefined);
  });

  it('saves one of many changes made from the same revision, with one audit entry', async () => {
    const before = await entries();
    const { revision } = await store().catalogue.load();
    const changes = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? versionAt({ ...TICKET_PRODUCT, name: `try ${index}` }, LATER, { version: 3 })
        : versionAt({ ...DEMO_CHANNEL, name: `try ${index}` }, LATER, { version: 3 }),
    );
    const outcomes = await Promise.all(
      changes.map((each) => store().catalogue.save(each, revision, entry())),
    );
    expect(outcomes.filter((outcome) => outcome === 'saved')).to.have.length(1);
    const winner = `try ${outcomes.indexOf('saved')}`;
    const names = [
      (await store().catalogue.current()).products[0]?.name,
      (await store().catalogue.current()).channels.get('canal-demo')?.name,
    ];
    expect(names.filter((name) => name?.startsWith('try'))).to.deep.equal([winner]);
    expect((await entries()) - before).to.equal(1);
  });

  it('increments the revision with each saved change, and not with a stale one', async () => {
    const { catalogue } = store();
    const { revision } = await catalogue.load();
    expect(await catalogue.save(nextChannel('Um', 4), revision, entry())).to.equal('saved');
    expect((await catalogue.load()).revision).to.equal(revision + 1);
    expect(await catalogue.save(nextChannel('Dois', 5), revision, entry())).to.equal('stale');
    expect((await catalogue.load()).revision).to.equal(revision + 1);
  });

  it('saves all simultaneous changes of different channels', async () => {
    const { catalogue } = store();
    const { putChannel } = makeManageCatalogue({
      catalogue,
      readProduct,
      clock: new MemoryClock(AT),
      gateways: { names: [] },
    });
    const links = Array.from(
      { length: 30 },
      (_, index) => `canal-${String(index).padStart(2, '0')}`,
    );
    const puts = [...links]
      .reverse()
      .map((channelLink) =>
        putChannel({ ...DEMO_CHANNEL, channelLink, grants: [] }, ADMINISTRATOR),
      );
    expect(new Set((await Promise.all(puts)).map(({ kind }) => kind))).to.deep.equal(
      new Set(['created']),
    );
    expect([...(await catalogue.current()).channels.keys()]).to.deep.equal([
      ...links,
      'canal-demo',
    ]);
  });

  it('has each version in force from its first day on, the highest of those of one day', async () => {
    const { catalogue } = store();
    const at = '2030-01-01T15:00:00.000Z' as Instant;
    const named = (name: string) => ({ ...TICKET_PRODUCT, code: 'DATADO', id: 800, name });
    const put = (name: string, version: number, effectiveFrom: string) =>
      save(named(name), { at, version, effectiveFrom });
    await put('first', 1, '2030-01-01');
    await put('march', 2, '2030-03-01');
    await put('february', 3, '2030-02-01');
    await put('february again', 4, '2030-02-01');
    const found = async (day: string) =>
      (await productsOn(day, 'DATADO')).map(({ name, version, from, until }) => ({
        ...{ name, version, from, until },
      }));

    const first = { name: 'first', version: 1, from: undefined, until: '2030-01-31' };
    // What was paid before the product was stored here gets its first version.
    for (const day of ['2029-12-31', '2030-01-01', '2030-01-31'])
      expect(await found(day), day).to.deep.equal([first]);
    expect(await found('2030-02-01')).to.deep.equal([
      { name: 'february again', version: 4, from: '2030-02-01', until: '2030-02-28' },
    ]);
    expect(await found('2030-03-01')).to.deep.equal([
      { name: 'march', version: 2, from: '2030-03-01', until: undefined },
    ]);

    const withdrawn = versionAt(named(''), at, { version: 5, effectiveFrom: '2030-02-01' });
    await saveVersion(catalogue, { ...withdrawn, definition: null } as typeof withdrawn);
    expect(await found('2030-02-01')).to.deep.equal([{ ...first, until: '2030-02-28' }]);
    expect(await catalogue.productVersion('DATADO', 5)).to.equal(undefined);
    expect((await catalogue.productVersion('DATADO', 4))?.definition.name).to.equal(
      'february again',
    );
  });

  it('has nothing of a product before its first day, if it was announced ahead', async () => {
    const announced = { ...TICKET_PRODUCT, code: 'FUTURO', id: 900 };
    await save(announced, { effectiveFrom: '2027-01-05' });
    expect(await productsOn('2027-01-04', 'FUTURO')).to.deep.equal([]);
    expect((await productsOn('2027-01-05', 'FUTURO'))[0]?.version).to.equal(1);
  });

  it('adds rows to the IOF table, and never changes or deletes one', async () => {
    const { catalogue, auditLog } = store();
    const { add, list } = makeManageIofRates({ catalogue, clock: new MemoryClock(AT) });
    const law = (await catalogue.current()).iofRates;
    expect(law).to.deep.equal(mergeIofRates([]));
    const row = {
      iofClass: 'life',
      from: '2026-11-25' as CalendarDate,
      rate: rate(11_000),
      legalBasis: 'Decreto 1/2026',
    } as const;

    expect((await add([row], ADMINISTRATOR)).kind).to.equal('added');
    expect((await catalogue.current()).iofRates).to.deep.include({ ...row, addedAt: AT });
    const raised = { ...row, rate: rate(12_000), legalBasis: 'Decreto 2/2026' };
    const [one, other] = await Promise.all([
      add([raised], ADMINISTRATOR),
      add([{ ...row, iofClass: 'health' as const }], ADMINISTRATOR),
    ]);
    expect([one.kind, other.kind]).to.deep.equal(['added', 'added']);

    expect((await catalogue.load()).addedIofRates.map(({ iofClass }) => iofClass)).to.have.members([
      'life',
      'life',
      'health',
    ]);
    const { iofRates } = await catalogue.current();
    expect(iofRates).to.have.length(law.length + 2);
    expect(findIofRate('life', '2026-12-01' as CalendarDate, iofRates)).to.include(raised);
    expect(await list()).to.deep.equal(iofRates);

    expect((await add([raised], ADMINISTRATOR)).kind).to.equal('unchanged');
    const noted = await auditLog.list({ action: 'iof_rates.put', limit: 10 });
    expect(noted).to.have.length(3);
    expect(noted.at(-1)).to.deep.include({
      subject: 'iof-rates',
      changes: [
        {
          field: 'life 2026-11-25',
          before: null,
          after: { rate: 11_000, legalBasis: 'Decreto 1/2026' },
        },
      ],
    });
  });

  it('is not affected if a caller changes an object that it passed or received', async () => {
    const { catalogue } = store();
    const state = structuredClone(await catalogue.load());
    const mine = { ...DEMO_CHANNEL, grants: [...DEMO_CHANNEL.grants] };
    await save(mine, { at: LATER, version: 9 });
    mine.grants.pop();
    expect((await catalogue.current()).channels.get('canal-demo')?.grants).to.have.length(
      DEMO_CHANNEL.grants.length,
    );
    const products = ({ versions }: typeof state) =>
      versions.filter(({ kind }) => kind === 'product');
    expect(products(await catalogue.load())).to.deep.equal(products(state));
  });
});
