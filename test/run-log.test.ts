import { expect } from 'chai';
import { Api, CREATE, mainBody } from './support/api.ts';
import { newRunLog, runLog } from './support/run-log.ts';

/** Last in the order of files: by now every service of this run has logged what it had to say, at `debug`. */
describe('what this whole run has logged', () => {
  it('holds no secret, no token and no key', async () => {
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
    expect(runLog.length).to.be.at.least(api.lines.length);
    expect(runLog.leaks()).to.deep.equal([]);
  });

  it('would be found out if it did', async () => {
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
      const log = newRunLog();
      log.add(JSON.stringify({ level: 20, msg: `something about ${secret} happened` }));
      log.add(JSON.stringify({ level: 20, msg: 'nothing' }));
      expect(log.leaks(), secret).to.have.length(1);
    }
    const log = newRunLog();
    log.know('chosen by the operator');
    log.add('{"msg":"chosen by the operator"}');
    expect(log.leaks()).to.have.length(1);
  });
});
