import { expect } from 'chai';
import { createSale, type Instant, type PaidSale, type Sale } from '#domain';
import type {
  AfterAttempt,
  Delivery,
  DeliveryAttempt,
} from '../../application/webhooks/deliveries.ts';
import type { WebhookEndpoint } from '../../application/webhooks/endpoints.ts';
import { entry } from '../support/identity.ts';
import { AT, cancelledOn, terms } from '../support/sales.ts';
import { overEveryStore } from '../support/stores.ts';
import { endpoint } from '../support/webhooks.ts';

/** `seconds` from now: deliveries are due from the moment they are made. */
const inSeconds = (seconds: number): Instant =>
  new Date(Date.now() + seconds * 1_000).toISOString() as Instant;

/** After the time of each delivery. */
const LATE = '2100-01-01T00:00:00.000Z' as Instant;

const attempt = (over: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  ...{ at: LATE, status: 500, ms: 12, answer: 'erro: "ação" \\ \u{1f3ab}' },
  ...over,
});

overEveryStore('the deliveries of events to endpoints', (store) => {
  let tickets = 0;
  const register = async (channelLink: string): Promise<PaidSale> => {
    tickets += 1;
    const sold = createSale(`T-deliveries-${tickets}`, AT, terms({ channelLink }));
    const outcome = await store().sales.register(sold);
    if (outcome.kind !== 'registered') throw new Error(outcome.kind);
    return outcome.sale as PaidSale;
  };
  const sell = async (channelLink: string, count = 1): Promise<readonly Sale[]> => {
    const sales: Sale[] = [];
    for (let index = 0; index < count; index += 1) sales.push(await register(channelLink));
    await store().givePlaces();
    return sales;
  };
  const add = async (id: string, over: Partial<WebhookEndpoint> = {}) => {
    const added = endpoint(id, { channelLink: id, ...over });
    const outcome = await store().webhookEndpoints.add(added, 20, entry());
    if (outcome !== 'added') throw new Error(outcome);
  };
  const due = (id: string, now = inSeconds(1), limit = 100) =>
    store().deliveries.listDue(id, now, limit);
  const list = (endpointId: string, over: object = {}) =>
    store().deliveries.list({ endpointId, limit: 100, ...over });
  const dueEndpoints = async (ids: readonly string[], now = inSeconds(1)) =>
    (await store().deliveries.dueEndpoints(now, 1_000)).filter(({ id }) => ids.includes(id));
  const first = async (id: string): Promise<Delivery> => {
    const [delivery] = await due(id);
    if (delivery === undefined) throw new Error('nothing is due');
    return delivery;
  };
  const note = async (id: number, after: AfterAttempt, over: Partial<DeliveryAttempt> = {}) =>
    store().deliveries.note(id, attempt(over), after);

  it('are made for each active endpoint of the channel that wants the type', async () => {
    const channelLink = 'many-endpoints';
    await add('wants-paid', { channelLink });
    await add('wants-both', { channelLink, events: ['sale.registered', 'sale.paid'] });
    await add('wants-all', { channelLink, events: ['*'] });
    await add('wants-others', { channelLink, events: ['sale.refunded'] });
    const disabled = { reason: 'paused', at: AT } as const;
    await add('disabled', { channelLink, disabled });
    await add('of-another-channel', { events: ['sale.registered', 'sale.paid'] });
    const [sale] = await sell(channelLink);

    const [delivery, ...others] = await list('wants-paid');
    expect(others).to.deep.equal([]);
    const fresh = { endpointId: 'wants-paid', status: 'waiting', tries: 0, attempts: [] };
    expect(delivery).to.deep.include(fresh);
    expect(delivery?.nextAt).to.equal(delivery?.createdAt);
    expect(delivery?.event).to.deep.include({ type: 'sale.paid', channelLink, at: AT, sale });
    for (const id of ['wants-both', 'wants-all'])
      expect((await list(id)).map(({ event }) => event.type)).to.deep.equal([
        'sale.paid',
        'sale.registered',
      ]);
    for (const id of ['wants-others', 'disabled', 'of-another-channel'])
      expect(await list(id)).to.deep.equal([]);
  });

  it('are made of a test for its own endpoint alone, whatever types it wants', async () => {
    const channelLink = 'tested';
    await add('tested-one', { channelLink });
    await add('tested-other', { channelLink });
    const id = await store().partnerEvents.requestTest(channelLink, 'tested-one', AT);
    await store().givePlaces();
    const [delivery] = await list('tested-one');
    expect(delivery?.event).to.deep.include({ id, type: 'webhook.test', endpointId: 'tested-one' });
    expect(await list('tested-other')).to.deep.equal([]);
  });

  it('that tests made, and that went as they should, are listed for their channel', async () => {
    const channelLink = 'lists-tests';
    const { partnerEvents, deliveries } = store();
    await add('lists-tests', { channelLink });
    const ask = (signature: 'right' | 'wrong') =>
      partnerEvents.requestTest(channelLink, 'lists-tests', AT, signature);
    const [right, wrong, waiting] = [await ask('right'), await ask('wrong'), await ask('right')];
    const taken = await ask('wrong');
    await store().givePlaces();
    for (const each of await list('lists-tests')) {
      if (each.event.id === waiting) continue;
      const status = { [right]: 200, [taken]: 200 }[each.event.id] ?? 401;
      const kind = each.event.id === taken ? 'undelivered' : 'delivered';
      await deliveries.note(each.id, { at: LATE, status, ms: 1 }, { kind });
    }
    const listed = await deliveries.listTests(channelLink, 10);
    expect(listed).to.deep.equal([
      { endpointId: 'lists-tests', eventId: wrong, isWronglySigned: true, at: AT },
      { endpointId: 'lists-tests', eventId: right, isWronglySigned: false, at: AT },
    ]);
    expect(await deliveries.listTests(channelLink, 2)).to.deep.equal([]);
    expect(await deliveries.listTests('tested', 10)).to.deep.equal([]);
  });

  it('make their endpoint due while it is active, not paused, and their time has come', async () => {
    await add('due');
    await add('idle');
    const isDue = async (now?: Instant) => (await dueEndpoints(['due', 'idle'], now)).length > 0;
    expect(await isDue()).to.equal(false);
    await sell('due');
    expect(await dueEndpoints(['due', 'idle'])).to.deep.equal([{ id: 'due', isFailing: false }]);
    expect(await isDue(inSeconds(-60))).to.equal(false);

    const health = { failingSince: AT, pausedUntil: inSeconds(300) };
    await store().webhookEndpoints.noteHealth('due', 1, health);
    expect(await isDue(inSeconds(299))).to.equal(false);
    expect(await dueEndpoints(['due'], inSeconds(301))).to.deep.equal([
      { id: 'due', isFailing: true },
    ]);
    await store().webhookEndpoints.noteHealth('due', 1, {});
    expect(await isDue()).to.equal(true);

    await note((await first('due')).id, { kind: 'again', at: inSeconds(300) });
    expect(await isDue(inSeconds(299))).to.equal(false);
    expect(await isDue(inSeconds(301))).to.equal(true);

    const disabled = { reason: 'gone', at: AT } as const;
    await store().webhookEndpoints.noteHealth('due', 1, { disabled });
    expect(await isDue(inSeconds(301))).to.equal(false);
  });

  it('make endpoints due that succeed before those that fail, the longest waiting first', async () => {
    const ids = ['failing-a', 'fine-b', 'fine-a'];
    for (const id of ids) {
      await add(id);
      await sell(id);
    }
    await store().webhookEndpoints.noteHealth('failing-a', 1, { failingSince: AT });
    await note((await first('fine-b')).id, { kind: 'again', at: inSeconds(5) });
    await note((await first('fine-a')).id, { kind: 'again', at: inSeconds(6) });
    expect((await dueEndpoints(ids, inSeconds(10))).map(({ id }) => id)).to.deep.equal([
      'fine-b',
      'fine-a',
      'failing-a',
    ]);
    const [one] = await store().deliveries.dueEndpoints(inSeconds(10), 1);
    expect(one).to.have.keys('id', 'isFailing');
  });

  it('are due the longest waiting first, up to a limit', async () => {
    await add('sorted');
    await sell('sorted', 3);
    const [one, two, three] = (await due('sorted')).map(({ id }) => id) as [number, number, number];
    expect([one, two, three]).to.deep.equal([one, two, three].toSorted((a, b) => a - b));
    await note(one, { kind: 'again', at: inSeconds(20) });
    const idsAt = async (now: Instant, limit?: number) =>
      (await due('sorted', now, limit)).map(({ id }) => id);
    expect(await idsAt(inSeconds(19))).to.deep.equal([two, three]);
    expect(await idsAt(inSeconds(21))).to.deep.equal([two, three, one]);
    expect(await idsAt(inSeconds(21), 2)).to.deep.equal([two, three]);
  });

  it('keep each attempt, and what follows from it', async () => {
    await add('noted');
    await sell('noted', 3);
    const [again, delivered, givenUp] = await due('noted');
    if (!again || !delivered || !givenUp) throw new Error('three are due');
    const at = inSeconds(60);
    const unanswered: DeliveryAttempt = { at: LATE, failure: 'timeout', ms: 15_000 };
    await Promise.all([
      store().deliveries.note(again.id, unanswered, { kind: 'again', at }),
      note(delivered.id, { kind: 'delivered' }, { status: 204, answer: '' }),
      note(givenUp.id, { kind: 'undelivered' }),
    ]);

    const { nextAt: _, ...made } = delivered;
    const find = (id: number) => store().deliveries.find('noted', id);
    expect(await find(again.id)).to.deep.equal({
      ...{ ...again, tries: 1, nextAt: at, attempts: [unanswered] },
    });
    expect(await find(delivered.id)).to.deep.equal({
      ...{ ...made, status: 'delivered', tries: 1 },
      attempts: [attempt({ status: 204, answer: '' })],
    });
    const settled = { status: 'undelivered', tries: 1, attempts: [attempt()] };
    expect(await find(givenUp.id))
      .to.deep.include(settled)
      .and.not.have.property('nextAt');
    expect(await due('noted')).to.deep.equal([]);

    await note(again.id, { kind: 'delivered' }, { status: 200 });
    const found = await find(again.id);
    expect(found).to.deep.include({ status: 'delivered', tries: 2 });
    expect(found?.attempts).to.deep.equal([unanswered, attempt({ status: 200 })]);
  });

  it('stay delivered, whatever a try that ends later says', async () => {
    await add('noted-twice');
    await sell('noted-twice');
    const { id } = await first('noted-twice');
    await note(id, { kind: 'delivered' }, { status: 200 });
    await note(id, { kind: 'again', at: inSeconds(5) });
    await note(id, { kind: 'undelivered' });
    const found = await store().deliveries.find('noted-twice', id);
    expect(found)
      .to.deep.include({ status: 'delivered', tries: 3 })
      .and.not.have.property('nextAt');
    expect(found?.attempts).to.have.length(3);
  });

  it('are tried again if the partner asks while a try goes on, whatever that one says', async () => {
    await add('asked-meanwhile');
    await sell('asked-meanwhile');
    const { id } = await first('asked-meanwhile');
    const at = inSeconds(0);
    await store().deliveries.retry('asked-meanwhile', id, inSeconds(10));
    await note(id, { kind: 'undelivered' }, { at });
    const [asked] = await due('asked-meanwhile', inSeconds(11));
    expect(asked).to.deep.include({ id, status: 'waiting', tries: 0 });
    expect(asked?.attempts).to.have.length(1);
    await note(id, { kind: 'delivered' }, { at, status: 200 });
    expect((await list('asked-meanwhile'))[0]).to.deep.include({ status: 'delivered', tries: 1 });
  });

  it('are due at once when they are hastened, the earliest first, up to a limit', async () => {
    await add('hastened');
    await sell('hastened', 3);
    const [one, two, three] = await due('hastened');
    if (!one || !two || !three) throw new Error('three are due');
    await note(one.id, { kind: 'again', at: inSeconds(300) });
    await note(two.id, { kind: 'again', at: inSeconds(200) });
    await note(three.id, { kind: 'undelivered' });
    expect(await due('hastened')).to.deep.equal([]);
    await store().deliveries.hasten('hastened', inSeconds(0), 1);
    expect((await due('hastened')).map(({ id }) => id)).to.deep.equal([two.id]);
    await store().deliveries.hasten('hastened', inSeconds(0), 10);
    expect((await due('hastened')).map(({ id }) => id)).to.have.members([one.id, two.id]);
  });

  it('keep the latest 20 attempts', async () => {
    await add('often');
    await sell('often');
    const { id } = await first('often');
    for (let ms = 1; ms <= 23; ms += 1) await note(id, { kind: 'again', at: AT }, { ms });
    const found = await first('often');
    expect(found.tries).to.equal(23);
    expect(found.attempts.map(({ ms }) => ms)).to.deep.equal(
      Array.from({ length: 20 }, (_, index) => index + 4),
    );
  });

  it('are tried now at the request of the partner, also if they wait', async () => {
    await add('retried');
    await add('of-nobody');
    await sell('retried', 2);
    const [delivered, givenUp] = await due('retried');
    if (!delivered || !givenUp) throw new Error('two are due');
    const now = inSeconds(30);
    const retry = (id: number, endpointId = 'retried') =>
      store().deliveries.retry(endpointId, id, now);
    await note(delivered.id, { kind: 'again', at: inSeconds(3_600) });
    expect(await retry(delivered.id)).to.equal('waiting');
    const brought = { status: 'waiting', tries: 0, nextAt: now };
    expect(await store().deliveries.find('retried', delivered.id)).to.deep.include(brought);
    await note(delivered.id, { kind: 'delivered' });
    await note(givenUp.id, { kind: 'undelivered' });
    expect(await retry(delivered.id, 'of-nobody')).to.equal('unknown');
    expect(await retry(987_654_321)).to.equal('unknown');
    for (const { id } of [delivered, givenUp]) {
      expect(await retry(id)).to.equal('waiting');
      const found = await store().deliveries.find('retried', id);
      expect(found).to.deep.include(brought);
      expect(found?.attempts).to.deep.include(attempt());
    }
    expect(await due('retried', inSeconds(31))).to.have.length(2);
  });

  it('are listed page by page, newest first, all or those of a status', async () => {
    await add('listed-deliveries');
    await sell('listed-deliveries', 5);
    const ids = (await due('listed-deliveries')).map(({ id }) => id);
    const [one, two, three, four, five] = ids as [number, number, number, number, number];
    await note(one, { kind: 'delivered' });
    await note(three, { kind: 'undelivered' });
    await note(five, { kind: 'delivered' });
    const listed = async (over: object) =>
      (await list('listed-deliveries', over)).map(({ id }) => id);
    expect(await listed({})).to.deep.equal([five, four, three, two, one]);
    expect(await listed({ limit: 2 })).to.deep.equal([five, four]);
    expect(await listed({ limit: 2, before: four })).to.deep.equal([three, two]);
    expect(await listed({ status: 'waiting' })).to.deep.equal([four, two]);
    expect(await listed({ status: 'delivered', before: five })).to.deep.equal([one]);
    expect(await listed({ status: 'undelivered' })).to.deep.equal([three]);
    expect(await list('listed-nothing')).to.deep.equal([]);
  });

  it('are replayed in steps: each event of a time that the endpoint wants', async () => {
    const channelLink = 'replayed';
    await sell(channelLink, 5);
    await sell('replayed-other', 1);
    await add('replayed-to', { channelLink });
    const now = inSeconds(0);
    const step = { endpointId: 'replayed-to', from: AT, to: inSeconds(1), now, limit: 2 };
    const places: (number | undefined)[] = [];
    let after: number | undefined = 0;
    while (after !== undefined && places.length < 5) {
      after = await store().deliveries.replay({ ...step, after });
      places.push(after);
    }
    const replayed = (await due('replayed-to')).map(({ event }) => event);
    expect(replayed).to.have.length(5);
    expect(new Set(replayed.map(({ type }) => type))).to.deep.equal(new Set(['sale.paid']));
    expect(places).to.deep.equal([replayed[1]?.place, replayed[3]?.place, undefined]);
    expect((await first('replayed-to')).nextAt).to.equal(now);

    const before = { ...step, from: '2020-01-01T00:00:00.000Z' as Instant, to: AT };
    expect(await store().deliveries.replay({ ...before, after: 0, limit: 100 })).to.equal(
      undefined,
    );
    expect(await store().deliveries.replay({ ...step, after: 0, endpointId: 'no' })).to.equal(
      undefined,
    );
    expect(await store().deliveries.replay({ ...step, after: 0, limit: 100 })).to.equal(undefined);
    expect(await due('replayed-to'), 'those that wait are left out').to.have.length(5);
    for (const { id } of (await due('replayed-to')).slice(0, 2))
      await note(id, { kind: 'delivered' });
    await store().deliveries.replay({ ...step, after: 0, limit: 100 });
    expect(await list('replayed-to', { status: 'delivered' })).to.have.length(2);
    expect(await due('replayed-to')).to.have.length(5);

    await add('replayed-all', { channelLink, events: ['*'] });
    const all = { ...step, endpointId: 'replayed-all', after: 0, limit: 100 };
    await store().deliveries.replay(all);
    expect(await due('replayed-all')).to.have.length(10);
  });

  it('of tests are not replayed', async () => {
    await add('tests-once', { events: ['*'] });
    await store().partnerEvents.requestTest('tests-once', 'tests-once', AT);
    await store().givePlaces();
    for (const { id } of await due('tests-once')) await note(id, { kind: 'delivered' });
    const step = { endpointId: 'tests-once', from: AT, to: inSeconds(1), now: AT, limit: 100 };
    expect(await store().deliveries.replay({ ...step, after: 0 })).to.equal(undefined);
    expect(await list('tests-once')).to.have.length(1);
  });

  it('show a sale as it was after the change, when it has changed since', async () => {
    await add('changed', { events: ['sale.paid', 'sale.cancelled'] });
    const [sale] = await sell('changed');
    await store().sales.save(cancelledOn(sale as PaidSale, '2026-12-05'));
    await store().givePlaces();
    const statuses = (await due('changed')).map(
      ({ event }) => 'sale' in event && event.sale.status,
    );
    expect(statuses).to.deep.equal(['paid', 'cancelled']);
  });

  it('are gone with their event', async () => {
    await add('kept-too-long');
    await sell('kept-too-long', 2);
    const { id } = await first('kept-too-long');
    await note((await due('kept-too-long'))[1]?.id ?? 0, { kind: 'undelivered' });
    while ((await store().partnerEvents.deleteBefore(inSeconds(60), 1_000)) > 0);
    expect(await list('kept-too-long')).to.deep.equal([]);
    expect(await store().deliveries.find('kept-too-long', id)).to.equal(undefined);
    expect(await store().deliveries.retry('kept-too-long', id, AT)).to.equal('unknown');
    expect(await dueEndpoints(['kept-too-long'])).to.deep.equal([]);
    await note(id, { kind: 'delivered' });
    expect(await store().deliveries.find('kept-too-long', id)).to.equal(undefined);
  });
});
