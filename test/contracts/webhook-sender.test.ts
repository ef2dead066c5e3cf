import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { Instant } from '#domain';
import { MemoryWebhookSender } from '../../adapters/memory/webhook-sender.ts';
import { HttpWebhookSender } from '../../adapters/webhooks/http-webhook-sender.ts';
import { WebhookUrlRules } from '../../adapters/webhooks/webhook-urls.ts';
import type {
  SendOutcome,
  WebhookMessage,
  WebhookSender,
} from '../../application/webhooks/webhook-sender.ts';
import { localCertificate } from '../support/mail-server.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const SECRETS = ['first', 'second'].map(
  (text) => `whsec_${Buffer.from(text.padEnd(32, '-')).toString('base64')}`,
);

const RULES = { isTest: true, publicUrl: 'http://sales.example' };

/** Lets every URL pass: what remains is the examination of the connection. */
const ANY_URL = { read: (url: string) => ({ ok: true, url }) as const };

const message = (url: string, over: Partial<WebhookMessage> = {}): WebhookMessage => ({
  ...{ url, id: 'evt_1', sentAt: new Date().toISOString() as Instant },
  ...{ body: '{"name":"São João \u{1f3ab}"}', secrets: SECRETS },
  ...over,
});

const reasonOf = (outcome: SendOutcome): string | number =>
  outcome.kind === 'unanswered' ? outcome.reason : outcome.status;

/** Servers that a test has started; each handles the raw connection. */
const servers: Server[] = [];

const rawServer = async (handle: (socket: Socket) => void): Promise<string> => {
  const server = createServer((socket) => handle(socket.on('error', () => {})));
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

describe('the sender of webhooks', () => {
  let receiver: WebhookReceiver;
  let open: HttpWebhookSender[] = [];

  const make = (over: object = {}): HttpWebhookSender => {
    const sender = new HttpWebhookSender({
      ...{ urls: new WebhookUrlRules(RULES), allowsLoopback: true, timeoutMs: 2_000 },
      ...over,
    });
    open.push(sender);
    return sender;
  };
  const strict = (over: object = {}) => make({ urls: ANY_URL, allowsLoopback: false, ...over });
  const url = (path = '/hook') => receiver.urlOf(path);
  const send = (to = url(), sender: WebhookSender = make()) => sender.send(message(to));

  beforeEach(async () => {
    receiver = await new WebhookReceiver().start();
  });
  afterEach(() => {
    receiver.stop();
    for (const sender of open) sender.close();
    for (const server of servers.splice(0)) server.close();
    open = [];
  });

  it('returns what the endpoint answers, as the one in memory does', async () => {
    const memory = new MemoryWebhookSender();
    for (const status of [200, 204, 302, 404, 410, 500]) {
      const told = {
        kind: 'answered',
        status,
        answer: status === 204 ? '' : 'olá',
        ms: 1,
      } as const;
      memory.answer(() => told);
      receiver.answer('/hook', (response) =>
        response.writeHead(status).end(status === 204 ? undefined : told.answer),
      );
      for (const sender of [memory, make()]) {
        const outcome = await send(url(), sender);
        expect(outcome).to.deep.include({ kind: 'answered', status, answer: told.answer });
        expect(outcome.ms).to.be.a('number');
      }
    }
    expect(memory.sent.map(({ id }) => id)).to.deep.equal(Array(6).fill('evt_1'));
  });

  it('signs with each secret, as Standard Webhooks says', async () => {
    const { id, sentAt, body } = message('');
    await send();
    const [arrival] = receiver.arrivals;
    expect(arrival?.body).to.equal(body);
    expect(arrival?.headers).to.deep.include({
      ...{ 'content-type': 'application/json', 'webhook-id': id },
      'webhook-timestamp': String(Math.floor(Date.parse(sentAt) / 1_000)),
    });
    expect(arrival?.headers['user-agent']).to.be.a('string');
    for (const secret of SECRETS) {
      const verified = new Webhook(secret).verify(
        arrival?.body ?? '',
        arrival?.headers as Record<string, string>,
      );
      expect(verified).to.deep.equal(JSON.parse(body));
    }
    expect(String(arrival?.headers['webhook-signature']).split(' ')).to.have.length(2);
  });

  it('follows no redirect', async () => {
    receiver.answer('/hook', (response) =>
      response.writeHead(307, { location: url('/elsewhere') }).end(),
    );
    expect(reasonOf(await send())).to.equal(307);
    expect(receiver.arrivals).to.have.length(1);
  });

  it('reads `Retry-After` as seconds and as a date, and nothing else', async () => {
    const retryAt = async (header: string): Promise<number | undefined> => {
      receiver.answer('/hook', (response) =>
        response.writeHead(503, { 'retry-after': header }).end(),
      );
      const outcome = await send();
      const time = outcome.kind === 'answered' ? outcome.retryAt : undefined;
      return time && Date.parse(time);
    };
    expect(await retryAt('120')).to.be.closeTo(Date.now() + 120_000, 3_000);
    expect(await retryAt('0')).to.be.closeTo(Date.now(), 3_000);
    expect(await retryAt('Mon, 23 Nov 2026 12:00:30 GMT')).to.equal(
      Date.parse('2026-11-23T12:00:30Z'),
    );
    expect(await retryAt('9999999999')).to.be.above(Date.now());
    for (const wrong of ['-5', '1.5', 'soon', '2026-11-23', '99999999999999999999', ''])
      expect(await retryAt(wrong), wrong).to.equal(undefined);
  });

  describe('keeps of an answer', () => {
    const answerTo = async (body: string | Buffer, headers: object = {}): Promise<string> => {
      receiver.answer('/hook', (response) => {
        response.writeHead(200, { ...headers }).end(body);
      });
      const outcome = await send();
      if (outcome.kind !== 'answered') throw new Error(outcome.reason);
      return outcome.answer;
    };

    it('the first 1,000 bytes, without half a character', async () => {
      expect(await answerTo('a'.repeat(5_000_000))).to.equal('a'.repeat(1_000));
      expect(await answerTo('a'.repeat(1_000))).to.equal('a'.repeat(1_000));
      expect(await answerTo(`${'a'.repeat(999)}ção`)).to.equal('a'.repeat(999));
      expect(await answerTo(`${'a'.repeat(998)}ção`)).to.equal(`${'a'.repeat(998)}ç`);
    });

    it('text that PostgreSQL stores', async () => {
      expect(await answerTo('a\0b')).to.equal('a\u{fffd}b');
      expect(await answerTo(Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80]))).to.match(/^a\u{fffd}+$/u);
    });

    it('nothing that is compressed', async () => {
      expect(
        await answerTo(gzipSync('a'.repeat(1_000_000)), { 'content-encoding': 'gzip' }),
      ).to.equal('');
    });
  });

  it('knows the status of an answer that does not end, or breaks off', async () => {
    const endless = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n');
    });
    const outcome = await send(endless, make({ timeoutMs: 15_000 }));
    expect(outcome).to.deep.include({ kind: 'answered', status: 200, answer: 'ok' });
    // Less than the time limit, which the endpoint would use up.
    expect(outcome.ms).to.be.below(15_000);

    const broken = await rawServer((socket) => {
      socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 100\r\n\r\nok');
    });
    expect(await send(broken)).to.deep.include({ kind: 'answered', status: 202, answer: 'ok' });
  });

  it('gives up in time, however slowly the endpoint answers', async () => {
    const silent = await rawServer(() => {});
    const trickling = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-more: a\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const withoutTls = silent.replace('http:', 'https:');
    for (const to of [silent, trickling, withoutTls]) {
      const outcome = await send(to, make({ timeoutMs: 300 }));
      expect(reasonOf(outcome)).to.equal('timeout');
      expect(outcome.ms).to.be.at.least(280);
    }
  });

  it('names in code why there was no answer', async () => {
    const closed = await rawServer((socket) => socket.destroy());
    const [server] = servers;
    expect(reasonOf(await send(closed))).to.equal('connection_closed');
    server?.close();
    expect(reasonOf(await send(closed))).to.equal('connection_refused');
    const wrong = await rawServer((socket) => socket.end('220 mail.example ESMTP\r\n\r\n'));
    expect(reasonOf(await send(wrong))).to.equal('invalid_answer');
    const long = await rawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`);
    });
    expect(reasonOf(await send(long))).to.equal('headers_too_large');
    const resolve = async (): Promise<never> => {
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    };
    const unknown = 'https://does-not-exist.example/';
    expect(reasonOf(await send(unknown, make({ resolve })))).to.equal('dns');
    expect(reasonOf(await send(unknown, make({ resolve: async () => [] })))).to.equal('dns');
    const plain = await rawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(reasonOf(await send(plain.replace('http:', 'https:')))).to.equal('tls');
  });

  it('trusts only certificates of known authorities', async () => {
    const { cert, key } = await localCertificate();
    const server = createTlsServer({ cert, key }, (_, response) => response.end('ok'));
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const to = `https://localhost:${(server.address() as AddressInfo).port}/`;
    expect(reasonOf(await send(to, make()))).to.equal('tls');
    const sender = make({ authorities: [cert] });
    expect(reasonOf(await send(to, sender))).to.equal(200);
    sender.close();
    server.closeAllConnections();
  });

  it('uses a connection again, and a new one if the endpoint has closed it', async () => {
    let [connections, requests] = [0, 0];
    const to = await rawServer((socket) => {
      connections += 1;
      socket.on('data', () => {
        requests += 1;
        if (requests === 3) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      });
    });
    const sender = make();
    for (const expected of [1, 1, 2]) {
      expect(reasonOf(await send(to, sender))).to.equal(200);
      expect(connections).to.equal(expected);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  describe('does not connect', () => {
    it('to an address of its own network, however it is written', async () => {
      const { port } = new URL(url());
      const hosts = [
        ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '0.0.0.0', '0'],
        ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]'],
        ...['[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[fe80::1]', '[fd00:ec2::254]'],
        ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1'],
        ...['localhost', 'sub.localhost', '224.0.0.1', '255.255.255.255'],
      ];
      for (const host of hosts)
        for (const scheme of ['http', 'https']) {
          const outcome = await send(`${scheme}://${host}:${port}/hook`, strict());
          expect(reasonOf(outcome), host).to.equal('address_not_allowed');
        }
      expect(receiver.arrivals).to.deep.equal([]);
    });

    it('to a name with such an address, alone or beside others', async () => {
      for (const address of ['127.0.0.1', '10.0.0.1', '168.63.129.16', '169.254.169.254'])
        for (const others of [[], [{ address: '8.8.8.8', family: 4 }]]) {
          const resolve = async () => [...others, { address, family: 4 }];
          const outcome = await send('https://partner.example/', strict({ resolve }));
          expect(reasonOf(outcome), address).to.equal('address_not_allowed');
        }
      const resolve = async () => [{ address: '::ffff:127.0.0.1', family: 6 }];
      const mapped = await send('https://partner.example/', strict({ resolve }));
      expect(reasonOf(mapped)).to.equal('address_not_allowed');
    });

    it('to another address than the one it has examined', async () => {
      const { port } = new URL(url());
      let questions = 0;
      const resolve = async () => {
        questions += 1;
        return [{ address: questions === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
      };
      const sender = make({ resolve, urls: ANY_URL });
      const to = `http://rebinding.example:${port}/hook`;
      expect(reasonOf(await send(to, sender))).to.equal(200);
      expect(questions).to.equal(1);
      await sender.close();
      expect(reasonOf(await send(to, sender))).to.equal('address_not_allowed');
      expect(questions).to.equal(2);
    });

    it('to a URL that may no longer be registered', async () => {
      const { port } = new URL(url());
      const production = make({ urls: new WebhookUrlRules({ ...RULES, isTest: false }) });
      const wrong = [
        ...[`http://partner.example:${port}/`, 'https://partner.example:22/', 'not a URL'],
        ...['https://user:secret@partner.example/', 'ftp://partner.example/', 'https://10.0.0.1/'],
      ];
      for (const each of wrong)
        expect(reasonOf(await send(each, production)), each).to.equal('address_not_allowed');
      expect(receiver.arrivals).to.deep.equal([]);
    });
  });
});
