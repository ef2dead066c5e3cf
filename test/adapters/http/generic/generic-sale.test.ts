import { expect } from 'chai';
import { type Answer, withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';

describe('the integration sale', () => {
  withApi((api) => {
    let bearer: { Authorization: string };
    before(async () => {
      bearer = await api().bearer();
    });
    let count = 0;
    const sell = (
      over: Record<string, unknown> = {},
      headers: Record<string, string> = bearer,
    ): Promise<Answer> => {
      count += 1;
      return api().post(SALE, saleOrder({ externalSaleId: `order-${count}`, ...over }), headers);
    };

    it('sells Seguro Lua de Mel, paid to the channel, and freezes every figure', async () => {
      const { status, headers, body } = await sell({ externalSaleId: 'viagem 1/é' });
      expect(status).to.equal(201);
      expect(headers.has('Idempotent-Replayed')).to.equal(false);
      const { transaction_id, ticket, registered_at, ...data } = body.data;
      expect([typeof transaction_id, typeof ticket, registered_at]).to.deep.equal([
        'number',
        'string',
        '2026-11-20T15:00:00.000Z',
      ]);
      expect(data).to.deep.equal({
        external_sale_id: 'viagem 1/é',
        seller_code: null,
        status: 'paid',
        product: { id: 4, code: 'LUA_DE_MEL' },
        plan: { id: 41, code: 'NACIONAL' },
        amounts: {
          net_premium: 89.9,
          iof_rate: 0.38,
          iof: 0.34,
          total: 90.24,
          commission_rate: 20,
          commission: 17.98,
          net_amount: 72.26,
        },
        vigencia: { inicio: '2199-12-01', fim: '2199-12-10' },
        payment_url: null,
        policy_no: null,
      });
      expect(body).to.include({ success: true, message: 'Venda registrada com sucesso.' });
    });

    for (const [name, product, plan, total] of [
      ['codes', { code: 'LUA_DE_MEL' }, { code: 'INTERNACIONAL' }, 250.85],
      ['numbers', { id: 4 }, { id: 42 }, 250.85],
      ['both', { id: 4, code: 'LUA_DE_MEL' }, { id: 42, code: 'INTERNACIONAL' }, 250.85],
      ['the plan’s number alone', { id: 42 }, undefined, 250.85],
      ['the product alone, in its default plan', { id: 4 }, undefined, 90.24],
    ] as const) {
      it(`finds product and plan by ${name}`, async () => {
        const { status, body } = await sell({ product, plan });
        expect([status, body.data?.amounts.total]).to.deep.equal([201, total]);
      });
    }

    it('sells every product of the catalogue', async () => {
      const pending = { status: 'pending', method: 'credito' };
      const coverage = undefined;
      const ticket = await sell({
        product: { id: 1 },
        coverage,
        amounts: { insuredAmount: 1886 },
        attributes: { eventDate: '2026-12-31' },
      });
      expect(ticket.body.data).to.deep.include({
        status: 'paid',
        vigencia: { inicio: '2026-11-20', fim: '2026-12-31' },
      });
      expect(ticket.body.data.amounts).to.include({
        net_premium: 188.6,
        iof: 13.92,
        total: 202.52,
        commission: 37.72,
      });
      const artist = await sell({
        product: { id: 2 },
        payment: pending,
        amounts: { netPremium: 100, iof: 7.38, total: 107.38 },
      });
      expect(artist.body.data).to.deep.include({ status: 'awaiting_payment' });
      const phone = await sell({
        product: { id: 3 },
        coverage,
        payment: pending,
        coverages: [{ code: 'QUEBRA_TELA' }],
      });
      expect(phone.body.data.amounts).to.include({ net_premium: 34.9, total: 37.48 });
      expect(phone.body.data.vigencia).to.deep.equal({ inicio: '2026-11-20', fim: '2026-12-19' });
    });

    it('collects a pending payment on a page, and replays its answer even after the payment', async () => {
      const order = { externalSaleId: 'link-1', payment: { status: 'pending', method: 'pix' } };
      const first = await sell(order);
      expect(first.status).to.equal(201);
      expect(first.body.message).to.equal(
        'Venda registrada; aguardando o pagamento em payment_url.',
      );
      expect(first.body.data).to.include({ status: 'awaiting_payment' });
      const chargeId = first.body.data.payment_url.split('/').at(-1);
      await api().memory.sandbox.payOnPage(chargeId, 'pix', undefined, 'once');
      await api().memory.runJobs();
      const now = await api().get(`${SALE}/link-1`, bearer);
      expect(now.body.data).to.include({ status: 'issued', payment_url: null });
      expect(now.body.data.policy_no).to.be.a('string');
      const again = await sell(order);
      expect([again.status, again.headers.get('Idempotent-Replayed')]).to.deep.equal([200, 'true']);
      expect(again.body).to.deep.equal(first.body);
    });

    it('checks declared amounts to the cent, and uses them as the price without a tariff', async () => {
      expect(
        (await sell({ amounts: { netPremium: 89.9, iof: 0.35, total: 90.25 } })).status,
      ).to.equal(201);
      const { status, body } = await sell({ amounts: { netPremium: 89, iof: 0.4, total: 95 } });
      expect(status).to.equal(422);
      expect(body.errors).to.deep.equal({
        'amounts.netPremium': ['O prêmio líquido difere do calculado. O valor correto é R$ 89,90.'],
        'amounts.iof': [
          'O IOF difere do calculado sobre o prêmio líquido. O valor correto é R$ 0,34.',
        ],
        'amounts.total': ['O valor total difere do calculado. O valor correto é R$ 90,24.'],
      });
      const declared = await sell({ product: { id: 2 }, amounts: { netPremium: 100 } });
      expect(declared.body.data.amounts).to.include({ net_premium: 100, iof: 7.38 });
      const missing = await sell({ product: { id: 2 }, amounts: { total: 107.38 } });
      expect(Object.keys(missing.body.errors)).to.deep.equal(['amounts.netPremium']);
    });

    it('accepts an alphanumeric CNPJ, additional insured, an address, and an instant of payment', async () => {
      const address = {
        street: 'Rua A',
        number: '1',
        district: 'B',
        city: 'São Paulo',
        state: 'SP',
        postcode: '01001000',
      };
      const insured = {
        name: 'Empresa',
        cpfOrCnpj: '12.ABC.345/01DE-35',
        email: 'e@example.com',
        socialName: 'Zô',
        phone: '1198765432',
        birthDate: '1990-05-17',
        address,
      };
      const additionalInsured = [
        { name: 'João', cpfOrCnpj: '111.444.777-35', birthDate: '1990-01-01' },
      ];
      // 23:30 on the 19th in São Paulo.
      const payment = {
        status: 'paid',
        method: 'credito',
        installments: 3,
        paidAt: '2026-11-20T02:30:00Z',
      };
      const { status, body } = await sell({
        insured,
        additionalInsured,
        payment,
        product: { id: 1 },
        saleDate: '2026-11-18',
        amounts: { insuredAmount: 100 },
        coverage: undefined,
        attributes: { eventDate: '2026-12-01', nights: [3, null] },
      });
      expect([status, body.errors]).to.deep.equal([201, undefined]);
      expect(body.data.vigencia).to.deep.equal({ inicio: '2026-11-19', fim: '2026-12-01' });
      const sale = await api().memory.sales.find('canal-demo', body.data.transaction_id);
      expect(sale?.terms).to.deep.include({
        insured: {
          name: 'Empresa',
          socialName: 'Zô',
          taxId: '12ABC34501DE35',
          email: 'e@example.com',
          phone: '1198765432',
          birthDate: '1990-05-17',
          address,
        },
        additionalInsured: [{ name: 'João', taxId: '11144477735', birthDate: '1990-01-01' }],
        payment: {
          collectedBy: 'channel',
          method: 'credit',
          paidOn: '2026-11-19',
          installments: 3,
        },
        insuredObject: { eventDate: '2026-12-01', nights: [3, null] },
        soldOn: '2026-11-18',
      });
    });

    it('defaults to sold today and paid on the day of sale; a pending boleto stays a boleto', async () => {
      const terms = async (over: object) => {
        const { body } = await sell({ ...over });
        return (await api().memory.sales.find('canal-demo', body.data.transaction_id))?.terms;
      };
      const paid = { status: 'paid', method: 'pix' };
      expect(await terms({ payment: paid })).to.deep.include({
        soldOn: '2026-11-20',
        payment: { collectedBy: 'channel', method: 'pix', paidOn: '2026-11-20' },
      });
      expect(await terms({ payment: paid, saleDate: '2026-11-18' })).to.deep.nested.include({
        'payment.paidOn': '2026-11-18',
      });
      expect(await terms({ payment: { status: 'pending', method: 'boleto' } })).to.deep.include({
        payment: { collectedBy: 'service', installments: 1, method: 'boleto' },
      });
    });

    it('takes a ticket’s event from attributes or coverage; other products may name dates freely', async () => {
      const ticket = { product: { id: 1 }, amounts: { insuredAmount: 100 } };
      const period = { startDate: '2026-11-20', endDate: '2026-12-24' };
      expect((await sell({ ...ticket, coverage: period })).body.data.vigencia).to.deep.equal({
        inicio: '2026-11-20',
        fim: '2026-12-24',
      });
      const differs = await sell({ ...ticket, coverage: { ...period, startDate: '2026-12-01' } });
      expect(differs.body.errors['coverage.startDate']).to.deep.equal([
        'A vigência informada não é a deste plano. A correta é de 20/11/2026 a 24/12/2026.',
      ]);
      const past = await sell({
        ...ticket,
        coverage: undefined,
        attributes: { eventDate: '2026-11-10' },
      });
      expect(Object.keys(past.body.errors)).to.deep.equal(['attributes.eventDate']);
      const never = await sell({
        ...ticket,
        coverage: undefined,
        attributes: { eventDate: '2026-02-30' },
      });
      expect(Object.keys(never.body.errors)).to.deep.equal(['attributes.eventDate']);
      expect((await sell({ attributes: { eventDate: '2020-01-01' } })).status).to.equal(201);
      expect(
        (await sell({ coverage: { startDate: '2020-01-01', endDate: '2020-01-05' } })).body.errors,
      ).to.include.keys('coverage.endDate');
    });

    it('refuses dates in years out of range, and lists a limited number of faults', async () => {
      for (const paidAt of [
        '2199-12-31T23:59:00-12:00',
        '1900-01-01T00:00:00+14:00',
        '2026-02-30T10:00:00Z',
      ]) {
        const { status, body } = await sell({ payment: { status: 'paid', method: 'pix', paidAt } });
        expect([status, Object.keys(body.errors)]).to.deep.equal([422, ['payment.paidAt']]);
      }
      const junk = Object.fromEntries(
        Array.from({ length: 150 }, (_, index) => [`junk${index}`, 1]),
      );
      for (const over of [
        { product: 'abc' },
        { coverages: 5 },
        { coverages: [null] },
        { additionalInsured: 'x' },
        { insured: [] },
        { attributes: 5 },
      ]) {
        const { status, body } = await sell({ ...junk, ...over });
        expect([status, Object.keys(body.errors).length]).to.deep.equal([422, 100]);
      }
    });

    it('limits attributes for every product', async () => {
      const fields = (count: number): object =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]));
      const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
      expect(
        (await sell({ attributes: { ...fields(298), text: 'x'.repeat(2_000) } })).status,
      ).to.equal(201);
      expect((await sell({ attributes: { ...nested(4), ['n'.repeat(100)]: 1 } })).status).to.equal(
        201,
      );
      for (const [attributes, field] of [
        [fields(300), 'attributes'],
        [{ list: Array.from({ length: 300 }, () => 1) }, 'attributes'],
        [nested(6), 'attributes'],
        [{ text: 'x'.repeat(2_001) }, 'attributes.text'],
        [{ deep: { text: ' ' } }, 'attributes.deep.text'],
        [{ ['n'.repeat(101)]: 1 }, 'attributes'],
        [{ 'a\tb': 1 }, 'attributes'],
        [JSON.parse('{"__proto__": 1}'), 'attributes'],
        [[], 'attributes'],
      ] as const) {
        const { status, body } = await sell({ attributes });
        expect([status, Object.keys(body.errors ?? {})], field).to.deep.equal([422, [field]]);
      }
    });

    it('is synchronized with the insurer when it is read', async () => {
      const { issuer, sandbox, runJobs } = api().memory;
      const sold = await sell({
        externalSaleId: 'issued-late',
        payment: { status: 'pending', method: 'pix' },
      });
      issuer.mishaps.next('lost');
      await sandbox.payOnPage(
        sold.body.data.payment_url.split('/').at(-1),
        'pix',
        undefined,
        'once',
      );
      await runJobs();
      const { body } = await api().get(`${SALE}/issued-late`, bearer);
      expect(body.data.status).to.equal('issued');
    });

    it('names every fault at once, also of the product’s attributes', async () => {
      const { status, body } = await sell({
        externalSaleId: '..',
        product: {},
        plan: { id: '42' },
        insured: {
          name: '',
          cpfOrCnpj: '52998224726',
          email: 'x',
          birthDate: '2030-01-01',
          nick: 'x',
          address: { ibgeCode: '1' },
        },
        coverage: { startDate: '2199-12-01' },
        amounts: { netPremium: 1.005, iof: -1, vat: 1 },
        payment: {
          status: 'payed',
          method: 'cash',
          paidAt: '2026-11-21T00:00:00',
          installments: 0,
        },
        saleDate: '2026-11-21',
        attributes: { a: '', b: { c: { d: { e: { f: { g: 1 } } } } }, c: 'x\u0000' },
        comment: 'unknown',
      });
      expect(status).to.equal(422);
      expect(body).to.include({ success: false, status_code: '422' });
      expect(Object.keys(body.errors)).to.have.members([
        'externalSaleId',
        'product.id',
        'plan.id',
        'insured.name',
        'insured.cpfOrCnpj',
        'insured.email',
        'insured.birthDate',
        'insured.nick',
        'insured.address.street',
        'insured.address.district',
        'insured.address.city',
        'insured.address.number',
        'insured.address.state',
        'insured.address.postcode',
        'insured.address.ibgeCode',
        'coverage.endDate',
        'amounts.netPremium',
        'amounts.iof',
        'amounts.vat',
        'payment.status',
        'payment.method',
        'payment.paidAt',
        'payment.installments',
        'saleDate',
        'attributes',
        'attributes.a',
        'attributes.c',
        'comment',
      ]);
    });

    it('names faults of attributes beside others', async () => {
      const { body } = await sell({
        product: { id: 3 },
        insured: {},
        attributes: { imei: '1', purchaseDate: 'x' },
        coverage: undefined,
      });
      expect(body.errors).to.deep.include({
        'attributes.imei': ['O campo attributes.imei deve ser um IMEI válido, com 15 dígitos.'],
        'attributes.purchaseDate': [
          'O campo attributes.purchaseDate deve ser uma data válida, de 1900 a 2199, no formato AAAA-MM-DD.',
        ],
        'insured.name': ['O campo insured.name é obrigatório.'],
      });
    });

    for (const [what, over, field] of [
      ['an unknown product', { product: { code: 'NADA' } }, 'product.code'],
      [
        'an id and a code of different products',
        { product: { id: 4, code: 'CELULAR' } },
        'product.code',
      ],
      ['a plan of another product', { plan: { id: 31 } }, 'plan.id'],
      ['an unknown coverage', { coverages: [{ id: 301 }] }, 'coverages.0.id'],
      ['a coverage without id or code', { coverages: [{}] }, 'coverages.0.id'],
      [
        'a payment later today',
        { payment: { status: 'paid', method: 'pix', paidAt: '2026-11-20T15:06:00Z' } },
        'payment.paidAt',
      ],
      [
        'a payment on a future day',
        { payment: { status: 'paid', method: 'pix', paidAt: '2026-11-21' } },
        'payment.paidAt',
      ],
      [
        'a pending payment with a date of payment',
        { payment: { status: 'pending', method: 'pix', paidAt: '2026-11-20' } },
        'payment.paidAt',
      ],
      [
        'installments of a payment page',
        { payment: { status: 'pending', method: 'credito', installments: 2 } },
        'payment.installments',
      ],
      ['no period for a plan that requires one', { coverage: undefined }, 'coverage'],
      [
        'a reversed period',
        { coverage: { startDate: '2199-12-02', endDate: '2199-12-01' } },
        'coverage.endDate',
      ],
      ['a period other than the plan’s', { product: { id: 3 } }, 'coverage.startDate'],
      [
        'no insured amount where the tariff needs one',
        { product: { id: 1 } },
        'amounts.insuredAmount',
      ],
    ] as const) {
      it(`refuses ${what}, at ${field}`, async () => {
        const { status, body } = await sell(over);
        expect(status).to.equal(422);
        expect(Object.keys(body.errors)).to.include(field);
      });
    }

    it('refuses to collect a payment for a period that is over', async () => {
      const { status, body } = await sell({
        coverage: { startDate: '2026-11-01', endDate: '2026-11-19' },
        payment: { status: 'pending', method: 'pix' },
      });
      expect([status, Object.keys(body.errors)]).to.deep.equal([422, ['coverage.endDate']]);
    });

    it('answers 422 with its number if the gateway refuses the charge, also when repeated', async () => {
      api().memory.payments.charge = async (order) => [
        { status: 'declined', reason: 'gateway_refused', amount: order.amount },
      ];
      const order = { externalSaleId: 'no-charge', payment: { status: 'pending', method: 'pix' } };
      const [first, again] = [await sell(order), await sell(order)];
      Reflect.deleteProperty(api().memory.payments, 'charge');
      expect(first.status).to.equal(422);
      expect(first.body.transaction_id).to.be.a('number');
      expect(first.body.errors.payment[0]).to.match(/gateway de pagamento não aceitou/);
      expect([again.status, again.body]).to.deep.equal([422, first.body]);
    });

    it('is limited to the caller’s channel, and to products granted to it', async () => {
      expect((await sell({ channelLink: 'canal-demo' })).status).to.equal(201);
      expect((await sell({ channelLink: 'outro' })).status).to.equal(403);
      const admin = await api().bearer(null, ['admin', 'sales']);
      expect((await sell({}, admin)).status).to.equal(403);
      expect((await sell({}, await api().bearer(null))).status).to.equal(403);
    });

    it('refuses a query, and a body that is not a JSON object', async () => {
      expect((await api().post(`${SALE}?dry=true`, saleOrder(), bearer)).status).to.equal(422);
      expect((await api().post(SALE, '[]', bearer)).status).to.equal(400);
      expect((await api().post(SALE, '{"externalSaleId": 1e400}', bearer)).status).to.equal(422);
      expect(
        (await api().call(SALE, { method: 'POST', body: 'a=1', headers: bearer })).status,
      ).to.equal(415);
    });

    it('refuses a number that PostgreSQL cannot store, deep in the attributes', async () => {
      const text = JSON.stringify(saleOrder({ attributes: { n: 'HERE' } })).replace(
        '"HERE"',
        '1e400',
      );
      const { status, body } = await api().post(SALE, text, bearer);
      expect([status, Object.keys(body.errors)]).to.deep.equal([422, ['attributes.n']]);
    });

    it('logs a guessed secret only as a refusal', async () => {
      const wrong = Buffer.from('nobody:wrong').toString('base64');
      expect((await sell({}, { Authorization: `Basic ${wrong}` })).status).to.equal(401);
      const [entry] = await api().memory.auditLog.list({ limit: 1 });
      expect(entry).to.include({ action: 'token.refused', reason: 'invalid_client' });
    });
  });
});
