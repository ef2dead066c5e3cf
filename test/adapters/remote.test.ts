import { expect } from 'chai';
import { type Question, remote } from '../../adapters/remote/provider-client.ts';
import { type Asked, Double, type Told } from '../doubles/http.ts';
import { freePort } from '../support/postgres.ts';

const question = (over: Partial<Question> = {}): Question => ({
  method: 'GET',
  path: '/x',
  within: 200,
  repeatable: true,
  ...over,
});

describe('asking a provider over HTTP', () => {
  const doubles: Double[] = [];
  let asked = 0;
  const provider = async (answer: (asked: Asked) => Promise<Told> | Told, pause = 50) => {
    asked = 0;
    const double = new Double((each) => {
      asked += 1;
      return answer(each);
    });
    doubles.push(double);
    return remote({
      url: await double.start(),
      headers: { Authorization: 'Bearer of-the-tests' },
      pause,
    });
  };
  afterEach(() => {
    for (const each of doubles.splice(0)) each.stop();
  });

  it('sends what was asked, with the headers of all questions, and reads the answer', async () => {
    const ask = await provider(({ headers, body, method }) => ({
      status: 201,
      body: { method, body, token: headers.authorization, own: headers['idempotency-key'] },
    }));
    const reply = await ask(
      question({ method: 'POST', body: { a: 1 }, headers: { 'Idempotency-Key': 'k' } }),
    );
    expect(reply).to.deep.equal({
      status: 201,
      body: { method: 'POST', body: { a: 1 }, token: 'Bearer of-the-tests', own: 'k' },
    });
  });

  it('reads no text that a table would not take', async () => {
    const ask = await provider(() => ({
      status: 200,
      body: { reason: 'a\0b', list: ['\ud83d', '\ud83d\ude00'] },
    }));
    expect(await ask(question())).to.deep.equal({
      status: 200,
      body: { reason: 'ab', list: ['\ufffd', '\ud83d\ude00'] },
    });
  });

  it('asks again after what may be mended by it, where that is harmless', async () => {
    for (const bad of [{ status: 500 }, { status: 503 }, 'cut'] as const) {
      const ask = await provider(() => (asked < 3 ? bad : { status: 200, body: {} }));
      expect(await ask(question()), String(bad)).to.deep.equal({ status: 200, body: {} });
      expect(asked).to.equal(3);
    }
  });

  it('asks once where it is not, and says whether it may have been heard', async () => {
    const CASES: readonly [Told, string][] = [
      [{ status: 500 }, 'failed'],
      [{ status: 502 }, 'unknown'],
      ['cut', 'unknown'],
      ['hang', 'unknown'],
    ];
    for (const [told, expected] of CASES) {
      const ask = await provider(() => told);
      expect(await ask(question({ method: 'POST', repeatable: false })), String(told)).to.equal(
        expected,
      );
      expect(asked).to.equal(1);
    }
  });

  it('says of a question that never left that it was not heard', async () => {
    const ask = remote({ url: `http://127.0.0.1:${await freePort()}`, headers: {} });
    expect(await ask(question({ method: 'POST', repeatable: false }))).to.equal('unreached');
  });

  it('follows no redirect, and reads no endless answer', async () => {
    const moved = new Double(() => ({ status: 200, body: { stolen: true } }));
    doubles.push(moved);
    const target = await moved.start();
    const { createServer } = await import('node:http');
    const server = createServer((_, response) =>
      response.writeHead(302, { Location: target }).end(),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const ask = remote({
      url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
      headers: {},
    });
    expect(await ask(question({ repeatable: false }))).to.equal('unknown');
    server.close();
    const endless = await provider(() => ({ status: 200, body: 'x'.repeat(2_000_000) }));
    expect(await endless(question({ within: 5_000, repeatable: false }))).to.equal('unknown');
  });

  it('leaves a provider alone for a while that has failed several times, orders and look-ups each by themselves', async () => {
    let isUp = false;
    const ask = await provider(
      ({ method }) => (isUp || method === 'POST' ? { status: 200, body: {} } : 'cut'),
      100,
    );
    const look = question({ repeatable: false });
    for (let count = 0; count < 5; count += 1) expect(await ask(look)).to.equal('unknown');
    const before = asked;
    expect(await ask(look)).to.equal('unreached');
    expect(asked, 'it was not asked').to.equal(before);
    expect(await ask(question({ method: 'POST', repeatable: false }))).to.deep.equal({
      status: 200,
      body: {},
    });
    isUp = true;
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(await ask(look)).to.deep.equal({ status: 200, body: {} });
  });
});
