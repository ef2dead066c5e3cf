import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import type { MemoryClock } from '../../../../adapters/memory/clock.ts';
import { Unavailable } from '../../../../application/unavailable.ts';
import { type Answer, STATUS, withApi } from '../../../support/api.ts';

const TOKEN = '/seguros/auth/token';
const REFRESH = '/seguros/auth/refresh';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const basic = (id: string, secret: string): { Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

describe('POST /seguros/auth/token', () => {
  withApi((api) => {
    let client: { client_id: string; client_secret: string };
    before(async () => {
      client = await api().client('canal-demo');
    });
    const form = (
      fields: Record<string, string>,
      headers: Record<string, string> = {},
    ): Promise<Answer> =>
      api().post(TOKEN, new URLSearchParams(fields).toString(), { ...FORM, ...headers });

    const grantedIn = ({ status, headers, body }: Answer): Record<string, unknown> => {
      expect(status).to.equal(200);
      expect(headers.get('Cache-Control')).to.equal('no-store');
      expect(body).to.have.all.keys(
        'access_token',
        'token_type',
        'expires_in',
        'refresh_token',
        'refresh_expires_in',
        'scope',
      );
      expect(body).to.include({
        token_type: 'Bearer',
        expires_in: 1_800,
        refresh_expires_in: 604_800,
        scope: 'sales',
      });
      return body;
    };

    it('accepts JSON, with or without a grant type', async () => {
      grantedIn(await api().post(TOKEN, client));
      grantedIn(
        await api().post(TOKEN, {
          ...client,
          grant_type: 'client_credentials',
          scope: 'sales',
          audience: 'ignored',
        }),
      );
    });

    it('accepts a form, with the credentials in the body or as HTTP Basic', async () => {
      grantedIn(await form({ ...client, grant_type: 'client_credentials' }));
      grantedIn(
        await form(
          { grant_type: 'client_credentials' },
          basic(client.client_id, client.client_secret),
        ),
      );
      grantedIn(
        await form({ client_id: client.client_id }, basic(client.client_id, client.client_secret)),
      );
    });

    it('issues an ES256 JWT of type at+jwt with the claims of RFC 9068', async () => {
      const { access_token } = grantedIn(await api().post(TOKEN, client));
      const { header, payload } = jwt.decode(access_token as string, { complete: true }) as jwt.Jwt;
      expect(header).to.include({ alg: 'ES256', typ: 'at+jwt' }).and.to.have.property('kid');
      const claims = payload as jwt.JwtPayload;
      expect(claims).to.include({
        iss: api().url,
        aud: `${api().url}/api`,
        sub: client.client_id,
        client_id: client.client_id,
        scope: 'sales',
      });
      expect((claims.exp as number) - (claims.iat as number)).to.equal(1_800);
      expect(claims.jti).to.be.a('string');
    });

    it('refreshes by grant type and by its own path, with or without credentials', async () => {
      const first = grantedIn(await api().post(TOKEN, client));
      const second = grantedIn(
        await form({
          grant_type: 'refresh_token',
          refresh_token: first['refresh_token'] as string,
        }),
      );
      const third = grantedIn(
        await api().post(REFRESH, { refresh_token: second['refresh_token'] }),
      );
      const fourth = grantedIn(
        await api().post(REFRESH, { ...client, refresh_token: third['refresh_token'] }),
      );
      const { status } = await api().call(`${STATUS}/1`, {
        headers: { Authorization: `Bearer ${fourth['access_token']}` },
      });
      expect(status).to.equal(404);
    });

    const failsWith = (
      { status, headers, body }: Answer,
      expected: number,
      error: string,
    ): void => {
      expect(status).to.equal(expected);
      expect(body).to.include({ success: false, status_code: String(expected), error });
      const ascii = (body.response as string).normalize('NFD').replaceAll(/\p{Mn}/gu, '');
      expect(body.error_description)
        .to.equal(ascii)
        .and.to.match(/^[\x20-\x7E]+$/);
      expect(headers.get('Cache-Control')).to.equal('no-store');
      expect(headers.has('WWW-Authenticate')).to.equal(expected === 401);
    };

    it('answers an unknown client and a wrong secret alike', async () => {
      const unknown = await api().post(TOKEN, { ...client, client_id: 'nobody' });
      const wrong = await api().post(TOKEN, { ...client, client_secret: 'wrong' });
      failsWith(unknown, 401, 'invalid_client');
      expect(wrong.body).to.deep.equal(unknown.body);
      failsWith(await form({}, basic(client.client_id, 'wrong')), 401, 'invalid_client');
      failsWith(await form({}, { Authorization: 'Basic !!!' }), 401, 'invalid_client');
      failsWith(
        await form({}, { Authorization: `Basic ${Buffer.from('no colon').toString('base64')}` }),
        401,
        'invalid_client',
      );
      failsWith(
        await form({}, { Authorization: `Basic ${Buffer.from('%:%').toString('base64')}` }),
        401,
        'invalid_client',
      );
    });

    it('answers the other errors of RFC 6749 with its fields and the standard ones', async () => {
      // No client authentication (RFC 6749, section 5.2).
      failsWith(await api().post(TOKEN, {}), 401, 'invalid_client');
      failsWith(await api().post(TOKEN, { client_id: client.client_id }), 401, 'invalid_client');
      failsWith(
        await api().post(TOKEN, { ...client, client_id: 7, scope: 7 }),
        400,
        'invalid_request',
      );
      failsWith(
        await form({ client_secret: 'x' }, basic(client.client_id, client.client_secret)),
        400,
        'invalid_request',
      );
      failsWith(
        await form({ client_id: 'other' }, basic(client.client_id, client.client_secret)),
        400,
        'invalid_request',
      );
      failsWith(
        await api().post(TOKEN, { ...client, grant_type: 'password' }),
        400,
        'unsupported_grant_type',
      );
      failsWith(await api().post(TOKEN, { ...client, scope: 'admin' }), 400, 'invalid_scope');
      failsWith(
        await api().post(TOKEN, { ...client, grant_type: 'refresh_token' }),
        400,
        'invalid_request',
      );
      failsWith(
        await api().post(TOKEN, { grant_type: 'refresh_token', refresh_token: 'made up' }),
        400,
        'invalid_grant',
      );
      failsWith(await api().post(REFRESH, {}), 400, 'invalid_request');
      failsWith(await api().post(REFRESH, { refresh_token: 'made up' }), 400, 'invalid_grant');
    });

    it('answers a wrong body or media type with the fields of RFC 6749, too', async () => {
      failsWith(await api().post(TOKEN, '{'), 400, 'invalid_request');
      failsWith(
        await api().post(TOKEN, client, { 'Content-Type': 'text/plain' }),
        415,
        'invalid_request',
      );
      failsWith(await api().post(REFRESH, 'refresh_token=x', FORM), 415, 'invalid_request');
    });

    it('treats an empty form field as absent, and refuses a repeated one', async () => {
      grantedIn(
        await form({ ...client, grant_type: 'client_credentials', scope: '', refresh_token: '' }),
      );
      const header = basic(client.client_id, client.client_secret);
      grantedIn(await form({ grant_type: '', client_id: '', client_secret: '' }, header));
      const twice = `${new URLSearchParams(client)}&scope=sales&scope=admin`;
      failsWith(await api().post(TOKEN, twice, FORM), 400, 'invalid_request');
    });

    it('introspects and revokes any text as an inactive token', async () => {
      for (const token of ['x'.repeat(100_000), 'a\u0000b', '.', 'ção']) {
        const looked = await api().post('/seguros/auth/introspect', { ...client, token });
        expect([looked.status, looked.body]).to.deep.equal([200, { active: false }]);
        expect((await api().post('/seguros/auth/revoke', { ...client, token })).status).to.equal(
          200,
        );
      }
      failsWith(await api().post('/seguros/auth/introspect', client), 400, 'invalid_request');
      failsWith(await api().post('/seguros/auth/revoke', { token: 'x' }), 401, 'invalid_client');
    });

    it('answers with the fields of RFC 6749 while the database is unreachable', async () => {
      const clients = api().memory.clients;
      const { find } = clients;
      clients.find = () => Promise.reject(new Unavailable('database out of reach'));
      const answer = await api().post(TOKEN, client);
      clients.find = find;
      failsWith(answer, 503, 'temporarily_unavailable');
      expect(answer.headers.has('Retry-After')).to.equal(true);
    });

    it('explains a missing media type or grant type', async () => {
      const untyped = await api().post(TOKEN, client, FORM);
      failsWith(untyped, 401, 'invalid_client');
      expect(untyped.body.response).to.match(/Content-Type: application\/json/);
      const ungranted = await api().post(TOKEN, { refresh_token: 'x' });
      expect(ungranted.body.response).to.match(/grant_type=refresh_token/);
    });

    it('answers 400 or 401, not 503, to client ids that PostgreSQL cannot store', async () => {
      failsWith(
        await api().post(TOKEN, { client_id: '\u0000', client_secret: 'x' }),
        400,
        'invalid_request',
      );
      failsWith(await form({ client_id: '\u0000', client_secret: 'x' }), 400, 'invalid_request');
      failsWith(await form({}, basic('\u0000', 'x')), 401, 'invalid_client');
    });

    it('answers invalid_scope to a refresh for more scopes than the login had', async () => {
      const { body } = await api().post(TOKEN, client);
      failsWith(
        await api().post(TOKEN, {
          grant_type: 'refresh_token',
          refresh_token: body.refresh_token,
          scope: 'admin',
        }),
        400,
        'invalid_scope',
      );
    });

    it('names every faulty field of a bad request', async () => {
      const { body } = await api().post(TOKEN, { client_id: 7, scope: ['x'] });
      expect(body.errors).to.have.all.keys('client_id', 'scope');
    });

    it('writes a reuse to the audit log, and no token to any log', async () => {
      const first = (await api().post(TOKEN, client)).body.refresh_token;
      const second = (await api().post(REFRESH, { refresh_token: first })).body.refresh_token;
      (api().memory.clock as MemoryClock).advance(61);
      failsWith(
        await api().post(REFRESH, { refresh_token: first }, { 'X-Request-Id': 'replay' }),
        400,
        'invalid_grant',
      );
      failsWith(await api().post(REFRESH, { refresh_token: second }), 400, 'invalid_grant');
      const audit = await api().get('/admin/audit?action=token.reused', await api().bearer(null));
      expect(audit.body.response.data).to.have.length(1);
      expect(audit.body.response.data[0]).to.deep.include({
        subject: `api-client/${client.client_id}`,
        reason: 'used_again',
        actor: { kind: 'unknown', name: null },
        address: '127.0.0.1',
        request_id: 'replay',
      });
      for (const place of [JSON.stringify(audit.body), api().lines.join('')])
        expect(place).not.to.include(first).and.not.to.include(second);
    });
  });
});
