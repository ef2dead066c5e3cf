import { expect } from 'chai';
import { DEMO_CHANNEL } from '../../../../bootstrap/processes/demo-catalogue.ts';
import { withApi } from '../../../support/api.ts';
import { petProduct } from '../../../support/generic-sales.ts';
import { ADMINISTRATOR } from '../../../support/identity.ts';

const PRODUCTS = '/private/integration/products';

interface Shown {
  readonly code: string;
  readonly plans: readonly { readonly code: string; readonly commission_rate: number }[];
}

describe('the products of a channel', () => {
  withApi((api) => {
    let headers: { Authorization: string };
    before(async () => {
      headers = await api().bearer();
    });
    const list = async (own = headers): Promise<readonly Shown[]> => {
      const answer = await api().get(PRODUCTS, own);
      expect(answer.status).to.equal(200);
      return answer.body.data;
    };

    it('show plans, prices, today’s IOF and the commission of the channel', async () => {
      const { status, body } = await api().get(`${PRODUCTS}/CELULAR`, headers);
      expect(status).to.equal(200);
      expect(body.data).to.deep.include({
        id: 3,
        code: 'CELULAR',
        name: 'Seguro Celular',
        line: 'mobile_phone',
        pricing_basis: 'net',
        iof_rate: 7.38,
      });
      const [monthly, yearly] = body.data.plans;
      expect(monthly).to.deep.include({
        id: 31,
        code: 'MENSAL',
        is_default: true,
        tariff: { kind: 'fixed', amount: 29.9 },
        commission_rate: 20,
      });
      expect(yearly).to.deep.include({ code: 'ANUAL', is_default: false });
      expect(body.data.coverages.map(({ id }: { id: number }) => id)).to.deep.equal([301, 302]);
      expect(body.data.attributes).to.have.property('properties');
      expect(body.data.insurer.cnpj).to.equal('11222333000181');
    });

    it('are listed in the order of their numbers, each as its own address shows it', async () => {
      const all = await list();
      expect(all.map(({ code }) => code)).to.deep.equal([
        'INGRESSO',
        'ARTISTA',
        'CELULAR',
        'LUA_DE_MEL',
      ]);
      for (const each of all)
        expect((await api().get(`${PRODUCTS}/${each.code}`, headers)).body.data).to.deep.equal(
          each,
        );
    });

    it('are only those that are granted to the channel, with the commission of a plan', async () => {
      const admin = await api().bearer(null);
      expect((await api().put('/admin/products/PET', petProduct(), admin)).status).to.equal(201);
      const channel = {
        name: 'Canal de animais',
        products: [
          { code: 'PET', commissionRate: 10, plans: [{ code: 'ANUAL', commissionRate: 12.5 }] },
        ],
      };
      expect((await api().put('/admin/channels/canal-pet', channel, admin)).status).to.equal(201);
      const own = await api().bearer('canal-pet');
      const [pet, ...others] = await list(own);
      expect(others).to.deep.equal([]);
      expect(pet?.code).to.equal('PET');
      expect(pet?.plans.map((plan) => plan.commission_rate)).to.deep.equal([12.5]);
      for (const code of ['INGRESSO', 'none', 'pet', '%00', '__proto__'])
        expect((await api().get(`${PRODUCTS}/${code}`, own)).status, code).to.equal(404);
      expect((await api().get(`${PRODUCTS}/PET`, headers)).status).to.equal(404);
    });

    it('are an empty list for an inactive channel, and refused without a token', async () => {
      await api().channel('canal-parado');
      const own = await api().bearer('canal-parado');
      expect(await list(own)).to.have.length(4);
      const inactive = { ...DEMO_CHANNEL, channelLink: 'canal-parado', active: false };
      await api().memory.useCases.manageCatalogue.putChannel(inactive, ADMINISTRATOR);
      expect(await list(own)).to.deep.equal([]);
      expect((await api().get(PRODUCTS)).status).to.equal(401);
    });

    it('show no IOF from 2027 on', async () => {
      api().memory.clock.advance(42 * 86_400);
      const later = await api().bearer();
      const all = (await list(later)) as unknown as readonly { iof_rate: number }[];
      for (const each of all) expect(each.iof_rate).to.equal(0);
    });
  });
});
