import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Api, withApi } from '../../../support/api.ts';
import { phoneOrder } from '../../../support/orders.ts';

const TOKEN = 'the token of Asaas';
const SECRET = 'known to the sandbox in memory';
const CARD = '4111111111111111';

interface Gateway {
  readonly name: 'asaas' | 'sandbox';
  headersFor(body: string | Uint8Array, api: Api): Record<string, string>;
  readonly forged: Record<string, string>;
}

const ASAAS: Gateway = {
  name: 'asaas',
  headersFor: () => ({ 'asaas-access-token': TOKEN }),
  forged: { 'asaas-access-token': 'another token' },
};

const SANDBOX: Gateway = {
  name: 'sandbox',
  headersFor: (body, { memory }) => {
    const time = Math.floor(Date.parse(memory.clock.now()) / 1_000);
    const v1 = createHmac('sha256', SECRET).update(`${time}.`).update(body).digest('hex');
    return { 'sandbox-signature': `t=${time},v1=${v1}` };
  },
  forged: { 'sandbox-signature': `t=1,v1=${'0'.repeat(64)}` },
};

/** Bodies without what the service needs. */
const UNREADABLE: readonly [string, string][] = [
  ['an empty body', ''],
  ['a text that is not JSON', 'not JSON'],
  ['JSON that was cut off', '{"id": "evt_1", "event": "PAYMENT_REC'],
  ['null', 'null'],
  ['a list', '[{"id": "evt_1"}]'],
  ['a number', '42'],
  ['a text', '"evt_1"'],
  ['an object without fields', '{}'],
  ['null in every field', '{"id": null, "event": null, "payment": null, "charge": null}'],
  ['fields of wrong types', '{"id": 1, "event": {"a": []}, "payment": "x", "charge": 7}'],
  ['an empty id', '{"id": "", "event": "PAYMENT_RECEIVED", "charge": {"id": "", "reference": ""}}'],
  [
    'an id with a NUL',
    '{"id": "a\\u0000b", "event": "x", "charge": {"id": "1", "reference": "1"}}',
  ],
  ['a deeply nested list', '['.repeat(20_000) + ']'.repeat(20_000)],
];

for (const gateway of [ASAAS, SANDBOX])
  describe(`notices of ${gateway.name} that cannot be read`, () => {
    withApi(
      (api) => {
        const send = (
          body: string | Uint8Array,
          headers: Record<string, string> = gateway.headersFor(body, api()),
        ) =>
          fetch(`${api().url}/webhooks/payments/${gateway.name}`, {
            method: 'POST',
            body: body as string,
            headers: { 'Content-Type': 'application/json', ...headers },
          });
        const alerts = () =>
          api().memory.alerts.raised.filter(({ kind }) => kind === 'notice_unreadable');
        const kept = () => [...api().memory.notices.unreadable.values()];

        for (const [name, body] of UNREADABLE)
          it(`are kept once, reported once and answered with 200: ${name}`, async () => {
            const before = alerts().length;
            for (let times = 0; times < 3; times += 1)
              expect((await send(body)).status).to.equal(200);
            expect(alerts()).to.have.length(before + 1);
            expect(kept()).to.have.length(before + 1);
            const alert = alerts().at(-1) as { digest?: string; provider?: string };
            expect(alert.provider).to.equal(gateway.name);
            expect(alert.digest).to.match(/^[0-9a-f]{64}$/);
          });

        it('are answered with 200 in any media type, coding and character set', async () => {
          const compressed = gzipSync('{"id": "evt_9"}');
          const sent = [
            await send('a=b', { ...gateway.headersFor('a=b', api()), 'Content-Type': 'text/xml' }),
            await send('Pagamento <recebido/>', {
              ...gateway.headersFor('Pagamento <recebido/>', api()),
              'Content-Type': 'application/json; charset=iso-8859-1',
            }),
          ];
          expect(sent.map(({ status }) => status)).to.deep.equal([200, 200]);
          if (gateway === ASAAS) {
            const headers = { ...gateway.headersFor('', api()), 'Content-Encoding': 'gzip' };
            expect((await send(compressed, headers)).status).to.equal(200);
          }
        });

        it('are answered with 401 if they do not come from the gateway, and are not kept', async () => {
          const before = kept().length;
          for (const [, body] of UNREADABLE)
            for (const headers of [gateway.forged, {}])
              expect((await send(body, headers)).status).to.equal(401);
          expect((await send('x'.repeat(300_000), gateway.forged)).status).to.equal(401);
          expect(kept()).to.have.length(before);
        });

        it('are stored without card data and personal data', async () => {
          const personal = {
            id: 7,
            event: 'PAYMENT_RECEIVED',
            payment: {
              id: 'pay_080225913252',
              externalReference: '6-01M7YT3JAHDR4EX1NJJCGWCZ8P',
              value: 202.52,
              customerName: 'Maria da Silva',
              'maria@example.com': 'Maria',
              status: 52_998_224_725,
              creditCard: { number: CARD, ccv: '8371', creditCardToken: 'secret-token' },
              billingType: 'maria@example.com',
              reference: CARD,
            },
            payer: ['Maria da Silva', { phone: '11987654321' }],
          };
          const text = JSON.stringify({ ...personal, id: null });
          const hidden = JSON.stringify({
            id: '12ABC34501DE35',
            amount: 5_299_822_472,
            reference: '4111_1111_1111_1111',
            externalReference: '4111:1111:1111:1111',
            installment: `pay_${CARD}`,
          });
          expect((await send(hidden)).status).to.equal(200);
          const [shownOfIt = ''] = kept().slice(-1);
          expect(shownOfIt).not.to.match(/12ABC|5299|1111/);
          const notJson = `Maria da Silva ${CARD} pay_080225913252 PAYMENT_RECEIVED 52998224725 {`;
          for (const body of [text, notJson]) expect((await send(body)).status).to.equal(200);
          const [fields = '', traces = ''] = kept().slice(-2);
          for (const shown of ['pay_080225913252', 'PAYMENT_RECEIVED']) {
            expect(fields).to.include(shown);
            expect(traces).to.include(shown);
          }
          expect(fields).to.include('6-01M7YT3JAHDR4EX1NJJCGWCZ8P').and.include('202.52');
          for (const excerpt of kept())
            expect(excerpt).not.to.match(/maria|silva|4111|8371|52998224725|11987654321|secret/i);
          const logged = api().lines.join('\n');
          // A random id may hold the first digits of the card.
          expect(logged).not.to.match(/maria|silva|4111111111111111|52998224725/i);
        });

        it('take little room, however large they are', async () => {
          const fields = Array.from({ length: 3_000 }, (_, index) => [`id${index}`, 'x'.repeat(9)]);
          expect((await send(JSON.stringify(Object.fromEntries(fields)))).status).to.equal(200);
          for (const excerpt of kept()) expect(excerpt.length).to.be.at.most(4_000);
        });

        if (gateway === ASAAS)
          it('are answered with 200 even if they are larger than a notice can be', async () => {
            const large = (length: number) =>
              `{"event": "PAYMENT_RECEIVED", "id": "evt_7", "x": "${'x'.repeat(length)}"}`;
            const before = kept().length;
            for (const length of [70_000, 300_000, 900_000])
              expect((await send(large(length))).status, String(length)).to.equal(200);
            expect(kept().length).to.be.greaterThan(before);
            expect(kept().at(-1)).to.include('PAYMENT_RECEIVED').and.include('evt_7');
            expect((await fetch(`${api().url}/health/live`)).status).to.equal(200);
          });

        it('do not count against the network of the gateway', async () => {
          for (let count = 0; count < 40; count += 1)
            expect((await send(`not JSON ${count}`)).status).to.equal(200);
        });
      },
      { rateLimit: 'off', ...(gateway === ASAAS && { asaasToken: TOKEN }) },
    );
  });

describe('readable notices', () => {
  withApi((api) => {
    const send = async (content: object): Promise<number> => {
      const body = JSON.stringify(content);
      const answer = await fetch(`${api().url}/webhooks/payments/sandbox`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json', ...SANDBOX.headersFor(body, api()) },
      });
      return answer.status;
    };

    it('of an unknown event are kept and change nothing', async () => {
      const charge = { id: '1-x-1', reference: '1-x' };
      expect(await send({ id: 'evt-new', event: 'charge.frozen', charge })).to.equal(200);
      await api().memory.runJobs();
      expect((await api().memory.notices.find('sandbox', 'evt-new'))?.outcome).to.equal('ignored');
    });

    it('with a used id and another content are processed too, once, with an alert', async () => {
      const bearer = await api().bearer();
      const { body } = await api().post('/seguros/seguro-celular/create', phoneOrder(), bearer);
      const id = body.data.transaction_id;
      const sale = await api().memory.sales.load(id);
      const chargeId = sale?.payment.chargeId as string;
      const charge = { id: chargeId, reference: `${id}-${body.data.ticket}` };
      expect(await send({ id: 'evt-twice', event: 'charge.viewed', charge })).to.equal(200);
      await api().memory.sandbox.payOnPage(chargeId, 'pix', undefined, 'once');
      api().memory.undelivered.length = 0;
      for (let times = 0; times < 3; times += 1)
        expect(await send({ id: 'evt-twice', event: 'charge.paid', charge })).to.equal(200);
      await api().memory.runJobs();
      await api().memory.runJobs();
      expect((await api().memory.sales.load(id))?.status).to.equal('issued');
      const differing = api().memory.alerts.raised.filter(({ kind }) => kind === 'notice_differs');
      expect(differing).to.deep.equal([
        { kind: 'notice_differs', provider: 'sandbox', noticeId: 'evt-twice' },
      ]);
    });
  });
});
