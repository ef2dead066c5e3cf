import { expect } from 'chai';
import { FIELD_CODES } from '../../../../../adapters/kit/contract/error-codes.ts';
import { complain, faultHeaders } from '../../../../../adapters/kit/contract/field-faults.ts';
import { type Answer, CREATE, mainBody, quickStartBody, withApi } from '../../../../support/api.ts';
import { findCodeFaults } from '../../../../support/error-answers.ts';
import { petProduct, SALE, saleOrder } from '../../../../support/generic-sales.ts';
import { artistOrder, byCard, creditCard, phoneOrder } from '../../../../support/orders.ts';

const CELULAR = '/seguros/seguro-celular/create';
const ARTISTA = '/seguros/artista-protegido/create';
const VALIDATE = `${SALE}/validate`;
const COPY = '/seguros/ingresso-protegido/segunda-via';
const CLIENTS = '/admin/api-clients';
const WEBHOOKS = '/private/integration/webhooks';

type Fields = Record<string, unknown>;

interface PathItem {
  readonly get?: {
    readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  };
}

const DEEP = { a: { b: { c: { d: { e: { f: 1 } } } } } };

/** A ticket of the generic sale. */
const ticketOrder = (over: Fields = {}): Fields =>
  saleOrder({ product: { id: 1 }, amounts: { insuredAmount: 100 }, coverage: undefined, ...over });

/** A plan without a tariff of the generic sale. */
const artOrder = (over: Fields = {}): Fields => saleOrder({ product: { id: 2 }, ...over });

const petOrder = (attributes: Fields): Fields =>
  saleOrder({
    product: { code: 'PET' },
    coverage: undefined,
    amounts: { insuredAmount: 1_000 },
    attributes,
  });

const webhook = (url: string): Fields => ({ url, events: ['sale.paid'] });

const paidOn = (paidAt: string): Fields => ({ status: 'paid', method: 'pix', paidAt });

/** For each fault: the endpoint, the body, and all that `X-Error-Fields` says. */
const FAULTS: readonly (readonly [path: string, body: Fields, header: string])[] = [
  [CREATE, mainBody({ nomeCompleto: undefined }), 'nomeCompleto=required'],
  [CREATE, mainBody({ productId: '1' }), 'productId=invalid_type'],
  [CREATE, mainBody({ productId: 99 }), 'productId=not_offered'],
  [CREATE, mainBody({ tipoIngresso: 'x' }), 'tipoIngresso=not_offered'],
  [CREATE, mainBody({ nomeCompleto: 'ab' }), 'nomeCompleto=too_short'],
  [CREATE, mainBody({ bairro: 'x'.repeat(101) }), 'bairro=too_long'],
  [CREATE, mainBody({ cpfCnpj: '52998224726' }), 'cpfCnpj=invalid_tax_id'],
  [CREATE, mainBody({ email: 'x' }), 'email=invalid_format'],
  [
    CREATE,
    mainBody({ nomeCompleto: 'Rui 4111 1111 1111 1111' }),
    'nomeCompleto=card_number_in_text',
  ],
  [CREATE, mainBody({ uf: 'XX' }), 'uf=not_offered'],
  [CREATE, mainBody({ valorSeguro: 0 }), 'valorSeguro=out_of_range'],
  [CREATE, mainBody({ dataPagamento: '2026-11-21' }), 'dataPagamento=in_the_future'],
  [CREATE, mainBody({ dataEvento: '2026-11-19' }), 'dataEvento=wrong_order'],
  [
    CREATE,
    mainBody({ filler: DEEP, uf: 1, cep: 1 }),
    'uf=invalid_type, cep=invalid_type, filler=unknown',
  ],
  [CREATE, quickStartBody({ type: 'CELULAR' }), 'type=not_offered'],
  [CREATE, quickStartBody({ valorTotal: '1' }), 'valorTotal=amount_differs'],
  [CREATE, quickStartBody({ eventDate: '2026-11-19' }), 'eventDate=in_the_past'],

  [ARTISTA, artistOrder({ premiumTaxes: 1 }), 'premiumTaxes=amount_differs'],
  [
    ARTISTA,
    artistOrder({ eventDescription: 'cartão\n4111 1111 1111 1111' }),
    'eventDescription=card_number_in_text',
  ],
  [ARTISTA, artistOrder({ plan: { id: 31 } }), 'plan.id=not_offered'],
  [ARTISTA, artistOrder({ plan: {} }), 'plan.id=required'],
  [
    ARTISTA,
    artistOrder({ insurance: [{ id: 201 }, { id: 1 }, { id: 2 }] }),
    'insurance.1.id=not_offered, insurance.2.id=not_offered',
  ],
  [ARTISTA, artistOrder({ insurance: [{ id: 201 }, { id: 201 }] }), 'insurance.1.id=repeated'],
  [
    ARTISTA,
    artistOrder({ payment: byCard({}, { number: '4111111111111112' }) }),
    'payment.creditCard.number=invalid_card_number',
  ],
  [
    ARTISTA,
    artistOrder({ payment: byCard({}, { expiryYear: '20' }) }),
    'payment.creditCard.expiryYear=expired_card',
  ],
  [
    ARTISTA,
    artistOrder({ payment: { modeCode: '2', totalInstallmentNumber: 1 } }),
    'payment.creditCard=required',
  ],
  [
    ARTISTA,
    artistOrder({
      additionalInsured: [
        { name: 'Ana', cpfOrCnpj: '52998224725', birthDate: '1990-01-01', email: 'x' },
      ],
    }),
    'additionalInsured.0.email=invalid_format',
  ],

  [CELULAR, phoneOrder({ plan: { id: 99 } }), 'plan.id=not_offered'],
  [CELULAR, phoneOrder({ insurance: [{ id: 201 }] }), 'insurance.0.id=not_offered'],
  [CELULAR, phoneOrder({ saleDate: '2030-01-01' }), 'saleDate=in_the_future'],
  [
    CELULAR,
    phoneOrder({ payment: { modeCode: '1' }, creditCard: creditCard() }),
    'payment.modeCode=contradicts',
  ],
  [
    CELULAR,
    phoneOrder({ creditCard: creditCard({ number: '4000000000000002' }) }),
    'creditCard=refused',
  ],
  [
    CELULAR,
    phoneOrder({ payment: { creditCard: creditCard({ number: '4000000000000002' }) } }),
    'payment.creditCard=refused',
  ],

  [SALE, saleOrder({ productt: 1 }), 'productt=unknown'],
  [SALE, saleOrder({ product: {} }), 'product.id=required'],
  [SALE, saleOrder({ product: { id: 99 } }), 'product.id=not_offered'],
  [SALE, saleOrder({ product: { id: 4, code: 'X' } }), 'product.code=not_offered'],
  [SALE, saleOrder({ plan: { code: 'X' } }), 'plan.code=not_offered'],
  [SALE, saleOrder({ plan: { id: 41, code: 'X' } }), 'plan.code=not_offered'],
  [SALE, saleOrder({ plan: { id: 11, code: 'NACIONAL' } }), 'plan.id=not_offered'],
  [SALE, saleOrder({ coverages: [{ code: 'X' }] }), 'coverages.0.code=not_offered'],
  [SALE, saleOrder({ coverages: [{}, { id: 1 }] }), 'coverages.0.id=required'],
  [SALE, artOrder(), 'amounts.netPremium=required'],
  [SALE, saleOrder({ attributes: DEEP }), 'attributes=too_complex'],
  [SALE, saleOrder({ payment: paidOn('2008-01-02') }), 'payment.paidAt=no_tax_rate'],
  [SALE, saleOrder({ coverage: undefined }), 'coverage=required'],
  [
    SALE,
    saleOrder({ coverage: { startDate: '2020-01-01', endDate: '2020-01-05' } }),
    'coverage.endDate=in_the_past',
  ],
  [
    SALE,
    saleOrder({
      ...{ product: { id: 3 }, saleDate: '2020-01-01', coverage: undefined },
      payment: { status: 'pending', method: 'pix' },
      attributes: {},
    }),
    'saleDate=in_the_past',
  ],
  [
    SALE,
    ticketOrder({ coverage: { startDate: '2026-11-01', endDate: '2026-11-10' } }),
    'coverage.endDate=wrong_order',
  ],
  [
    SALE,
    ticketOrder({ attributes: { eventDate: '2026-11-10' } }),
    'attributes.eventDate=wrong_order',
  ],
  [
    SALE,
    ticketOrder({ coverage: { startDate: '2026-11-21', endDate: '2026-12-24' } }),
    'coverage.startDate=period_differs',
  ],
  [SALE, saleOrder({ amounts: { total: 1 } }), 'amounts.total=amount_differs'],
  [VALIDATE, saleOrder({ plan: { id: 99 } }), 'plan.id=not_offered'],
  [SALE, petOrder({ species: 'dog' }), 'attributes.petName=required'],
  [
    SALE,
    petOrder({ species: 'dog', petName: 'Rex', chip: 1, tag: true, '😀': 1 }),
    'attributes.%F0%9F%98%80=invalid_format, attributes.%F0%9F%98%80=unknown, ' +
      'attributes.tag=invalid_type, attributes.tag=invalid_value, attributes.owner=required',
  ],

  [WEBHOOKS, webhook('https://partner.example/taken'), 'url=already_used'],
  [WEBHOOKS, webhook('ftp://partner.example/'), 'url=https_required'],
  [WEBHOOKS, webhook('https://u:p@partner.example/'), 'url=credentials_in_url'],
  [WEBHOOKS, webhook('https://partner.example/#x'), 'url=fragment_in_url'],
  [WEBHOOKS, webhook('https://partner.example:22/'), 'url=port_not_allowed'],
  [WEBHOOKS, webhook('https://10.0.0.1/'), 'url=address_not_allowed'],

  [COPY, {}, 'transaction_id=required'],
  [`${CLIENTS}`, { name: 'X', scopes: ['admin'], channelLink: 'x' }, 'channelLink=contradicts'],
];

describe('the codes of fields', () => {
  withApi((api) => {
    let partner: { Authorization: string };
    let admin: { Authorization: string };
    const seen = new Set<string>();

    before(async () => {
      partner = await api().bearer();
      admin = await api().bearer(null);
      const attributes = {
        type: 'object',
        required: ['species', 'petName'],
        maxProperties: 20,
        propertyNames: { pattern: '^[a-zA-Z]+$', maxLength: 20 },
        dependentRequired: { chip: ['owner'] },
        properties: { tag: { anyOf: [{ type: 'string' }] } },
      };
      await api().post(WEBHOOKS, webhook('https://partner.example/taken'), partner);
      const put = await api().put('/admin/products/PET', petProduct({ attributes }), admin);
      expect(put.status, JSON.stringify(put.body)).to.equal(201);
      const { body } = await api().get('/admin/channels/canal-demo', admin);
      const { products, ...channel } = body.response.data;
      const granted = [...products, { code: 'PET', commissionRate: 10 }];
      await api().put('/admin/channels/canal-demo', { ...channel, products: granted }, admin);
    });

    const send = (path: string, body: Fields): Promise<Answer> =>
      api().post(path, body, path.startsWith('/admin') ? admin : partner);

    for (const [index, [path, body, header]] of FAULTS.entries()) {
      it(`${path}, fault ${index + 1}: ${header}`, async () => {
        const { status, headers, body: answer } = await send(path, body);
        expect(headers.get('X-Error-Fields'), JSON.stringify(answer)).to.equal(header);
        expect(findCodeFaults({ status, headers: new Map(headers), body: answer })).to.deep.equal(
          [],
        );
        for (const [, code = ''] of header.matchAll(/=([a-z_]+)/g)) seen.add(code);
      });
    }

    it('are each shown by one of these faults', () => {
      expect([...seen].sort()).to.deep.equal(Object.keys(FIELD_CODES).sort());
    });

    it('leave the closed bodies of the product endpoints as they are', async () => {
      const ticket = await send(CREATE, mainBody({ nomeCompleto: undefined }));
      expect(ticket.body).to.deep.equal({
        nomeCompleto: ['O campo nomeCompleto é obrigatório.'],
      });
      const phone = await send(CELULAR, phoneOrder({ saleDate: '2030-01-01' }));
      expect(phone.body).to.deep.equal({ error: 'A data da venda não pode ser futura.' });
      const plan = await send(CELULAR, phoneOrder({ plan: { id: 99 } }));
      expect(plan.body).to.deep.equal({
        error: 'Plano não encontrado neste produto. Oferecido: MENSAL (id 31), ANUAL (id 32).',
        errors: {
          'plan.id': [
            'Plano não encontrado neste produto. Oferecido: MENSAL (id 31), ANUAL (id 32).',
          ],
        },
      });
    });

    it('stand in house style beside the messages, one for each', async () => {
      const { body } = await send(SALE, saleOrder({ insured: { name: '', email: 'x' } }));
      expect(body.error_codes).to.deep.equal({
        'insured.cpfOrCnpj': ['required'],
        'insured.name': ['too_short', 'invalid_format'],
        'insured.email': ['invalid_format'],
      });
      expect(Object.keys(body.errors)).to.deep.equal(Object.keys(body.error_codes));
      expect(body.errors['insured.name']).to.have.length(2);
    });

    it('tell what is wrong with a query', async () => {
      const list = '/private/integration/sales';
      for (const [query, header] of [
        ['?limit=0', 'limit=out_of_range'],
        ['?cursor=%21', 'cursor=invalid_format'],
        ['?status=x', 'status=not_offered'],
        ['?x=1', 'x=unknown'],
        ['?limit=1&limit=2', 'limit=repeated'],
      ] as const) {
        const { headers } = await api().get(`${list}${query}`, partner);
        expect(headers.get('X-Error-Fields'), query).to.equal(header);
      }
    });

    it('name the filters that every list has, at one that it does not have', async () => {
      for (const [document, caller] of [
        ['/openapi.json', partner],
        ['/openapi-admin.json', admin],
      ] as const)
        for (const { path, filters } of await listsOf(document)) {
          const { body, headers } = await api().get(`${path}?filtro=1`, caller);
          expect(headers.get('X-Error-Fields'), path).to.equal('filtro=unknown');
          const [, known = ''] = /Conhecidos aqui: (.*)\.$/.exec(body.errors.filtro[0]) ?? [];
          expect(known.split(', '), path).to.include.members(filters);
        }
    });

    /** The lists of a document: those with a page size, and the names of their parameters. */
    const listsOf = async (document: string) => {
      const { body } = await api().get(document);
      return Object.entries<PathItem>(body.paths).flatMap(([path, { get }]) => {
        const query = get?.parameters?.filter(({ in: place }) => place === 'query') ?? [];
        const filters = query.map(({ name }) => name);
        return filters.includes('limit') ? [{ path: path.replaceAll(/{\w+}/g, '1'), filters }] : [];
      });
    };

    it('name the conflicts of a change with the rest of the catalogue', async () => {
      const { body } = await api().get('/admin/products/CELULAR', admin);
      const lowered = { ...body.response.data, commissionCap: 1 };
      const { body: refused } = await api().put('/admin/products/CELULAR', lowered, admin);
      expect(refused.conflicts).to.have.length.above(0);
      expect(refused.conflict_codes).to.deep.equal(refused.conflicts.map(() => 'out_of_range'));
    });
  });
});

describe('the reason of a refused card', () => {
  withApi((api) => {
    const CARDS = [
      ['4000000000000002', 'card_declined', /recusado pelo emissor/],
      ['4000000000009995', 'insufficient_funds', /saldo ou limite/],
      ['4000000000000069', 'expired_card', /vencido/],
      ['4000000000000119', 'gateway_unavailable', /não foi cobrado/],
    ] as const;
    for (const [number, code, text] of CARDS) {
      it(`is ${code} for the card ${number}, also when the request is repeated`, async () => {
        const partner = await api().bearer();
        const card = { number };
        for (const [path, body, status] of [
          [ARTISTA, artistOrder({ payment: byCard({}, card) }), 400],
          [CELULAR, phoneOrder({ creditCard: creditCard(card) }), 422],
        ] as const) {
          const headers = { ...partner, 'Idempotency-Key': `${path}-${code}` };
          const first = await api().post(path, body, headers);
          const again = await api().post(path, body, headers);
          expect([first.status, first.headers.get('X-Error-Code')]).to.deep.equal([status, code]);
          expect(first.body.response ?? first.body.error).to.match(text);
          expect(again.headers.get('X-Error-Code')).to.equal(code);
          expect(again.body).to.deep.equal(first.body);
        }
      });
    }
  });
});

describe('the header of fields at fault', () => {
  const of = (...names: string[]): string | undefined => {
    const faults = names.map((name) => [name, [complain('unknown', 'x')]] as const);
    return faultHeaders(Object.fromEntries(faults))['X-Error-Fields'];
  };

  it('escapes what could end a name, a value or the header', () => {
    expect(of('a b', 'c=d,e', 'ç', '\r\nX: y', "!'()*~", '\ud800')).to.equal(
      [
        'a%20b=unknown',
        'c%3Dd%2Ce=unknown',
        '%C3%A7=unknown',
        '%0D%0AX%3A%20y=unknown',
        '%21%27%28%29%2A%7E=unknown',
        '%EF%BF%BD=unknown',
      ].join(', '),
    );
  });

  it('has 1,000 characters at most, and only whole items', () => {
    const names = Array.from({ length: 500 }, (_, index) => `field${index}`);
    const value = of(...names) ?? '';
    expect(value.length).to.be.within(980, 1_000);
    expect(value.split(', ').every((item) => /^field\d+=unknown$/.test(item))).to.equal(true);
    expect(of('x'.repeat(2_000), 'y')).to.equal('y=unknown');
    expect(of('x'.repeat(2_000))).to.equal(undefined);
  });
});
