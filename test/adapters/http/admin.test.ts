import { expect } from 'chai';
import { CREATE, mainBody, withApi } from '../../support/api.ts';

const CLIENTS = '/admin/api-clients';

describe('POST /admin/api-clients', () => {
  withApi((api) => {
    let administrator: { Authorization: string };
    before(async () => {
      administrator = await api().bearer(null);
    });

    it('creates a client whose secret, shown this once, opens the door', async () => {
      const { status, body } = await api().post(CLIENTS, { name: 'Bilheteria', channelLink: 'canal-demo' }, administrator);
      expect(status).to.equal(201);
      expect(body.success).to.equal(true);
      const { client_id, client_secret, ...rest } = body.response.data;
      expect(rest).to.deep.equal({
        name: 'Bilheteria',
        channelLink: 'canal-demo',
        scopes: ['sales'],
        status: 'active',
        created_at: '2026-11-20T15:00:00.000Z',
      });
      const { body: tokens } = await api().post('/seguros/auth/token', { client_id, client_secret });
      const sale = await api().post(CREATE, mainBody(), { Authorization: `Bearer ${tokens.access_token}` });
      expect(sale.status).to.equal(200);
    });

    it('creates an inactive client, and another administrator', async () => {
      const inactive = await api().post(CLIENTS, { name: 'X', channelLink: 'canal-demo', active: false }, administrator);
      const { client_id, client_secret, status } = inactive.body.response.data;
      expect(status).to.equal('inactive');
      expect((await api().post('/seguros/auth/token', { client_id, client_secret })).status).to.equal(401);

      const other = await api().post(CLIENTS, { name: 'Y', scopes: ['admin'] }, administrator);
      expect(other.body.response.data).to.deep.include({ channelLink: null, scopes: ['admin'] });
    });

    const FAULTS: readonly [object, string][] = [
      [{ channelLink: 'c' }, 'name'],
      [{ name: 'X' }, 'channelLink'],
      [{ name: 'X', channelLink: null }, 'channelLink'],
      [{ name: 'X', scopes: ['admin'], channelLink: 'c' }, 'channelLink'],
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
        expect(Object.keys(answer.body.errors)).to.deep.equal([field]);
        expect(answer.body.response).to.equal(answer.body.errors[field][0]);
      });
    }

    it('names every fault at once, unknown fields too, and lists no more than a hundred', async () => {
      const { body } = await api().post(CLIENTS, { nome: 'X', active: 1, ['__proto__x']: 1 }, administrator);
      expect(body.errors).to.have.all.keys('name', 'channelLink', 'active', 'nome', '__proto__x');
      const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, index]));
      const flood = await api().post(CLIENTS, many, administrator);
      expect(flood.status).to.equal(422);
      expect(Object.keys(flood.body.errors)).to.have.length.below(110);
    });

    it('is for administrators only', async () => {
      const partner = await api().post(CLIENTS, { name: 'X', channelLink: 'c' }, await api().bearer());
      expect(partner.status).to.equal(403);
      expect((await api().post(CLIENTS, { name: 'X', channelLink: 'c' })).status).to.equal(401);
    });
  });
});
