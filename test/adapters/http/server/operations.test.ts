import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { Unavailable } from '../../../../application/unavailable.ts';
import { Api, CREATE, mainBody, quickStartBody, STATUS, withApi } from '../../../support/api.ts';
import { expectError } from '../../../support/expected-error.ts';

interface ErrorSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly anyOf?: readonly ErrorSchema[];
}

interface ErrorResponse {
  readonly headers: Readonly<Record<string, { readonly schema: object }>>;
  readonly content: Readonly<Record<string, { readonly schema: ErrorSchema }>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, ErrorResponse>>;
}

const schemasOf = ({ content }: ErrorResponse): readonly ErrorSchema[] =>
  Object.values(content).flatMap(({ schema }) => schema.anyOf ?? [schema]);

describe('the OpenAPI document', () => {
  withApi((api) => {
    it('is valid OpenAPI 3.1 and describes every endpoint', async () => {
      const response = await fetch(`${api().url}/openapi.json`);
      expect(response.status).to.equal(200);
      const document = (await response.json()) as {
        paths: object;
        openapi: string;
        servers: { url: string }[];
      };
      const { valid, errors } = await new Validator().validate(structuredClone(document));
      expect(valid, JSON.stringify(errors)).to.equal(true);
      expect(document.openapi).to.equal('3.1.0');
      expect(document.servers).to.deep.equal([{ url: `${api().url}/api` }]);
      expect(Object.keys(document.paths)).to.have.members([
        '/seguros/auth/token',
        '/seguros/auth/refresh',
        '/seguros/auth/revoke',
        '/seguros/auth/introspect',
        '/seguros/ingresso-protegido/create',
        '/seguros/ingresso-protegido/status/{id}',
        '/seguros/ingresso-protegido/segunda-via',
        '/admin/api-clients',
        '/admin/api-clients/{client_id}',
        ...['activate', 'deactivate', 'revoke', 'rotate-secret'].map(
          (each) => `/admin/api-clients/{client_id}/${each}`,
        ),
        '/admin/products',
        '/admin/products/{code}',
        '/admin/channels',
        '/admin/channels/{channelLink}',
        '/private/integration/products',
        '/private/integration/products/{code}',
        '/private/integration/quotes',
        '/admin/iof-rates',
        '/admin/transactions',
        '/admin/transactions/{id}/cancel',
        '/admin/transactions/{id}/correct-email',
        '/seguros/artista-protegido/create',
        '/seguros/artista-protegido/status/{proposalNo}',
        '/seguros/seguro-celular/create',
        '/seguros/seguro-celular/status/{ticket}',
        ...[
          '',
          '/validate',
          '/{externalSaleId}',
          '/{externalSaleId}/cancel',
          '/{externalSaleId}/second-copy',
          '/{externalSaleId}/correct-email',
          '/{externalSaleId}/evidence',
        ].map((each) => `/private/integration/sale${each}`),
        '/private/integration/sales',
        '/private/integration/sales/import',
        '/private/integration/reconciliation',
        '/private/integration/statement',
        '/private/integration/events',
        '/admin/channels/{channelLink}/statement',
        '/webhooks/payments/{gateway}',
        ...['/private/integration/webhooks', '/admin/channels/{channelLink}/webhooks'].flatMap(
          (path) => [
            path,
            ...[
              '',
              '/rotate-secret',
              '/test',
              '/deliveries',
              '/deliveries/{deliveryId}/retry',
              '/replay',
            ].map((each) => `${path}/{webhookId}${each}`),
          ],
        ),
        '/admin/audit',
        '/admin/mailings',
        '/admin/mailings/{mailingId}/retry',
      ]);
    });

    it('defines every security scheme that an endpoint uses', async () => {
      const { body: document } = await api().call('/openapi.json');
      const operations = Object.values<Record<string, { security: object[] }>>(
        document.paths,
      ).flatMap((path) => Object.values(path));
      const named = operations.flatMap(({ security }) =>
        security.flatMap((each) => Object.keys(each)),
      );
      expect(new Set(named)).to.deep.equal(new Set(['oauth', 'basic']));
      expect(Object.keys(document.components.securitySchemes)).to.include.members(named);
    });

    it('declares the code of every error, in its header and its body', async () => {
      const { body: document } = await api().call('/openapi.json');
      const errors = Object.entries<Record<string, Operation>>(document.paths).flatMap(
        ([path, methods]) =>
          Object.entries(methods).flatMap(([method, { responses }]) =>
            Object.entries(responses)
              .filter(([status]) => Number(status) >= 400)
              .map(([status, response]) => ({ name: `${method} ${path} ${status}`, response })),
          ),
      );
      expect(errors).to.have.length.above(100);
      const code = { $ref: '#/components/schemas/ErrorCode' };
      for (const { name, response } of errors) {
        expect(response.headers['X-Error-Code']?.schema, name).to.deep.equal(code);
        if (/ (400|422)$/.test(name))
          expect(response.headers, name).to.have.property('X-Error-Fields');
        for (const { properties = {} } of schemasOf(response)) {
          // Bodies in house style, but for those with the fields of RFC 6749.
          if (properties['status_code'] === undefined || properties['error'] !== undefined)
            continue;
          expect(properties['code'], name).to.deep.equal(code);
          expect(JSON.stringify(properties['error_codes']), name).to.include('schemas/FieldCode');
        }
      }
    });

    it('describes both bodies by the schemas that validate them', async () => {
      const { body: document } = await api().call('/openapi.json');
      const { schema } =
        document.paths['/seguros/ingresso-protegido/create'].post.requestBody.content[
          'application/json'
        ];
      const [main, quick] = schema.anyOf;
      expect(main.required).to.have.members(Object.keys(mainBody()));
      expect(Object.keys(main.properties)).to.have.members([
        ...Object.keys(mainBody()),
        ...['nomeSocial', 'acceptance', 'externalSaleId', 'quoteId'],
      ]);
      expect(Object.keys(quick.properties)).to.have.members([
        ...Object.keys(quickStartBody()),
        ...['acceptance', 'externalSaleId', 'quoteId'],
      ]);
    });
  });
});

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
