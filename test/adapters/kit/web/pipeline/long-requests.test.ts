import { expect } from 'chai';
import { AnswerError } from '../../../../../adapters/kit/contract/answer-error.ts';
import { LongRequests } from '../../../../../adapters/kit/web/pipeline/long-requests.ts';

const UNENDING = { destroy: () => undefined as never };

describe('long requests at the same time', () => {
  const taking = (running: LongRequests) => (clientId: string, channelLink: string | null) => {
    try {
      return running.take({ clientId, channelLink }, UNENDING);
    } catch (error) {
      if (error instanceof AnswerError) return error.status;
      throw error;
    }
  };

  it('are two of a client, four of a channel, and some are kept for other channels', () => {
    const take = taking(new LongRequests('importações'));
    const isTaken = (client: string, channel: string | null) =>
      typeof take(client, channel) === 'function';
    for (const client of ['a1', 'a1', 'a2', 'a2']) expect(isTaken(client, 'a')).to.equal(true);
    expect([take('a1', 'a'), take('a3', 'a')]).to.deep.equal([429, 429]);
    for (const client of ['b1', 'b1']) expect(isTaken(client, 'b')).to.equal(true);
    // Two of eight are left, for channels without one.
    expect(take('b2', 'b')).to.equal(429);
    expect([isTaken('c1', 'c'), take('c2', 'c'), isTaken('admin', null)]).to.deep.equal([
      ...[true, 429, true],
    ]);
    expect(take('d1', 'd')).to.equal(429);
  });

  it('end, or their connection is closed in the end', async () => {
    const running = new LongRequests('extratos', { ofAll: 1, kept: 0 }, 5);
    const take = taking(running);
    const leave = take('a', 'a') as () => void;
    expect(take('b', 'b')).to.equal(429);
    leave();
    const ended = new Promise<void>((resolve) => {
      running.take({ clientId: 'b', channelLink: 'b' }, { destroy: () => resolve() as never });
    });
    // The timer alone keeps no process alive.
    const keepAlive = setInterval(() => {}, 1_000);
    await ended;
    clearInterval(keepAlive);
  });
});
