import { expect } from 'chai';
import { cents, rate } from '#domain';
import type { MemoryClock } from '../../adapters/memory/clock.ts';
import type { ManageCatalogue } from '../../application/catalogue/manage-catalogue.ts';
import { type MemoryService, memoryService } from '../../bootstrap/composition/memory.ts';
import { DEMO_CHANNEL } from '../../bootstrap/processes/demo-catalogue.ts';
import { loadDemoCatalogue } from '../../bootstrap/processes/first-run.ts';
import {
  channel,
  commissionOf,
  grant,
  plan,
  product,
  saveVersion,
  TICKET_PRODUCT,
  versionAt,
} from '../support/catalogue.ts';
import { ADMINISTRATOR } from '../support/identity.ts';

describe('managing the catalogue', () => {
  let memory: MemoryService;
  let clock: MemoryClock;
  let manage: ManageCatalogue;
  beforeEach(async () => {
    memory = memoryService();
    clock = memory.clock;
    await loadDemoCatalogue(memory.useCases);
    manage = memory.useCases.manageCatalogue;
  });
  const putProduct = (definition: unknown, expected?: number) =>
    manage.putProduct(definition, ADMINISTRATOR, { expected });
  const putChannel = (definition: unknown, expected?: number) =>
    manage.putChannel(definition, ADMINISTRATOR, { expected });
  const log = () => memory.auditLog.list({ actor: ADMINISTRATOR.name ?? '', limit: 100 });

  it('creates a new product, replaces a changed one, and ignores an equal one', async () => {
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

  it('tells what a change would store, and stores nothing', async () => {
    const trial = { isTrial: true };
    const tried = await manage.putProduct(product(), ADMINISTRATOR, trial);
    expect(tried).to.deep.nested.include({ kind: 'created', 'put.version': 1 });
    await putProduct(product());
    const changed = product({ name: 'Outro nome' });
    const again = await manage.putProduct(changed, ADMINISTRATOR, trial);
    expect(again).to.deep.nested.include({ kind: 'replaced', 'put.version': 2 });
    expect((await memory.catalogue.current()).products.at(-1)).to.include({ version: 1 });
    expect(await log()).to.have.length(1);
  });

  it('reports every fault of a definition, and stores nothing', async () => {
    const outcome = await putProduct({ ...product(), name: '', iofClass: 'none', more: 1 });
    expect(outcome.kind === 'faulty' && outcome.faults.map(({ path }) => path)).to.have.members([
      'name',
      'iofClass',
      'more',
    ]);
    expect((await memory.catalogue.current()).products).to.have.length(4);
    expect(await log()).to.deep.equal([]);
  });

  it('reports the path of a plan id that another product uses', async () => {
    const outcome = await putProduct(product({ plans: [plan({ id: 11 })] }));
    expect(outcome).to.deep.equal({
      kind: 'faulty',
      faults: [{ path: 'plans.0.id', kind: 'repeated' }],
      conflicts: [],
    });
  });

  it('refuses a channel with an unknown product or commissions above the cap', async () => {
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

  it('refuses a product change that makes a channel invalid, and names the channel', async () => {
    const outcome = await putProduct({ ...TICKET_PRODUCT, commissionCap: rate(199_999) });
    expect(outcome).to.deep.include({ kind: 'faulty', faults: [] });
    expect(outcome.kind === 'faulty' && outcome.conflicts[0]).to.deep.nested.include({
      with: { channel: 'canal-demo' },
      'fault.path': 'grants.0.commissions',
    });
  });

  it('stores only over the expected version, or reports the current version', async () => {
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

  it('accepts only one of two simultaneous changes that contradict each other', async () => {
    const lowered = { ...TICKET_PRODUCT, commissionCap: rate(200_000) };
    const raised = channel({
      channelLink: 'canal-novo',
      grants: [{ ...grant('INGRESSO'), commissions: [commissionOf(250_000)] }],
    });
    const outcomes = await Promise.all([putProduct(lowered), putChannel(raised)]);
    expect(outcomes.filter(({ kind }) => kind === 'faulty')).to.have.length(1);
  });

  it('keeps the earlier versions of products and channels', async () => {
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

  it('refuses a new id for a stored product or plan', async () => {
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

  it('reports a repeated plan id in the new definition, not in the stored one', async () => {
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

  it('still checks a change when a stored definition is no longer valid', async () => {
    const catalogue = memory.catalogue;
    const unsound = { ...product({ code: 'ANTIGO', id: 300 }), rounding: 'down' as 'half-up' };
    await saveVersion(catalogue, versionAt(unsound, clock.now()));
    expect((await putChannel(channel({ grants: [grant('NADA')] }))).kind).to.equal('faulty');
    expect((await putChannel(channel({ name: 'Outro' }))).kind).to.equal('replaced');
  });
});
