import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import Type from 'typebox';
import { compileValidator } from '../../../../../adapters/kit/contract/validation.ts';
import { noteRoute, watchEventLoop } from '../../../../../adapters/kit/web/pipeline/request-log.ts';
import { listen } from '../../../../../adapters/kit/web/server/listen.ts';
import { type Answer, type Api, CREATE, mainBody, withApi } from '../../../../support/api.ts';
import { processorTimeOf } from '../../../../support/timing.ts';

/** Most processor time of one of these requests, ms. Without the limits it takes far more. */
const BRIEF_MS = 300;

/** Time after which a server gives a request up that is not complete, ms. */
const REQUEST_TIMEOUT_MS = 30_000;

const post = (
  api: Api,
  path: string,
  body: string | Buffer,
  headers: Record<string, string>,
): Promise<Answer> => api.call(path, { method: 'POST', body: body as unknown as string, headers });

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const GZIPPED_JSON = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
const TOKEN_PATHS = ['token', 'introspect', 'revoke'].map((name) => `/seguros/auth/${name}`);

describe('a form at the token endpoints', () => {
  withApi((api) => {
    it('is refused if it is compressed', async () => {
      for (const path of [...TOKEN_PATHS, '/seguros/auth/refresh'])
        for (const type of ['application/json', FORM['Content-Type']]) {
          const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip' };
          const { result, ms } = await processorTimeOf(BRIEF_MS, () =>
            post(api(), path, gzipSync('a=b&'.repeat(60_000)), headers),
          );
          expect([result.status, result.body.error], path).to.deep.equal([415, 'invalid_request']);
          expect(ms, path).to.be.below(BRIEF_MS);
        }
    });

    const MANY: readonly [string, string][] = [
      ['one field without a name, repeated', '=b&'.repeat(5_000)],
      ['one field, repeated', 'a=b&'.repeat(4_000)],
      ['nothing but separators', '&'.repeat(16_000)],
      ['nested brackets', `${'a[b][c]=1&'.repeat(1_500)}`],
    ];
    for (const [name, form] of MANY) {
      it(`with more than 64 fields is refused at once: ${name}`, async () => {
        for (const path of TOKEN_PATHS) {
          const { result, ms } = await processorTimeOf(BRIEF_MS, () =>
            post(api(), path, form, FORM),
          );
          expect(result.status, path).to.equal(400);
          expect(result.body).to.include({
            error: 'invalid_request',
            response: 'O formulário tem mais de 64 campos.',
          });
          expect(ms, path).to.be.below(BRIEF_MS);
        }
      });
    }

    it('of more than 16 KiB is refused', async () => {
      const { status, body } = await post(
        api(),
        '/seguros/auth/token',
        `client_id=${'x'.repeat(17_000)}`,
        FORM,
      );
      expect([status, body.response]).to.deep.equal([413, 'O corpo da requisição excede 16 KiB.']);
    });

    it('has a limit of 128 KiB for JSON', async () => {
      for (const path of [...TOKEN_PATHS, '/seguros/auth/refresh'])
        expect((await api().post(path, { token: 'x'.repeat(132_000) })).status, path).to.equal(413);
    });

    it('with a repeated field is refused, also if the second one is empty', async () => {
      for (const form of ['scope=a&scope=b', 'scope=a&scope=', 'client_id=a&client_id=a']) {
        const { status, body } = await post(api(), '/seguros/auth/token', form, FORM);
        expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
        expect(body.response).to.match(/mais de uma vez/);
      }
    });
  });
});

describe('a small body that expands to much work', () => {
  withApi((api) => {
    const people = (count: number): string => `"additionalInsured":[${'{},'.repeat(count - 1)}{}]`;
    const BODIES: readonly [string, string][] = [
      ['86,000 empty objects in a list', `{${people(86_000)}}`],
      ['20,000 empty objects in a list', `{${people(20_000)}}`],
      [
        '30,000 unknown fields',
        `{${Array.from({ length: 20_000 }, (_, index) => `"f${index}":1`).join()}}`,
      ],
      ['100,000 levels', `{"additionalInsured":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
      [
        'one text of 250 KB in each field',
        `{"email":"${'a@'.repeat(60_000)}","cpfOrCnpj":"${'1'.repeat(100_000)}"}`,
      ],
    ];
    const PATHS: readonly [string, number][] = [
      ['/seguros/artista-protegido/create', 400],
      ['/seguros/seguro-celular/create', 422],
      ['/seguros/ingresso-protegido/create', 422],
      ['/private/integration/sale', 422],
      ['/private/integration/sale/validate', 422],
    ];
    for (const [name, body] of BODIES)
      for (const [path, expected] of PATHS)
        it(`${name}: ${path} answers ${expected} at once`, async () => {
          const authorization = await api().bearer();
          const { result, ms } = await processorTimeOf(BRIEF_MS, () =>
            post(api(), path, gzipSync(body), { ...authorization, ...GZIPPED_JSON }),
          );
          expect(result.status).to.equal(expected);
          const errors = result.body.errors ?? result.body;
          expect(Object.keys(errors).length).to.be.within(1, 101);
          expect(ms).to.be.below(BRIEF_MS);
        });

    it('names the list that is too long, and the other faults', async () => {
      const authorization = await api().bearer();
      const { body } = await api().post(
        '/seguros/seguro-celular/create',
        `{"email":"x",${people(60)}}`,
        authorization,
      );
      expect(body.errors.additionalInsured).to.deep.equal([
        'O campo additionalInsured deve ter no máximo 50 itens.',
      ]);
      expect(body.errors).to.include.keys('email', 'productId');
      const huge = await api().post(
        '/seguros/seguro-celular/create',
        `{"email":"x",${people(40_000)}}`,
        authorization,
      );
      expect(huge.body.errors.additionalInsured[0]).to.match(/valores demais/);
      expect(huge.body.errors).to.include.keys('email', 'productId');
    });

    it('is refused at once in a catalogue body', async () => {
      const administrator = await api().bearer(null);
      const body = `{"plans":[${'{},'.repeat(85_000)}{}]}`;
      const { result, ms } = await processorTimeOf(BRIEF_MS, () =>
        api().put('/admin/products/X', JSON.parse(body), administrator),
      );
      expect(result.status).to.equal(422);
      expect(ms).to.be.below(BRIEF_MS);
    });

    it('is not decompressed beyond 256 KiB', async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000, 32));
      const headers = { ...(await api().bearer()), ...GZIPPED_JSON };
      const { result, ms } = await processorTimeOf(BRIEF_MS, () =>
        post(api(), '/seguros/seguro-celular/create', bomb, headers),
      );
      expect(result.status).to.equal(413);
      expect(ms).to.be.below(BRIEF_MS);
    });
  });

  it('makes Ajv build a hundred errors at most', () => {
    const check = compileValidator(
      Type.Object({ list: Type.Array(Type.Object({ name: Type.String() })) }),
    );
    let built = 0;
    const get = (): undefined => {
      built += 1;
    };
    const item = Object.defineProperty({}, 'name', { enumerable: false, get });
    const checked = check({ list: Array.from({ length: 5_000 }, () => item) });
    expect(Object.keys(checked.faults)).to.have.length(100);
    // Each is read twice more: to be tidied, and searched for cards.
    expect(built).to.be.below(2 * 5_000 + 300);
    expect(checked.sound).to.deep.equal({});
  });
});

/** A connection from which the test reads only when it wants to. */
const dial = async (address: string): Promise<Socket> => {
  const { port, hostname } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

const closing = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()));

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('a client that does not read its answers', () => {
  it('has one request processed, not all', async () => {
    const server = await listen({ port: 0, host: '127.0.0.1' });
    let made = 0;
    server.serve((_, response) => {
      made += 1;
      response.end(Buffer.alloc(8_000_000));
    });
    const socket = await dial(server.address);
    socket.pause();
    socket.write(GET.repeat(20));
    await wait(300);
    expect(made).to.equal(1);
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    socket.resume();
    while (received < 160_000_000) await wait(20);
    expect(made, 'all are answered once it reads').to.equal(20);
    socket.destroy();
    await server.stop();
  });

  it('is not disconnected while it reads one large answer slowly', async () => {
    const server = await listen({ port: 0, host: '127.0.0.1', stallTimeout: 1_500 });
    const size = 30_000_000;
    server.serve((_, response) => void response.end(Buffer.alloc(size)));
    const socket = await dial(server.address);
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    socket.write(GET);
    for (let times = 0; times < 25 && received < size; times += 1) {
      socket.pause();
      await wait(90);
      socket.resume();
      await wait(3);
    }
    expect(socket.destroyed).to.equal(false);
    socket.resume();
    while (received < size && !socket.destroyed) await wait(20);
    expect(received).to.be.at.least(size);
    socket.destroy();
    await server.stop();
  });

  it('is disconnected if it reads nothing in time; a slow reader is not', async () => {
    const server = await listen({ port: 0, host: '127.0.0.1', stallTimeout: 600 });
    // In chunks, like a streamed file.
    const pieces = Array.from({ length: 400 }, () => Buffer.alloc(65_536));
    server.serve((_, response) => pipeline(Readable.from(pieces), response, () => {}));
    const [idle, slow] = [await dial(server.address), await dial(server.address)];
    const closed = closing(idle);
    idle.pause();
    let received = 0;
    slow.on('data', (chunk) => {
      received += chunk.length;
    });
    for (const socket of [idle, slow]) socket.write(GET);
    // Sending a byte now and then does not count as reading.
    const knocking = setInterval(() => idle.write('G'), 100);
    for (let times = 0; times < 10; times += 1) {
      slow.pause();
      await wait(140);
      slow.resume();
      await wait(10);
    }
    clearInterval(knocking);
    idle.resume();
    await closed;
    while (received < 400 * 65_536) await wait(20);
    slow.destroy();
    await server.stop();
  });

  it('is disconnected after more than 64 waiting requests', async () => {
    const server = await listen({ port: 0, host: '127.0.0.1' });
    server.serve(() => {});
    const socket = await dial(server.address);
    const closed = closing(socket);
    socket.resume();
    socket.write(GET.repeat(2_000));
    await closed;
    await server.stop();
  });

  it('cannot open more connections than allowed, and the log reports it', async () => {
    const lines: object[] = [];
    const log = { warn: (facts: object) => void lines.push(facts) } as never;
    const server = await listen({ port: 0, host: '127.0.0.1', maxConnections: 2, log });
    const kept = [await dial(server.address), await dial(server.address)];
    const refused = await dial(server.address);
    refused.resume();
    await closing(refused);
    expect(lines).to.deep.equal([{ refused: 1, MAX_CONNECTIONS: 2 }]);
    for (const socket of kept) socket.destroy();
    await server.stop();
  });

  withApi((api) => {
    it('gets the OpenAPI document from shared bytes, or 304 if it has it', async () => {
      const first = await fetch(`${api().url}/openapi.json`);
      const etag = first.headers.get('ETag') ?? '';
      expect(etag).to.match(/^"[\w-]{43}"$/);
      await first.text();
      // With `If-None-Match`, `fetch` adds `Cache-Control: no-cache`, which forbids a 304.
      const [again] = await once(
        request(`${api().url}/openapi.json`, { headers: { 'If-None-Match': etag } }).end(),
        'response',
      );
      expect([again.statusCode, again.headers['content-length']]).to.deep.equal([304, undefined]);
      again.resume();
    });
  });
});

describe('a request behind an answer with Connection: close', () => {
  it('is not processed, because it could not be answered', async () => {
    const server = await listen({ port: 0, host: '127.0.0.1' });
    let taken = 0;
    server.serve((_, response) => {
      taken += 1;
      response.setHeader('Connection', 'close');
      setTimeout(() => response.end('{}'), 50);
    });
    const socket = await dial(server.address);
    socket.resume();
    const closed = closing(socket);
    socket.write(GET.repeat(3));
    await closed;
    await wait(100);
    expect(taken).to.equal(1);
    await server.stop();
  });
});

describe('Transfer-Encoding, Content-Length and Expect', () => {
  withApi((api) => {
    /** The status, and the time until the connection is closed, ms. */
    const asked = async (
      ...headers: readonly string[]
    ): Promise<{ status: number; ms: number }> => {
      const socket = await dial(api().url);
      const started = performance.now();
      let answer = '';
      socket.setEncoding('latin1').on('data', (chunk) => {
        answer += chunk;
      });
      socket.write(
        ['POST /api/seguros/auth/token HTTP/1.1', 'Host: localhost', ...headers, '', '{'].join(
          '\r\n',
        ),
      );
      await closing(socket);
      return { status: Number(answer.split(' ')[1]), ms: performance.now() - started };
    };

    const CASES: readonly [string, number][] = [
      ['Transfer-Encoding: gzip, chunked', 501],
      ['Transfer-Encoding: x, chunked', 501],
      ['Transfer-Encoding: chunked, chunked', 400],
      ['Transfer-Encoding: chunked, gzip', 400],
      ['Content-Length: 262145', 413],
      ['Content-Length: 99999999999', 413],
      ['Content-Length: 9007199254740993', 413],
      ['Content-Length: 18446744073709551616', 400],
      ['Content-Length: -5', 400],
      ['Content-Length: +5', 400],
      ['Content-Length: 1e3', 400],
      ['Content-Length: 5, 6', 400],
    ];
    for (const [header, expected] of CASES)
      it(`${header} is refused at once with ${expected}`, async () => {
        const { status, ms } = await asked(header, 'Content-Type: application/json');
        expect(status).to.equal(expected);
        expect(ms).to.be.below(REQUEST_TIMEOUT_MS);
      });

    it('Expect: 100-continue is answered with 100 or the refusal', async () => {
      const { status } = await asked(
        'Content-Type: application/json',
        'Content-Length: 999999',
        'Expect: 100-continue',
      );
      expect(status).to.equal(413);
      const socket = await dial(api().url);
      socket
        .setEncoding('latin1')
        .write(
          'POST /api/seguros/auth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n',
        );
      const [interim] = await once(socket, 'data');
      expect(interim).to.match(/^HTTP\/1\.1 100 /);
      socket.write('{}');
      const [final] = await once(socket, 'data');
      expect(final).to.match(/^HTTP\/1\.1 401 /);
      socket.destroy();
    });
  });
});

describe('the name of a person', () => {
  withApi((api) => {
    const sell = async (nomeCompleto: string) =>
      api().post(CREATE, mainBody({ nomeCompleto }), await api().bearer());

    it('must have a visible character', async () => {
      for (const blank of [
        '\u2800',
        '\u3164',
        '\u115f',
        '\u200b',
        '\u00ad',
        '\u180e',
        '\u034f',
        '\uffa0',
      ]) {
        const { status, body } = await sell(blank.repeat(5));
        expect([status, Object.keys(body)], escape(blank)).to.deep.equal([422, ['nomeCompleto']]);
      }
    });

    it('may have joiners and soft hyphens', async () => {
      for (const name of ['க்\u200dஷ José', 'نام\u200cها', '👩\u200d🎤 Zoë', 'Ana\u00adMaria'])
        expect((await sell(name)).status, name).to.equal(200);
    });
  });
});

describe('a query', () => {
  withApi((api) => {
    it('with very many parameters is refused at once', async () => {
      for (const path of [
        '/verify',
        '/sandbox/charges',
        '/api/private/integration/sales',
        '/api/admin/audit',
      ])
        for (const query of ['=&'.repeat(4_000), 'a=1&'.repeat(2_000), '&'.repeat(10_000)]) {
          const { result, ms } = await processorTimeOf(BRIEF_MS, () =>
            fetch(`${api().url}${path}?${query}`),
          );
          expect(result.status, path).to.equal(400);
          expect(ms, path).to.be.below(BRIEF_MS);
        }
    });
  });
});

describe('an event loop that is blocked', () => {
  it('is logged with the time and the route that ran', async () => {
    const lines: { ms: number; route: string | null }[] = [];
    const stop = watchEventLoop({ warn: (facts: never) => void lines.push(facts) } as never);
    await wait(300);
    noteRoute('/private/integration/sale');
    const until = performance.now() + 1_500;
    while (performance.now() < until);
    await wait(300);
    stop();
    expect(lines).to.have.length(1);
    expect(lines[0]?.ms).to.be.at.least(1_000);
    expect(lines[0]?.route).to.equal('/private/integration/sale');
  });
});
