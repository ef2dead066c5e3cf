import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { expect } from 'chai';
import { SIGNING_KEY, STATUS, withApi } from '../../../support/api.ts';
import { ADMINISTRATOR } from '../../../support/identity.ts';

const TOKEN = '/seguros/auth/token';

type Part = Readonly<Record<string, unknown>>;

const encoded = (part: Part): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const decoded = (part: string): Part => JSON.parse(Buffer.from(part, 'base64url').toString());

const signedBy = (key: KeyObject, header: Part, payload: Part): string => {
  const input = `${encoded(header)}.${encoded(payload)}`;
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
};

describe('a bearer token', () => {
  withApi((api) => {
    let client: { client_id: string; client_secret: string };
    let tokens: { access_token: string; refresh_token: string };
    let header: Part;
    let payload: Part;
    beforeEach(async () => {
      client = await api().client('canal-demo');
      tokens = (await api().post(TOKEN, client)).body;
      [header, payload] = tokens.access_token.split('.').slice(0, 2).map(decoded) as [Part, Part];
    });

    const statusWith = async (token: string): Promise<number> => {
      const answer = await api().get(`${STATUS}/1`, { Authorization: `Bearer ${token}` });
      if (answer.status === 401) {
        expect(answer.body).to.deep.equal({
          success: false,
          response: 'Token não encontrado',
          status_code: '401',
          code: 'unauthenticated',
        });
        expect(answer.headers.get('WWW-Authenticate')).to.match(/^Bearer/);
      }
      return answer.status;
    };

    it('is accepted as issued, and as this test signs it', async () => {
      expect(await statusWith(tokens.access_token)).to.equal(404);
      expect(await statusWith(signedBy(SIGNING_KEY, header, payload))).to.equal(404);
    });

    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const publicPem = createPublicKey(SIGNING_KEY)
      .export({ type: 'spki', format: 'pem' })
      .toString();
    const now = () => Math.floor(Date.parse(api().memory.clock.now()) / 1000);
    const hs256 = (key: string | Buffer): string => {
      const input = `${encoded({ ...header, alg: 'HS256' })}.${encoded(payload)}`;
      return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
    };
    const resigned = (changes: { header?: Part; payload?: Part }, key = SIGNING_KEY): string =>
      signedBy(key, { ...header, ...changes.header }, { ...payload, ...changes.payload });

    const FORGERIES: Readonly<Record<string, () => string>> = {
      'without an algorithm': () => `${encoded({ ...header, alg: 'none' })}.${encoded(payload)}.`,
      'without an algorithm, its old signature kept': () =>
        `${encoded({ ...header, alg: 'none' })}.${tokens.access_token.split('.').slice(1).join('.')}`,
      'without a signature': () => `${tokens.access_token.split('.').slice(0, 2).join('.')}.`,
      'signed with HS256 and the public key (PEM) as its secret': () => hs256(publicPem),
      'signed with HS256 and the public key (DER) as its secret': () =>
        hs256(createPublicKey(SIGNING_KEY).export({ type: 'spki', format: 'der' })),
      'signed with HS256 and nothing as its secret': () => hs256(''),
      'signed with another key under our key id': () => resigned({}, foreign.privateKey),
      'that brings its own key (jwk)': () =>
        resigned(
          { header: { jwk: foreign.publicKey.export({ format: 'jwk' }) } },
          foreign.privateKey,
        ),
      'that brings its own key and no key id': () =>
        resigned(
          { header: { kid: undefined, jwk: foreign.publicKey.export({ format: 'jwk' }) } },
          foreign.privateKey,
        ),
      'that says where its key is (jku)': () =>
        resigned({ header: { jku: 'https://evil.example/jwks.json' } }, foreign.privateKey),
      'of an unknown key id': () => resigned({ header: { kid: 'unknown' } }),
      'of a key id that is no text': () => resigned({ header: { kid: 7 } }),
      'with an extension that must be understood (crit)': () =>
        resigned({ header: { crit: ['exp'] } }),
      'of another type': () => resigned({ header: { typ: 'JWT' } }),
      'of another issuer': () => resigned({ payload: { iss: 'https://other.example' } }),
      'for another API': () => resigned({ payload: { aud: `${api().url}/other` } }),
      'that has expired': () => resigned({ payload: { exp: now() } }),
      'without an end': () => resigned({ payload: { exp: undefined } }),
      'that is not valid yet': () => resigned({ payload: { nbf: now() + 60 } }),
      'from the future': () => resigned({ payload: { iat: now() + 3_600, exp: now() + 5_400 } }),
      'of no login': () => resigned({ payload: { sid: undefined } }),
      'of an earlier generation of its client': () => resigned({ payload: { gen: -1 } }),
      'of a client that nobody has': () => resigned({ payload: { client_id: 'nobody' } }),
      'with another scope': () => {
        const [head = '', , signature = ''] = tokens.access_token.split('.');
        return `${head}.${encoded({ ...payload, scope: 'sales admin' })}.${signature}`;
      },
      'with another client': () => {
        const [head = '', , signature = ''] = tokens.access_token.split('.');
        return `${head}.${encoded({ ...payload, client_id: 'somebody' })}.${signature}`;
      },
      'that is a refresh token': () => tokens.refresh_token,
      'that is a client secret': () => client.client_secret,
    };
    for (const [what, forge] of Object.entries(FORGERIES)) {
      it(`${what} is refused`, async () => expect(await statusWith(forge())).to.equal(401));
    }

    it('grants no scope that its client does not have', async () => {
      const admin = resigned({ payload: { scope: 'sales admin' } });
      expect((await api().memory.useCases.authenticate(admin))?.scopes).to.deep.equal(['sales']);
      expect(
        (await api().get('/admin/audit', { Authorization: `Bearer ${admin}` })).status,
      ).to.equal(403);
    });

    it('of a deactivated client is refused, also after the client is active again', async () => {
      const change = (to: 'activate' | 'deactivate' | 'revoke') =>
        api().memory.useCases.manageClients.changeStatus(client.client_id, to, ADMINISTRATOR);
      await change('deactivate');
      expect(await statusWith(tokens.access_token)).to.equal(401);
      expect((await api().post(TOKEN, client)).status).to.equal(401);
      await change('activate');
      expect(await statusWith(tokens.access_token)).to.equal(401);
      const { body } = await api().post(TOKEN, client);
      expect(await statusWith(body.access_token)).to.equal(404);
      await change('revoke');
      expect(await statusWith(body.access_token)).to.equal(401);
      expect((await api().post(TOKEN, client)).status).to.equal(401);
    });

    it('of a revoked login is refused, also by an endpoint that has accepted it before', async () => {
      expect(await statusWith(tokens.access_token)).to.equal(404);
      const token = tokens.refresh_token;
      expect((await api().post('/seguros/auth/revoke', { ...client, token })).status).to.equal(200);
      expect(await statusWith(tokens.access_token)).to.equal(401);
    });

    it('is not granted for another client’s refresh token, and that login ends', async () => {
      const other = await api().client('canal-demo');
      const stolen = await api().post(TOKEN, {
        ...other,
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
      });
      expect([stolen.status, stolen.body.error]).to.deep.equal([400, 'invalid_grant']);
      expect(await statusWith(tokens.access_token)).to.equal(401);
    });

    it('of a partner is refused by administrative endpoints', async () => {
      const bearer = { Authorization: `Bearer ${tokens.access_token}` };
      const calls = [
        api().get('/admin/api-clients', bearer),
        api().get(`/admin/api-clients/${client.client_id}`, bearer),
        api().post('/admin/api-clients', { name: 'X', scopes: ['admin'] }, bearer),
        api().post(`/admin/api-clients/${client.client_id}/rotate-secret`, {}, bearer),
        api().put('/admin/channels/canal-demo', {}, bearer),
        api().get('/admin/channels/canal-demo', bearer),
        api().put('/admin/products/INGRESSO', {}, bearer),
        api().get('/admin/transactions', bearer),
        api().get('/admin/audit', bearer),
      ];
      for (const call of calls) {
        const { status, body, headers } = await call;
        expect([status, body.status_code]).to.deep.equal([403, '403']);
        expect(headers.get('WWW-Authenticate')).to.match(/insufficient_scope/);
      }
    });
  });
});
