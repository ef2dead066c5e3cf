import { connect } from 'node:net';
import { expect } from 'chai';
import { readTrustedProxies } from '../../../../../adapters/kit/web/pipeline/request-origin.ts';
import { listen } from '../../../../../adapters/kit/web/server/listen.ts';
import { type Api, STATUS, withApi } from '../../../../support/api.ts';

/** The whole answer of the server to these bytes. */
const raw = (api: Api, request: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port, hostname } = new URL(api.url);
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });

const asking = (...headers: readonly string[]): string =>
  ['GET /health/live HTTP/1.1', ...headers, 'Connection: close', '', ''].join('\r\n');

const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

describe('a path', () => {
  withApi((api) => {
    it('in another case is another path', async () => {
      for (const path of ['/API/health/live', '/HEALTH/LIVE', '/api/seguros/auth/TOKEN'])
        expect((await fetch(`${api().url}${path}`)).status, path).to.equal(404);
    });
  });
});

describe('the Host header', () => {
  withApi((api) => {
    const NAMES: readonly [string, number][] = [
      ['localhost', 200],
      ['localhost:3000', 200],
      ['127.0.0.1:3000', 200],
      ['[::1]:3000', 200],
      ['10.1.2.3', 200],
      ['evil.example', 421],
      ['evil.example:3000', 421],
      ['localhost.evil.example', 421],
      ['127.0.0.1.evil.example', 421],
      ['user@evil.example', 421],
      ['evil.example@127.0.0.1', 421],
      ['127.0.0.1/evil', 421],
      ['LOCALHOST', 200],
      ['a b', 421],
    ];
    for (const [name, status] of NAMES) {
      it(`${name} is answered with ${status}`, async () => {
        const answer = await raw(api(), asking(`Host: ${name}`));
        expect(statusOf(answer)).to.equal(status);
        if (status === 421)
          expect(answer).to.include('"success":false').and.include('"status_code":"421"');
      });
    }

    it('gives way to the host of an absolute target', async () => {
      const target = (url: string, host: string) =>
        raw(api(), asking(`Host: ${host}`).replace('/health/live', url));
      const own = await target('http://localhost:3000/health/live', 'evil.example');
      expect(statusOf(own)).to.equal(200);
      const foreign = await target('http://evil.example/health/live', 'localhost');
      expect(statusOf(foreign)).to.equal(421);
    });

    it('must be sent exactly once', async () => {
      expect(statusOf(await raw(api(), asking('Host: localhost', 'Host: evil.example')))).to.equal(
        400,
      );
      expect(statusOf(await raw(api(), asking()))).to.equal(400);
    });

    it('does not change the URLs in answers', async () => {
      const answer = await raw(
        api(),
        asking('Host: localhost:1', 'X-Forwarded-Host: evil.example').replace(
          '/health/live',
          '/openapi.json',
        ),
      );
      expect(answer)
        .to.include(api().url)
        .and.not.include('evil.example')
        .and.not.include('localhost:1');
    });
  });
});

describe('the client address', () => {
  const addressSeen = async (api: Api, headers: Record<string, string>): Promise<string> => {
    const administrator = await api.bearer(null);
    await api.post('/seguros/auth/token', { client_id: 'x', client_secret: 'y' }, headers);
    const { body } = await api.get('/admin/audit?action=token.refused&limit=1', administrator);
    return body.response.data[0].address;
  };

  describe('without a trusted proxy', () => {
    withApi((api) => {
      it('is the socket’s, whatever X-Forwarded-For says', async () => {
        expect(await addressSeen(api(), { 'X-Forwarded-For': '198.51.100.1' })).to.equal(
          '127.0.0.1',
        );
      });
    });
  });

  describe('behind trusted proxies', () => {
    const trustProxy = readTrustedProxies('loopback, 10.0.0.0/8');
    withApi(
      (api) => {
        const CASES: readonly [string, string][] = [
          ['198.51.100.1', '198.51.100.1'],
          ['198.51.100.1, 10.1.2.3', '198.51.100.1'],
          ['203.0.113.9, 198.51.100.1, 10.1.2.3', '198.51.100.1'],
          ['2001:db8::1', '2001:db8::1'],
          ['198.51.100.1:54321', '198.51.100.1'],
          ['[2001:db8::1]:54321', '2001:db8::1'],
          ['::ffff:198.51.100.1', '198.51.100.1'],
          ['unknown', '127.0.0.1'],
          ['<script>, nonsense', '127.0.0.1'],
          ['', '127.0.0.1'],
        ];
        for (const [header, address] of CASES) {
          it(`"${header}" means ${address}`, async () => {
            expect(await addressSeen(api(), { 'X-Forwarded-For': header })).to.equal(address);
          });
        }
      },
      { trustProxy },
    );

    withApi(
      (api) => {
        it('counts towards its network: for IPv6, the /64', async () => {
          const ask = async (address: string) => {
            const { headers } = await api().get('/nowhere', { 'X-Forwarded-For': address });
            return Number(headers.get('RateLimit-Remaining'));
          };
          expect(await ask('2001:db8:1:2::1')).to.equal(99);
          expect(await ask('2001:db8:1:2:ffff::9')).to.equal(98);
          expect(await ask('2001:db8:1:3::1')).to.equal(99);
          expect(await ask('198.51.100.1')).to.equal(99);
          expect(await ask('::ffff:198.51.100.1')).to.equal(98);
        });
      },
      { trustProxy, rateLimit: 100 },
    );
  });

  it('is not configured by a list of proxies with an invalid item', () => {
    for (const wrong of ['yes', '10.0.0.0/64', 'proxy.example', '10.0.0.1,,', '*'])
      expect(() => readTrustedProxies(wrong), wrong).to.throw(TypeError);
  });
});

describe('every answer', () => {
  withApi((api) => {
    const HEADERS: Readonly<Record<string, string>> = {
      'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-XSS-Protection': '0',
    };

    it('has the security headers and Cache-Control: no-store', async () => {
      const answers = [
        await api().get(`${STATUS}/1`),
        await api().get('/nowhere'),
        await api().post('/seguros/auth/token', await api().client('canal-demo')),
        await api().get('/admin/audit', await api().bearer(null)),
      ];
      for (const { headers } of answers) {
        for (const [name, value] of Object.entries(HEADERS))
          expect(headers.get(name), name).to.equal(value);
        expect(headers.get('Cache-Control')).to.equal('no-store');
        expect(headers.has('X-Powered-By')).to.equal(false);
      }
    });

    it('has Strict-Transport-Security only if the public URL is HTTPS', async () => {
      expect((await api().get('/nowhere')).headers.has('Strict-Transport-Security')).to.equal(
        false,
      );
      const server = await listen({ port: 0, host: '127.0.0.1', secure: true });
      const { headers } = await fetch(server.address);
      await server.stop();
      expect(headers.get('Strict-Transport-Security')).to.equal(
        'max-age=63072000; includeSubDomains',
      );
    });
  });
});

describe('a body that is too large', () => {
  withApi((api) => {
    it('is refused by its Content-Length, before it has been sent', async () => {
      const request = [
        'POST /api/seguros/auth/token HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
      ];
      const answer = await raw(
        api(),
        [...request, 'Content-Length: 999999999', 'Connection: close', '', '{'].join('\r\n'),
      );
      expect(statusOf(answer)).to.equal(413);
    });

    it('is not read if the caller is not authenticated', async () => {
      const request = [
        'POST /api/seguros/ingresso-protegido/create HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
      ];
      const answer = await raw(
        api(),
        [...request, 'Content-Length: 200000', 'Connection: close', '', '{'].join('\r\n'),
      );
      expect(statusOf(answer)).to.equal(401);
    });
  });
});
