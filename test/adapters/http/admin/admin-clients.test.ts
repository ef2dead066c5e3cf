import { expect } from 'chai';
import { CREATE, mainBody, withApi } from '../../../support/api.ts';

const CLIENTS = '/admin/api-clients';

describe('POST /admin/api-clients', () => {
  withApi((api) => {
    let administrator: { Authorization: string };
    before(async () => {
      administrator = await api().bearer(null);
    });

    it('creates a client whose secret, shown once, grants a token', async () => {
      const { status, body } = await api().post(
        CLIENTS,
        { name: 'Bilheteria', channelLink: 'canal-demo' },
        administrator,
      );
      expect(status).to.equal(201);
      expect(body.success).to.equal(true);
      const { client_id, client_secret, ...rest } = body.response.data;
      expect(rest).to.deep.equal({
        name: 'Bilheteria',
        channelLink: 'canal-demo',
        scopes: ['sales'],
        status: 'active',
        created_at: '2026-11-20T15:00:00.000Z',
        last_used_at: null,
        secrets: [{ created_at: '2026-11-20T15:00:00.000Z', age_days: 0, expires_at: null }],
      });
      const { body: tokens } = await api().post('/seguros/auth/token', {
        client_id,
        client_secret,
      });
      const sale = await api().post(CREATE, mainBody(), {
        Authorization: `Bearer ${tokens.access_token}`,
      });
      expect(sale.status).to.equal(200);
    });

    it('creates an inactive client, and another administrator', async () => {
      const inactive = await api().post(
        CLIENTS,
        { name: 'X', channelLink: 'canal-demo', active: false },
        administrator,
      );
      const { client_id, client_secret, status } = inactive.body.response.data;
      expect(status).to.equal('inactive');
      expect(
        (await api().post('/seguros/auth/token', { client_id, client_secret })).status,
      ).to.equal(401);

      const other = await api().post(CLIENTS, { name: 'Y', scopes: ['admin'] }, administrator);
      expect(other.body.response.data).to.deep.include({ channelLink: null, scopes: ['admin'] });
    });

    it('refuses a channel that does not exist, and names the one that is meant', async () => {
      for (const [channelLink, question] of [
        ['canal-demos', ' Seria canal-demo?'],
        ['teatro', ''],
      ] as const) {
        const { status, body } = await api().post(
          CLIENTS,
          { name: 'X', channelLink },
          administrator,
        );
        expect(status).to.equal(422);
        expect(body.error_codes).to.deep.equal({ channelLink: ['not_offered'] });
        expect(body.errors.channelLink).to.deep.equal([
          `O canal ${channelLink} não existe.${question} Um canal novo é criado antes, com PUT /admin/channels/${channelLink}.`,
        ]);
      }
    });

    const FAULTS: readonly [object, string][] = [
      [{ channelLink: 'c' }, 'name'],
      [{ name: 'X' }, 'channelLink'],
      [{ name: 'X', channelLink: null }, 'channelLink'],
      [{ name: 'X', scopes: ['admin'], channelLink: 'c' }, 'channelLink'],
      [{ name: 'X', scopes: ['admin', 'sales'] }, 'scopes,channelLink'],
      [{ name: 'X', scopes: ['admin', 'sales'], channelLink: 'c' }, 'scopes,channelLink'],
      [{ name: 'X', channelLink: 'c', scopes: [] }, 'scopes'],
      [{ name: 'X', channelLink: 'c', scopes: ['sales', 'sales'] }, 'scopes'],
      [{ name: 'X', channelLink: 'c', scopes: ['root'] }, 'scopes.0'],
      [{ name: 'X', scopes: ['sale'] }, 'scopes.0'],
      [{ name: 'X', channelLink: 'c', active: 'yes' }, 'active'],
      [{ name: 'X', channelLink: 'c', chanelLink: 'typo' }, 'chanelLink'],
      [{ name: '', channelLink: 'c' }, 'name'],
    ];
    for (const [body, field] of FAULTS) {
      it(`refuses ${JSON.stringify(body)} at ${field}`, async () => {
        const answer = await api().post(CLIENTS, body, administrator);
        expect(answer.status).to.equal(422);
        expect(answer.body).to.include({ success: false, status_code: '422' });
        expect(Object.keys(answer.body.errors)).to.deep.equal(field.split(','));
        expect(answer.body.response).to.equal(answer.body.errors[field.split(',')[0] ?? ''][0]);
      });
    }

    it('names every fault at once, unknown fields too, a hundred at most', async () => {
      const { body } = await api().post(
        CLIENTS,
        { nome: 'X', active: 1, ['__proto__x']: 1 },
        administrator,
      );
      expect(body.errors).to.have.all.keys('name', 'channelLink', 'active', 'nome', '__proto__x');
      const many = Object.fromEntries(
        Array.from({ length: 5_000 }, (_, index) => [`field${index}`, index]),
      );
      const flood = await api().post(CLIENTS, many, administrator);
      expect(flood.status).to.equal(422);
      expect(Object.keys(flood.body.errors)).to.have.length.below(110);
    });

    it('is for administrators only', async () => {
      const partner = await api().post(
        CLIENTS,
        { name: 'X', channelLink: 'c' },
        await api().bearer(),
      );
      expect(partner.status).to.equal(403);
      expect((await api().post(CLIENTS, { name: 'X', channelLink: 'c' })).status).to.equal(401);
    });
  });
});

describe('/admin/api-clients', () => {
  withApi((api) => {
    let administrator: { Authorization: string };
    before(async () => {
      administrator = await api().bearer(null);
      await api().channel('canal-lista');
    });

    const created = async (over: object = {}) => {
      const { body } = await api().post(
        CLIENTS,
        { name: 'Bilheteria', channelLink: 'canal-lista', ...over },
        administrator,
      );
      return body.response.data as { client_id: string; client_secret: string };
    };
    const act = (clientId: string, action: string, body: object = {}) =>
      api().post(`${CLIENTS}/${clientId}/${action}`, body, administrator);
    const login = (client_id: string, client_secret: string) =>
      api().post('/seguros/auth/token', { client_id, client_secret });

    it('lists the clients page by page, by status, without a secret or a hash', async () => {
      const made = [await created(), await created({ active: false }), await created()];
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const query: string = cursor === null ? '' : `&cursor=${cursor}`;
        const { status, body } = await api().get(`${CLIENTS}?limit=2${query}`, administrator);
        expect(status).to.equal(200);
        expect(JSON.stringify(body)).not.to.match(/hash|client_secret/);
        for (const { client_secret } of made)
          expect(JSON.stringify(body)).not.to.include(client_secret);
        seen.push(...body.response.data.map((each: { client_id: string }) => each.client_id));
        cursor = body.response.next_cursor;
      } while (cursor !== null);
      expect(seen.slice(-3)).to.deep.equal(made.map(({ client_id }) => client_id));
      expect(new Set(seen).size).to.equal(seen.length);

      const { body: inactive } = await api().get(`${CLIENTS}?status=inactive`, administrator);
      expect(
        inactive.response.data.map((each: { client_id: string }) => each.client_id),
      ).to.deep.equal([made[1]?.client_id]);
    });

    it('refuses an unknown parameter, a wrong value and an invalid cursor', async () => {
      const QUERIES: readonly [string, string][] = [
        ['estado=active', 'estado'],
        ['status=gone', 'status'],
        ['limit=0', 'limit'],
        ['limit=201', 'limit'],
        ['limit=many', 'limit'],
        ['limit=1&limit=2', 'limit'],
        ['status=active&status=revoked', 'status'],
        ['cursor=!', 'cursor'],
        ['cursor=AA', 'cursor'],
      ];
      for (const [query, field] of QUERIES) {
        const { status, body } = await api().get(`${CLIENTS}?${query}`, administrator);
        expect([status, Object.keys(body.errors)], query).to.deep.equal([422, [field]]);
      }
    });

    it('shows a client with its last use and the age of its secret', async () => {
      const { client_id, client_secret } = await created();
      await login(client_id, client_secret);
      const { body } = await api().get(`${CLIENTS}/${client_id}`, administrator);
      expect(body.response.data).to.deep.include({
        client_id,
        last_used_at: '2026-11-20T15:00:00.000Z',
      });
      expect(body.response.data).not.to.have.property('client_secret');
      for (const absent of ['nobody', '%00', '%20']) {
        const answer = await api().get(`${CLIENTS}/${absent}`, administrator);
        expect([answer.status, answer.body.response]).to.deep.equal([
          404,
          'Cliente não encontrado.',
        ]);
      }
    });

    it('deactivates, activates, and revokes permanently', async () => {
      const { client_id, client_secret } = await created();
      expect((await act(client_id, 'deactivate')).body.response.data).to.include({
        status: 'inactive',
      });
      expect((await login(client_id, client_secret)).status).to.equal(401);
      expect((await act(client_id, 'activate')).body.response.data).to.include({
        status: 'active',
      });
      expect((await login(client_id, client_secret)).status).to.equal(200);
      expect((await act(client_id, 'revoke')).body.response.data).to.deep.include({
        status: 'revoked',
        secrets: [],
      });
      expect((await login(client_id, client_secret)).status).to.equal(401);
      for (const action of ['activate', 'deactivate', 'rotate-secret']) {
        const { status, body } = await act(client_id, action);
        expect([status, body.status_code], action).to.deep.equal([409, '409']);
      }
      expect((await act('nobody', 'revoke')).status).to.equal(404);
      expect((await act(client_id, 'revoke', { certainly: true })).status).to.equal(422);
    });

    it('accepts a missing body', async () => {
      const { client_id } = await created();
      const path = `${CLIENTS}/${client_id}/deactivate`;
      expect((await api().call(path, { method: 'POST', headers: administrator })).status).to.equal(
        200,
      );
    });

    it('rotates a secret; the old one stays valid for the grace period', async () => {
      const { client_id, client_secret } = await created();
      const { status, body } = await act(client_id, 'rotate-secret', { graceHours: 2 });
      expect(status).to.equal(200);
      const { data } = body.response;
      expect(data.client_secret).to.be.a('string').and.not.to.equal(client_secret);
      expect(
        data.secrets.map((each: { expires_at: string | null }) => each.expires_at),
      ).to.deep.equal([null, '2026-11-20T17:00:00.000Z']);
      for (const secret of [client_secret, data.client_secret])
        expect((await login(client_id, secret)).status).to.equal(200);
      await act(client_id, 'rotate-secret', { graceHours: 0 });
      for (const secret of [client_secret, data.client_secret])
        expect((await login(client_id, secret)).status).to.equal(401);
      for (const graceHours of [-1, 169, 1.5, '24'])
        expect(
          (await act(client_id, 'rotate-secret', { graceHours })).status,
          String(graceHours),
        ).to.equal(422);
    });

    it('prevents an administrator from deactivating or revoking itself', async () => {
      const own = await created({ channelLink: undefined, scopes: ['admin'] });
      const { body } = await login(own.client_id, own.client_secret);
      const bearer = { Authorization: `Bearer ${body.access_token}` };
      for (const action of ['deactivate', 'revoke'])
        expect(
          (await api().post(`${CLIENTS}/${own.client_id}/${action}`, {}, bearer)).status,
        ).to.equal(409);
      expect((await act(own.client_id, 'revoke')).status).to.equal(200);
    });
  });
});
