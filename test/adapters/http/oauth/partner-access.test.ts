import { expect } from 'chai';
import { type Answer, withApi } from '../../../support/api.ts';
import { SALE, SALES_LIST, saleOrder } from '../../../support/generic-sales.ts';

const basic = ({ client_id, client_secret }: { client_id: string; client_secret: string }) => ({
  Authorization: `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')}`,
});

describe('authentication of a partner', () => {
  withApi((api) => {
    let credentials: { client_id: string; client_secret: string };
    before(async () => {
      credentials = await api().client('canal-demo');
    });
    const sell = (over: object, headers: Record<string, string> = {}): Promise<Answer> =>
      api().post(SALE, saleOrder(over as Record<string, unknown>), headers);

    it('accepts HTTP Basic, credentials in the body, or a token for the same client', async () => {
      const ways = [
        await sell({ externalSaleId: 'three-ways' }, basic(credentials)),
        await sell({ externalSaleId: 'three-ways', ...credentials }),
        await sell({ externalSaleId: 'three-ways' }, await api().bearer()),
      ];
      expect(ways.map(({ status }) => status)).to.deep.equal([201, 200, 200]);
      expect(new Set(ways.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
    });

    it('works at every endpoint of the integration', async () => {
      const headers = basic(credentials);
      const order = saleOrder({ externalSaleId: 'whatever' });
      expect((await api().post(`${SALE}/validate`, { ...order, ...credentials })).status).to.equal(
        200,
      );
      expect((await api().post(SALE, order, headers)).status).to.equal(201);
      expect((await api().get(`${SALE}/whatever`, headers)).status).to.equal(200);
      expect((await api().get(SALES_LIST, headers)).status).to.equal(200);
      const preview = { preview: true };
      expect(
        (await api().post(`${SALE}/whatever/cancel`, { ...preview, ...credentials })).status,
      ).to.equal(200);
      expect((await api().post(`${SALE}/whatever/cancel`, preview, headers)).status).to.equal(200);
    });

    it('answers the same 401 to every wrong credential, before it validates the body', async () => {
      const wrong = [
        await sell({ client_id: credentials.client_id, client_secret: 'wrong', nonsense: 1 }),
        await sell({ client_id: 'nobody', client_secret: 'wrong' }),
        await sell({ product: 5 }, basic({ ...credentials, client_secret: 'wrong' })),
      ];
      for (const { status, body, headers } of wrong) {
        expect(status).to.equal(401);
        expect(body).to.include({
          success: false,
          response: 'Credenciais inválidas.',
          status_code: '401',
        });
        expect(headers.get('WWW-Authenticate')).to.match(/^Basic/);
      }
      expect(JSON.stringify(wrong.map(({ body }) => body))).not.to.include('wrong');
    });

    it('names the accepted schemes if credentials are missing', async () => {
      const calls = [
        await sell({}),
        await api().get(`${SALE}/x`),
        await api().get(SALES_LIST),
        await sell({}, { Authorization: 'Digest x' }),
      ];
      for (const { status, body, headers } of calls) {
        expect([status, body.response]).to.deep.equal([401, 'Token não encontrado']);
        expect(headers.get('WWW-Authenticate')).to.match(/Bearer.*Basic/);
      }
      expect((await sell({}, { Authorization: 'Bearer x' })).status).to.equal(401);
      expect((await api().get(`${SALE}/x?client_id=${credentials.client_id}`)).status).to.equal(
        401,
      );
    });

    it('refuses two ways at once, and incomplete credentials', async () => {
      const twice = await sell({ ...credentials }, basic(credentials));
      expect([twice.status, Object.keys(twice.body.errors)]).to.deep.equal([
        422,
        ['client_id', 'client_secret'],
      ]);
      expect((await sell({ client_id: credentials.client_id })).status).to.equal(401);
      expect((await sell({ client_id: 5, client_secret: ['x'] })).status).to.equal(422);
    });

    it('requires the scope, an active client, and a channel', async () => {
      const admin = await api().client(null);
      expect((await sell({}, basic(admin))).status).to.equal(403);
      const nowhere = await api().bearer(null, ['admin', 'sales']);
      expect((await api().get(`${SALE}/x`, nowhere)).status).to.equal(404);
      expect((await api().get(SALES_LIST, nowhere)).body).to.deep.equal({
        success: true,
        data: [],
        next_cursor: null,
      });
      const gone = await api().client('canal-demo');
      const administrator = await api().bearer(null);
      await api().post(`/admin/api-clients/${gone.client_id}/deactivate`, {}, administrator);
      expect((await sell({}, basic(gone))).status).to.equal(401);
    });

    it('logs no secret', async () => {
      await sell({ externalSaleId: 'logged', ...credentials });
      const logged = api().lines.join('');
      expect(logged).to.include(`"clientId":"${credentials.client_id}"`);
      expect(logged).not.to.include(credentials.client_secret);
    });
  });

  describe('rate limits of partners', () => {
    withApi(
      (api) => {
        it('share one limit among all ways to authenticate', async () => {
          const credentials = await api().client('canal-demo');
          const left: (string | null)[] = [];
          const { body } = await api().post('/seguros/auth/token', credentials);
          for (const [over, headers] of [
            [credentials, {}],
            [{}, basic(credentials)],
            [{}, { Authorization: `Bearer ${body.access_token}` }],
          ] as const) {
            const answer = await api().post(`${SALE}/validate`, saleOrder({ ...over }), headers);
            expect(answer.status).to.equal(200);
            left.push(answer.headers.get('RateLimit-Remaining'));
          }
          expect(left).to.deep.equal(['2', '1', '0']);
          const past = await api().post(SALE, saleOrder({ ...credentials }));
          expect([past.status, past.headers.has('Retry-After')]).to.deep.equal([429, true]);
        });
      },
      { rateLimit: 4 },
    );
  });
});
