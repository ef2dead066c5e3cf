import { expect } from 'chai';
import { createBatcher } from '../../adapters/persistence/engine/batcher.ts';
import { Unavailable } from '../../application/unavailable.ts';

/** Work that ends at the test's request. */
class Held {
  readonly groups: number[][] = [];
  readonly #ends: (() => void)[] = [];

  readonly work = async (items: readonly number[]): Promise<readonly string[]> => {
    this.groups.push([...items]);
    await new Promise<void>((resolve) => this.#ends.push(resolve));
    return items.map((item) => `done ${item}`);
  };

  async finish(): Promise<void> {
    this.#ends.shift()?.();
    await aTurn();
  }
}

const aTurn = (): Promise<void> =>
  new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

const outcome = async (doing: Promise<unknown>): Promise<string> =>
  doing.then(String, (error: unknown) =>
    error instanceof Unavailable ? `unavailable: ${error.message}` : String(error),
  );

describe('a batcher', () => {
  it('starts the first call at once, and puts the calls that arrive meanwhile into batches of limited size', async () => {
    const held = new Held();
    const one = createBatcher({ work: held.work, maxItems: 3, maxConcurrent: 1 });
    const answers = [one(1)];
    await aTurn();
    for (const item of [2, 3, 4, 5]) answers.push(one(item));
    await aTurn();
    expect(held.groups).to.deep.equal([[1]]);
    for (let count = 0; count < 3; count += 1) await held.finish();
    expect(held.groups).to.deep.equal([[1], [2, 3, 4], [5]]);
    expect(await Promise.all(answers)).to.deep.equal([1, 2, 3, 4, 5].map((item) => `done ${item}`));
  });

  it('answers a call when its own batch is done, not before', async () => {
    const held = new Held();
    const one = createBatcher({ work: held.work, maxItems: 9, maxConcurrent: 1 });
    let answered = false;
    const answer = one(1).then(() => {
      answered = true;
    });
    await aTurn();
    expect(answered).to.equal(false);
    await held.finish();
    await answer;
    expect(answered).to.equal(true);
  });

  it('tells how large each batch is, and how long its first call has waited', async () => {
    const held = new Held();
    const told: (readonly [number, number])[] = [];
    const observe = (items: number, waitedMs: number) => told.push([items, waitedMs]);
    const one = createBatcher({ work: held.work, maxItems: 3, maxConcurrent: 1, observe });
    const answers = [one(1)];
    await aTurn();
    answers.push(one(2));
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const item of [3, 4, 5]) answers.push(one(item));
    for (let count = 0; count < 3; count += 1) await held.finish();
    await Promise.all(answers);

    expect(told.map(([items]) => items)).to.deep.equal([1, 3, 1]);
    const waits = told.map(([, waitedMs]) => waitedMs);
    expect(Math.min(...waits)).to.be.at.least(0);
    expect(waits[1]).to.be.at.least(19);
  });

  it('answers a batch after the next one has been sent', async () => {
    const events: string[] = [];
    const held = new Held();
    const work = (items: readonly number[]) => {
      events.push(`left ${items}`);
      return held.work(items);
    };
    const one = createBatcher({ work, maxItems: 9, maxConcurrent: 1 });
    const first = one(1).then(() => events.push('told 1'));
    await aTurn();
    for (const item of [2, 3]) void one(item);
    await held.finish();
    await first;
    expect(events).to.deep.equal(['left 1', 'left 2,3', 'told 1']);
  });

  it('runs as many batches at a time as are allowed', async () => {
    const held = new Held();
    const one = createBatcher({ work: held.work, maxItems: 9, maxConcurrent: 2 });
    void one(1);
    await aTurn();
    const second = one(2);
    await aTurn();
    void one(3);
    await aTurn();
    expect(held.groups).to.deep.equal([[1], [2]]);
    await held.finish();
    expect(held.groups).to.deep.equal([[1], [2], [3]]);
    await held.finish();
    expect(await second).to.equal('done 2');
  });

  it('starts another batch beside one that hangs', async () => {
    const held = new Held();
    const one = createBatcher({ work: held.work, maxItems: 9, maxConcurrent: 1, hangMs: 20 });
    void one(1);
    await aTurn();
    const second = one(2);
    await aTurn();
    expect(held.groups).to.deep.equal([[1]]);
    const since = performance.now();
    while (performance.now() - since < 25);
    const third = one(3);
    await aTurn();
    expect(held.groups).to.deep.equal([[1], [2, 3]]);
    await held.finish();
    await held.finish();
    expect(await Promise.all([second, third])).to.deep.equal(['done 2', 'done 3']);
  });

  it('fails only the call at fault, after few tries', async () => {
    let tries = 0;
    const work = async (items: readonly number[]): Promise<readonly number[]> => {
      tries += 1;
      if (items.includes(13)) throw new Error('13 is not liked');
      return items;
    };
    const one = createBatcher({ work, maxItems: 64, maxConcurrent: 1 });
    const items = Array.from({ length: 64 }, (_, index) => index);
    const found = await Promise.all(items.map((item) => outcome(one(item))));
    expect(found).to.deep.equal(
      items.map((item) => (item === 13 ? 'Error: 13 is not liked' : String(item))),
    );
    expect(tries).to.be.at.most(1 + 2 * Math.log2(64));
  });

  it('fails the whole batch without a retry when the database is out of reach, because it may have been stored', async () => {
    let tries = 0;
    const work = async (): Promise<readonly number[]> => {
      tries += 1;
      throw new Unavailable('gone');
    };
    const one = createBatcher({ work, maxItems: 64, maxConcurrent: 1 });
    const found = await Promise.all([1, 2, 3].map((item) => outcome(one(item))));
    expect(found).to.deep.equal(['unavailable: gone', 'unavailable: gone', 'unavailable: gone']);
    expect(tries).to.equal(1);
  });

  it('rejects a call at once while too many wait, and accepts calls again later', async () => {
    const held = new Held();
    const one = createBatcher({ work: held.work, maxItems: 9, maxConcurrent: 1, maxWaiting: 2 });
    const first = one(1);
    await aTurn();
    const waiting = [one(2), one(3)];
    expect(await outcome(one(4))).to.equal('unavailable: too many wait for their turn');
    await held.finish();
    const later = one(5);
    await held.finish();
    await held.finish();
    expect(await Promise.all([first, ...waiting, later])).to.deep.equal([
      'done 1',
      'done 2',
      'done 3',
      'done 5',
    ]);
  });

  it('rejects a call that waits too long, and does not run it later', async () => {
    const held = new Held();
    const one = createBatcher({ work: held.work, maxItems: 9, maxConcurrent: 1, maxWaitMs: 20 });
    const first = one(1);
    await aTurn();
    const began = performance.now();
    expect(await Promise.all([outcome(one(2)), outcome(one(3))])).to.deep.equal(
      Array(2).fill('unavailable: the turn did not come in time'),
    );
    expect(performance.now() - began).to.be.at.least(15);
    await held.finish();
    expect(await first).to.equal('done 1');
    expect(held.groups).to.deep.equal([[1]]);
  });
});
