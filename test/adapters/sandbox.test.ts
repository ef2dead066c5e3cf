import { isValidBoleto } from '@brazilian-utils/brazilian-utils';
import { expect } from 'chai';
import fc from 'fast-check';
import { type CalendarDate, cents } from '#domain';
import { drawBarCode } from '../../adapters/payment/sandbox/draw-bar-code.ts';
import { createBoleto, createPixCode } from '../../adapters/payment/sandbox/payment-codes.ts';
import { SANDBOX_CARDS } from '../../adapters/payment/sandbox/sandbox-cards.ts';
import { methodsOf, type SandboxCharge } from '../../adapters/payment/sandbox/sandbox-ledger.ts';
import { withApi } from '../support/api.ts';
import { phoneOrder, SECRET_CARD } from '../support/orders.ts';

describe('the codes of the sandbox', () => {
  it('of a boleto have the check digits that another library calculates', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999_999_999 }),
        fc.bigInt(0n, 10n ** 25n - 1n),
        fc.integer({ min: 0, max: 3_000 }),
        (amount, number, days) => {
          const dueOn = new Date(Date.parse('2026-01-01') + days * 86_400_000)
            .toISOString()
            .slice(0, 10) as CalendarDate;
          const { line, barcode } = createBoleto(cents(amount), dueOn, String(number));
          expect(isValidBoleto(line.replaceAll(/\D/g, ''))).to.equal(true);
          expect(barcode).to.match(/^9999\d{40}$/);
          expect(barcode.slice(9, 19)).to.equal(String(amount).padStart(10, '0'));
        },
      ),
    );
    // FEBRABAN, FB-009/2023: the factor restarted at 1000 on 2025-02-22.
    expect(createBoleto(cents(1), '2025-02-22' as CalendarDate, '1').barcode.slice(5, 9)).to.equal(
      '1000',
    );
  });

  it('of a boleto have bars that a reader reads: interleaved 2 of 5', () => {
    const elements = '00110 10001 01001 11000 00101 10100 01100 00011 10010 01010'.split(' ');
    fc.assert(
      fc.property(fc.stringMatching(/^(\d\d){1,22}$/), (digits) => {
        const drawn = drawBarCode(digits).toString();
        const bars = [...drawn.matchAll(/M(\d+) 0h(\d)/g)].map(([, x, width]) => [
          Number(x),
          Number(width),
        ]);
        const all = bars.flatMap(([x = 0, width = 0], index) => {
          const next = bars[index + 1]?.[0];
          return next === undefined ? [width] : [width, next - x - width];
        });
        expect(all.slice(0, 4)).to.deep.equal([1, 1, 1, 1]);
        expect(all.slice(-3)).to.deep.equal([3, 1, 1]);
        const wide = all.slice(4, -3).map((width) => (width === 3 ? '1' : '0'));
        let read = '';
        for (let at = 0; at < wide.length; at += 10)
          for (const from of [0, 1]) {
            const five = [0, 2, 4, 6, 8].map((step) => wide[at + from + step]).join('');
            read += elements.indexOf(five);
          }
        expect(read).to.equal(digits);
      }),
    );
  });

  it('refuses what does not fit into a code: a boleto of R$ 100 million, a Pix of 10 billion', () => {
    const charge = { amount: cents(9_999_999_999) } as SandboxCharge;
    const more = { amount: cents(10_000_000_000) } as SandboxCharge;
    const most = { amount: cents(1_000_000_000_000) } as SandboxCharge;
    expect(methodsOf(charge)).to.deep.equal(['pix', 'credit', 'boleto']);
    expect(methodsOf(more)).to.deep.equal(['pix', 'credit']);
    expect(methodsOf(most)).to.deep.equal(['credit']);
    expect(methodsOf({ ...more, only: 'boleto' })).to.deep.equal([]);
  });

  it('of Pix equal the example in the manual of Banco Central', () => {
    const about = {
      key: '123e4567-e12b-12d1-a456-426655440000',
      merchant: 'Fulano de Tal',
      city: 'BRASILIA',
      transaction: '***',
    };
    expect(createPixCode(about)).to.equal(
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
    );
    expect(createPixCode({ ...about, amount: cents(3_211) })).to.include('540532.11');
  });
});

describe('the pages of the sandbox', () => {
  withApi((api) => {
    let page: string;
    let id: number;
    beforeEach(async () => {
      const { body } = await api().post(
        '/seguros/seguro-celular/create',
        phoneOrder({ plan: { id: 32 } }),
        await api().bearer(),
      );
      page = `${api().url}${new URL(body.link).pathname}`;
      id = body.data.transaction_id;
    });
    const post = (fields: Record<string, string> | string, address = page) =>
      fetch(address, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
    const charges = (query: string, headers: Record<string, string>) =>
      fetch(`${api().url}/sandbox/charges${query}`, { headers });
    const ledger = async (channel: string | null = 'canal-demo') =>
      (await (await charges(`?transaction_id=${id}`, await api().bearer(channel))).json()) as {
        charges: { status: string; method: string }[];
      };

    it('let a tester pick a test card, and keep what was typed', async () => {
      const text = await (await fetch(page)).text();
      const cards = [...text.matchAll(/name="test_card" value="(\d{16})">[^<]+<\/button>([^<]+)/g)];
      expect(cards.map(([, number, effect]) => [number, effect])).to.deep.equal(
        SANDBOX_CARDS.map(({ number, portuguese }) => [number, portuguese.replaceAll('`', '')]),
      );
      const fields = {
        method: 'card',
        number: '5',
        holder: 'Maria',
        expiry: '09/31',
        notice: 'late',
      };
      const picked = await post({ ...fields, test_card: '4000000000000002' });
      expect(picked.status).to.equal(200);
      const filled = await picked.text();
      for (const each of ['4000000000000002', 'Maria', '09/31', '123', 'late'])
        expect(filled).to.include(`value="${each}"`);
      const empty = await (await post({ method: 'card', test_card: SECRET_CARD.number })).text();
      for (const each of [SECRET_CARD.number, 'Cliente de teste', '12/27'])
        expect(empty).to.include(`value="${each}"`);
      const other = await (await post({ method: 'card', test_card: '5555555555554444' })).text();
      expect(other).not.to.include('5555555555554444');
      expect((await ledger()).charges[0]?.status).to.equal('open');
    });

    it('send no notice of a payment whose answer gets lost; the service finds it', async () => {
      const typed = { number: '4000000000003220', holder: 'Maria', expiry: '12/39', cvv: '123' };
      expect((await post({ action: 'pay', method: 'card', ...typed })).status).to.equal(303);
      const notices = api().memory.undelivered.filter(({ chargeId }) =>
        chargeId.startsWith(`${id}-`),
      );
      expect(notices).to.deep.equal([]);
      await api().memory.runJobs();
      expect((await api().memory.sales.load(id))?.status).to.equal('issued');
    });

    it('list the charges of a sale only to its channel and to administrators', async () => {
      for (const headers of [
        {},
        { Authorization: 'Bearer x' },
        { Authorization: 'Basic eDp5' },
      ] as Record<string, string>[]) {
        const answer = await charges(`?transaction_id=${id}`, headers);
        expect(answer.status).to.equal(401);
        expect(answer.headers.get('WWW-Authenticate')).to.equal('Bearer');
        expect(await answer.text()).not.to.include('charges');
      }
      expect((await ledger()).charges).to.have.length(1);
      expect((await ledger(null)).charges).to.have.length(1);
      expect((await ledger('outro-canal')).charges).to.deep.equal([]);
    });

    it('accept forms of their origin and of programs, and refuse those of other sites', async () => {
      const sent = (headers: Record<string, string>) =>
        fetch(page, {
          method: 'POST',
          body: new URLSearchParams({ action: 'nothing' }),
          headers,
          redirect: 'manual',
        });
      const { host } = new URL(api().url);
      const FOREIGN: readonly Record<string, string>[] = [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: `http://evil.example/${host}` },
        { Origin: `http://${host}.evil.example` },
        { Origin: 'http://localhost:1' },
        { Origin: 'nonsense' },
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
      ];
      for (const headers of FOREIGN) {
        const answer = await sent(headers);
        expect(answer.status, JSON.stringify(headers)).to.equal(403);
        expect(await answer.text()).to.include('veio de outro site');
      }
      const OWN: readonly Record<string, string>[] = [
        {},
        { Origin: api().url },
        { 'Sec-Fetch-Site': 'same-origin' },
      ];
      for (const headers of OWN)
        expect((await sent(headers)).status, JSON.stringify(headers)).to.equal(422);
      expect(
        (await fetch(page)).headers.get('Referrer-Policy'),
        'or browsers send Origin: null',
      ).to.equal('same-origin');
    });

    it('show the amounts, and load no other resource', async () => {
      const answer = await fetch(page);
      const text = await answer.text();
      expect(answer.headers.get('Content-Type')).to.match(/^text\/html/);
      expect(text).to.include('R$ 299,00').and.include('R$ 22,07').and.include('R$ 321,07');
      expect(answer.headers.get('Content-Security-Policy')).to.match(
        /default-src 'none'.*form-action 'self'/,
      );
      expect(text).not.to.match(/ src=|https?:\/\/(?!www\.w3\.org)/);
    });

    it('accept one payment, by each method', async () => {
      const METHODS: readonly [Record<string, string>, string][] = [
        [{ method: 'pix' }, 'pix'],
        [{ method: 'boleto' }, 'boleto'],
        [
          {
            method: 'card',
            number: '4111 1111 1111 1111',
            holder: 'Maria',
            expiry: '12/39',
            cvv: '123',
          },
          'credit',
        ],
        [{ method: 'card' }, 'credit'],
      ];
      for (const [fields, method] of METHODS) {
        const { body } = await api().post(
          '/seguros/seguro-celular/create',
          phoneOrder(),
          await api().bearer(),
        );
        const address = `${api().url}${new URL(body.link).pathname}`;
        const paid = await post({ action: 'pay', ...fields }, address);
        const next = new URL(paid.headers.get('Location') ?? '', address).href;
        expect([paid.status, next]).to.deep.equal([303, address]);
        const [charge, ...others] = await api().memory.sandbox.chargesOf(body.data.transaction_id);
        expect(charge).to.include({ status: 'paid', method });
        expect(others).to.deep.equal([]);
        expect(await (await fetch(address)).text())
          .to.include('Pagamento confirmado')
          .and.not.include('<form');
        expect((await post({ action: 'refuse' }, address)).status).to.equal(303);
        expect((await api().memory.sandbox.chargesOf(body.data.transaction_id))[0]).to.include({
          status: 'paid',
        });
      }
    });

    it('show the faults of a card, and let the payer try again', async () => {
      const wrong = await post({
        action: 'pay',
        method: 'card',
        number: '4111111111111112',
        holder: '',
        expiry: '13/39',
        cvv: 'x',
      });
      expect(wrong.status).to.equal(422);
      expect(wrong.headers.get('X-Error-Code')).to.equal('validation_failed');
      const text = await wrong.text();
      expect(text.match(/aria-invalid="true" aria-describedby/g)).to.have.length(4);
      expect(text).not.to.include('4111111111111112');
      expect(text.match(/<input id="number"[^>]* autofocus>/g)).to.have.length(1);
      expect(text.match(/ autofocus/g), 'only the first faulty field has the focus').to.have.length(
        1,
      );
      const nothing = {
        action: 'pay',
        method: 'card',
        number: '',
        holder: '',
        expiry: '',
        cvv: '',
      };
      const faults = await (await post(nothing)).text();
      for (const each of [
        'o número do',
        'o nome como está no',
        'mês e ano',
        'o código de segurança do',
      ])
        expect(faults).to.include(`Digite ${each}`);
      const card = { action: 'pay', method: 'card', holder: 'Maria', expiry: '12/39', cvv: '123' };
      expect(
        await (await post({ ...card, expiry: '10/26', number: '4111111111111111' })).text(),
      ).to.include('O cartão está vencido.');
      for (const [number, words, code] of [
        ['4000000000000002', 'recusado', 'card_declined'],
        ['4000000000009995', 'saldo', 'insufficient_funds'],
        ['4000000000000069', 'vencido', 'expired_card'],
        ['4000000000000119', 'não pôde ser processado', 'gateway_unavailable'],
      ] as const) {
        const declined = await post({ ...card, number });
        expect(declined.status).to.equal(422);
        expect(declined.headers.get('X-Error-Code')).to.equal(code);
        expect(await declined.text()).to.match(new RegExp(words));
      }
      expect((await ledger()).charges[0]?.status).to.equal('open');
      expect((await post({ ...card, number: '4111111111111111' })).status).to.equal(303);
    });

    it('answer invalid requests with a page, never with a 500', async () => {
      expect((await post({})).status).to.equal(422);
      expect((await post({ action: 'pay' })).status).to.equal(422);
      expect((await post({ action: 'pay', method: 'constructor' })).status).to.equal(422);
      expect((await post({ action: 'pay', method: 'card', number: '' })).status).to.equal(422);
      expect(
        (await post('action=pay&method=card&number=4111111111111111&number=4000000000000002'))
          .status,
      ).to.equal(422);
      expect((await post({ action: 'x'.repeat(20_000) })).status).to.equal(422);
      expect(
        (
          await fetch(page, {
            method: 'POST',
            body: '{',
            headers: { 'Content-Type': 'application/json' },
          })
        ).status,
      ).to.equal(422);
      expect(
        (
          await fetch(page, {
            method: 'POST',
            body: 'a=b',
            headers: {
              'Content-Type': 'application/x-www-form-urlencoded',
              'Content-Encoding': 'foo',
            },
          })
        ).status,
      ).to.equal(422);
      for (const path of ['nobody', '1-x-1', 'a%00', '..%2f..%2f', 'x'.repeat(200)])
        expect((await fetch(`${api().url}/sandbox/pay/${path}`)).status, path).to.equal(404);
      for (const query of [
        '',
        '?transaction_id=x',
        '?transaction_id=999999',
        '?transaction_id=1&transaction_id=2',
      ]) {
        expect(await (await charges(query, await api().bearer())).json()).to.deep.equal({
          charges: [],
        });
      }
      expect((await ledger()).charges[0]?.status).to.equal('open');
    });

    it('let the payer pay another amount, and show what came', async () => {
      const faulty = await post({ action: 'pay', method: 'pix', amount: '8o,00' });
      expect([faulty.status, await faulty.text()].join())
        .to.include('422')
        .and.include('80,00');
      expect((await post({ action: 'pay', method: 'pix', amount: '80,00' })).status).to.equal(303);
      expect(await (await fetch(page)).text()).to.match(/Total pago<\/dt><dd>R\$\s80,00/);
      expect((await ledger()).charges[0]).to.include({ status: 'paid', received: 80 });
    });

    it('ask the payer of a boleto for the account that receives a refund', async () => {
      await post({ action: 'pay', method: 'boleto' });
      const { id } = (await ledger()).charges[0] as unknown as { id: string };
      const refundPage = page.replace('/pay/', '/refund/');
      expect(await (await fetch(refundPage)).text()).to.include('Não há devolução a receber');
      const reference = id.slice(0, id.lastIndexOf('-'));
      await api().memory.sandbox.refund({ reference, chargeId: id, upTo: cents(1_000) });
      expect(await (await fetch(refundPage)).text()).to.match(/R\$\s10,00/);
      expect((await post({ action: 'name', account: '' }, refundPage)).status).to.equal(422);
      const foreign = { Origin: 'https://evil.example' };
      const body = new URLSearchParams({ action: 'name', account: 'x' });
      const forged = await fetch(refundPage, { method: 'POST', body, headers: foreign });
      expect(forged.status).to.equal(403);
      expect((await ledger()).charges[0]).to.include({ returned: 0 });
      expect((await post({ action: 'name', account: 'a@b' }, refundPage)).status).to.equal(303);
      expect((await ledger()).charges[0]).to.include({ returned: 10 });
      expect(await (await fetch(refundPage)).text()).to.include('Já foram devolvidos');
      expect((await fetch(refundPage.replace(id, 'nothing'))).status).to.equal(404);
    });

    it('let the payer refuse, and close when the time is over', async () => {
      expect((await post({ action: 'refuse' })).status).to.equal(303);
      expect(await (await fetch(page)).text()).to.include('Você desistiu');
      const { body } = await api().post(
        '/seguros/seguro-celular/create',
        phoneOrder(),
        await api().bearer(),
      );
      const other = `${api().url}${new URL(body.link).pathname}`;
      api().memory.clock.advance(7 * 86_400);
      expect(await (await fetch(other)).text()).to.include('já não recebe pagamentos');
      expect((await post({ action: 'pay', method: 'pix' }, other)).status).to.equal(303);
      expect((await api().memory.sandbox.chargesOf(body.data.transaction_id))[0]?.status).to.equal(
        'closed',
      );
    });
  });
});

describe('the pages of the sandbox, above the rate limit of a network', () => {
  withApi(
    (api) => {
      it('accept no payment that they answer with 429', async () => {
        const { body } = await api().post(
          '/seguros/seguro-celular/create',
          phoneOrder(),
          await api().bearer(),
        );
        for (let count = 0; count < 25; count += 1) await fetch(`${api().url}/nowhere`);
        const paid = await fetch(`${api().url}${new URL(body.link).pathname}`, {
          method: 'POST',
          body: new URLSearchParams({ action: 'pay', method: 'pix' }),
        });
        expect(paid.status).to.equal(429);
        expect(
          (await api().memory.sandbox.chargesOf(body.data.transaction_id))[0]?.status,
        ).to.equal('open');
      });
    },
    { rateLimit: 20 },
  );
});
