import { expect } from 'chai';
import { type Answer, withApi } from '../../../support/api.ts';
import { petProduct, SALE, saleOrder } from '../../../support/generic-sales.ts';

describe('a new product, from catalogue data alone', () => {
  withApi((api) => {
    let admin: { Authorization: string };
    let seller: { Authorization: string };
    const put = (path: string, body: object): Promise<Answer> => api().put(path, body, admin);
    before(async () => {
      admin = await api().bearer(null);
    });
    let count = 0;
    const sell = (over: Record<string, unknown> = {}): Promise<Answer> => {
      count += 1;
      const order = {
        externalSaleId: `pet-${count}`,
        product: { code: 'PET' },
        coverage: undefined,
        amounts: { insuredAmount: 1234.56 },
        attributes: { species: 'dog', petName: 'Rex', microchip: '123456789012345' },
        ...over,
      };
      return api().post(SALE, saleOrder(order), seller);
    };

    it('is sold after two administrative calls, with its own attributes, tariff, IOF and commission', async () => {
      const product = await put('/admin/products/PET', petProduct());
      expect([product.status, product.body.errors]).to.deep.equal([201, undefined]);
      expect(product.body.response.data.attributes).to.deep.equal(petProduct()['attributes']);
      const channel = {
        name: 'Pet Shop',
        products: [
          { code: 'PET', commissionRate: 12.5, plans: [{ code: 'ANUAL', commissionRate: 15 }] },
        ],
      };
      expect((await put('/admin/channels/pet-shop', channel)).status).to.equal(201);
      seller = await api().bearer('pet-shop');
      const { status, body } = await sell();
      expect([status, body.errors]).to.deep.equal([201, undefined]);
      // 8 % of 1,234.56 is 98.7648; IOF on health insurance is 2.38 %.
      expect(body.data).to.deep.include({
        product: { id: 60, code: 'PET' },
        plan: { id: 61, code: 'ANUAL' },
        amounts: {
          net_premium: 98.76,
          iof_rate: 2.38,
          iof: 2.35,
          total: 101.11,
          commission_rate: 15,
          commission: 14.81,
          net_amount: 86.3,
        },
        vigencia: { inicio: '2026-11-20', fim: '2027-11-19' },
      });
    });

    it('has its attributes validated by its schema', async () => {
      const { status, body } = await sell({
        attributes: { species: 'fish', microchip: '1', bornOn: '2026-02-30', colour: 'red' },
      });
      expect(status).to.equal(422);
      expect(body.errors).to.deep.equal({
        'attributes.petName': ['O campo attributes.petName é obrigatório.'],
        'attributes.colour': ['O campo attributes.colour não é conhecido.'],
        'attributes.species': ['O campo attributes.species deve ser um destes: dog, cat.'],
        'attributes.microchip': [
          'O campo attributes.microchip deve corresponder ao padrão "^\\d{15}$".',
        ],
        'attributes.bornOn': [
          'O campo attributes.bornOn deve ser uma data válida, de 1900 a 2199, no formato AAAA-MM-DD.',
        ],
      });
      expect(Object.keys((await sell({ attributes: undefined })).body.errors)).to.deep.equal([
        'attributes.species',
        'attributes.petName',
      ]);
    });

    it('has a minimum price, coverages, and a payment page', async () => {
      const order = {
        amounts: { insuredAmount: 100 },
        coverages: [{ code: 'VACINAS' }],
        payment: { status: 'pending', method: 'boleto' },
      };
      const { body } = await sell(order);
      expect(body.data.amounts).to.include({ net_premium: 75, iof: 1.78 });
      expect(body.data.payment_url).to.match(/^https:/);
    });

    it('may define who collects the payment', async () => {
      await put('/admin/products/PET', petProduct({ collectedBy: 'channel' }));
      const pending = await sell({ payment: { status: 'pending', method: 'pix' } });
      expect([pending.status, Object.keys(pending.body.errors)]).to.deep.equal([
        422,
        ['payment.status'],
      ]);
      await put('/admin/products/PET', petProduct({ collectedBy: 'service' }));
      const paid = await sell();
      expect([paid.status, Object.keys(paid.body.errors)]).to.deep.equal([422, ['payment.status']]);
      await put('/admin/products/PET', petProduct());
    });

    it('takes the price from the channel, net or gross, if its tariff is declared', async () => {
      const plans = [
        {
          id: 61,
          code: 'ANUAL',
          name: 'Anual',
          tariff: { kind: 'declared' },
          period: { kind: 'months', months: 12 },
        },
      ];
      await put('/admin/products/PET', petProduct({ plans, pricingBasis: 'gross' }));
      const gross = await sell({ amounts: { total: 100 } });
      expect(gross.body.data.amounts).to.include({ net_premium: 97.68, iof: 2.32, total: 100 });
      const missing = await sell({ amounts: { netPremium: 97.68 } });
      expect([missing.status, Object.keys(missing.body.errors)]).to.deep.equal([
        422,
        ['amounts.total'],
      ]);
      // The declared price includes the coverages: 15.00 of it is for the coverage.
      const whole = await sell({ amounts: { total: 100 }, coverages: [{ id: 601 }] });
      expect([whole.status, whole.body.data?.amounts.total]).to.deep.equal([201, 100]);
      expect(
        (await sell({ amounts: { total: 15 }, coverages: [{ id: 601 }] })).body.errors,
      ).to.have.property('amounts.total');
      await put('/admin/products/PET', petProduct());
    });

    it('names the accepted values, a limited number of them', async () => {
      const many = [
        { a: 1 },
        null,
        1.5,
        'x',
        '7',
        ...Array.from({ length: 50 }, (_, index) => `v${index}`),
      ];
      await put(
        '/admin/products/PET',
        petProduct({
          attributes: { properties: { v: { enum: many }, w: { type: ['integer', 'null'] } } },
        }),
      );
      const { body } = await sell({ attributes: { v: 'y', w: 'z' } });
      expect(body.errors['attributes.v'][0]).to.match(
        /^O campo attributes\.v deve ser um destes: \{"a":1\}, null, 1\.5, x, "7", v0.*v24…\.$/,
      );
      expect(body.errors['attributes.w']).to.deep.equal([
        'O campo attributes.w deve ser um número inteiro ou nulo.',
      ]);
      await put('/admin/products/PET', petProduct());
    });

    it('names each limit that a schema exceeds, at the part beyond it', async () => {
      const pattern = { pattern: '^[a-z]+$' };
      const many = Object.fromEntries(
        Array.from({ length: 21 }, (_, index) => [`p${index}`, pattern]),
      );
      const deep = (levels: number): object => (levels === 0 ? {} : { not: deep(levels - 1) });
      const ring = { $defs: { a: { not: { $ref: '#/$defs/a' } } } };
      for (const [attributes, path, code, complaint] of [
        [{ properties: many }, 'properties.p20.pattern', 'too_complex', /limite de 20 padrões/],
        [{ pattern: 'a{301}' }, 'pattern', 'too_complex', /todos juntos até 300 passos/],
        [{ items: { pattern: 'a.{9}$' } }, 'items.pattern', 'too_complex', /listas.*até 30 passos/],
        [deep(6), Array(6).fill('not').join('.'), 'too_complex', /mais de 5 níveis/],
        [ring, '$defs.a.not.$ref', 'invalid_format', /que não volte a si mesmo/],
      ] as const) {
        const { status, body } = await put(
          '/admin/products/RUIM',
          petProduct({ id: 70, attributes }),
        );
        const place = `attributes.${path}`;
        expect([status, body.error_codes]).to.deep.equal([422, { [place]: [code] }]);
        expect(body.errors[place][0]).to.match(complaint).and.include(`O campo ${place} `);
      }
    });

    it('refuses harmful and invalid schemas, and names every fault', async () => {
      const attributes = {
        type: 'objekt',
        properties: {
          a: { $ref: 'http://evil.example/schema' },
          b: { pattern: '(?=x)' },
          c: { format: 'uri', minimum: 'x' },
          d: { foo: 1 },
        },
      };
      const { status, body } = await put(
        '/admin/products/RUIM',
        petProduct({ id: 70, name: ' ', attributes }),
      );
      expect(status).to.equal(422);
      expect(Object.keys(body.errors)).to.have.members([
        'name',
        'attributes.type',
        'attributes.properties.a.$ref',
        'attributes.properties.b.pattern',
        'attributes.properties.c.format',
        'attributes.properties.c.minimum',
        'attributes.properties.d.foo',
      ]);
      expect(body.errors['attributes.properties.b.pattern'][0]).to.match(/RE2/);
      expect(body.errors['attributes.properties.c.minimum'][0]).not.to.match(/reais/);
      const deep = (levels: number): object => (levels === 0 ? {} : { not: deep(levels - 1) });
      for (const text of ['a\u0000', '\ud800']) {
        for (const schema of [
          { title: text },
          { enum: [text] },
          { properties: { [text]: {} } },
          { pattern: text },
          { required: [text] },
        ]) {
          const answer = await put(
            '/admin/products/RUIM',
            petProduct({ id: 70, attributes: schema }),
          );
          expect(
            [answer.status, Object.keys(answer.body.errors).length > 0],
            JSON.stringify(schema),
          ).to.deep.equal([422, true]);
        }
      }
      for (const schema of [
        deep(13),
        { enum: Array.from({ length: 1_001 }, (_, index) => index) },
        [],
        'x',
      ]) {
        const answer = await put(
          '/admin/products/RUIM',
          petProduct({ id: 70, attributes: schema }),
        );
        expect(answer.status).to.equal(422);
        expect(
          Object.keys(answer.body.errors).every((path) => path.startsWith('attributes')),
        ).to.equal(true);
      }
      expect((await api().get('/admin/products/RUIM', admin)).status).to.equal(404);
    });
  });
});
