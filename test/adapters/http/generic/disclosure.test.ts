import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { Api } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';

const TRIP = '/private/integration/products/LUA_DE_MEL';
const QUOTES = '/private/integration/quotes';
const DECLINED = '/private/integration/offers/declined';
const CHANNEL = '/admin/channels/canal-demo';
const WANTED = { product: { code: 'LUA_DE_MEL' }, coverage: saleOrder()['coverage'] };

describe('what a customer is told before the sale (Resolução CNSP 382/2020, art. 4º)', () => {
  let api: Api;
  let partner: { Authorization: string };
  let admin: { Authorization: string };
  beforeEach(async () => {
    api = await new Api().start();
    [partner, admin] = [await api.bearer(), await api.bearer(null)];
  });
  afterEach(() => api.stop());

  const productShown = async () => (await api.get(TRIP, partner)).body.data;
  const offersShown = async () => (await api.post(QUOTES, WANTED, partner)).body.data.offers;
  const putChannel = async (over: object) => {
    const {
      version: _,
      effectiveFrom: __,
      ...present
    } = (await api.get(CHANNEL, admin)).body.response.data;
    return api.put(CHANNEL, { ...present, ...over }, admin);
  };
  const hashOf = (texts: readonly string[]) =>
    createHash('sha256').update(texts.join('\n')).digest('hex');

  it('is with each product and each offer, as fields, as sentences, and with its hash', async () => {
    const { disclosure, disclosure_hash } = await productShown();
    expect(disclosure).to.deep.equal({
      channel: {
        name: 'Canal de demonstração',
        cnpj: '11444777000161',
        role: 'representante',
      },
      remuneration: { kinds: ['representative'], min_rate: 20, max_rate: 20, amount: null },
      insurer: { name: 'Seguradora Demonstração S.A.', cnpj: '11222333000181' },
      exclusive: false,
      optional: true,
      withdrawalDays: 7,
      texts: [
        'Canal de demonstração (CNPJ 11.444.777/0001-61) oferece este seguro como representante da seguradora: Seguro Lua de Mel.',
        'A seguradora é Seguradora Demonstração S.A. (CNPJ 11.222.333/0001-81).',
        'Pela venda, Canal de demonstração recebe 20% do prêmio líquido (representação).',
        'Canal de demonstração não tem contrato de exclusividade com esta seguradora.',
        'O seguro é opcional: nenhuma compra depende dele.',
        'Quem contrata pode desistir em 7 dias e recebe de volta tudo o que pagou.',
      ],
    });
    expect(disclosure_hash).to.equal(hashOf(disclosure.texts));
    const [offer] = await offersShown();
    const [first, insurer, , ...others] = disclosure.texts;
    const paid =
      'Pela venda, Canal de demonstração recebe R$ 17,98, 20% do prêmio líquido (representação).';
    const texts = [first, insurer, paid, ...others];
    const remuneration = { ...disclosure.remuneration, amount: 17.98 };
    expect(offer.disclosure).to.deep.equal({ ...disclosure, remuneration, texts });
    expect(offer.disclosure_hash).to.equal(hashOf(texts));
  });

  it('names the remuneration of the plan in an offer, and that of all plans in a product', async () => {
    const { products } = (await api.get(CHANNEL, admin)).body.response.data;
    const [first] = (await productShown()).plans;
    const ofPlan = { code: first.code, commissions: [{ kind: 'brokerage', rate: 30 }] };
    const answer = await putChannel({
      role: 'corretor',
      exclusive: true,
      products: products.map(({ code }: { code: string }) => ({
        code,
        commissionRate: 10,
        ...(code === 'LUA_DE_MEL' && { plans: [ofPlan] }),
      })),
    });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    const ofProduct = (await productShown()).disclosure;
    expect(ofProduct.channel.role).to.equal('corretor');
    expect(ofProduct).to.deep.include({
      exclusive: true,
      remuneration: { kinds: ['brokerage'], min_rate: 10, max_rate: 30, amount: null },
    });
    expect(ofProduct.texts[2]).to.equal(
      'Pela venda, Canal de demonstração recebe de 10% a 30%, conforme o plano, do prêmio líquido (corretagem).',
    );
    const [offer] = await offersShown();
    expect(offer.plan.code).to.equal(first.code);
    expect(offer.disclosure.remuneration).to.include({ min_rate: 30, max_rate: 30 });
  });

  it('is named by the acceptance of a sale, and proved by its evidence', async () => {
    const acceptance = {
      ...{ acceptedAt: '2026-11-20T14:00:00.000Z', termsVersion: '1', termsHash: 'a'.repeat(64) },
    };
    const evidenceOf = async (externalSaleId: string, disclosureHash?: string) => {
      const over = { ...acceptance, ...(disclosureHash && { disclosureHash }) };
      const sold = await api.post(SALE, saleOrder({ externalSaleId, acceptance: over }), partner);
      expect(sold.status, JSON.stringify(sold.body)).to.equal(201);
      const { body } = await api.get(`${SALE}/${externalSaleId}/evidence`, partner);
      return decodeJwt(body.data.evidence);
    };
    const product = await productShown();
    const known = await evidenceOf('known', product.disclosure_hash.toUpperCase());
    expect(known['acceptance']).to.include({ disclosureHash: product.disclosure_hash });
    expect(known['disclosure']).to.deep.equal(product.disclosure);
    const [offer] = await offersShown();
    const ofOffer = await evidenceOf('offer', offer.disclosure_hash);
    expect(ofOffer['disclosure']).to.deep.equal(offer.disclosure);
    const other = await evidenceOf('other', 'c'.repeat(64));
    expect(other['acceptance']).to.include({ disclosureHash: 'c'.repeat(64) });
    expect(other['disclosure']).to.equal(null);
    expect((await evidenceOf('none'))['disclosure']).to.equal(null);
    const faulty = saleOrder({
      externalSaleId: 'x',
      acceptance: { ...acceptance, disclosureHash: 'x' },
    });
    const refused = await api.post(SALE, faulty, partner);
    expect([refused.status, Object.keys(refused.body.errors)]).to.deep.equal([
      422,
      ['acceptance.disclosureHash'],
    ]);
  });

  it('counts declined offers by day and product, and shows them in the statement', async () => {
    const decline = (body: object, headers = partner) => api.post(DECLINED, body, headers);
    const product = { code: 'LUA_DE_MEL' };
    expect((await decline({ product })).body).to.deep.equal({
      success: true,
      data: { date: '2026-11-20', product: 'LUA_DE_MEL', count: 1 },
    });
    expect((await decline({ product, count: 41 })).body.data.count).to.equal(42);
    await api.channel('canal-alheio');
    api.memory.clock.advance(86_400);
    partner = await api.bearer();
    expect((await decline({ product: { id: 3 } })).body.data).to.deep.equal({
      ...{ date: '2026-11-21', product: 'CELULAR', count: 1 },
    });
    admin = await api.bearer(null);
    const statement = '/admin/channels/canal-demo/statement?month=2026-11';
    const { totals } = (await api.get(statement, admin)).body.response.data;
    expect(totals.declined_offers).to.deep.equal([
      { date: '2026-11-20', product: 'LUA_DE_MEL', count: 42 },
      { date: '2026-11-21', product: 'CELULAR', count: 1 },
    ]);
    const foreign = '/admin/channels/canal-alheio/statement?month=2026-11';
    expect((await api.get(foreign, admin)).body.response.data.totals.declined_offers).to.deep.equal(
      [],
    );
  });

  it('counts nothing of a body with faults, and names all of them', async () => {
    const both = await api.post(
      DECLINED,
      { product: { code: 'NADA' }, count: 0, cpf: 'x' },
      partner,
    );
    expect(both.status).to.equal(422);
    expect(both.body.errors).to.have.all.keys('product.code', 'count', 'cpf');
    const known = await api.post(
      DECLINED,
      { product: { code: 'LUA_DE_MEL' }, count: 1.5 },
      partner,
    );
    expect([known.status, Object.keys(known.body.errors)]).to.deep.equal([422, ['count']]);
    const none = await api.post(DECLINED, {}, partner);
    expect(none.body.errors).to.have.all.keys('product');
    const statement = '/private/integration/statement?month=2026-11';
    const { totals } = (await api.get(statement, partner)).body.response.data;
    expect(totals.declined_offers).to.deep.equal([]);
    await putChannel({ active: false });
    const stopped = await api.post(DECLINED, { product: { code: 'LUA_DE_MEL' } }, partner);
    expect([stopped.status, stopped.body.code]).to.deep.equal([403, 'channel_inactive']);
  });
});
