import { expect } from 'chai';
import type { AlertWay, Digest } from '../../application/alerts/alert-notifications.ts';
import type { RaisedAlert } from '../../application/alerts/raised-alert.ts';
import { AT } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';
import { later } from '../support/webhooks.ts';

const KIND = 'refund_undone';

const raised = (saleId: number, over: Partial<RaisedAlert> = {}): RaisedAlert => ({
  ...{ kind: KIND, subject: `transaction/${saleId}`, saleId, details: { provider: 'asaas' } },
  ...{ firstAt: AT, lastAt: AT, times: 1, requestId: null },
  ...over,
});

/** Numbers of the alerts' sales, the newest alert first. */
const salesOf = (digest: Digest | undefined) => digest?.alerts.map(({ saleId }) => saleId);

overEveryStore('what operators are told of alerts', (store) => {
  /** Claims at a time, as telling does: after an hour again, and for two minutes. */
  const claim = (minutes: number, way: AlertWay = 'mail') =>
    store().alertNotifications.claim(way, {
      now: later(minutes),
      toldBefore: later(minutes - 60),
      until: later(minutes + 2),
    });
  const tell = async (minutes: number, way: AlertWay = 'mail'): Promise<Digest | undefined> => {
    const digest = await claim(minutes, way);
    if (digest !== undefined) await store().alertNotifications.noteTold(digest, later(minutes));
    return digest;
  };
  const raise = (...alerts: readonly RaisedAlert[]) => store().alertRecords.store(alerts);

  /** Resolves what earlier tests have raised. */
  beforeEach(async () => {
    const { alertRecords } = store();
    for (const record of await alertRecords.list({ status: 'open', limit: 100 }))
      await alertRecords.settle(record, AT, 'over');
  });
  const settle = async (saleId: number): Promise<void> => {
    const query = { status: 'open', kind: KIND, saleId, limit: 1 } as const;
    for (const record of await store().alertRecords.list(query))
      await store().alertRecords.settle(record, AT, 'over');
  };

  it('is each kind, to one of several callers, and each way by itself', async () => {
    expect(await claim(0)).to.equal(undefined);
    await raise(raised(1), raised(2, { kind: 'papers_gone' }));
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(0)));
    const claimed = claims.filter((digest) => digest !== undefined);
    // A caller that came at the same time may have found nothing; the next one finds what is left.
    const left = [await claim(0), await claim(0)].filter((digest) => digest !== undefined);
    const kinds = [...claimed, ...left].map(({ kind }) => kind);
    expect(kinds).to.have.members([KIND, 'papers_gone']);

    const webhook = [await claim(0, 'webhook'), await claim(0, 'webhook')];
    expect(webhook.map((digest) => digest?.way)).to.deep.equal(['webhook', 'webhook']);
    expect(await claim(0, 'webhook')).to.equal(undefined);
  });

  it('names the newest ten alerts, and counts all', async () => {
    const sales = Array.from({ length: 12 }, (_, index) => 100 + index);
    await raise(...sales.map((saleId) => raised(saleId)));
    const digest = await tell(200);
    expect(digest).to.deep.include({ kind: KIND, way: 'mail', count: 12 });
    expect(digest?.alerts).to.have.length(10);
    expect(digest?.alerts[0]).to.deep.include({ times: 1, details: { provider: 'asaas' } });
    const known = await store().alertRecords.list({ kind: KIND, status: 'open', limit: 10 });
    expect(digest?.alerts).to.deep.equal(known);
  });

  it('comes at most once an hour, and is then what was raised since', async () => {
    await raise(raised(201), raised(202));
    expect((await tell(400))?.count).to.equal(2);
    expect(await tell(461), 'nothing new').to.equal(undefined);

    await raise(raised(203));
    expect(salesOf(await tell(462))).to.deep.equal([203]);
    await raise(raised(204), raised(201, { times: 2 }));
    expect(await tell(463)).to.equal(undefined);
    expect(await tell(521)).to.equal(undefined);
    const digest = await tell(522);
    expect(salesOf(digest)).to.have.members([204, 201]);
    expect(digest?.alerts.find(({ saleId }) => saleId === 201)?.times).to.equal(3);
  });

  it('is claimed again two minutes after a claim that told nothing', async () => {
    await raise(raised(301));
    const digest = await claim(600);
    expect(salesOf(digest)).to.deep.equal([301]);
    expect(await claim(601)).to.equal(undefined);
    await raise(raised(302));
    expect(salesOf(await claim(602))).to.have.members([301, 302]);

    await store().alertNotifications.noteTold(digest as Digest, later(602));
    expect(await claim(604), 'told of meanwhile').to.equal(undefined);
    expect(salesOf(await claim(662))).to.deep.equal([302]);
  });

  it('waits after a failure until the time that was noted, for all callers, and counts', async () => {
    await raise(raised(351));
    const first = await claim(700);
    expect(first?.failures).to.equal(0);
    await store().alertNotifications.noteFailed(first as Digest, later(710));
    expect(await claim(709)).to.equal(undefined);
    const second = await claim(710);
    expect(second).to.deep.include({ count: 1, failures: 1 });
    await store().alertNotifications.noteFailed(second as Digest, later(720));
    expect((await tell(720))?.failures).to.equal(2);
    await raise(raised(352));
    expect((await tell(780))?.failures, 'told since').to.equal(0);
  });

  it('leaves out what is resolved', async () => {
    await raise(raised(401), raised(402));
    await settle(401);
    expect(salesOf(await tell(900))).to.deep.equal([402]);
    await raise(raised(403));
    await settle(403);
    expect(await tell(1_000)).to.equal(undefined);
  });
});
