import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import {
  isInstalled,
  LANGUAGES,
  printedProgram,
  ReceiverProcess,
} from '../../../support/receivers.ts';

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The lines of the function that verifies, by the language. */
const VERIFIERS = {
  ts: /^function isGenuine[\s\S]*?^}$/m,
  python: /^def is_genuine[\s\S]*?(?=\n\n)/m,
  php: /^function is_genuine[\s\S]*?^}$/m,
};

const EVENT = {
  id: 'evt_0123456789abcdef0123456789abcdef',
  type: 'sale.paid',
  timestamp: '2026-11-22T20:17:33.512Z',
  data: { transaction_id: 17, version: 3, external_sale_id: 'São João "17"' },
};

/** More than any event, bytes. */
const OVERSIZED = 1_100_000;

/** A connection on which the lines of a request's head were sent. */
const begin = async (port: number, ...lines: readonly string[]) => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(['POST /events HTTP/1.1', 'Host: 127.0.0.1', ...lines, '', ''].join('\r\n'));
  return socket;
};

/** Sends chunks without an end, until the receiver closes the connection. */
const sendEndlessly = async (port: number, header: string): Promise<void> => {
  const socket = await begin(port, header);
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const send = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', send).resume();
  send();
  await closed;
};

describe('the receivers that the guide prints', () => {
  for (const language of LANGUAGES)
    describe(`in ${language.name}`, () => {
      const secret = newSecret();
      let receiver: ReceiverProcess;
      before(async function () {
        if (isInstalled(language)) {
          receiver = await ReceiverProcess.start(language, secret);
          return;
        }
        process.stderr.write(`${language.name} is not installed here: its receiver is not run.\n`);
        this.skip();
      });
      after(() => receiver?.end());

      const sign = (by: string, body: string, at = new Date(), id = EVENT.id): string =>
        new Webhook(by).sign(id, at, body);

      /** Delivers the event. An empty header is left out. */
      const deliver = async (over: {
        readonly body?: string;
        readonly at?: Date;
        readonly headers?: Readonly<Record<string, string>>;
      }): Promise<number> => {
        const { body = JSON.stringify(EVENT), at = new Date() } = over;
        const headers = {
          'Content-Type': 'application/json',
          'webhook-id': EVENT.id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': sign(secret, body, at),
          ...over.headers,
        };
        const present = Object.entries(headers).filter(([, value]) => value !== '');
        const request = { method: 'POST', body, headers: Object.fromEntries(present) };
        return (await fetch(receiver.url, request)).status;
      };

      it('verify in 15 lines', () => {
        const [verifier = ''] =
          VERIFIERS[language.name].exec(printedProgram('verify-signatures', language)) ?? [];
        expect(verifier.split('\n')).to.have.length.within(10, 15);
      });

      it('take what is signed with their secret', async () => {
        expect(await deliver({})).to.equal(204);
        expect(await deliver({ at: new Date(Date.now() - 290_000) })).to.equal(204);
        expect(await deliver({ at: new Date(Date.now() + 290_000) })).to.equal(204);
        await receiver.hasPrinted('sale.paid 17 3');
        const test = { ...EVENT, id: 'evt_2', type: 'webhook.test', data: { webhook_id: 'whe_1' } };
        const body = JSON.stringify(test);
        expect(await deliver({ body })).to.equal(204);
        await receiver.hasPrinted('webhook.test');
      });

      it('take what is signed with two secrets while one is changed', async () => {
        const body = JSON.stringify(EVENT);
        const at = new Date();
        const [own, other] = [sign(secret, body, at), sign(newSecret(), body, at)];
        for (const both of [
          `${own} ${other}`,
          `${other} ${own}`,
          `v1a,unknown ${own}`,
          `${other}  ${own}`,
        ])
          expect(await deliver({ at, headers: { 'webhook-signature': both } }), both).to.equal(204);
      });

      it('refuse altered bodies, ids and times', async () => {
        const signature = { 'webhook-signature': sign(secret, JSON.stringify(EVENT)) };
        for (const body of [
          JSON.stringify({ ...EVENT, type: 'sale.refunded' }),
          JSON.stringify(EVENT, null, 1),
          `${JSON.stringify(EVENT)} `,
          '',
        ])
          expect(await deliver({ body, headers: signature }), body).to.equal(401);
        expect(await deliver({ headers: { 'webhook-id': 'evt_other' } })).to.equal(401);
        const soon = String(Math.floor(Date.now() / 1_000) + 7);
        expect(await deliver({ headers: { 'webhook-timestamp': soon } })).to.equal(401);
      });

      it('refuse other secrets, an empty one included', async () => {
        const body = JSON.stringify(EVENT);
        const at = Math.floor(Date.now() / 1_000);
        const unkeyed = createHmac('sha256', '').update(`${EVENT.id}.${at}.${body}`);
        for (const wrong of [sign(newSecret(), body), `v1,${unkeyed.digest('base64')}`])
          expect(await deliver({ headers: { 'webhook-signature': wrong } })).to.equal(401);
      });

      it('refuse what was sent more than five minutes ago or ahead, or at no time', async () => {
        for (const ms of [-302_000, 310_000, -86_400_000])
          expect(await deliver({ at: new Date(Date.now() + ms) }), String(ms)).to.equal(401);
        for (const at of ['now', '-1', '1e9', '²', '9'.repeat(5_000)])
          expect(await deliver({ headers: { 'webhook-timestamp': at } }), at).to.equal(401);
      });

      /** Twice, since a receiver may end after its answer. */
      const goesOn = async (): Promise<void> => {
        expect(await deliver({})).to.equal(204);
        expect(await deliver({})).to.equal(204);
      };

      it('go on after a sender that breaks off', async () => {
        for (const length of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
          const [closed, reset] = [await begin(receiver.port, length), await begin(receiver.port)];
          closed.write('5');
          closed.destroy();
          reset.resetAndDestroy();
          await goesOn();
        }
      });

      it('take no body that is longer than any event, and go on', async () => {
        const body = JSON.stringify({ ...EVENT, padding: 'x'.repeat(OVERSIZED) });
        const status = await deliver({ body }).catch(() => 'closed');
        expect(status).to.be.oneOf([401, 413, 'closed']);
        await goesOn();
      });

      it('close a connection whose body has no end', async function () {
        // The web server of PHP reads a body before the program runs; its own limits apply.
        if (language.name === 'php') this.skip();
        for (const header of [
          ...['Transfer-Encoding: chunked', 'Content-Length: 999999999999', 'Content-Length: -1'],
        ])
          await sendEndlessly(receiver.port, header);
        await goesOn();
      });

      it('are not occupied by a body that does not come', async () => {
        const silent = await begin(receiver.port, 'Content-Length: 100');
        await goesOn();
        silent.destroy();
      });

      it('refuse missing and malformed headers', async () => {
        for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
          expect(await deliver({ headers: { [name]: '' } }), name).to.equal(401);
        const own = sign(secret, JSON.stringify(EVENT));
        for (const signature of [
          ...['v1', 'v1,', ',', 'é', own.slice(0, -1), `${own}=`, own.slice(3)],
          ...[own.replace('v1,', 'v2,'), own.replace('v1,', ''), `${own},${own}`],
        ])
          expect(
            await deliver({ headers: { 'webhook-signature': signature } }),
            signature,
          ).to.equal(401);
      });
    });
});
