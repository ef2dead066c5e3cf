import { expect } from 'chai';
import { Unavailable } from '../../../../../application/unavailable.ts';
import { Api, CREATE, mainBody, STATUS, withApi } from '../../../../support/api.ts';
import { expectError } from '../../../../support/expected-error.ts';

describe('health', () => {
  withApi((api) => {
    it('is live, and is ready while the database answers', async () => {
      for (const path of ['live', 'ready']) {
        const response = await fetch(`${api().url}/health/${path}`);
        expect(response.status).to.equal(200);
        expect(await response.json()).to.deep.equal({ status: 'ok' });
      }
    });
  });
});

describe('the request log', () => {
  withApi((api) => {
    it('has client, route and status, and neither personal data nor secrets', async () => {
      const client = await api().client('canal-demo');
      const { body } = await api().post('/seguros/auth/token', client);
      const bearer = {
        Authorization: `Bearer ${body.access_token}`,
        'X-Request-Id': 'look-for-me',
      };
      const sale = await api().post(`${CREATE}?cpf=52998224725`, mainBody(), bearer);
      await api().post(CREATE, mainBody({ cpfCnpj: '52998224726' }), bearer);
      await api().post(CREATE, '{"nomeCompleto":"Maria da Silva"', bearer);
      await api().call(`${STATUS}/${sale.body.data.transaction_id}`, { headers: bearer });

      const lines = api()
        .lines.map((line) => JSON.parse(line))
        .filter(({ requestId }) => requestId === 'look-for-me');
      expect(lines.map(({ status }) => status)).to.deep.equal([200, 422, 400, 200]);
      expect(lines[0])
        .to.include({ method: 'POST', route: CREATE, clientId: client.client_id })
        .and.to.have.property('ms');
      expect(lines[3]).to.include({ route: `${STATUS}/{id}` });
      const personal = [
        'Maria',
        '5299822472',
        'maria@example.com',
        '98765-4321',
        'Rua das Flores',
        '1990-05-17',
      ];
      const secrets = [client.client_secret, body.access_token, body.refresh_token];
      for (const word of [...personal, ...secrets])
        expect(api().lines.join('')).not.to.include(word);
    });
  });
});

describe('stopping', () => {
  it('lets requests in flight finish, and accepts no new ones', async () => {
    const api = await new Api().start();
    const clients = api.memory.clients;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const arrived = new Promise<void>((resolve) => {
      clients.find = async () => {
        resolve();
        await held;
        throw new Unavailable('late');
      };
    });
    const inFlight = api.post('/seguros/auth/token', { client_id: 'x', client_secret: 'y' });
    await arrived;
    const stopped = api.stop();
    await expectError(api.call('/openapi.json'));
    release();
    expect((await inFlight).status).to.equal(503);
    await stopped;
  });
});
