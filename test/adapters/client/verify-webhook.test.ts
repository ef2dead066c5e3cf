import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { Instant } from '#domain';
import {
  verifyWebhook,
  WebhookError,
  type WebhookFault,
} from '../../../adapters/client/src/index.ts';
import { presentEvent } from '../../../adapters/http/events/event-body.ts';
import { HttpWebhookSender } from '../../../adapters/webhooks/http-webhook-sender.ts';
import { WebhookUrlRules } from '../../../adapters/webhooks/webhook-urls.ts';
import { failureOf } from '../../support/client.ts';
import { paidSale } from '../../support/sales.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const AT = '2026-11-22T12:00:00.000Z' as Instant;
const NOW = Date.parse(AT);

const EVENT = presentEvent({
  ...{ id: 'evt_1', type: 'sale.paid', at: AT, channelLink: 'canal-demo' },
  sale: { ...paidSale(), insuredObject: {} },
} as never);
const BODY = JSON.stringify({ ...EVENT, note: 'São João 🎸' });

/** The headers of the library that Standard Webhooks publishes. */
const sign = (over: { secret?: string; id?: string; body?: string; at?: number } = {}) => {
  const { secret = SECRET, id = 'evt_1', body = BODY, at = NOW } = over;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
  };
};

const faultOf = async (
  headers: Record<string, string | undefined>,
  body: string | Uint8Array = BODY,
  secrets: string | readonly string[] = SECRET,
): Promise<WebhookFault> => {
  const failure = await failureOf(verifyWebhook(secrets, headers, body, NOW));
  if (!(failure instanceof WebhookError)) throw failure;
  return failure.fault;
};

describe('verifyWebhook', () => {
  it('reads a webhook as the service sends it, with two secrets', async () => {
    const receiver = await new WebhookReceiver().start();
    const urls = new WebhookUrlRules({ isTest: true, publicUrl: 'http://sales.example' });
    const sender = new HttpWebhookSender({ urls, allowsLoopback: true });
    try {
      const url = receiver.urlOf('/events');
      const sentAt = new Date().toISOString() as Instant;
      await sender.send({ url, id: 'evt_1', sentAt, body: BODY, secrets: [SECRET, OTHER] });
      const [arrival] = receiver.arrivals;
      if (arrival === undefined) throw new Error('nothing arrived');
      const { headers, body } = arrival;
      for (const secret of [SECRET, OTHER, [OTHER, SECRET]]) {
        const event = await verifyWebhook(secret, headers, body);
        expect(event).to.deep.include({ id: 'evt_1', type: 'sale.paid' });
        if (event.type === 'sale.paid') expect(event.data.version).to.equal(1);
      }
      expect(await faultOf(headers as never, body, `whsec_${btoa('another')}`)).to.be.oneOf([
        'wrong_signature',
        'too_new',
        'too_old',
      ]);
    } finally {
      await sender.close();
      receiver.stop();
    }
  });

  it('reads the body as text, bytes or a buffer, and headers of every kind', async () => {
    const bytes = new TextEncoder().encode(BODY);
    for (const body of [BODY, bytes, bytes.buffer, Buffer.from(BODY)])
      expect((await verifyWebhook(SECRET, sign(), body, NOW)).id).to.equal('evt_1');
    const headers = sign();
    const shouting = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    for (const each of [new Headers(headers), shouting])
      expect((await verifyWebhook(SECRET, each, BODY, NOW)).id).to.equal('evt_1');
  });

  it('reads headers of other libraries, and repeated ones that were joined', async () => {
    const headers = new Headers(sign());
    const foreign = { get: (name: string) => headers.get(name) } as unknown as Headers;
    expect((await verifyWebhook(SECRET, foreign, BODY, NOW)).id).to.equal('evt_1');
    const wrong = sign({ secret: OTHER })['webhook-signature'];
    const joined = `${wrong}, ${sign()['webhook-signature']}`;
    const own = { ...sign(), 'webhook-signature': joined };
    expect((await verifyWebhook(SECRET, own, BODY, NOW)).id).to.equal('evt_1');
  });

  it('says that a parsed body is a fault of the program', async () => {
    for (const body of [JSON.parse(BODY), undefined, 7]) {
      const outcome = verifyWebhook(SECRET, sign(), body, NOW);
      expect(await outcome.catch((error: unknown) => error)).to.be.instanceOf(TypeError);
    }
  });

  it('agrees with the library of Standard Webhooks', async () => {
    for (let length = 1; length < 70; length += 1) {
      const secret = `whsec_${Buffer.alloc(length, length).toString('base64')}`;
      const body = JSON.stringify({ ...EVENT, note: 'ã'.repeat(length) });
      const headers = sign({ secret, body, id: `evt_${length}` });
      expect((await verifyWebhook(secret, headers, body, NOW)).type).to.equal('sale.paid');
      expect(() => new Webhook(secret).verify(`${body} `, headers)).to.throw();
      expect(await faultOf(headers, `${body} `, secret)).to.equal('wrong_signature');
    }
  });

  it('accepts one right signature among others', async () => {
    const { 'webhook-signature': right, ...rest } = sign();
    const wrong = sign({ secret: OTHER })['webhook-signature'];
    for (const list of [`${wrong} ${right}`, `v1a,AAAA v1,! ${right}`, `${right} `])
      expect(
        (await verifyWebhook(SECRET, { ...rest, 'webhook-signature': list }, BODY, NOW)).id,
      ).to.equal('evt_1');
  });

  it('refuses what was changed, or signed otherwise', async () => {
    const headers = sign();
    const right = headers['webhook-signature'];
    expect(await faultOf({ ...headers, 'webhook-id': 'evt_2' })).to.equal('wrong_signature');
    expect(await faultOf(headers, BODY.replace('paid', 'sold'))).to.equal('wrong_signature');
    expect(await faultOf(headers, JSON.stringify(JSON.parse(BODY), null, 1))).to.equal(
      'wrong_signature',
    );
    expect(await faultOf(headers, BODY, [OTHER])).to.equal('wrong_signature');
    expect(await faultOf(headers, BODY, [])).to.equal('wrong_signature');
    for (const signature of ['', 'v1,', right.slice(3), right.slice(0, -4), `v2,${right.slice(3)}`])
      expect(await faultOf({ ...headers, 'webhook-signature': signature })).to.equal(
        'wrong_signature',
      );
  });

  it('refuses what is older or newer than five minutes, and says which', async () => {
    for (const [offsetMs, fault] of [
      [-301_000, 'too_old'],
      [301_000, 'too_new'],
    ] as const)
      expect(await faultOf(sign({ at: NOW + offsetMs }))).to.equal(fault);
    for (const offsetMs of [-300_000, 300_000]) {
      const event = await verifyWebhook(SECRET, sign({ at: NOW + offsetMs }), BODY, NOW);
      expect(event.id).to.equal('evt_1');
    }
  });

  it('refuses missing headers, a time that is no number, and a body that is no event', async () => {
    expect(await faultOf({})).to.equal('missing_header');
    expect(await faultOf({ ...sign(), 'webhook-id': undefined })).to.equal('missing_header');
    for (const time of ['', '1e3', ' 1', '-1'])
      expect(await faultOf({ ...sign(), 'webhook-timestamp': time })).to.equal('missing_header');
    for (const body of ['', '[]', '{}', '{"type":1'])
      expect(await faultOf(sign({ body }), body)).to.equal('invalid_body');
  });

  it('says that a secret cannot be read', async () => {
    for (const secret of ['', 'whsec_', 'whsec_!'])
      expect(await failureOf(verifyWebhook(secret, sign(), BODY, NOW))).to.be.instanceOf(TypeError);
  });
});
