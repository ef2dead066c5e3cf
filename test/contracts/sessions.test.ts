import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Instant } from '#domain';
import { later } from '../../application/clock.ts';
import { IDLE_MS, SESSION_MS, type Session } from '../../application/people/sessions.ts';
import { AT, entry } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';

overEveryStore('the sessions of people', (store) => {
  const session = (over: Partial<Session> = {}): Session => ({
    ...{ sessionId: randomUUID(), personId: randomUUID(), generation: 2, way: 'passphrase' },
    ...{ startedAt: AT, seenAt: AT, expiresAt: later(AT, SESSION_MS), provedAt: AT },
    ...{ address: '192.0.2.7', browser: 'Firefox' },
    ...over,
  });
  const about = (personId: string) =>
    entry({ action: 'session.ended', subject: `person/${personId}` });
  const start = async (over: Partial<Session> = {}): Promise<Session> => {
    const started = session(over);
    await store().sessions.start(started, `hash ${started.sessionId}`, about(started.personId));
    return started;
  };
  const use = ({ sessionId }: Session, at: Instant) =>
    store().sessions.use(`hash ${sessionId}`, at);
  const entriesOf = async ({ personId }: Session) =>
    (await store().auditLog.list({ subject: `person/${personId}`, limit: 10 })).length;

  it('are found by the hash of their secret, and each use is noted', async () => {
    const started = await start();
    const at = later(AT, IDLE_MS - 1);
    expect(await use(started, at)).to.deep.equal({ ...started, seenAt: at });
    expect(await use(started, later(at, IDLE_MS - 1))).to.include({ personId: started.personId });
    expect(await store().sessions.use('hash of no session', AT)).to.equal(undefined);
    expect(await entriesOf(started)).to.equal(1);
  });

  it('end by themselves when idle, and at their time however busy', async () => {
    expect(await use(await start(), later(AT, IDLE_MS))).to.equal(undefined);
    const busy = await start({ seenAt: later(AT, SESSION_MS - 1_000) });
    expect(await use(busy, later(AT, SESSION_MS - 1))).not.to.equal(undefined);
    expect(await use(busy, later(AT, SESSION_MS))).to.equal(undefined);
  });

  it('are listed while they live, the newest first, of the person alone', async () => {
    const personId = randomUUID();
    const [first, second] = [
      await start({ personId }),
      await start({ personId, startedAt: later(AT, 1), seenAt: later(AT, 1) }),
    ];
    await start();
    const listed = async (at: Instant) =>
      (await store().sessions.list(personId, at)).map(({ sessionId }) => sessionId);
    expect(await listed(later(AT, 2))).to.deep.equal([second.sessionId, first.sessionId]);
    expect(await listed(later(AT, IDLE_MS))).to.deep.equal([second.sessionId]);
    expect(await listed(later(AT, SESSION_MS))).to.deep.equal([]);
  });

  it('are ended one by one, or all but one, with an entry only where one ended', async () => {
    const personId = randomUUID();
    const all = [await start({ personId }), await start({ personId }), await start({ personId })];
    const [first, second, third] = all as [Session, Session, Session];
    const stranger = await start();
    await store().sessions.end(personId, { sessionId: stranger.sessionId }, about(personId));
    expect(await use(stranger, AT)).not.to.equal(undefined);
    expect(await entriesOf(first)).to.equal(3);
    await store().sessions.end(personId, { sessionId: first.sessionId }, about(personId));
    expect(await use(first, AT)).to.equal(undefined);
    expect(await entriesOf(first)).to.equal(4);
    await store().sessions.end(personId, { except: second.sessionId }, about(personId));
    expect([await use(second, AT), await use(third, AT)].map(Boolean)).to.deep.equal([true, false]);
    await store().sessions.end(personId, { except: null }, about(personId));
    expect(await use(second, AT)).to.equal(undefined);
    expect(await entriesOf(first)).to.equal(6);
  });

  it('count wrong codes, also at the same time', async () => {
    const { sessionId } = await start();
    const counts = await Promise.all(
      [1, 2, 3].map(() => store().sessions.noteWrongCode(sessionId)),
    );
    expect(counts.sort()).to.deep.equal([1, 2, 3]);
    expect(await store().sessions.noteWrongCode('none')).to.equal(0);
  });

  it('are deleted when they expired before a time', async () => {
    const [old, fresh] = [await start(), await start({ expiresAt: later(AT, 2 * SESSION_MS) })];
    await store().sessions.forget(later(AT, SESSION_MS + 1));
    expect(await use(old, AT)).to.equal(undefined);
    expect(await use(fresh, AT)).not.to.equal(undefined);
  });
});
