import { request } from 'node:http';
import { expect } from 'chai';
import type { Step } from '../../../../../adapters/kit/web/pipeline/context.ts';
import { listen } from '../../../../../adapters/kit/web/server/listen.ts';
import { CREATE, mainBody, STATUS, withApi } from '../../../../support/api.ts';

/** The names of a stack's steps, in the order of `pipeline/stack.ts`. */
const STEPS = ['identifyRequest', 'answerErrors', 'announceRateLimit', 'requireOwnHost'];
const ROUTES = ['limitQuery', 'enterGroup', 'runArea'];

describe('the stack of Koa', () => {
  withApi((api) => {
    let url = '';
    let seen: string[] = [];
    let planted = 0;
    before(async () => {
      const { koa } = api().app;
      const traced = koa.middleware.map((step): Step => {
        return (ctx, next) => {
          seen.push(step.name);
          return step(ctx, next);
        };
      });
      const count: Step = (_, next) => {
        planted += 1;
        return next();
      };
      koa.middleware = [count, ...traced];
      const server = await listen({ port: 0, host: '127.0.0.1' });
      server.serve(koa.callback());
      url = server.address;
      after(() => server.stop());
    });

    /** The status of an answer, and the steps that the request passed. */
    const pass = async (
      path: string,
      { host, ...init }: RequestInit & { readonly host?: string } = {},
    ): Promise<readonly [number | undefined, readonly string[]]> => {
      seen = [];
      planted = 0;
      const headers = { ...(init.headers as object), ...(host && { Host: host }) };
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const { method = 'GET' } = init;
        const sent = request(`${url}${path}`, { method, headers }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        });
        sent.on('error', reject);
        sent.end(init.body);
      });
      expect(planted, path).to.equal(1);
      return [status, seen];
    };
    const json = (body: object, headers: object = {}): RequestInit => ({
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    });

    it('is passed by a token, a sale and a status, from the top to the route', async () => {
      const { client_id, client_secret } = await api().client('canal-demo');
      const bearer = await api().bearer();
      const token = await pass('/api/seguros/auth/token', json({ client_id, client_secret }));
      const sale = await pass(`/api${CREATE}`, json(mainBody(), bearer));
      const status = await pass(`/api${STATUS}/1`, { headers: bearer });
      for (const passed of [token, sale, status])
        expect(passed).to.deep.equal([200, [...STEPS, ...ROUTES]]);
    });

    it('is passed once by every kind of request, also by those that are refused', async () => {
      const bearer = await api().bearer();
      const all = [...STEPS, ...ROUTES];
      const none = [...all, 'limitNetwork', 'dispatch', 'answerOtherMethods'];
      const sale = `/api${CREATE}`;
      for (const [expected, path, init] of [
        [[401, all], sale, json(mainBody())],
        [[401, all], sale, json(mainBody(), { Authorization: 'Bearer x' })],
        [[403, all], '/api/admin/audit', { headers: bearer }],
        [[400, all], sale, { ...json({}, bearer), body: '{' }],
        [[422, all], sale, json({}, bearer)],
        [[415, all], sale, json({}, { ...bearer, 'Content-Type': 'text/plain' })],
        [[421, STEPS], sale, { host: 'elsewhere.example' }],
        [[400, [...STEPS, 'limitQuery']], `/api${STATUS}/1?${'a&'.repeat(70)}`, {}],
        [[404, undefined], '/nowhere', {}],
        [[405, undefined], sale, { method: 'PUT', headers: bearer }],
        [[204, undefined], sale, { method: 'OPTIONS' }],
        [[200, all], '/health/live', {}],
      ] as const) {
        const [status, passed] = await pass(path, init);
        expect(status, path).to.equal(expected[0]);
        if (expected[1] !== undefined) expect(passed, path).to.deep.equal(expected[1]);
        else expect(none.slice(0, passed.length).slice(0, 6)).to.deep.equal(passed.slice(0, 6));
      }
    });
  });
});
