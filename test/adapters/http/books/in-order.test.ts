import { mock } from 'node:test';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { AnswerStream } from '../../../../adapters/http/books/answer-stream.ts';
import { mapInOrder } from '../../../../adapters/http/books/in-order.ts';

async function* numbers(count: number): AsyncGenerator<number, undefined> {
  for (let each = 0; each < count; each += 1) yield each;
  return undefined;
}

const map = <Result>(
  items: AsyncGenerator<number, undefined>,
  width: number,
  work: (item: number) => Promise<Result>,
) => mapInOrder(items, items.next(), width, work);

describe('works that run together', () => {
  it('give their results in the order of the items, never more than the width at once', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 20 }),
        async (width, delays) => {
          let [running, most] = [0, 0];
          const results = map(numbers(delays.length), width, async (item) => {
            running += 1;
            most = Math.max(most, running);
            await wait(delays[item]);
            running -= 1;
            return item;
          });
          expect(await Array.fromAsync(results)).to.deep.equal(delays.map((_, at) => at));
          expect(most).to.be.at.most(width);
        },
      ),
      { numRuns: 30 },
    ));

  it('give a result while the next item is still to come', async () => {
    const { promise: later, resolve } = Promise.withResolvers<void>();
    async function* slow(): AsyncGenerator<number, undefined> {
      yield 1;
      await later;
      yield 2;
      return undefined;
    }
    const results = map(slow(), 10, async (item) => item);
    expect((await results.next()).value).to.equal(1);
    resolve();
    expect((await results.next()).value).to.equal(2);
  });

  it('throw an error of the items after the results of those before it', async () => {
    async function* broken(): AsyncGenerator<number, undefined> {
      yield* [1, 2];
      throw new Error('broken');
    }
    const results = map(broken(), 10, async (item) => item);
    const seen: number[] = [];
    const read = async (): Promise<void> => {
      for await (const each of results) seen.push(each);
    };
    expect(await read().catch(({ message }) => message)).to.equal('broken');
    expect(seen).to.deep.equal([1, 2]);
  });

  it('take no more items than the width while their results are not taken', async () => {
    let taken = 0;
    async function* counted(): AsyncGenerator<number, undefined> {
      for (;;) {
        taken += 1;
        yield taken;
      }
    }
    const results = map(counted(), 8, async (item) => item);
    await results.next();
    await wait(10);
    expect(taken).to.be.at.most(9);
    await results.return(undefined);
  });
});

describe('an answer of lines', () => {
  it('is held for a client that reads late, up to its bound', async () => {
    const answer = new AnswerStream(1_000, 10_000);
    while (!answer.isFull) {
      answer.addLine({ text: 'x'.repeat(90) });
      await nextTurn();
    }
    expect(answer.readableLength).to.be.within(1_000, 1_200);
    const room = answer.waitForRoom();
    answer.read(answer.readableLength);
    expect(await room).to.equal(true);
    answer.addLine({ last: true });
    answer.finish();
    expect(await answer.setEncoding('utf8').toArray()).to.deep.equal(['{"last":true}\n']);
  });

  it('says that a client reads nothing, but not that it reads slowly', async () => {
    const answer = new AnswerStream(100, 200);
    answer.addLine({ text: 'x'.repeat(10_000) });
    await nextTurn();
    expect(answer.isFull).to.equal(true);
    mock.timers.enable({ apis: ['setTimeout'] });
    const room = answer.waitForRoom();
    mock.timers.tick(200);
    expect(await room).to.equal(false);

    let hasRoom: boolean | undefined;
    const late = answer.waitForRoom().then((has) => {
      hasRoom = has;
    });
    for (let passed = 0; passed < 1_000; passed += 200) {
      answer.read(500);
      mock.timers.tick(200);
      await nextTurn();
      expect(hasRoom).to.equal(undefined);
    }
    answer.read(answer.readableLength);
    await late;
    expect(hasRoom).to.equal(true);
  });

  afterEach(() => mock.timers.reset());

  it('lets its writer go on when the client has gone', async () => {
    const answer = new AnswerStream(10);
    answer.addLine({ text: 'long enough' });
    await nextTurn();
    const room = answer.waitForRoom();
    answer.destroy();
    expect(await room).to.equal(true);
    answer.addLine({});
    answer.finish();
  });
});
