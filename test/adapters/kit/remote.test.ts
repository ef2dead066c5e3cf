import { expect } from 'chai';
import {
  createProviderClient,
  type Question,
} from '../../../adapters/kit/remote/provider-client.ts';
import { type Asked, Double, type Told } from '../../doubles/http.ts';
import { freePort } from '../../support/postgres.ts';

const question = (over: Partial<Question> = {}): Question => ({
  method: 'GET',
  path: '/x',
  timeoutMs: 20_000,
  repeatable: true,
  ...over,
});

describe('the client of a provider', () => {
  const doubles: Double[] = [];
  let asked = 0;
  const provider = async (answer: (asked: Asked) => Promise<Told> | Told, pauseMs = 50) => {
    asked = 0;
    const double = new Double((each) => {
      asked += 1;
      return answer(each);
    });
    doubles.push(double);
    return createProviderClient({
      url: await double.start(),
      headers: { Authorization: 'Bearer of-the-tests' },
      pauseMs,
    });
  };
  afterEach(() => {
    for (const each of doubles.splice(0)) each.stop();
  });

  it('sends body and headers, and reads the reply', async () => {
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

  it('sends the id of the request or job that asks, unless a header cannot hold it', async () => {
    const ids = ['order:42_a.b-c', undefined, 'é', 'a\r\nX-Evil: 1', 'x'.repeat(129), ''];
    const double = new Double(({ headers }) => ({
      status: 200,
      body: { sent: headers['x-request-id'] ?? null },
    }));
    doubles.push(double);
    let id: string | undefined;
    const url = await double.start();
    const ask = createProviderClient({ url, headers: {}, currentRequestId: () => id });
    const replies: unknown[] = [];
    for (const each of ids) {
      id = each;
      replies.push(await ask(question()));
    }
    expect(replies).to.deep.equal(
      ['order:42_a.b-c', null, null, null, null, null].map((sent) => ({
        status: 200,
        body: { sent },
      })),
    );
  });

  it('tells once that its key is refused, and goes on asking', async () => {
    const double = new Double(() => ({ status: 401, body: {} }));
    doubles.push(double);
    const told: object[] = [];
    const ask = createProviderClient({
      url: await double.start(),
      ...{ headers: {}, provider: 'insurer' },
      log: { warn: (line: object) => void told.push(line) },
    });
    for (let tries = 0; tries < 3; tries += 1)
      expect(await ask(question({}))).to.deep.equal({ status: 401, body: {} });
    expect(told).to.deep.equal([{ provider: 'insurer', status: 401 }]);
  });

  it('removes characters that PostgreSQL cannot store', async () => {
    const ask = await provider(() => ({
      status: 200,
      body: { reason: 'a\0b', list: ['\ud83d', '\ud83d\ude00'] },
    }));
    expect(await ask(question())).to.deep.equal({
      status: 200,
      body: { reason: 'ab', list: ['\ufffd', '\ud83d\ude00'] },
    });
  });

  it('retries a repeatable request after status 500 and 503 and a lost connection', async () => {
    for (const bad of [{ status: 500 }, { status: 503 }, 'cut'] as const) {
      const ask = await provider(() => (asked < 3 ? bad : { status: 200, body: {} }));
      expect(await ask(question()), String(bad)).to.deep.equal({ status: 200, body: {} });
      expect(asked).to.equal(3);
    }
  });

  it('does not retry other requests, and reports whether the outcome is known', async () => {
    const CASES: readonly [Told, string][] = [
      [{ status: 500 }, 'failed'],
      [{ status: 502 }, 'unknown'],
      ['cut', 'unknown'],
      ['hang', 'unknown'],
    ];
    for (const [told, expected] of CASES) {
      const ask = await provider(() => told);
      const over = { ...(told === 'hang' && { timeoutMs: 200 }), repeatable: false } as const;
      expect(await ask(question({ method: 'POST', ...over })), String(told)).to.equal(expected);
      expect(asked).to.equal(1);
    }
  });

  it('reports unreached for a request that it could not send', async () => {
    const ask = createProviderClient({ url: `http://127.0.0.1:${await freePort()}`, headers: {} });
    expect(await ask(question({ method: 'POST', repeatable: false }))).to.equal('unreached');
  });

  it('follows no redirect, and limits the size of a reply', async () => {
    const moved = new Double(() => ({ status: 200, body: { stolen: true } }));
    doubles.push(moved);
    const target = await moved.start();
    const { createServer } = await import('node:http');
    const server = createServer((_, response) =>
      response.writeHead(302, { Location: target }).end(),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const ask = createProviderClient({
      url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
      headers: {},
    });
    expect(await ask(question({ repeatable: false }))).to.equal('unknown');
    server.close();
    const endless = await provider(() => ({ status: 200, body: 'x'.repeat(2_000_000) }));
    expect(await endless(question({ timeoutMs: 5_000, repeatable: false }))).to.equal('unknown');
  });

  it('pauses after several failures in a row, separately for each HTTP method', async () => {
    let isUp = false;
    const ask = await provider(
      ({ method }) => (isUp || method === 'POST' ? { status: 200, body: {} } : 'cut'),
      100,
    );
    const look = question({ repeatable: false });
    for (let count = 0; count < 5; count += 1) expect(await ask(look)).to.equal('unknown');
    const before = asked;
    expect(await ask(look)).to.equal('unreached');
    expect(asked, 'no request was sent').to.equal(before);
    expect(await ask(question({ method: 'POST', repeatable: false }))).to.deep.equal({
      status: 200,
      body: {},
    });
    isUp = true;
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(await ask(look)).to.deep.equal({ status: 200, body: {} });
  });
});
