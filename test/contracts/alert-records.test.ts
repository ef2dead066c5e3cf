import { expect } from 'chai';
import type { AlertKind } from '../../application/alerts/alerts.ts';
import type { RaisedAlert } from '../../application/alerts/raised-alert.ts';
import { AT, entry } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';
import { later } from '../support/webhooks.ts';

let lastSale = 0;

/** An alert of a sale that no other test has, so that each test reads its own records. */
const raised = (over: Partial<RaisedAlert> = {}): RaisedAlert => {
  lastSale += 1;
  const { saleId = lastSale } = over;
  return {
    ...{ kind: 'sale_stuck', subject: `transaction/${saleId}`, saleId, details: { tries: 25 } },
    ...{ firstAt: AT, lastAt: AT, times: 1, requestId: 'request-1' },
    ...over,
  };
};

const again = (alert: RaisedAlert, over: Partial<RaisedAlert> = {}): RaisedAlert => ({
  ...alert,
  ...{ firstAt: later(5), lastAt: later(5), details: { tries: 50 }, requestId: 'request-2' },
  ...over,
});

const RESOLUTION = { at: later(9), by: 'admin-1', note: 'The insurer was down.' };

overEveryStore('the alerts', (store) => {
  const add = async (alert = raised()) => {
    await store().alertRecords.store([alert]);
    const [record] = await store().alertRecords.list({ saleId: alert.saleId ?? 0, limit: 1 });
    if (record === undefined) throw new Error('not stored');
    return record;
  };
  const resolve = (id: number, over: Partial<typeof RESOLUTION> = {}) => {
    const audited = entry({ action: 'alert.resolved', subject: `alert/${id}` });
    return store().alertRecords.resolve(id, { ...RESOLUTION, ...over }, audited);
  };
  const entriesOf = async (id: number) =>
    (await store().auditLog.list({ subject: `alert/${id}`, limit: 100 })).length;

  it('are found as they were stored, open', async () => {
    const alert = raised({ details: { words: ['em análise'], nested: { since: AT } } });
    const record = await add(alert);
    expect(record).to.deep.equal({ ...alert, id: record.id, resolution: null });
    expect(await store().alertRecords.find(record.id)).to.deep.equal(record);
    expect(await store().alertRecords.find(999_999_999)).to.equal(undefined);

    const ofNothing = raised({
      kind: 'notice_of_nothing',
      subject: 'notice/evt_1',
      requestId: null,
    });
    await store().alertRecords.store([{ ...ofNothing, saleId: null }]);
    const [found] = await store().alertRecords.list({ kind: 'notice_of_nothing', limit: 1 });
    expect(found).to.deep.include({ subject: 'notice/evt_1', saleId: null, requestId: null });
  });

  it('are listed by status, kind and sale, the newest first, page by page', async () => {
    const saleId = 1_000_000 + lastSale;
    const kinds: readonly AlertKind[] = ['sale_stuck', 'papers_gone', 'refund_undone'];
    for (const kind of kinds) await add(raised({ kind, saleId }));
    const { alertRecords } = store();
    const all = await alertRecords.list({ saleId, limit: 10 });
    expect(all.map(({ kind }) => kind)).to.deep.equal([...kinds].reverse());
    const [newest, middle, oldest] = all.map(({ id }) => id);
    await resolve(middle as number);

    const ids = async (query: object) =>
      (await alertRecords.list({ saleId, limit: 10, ...query })).map(({ id }) => id);
    expect(await ids({ status: 'open' })).to.deep.equal([newest, oldest]);
    expect(await ids({ status: 'resolved' })).to.deep.equal([middle]);
    expect(await ids({ kind: 'refund_undone' })).to.deep.equal([newest]);
    expect(await ids({ kind: 'refund_undone', status: 'resolved' })).to.deep.equal([]);
    expect(await ids({ before: newest })).to.deep.equal([middle, oldest]);
    expect(await ids({ before: newest, limit: 1 })).to.deep.equal([middle]);
  });

  it('are raised again while they are open: times add up, the rest is as last raised', async () => {
    const alert = raised();
    const record = await add(alert);
    const { alertRecords } = store();
    const other = raised({ kind: 'papers_gone', saleId: alert.saleId });
    await alertRecords.store([again(alert, { times: 3 }), other]);
    await alertRecords.store([again(alert, { lastAt: later(7), requestId: null })]);

    const [documents, stuck] = await alertRecords.list({ saleId: alert.saleId ?? 0, limit: 10 });
    expect(documents?.kind).to.equal('papers_gone');
    expect(stuck).to.deep.equal({
      ...record,
      ...{ times: 5, lastAt: later(7), details: { tries: 50 }, requestId: 'request-2' },
    });
  });

  it('lose no raise, however many processes store them at once', async () => {
    const [one, other] = [raised(), raised()];
    const stores = Array.from({ length: 12 }, (_, index) =>
      store().alertRecords.store(index % 2 === 0 ? [one, other] : [other, one]),
    );
    await Promise.all(stores);
    for (const { saleId } of [one, other]) {
      const records = await store().alertRecords.list({ saleId: saleId ?? 0, limit: 10 });
      expect(records.map(({ times }) => times)).to.deep.equal([12]);
    }
  });

  it('are resolved once, with an audit entry', async () => {
    const record = await add();
    const resolved = { ...record, resolution: RESOLUTION };
    expect(await resolve(record.id)).to.deep.equal(resolved);
    expect(await resolve(record.id, { by: 'admin-2', note: 'Again' })).to.deep.equal(resolved);
    expect(await store().alertRecords.find(record.id)).to.deep.equal(resolved);
    expect(await entriesOf(record.id)).to.equal(1);
    expect(await resolve(999_999_999)).to.equal(undefined);
    expect(await entriesOf(999_999_999)).to.equal(0);

    const raced = await add();
    const notes = Array.from({ length: 6 }, (_, index) => resolve(raced.id, { note: `${index}` }));
    const outcomes = await Promise.all(notes);
    expect(new Set(outcomes.map((each) => each?.resolution?.note)).size).to.equal(1);
    expect(await entriesOf(raced.id)).to.equal(1);
  });

  it('are settled by the service as it has seen them, while they are open', async () => {
    const alert = raised();
    const seen = await add(alert);
    const { alertRecords } = store();
    const [at, note] = [later(3), 'The sale went on.'];
    await alertRecords.settle({ id: 999_999_999, times: 1 }, at, note);
    await alertRecords.store([again(alert)]);
    await alertRecords.settle(seen, at, note);
    const record = await alertRecords.find(seen.id);
    if (record === undefined) throw new Error('not found');
    expect(record, 'it was raised again').to.deep.include({ times: 2, resolution: null });

    await alertRecords.settle(record, at, note);
    await alertRecords.settle(record, later(4), 'Once more.');
    const settled = { ...record, resolution: { at, by: 'service', note } };
    expect(await alertRecords.find(record.id)).to.deep.equal(settled);
    expect(await entriesOf(record.id)).to.equal(0);
  });

  it('open another record when they are raised after their end', async () => {
    const alert = raised();
    const first = await add(alert);
    const resolved = await resolve(first.id);
    await store().alertRecords.store([again(alert)]);
    const records = await store().alertRecords.list({ saleId: alert.saleId ?? 0, limit: 10 });
    const [second] = records;
    expect(records).to.deep.equal([
      { ...again(alert), id: second?.id, resolution: null },
      resolved,
    ]);
    expect(second?.id).to.be.above(first.id);
  });
});
