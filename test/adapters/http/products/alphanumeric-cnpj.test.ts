import { expect } from 'chai';
import type { Sale } from '#domain';
import { type Answer, mainBody, quickStartBody, withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { address, artistOrder, byCard, creditCard, phoneOrder } from '../../../support/orders.ts';

type Fields = Record<string, unknown>;

/** The example of Receita Federal (IN RFB 2.229/2024). */
const CNPJ = '12ABC34501DE35';
const OTHER = 'Q0SLFMBD7VX439';

const INGRESSO = '/seguros/ingresso-protegido/create';
const ARTISTA = '/seguros/artista-protegido/create';
const CELULAR = '/seguros/seguro-celular/create';

const company = (cpfOrCnpj: string): Fields => ({
  name: 'Empresa S.A.',
  cpfOrCnpj,
  email: 'empresa@example.com',
});
const additionalInsured = (cpfOrCnpj: string): Fields[] => [
  { name: 'Filial S.A.', cpfOrCnpj, birthDate: '2026-08-01' },
];
const holder = (document: string): Fields => ({
  ...{ name: 'Empresa S.A.', type: 'company', document, email: 'empresa@example.com' },
  mobile: '11987654321',
});

interface Place {
  readonly where: string;
  readonly path: string;
  /** The field with the tax id, as faults name it. */
  readonly field: string;
  readonly body: (taxId: string) => Fields;
  /** Whether punctuation is taken. */
  readonly punctuated?: true;
}

const PLACES: readonly Place[] = [
  {
    where: 'Ingresso Protegido',
    path: INGRESSO,
    field: 'cpfCnpj',
    body: (cpfCnpj) => mainBody({ cpfCnpj }),
  },
  {
    where: 'the quick start',
    path: INGRESSO,
    field: 'cpfOrCnpj',
    body: (cpfOrCnpj) => quickStartBody({ cpfOrCnpj }),
  },
  {
    where: 'Artista Protegido',
    path: ARTISTA,
    field: 'cpfOrCnpj',
    body: (cpfOrCnpj) => artistOrder({ cpfOrCnpj }),
  },
  {
    where: 'an additional insured of Artista Protegido',
    path: ARTISTA,
    field: 'additionalInsured.0.cpfOrCnpj',
    body: (taxId) => artistOrder({ additionalInsured: additionalInsured(taxId) }),
  },
  {
    where: 'the holder of a card at Artista Protegido',
    path: ARTISTA,
    field: 'payment.creditCard.holder.document',
    body: (document) => artistOrder({ payment: byCard({}, { holder: holder(document) }) }),
  },
  {
    where: 'Seguro Celular',
    path: CELULAR,
    field: 'cpfOrCnpj',
    body: (cpfOrCnpj) => phoneOrder({ cpfOrCnpj }),
  },
  {
    where: 'an additional insured of Seguro Celular',
    path: CELULAR,
    field: 'additionalInsured.0.cpfOrCnpj',
    body: (taxId) => phoneOrder({ additionalInsured: additionalInsured(taxId) }),
  },
  {
    where: 'the holder of a card at Seguro Celular',
    path: CELULAR,
    field: 'creditCard.holder.document',
    body: (document) =>
      phoneOrder({ address, creditCard: creditCard({ holder: holder(document) }) }),
  },
  {
    where: 'the generic sale',
    path: SALE,
    field: 'insured.cpfOrCnpj',
    body: (taxId) => saleOrder({ insured: company(taxId) }),
    punctuated: true,
  },
  {
    where: 'an additional insured of the generic sale',
    path: SALE,
    field: 'additionalInsured.0.cpfOrCnpj',
    body: (taxId) => saleOrder({ additionalInsured: additionalInsured(taxId) }),
    punctuated: true,
  },
  {
    where: 'the check of a generic sale',
    path: `${SALE}/validate`,
    field: 'insured.cpfOrCnpj',
    body: (taxId) => saleOrder({ insured: company(taxId) }),
    punctuated: true,
  },
];

describe('a CNPJ with letters (IN RFB 2.229/2024)', () => {
  withApi((api) => {
    let bearer: { Authorization: string };
    before(async () => {
      bearer = await api().bearer();
    });
    let sent = 0;
    const post = ({ path, body }: Place, taxId: string): Promise<Answer> => {
      sent += 1;
      const order = body(taxId);
      const isGeneric = 'externalSaleId' in order;
      const named = isGeneric ? { ...order, externalSaleId: `cnpj-${sent}` } : order;
      return api().post(path, named, bearer);
    };
    const stored = async ({ body: { data } }: Answer): Promise<Sale> =>
      (await api().memory.sales.find('canal-demo', data.transaction_id)) as Sale;

    for (const place of PLACES) {
      it(`is taken in ${place.where}, and refused with a wrong check digit`, async () => {
        const { status, body } = await post(place, CNPJ);
        expect([200, 201], JSON.stringify(body)).to.include(status);

        for (const wrong of ['12ABC34501DE36', '12ABC34501DEA5', `${CNPJ}0`]) {
          const refused = await post(place, wrong);
          expect(refused.status, wrong).to.be.within(400, 422);
          expect(Object.keys(refused.body.errors ?? refused.body)).to.deep.equal([place.field]);
        }
      });

      it(`is ${place.punctuated ? 'taken' : 'refused'} with punctuation in ${place.where}`, async () => {
        const { status } = await post(place, '12.ABC.345/01DE-35');
        expect(status < 300).to.equal(place.punctuated === true);
      });
    }

    it('is stored in capitals without punctuation, and reaches the certificate', async () => {
      const [ticket, , , , , , , , generic] = PLACES as [Place, ...Place[]];
      for (const [place, taxId] of [
        [ticket, '12abc34501de35'],
        [generic as Place, '12.abc.345/01de-35'],
      ] as const) {
        const sale = await stored(await post(place, taxId));
        expect(sale.terms.insured.taxId).to.equal(CNPJ);
        const certificate = await api().memory.useCases.composeCertificate(sale as never);
        expect(certificate.insured.taxId).to.equal(CNPJ);
      }
    });

    it('is masked in the differences of a repeated sale, and reaches no log', async () => {
      const key = { ...bearer, 'Idempotency-Key': 'cnpj-1' };
      const [one] = PLACES as [Place];
      expect((await api().post(one.path, one.body(CNPJ), key)).status).to.equal(200);
      const { status, body } = await api().post(one.path, one.body(OTHER), key);
      expect(status).to.equal(409);
      expect(body.differences).to.deep.equal([
        { path: one.field, stored: '1***', received: 'Q***' },
      ]);
      expect(api().lines.join('\n')).not.to.include(CNPJ).and.not.to.include(OTHER);
    });

    it('may be the insurer’s in the catalogue', async () => {
      const administrator = await api().bearer(null);
      const { body } = await api().get('/admin/products/INGRESSO', administrator);
      const { version: _, ...product } = body.response.data;
      const put = (cnpj: string) =>
        api().put(
          '/admin/products/INGRESSO',
          {
            ...product,
            registration: {
              ...product.registration,
              insurer: { ...product.registration.insurer, cnpj },
            },
          },
          administrator,
        );
      expect((await put(CNPJ)).status).to.equal(200);
      const wrong = await put('12ABC34501DE36');
      expect(wrong.status).to.equal(422);
      expect(Object.keys(wrong.body.errors)).to.deep.equal(['registration.insurer.cnpj']);
    });
  });
});
