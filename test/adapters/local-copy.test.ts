import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { DatabaseCatalogue } from '../../adapters/persistence/catalogue/catalogue.ts';
import { ChangeFeed } from '../../adapters/persistence/engine/change-feed.ts';
import { type Database, openPostgres } from '../../adapters/persistence/engine/database.ts';
import { LocalCopy } from '../../adapters/persistence/engine/local-copy.ts';
import { DatabaseClients } from '../../adapters/persistence/identity/clients.ts';
import { DatabaseRefreshTokens } from '../../adapters/persistence/identity/refresh-tokens.ts';
import { DEMO_CHANNEL } from '../../bootstrap/processes/demo-catalogue.ts';
import { saveVersion, versionAt } from '../support/catalogue.ts';
import { AT, client, entry } from '../support/identity.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';
import { leastTimeOf } from '../support/timing.ts';

/** A change is in force in every process after this time at the latest, ms. */
const SECOND = 1_000;

describe('the copy of a process, while another process changes the data', () => {
  let mine: Database;
  let theirs: Database;
  before(async () => {
    const url = await sharedPostgres.database();
    [mine, theirs] = [await openPostgres({ url, pool: 2 }), await openPostgres({ url, pool: 2 })];
    await mine.migrate();
  });
  after(() => Promise.all([mine.close(), theirs.close()]));

  /** Polls until the answer fits. @returns milliseconds until then */
  const msUntil = async <Answer>(
    ask: () => Promise<Answer>,
    fits: (answer: Answer) => boolean,
  ): Promise<number> => {
    const began = performance.now();
    expect(fits(await within(ask, fits))).to.equal(true);
    return performance.now() - began;
  };

  it('has clients up to date within a second, also after a change of its own', async () => {
    const [here, there] = [new DatabaseClients(mine), new DatabaseClients(theirs)];
    await here.add(client('a'), entry());
    let count = 0;
    const added = async (): Promise<number> => {
      count += 1;
      const id = `b-${count}`;
      await there.add(client(id), entry());
      return msUntil(
        async () => here.find(id),
        (each) => each?.clientId === id,
      );
    };
    expect(await leastTimeOf(SECOND, added)).to.be.below(SECOND);
    await there.save({ ...client('a'), status: 'revoked' }, entry());
    const revoked = await within(
      async () => here.find('a'),
      (each) => each?.status === 'revoked',
    );
    expect(revoked?.status).to.equal('revoked');
  });

  it('has the logins that ended in another process, one by one and many at once', async () => {
    const [here, there] = [new DatabaseRefreshTokens(mine), new DatabaseRefreshTokens(theirs)];
    const ids = Array.from({ length: 40 }, (_, index) => `family-${index}`);
    const family = {
      clientId: 'a',
      scopes: ['sales' as const],
      generation: 0,
      expiresAt: '2199-01-01T00:00:00.000Z' as typeof AT,
    };
    for (const familyId of ids) await there.start({ ...family, familyId }, `hash of ${familyId}`);
    // The first end that this process loads is its own.
    await here.revokeFamily('family-0', entry({ action: 'token.revoked' }));
    for (const familyId of ids.slice(1, 5)) {
      await there.revokeFamily(familyId, entry({ action: 'token.revoked' }));
      expect(
        await within(
          async () => here.hasEnded(familyId),
          (ended) => ended,
        ),
        familyId,
      ).to.equal(true);
    }
    await Promise.all(
      ids
        .slice(5, -1)
        .map((id, index) =>
          (index % 2 ? here : there).revokeFamily(id, entry({ action: 'token.revoked' })),
        ),
    );
    const known = () => Promise.all(ids.map((id) => here.hasEnded(id)));
    const expected = ids.map((id) => id !== ids.at(-1));
    expect(
      await within(known, (ended) => ended.every((each, index) => each === expected[index])),
    ).to.deep.equal(expected);
  });

  it('has the catalogue up to date within a second', async () => {
    const [here, there] = [mine, theirs].map(
      (each) => new DatabaseCatalogue(each, new MemoryClock(AT)),
    ) as [DatabaseCatalogue, DatabaseCatalogue];
    const demoChannel = async () => (await here.current()).channels.get('canal-demo');
    expect(await demoChannel()).to.equal(undefined);
    await saveVersion(there, versionAt(DEMO_CHANNEL, AT));
    const found = await within(demoChannel, (each) => each !== undefined);
    expect(found).to.deep.equal({ ...DEMO_CHANNEL, version: 1 });

    let version = 1;
    const changed = async (): Promise<number> => {
      version += 1;
      const renamed = { ...DEMO_CHANNEL, name: `Canal ${version}` };
      await saveVersion(there, versionAt(renamed, AT, { version }));
      return msUntil(demoChannel, (each) => each?.name === renamed.name);
    };
    expect(await leastTimeOf(SECOND, changed)).to.be.below(SECOND);
  });

  it('and the table lose 12,000 logins that expired long ago', async () => {
    const tokens = new DatabaseRefreshTokens(mine);
    const many = `insert into token_family (family_id, client_id, scopes, generation, expires_at)
      select 'old-' || n, 'a', '[]', 0, '2020-01-01' from generate_series(1, 12000) as n`;
    await mine.run({ name: 'many families', text: many }, []);
    await mine.run(
      {
        name: 'many tokens',
        text: `insert into refresh_token (hash, family_id) select 'h' || family_id, family_id from token_family`,
      },
      [],
    );
    await tokens.forget(AT);
    const count = `select (select count(*)::int from token_family) as families, (select count(*)::int from refresh_token where hash like 'hold-%') as tokens`;
    const [left] = await mine.run<{ families: number; tokens: number }>(
      { name: 'count', text: count },
      [],
    );
    expect(left).to.deep.equal({ families: 40, tokens: 0 });
  });
});

describe('a copy that is discarded again and again', () => {
  it('is loaded again for each caller, and is never missing', async () => {
    let asked = 0;
    let loaded = 0;
    // The server changes at every third question, and the revision goes up and down.
    const run = async () => {
      asked += 1;
      await wait(asked % 4);
      return [
        { topic: 'clients', revision: 5 + (asked % 2), server: `server ${Math.floor(asked / 3)}` },
      ];
    };
    const changes = new ChangeFeed(run as never, () => () => {});
    const copy = new LocalCopy({ changes } as Database, 'clients', async () => {
      loaded += 1;
      await wait(2);
      return 'what is stored';
    });
    const ask = async (): Promise<void> => {
      for (let times = 0; times < 40; times += 1) {
        expect(await copy.read((value) => value)).to.equal('what is stored');
        await changes.ask();
      }
    };
    await Promise.all([ask(), ask(), ask(), ask()]);
    changes.stop();
    expect(loaded).to.be.above(10);
  });
});
