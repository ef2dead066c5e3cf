import { expect } from 'chai';
import { Api } from '../../../support/api.ts';
import {
  artistOrder,
  byCard,
  creditCard,
  address as home,
  phoneOrder,
} from '../../../support/orders.ts';
import { asaasOn } from '../../../support/providers.ts';

const FOREIGN = '+351 912 345 678';
const BRAZILIAN = '+55 (21) 99876-5432';

const PRODUCTS = [
  {
    path: '/seguros/seguro-celular/create',
    field: 'creditCard',
    order: (card: object, over: object) =>
      phoneOrder({ creditCard: creditCard(card), address: home, ...over }),
  },
  {
    path: '/seguros/seguro-celular/create',
    field: 'payment.creditCard',
    order: (card: object, over: object) =>
      phoneOrder({ payment: byCard({}, card), address: home, ...over }),
  },
  {
    path: '/seguros/artista-protegido/create',
    field: 'payment.creditCard',
    order: (card: object, over: object) => artistOrder({ payment: byCard({}, card), ...over }),
  },
];

describe('the holder of a card, at a gateway that needs a phone and an address', () => {
  let api: Api;
  let headers: { Authorization: string };
  let asaas: Awaited<ReturnType<typeof asaasOn>>;
  before(async () => {
    asaas = await asaasOn();
    api = await new Api({ fakes: { payments: asaas.payments } }).start();
    headers = await api.bearer();
  });
  after(async () => {
    await api.stop();
    asaas.double.stop();
  });

  const holder = (over: object) => ({ holder: { name: 'Ana', document: '52998224725', ...over } });
  const chargedPhone = () => asaas.double.holderPhones.at(-1);

  for (const { path, field, order } of PRODUCTS) {
    const sell = (card: object, over: object = {}) => api.post(path, order(card, over), headers);

    it(`is asked for before the sale, whose name stays free: ${path}, ${field}`, async () => {
      const externalSaleId = `${field}-${path.split('/')[2]}`;
      const mobile = `${field}.holder.mobile`;
      for (const [card, code] of [
        [{}, 'required'],
        [holder({}), 'required'],
        [holder({ mobile: FOREIGN }), 'invalid_format'],
      ] as const) {
        const {
          status,
          headers: sent,
          body,
        } = await sell(card, { phone: FOREIGN, externalSaleId });
        expect(status, JSON.stringify(body)).to.be.oneOf([400, 422]);
        expect(sent.get('x-error-fields')).to.equal(`${mobile}=${code}`);
      }
      const sold = await sell(holder({ mobile: BRAZILIAN }), { phone: FOREIGN, externalSaleId });
      expect(sold.status, JSON.stringify(sold.body)).to.equal(200);
      expect(chargedPhone()).to.equal('21998765432');
    });

    it(`has the phone of the insured if its own is not Brazilian: ${path}, ${field}`, async () => {
      const sold = await sell(holder({ mobile: FOREIGN }), { phone: BRAZILIAN });
      expect(sold.status, JSON.stringify(sold.body)).to.equal(200);
      expect(chargedPhone()).to.equal('21998765432');
    });

    it(`has no second fault beside a wrong phone: ${path}, ${field}`, async () => {
      const { headers: sent } = await sell({}, { phone: '12' });
      expect(sent.get('x-error-fields')).to.equal('phone=invalid_format');
    });
  }

  it('needs an address, its own or that of the insured', async () => {
    const path = '/seguros/seguro-celular/create';
    const sell = (over: Record<string, unknown>) => api.post(path, phoneOrder(over), headers);
    const lacking = await sell({ creditCard: creditCard() });
    expect(lacking.headers.get('x-error-fields')).to.equal('address=required');
    for (const over of [
      { creditCard: creditCard(), address: home },
      { creditCard: creditCard(holder({ address: home })) },
      { phone: FOREIGN },
    ])
      expect((await sell(over)).status).to.equal(200);
  });
});
