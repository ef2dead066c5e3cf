import { expect } from 'chai';
import { cents, rate } from '#domain';
import type { MemoryClock } from '../../adapters/memory/clock.ts';
import type { ManageCatalogue } from '../../application/catalogue/manage-catalogue.ts';
import { DEMO_CHANNEL } from '../../bootstrap/demo-catalogue.ts';
import { loadDemoCatalogue } from '../../bootstrap/first-run.ts';
import { type InMemory, inMemory } from '../../bootstrap/in-memory.ts';
import {
  channel,
  commissionOf,
  grant,
  plan,
  product,
  TICKET_PRODUCT,
} from '../support/catalogue.ts';
import { ADMINISTRATOR, entry } from '../support/identity.ts';

describe('managing the catalogue', () => {
  let memory: InMemory;
  let clock: MemoryClock;
  let manage: ManageCatalogue;
  beforeEach(async () => {
    memory = inMemory();
    clock = memory.clock;
    await loadDemoCatalogue(memory.useCases);
    manage = memory.useCases.manageCatalogue;
  });
  const putProduct = (definition: unknown, expected?: number) =>
    manage.putProduct(definition, ADMINISTRATOR, { expected });
  const putChannel = (definition: unknown, expected?: number) =>
    manage.putChannel(definition, ADMINISTRATOR, { expected });
  const log = () => memory.auditLog.list({ actor: ADMINISTRATOR.name ?? '', limit: 100 });

  it('creates what is new, replaces what is there, and leaves alone what is the same', async () => {
    const created = await putProduct(product());
    expect(created).to.deep.nested.include({ kind: 'created', 'put.version': 1 });
    const replaced = await putProduct(product({ name: 'Outro nome' }));
    expect(replaced).to.deep.nested.include({
      kind: 'replaced',
      'put.version': 2,
      'put.definition.name': 'Outro nome',
    });
    const unchanged = await putProduct(product({ name: 'Outro nome' }));
    expect(unchanged).to.deep.nested.include({ kind: 'unchanged', 'put.version': 2 });
    expect((await memory.catalogue.current()).products.at(-1)?.name).to.equal('Outro nome');
    const [change, creation, ...others] = await log();
    expect(change).to.deep.include({
      action: 'product.put',
      subject: 'product/OUTRO',
      changes: [{ field: 'name', before: 'Ingresso Protegido', after: 'Outro nome' }],
    });
    expect(creation?.changes).to.deep.include({ field: 'code', before: null, after: 'OUTRO' });
    expect(others).to.deep.equal([]);
  });

  it('names every fault of a definition by itself, and stores nothing', async () => {
    const outcome = await putProduct({ ...product(), name: '', iofClass: 'none', more: 1 });
    expect(outcome.kind === 'faulty' && outcome.faults.map(({ path }) => path)).to.have.members([
      'name',
      'iofClass',
      'more',
    ]);
    expect((await memory.catalogue.load()).products).to.have.length(4);
    expect(await log()).to.deep.equal([]);
  });

  it('refuses numbers that another product has, where they stand', async () => {
    const outcome = await putProduct(product({ plans: [plan({ id: 11 })] }));
    expect(outcome).to.deep.equal({
      kind: 'faulty',
      faults: [{ path: 'plans.0.id', kind: 'repeated' }],
      conflicts: [],
    });
  });

  it('refuses a channel what is not in the catalogue, and commissions above a product’s cap', async () => {
    const grants = [grant('INGRESSO', 1_000_000), grant('NADA')];
    expect(await putChannel(channel({ grants }))).to.deep.include({
      kind: 'faulty',
      faults: [{ path: 'grants.1.productCode', kind: 'not_found' }],
    });
    await putProduct({ ...TICKET_PRODUCT, commissionCap: rate(300_000) });
    const above = await putChannel(
      channel({ grants: [{ ...grant('INGRESSO'), commissions: [commissionOf(300_001)] }] }),
    );
    expect(above.kind === 'faulty' && above.faults).to.deep.include({
      path: 'grants.0.commissions',
      kind: 'above_cap',
      expected: '300000 at most, all together',
    });
  });

  it('refuses a product that would leave a channel without what it was granted, and names the channel', async () => {
    const outcome = await putProduct({ ...TICKET_PRODUCT, commissionCap: rate(199_999) });
    expect(outcome).to.deep.include({ kind: 'faulty', faults: [] });
    expect(outcome.kind === 'faulty' && outcome.conflicts[0]).to.deep.nested.include({
      with: { channel: 'canal-demo' },
      'fault.path': 'grants.0.commissions',
    });
  });

  it('puts over the version that was meant, or tells which one is there', async () => {
    expect(await putChannel(channel({ name: 'Um' }), 0)).to.deep.equal({
      kind: 'stale',
      version: 1,
    });
    expect((await putChannel(channel({ name: 'Um' }), 1)).kind).to.equal('replaced');
    expect(await putChannel(channel({ name: 'Outro' }), 1)).to.deep.equal({
      kind: 'stale',
      version: 2,
    });
    expect((await putChannel(channel({ channelLink: 'canal-novo' }), 0)).kind).to.equal('created');
    expect(await putChannel(channel({ channelLink: 'canal-outro' }), 3)).to.deep.equal({
      kind: 'stale',
      version: 0,
    });
  });

  it('lets of two changes that do not go together only one in, whichever comes first', async () => {
    const lowered = { ...TICKET_PRODUCT, commissionCap: rate(200_000) };
    const raised = channel({
      channelLink: 'canal-novo',
      grants: [{ ...grant('INGRESSO'), commissions: [commissionOf(250_000)] }],
    });
    const outcomes = await Promise.all([putProduct(lowered), putChannel(raised)]);
    expect(outcomes.filter(({ kind }) => kind === 'faulty')).to.have.length(1);
  });

  it('keeps every version', async () => {
    await putProduct({
      ...TICKET_PRODUCT,
      plans: [plan({ id: 11, tariff: { kind: 'fixed', amount: cents(999) } })],
    });
    const { productVersion, channelVersion } = memory.catalogue;
    const catalogue = memory.catalogue;
    expect((await productVersion.call(catalogue, 'INGRESSO', 1))?.definition).to.deep.equal(
      TICKET_PRODUCT,
    );
    expect((await channelVersion.call(catalogue, 'canal-demo', 1))?.definition).to.deep.equal(
      DEMO_CHANNEL,
    );
  });

  it('keeps the numbers of products and plans, by which partners call them', async () => {
    const renumbered = await putProduct({
      ...TICKET_PRODUCT,
      id: 777,
      plans: [{ ...TICKET_PRODUCT.plans[0], id: 778 }],
    });
    expect(renumbered).to.deep.equal({
      kind: 'faulty',
      faults: [
        { path: 'id', kind: 'not_one_of_these', expected: '1' },
        { path: 'plans.0.id', kind: 'not_one_of_these', expected: '11' },
      ],
      conflicts: [],
    });
    const added = await putProduct({
      ...TICKET_PRODUCT,
      plans: [...TICKET_PRODUCT.plans, plan({ id: 12 })],
    });
    expect(added.kind).to.equal('replaced');
  });

  it('finds a repeated number in the definition that repeats it, wherever it stands', async () => {
    const outcome = await putProduct({
      ...TICKET_PRODUCT,
      plans: [...TICKET_PRODUCT.plans, plan({ id: 41 })],
    });
    expect(outcome).to.deep.equal({
      kind: 'faulty',
      faults: [{ path: 'plans.1.id', kind: 'repeated' }],
      conflicts: [],
    });
  });

  it('looks at the rest even where something stored is no definition any more', async () => {
    const catalogue = memory.catalogue;
    const { revision } = await catalogue.load();
    const unsound = { ...product({ code: 'ANTIGO', id: 300 }), rounding: 'down' } as never;
    await catalogue.save(
      { at: clock.now(), kind: 'product', definition: unsound },
      revision,
      entry(),
    );
    expect((await putChannel(channel({ grants: [grant('NADA')] }))).kind).to.equal('faulty');
    expect((await putChannel(channel({ name: 'Outro' }))).kind).to.equal('replaced');
  });
});
