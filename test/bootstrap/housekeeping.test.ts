import { expect } from 'chai';
import { pino } from 'pino';
import { memoryService } from '../../bootstrap/composition/memory.ts';
import { startHousekeeping } from '../../bootstrap/processes/housekeeping.ts';
import type { AT } from '../support/identity.ts';
import { within } from '../support/stores.ts';

describe('housekeeping', () => {
  it('deletes logins that expired a day ago, beginning at the start', async () => {
    const service = memoryService();
    const { refreshTokens } = service;
    const tokens = refreshTokens;
    const family = { clientId: 'a', scopes: [], generation: 0 };
    for (const day of ['18', '19', '20'])
      await tokens.start(
        { ...family, familyId: day, expiresAt: `2026-11-${day}T15:00:00.000Z` as typeof AT },
        day,
      );
    const long = '2026-11-01T00:00:00.000Z' as typeof AT;
    const left = async () =>
      Promise.all(
        ['18', '19', '20'].map(async (hash) => (await tokens.find(hash, long)) !== undefined),
      );
    const log = pino({ level: 'silent' });
    const stop = startHousekeeping({ ...service, log });
    expect(await within(left, ([oldest]) => oldest === false)).to.deep.equal([false, true, true]);
    stop();
  });

  it('deletes events after 90 days', async () => {
    const service = memoryService();
    const { partnerEvents } = service;
    const asked = ['2026-08-22T14:59:59.999Z', '2026-08-22T15:00:00.000Z'];
    for (const at of asked) await partnerEvents.requestTest('loja', 'whe_1', at as typeof AT);
    const log = pino({ level: 'silent' });
    const stop = startHousekeeping({ ...service, log });
    const left = async () => partnerEvents.kept.map(({ at }) => at);
    expect(await within(left, ({ length }) => length === 1)).to.deep.equal([asked[1]]);
    stop();
  });

  it('deletes the calls to providers 90 days after the last one', async () => {
    const service = memoryService();
    const { providerCalls } = service;
    const asked = ['2026-08-22T14:59:59.999Z', '2026-08-22T15:00:00.000Z'] as (typeof AT)[];
    const call = { saleId: 7, provider: 'asaas', question: 'charge', requestId: null } as const;
    await providerCalls.add(
      asked.map((lastAt, index) => ({
        ...{ ...call, answer: `answer ${index}`, times: 1, lastMs: 1 },
        ...{ firstAt: '2026-01-01T00:00:00.000Z' as typeof AT, lastAt },
      })),
    );
    const log = pino({ level: 'silent' });
    const stop = startHousekeeping({ ...service, log });
    const left = async () => (await providerCalls.list(7, 10)).map(({ lastAt }) => lastAt);
    expect(await within(left, ({ length }) => length === 1)).to.deep.equal([asked[1]]);
    stop();
  });

  it('logs a failure without its text, and continues', async () => {
    const service = memoryService();
    const { refreshTokens } = service;
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    refreshTokens.forget = () => Promise.reject(new Error('secret words'));
    const stop = startHousekeeping({ ...service, log });
    await within(
      async () => lines.length,
      (count) => count > 0,
    );
    stop();
    expect(lines.join(''))
      .to.include('old logins, events, answers or marks of cards were not deleted')
      .and.not.include('secret words');
  });
});
