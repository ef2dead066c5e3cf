import { expect } from 'chai';
import { cents, type Plan, type Product, rate, type Tariff } from '#domain';
import { DEMO_CHANNEL, DEMO_PRODUCTS } from '../../../../bootstrap/processes/demo-catalogue.ts';
import { type Answer, Api, CREATE, mainBody, quickStartBody } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { ADMINISTRATOR } from '../../../support/identity.ts';
import { artistOrder, phoneOrder } from '../../../support/orders.ts';

const QUOTES = '/private/integration/quotes';
const PHONE = '/seguros/seguro-celular/create';
const ARTIST = '/seguros/artista-protegido/create';
const DAY_SECONDS = 86_400;

const [TICKET, ARTIST_PRODUCT, PHONE_PRODUCT, TRIP] = DEMO_PRODUCTS as unknown as readonly [
  Product,
  Product,
  Product,
  Product,
];

interface Quoted {
  readonly plan: { readonly code: string };
  readonly amounts: Readonly<Record<string, number>>;
}

describe('quotes', () => {
  let api: Api;
  let partner: { Authorization: string };
  let count = 0;

  const startAt = async (now?: string) => {
    api = await new Api(now === undefined ? {} : { now }).start();
    partner = await api.bearer();
  };
  beforeEach(() => startAt());
  afterEach(() => api.stop());

  const ask = (body: object, headers = partner): Promise<Answer> => api.post(QUOTES, body, headers);
  const quoteOf = async (body: object) => {
    const { status, body: answer } = await ask(body);
    expect(status, JSON.stringify(answer)).to.equal(200);
    return answer.data;
  };
  const sell = (body: object, path = SALE, headers = partner): Promise<Answer> =>
    api.post(path, body, headers);
  const tripOrder = (over: object): object =>
    saleOrder({ externalSaleId: `order-${++count}`, ...over });
  const soldAmounts = async (body: object) => {
    const { status, body: answer } = await sell(body);
    expect(status, JSON.stringify(answer)).to.equal(201);
    return answer.data.amounts;
  };
  const putProduct = (product: Product) =>
    api.memory.useCases.manageCatalogue.putProduct(product, ADMINISTRATOR);
  /** A product with the same price in all its plans. */
  const pricedAt = (product: Product, tariff: Tariff): Product => {
    const [first, ...others] = product.plans.map((plan) => ({ ...plan, tariff }));
    return { ...product, plans: [first as Plan, ...others] };
  };
  const advance = async (seconds: number) => {
    api.memory.clock.advance(seconds);
    partner = await api.bearer();
  };

  describe('show what a plan costs before there is a customer', () => {
    it('with premium, tax, commission, period, installments and an explanation', async () => {
      const { quote_id, valid_until, offers, not_offered } = await quoteOf({
        product: { code: 'CELULAR' },
        plan: { code: 'ANUAL' },
        coverages: [{ code: 'QUEBRA_TELA' }],
      });
      expect(quote_id).to.match(/^[\w.-]{1,500}$/);
      expect(valid_until).to.equal('2026-11-21T15:00:00.000Z');
      expect(not_offered).to.deep.equal([]);
      const [{ installments, disclosure, disclosure_hash, ...offer }, ...others] = offers;
      expect(disclosure.texts.join('\n')).to.include('Seguro Celular');
      expect(disclosure_hash).to.match(/^[0-9a-f]{64}$/);
      expect(others).to.deep.equal([]);
      expect(offer).to.deep.equal({
        plan: { id: 32, code: 'ANUAL', name: 'Anual' },
        amounts: {
          ...{ net_premium: 304, iof_rate: 7.38, iof: 22.44, total: 326.44 },
          ...{ commission_rate: 20, commission: 60.8, net_amount: 265.64 },
        },
        coverages: [{ id: 301, code: 'QUEBRA_TELA', name: 'Quebra de tela', amount: 5 }],
        vigencia: { inicio: '2026-11-20', fim: '2027-11-19' },
        explanation: [
          { text: 'Plano Anual: preço fixo', amount: 299 },
          { text: 'Cobertura Quebra de tela: preço fixo', amount: 5 },
          {
            text: 'IOF de 7,38% sobre R$ 304,00 (Decreto 6.306/2007, art. 22, § 1º, IV (redação do Decreto 6.339/2008))',
            amount: 22.44,
          },
          { text: 'Total a pagar', amount: 326.44 },
        ],
      });
      expect(installments).to.have.length(12);
      expect(installments[0]).to.deep.equal({ count: 1, first: 326.44, other: 326.44 });
      expect(installments[2]).to.deep.equal({ count: 3, first: 108.82, other: 108.81 });
    });

    it('for each plan, also without the dates that the period needs', async () => {
      const { offers } = await quoteOf({ product: { id: 4 } });
      expect(
        offers.map(({ plan, amounts }: Quoted) => [plan.code, amounts['total']]),
      ).to.deep.equal([
        ['NACIONAL', 90.24],
        ['INTERNACIONAL', 250.85],
      ]);
      for (const { vigencia } of offers) expect(vigencia).to.equal(null);
      const coverage = { startDate: '2026-12-01', endDate: '2026-12-10' };
      const [dated] = (await quoteOf({ product: { id: 4 }, coverage })).offers;
      expect(dated.vigencia).to.deep.equal({ inicio: '2026-12-01', fim: '2026-12-10' });
    });

    it('by a share of the value, with the minimum said where it decides', async () => {
      const explained = async (insuredAmount: number) =>
        (await quoteOf({ product: { code: 'INGRESSO' }, amounts: { insuredAmount } })).offers[0]
          .explanation[0];
      expect(await explained(1_886)).to.deep.equal({
        text: 'Plano Padrão: 10% de R$ 1.886,00',
        amount: 188.6,
      });
      expect(await explained(20)).to.deep.equal({
        text: 'Plano Padrão: 10% de R$ 20,00, no mínimo R$ 5,00',
        amount: 5,
      });
    });

    it('where the channel sets the price, from the net premium or the total', async () => {
      const product = { code: 'ARTISTA' };
      const { offers } = await quoteOf({ product, amounts: { netPremium: 100 } });
      expect(offers[0].amounts).to.include({ net_premium: 100, iof: 7.38, total: 107.38 });
      await putProduct({ ...ARTIST_PRODUCT, pricingBasis: 'gross' });
      const [gross] = (await quoteOf({ product, amounts: { total: 107.38 } })).offers;
      expect(gross.amounts).to.include({ net_premium: 100, iof: 7.38, total: 107.38 });
      expect(
        gross.explanation.map(({ text }: { text: string }) => text.slice(0, 38)),
      ).to.deep.equal([
        'Plano Padrão: valor informado, com IOF',
        'Incluído: IOF de 7,38% sobre R$ 100,00',
        'Total a pagar',
      ]);
    });

    it('with the reasons why another plan cannot be sold', async () => {
      const [first, second] = TRIP.plans as readonly [Plan, Plan];
      const tariff = { kind: 'rate', rate: rate(10_000), minimum: cents(1) } as const;
      await putProduct({ ...TRIP, plans: [first, { ...second, tariff }] });
      const { offers, not_offered } = await quoteOf({ product: { code: 'LUA_DE_MEL' } });
      expect(offers.map(({ plan }: Quoted) => plan.code)).to.deep.equal(['NACIONAL']);
      expect(not_offered).to.deep.equal([
        {
          plan: { id: 42, code: 'INTERNACIONAL', name: 'Internacional' },
          reasons: [
            {
              field: 'amounts.insuredAmount',
              code: 'required',
              message: 'O valor segurado deve ser informado.',
            },
          ],
        },
      ]);
    });

    it('for a payment in January at the tax of January', async () => {
      await startAt('2026-12-10T15:00:00.000Z');
      const taxOn = async (paymentDate: string) =>
        (await quoteOf({ product: { code: 'CELULAR' }, paymentDate })).offers[0].amounts.iof_rate;
      expect(await taxOn('2026-12-31')).to.equal(7.38);
      expect(await taxOn('2027-01-01')).to.equal(0);
    });

    it('and store nothing', async () => {
      await quoteOf({ product: { code: 'CELULAR' } });
      const list = await api.get('/private/integration/sales', partner);
      expect(list.body.data).to.deep.equal([]);
    });
  });

  describe('refuse with every fault at once', () => {
    it('of the body, of the catalogue and of the attributes', async () => {
      const { status, body, headers } = await ask({
        product: { code: 'INGRESSO' },
        plan: {},
        coverages: [{ code: 'NENHUMA' }],
        coverage: { startDate: '2026-13-01', endDate: '2026-12-01' },
        amounts: { insuredAmount: 1.234 },
        paymentDate: '2026-11-19',
        attributes: { eventDate: 'soon' },
        insured: { name: 'Maria' },
      });
      expect(status).to.equal(422);
      expect(body.code).to.equal('validation_failed');
      expect(Object.keys(body.errors)).to.have.members([
        ...['plan.id', 'coverages.0.code', 'coverage.startDate', 'amounts.insuredAmount'],
        ...['paymentDate', 'insured'],
      ]);
      expect(headers.get('X-Error-Fields')).to.include('insured=unknown');
      const dates = await ask({ product: { code: 'INGRESSO' }, attributes: { eventDate: 'soon' } });
      expect(Object.keys(dates.body.errors)).to.have.members([
        'attributes.eventDate',
        'amounts.insuredAmount',
      ]);
      const far = await ask({ product: { code: 'CELULAR' }, paymentDate: '2027-01-20' });
      expect(far.body.error_codes).to.deep.equal({ paymentDate: ['out_of_range'] });
      const coverage = { startDate: '2026-12-01', endDate: '2026-12-10' };
      const ticket = { product: { id: 1 }, attributes: { eventDate: '2026-12-20' } };
      const other = await ask({ ...ticket, amounts: { insuredAmount: 100 }, coverage });
      expect(other.body.error_codes).to.deep.equal({ coverage: ['period_differs'] });
    });

    it('and a product that the channel may not sell with 403', async () => {
      await api.memory.useCases.manageCatalogue.putChannel(
        { ...DEMO_CHANNEL, grants: [] },
        ADMINISTRATOR,
      );
      const { status, body } = await ask({ product: { code: 'CELULAR' } });
      expect([status, body.code]).to.deep.equal([403, 'product_not_granted']);
      const admin = await ask({ product: { code: 'CELULAR' } }, await api.bearer(null, ['sales']));
      expect([admin.status, admin.body.code]).to.deep.equal([403, 'channel_mismatch']);
    });
  });

  describe('hold their price', () => {
    const plan = { code: 'INTERNACIONAL' };

    it('when tariff, coverages and commission of the catalogue change', async () => {
      const { quote_id: quoteId, offers } = await quoteOf({
        product: { code: 'LUA_DE_MEL' },
        plan,
      });
      await putProduct(pricedAt(TRIP, { kind: 'fixed', amount: cents(1) }));
      const grants = DEMO_CHANNEL.grants.map((each) => ({ ...each, commissions: [] }));
      await api.memory.useCases.manageCatalogue.putChannel(
        { ...DEMO_CHANNEL, grants },
        ADMINISTRATOR,
      );
      expect(await soldAmounts(tripOrder({ quoteId }))).to.deep.equal(offers[0].amounts);
      expect((await soldAmounts(tripOrder({ plan }))).net_premium).to.equal(0.01);
    });

    it('when the plan is no longer sold', async () => {
      const { quote_id: quoteId, offers } = await quoteOf({
        product: { code: 'LUA_DE_MEL' },
        plan,
      });
      await putProduct({ ...TRIP, plans: [TRIP.plans[0]] });
      expect(await soldAmounts(tripOrder({ quoteId, plan }))).to.deep.equal(offers[0].amounts);
      expect((await sell(tripOrder({ plan }))).status).to.equal(422);
    });

    it('and are shown again by validating the sale, and by repeating it after the quote', async () => {
      const { quote_id: quoteId, offers } = await quoteOf({
        product: { code: 'LUA_DE_MEL' },
        plan,
      });
      const body = tripOrder({ quoteId, plan });
      const valid = await sell(body, `${SALE}/validate`);
      expect(valid.body.data.amounts).to.deep.equal(offers[0].amounts);
      const sold = await sell(body);
      await advance(2 * DAY_SECONDS);
      const again = await sell(body);
      expect([again.status, again.body]).to.deep.equal([200, sold.body]);
      expect((await sell(body, `${SALE}/validate`)).status).to.equal(200);
    });

    it('for 24 hours', async () => {
      const { quote_id: quoteId } = await quoteOf({ product: { code: 'LUA_DE_MEL' }, plan });
      await advance(DAY_SECONDS);
      expect((await sell(tripOrder({ quoteId }))).status).to.equal(201);
      await advance(1);
      const late = await sell(tripOrder({ quoteId, insured: { name: 'x' } }));
      expect([late.status, late.body.code]).to.deep.equal([422, 'quote_expired']);
      expect(late.body.error_codes).to.deep.include({ quoteId: ['in_the_past'] });
      expect(late.body.errors).to.have.property('insured.email');
      const only = await sell(tripOrder({ quoteId }));
      expect([only.status, only.body.code]).to.deep.equal([422, 'quote_expired']);
    });

    it('but not past the last day of their tax rate, which ends with 2026', async () => {
      await startAt('2026-12-31T15:00:00.000Z');
      const { quote_id: quoteId, valid_until } = await quoteOf({
        product: { code: 'LUA_DE_MEL' },
        plan,
      });
      expect(valid_until).to.equal('2027-01-01T02:59:59.000Z');
      const order = () =>
        tripOrder({ quoteId, payment: { status: 'paid', method: 'pix', paidAt: '2026-12-31' } });
      await advance(12 * 3_600 - 1);
      expect((await sell(order())).status).to.equal(201);
      await advance(1);
      expect((await sell(order())).body.code).to.equal('quote_expired');
    });

    it('but not against a decree that replaces their tax rate at once', async () => {
      const { quote_id: quoteId } = await quoteOf({ product: { code: 'CELULAR' } });
      const row = {
        iofClass: 'general',
        from: '2026-11-20',
        rate: 3,
        legalBasis: 'Decreto de hoje',
      };
      const put = await api.put('/admin/iof-rates', { rates: [row] }, await api.bearer(null));
      expect(put.status, JSON.stringify(put.body)).to.equal(200);
      const { status, headers, body } = await sell(
        phoneOrder({ quoteId, plan: { id: 31 } }),
        PHONE,
      );
      expect([status, headers.get('X-Error-Code')]).to.deep.equal([422, 'quote_expired']);
      expect(Object.keys(body.errors)).to.deep.equal(['quoteId']);
    });
  });

  describe('give their price in every endpoint that sells', () => {
    it('Seguro Celular: the plan and coverages that the sale leaves out are as quoted', async () => {
      const { quote_id: quoteId, offers } = await quoteOf({
        product: { id: 3 },
        plan: { code: 'ANUAL' },
        coverages: [{ id: 301 }],
      });
      await putProduct({ ...PHONE_PRODUCT, coverages: [] });
      const { status, body } = await sell(phoneOrder({ quoteId }), PHONE);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.data.amounts.total).to.equal(offers[0].amounts.total);
      const { terms } = (await api.memory.sales.load(body.data.transaction_id)) ?? {};
      expect(terms?.plan.code).to.equal('ANUAL');
      expect(terms?.coverages).to.deep.equal([{ id: 301, code: 'QUEBRA_TELA' }]);
    });

    it('Ingresso Protegido, by both bodies', async () => {
      const ticket = { code: 'INGRESSO' };
      const main = await quoteOf({ product: ticket, amounts: { insuredAmount: 1_886 } });
      const quick = await quoteOf({ product: ticket, amounts: { insuredAmount: 1_244.56 } });
      await putProduct(pricedAt(TICKET, { kind: 'fixed', amount: cents(1) }));
      const first = await sell(mainBody({ quoteId: main.quote_id }), CREATE);
      expect(first.body.data.calculo_iof.valor_total).to.equal(main.offers[0].amounts.total);
      const second = await sell(quickStartBody({ quoteId: quick.quote_id }), CREATE);
      expect(second.body.data.calculo_iof.valor_total).to.equal(quick.offers[0].amounts.total);

      const other = mainBody({ quoteId: main.quote_id, valorIngresso: 1, valorSeguro: 2 });
      const refused = await sell(other, CREATE);
      expect(refused.headers.get('X-Error-Code')).to.equal('quote_mismatch');
      expect(Object.keys(refused.body)).to.have.members(['valorIngresso', 'valorSeguro']);
    });

    it('Artista Protegido', async () => {
      const { quote_id: quoteId, offers } = await quoteOf({
        product: { code: 'ARTISTA' },
        amounts: { netPremium: 100 },
      });
      const sold = await sell(artistOrder({ quoteId }), ARTIST);
      expect(sold.status, JSON.stringify(sold.body)).to.equal(200);
      expect(sold.body.response.data.insurance_data.premium_total).to.equal(
        offers[0].amounts.total,
      );
      const refused = await sell(
        artistOrder({ quoteId, premiumNet: 50, premiumTaxes: 3.69 }),
        ARTIST,
      );
      expect([refused.status, refused.body.code]).to.deep.equal([400, 'quote_mismatch']);
      expect(Object.keys(refused.body.errors)).to.have.members(['premiumNet', 'premiumTaxes']);
    });
  });

  describe('refuse a sale that is not theirs', () => {
    it('with every part that differs', async () => {
      const { quote_id: quoteId } = await quoteOf({
        product: { code: 'LUA_DE_MEL' },
        coverage: { startDate: '2199-12-01', endDate: '2199-12-05' },
      });
      const { status, body } = await sell(
        tripOrder({ quoteId, amounts: { netPremium: 1, total: 2 }, plan: { id: 41 } }),
      );
      expect([status, body.code]).to.deep.equal([422, 'quote_mismatch']);
      expect(body.error_codes).to.deep.equal({
        'coverage.endDate': ['contradicts'],
        'amounts.netPremium': ['contradicts'],
        'amounts.total': ['contradicts'],
      });
      const planless = await sell(tripOrder({ quoteId }));
      expect(planless.body.errors).to.have.property('plan.id');
      const other = await sell(
        tripOrder({ quoteId, product: { code: 'CELULAR' }, coverage: undefined }),
      );
      expect(other.body.errors).to.have.property('product.id');
    });

    it('paid on a day of another tax rate', async () => {
      await startAt('2027-01-02T15:00:00.000Z');
      const { quote_id: quoteId } = await quoteOf({ product: { code: 'LUA_DE_MEL' } });
      const payment = { status: 'paid', method: 'pix', paidAt: '2026-12-31' };
      const { body } = await sell(tripOrder({ quoteId, plan: { id: 41 }, payment }));
      expect(body.error_codes).to.deep.equal({ 'payment.paidAt': ['contradicts'] });
    });

    it('by another channel, as if the quote did not exist; nor a forged one', async () => {
      const { quote_id: quoteId } = await quoteOf({ product: { code: 'CELULAR' } });
      await api.channel('other');
      const foreign = await sell(tripOrder({ quoteId }), SALE, await api.bearer('other'));
      const forged = await sell(tripOrder({ quoteId: `${quoteId.slice(0, -1)}_` }));
      const garbage = await sell(tripOrder({ quoteId: 'x' }));
      for (const { status, body } of [foreign, forged, garbage]) {
        expect([status, body.code]).to.deep.equal([422, 'validation_failed']);
        expect(body.errors).to.deep.equal({
          quoteId: ['Cotação não encontrada entre as deste canal.'],
        });
      }
    });

    it('after the product was taken from the channel', async () => {
      const { quote_id: quoteId } = await quoteOf({ product: { code: 'LUA_DE_MEL' } });
      await api.memory.useCases.manageCatalogue.putChannel(
        { ...DEMO_CHANNEL, grants: [] },
        ADMINISTRATOR,
      );
      const { status, body } = await sell(tripOrder({ quoteId }));
      expect([status, body.code]).to.deep.equal([403, 'product_not_granted']);
    });
  });
});
