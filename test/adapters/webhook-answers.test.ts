import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Instant } from '#domain';
import { HttpWebhookSender } from '../../adapters/webhooks/http-webhook-sender.ts';
import { WebhookUrlRules } from '../../adapters/webhooks/webhook-urls.ts';
import type { SendOutcome } from '../../application/webhooks/webhook-sender.ts';
import { processorTimeOf } from '../support/timing.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';
const LENGTH_0 = `${OK}content-length: 0\r\n\r\n`;

/** Writes a text again and again, as fast as the connection takes it. */
const flood = (socket: Socket, text: string): void => {
  const part = text.repeat(Math.ceil(65_536 / text.length));
  const more = (): void => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.on('drain', more);
  more();
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until the sender has closed the connection. */
const closed = async (socket: Socket | undefined): Promise<void> => {
  if (socket === undefined) throw new Error('no connection');
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
};

describe('the sender of webhooks, to an endpoint that means harm,', () => {
  let servers: Server[] = [];
  let sockets: Socket[] = [];
  let sender: HttpWebhookSender;

  /** Starts an endpoint, which does this with the first webhook of each connection. */
  const endpoint = async (answer: (socket: Socket) => void): Promise<string> => {
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => {}));
      socket.once('data', () => answer(socket));
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  const make = (timeoutMs = 15_000): HttpWebhookSender =>
    new HttpWebhookSender({
      urls: new WebhookUrlRules({ isTest: true, publicUrl: 'http://sales.example' }),
      allowsLoopback: true,
      timeoutMs,
    });
  const send = (url: string): Promise<SendOutcome> => {
    const sentAt = new Date().toISOString() as Instant;
    const secrets = [`whsec_${Buffer.alloc(32).toString('base64')}`];
    return sender.send({ url, id: 'evt_1', sentAt, body: '{}', secrets });
  };
  const outcomeOf = async (answer: (socket: Socket) => void): Promise<SendOutcome> =>
    send(await endpoint(answer));
  const reasonOf = (outcome: SendOutcome): string | number =>
    outcome.kind === 'unanswered' ? outcome.reason : outcome.status;

  beforeEach(() => {
    sender = make();
  });
  afterEach(() => {
    sender.close();
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
    [servers, sockets] = [[], []];
  });

  it('notes an upgrade, which it never asks for, as an invalid answer', async () => {
    const before = ['', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n'];
    for (const interim of before) {
      const outcome = await outcomeOf((socket) => socket.write(interim + UPGRADE));
      expect(reasonOf(outcome), interim).to.equal('invalid_answer');
      await closed(sockets.pop());
    }
    const url = await endpoint((socket) => {
      socket.write(LENGTH_0);
      socket.once('data', () => socket.write(UPGRADE));
    });
    expect(reasonOf(await send(url))).to.equal(200);
    await pause(20);
    expect(reasonOf(await send(url))).to.equal('invalid_answer');
    expect(sockets).to.have.length(1);
  });

  it('ends in time, even if Node.js says nothing about the request', async () => {
    sender = make(300);
    const { request } = http;
    const silent = (...parts: Parameters<typeof request>): http.ClientRequest =>
      Object.assign(request(...parts), { emit: () => false });
    try {
      http.request = silent as typeof request;
      const begun = performance.now();
      const outcome = await outcomeOf((socket) => socket.write(LENGTH_0));
      expect(reasonOf(outcome)).to.equal('timeout');
      expect(performance.now() - begun).to.be.at.least(280);
    } finally {
      http.request = request;
    }
  });

  it('takes an answer with an upgrade that is only offered', async () => {
    const offer = 'upgrade: h2c\r\nconnection: upgrade\r\ncontent-length: 0\r\n\r\n';
    expect(reasonOf(await outcomeOf((socket) => socket.write(OK + offer)))).to.equal(200);
  });

  it('takes an answer after some interim answers, not after many', async () => {
    const answerAfter = (count: number): Promise<SendOutcome> =>
      outcomeOf(async (socket) => {
        socket.write('HTTP/1.1 102 P\r\n\r\n'.repeat(count));
        await pause(50);
        socket.write(LENGTH_0);
      });
    expect(reasonOf(await answerAfter(10))).to.equal(200);
    expect(reasonOf(await answerAfter(11))).to.equal('invalid_answer');
  });

  it('ends, however much the endpoint sends before its answer', async () => {
    const floods: Readonly<Record<string, readonly [string, string]>> = {
      'interim answers': ['', 'HTTP/1.1 103 E\r\n\r\n'],
      'interim answers 100': ['', 'HTTP/1.1 100 C\r\n\r\n'],
      'empty lines': ['', '\r\n'],
      'spaces of a header': [`${OK}x:`, ' '],
      'short headers': [OK, 'a:\r\n'],
      'a reason': ['HTTP/1.1 200 ', 'a'],
    };
    for (const [name, [first, repeated]] of Object.entries(floods)) {
      const url = await endpoint((socket) => {
        socket.write(first);
        flood(socket, repeated);
      });
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => send(url)));
      for (const outcome of outcomes)
        expect(reasonOf(outcome), name).to.be.oneOf(['invalid_answer', 'headers_too_large']);
    }
  });

  it('keeps the status, and ends, however much comes after it', async () => {
    const floods: Readonly<Record<string, readonly [string, string]>> = {
      'tiny chunks': [CHUNKED, '1\r\na\r\n'],
      'chunk extensions': [`${CHUNKED}1;`, 'a'],
      'tiny chunks with extensions': [CHUNKED, `1;${'a'.repeat(10_000)}\r\na\r\n`],
      'zeros of a chunk size': [CHUNKED, '0'],
      trailers: [`${CHUNKED}0\r\n`, 'a: b\r\n'],
      'a long body': [`${OK}content-length: 999999999999\r\n\r\n`, 'a'],
      'a body without an end': [`${OK}\r\n`, 'a'],
      'more answers': [LENGTH_0, LENGTH_0],
      'empty lines': [LENGTH_0, '\r\n'],
      noise: [LENGTH_0, '\0'],
    };
    for (const [name, [first, repeated]] of Object.entries(floods)) {
      const url = await endpoint((socket) => {
        socket.write(first);
        flood(socket, repeated);
      });
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => send(url)));
      expect(outcomes.map(reasonOf), name).to.deep.equal(Array(8).fill(200));
      // Also when the sender does not use the connection any more.
      await Promise.all(sockets.splice(0).map(closed));
    }
  });

  it('closes a connection that brings something while it is not in use', async () => {
    const url = await endpoint((socket) => {
      socket.write(LENGTH_0);
      setTimeout(() => flood(socket, 'noise'), 100);
    });
    expect(reasonOf(await send(url))).to.equal(200);
    await closed(sockets[0]);
    expect(reasonOf(await send(url))).to.equal(200);
    expect(sockets).to.have.length(2);
  });

  it('reads thousands of tiny chunks that arrive together in a moment', async () => {
    const chunks = '1\r\na\r\n'.repeat(10_000);
    const url = await endpoint((socket) => socket.write(`${CHUNKED}${chunks}0\r\n\r\n`));
    const { result: outcomes, ms } = await processorTimeOf(2_000, () =>
      Promise.all(Array.from({ length: 8 }, () => send(url))),
    );
    expect(ms, 'ms of processor time').to.be.below(2_000);
    for (const outcome of outcomes)
      expect(outcome).to.deep.include({ status: 200, answer: 'a'.repeat(1_000) });
  });

  it('notes an event as taken, whatever follows the head of the answer', async () => {
    const after: Readonly<Record<string, (socket: Socket) => void>> = {
      'a hanging body': (socket) => socket.write(`${OK}content-length: 9\r\n\r\nok`),
      'a hanging chunk': (socket) => socket.write(`${CHUNKED}9\r\nok`),
      'an invalid chunk': (socket) => socket.write(`${CHUNKED}2\r\nok\r\nzz\r\n`),
      'an invalid chunk a moment later': (socket) => {
        socket.write(`${CHUNKED}2\r\nok\r\n`);
        setTimeout(() => socket.write('zz\r\n'), 30);
      },
      'the end': (socket) => socket.end(`${OK}content-length: 9\r\n\r\nok`),
      'a reset': (socket) => {
        socket.write(`${OK}content-length: 9\r\n\r\nok`);
        setTimeout(() => socket.resetAndDestroy(), 30);
      },
      'an upgrade': (socket) => socket.write(`${OK}content-length: 2\r\n\r\nok${UPGRADE}`),
    };
    const outcomes = await Promise.all(
      Object.entries(after).map(async ([name, answer]) => [name, await outcomeOf(answer)] as const),
    );
    for (const [name, outcome] of outcomes)
      expect(outcome, name).to.deep.include({ kind: 'answered', status: 200, answer: 'ok' });
  });

  it('notes an event as taken if the time ends during the body', async () => {
    sender = make(300);
    const outcome = await outcomeOf((socket) => socket.write(`${CHUNKED}2\r\nok\r\n`));
    expect(outcome).to.deep.include({ kind: 'answered', status: 200, answer: 'ok' });
  });

  it('notes an event as taken, whatever the headers of the answer say', async () => {
    const headers = [
      ...['Mon, 23 Nov 10000 12:00:00 GMT', 'Mon, 23 Nov 99999 12:00:00 GMT'].map(retryAfter),
      ...['Mon, 23 Nov 275760 12:00:00 GMT', 'Mon, 23 Nov -5 12:00:00 GMT'].map(retryAfter),
      ...['9999999999', '9'.repeat(400), 'NaN', 'Mon, x GMT', '\u{fffd}'].map(retryAfter),
      ...['retry-after: 5\r\nretry-after: 6', 'content-encoding: gzip, x', 'content-encoding:'],
      ...['content-type: text/html; charset=x', '__proto__: a', 'constructor: b', 'keep-alive: x'],
      ...['keep-alive: timeout=99999999999999', 'connection: close, upgrade', 'set-cookie: a=b'],
    ];
    for (const header of headers) {
      const answer = `${OK}${header}\r\ncontent-length: 2\r\n\r\nok`;
      const outcome = await outcomeOf((socket) => socket.write(answer));
      expect(reasonOf(outcome), header).to.equal(200);
    }
  });

  it('leaves out a time of `Retry-After` that no year of four digits has', async () => {
    for (const time of ['Fri, 31 Dec 9999 23:59:59 GMT', 'Sat, 01 Jan 10000 00:00:00 GMT']) {
      const head = `HTTP/1.1 503 Busy\r\n${retryAfter(time)}\r\ncontent-length: 0\r\n\r\n`;
      const outcome = await outcomeOf((socket) => socket.write(head));
      const retryAt = time.includes(' 9999 ') ? { retryAt: '9999-12-31T23:59:59.000Z' } : {};
      const { ms } = outcome;
      expect(outcome).to.deep.equal({ kind: 'answered', status: 503, answer: '', ms, ...retryAt });
    }
  });

  it('keeps text that is at most twice as long as JSON', async () => {
    const answerTo = async (body: Buffer): Promise<string> => {
      const outcome = await outcomeOf((socket) =>
        socket.end(Buffer.concat([Buffer.from(`${OK}\r\n`), body])),
      );
      if (outcome.kind !== 'answered') throw new Error(outcome.reason);
      return outcome.answer;
    };
    const text = 'a\u{1}\u{2}b\tc\r\nd\u{7f}e\u{9b}f\u{ffff}g\u{fdd0}h ção \u{1f3ab}';
    expect(await answerTo(Buffer.from(text))).to.equal(
      'a\u{fffd}b\tc\r\nd\u{fffd}e\u{fffd}f\u{fffd}g\u{fffd}h ção \u{1f3ab}',
    );
    for (const bytes of [
      [1],
      [0],
      [0x1b, 0x61],
      [0xff],
      [0xff, 0x61],
      [0x22],
      [0x0a],
      [0xed, 0xa0],
    ]) {
      const answer = await answerTo(Buffer.alloc(1_000, Buffer.from(bytes)));
      expect(Buffer.byteLength(JSON.stringify(answer)), String(bytes)).to.be.below(2_010);
      expect(answer.isWellFormed()).to.equal(true);
    }
  });
});

const retryAfter = (time: string): string => `retry-after: ${time}`;
