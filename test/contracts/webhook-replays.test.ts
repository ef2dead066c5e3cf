import { expect } from 'chai';
import { AT, entry } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';
import { later } from '../support/webhooks.ts';

overEveryStore('the replays of events', (store) => {
  const replayOf = (endpointId: string) => ({ endpointId, from: AT, to: later(10) });

  const request = (endpointId: string) => {
    const subject = `webhook/${endpointId}`;
    const audited = entry({ action: 'webhook.replayed', subject });
    return store().webhookReplays.request(replayOf(endpointId), audited);
  };

  const entriesOf = async (endpointId: string) =>
    (await store().auditLog.list({ subject: `webhook/${endpointId}`, limit: 100 })).length;

  /** Ends all replays, so that each test has its own. */
  const endAll = async (): Promise<void> => {
    for (;;) {
      const taken = await store().webhookReplays.take(later(100_000), later(100_001));
      if (taken === undefined) return;
      await store().webhookReplays.note(taken.id, undefined, AT);
    }
  };

  beforeEach(endAll);

  it('are stored once for an endpoint, with an audit entry, however many are requested', async () => {
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => request('whe_1')));
    expect(outcomes.filter((outcome) => outcome === 'requested')).to.have.length(1);
    expect(outcomes.filter((outcome) => outcome === 'runs_already')).to.have.length(5);
    expect(await entriesOf('whe_1')).to.equal(1);
    expect(await request('whe_2')).to.equal('requested');
  });

  it('are taken by one caller at a time, from the beginning', async () => {
    await request('whe_3');
    const { webhookReplays } = store();
    const takers = Array.from({ length: 6 }, () => webhookReplays.take(AT, later(1)));
    const taken = (await Promise.all(takers)).filter((each) => each !== undefined);
    expect(taken).to.have.length(1);
    expect(taken[0]).to.deep.include({ ...replayOf('whe_3'), after: 0 });
  });

  it('go on after the last noted step, with another caller if the first one was killed', async () => {
    await request('whe_4');
    const { webhookReplays } = store();
    const first = await webhookReplays.take(AT, later(1));
    await webhookReplays.note(first?.id ?? 0, 250, AT);
    expect(await webhookReplays.take(AT, later(1))).to.deep.equal({ ...first, after: 250 });

    expect(await webhookReplays.take(AT, later(1))).to.equal(undefined);
    expect(await webhookReplays.take(later(1), later(2))).to.deep.equal({ ...first, after: 250 });
    await webhookReplays.note(first?.id ?? 0, 100, later(1));
    const again = await webhookReplays.take(later(2), later(3));
    expect(again, 'a late note does not take a step back').to.deep.equal({ ...first, after: 250 });
  });

  it('take turns', async () => {
    await request('whe_5');
    await request('whe_6');
    const { webhookReplays } = store();
    const turns: (string | undefined)[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const taken = await webhookReplays.take(later(turn), later(turn + 1));
      turns.push(taken?.endpointId);
      await webhookReplays.note(taken?.id ?? 0, turn, later(turn));
    }
    expect(turns).to.deep.equal(['whe_5', 'whe_6', 'whe_5', 'whe_6']);
  });

  it('are gone after their last step, and may be requested again', async () => {
    await request('whe_7');
    const { webhookReplays } = store();
    const taken = await webhookReplays.take(AT, later(1));
    await webhookReplays.note(taken?.id ?? 0, undefined, AT);
    expect(await webhookReplays.take(later(5), later(6))).to.equal(undefined);
    expect(await request('whe_7')).to.equal('requested');
    await webhookReplays.note(taken?.id ?? 0, undefined, AT);
    await webhookReplays.note(taken?.id ?? 0, 9, AT);
    const next = await webhookReplays.take(later(5), later(6));
    expect(next, 'a late note does not touch the next replay').to.deep.include({ after: 0 });
  });
});
