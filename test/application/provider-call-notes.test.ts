import { expect } from 'chai';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { MemoryProviderCalls } from '../../adapters/memory/operations/provider-calls.ts';
import type {
  ProviderCall,
  ProviderOutcome,
} from '../../application/providers/observe-providers.ts';
import {
  MAX_WAITING,
  MAX_WATCHED,
  makeProviderCallNotes,
} from '../../application/providers/provider-call-notes.ts';
import { Unavailable } from '../../application/unavailable.ts';

const START = '2026-11-20T15:00:00.000Z';
const CHARGE: ProviderCall = { provider: 'asaas', question: 'charge', saleId: 7 };
const LOST: ProviderOutcome = { kind: 'unknown', words: 'no answer' };
const PAID: ProviderOutcome = { kind: 'answered', words: 'approved 15031' };

describe('noting the calls to providers', () => {
  const noting = () => {
    const clock = new MemoryClock(START);
    const providerCalls = new MemoryProviderCalls();
    const currentRequestId = () => 'request-1';
    const notes = makeProviderCallNotes({ clock, providerCalls, currentRequestId });
    const ask = (outcome: ProviderOutcome, call: Partial<ProviderCall> = {}, seconds = 2) =>
      notes.observe(
        { ...CHARGE, ...call },
        async () => {
          clock.advance(seconds);
          return outcome.words;
        },
        () => outcome,
      );
    const stored = async (saleId = 7) => {
      await notes.flush();
      return providerCalls.list(saleId, 10);
    };
    return { clock, providerCalls, notes, ask, stored };
  };

  it('returns the answer, and writes nothing of an answer in time', async () => {
    const { ask, stored } = noting();
    expect(await ask(PAID)).to.equal('approved 15031');
    expect(await stored()).to.deep.equal([]);
  });

  it('stores with the next flush each call without an answer, its time and its request', async () => {
    const { ask, stored, providerCalls } = noting();
    await ask(LOST);
    expect(await providerCalls.list(7, 10)).to.deep.equal([]);
    const at = '2026-11-20T15:00:02.000Z';
    expect(await stored()).to.deep.equal([
      {
        ...{ saleId: 7, provider: 'asaas', question: 'charge', answer: 'no answer' },
        ...{ times: 1, firstAt: at, lastAt: at, lastMs: 2_000, requestId: 'request-1' },
      },
    ]);
  });

  it('counts equal answers, before they are stored and after', async () => {
    const { ask, stored } = noting();
    await ask(LOST);
    await ask(LOST);
    await stored();
    await ask(LOST, {}, 5);
    const [counted, ...others] = await stored();
    expect(others).to.deep.equal([]);
    expect(counted).to.include({ times: 3, lastMs: 5_000 });
    expect([counted?.firstAt, counted?.lastAt]).to.deep.equal([
      '2026-11-20T15:00:02.000Z',
      '2026-11-20T15:00:09.000Z',
    ]);
  });

  it('notes every call of a sale while it is watched, by all who watch it', async () => {
    const { ask, notes, stored } = noting();
    let release = (): void => {};
    const long = notes.watch(7, () => new Promise<void>((resolve) => (release = resolve)));
    expect(await notes.watch(7, async () => 'result')).to.equal('result');
    await ask(PAID);
    await ask(PAID, { saleId: 8 });
    release();
    await long;
    await ask(PAID);
    expect((await stored()).map(({ answer, times }) => [answer, times])).to.deep.equal([
      ['approved 15031', 1],
    ]);
    expect(await stored(8)).to.deep.equal([]);
  });

  it('ends the watch if the work fails, and watches a limited number of sales', async () => {
    const { ask, notes, stored } = noting();
    await notes.watch(7, () => Promise.reject(new Error('broken'))).catch(() => {});
    await ask(PAID);
    expect(await stored()).to.deep.equal([]);

    const releases: (() => void)[] = [];
    const open = Array.from({ length: MAX_WATCHED }, (_, index) =>
      notes.watch(1_000 + index, () => new Promise<void>((resolve) => releases.push(resolve))),
    );
    await notes.watch(7, () => ask(PAID));
    expect(await stored()).to.deep.equal([]);
    for (const release of releases) release();
    await Promise.all(open);
    await notes.watch(7, () => ask(PAID));
    expect(await stored()).to.have.length(1);
  });

  it('notes no call without a sale, and cuts long answers', async () => {
    const { ask, notes, stored } = noting();
    await notes.observe(
      { provider: 'asaas', question: 'trace_charge' },
      async () => 1,
      () => LOST,
    );
    await ask({ kind: 'failed', words: 'x'.repeat(5_000) });
    const [call, ...others] = await stored();
    expect(others).to.deep.equal([]);
    expect(call?.answer).to.have.length(200);
  });

  it('tries again what could not be stored, and counts it once', async () => {
    const { ask, notes, stored, providerCalls } = noting();
    const add = providerCalls.add.bind(providerCalls);
    await ask(LOST);
    providerCalls.add = async () => {
      await ask(LOST);
      throw new Unavailable('away');
    };
    await notes.flush().then(
      () => expect.fail('the store is away'),
      (error: unknown) => expect(error).to.be.instanceOf(Unavailable),
    );
    providerCalls.add = add;
    expect((await stored()).map(({ times }) => times)).to.deep.equal([2]);
  });

  it('drops what is too much while the store is away, and says how much', async () => {
    const { ask, notes, stored } = noting();
    for (let saleId = 1; saleId <= MAX_WAITING + 3; saleId += 1) await ask(LOST, { saleId }, 0);
    await ask(LOST, { saleId: 1 }, 0);
    expect(notes.takeDropped()).to.equal(3);
    expect(notes.takeDropped()).to.equal(0);
    expect((await stored(1)).map(({ times }) => times)).to.deep.equal([2]);
    expect(await stored(MAX_WAITING)).to.have.length(1);
    expect(await stored(MAX_WAITING + 1)).to.deep.equal([]);
  });
});
