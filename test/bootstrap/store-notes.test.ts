import { expect } from 'chai';
import { pino } from 'pino';
import type { BackgroundNotes } from '../../application/background-notes.ts';
import { Unavailable } from '../../application/unavailable.ts';
import { storeNotes } from '../../bootstrap/processes/store-notes.ts';

const NONE: BackgroundNotes = { flush: async () => {}, takeDropped: () => 0 };

describe('storing notes in the background', () => {
  it('tries once more when the flush that runs at the end fails', async () => {
    let flushes = 0;
    const begun = Promise.withResolvers<void>();
    const outage = Promise.withResolvers<void>();
    const alertNotes = {
      ...NONE,
      flush: () => {
        flushes += 1;
        begun.resolve();
        return flushes === 1 ? outage.promise : Promise.resolve();
      },
    };
    const stop = storeNotes({
      requestNotes: NONE,
      providerCallNotes: NONE,
      alertNotes,
      log: pino({ level: 'silent' }),
    } as unknown as Parameters<typeof storeNotes>[0]);
    await begun.promise;
    const stopped = stop();
    outage.reject(new Unavailable('the database was away'));
    await stopped;
    expect(flushes).to.equal(2);
  });
});
