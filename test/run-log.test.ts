import { expect } from 'chai';
import { Api, CREATE, mainBody } from './support/api.ts';
import { expectNoSecret, RunLog, runLog } from './support/run-log.ts';

// A root hook (support/setup.ts) checks the log lines of every service that any test starts.
describe('the log at level debug', () => {
  it('holds no secret, no token and no key', async () => {
    const before = runLog.length;
    const api = await new Api().start();
    const client = await api.client('canal-demo');
    const administrator = await api.bearer(null);
    const { body: tokens } = await api.post('/seguros/auth/token', client);
    await api.post('/seguros/auth/refresh', { refresh_token: tokens.refresh_token });
    await api.post('/seguros/auth/token', { ...client, client_secret: `${client.client_secret}x` });
    await api.post('/seguros/auth/introspect', { ...client, token: tokens.access_token });
    await api.post('/seguros/auth/revoke', { ...client, token: tokens.access_token });
    await api.post(`/admin/api-clients/${client.client_id}/rotate-secret`, {}, administrator);
    await api.get(`/admin/audit?cursor=${client.client_secret}`, administrator);
    await api.post(CREATE, mainBody(), { Authorization: `Bearer ${tokens.access_token}` });
    await api.get(`/${tokens.access_token}`);
    await api.stop();
    expect(api.lines.length).to.be.at.least(8);
    expect(runLog.length - before).to.equal(api.lines.length);
    expectNoSecret(runLog);
  });

  it('fails the test run when a line holds a secret, a token or a key', async () => {
    const api = await new Api().start();
    const client = await api.client('canal-demo');
    const { body: tokens } = await api.post('/seguros/auth/token', client);
    await api.stop();
    const secrets = [
      client.client_secret,
      tokens.access_token,
      tokens.refresh_token,
      `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`,
      '-----BEGIN PRIVATE KEY-----',
    ];
    for (const secret of secrets) {
      const log = new RunLog();
      log.add(JSON.stringify({ level: 20, msg: 'nothing' }));
      expectNoSecret(log);
      log.add(JSON.stringify({ level: 20, msg: `something about ${secret} happened` }));
      expect(log.leaks(), secret).to.have.length(1);
      expect(() => expectNoSecret(log), secret).to.throw('log lines that hold a secret');
    }
  });

  it('fails the test run when a line holds a secret that an operator chose', () => {
    const log = new RunLog();
    log.know('chosen by the operator');
    log.add('{"msg":"chosen by the operator"}');
    expect(log.leaks()).to.have.length(1);
  });
});
