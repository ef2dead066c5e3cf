import { expect } from 'chai';
import type { MemoryClock } from '../../../../../adapters/memory/clock.ts';
import { type Answer, Api, STATUS } from '../../../../support/api.ts';

const TOKEN = '/seguros/auth/token';

describe('the rate limit', () => {
  let api: Api;
  beforeEach(async () => {
    api = await new Api({ rateLimit: 5 }).start();
  });
  afterEach(() => api.stop());

  const announced = ({ headers }: { headers: Headers }): (string | null)[] =>
    ['Limit', 'Remaining', 'Reset', 'Policy'].map((each) => headers.get(`RateLimit-${each}`));
  const guess = (count: number): Promise<Answer[]> =>
    Promise.all(
      Array.from({ length: count }, () => api.post(TOKEN, { client_id: 'x', client_secret: 'y' })),
    );

  it('limits each client’s requests per minute, and announces the limit', async () => {
    const mine = await api.bearer();
    const remaining: (string | null)[] = [];
    for (let count = 0; count < 4; count += 1) {
      const answer = await api.get(`${STATUS}/1`, mine);
      expect(answer.status).to.equal(404);
      expect(announced(answer)).to.deep.include.members(['5', '60', '5;w=60, "minute";q=5;w=60']);
      remaining.push(answer.headers.get('RateLimit-Remaining'));
      expect(answer.headers.get('RateLimit')).to.equal(`"minute";r=${remaining.at(-1)};t=60`);
    }
    // The token that the client asked for was its first request.
    expect(remaining).to.deep.equal(['3', '2', '1', '0']);
    const { status, headers, body } = await api.get(`${STATUS}/1`, mine);
    expect(status).to.equal(429);
    expect(Number(headers.get('Retry-After'))).to.be.within(1, 60);
    expect(body).to.include({ success: false, status_code: '429' });
    expect((await api.get(`${STATUS}/1`, await api.bearer())).status).to.equal(404);
    (api.memory.clock as MemoryClock).advance(60);
    expect((await api.get(`${STATUS}/1`, mine)).status).to.equal(404);
  });

  it('is announced on every answer, also on errors', async () => {
    const bearer = await api.bearer();
    const root = (path: string, init?: RequestInit) => fetch(`${api.url}${path}`, init);
    const answers = [
      await api.get(`${STATUS}/1`, bearer),
      await api.get('/nowhere'),
      await api.call(STATUS.concat('/1'), { method: 'DELETE' }),
      await api.post(TOKEN, '{'),
      await root('/health/live'),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 405, 400, 200]);
    for (const answer of answers) expect(announced(answer)).not.to.include(null);
  });

  it('counts requests without a client against their network, except health checks', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1)
      statuses.push((await fetch(`${api.url}/openapi.json`)).status);
    expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 429]);
    expect((await api.get(`${STATUS}/1`, { Authorization: 'Bearer nonsense' })).status).to.equal(
      429,
    );
    expect((await fetch(`${api.url}/openapi.json`)).headers.get('Cache-Control')).to.equal(
      'no-store',
    );
    for (const path of ['/health/live', '/health/ready', '/.well-known/jwks.json'])
      expect((await fetch(`${api.url}${path}`)).status, path).to.equal(200);
    expect((await fetch(`${api.url}/health/nonsense`)).status).to.equal(429);
    const bearer = await api.bearer();
    expect(
      (await api.get(`${STATUS}/1`, bearer)).status,
      'a client that proves who it is',
    ).to.equal(404);
  });

  it('also applies to tokens, and to requests without the scope', async () => {
    const client = await api.client('canal-demo');
    const statuses: number[] = [];
    let last: Answer | undefined;
    for (let count = 0; count < 7; count += 1) {
      last = await api.post(TOKEN, client);
      statuses.push(last.status);
    }
    expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 429, 429]);
    expect(last?.body).to.include({ status_code: '429', error: 'temporarily_unavailable' });
    expect(last?.headers.get('RateLimit-Remaining')).to.equal('0');
    expect(last?.headers.get('Cache-Control')).to.equal('no-store');

    const mine = await api.bearer();
    const forbidden: number[] = [];
    for (let count = 0; count < 5; count += 1)
      forbidden.push((await api.get('/admin/audit', mine)).status);
    expect(forbidden).to.deep.equal([403, 403, 403, 403, 429]);
  });

  it('delays a network that guesses secrets, but not the right secret from the same network', async () => {
    await api.stop();
    api = await new Api({ rateLimit: 600 }).start();
    const client = await api.client('canal-demo');
    expect(new Set((await guess(30)).map(({ status }) => status))).to.deep.equal(new Set([401]));
    const began = performance.now();
    const [stopped] = await guess(1);
    expect(performance.now() - began, 'held back').to.be.above(900);
    expect(stopped?.status).to.equal(429);
    expect(Number(stopped?.headers.get('Retry-After'))).to.be.within(1, 60);
    expect(stopped?.body).to.include({
      success: false,
      status_code: '429',
      error: 'temporarily_unavailable',
    });

    const flood = guess(300);
    const login = await api.post(TOKEN, client);
    const refreshed = await api.post('/seguros/auth/refresh', {
      refresh_token: login.body.refresh_token,
    });
    expect([login.status, refreshed.status]).to.deep.equal([200, 200]);
    expect(new Set((await flood).map(({ status }) => status))).to.deep.equal(new Set([429]));
  });
});
