import { expect } from 'chai';
import { AsaasNotices } from '../../../../adapters/payment/asaas/asaas-notices.ts';
import { signNotice } from '../../../../adapters/payment/sandbox/sandbox-notices.ts';
import { withApi } from '../../../support/api.ts';
import { phoneOrder } from '../../../support/orders.ts';

const SECRET = 'known to the sandbox in memory';
const EVENT = { event: 'charge.paid', reference: '1-x', chargeId: '1-x-1' } as const;

describe('notices of a payment gateway', () => {
  withApi(
    (api) => {
      const send = (body: string, headers: Record<string, string>, gateway = 'sandbox') =>
        fetch(`${api().url}/webhooks/payments/${gateway}`, {
          method: 'POST',
          body,
          headers: { 'Content-Type': 'application/json', ...headers },
        });
      const signed = (id: string, secret = SECRET, now: string = api().memory.clock.now()) =>
        signNotice(id, EVENT, secret, now);

      it('are stored and answered with 200, with and without /api, also when repeated', async () => {
        const { body, headers } = signed('evt-1');
        expect((await send(body, headers)).status).to.equal(200);
        expect((await send(body, headers)).status).to.equal(200);
        expect(
          (
            await api().call('/webhooks/payments/sandbox', {
              method: 'POST',
              body,
              headers: { ...headers, 'Content-Type': 'application/json' },
            })
          ).status,
        ).to.equal(200);
      });

      it('with a wrong signature, altered or old are answered with 401, and not stored', async () => {
        const { body, headers } = signed('evt-2');
        const forgeries: [string, Record<string, string>][] = [
          [body, {}],
          [body, signed('evt-2', 'another secret').headers],
          [body.replace('1-x-1', '1-x-2'), headers],
          [body, signed('evt-2', SECRET, '2026-11-20T14:54:59.000Z').headers],
          [body, signed('evt-2', SECRET, '2026-11-20T15:05:01.000Z').headers],
          [body, { 'sandbox-signature': 't=1,v1=00' }],
        ];
        for (const [text, sent] of forgeries)
          expect((await send(text, sent)).status, JSON.stringify(sent)).to.equal(401);
      });

      it('are answered with 404 for another gateway', async () => {
        expect((await send('{}', {}, 'asaas')).status).to.equal(404);
      });

      it('without an effect are stored, and change nothing', async () => {
        const bearer = await api().bearer();
        const { body } = await api().post('/seguros/seguro-celular/create', phoneOrder(), bearer);
        const reference = body.link.split('/').at(-1).replace(/-1$/, '');
        const events = [
          { ...EVENT, reference: '999-nobody', chargeId: 'other' },
          { ...EVENT, event: 'charge.refunded', reference: '999-nobody', chargeId: 'other' },
          { ...EVENT, event: 'charge.viewed', reference },
          { ...EVENT, event: 'charge.paid', reference, chargeId: `${reference}-1` },
        ];
        for (const [index, event] of events.entries()) {
          const { body: text, headers } = signNotice(
            `evt-quiet-${index}`,
            event as never,
            SECRET,
            api().memory.clock.now(),
          );
          expect((await send(text, headers)).status).to.equal(200);
        }
        await api().memory.runJobs();
        expect((await api().memory.sales.load(body.data.transaction_id))?.status).to.equal(
          'awaiting_payment',
        );
        expect(api().memory.alerts.raised).to.deep.include({
          kind: 'notice_of_nothing',
          provider: 'sandbox',
          noticeId: 'evt-quiet-0',
          chargeId: 'other',
        });
        await api().memory.alertNotes.flush();
        const records = await api().memory.alertRecords.list({
          kind: 'notice_of_nothing',
          limit: 10,
        });
        const raised = records.map(({ subject, times }) => [subject, times]);
        expect(raised).to.deep.include(['charge/other', 2]);
      });

      it('about a sale of another database with the same number change nothing', async () => {
        const bearer = await api().bearer();
        const { body } = await api().post('/seguros/seguro-celular/create', phoneOrder(), bearer);
        const reference = `${body.data.transaction_id}-01M7YT3JAHDR4EX1NJJCGWCZ8P`;
        const { clock, alerts } = api().memory;
        const event = { ...EVENT, reference, chargeId: 'theirs' };
        const { body: text, headers } = signNotice('evt-theirs', event, SECRET, clock.now());
        expect((await send(text, headers)).status).to.equal(200);
        await api().memory.runJobs();
        expect(alerts.raised).to.deep.include({
          kind: 'notice_of_nothing',
          provider: 'sandbox',
          noticeId: 'evt-theirs',
          chargeId: 'theirs',
        });
      });

      it('do not count against the network of the gateway', async () => {
        for (let count = 0; count < 40; count += 1) await fetch(`${api().url}/nowhere`);
        expect((await fetch(`${api().url}/nowhere`)).status).to.equal(429);
        const { body, headers } = signed('evt-3');
        expect((await send(body, headers)).status).to.equal(200);
      });
    },
    { rateLimit: 30 },
  );
});

describe('notices of Asaas', () => {
  const reader = new AsaasNotices('the token');
  const read = (body: string, token: string | string[] = 'the token') =>
    reader.read({ 'asaas-access-token': token }, body);
  const notice = (over: object = {}) =>
    JSON.stringify({
      id: 'evt_1&2',
      event: 'PAYMENT_RECEIVED',
      payment: { id: 'pay_1', externalReference: '1-T' },
      ...over,
    });

  it('must have the agreed token', () => {
    expect(read(notice())).to.deep.equal({
      id: 'evt_1&2',
      event: 'PAYMENT_RECEIVED',
      reference: '1-T',
      chargeId: 'pay_1',
    });
    for (const token of ['', 'the tokem', 'the token ', ['the token']])
      expect(read(notice(), token)).to.equal('forged');
    expect(reader.read({}, notice())).to.equal('forged');
  });

  it('may lack optional fields, and are unreadable without the others', () => {
    expect(read(notice({ payment: { id: 'pay_1', externalReference: null } }))).to.deep.equal({
      id: 'evt_1&2',
      event: 'PAYMENT_RECEIVED',
      chargeId: 'pay_1',
    });
    expect(read(notice({ payment: null }))).to.deep.equal({
      id: 'evt_1&2',
      event: 'PAYMENT_RECEIVED',
    });
    for (const body of [
      '',
      'null',
      '[]',
      notice({ id: null }),
      notice({ event: 7 }),
      notice({ id: 'a\u0000b' }),
      notice({ id: 'x'.repeat(201) }),
    ]) {
      expect(read(body), body).to.equal('unreadable');
    }
  });

  it('are for a person if a bank blocks the money', () => {
    expect(['BALANCE_VALUE_BLOCKED', 'BALANCE_VALUE_UNBLOCKED'].map(reader.isBlock)).to.deep.equal([
      ...[true, false],
    ]);
  });

  it('are relevant if they may concern money', () => {
    for (const event of [
      'PAYMENT_CONFIRMED',
      'PAYMENT_REFUNDED',
      'PAYMENT_CHARGEBACK_REQUESTED',
      'PAYMENT_DELETED',
    ]) {
      expect(reader.isOfInterest(event), event).to.equal(true);
    }
    for (const event of [
      'PAYMENT_CREATED',
      'PAYMENT_CHECKOUT_VIEWED',
      'INVOICE_CREATED',
      'PAYMENT_CONFIRMED_LATER',
    ]) {
      expect(reader.isOfInterest(event), event).to.equal(false);
    }
  });
});
