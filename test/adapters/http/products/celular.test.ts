import { expect } from 'chai';
import { type Answer, withApi } from '../../../support/api.ts';
import { address, creditCard, phoneOrder } from '../../../support/orders.ts';

const CREATE = '/seguros/seguro-celular/create';
const STATUS = '/seguros/seguro-celular/status';

describe('Seguro Celular', () => {
  withApi((api) => {
    let authorization: { Authorization: string };
    before(async () => {
      authorization = await api().bearer();
    });
    const create = (over: Record<string, unknown> = {}, headers = {}): Promise<Answer> =>
      api().post(CREATE, phoneOrder(over), { ...authorization, ...headers });
    const status = async (ticket: string) =>
      (await api().get(`${STATUS}/${ticket}`, authorization)).body;

    it('sells without a card: a payment link, and a policy once it is paid', async () => {
      const { status: code, body } = await create();
      expect(code).to.equal(200);
      expect(body.link).to.match(/\/sandbox\/pay\//);
      const { transaction_id, ticket } = body.data;
      expect((await status(ticket)).data).to.deep.equal({
        transaction_id,
        ticket,
        status_id: 2,
        status: 'awaiting_payment',
        payment_status: 'awaiting_payment',
        payment_url: body.link,
        document_url: null,
        vigencia: { inicio: '2026-11-20', fim: '2026-12-19' },
        policy_no: null,
        amounts: { net_premium: 29.9, iof: 2.21, total: 32.11 },
        external_sale_id: null,
        seller_code: null,
        idempotency_key: null,
      });
      await api().memory.sandbox.payOnPage(body.link.split('/').at(-1), 'pix', undefined, 'once');
      await api().memory.runJobs();
      expect((await status(ticket)).data).to.deep.include({
        status_id: 4,
        status: 'issued',
        payment_status: 'paid',
        payment_url: null,
      });
    });

    it('shows the payer the names of product, plan and coverages, not their codes', async () => {
      const insurance = [{ id: 301 }, { id: 302 }];
      for (const [over, words] of [
        [{}, 'Seguro Celular · Mensal'],
        [{ insurance }, 'Seguro Celular · Mensal · Quebra de tela · Furto simples'],
        [{ plan: { id: 32 } }, 'Seguro Celular · Anual'],
      ] as const) {
        const { link } = (await create(over)).body;
        const page = await (await fetch(`${api().url}${new URL(link).pathname}`)).text();
        expect(page).to.include(`<dd>${words}</dd>`);
        expect(page).not.to.match(/CELULAR|MENSAL|ANUAL/);
      }
    });

    it('sells with a card: charged at once, no link', async () => {
      const { body } = await create({
        creditCard: creditCard(),
        plan: { id: 32 },
        insurance: [{ id: 301 }, { id: 302 }],
      });
      expect(body).to.deep.include({
        link: null,
        message: 'Venda registrada, paga e apólice emitida.',
      });
      const [charge] = await api().memory.sandbox.chargesOf(body.data.transaction_id);
      // 299.00 + 5.00 + 7.50, and 7.38 % on top.
      expect(charge).to.include({ amount: 33_449, status: 'paid' });
      expect((await status(body.data.ticket)).data.vigencia).to.deep.equal({
        inicio: '2026-11-20',
        fim: '2027-11-19',
      });
    });

    it('answers 422 for a declined card, and keeps the transaction', async () => {
      const { status: code, body } = await create({
        creditCard: creditCard({ number: '4000000000000002' }),
      });
      expect(code).to.equal(422);
      expect(body.error).to.equal('Pagamento não realizado: o cartão foi recusado pelo emissor.');
      expect((await status(body.ticket)).data).to.deep.include({
        status_id: 5,
        payment_status: 'refused',
      });
    });

    it('answers a sale date in the future alone, whatever else is wrong', async () => {
      for (const more of [{}, { email: 'x', plan: { id: 99 } }, { productId: undefined }]) {
        const { status: code, body } = await create({ saleDate: '2026-11-21', ...more });
        expect(code).to.equal(422);
        expect(body).to.deep.equal({ error: 'A data da venda não pode ser futura.' });
      }
      expect((await create({ saleDate: '2026-11-20' })).status).to.equal(200);
    });

    it('answers with all faults at once: the first as text, all by field', async () => {
      const { status: code, body } = await create({
        cpfOrCnpj: '529.982.247-25',
        email: 'x',
        saleDate: '2020-01-01',
        plan: { id: 99 },
        insurance: [{ id: 201 }],
        device: { imei: '490154203237519', value: -1, purchaseDate: '2030-01-01' },
        payment: { modeCode: '1', totalInstallmentNumber: 3 },
        creditCard: creditCard({ number: '1' }),
      });
      expect(code).to.equal(422);
      expect(body.error).to.equal(Object.values<string[]>(body.errors)[0]?.[0]);
      expect(Object.keys(body.errors)).to.include.members([
        'cpfOrCnpj',
        'email',
        'saleDate',
        'plan.id',
        'device.imei',
        'device.value',
        'device.purchaseDate',
        'payment.modeCode',
        'creditCard.number',
      ]);
    });

    const FAULTS: readonly [string, Record<string, unknown>, string][] = [
      [
        'installments without a card',
        { payment: { totalInstallmentNumber: 2 } },
        'payment.totalInstallmentNumber',
      ],
      [
        'a card that has expired',
        { creditCard: creditCard({ expiryMonth: '10', expiryYear: '26' }) },
        'creditCard.expiryYear',
      ],
      ['two different plans', { productId: 32, plan: { id: 31 } }, 'plan.id'],
      ['a birth date in the future', { birthDate: '2026-11-20' }, 'birthDate'],
    ];
    for (const [what, over, field] of FAULTS) {
      it(`${what}: 422 at ${field}`, async () => {
        const { status: code, body } = await create(over);
        expect(code).to.equal(422);
        expect(Object.keys(body.errors)).to.deep.equal([field]);
      });
    }

    it('ignores unknown fields, also inside the device', async () => {
      const { body } = await create({
        device: { brand: 'x', colour: 'of-the-partner' },
        address: { ...address, extra: 'of-the-partner' },
      });
      expect(
        JSON.stringify(await api().memory.sales.load(body.data.transaction_id)),
      ).not.to.include('of-the-partner');
    });

    it('stores only a keyed hash of a card, the same for the same card', () => {
      const fingerprint = api().fingerprint;
      expect(fingerprint('4111'))
        .to.equal(fingerprint('4111'))
        .and.not.to.equal(fingerprint('4112'));
      expect(fingerprint('4111')).not.to.include('4111');
    });

    it('compares a repeated card for a day, without its security code', async () => {
      const key = { 'Idempotency-Key': 'phone-card' };
      const card = (over: object = {}) => create({ creditCard: creditCard(over) }, key);
      const { transaction_id: id } = (await card()).body.data;
      expect((await card({ cvv: '111' })).body.data.transaction_id).to.equal(id);
      const other = { number: '5555555555554444' };
      expect((await card(other)).status).to.equal(409);
      const { sales, clock } = api().memory;
      clock.advance(1);
      expect(await sales.forgetCards(clock.now(), 100)).to.be.above(0);
      expect(await sales.forgetCards(clock.now(), 100)).to.equal(0);
      expect((await card(other)).body.data.transaction_id).to.equal(id);
      expect(
        (await create({ creditCard: creditCard(), insurance: [{ id: 301 }] }, key)).status,
      ).to.equal(409);
    });

    it('answers 409 while the first request is still running', async () => {
      const key = { 'Idempotency-Key': 'phone-slow' };
      const charge = api().memory.payments.charge.bind(api().memory.payments);
      let goOn = (): void => {};
      api().memory.payments.charge = async (order) => {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        return charge(order);
      };
      const first = create({}, key);
      let early = await create({}, key);
      while (early.status !== 409) early = await create({}, key);
      expect(Number(early.headers.get('Retry-After'))).to.be.above(0);
      expect(early.body).to.deep.include({
        status_code: '409',
        transaction_id: early.body.transaction_id,
      });
      goOn();
      expect((await first).status).to.equal(200);
      api().memory.payments.charge = charge;
      expect((await create({}, key)).headers.get('Idempotent-Replayed')).to.equal('true');
    });
  });
});
