import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import * as oauth from 'oauth4webapi';
import { ClientCredentials } from 'simple-oauth2';
import { Api, CREATE, mainBody, STATUS } from '../../../support/api.ts';
import { expectError } from '../../../support/expected-error.ts';
import { inDays } from '../../../support/today.ts';

const run = promisify(execFile);

/** Debian's Python, which has the packages. Another one may come first in PATH. */
const PYTHON = '/usr/bin/python3';

const hasModule = async (name: string): Promise<boolean> =>
  run(PYTHON, ['-c', `import ${name}`]).then(
    () => true,
    () => false,
  );

describe('OAuth clients off the shelf', () => {
  let api: Api;
  let client: { client_id: string; client_secret: string };
  let saleId: number;
  before(async () => {
    // These clients use the system clock.
    api = await new Api({ now: new Date().toISOString() }).start();
    client = await api.client('canal-demo');
    const sale = mainBody({ dataPagamento: inDays(0), dataEvento: '2199-12-31' });
    saleId = (await api.post(CREATE, sale, await api.bearer())).body.data.transaction_id;
  });
  after(() => api.stop());

  const saleStatus = (): string => `${api.url}/api${STATUS}/${saleId}`;
  const answerExpected = () => ({
    success: true,
    data: { transaction_id: saleId, status: 'paid' },
  });
  const refused = {
    status: 401,
    body: {
      success: false,
      response: 'Token não encontrado',
      status_code: '401',
      code: 'unauthenticated',
    },
  };

  describe('oauth4webapi', () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const self = (): oauth.Client => ({ client_id: client.client_id });
    const discovered = async (): Promise<oauth.AuthorizationServer> => {
      const issuer = new URL(api.url);
      const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
      return oauth.processDiscoveryResponse(issuer, response);
    };
    const call = async (token: string): Promise<Response> =>
      oauth.protectedResourceRequest(
        token,
        'GET',
        new URL(saleStatus()),
        undefined,
        undefined,
        insecure,
      );

    for (const [name, authentication] of [
      ['HTTP Basic', oauth.ClientSecretBasic],
      ['credentials in the body', oauth.ClientSecretPost],
    ] as const) {
      it(`finds the endpoints, gets a token by ${name}, calls, refreshes, and calls again`, async () => {
        const server = await discovered();
        const auth = authentication(client.client_secret);
        const granted = await oauth.processClientCredentialsResponse(
          server,
          self(),
          await oauth.clientCredentialsGrantRequest(
            server,
            self(),
            auth,
            { scope: 'sales' },
            insecure,
          ),
        );
        expect(granted).to.include({ expires_in: 1_800, scope: 'sales' });
        expect(await (await call(granted.access_token)).json()).to.deep.equal(answerExpected());
        const refreshed = await oauth.processRefreshTokenResponse(
          server,
          self(),
          await oauth.refreshTokenGrantRequest(
            server,
            self(),
            auth,
            granted.refresh_token as string,
            insecure,
          ),
        );
        expect(refreshed.refresh_token).not.to.equal(granted.refresh_token);
        expect(await (await call(refreshed.access_token)).json()).to.deep.equal(answerExpected());
      });
    }

    it('validates the access token by the published keys (RFC 9068)', async () => {
      const server = await discovered();
      const { Authorization } = await api.bearer();
      const request = new Request(saleStatus(), { headers: { Authorization } });
      const claims = await oauth.validateJwtAccessToken(
        server,
        request,
        `${api.url}/api`,
        insecure,
      );
      expect(claims).to.include({ iss: api.url, scope: 'sales' });
    });

    it('introspects and revokes', async () => {
      const server = await discovered();
      const auth = oauth.ClientSecretBasic(client.client_secret);
      const { body: tokens } = await api.post('/seguros/auth/token', client);
      const inspect = async (token: string) =>
        oauth.processIntrospectionResponse(
          server,
          self(),
          await oauth.introspectionRequest(server, self(), auth, token, insecure),
        );
      expect(await inspect(tokens.access_token)).to.deep.include({
        active: true,
        client_id: client.client_id,
        token_type: 'Bearer',
        iss: api.url,
        aud: `${api.url}/api`,
        scope: 'sales',
      });
      expect(await inspect(tokens.refresh_token)).to.include({
        active: true,
        client_id: client.client_id,
        scope: 'sales',
      });
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, self(), auth, tokens.refresh_token, insecure),
      );
      for (const token of [tokens.access_token, tokens.refresh_token, 'made up'])
        expect(await inspect(token)).to.deep.equal({ active: false });
      const answer = await api.get(`${STATUS}/${saleId}`, {
        Authorization: `Bearer ${tokens.access_token}`,
      });
      expect(answer).to.deep.include(refused);
    });

    it('understands an error as one of RFC 6749', async () => {
      const server = await discovered();
      const auth = oauth.ClientSecretPost(client.client_secret);
      const request = oauth.clientCredentialsGrantRequest(
        server,
        self(),
        auth,
        { scope: 'admin' },
        insecure,
      );
      const error = await expectError(
        oauth.processClientCredentialsResponse(server, self(), await request),
      );
      expect(error)
        .to.be.instanceOf(oauth.ResponseBodyError)
        .and.to.deep.include({ error: 'invalid_scope', status: 400 });
    });
  });

  for (const authorizationMethod of ['header', 'body'] as const) {
    it(`simple-oauth2 gets a token with its credentials in the ${authorizationMethod}, refreshes and revokes it`, async () => {
      const agent = new ClientCredentials({
        client: { id: client.client_id, secret: client.client_secret },
        auth: {
          tokenHost: api.url,
          tokenPath: '/api/seguros/auth/token',
          revokePath: '/api/seguros/auth/revoke',
        },
        options: { authorizationMethod },
      });
      const first = await agent.getToken({ scope: 'sales' });
      const second = await first.refresh();
      for (const { token } of [first, second]) {
        const bearer = { Authorization: `Bearer ${token['access_token']}` };
        expect((await api.get(`${STATUS}/${saleId}`, bearer)).body).to.deep.equal(answerExpected());
      }
      await second.revoke('refresh_token');
      const bearer = { Authorization: `Bearer ${second.token['access_token']}` };
      expect(await api.get(`${STATUS}/${saleId}`, bearer)).to.deep.include(refused);
    });
  }

  const inPython = async (script: string): Promise<unknown> => {
    const { client_id, client_secret } = client;
    const env = {
      OAUTHLIB_INSECURE_TRANSPORT: '1',
      AUTHLIB_INSECURE_TRANSPORT: '1',
      PATH: '/usr/bin',
    };
    const given = JSON.stringify({
      base: `${api.url}/api`,
      url: saleStatus(),
      client_id,
      client_secret,
    });
    const { stdout } = await run(PYTHON, ['-c', script, given], { env });
    return JSON.parse(stdout);
  };

  it('Authlib (Python) gets a token, calls, refreshes, introspects and revokes', async function () {
    if (!(await hasModule('authlib.integrations.requests_client'))) this.skip();
    const printed = await inPython(`
import json, sys
from authlib.integrations.requests_client import OAuth2Session
given = json.loads(sys.argv[1])
auth = given['base'] + '/seguros/auth'
session = OAuth2Session(given['client_id'], given['client_secret'], scope='sales', token_endpoint_auth_method='client_secret_basic')
first = session.fetch_token(auth + '/token', grant_type='client_credentials')
called = session.get(given['url']).json()
second = session.refresh_token(auth + '/token', refresh_token=first['refresh_token'])
again = session.get(given['url']).json()
inspected = session.introspect_token(auth + '/introspect', token=second['access_token']).json()
revoked = session.revoke_token(auth + '/revoke', token=second['refresh_token']).status_code
session.token = second
print(json.dumps([called, again, first['refresh_token'] != second['refresh_token'], inspected['active'], revoked, session.get(given['url']).status_code]))
`);
    expect(printed).to.deep.equal([answerExpected(), answerExpected(), true, true, 200, 401]);
  });

  it('requests-oauthlib (Python) gets a token, calls, refreshes and calls again', async function () {
    if (!(await hasModule('requests_oauthlib'))) this.skip();
    const printed = await inPython(`
import json, sys
from oauthlib.oauth2 import BackendApplicationClient
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session
given = json.loads(sys.argv[1])
token_url = given['base'] + '/seguros/auth/token'
session = OAuth2Session(client=BackendApplicationClient(client_id=given['client_id']))
basic = HTTPBasicAuth(given['client_id'], given['client_secret'])
first = session.fetch_token(token_url=token_url, auth=basic)
called = session.get(given['url']).json()
second = session.refresh_token(token_url, refresh_token=first['refresh_token'], auth=basic)
again = session.get(given['url']).json()
print(json.dumps([called, again, first['refresh_token'] != second['refresh_token']]))
`);
    expect(printed).to.deep.equal([answerExpected(), answerExpected(), true]);
  });
});
