import { expect } from 'chai';
import type { Instant } from '#domain';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { MemoryAnsweredRequests } from '../../adapters/memory/operations/answered-requests.ts';
import { MemoryReadinessRecords } from '../../adapters/memory/operations/readiness-records.ts';
import {
  advanceReadiness,
  NOTHING_DONE,
  type NotedRequest,
} from '../../application/requests/readiness.ts';
import { MAX_WAITING, makeRequestNotes } from '../../application/requests/request-notes.ts';
import { Unavailable } from '../../application/unavailable.ts';

const at = (seconds: number): Instant =>
  new Date(Date.UTC(2026, 10, 20, 12, 0, seconds)).toISOString() as Instant;

const request = (over: Partial<NotedRequest> = {}): NotedRequest => ({
  ...{ requestId: 'r1', channelLink: 'loja', clientId: 'c1', at: at(0), method: 'POST' },
  ...{ route: '/private/integration/sale', status: 201, code: null, fields: null, ms: 2 },
  ...{ saleId: null, replayed: false },
  ...over,
});

const sold = (over: Partial<NotedRequest> = {}): NotedRequest =>
  request({ effect: { kind: 'sold', productCode: 'INGRESSO' }, saleId: 1, ...over });

const failed = (code: string, over: Partial<NotedRequest> = {}): NotedRequest =>
  request({ code, status: 422, ...over });

const doneBy = (...requests: readonly NotedRequest[]) =>
  Object.fromEntries(
    Object.entries(requests.reduce(advanceReadiness, NOTHING_DONE).proofs).map(
      ([step, { requestId }]) => [step, requestId],
    ),
  );

describe('readiness', () => {
  it('names the first request that shows a step', () => {
    expect(doneBy(sold({ requestId: 'a' }), sold({ requestId: 'b' }))).to.deep.equal({
      sell_INGRESSO: 'a',
    });
    expect(doneBy(sold(), sold({ requestId: 'again', replayed: true }))).to.deep.include({
      repeat: 'again',
    });
    const cancelled = request({ effect: { kind: 'cancelled' }, requestId: 'x' });
    const read = request({ effect: { kind: 'read_events' }, requestId: 'y' });
    expect(doneBy(cancelled, read)).to.deep.equal({ cancel: 'x', feed: 'y' });
  });

  it('wants a new sale after a declined payment, not a repetition', () => {
    const declined = failed('insufficient_funds', { saleId: 4, at: at(1) });
    expect(doneBy(declined)).to.deep.equal({});
    expect(doneBy(declined, sold({ replayed: true, at: at(2) }))).to.not.have.property(
      'handle_decline',
    );
    expect(doneBy(sold(), declined)).to.not.have.property('handle_decline');
    const mended = sold({ requestId: 'new', at: at(2) });
    expect(doneBy(declined, mended)).to.include({ handle_decline: 'new' });
  });

  it('wants the route to succeed on which fields were at fault', () => {
    const faulty = failed('validation_failed', { fields: 'email=invalid_format' });
    const elsewhere = sold({ route: '/seguros/seguro-celular/create', at: at(1) });
    expect(doneBy(faulty, elsewhere)).to.have.keys('sell_INGRESSO');
    const mended = sold({ requestId: 'ok', at: at(1) });
    expect(doneBy(faulty, mended)).to.include({ handle_422: 'ok' });
    expect(doneBy(failed('not_found'), mended)).to.have.keys('sell_INGRESSO');
  });

  it('is the same in whatever order requests arrive, and if some arrive twice', () => {
    const faulty = failed('validation_failed', { fields: 'a=required', at: at(1) });
    const declined = failed('card_declined', { at: at(2) });
    const before = sold({ requestId: 'before', at: at(0) });
    const after = sold({ requestId: 'after', at: at(3) });
    const expected = { handle_422: 'after', handle_decline: 'after' };
    expect(doneBy(after, declined, before, faulty)).to.include(expected);
    const batch = [before, declined, faulty];
    expect(doneBy(...batch, ...batch)).to.have.keys('sell_INGRESSO');
    expect(doneBy(...batch, ...batch, after)).to.include(expected);
  });

  it('wants no request before Retry-After is over', () => {
    const refused = (seconds: number): NotedRequest =>
      failed('rate_limited', { status: 429, retryAfterSeconds: 60 - seconds, at: at(seconds) });
    const waited = sold({ at: at(60), requestId: 'w' });
    expect(doneBy(refused(5), waited)).to.include({ handle_429: 'w' });
    // Requests that were on their way.
    expect(doneBy(refused(5), refused(6), waited)).to.include({ handle_429: 'w' });
    expect(doneBy(refused(5), sold({ at: at(24) }), waited)).to.not.have.property('handle_429');
    const hammering = Array.from({ length: 50 }, (_, second) => refused(5 + second));
    expect(doneBy(...hammering, waited)).to.not.have.property('handle_429');
    const next = { ...refused(0), at: at(61), retryAfterSeconds: 30 };
    const later = sold({ at: at(91), requestId: 'second' });
    expect(doneBy(...hammering, next, later)).to.include({ handle_429: 'second' });
  });
});

describe('noting requests', () => {
  const noting = (isTest = true) => {
    const answeredRequests = new MemoryAnsweredRequests();
    const readinessRecords = new MemoryReadinessRecords();
    const clock = new MemoryClock(at(0));
    const advances: (readonly string[])[] = [];
    const { advance } = readinessRecords;
    readinessRecords.advance = (clientIds, change) => {
      advances.push(clientIds);
      return advance.call(readinessRecords, clientIds, change);
    };
    const ports = { answeredRequests, readinessRecords, isTest, clock };
    return { ...ports, advances, notes: makeRequestNotes(ports) };
  };

  it('stores them with the next flush, without what only readiness needs', async () => {
    const { notes, answeredRequests, readinessRecords } = noting();
    notes.note(sold());
    expect(await answeredRequests.find('loja', 'r1', 9)).to.deep.equal([]);
    await notes.flush();
    const { effect: _, ...answered } = sold();
    expect(await answeredRequests.find('loja', 'r1', 9)).to.deep.equal([answered]);
    expect((await readinessRecords.find('c1')).proofs).to.have.keys('sell_INGRESSO');
  });

  it('keeps no readiness in production', async () => {
    const { notes, readinessRecords } = noting(false);
    notes.note(sold());
    await notes.flush();
    expect(await readinessRecords.find('c1')).to.deep.equal(NOTHING_DONE);
  });

  it('stores no reading of events, and notes it once', async () => {
    const { notes, answeredRequests, advances } = noting();
    for (let count = 0; count < 3; count += 1) {
      notes.note(request({ effect: { kind: 'read_events' } }));
      await notes.flush();
    }
    expect(await answeredRequests.find('loja', 'r1', 9)).to.deep.equal([]);
    expect(advances).to.deep.equal([['c1']]);
  });

  it('changes readiness with the first of many sales, and ten seconds later with the last', async () => {
    const { notes, advances, clock, readinessRecords } = noting();
    const sell = async (second: number, clientId = 'c1'): Promise<void> => {
      notes.note(sold({ clientId, at: at(second), requestId: `${second}` }));
      await notes.flush();
    };
    for (let second = 0; second < 10; second += 1) await sell(second);
    await sell(1, 'c2');
    expect(advances).to.deep.equal([['c1'], ['c2']]);
    clock.advance(10);
    await notes.flush();
    expect(advances).to.deep.equal([['c1'], ['c2'], ['c1']]);
    expect((await readinessRecords.find('c1')).lastSale).to.include({ requestId: '9' });
    // A decline before the last sale, which another process has answered.
    const declined = failed('card_declined', { at: at(8) });
    await readinessRecords.advance(['c1'], (_, done) => advanceReadiness(done, declined));
    expect((await readinessRecords.find('c1')).proofs).to.have.property('handle_decline');
  });

  it('changes readiness at once with the first sale after a failure', async () => {
    const { notes, readinessRecords } = noting();
    for (const count of [0, 1, 2]) notes.note(sold({ at: at(count) }));
    notes.note(failed('card_declined', { at: at(3) }));
    notes.note(sold({ requestId: 'after', at: at(4) }));
    await notes.flush();
    const { proofs } = await readinessRecords.find('c1');
    expect(proofs['handle_decline']).to.include({ requestId: 'after' });
  });

  it('keeps the last sale that waited when a failure ends the wait', async () => {
    const { notes, readinessRecords } = noting();
    for (const count of [0, 5]) notes.note(sold({ requestId: `${count}`, at: at(count) }));
    notes.note(failed('not_found', { at: at(6) }));
    await notes.flush();
    expect((await readinessRecords.find('c1')).lastSale).to.include({ requestId: '5' });
  });

  it('stores the first ten refusals by the rate limit in a minute', async () => {
    const { notes, answeredRequests } = noting(false);
    const refused = (seconds: number) =>
      failed('rate_limited', { at: at(seconds), retryAfterSeconds: 9 });
    for (let count = 0; count < 30; count += 1) notes.note(refused(1));
    for (let count = 0; count < 4; count += 1) notes.note(refused(61));
    await notes.flush();
    expect(await answeredRequests.find('loja', 'r1', 99)).to.have.length(14);
  });

  it('stores the first sixty failures of a client in a minute, and every sale', async () => {
    const { notes, answeredRequests } = noting();
    for (let count = 0; count < 100; count += 1) {
      notes.note(failed('not_found'));
      notes.note(sold({ requestId: 'sold' }));
    }
    notes.note(failed('not_found', { clientId: 'c2' }));
    await notes.flush();
    expect(await answeredRequests.find('loja', 'r1', 999)).to.have.length(61);
    expect(await answeredRequests.find('loja', 'sold', 999)).to.have.length(100);
  });

  it('shares the work of those who wait at the same time', async () => {
    const { notes, answeredRequests } = noting();
    let tries = 0;
    answeredRequests.add = async () => {
      tries += 1;
      await new Promise(setImmediate);
      throw new Unavailable('away');
    };
    notes.note(sold());
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => notes.flush()));
    expect(outcomes.every(({ status }) => status === 'rejected')).to.equal(true);
    expect(tries).to.equal(2);
  });

  it('tries again what could not be stored, and stores it once', async () => {
    const { notes, answeredRequests } = noting();
    const add = answeredRequests.add.bind(answeredRequests);
    answeredRequests.add = () => Promise.reject(new Unavailable('away'));
    notes.note(sold());
    await notes.flush().then(
      () => expect.fail('the store is away'),
      (error: unknown) => expect(error).to.be.instanceOf(Unavailable),
    );
    answeredRequests.add = add;
    await Promise.all([notes.flush(), notes.flush()]);
    expect(await answeredRequests.find('loja', 'r1', 9)).to.have.length(1);
  });

  it('drops what is too much while the store is away, and says how much', async () => {
    const { notes, answeredRequests } = noting();
    for (let count = 0; count < MAX_WAITING + 3; count += 1) notes.note(sold());
    expect(notes.takeDropped()).to.equal(3);
    expect(notes.takeDropped()).to.equal(0);
    await notes.flush();
    expect(await answeredRequests.find('loja', 'r1', MAX_WAITING + 9)).to.have.length(MAX_WAITING);
  });
});
