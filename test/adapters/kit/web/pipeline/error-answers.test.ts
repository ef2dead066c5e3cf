import { request } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { Unavailable } from '../../../../../application/unavailable.ts';
import { CREATE, mainBody, STATUS, withApi } from '../../../../support/api.ts';
import { SALE, saleOrder } from '../../../../support/generic-sales.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const inHouseStyle = (body: unknown, status: number): void => {
  expect(body)
    .to.be.an('object')
    .that.includes({ success: false, status_code: String(status) });
  expect((body as { response: string }).response).to.be.a('string').that.is.not.empty;
};

describe('errors', () => {
  withApi((api) => {
    let authorization: { Authorization: string };
    before(async () => {
      authorization = await api().bearer();
    });

    const BODIES: readonly [string, string, number, RegExp][] = [
      ['malformed JSON', '{"a":', 400, /JSON válido/],
      ['a null', 'null', 400, /objeto JSON/],
      ['a number', '1', 400, /objeto JSON/],
      ['a text', '"x"', 400, /objeto JSON/],
      ['an empty text', '""', 400, /objeto JSON/],
      ['an array', '[]', 400, /objeto JSON/],
      ['an array of bodies', JSON.stringify([mainBody()]), 400, /objeto JSON/],
      [
        'more than 256 KiB',
        JSON.stringify(mainBody({ filler: 'x'.repeat(300 * 1024) })),
        413,
        /256 KiB/,
      ],
      ['very deep nesting', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 422, /^$/],
      ['a million zeros', `{"productId":${'0'.repeat(100_000)}}`, 400, /JSON/],
    ];
    for (const [name, text, expected, complaint] of BODIES) {
      it(`answers ${expected} to ${name}`, async () => {
        const { status, body } = await api().post(CREATE, text, authorization);
        expect(status).to.equal(expected);
        if (expected === 422) return;
        inHouseStyle(body, expected);
        expect(body.response).to.match(complaint);
      });
    }

    it('accepts just under 256 KiB', async () => {
      const filler = 'x'.repeat(255 * 1024);
      expect((await api().post(CREATE, mainBody({ filler }), authorization)).status).to.equal(200);
    });

    it('answers 415 to another media type and to an unknown Content-Encoding', async () => {
      for (const type of [
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
      ]) {
        const { status, body } = await api().post(CREATE, mainBody(), {
          ...authorization,
          'Content-Type': type,
        });
        expect(status, type).to.equal(415);
        inHouseStyle(body, 415);
      }
      const encoded = await api().post(CREATE, mainBody(), {
        ...authorization,
        'Content-Encoding': 'rot13',
      });
      expect(encoded.status).to.equal(415);
      inHouseStyle(encoded.body, 415);
    });

    it('answers 400 to a body that does not match its Content-Encoding', async () => {
      const { status, body } = await api().post(CREATE, mainBody(), {
        ...authorization,
        'Content-Encoding': 'gzip',
      });
      expect(status).to.equal(400);
      expect(body.response).to.include('Content-Encoding');
      inHouseStyle(body, 400);
    });

    it('answers 400 or 415 to another character encoding, instead of storing U+FFFD', async () => {
      const latin1 = Buffer.from(
        JSON.stringify(mainBody({ nomeCompleto: 'João da Conceição' })),
        'latin1',
      );
      for (const [type, expected] of [
        ['application/json', 400],
        ['application/json; charset=iso-8859-1', 415],
      ] as const) {
        const { status, body } = await api().call(CREATE, {
          method: 'POST',
          body: latin1,
          headers: { ...authorization, 'Content-Type': type },
        });
        expect(status).to.equal(expected);
        expect(body.response).to.match(/UTF-8/);
      }
      const utf8 = await api().post(CREATE, mainBody(), {
        ...authorization,
        'Content-Type': 'application/json; charset=UTF-8',
      });
      expect(utf8.status).to.equal(200);
    });

    it('treats a missing body as an empty one', async () => {
      for (const headers of [
        authorization,
        { ...authorization, 'Content-Type': 'application/json' },
      ]) {
        const { status, body } = await api().call(CREATE, { method: 'POST', headers });
        expect(status).to.equal(422);
        expect(body).to.include.keys('nomeCompleto', 'valorSeguro');
      }
    });

    it('answers 401 to a missing or invalid token, before it reads the body', async () => {
      for (const headers of [
        {},
        { Authorization: 'Bearer' },
        { Authorization: 'Bearer x.y.z' },
        { Authorization: 'Basic YTpi' },
      ]) {
        const {
          status,
          headers: got,
          body,
        } = await api().post(CREATE, '{"a":', headers as Record<string, string>);
        expect(status).to.equal(401);
        expect(got.get('WWW-Authenticate')).to.match(/^Bearer/);
        expect(body).to.deep.equal({
          success: false,
          response: 'Token não encontrado',
          status_code: '401',
          code: 'unauthenticated',
        });
      }
    });

    it('answers 404 to an unknown path and 405 with Allow to another method', async () => {
      const unknown = await api().call('/nada', { method: 'PUT', headers: authorization });
      expect(unknown.status).to.equal(404);
      inHouseStyle(unknown.body, 404);
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
        const other = await api().call(CREATE, { method, headers: authorization });
        expect(other.status).to.equal(405);
        expect(other.headers.get('Allow')).to.equal('POST');
        inHouseStyle(other.body, 405);
      }
      const options = await api().call(`${STATUS}/1`, { method: 'OPTIONS' });
      expect([options.status, options.headers.get('Allow')]).to.deep.equal([204, 'HEAD, GET']);
    });

    it('answers 404 to any path that cannot be a transaction', async () => {
      const odd = [
        '0',
        '-1',
        '1.0',
        '1e3',
        '9'.repeat(40),
        '1%00',
        '%00',
        "1'--",
        '%E0%A4%A',
        '%',
        '..%2f..%2fetc',
        'NaN',
        '١',
        '%F0%9F%8E%B8',
      ];
      for (const id of odd) {
        const { status, body } = await raw(`/api${STATUS}/${encodeURI(id).replaceAll('%25', '%')}`);
        expect(status, id).to.equal(404);
        inHouseStyle(body, 404);
      }
    });

    const raw = (path: string): Promise<{ status: number; body: unknown }> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(api().url);
        request({ hostname, port, path, headers: authorization }, async (response) => {
          const text = await response.setEncoding('utf8').toArray();
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text.join('')) });
        })
          .on('error', reject)
          .end();
      });

    it('answers even bytes that are not HTTP', async () => {
      const { hostname, port } = new URL(api().url);
      const socket = connect(Number(port), hostname);
      socket.end('GARBAGE\r\n\r\n');
      const answer = (await socket.setEncoding('utf8').toArray()).join('');
      expect(answer)
        .to.match(/^HTTP\/1\.1 400 /)
        .and.match(/"success":false/)
        .and.match(/X-Request-Id/);
    });

    const head = (...headers: string[]): string =>
      [
        `POST /api${CREATE} HTTP/1.1`,
        'Host: localhost',
        `Authorization: ${authorization.Authorization}`,
        'Content-Type: application/json',
        ...headers,
        '',
        '',
      ].join('\r\n');

    const exchange = async (bytes: string): Promise<string> => {
      const { hostname, port } = new URL(api().url);
      const socket = connect(Number(port), hostname);
      socket.write(bytes);
      return (await socket.setEncoding('utf8').toArray()).join('');
    };

    it('never answers "invalid" to a sale that it stores, whatever bytes follow', async () => {
      const body = JSON.stringify(mainBody());
      const sale = `${head(`Content-Length: ${Buffer.byteLength(body)}`)}${body}`;
      for (const after of ['}', 'GARBAGE\r\n\r\n', 'GET / HTTP/1.1\r\nbad header\r\n\r\n']) {
        const answer = await exchange(`${sale}${after}`);
        expect(answer.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200']);
        expect(answer).to.match(/"status":"paid"/);
      }
    });

    it('answers 400 to a malformed chunked body, and closes the connection', async () => {
      const answer = await exchange(
        `${head('Transfer-Encoding: chunked')}5\r\n{"a":\r\nGARBAGE\r\n`,
      );
      expect(answer)
        .to.match(/^HTTP\/1\.1 400 /)
        .and.match(/"success":false/);
    });

    const PROTOCOL_FAULTS: readonly [string, string, number][] = [
      ['a request without Host', 'GET /health/live HTTP/1.1\r\n\r\n', 400],
      [
        'an expectation',
        'GET /health/live HTTP/1.1\r\nHost: localhost\r\nExpect: banana\r\n\r\n',
        417,
      ],
      [
        'enormous headers',
        `GET /health/live HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
        431,
      ],
    ];
    for (const [name, bytes, expected] of PROTOCOL_FAULTS) {
      it(`answers ${expected} to ${name}`, async () => {
        const answer = await exchange(bytes);
        expect(answer)
          .to.match(new RegExp(`^HTTP/1\\.1 ${expected} `))
          .and.match(/"success":false/)
          .and.match(/X-Request-Id: /i);
      });
    }

    it('sets X-Request-Id on every answer: the caller’s, or a new one', async () => {
      const mine = await api().post(CREATE, mainBody(), {
        ...authorization,
        'X-Request-Id': 'order:42_a.b-c',
      });
      expect(mine.headers.get('X-Request-Id')).to.equal('order:42_a.b-c');
      for (const insane of ['', 'a b', 'x'.repeat(129), '<script>']) {
        const other = await api().call('/nada', { headers: { 'X-Request-Id': insane } });
        expect(other.headers.get('X-Request-Id')).to.match(UUID);
      }
    });

    it('replaces an X-Request-Id that is a CPF or CNPJ', async () => {
      const answered = async (sent: string): Promise<string | null> => {
        const { headers } = await api().call('/nada', { headers: { 'X-Request-Id': sent } });
        return headers.get('X-Request-Id');
      };
      for (const taxId of ['529.982.247-25', '52998224725', '11.222.333:0001-81', '11222333000181'])
        expect(await answered(taxId), taxId).to.match(UUID);
      for (const other of ['order-12345678901', '123456789012', '20261120153045', '1a-12345678901'])
        expect(await answered(other)).to.equal(other);
    });

    it('keeps no card number: in no text, name, attribute, key or request id', async () => {
      const [card, spaced] = ['5555555555554444', '3782-822463-10005'];
      const order = saleOrder({ externalSaleId: card, attributes: { destination: `a ${spaced}` } });
      const refused = await api().post(SALE, order, authorization);
      const code = ['card_number_in_text'];
      expect(refused.body.error_codes).to.deep.equal({
        externalSaleId: code,
        'attributes.destination': code,
      });
      expect(JSON.stringify(refused.body)).not.to.match(/5555|3782/);
      for (const attributes of [{ [card]: 'x' }, { other: Number(card) }, { other: [[card]] }]) {
        const { body } = await api().post(SALE, saleOrder({ attributes }), authorization);
        expect(Object.values(body.error_codes)).to.deep.equal([code]);
        expect(JSON.stringify(body)).not.to.include(card);
      }
      const named = { ...authorization, 'Idempotency-Key': card };
      expect((await api().post(CREATE, mainBody(), named)).body.code).to.equal(
        'invalid_idempotency_key',
      );
      const { headers } = await api().call('/nada', { headers: { 'X-Request-Id': card } });
      expect(headers.get('X-Request-Id')).to.match(UUID);
      // Another number with a right check digit, a CNPJ, and a card as such.
      const other = { externalSaleId: '2026112512345674', productId: undefined };
      const sold = await api().post(SALE, saleOrder(other), authorization);
      expect(sold.body.error_codes ?? {}).not.to.have.property('externalSaleId');
    });

    it('answers 503 with Retry-After while the database is unreachable', async () => {
      const sales = api().memory.sales;
      const { find } = sales;
      sales.find = async () => {
        throw new Unavailable('database out of reach');
      };
      const { status, headers, body } = await api().call(`${STATUS}/1`, { headers: authorization });
      sales.find = find;
      expect(status).to.equal(503);
      expect(Number(headers.get('Retry-After'))).to.be.above(0);
      inHouseStyle(body, 503);
    });

    it('answers 500 without the error message, in the answer and in the log', async () => {
      const sales = api().memory.sales;
      const { find } = sales;
      sales.find = async () => {
        throw Object.assign(new Error("insert into sale values ('52998224725')"), {
          code: '22P05',
        });
      };
      const { status, body, headers } = await api().call(`${STATUS}/1`, { headers: authorization });
      sales.find = find;
      expect(status).to.equal(500);
      inHouseStyle(body, 500);
      expect(body.response).to.include(headers.get('X-Request-Id'));
      const line =
        api().lines.find((each) => each.includes('request failed') && each.includes('22P05')) ?? '';
      expect(JSON.parse(line).fault).to.include({ name: 'Error', code: '22P05' });
      expect(JSON.stringify(body) + api().lines.join('')).not.to.match(/insert into|52998224725/);
      expect(line.match(/\bat /g) ?? []).to.have.length.below(2);
    });
  });
});

describe('a request that is sent too slowly', () => {
  withApi(
    (api) => {
      it('is answered 408, and its connection closed', async () => {
        const { hostname, port } = new URL(api().url);
        const socket = connect(Number(port), hostname);
        socket.write(
          'POST /api/seguros/auth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
        );
        const answer = (await socket.setEncoding('utf8').toArray()).join('');
        expect(answer)
          .to.match(/^HTTP\/1\.1 408 /)
          .and.match(/"status_code":"408"/);
      });
    },
    { requestTimeout: 200 },
  );
});
