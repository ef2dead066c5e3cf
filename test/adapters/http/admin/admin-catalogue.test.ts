import { expect } from 'chai';
import { type Answer, CREATE, mainBody, STATUS, withApi } from '../../../support/api.ts';

const PRODUCTS = '/admin/products';
const CHANNELS = '/admin/channels';

const FIVE = { kind: 'fixed', amount: 5 };

/** A product as an administrator writes it, with changes. */
const body = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: 50,
  name: 'Meia-entrada Protegida',
  line: 'event_ticket',
  iofClass: 'general',
  registration: {
    susepProcess: '15414.900050/2026-00',
    branchCode: '71',
    branchName: 'Riscos diversos',
    insurer: { name: 'Seguradora Demonstração S.A.', cnpj: '11222333000181', susepCode: '00000' },
  },
  plans: [
    {
      id: 51,
      code: 'PADRAO',
      name: 'Padrão',
      tariff: { kind: 'rate', rate: 12.5 },
      period: { kind: 'payment_to_event' },
    },
  ],
  ...over,
});

describe('/admin/products and /admin/channels', () => {
  withApi((api) => {
    let administrator: { Authorization: string };
    before(async () => {
      administrator = await api().bearer(null);
    });
    const put = (path: string, definition: object): Promise<Answer> =>
      api().put(path, definition, administrator);
    const get = (path: string): Promise<Answer> => api().get(path, administrator);

    it('sells after three calls: a product, a channel that may sell it, and a client', async () => {
      const created = await put(`${PRODUCTS}/MEIA`, body());
      expect(created.status).to.equal(201);
      expect(created.body.response.data).to.deep.include({
        code: 'MEIA',
        pricingBasis: 'net',
        rounding: 'half-up',
        collectedBy: 'either',
        attributes: {},
        commissionCap: 100,
        coverages: [],
        version: 1,
        updated_at: '2026-11-20T15:00:00.000Z',
      });
      expect(created.body.response.data.plans[0]).to.deep.include({
        tariff: { kind: 'rate', rate: 12.5, minimum: 0 },
        maxInstallments: 1,
      });

      const channel = await put(`${CHANNELS}/teatro`, {
        name: 'Teatro',
        products: [{ code: 'MEIA', commissionRate: 12.5 }],
      });
      expect(channel.status).to.equal(201);
      expect(channel.body.response.data).to.deep.equal({
        channelLink: 'teatro',
        name: 'Teatro',
        active: true,
        products: [{ code: 'MEIA', commissionRate: 12.5, plans: [] }],
        group: 0,
        version: 1,
        effectiveFrom: '2026-11-20',
        upcoming: [],
        updated_at: '2026-11-20T15:00:00.000Z',
      });
      const sale = await api().post(
        CREATE,
        mainBody({ productId: 50, channelLink: 'teatro' }),
        await api().bearer('teatro'),
      );
      expect(sale.status).to.equal(200);
    });

    it('accepts what it returned, and stores no new version', async () => {
      for (const path of [
        `${PRODUCTS}/INGRESSO`,
        `${PRODUCTS}/ARTISTA`,
        `${PRODUCTS}/CELULAR`,
        `${CHANNELS}/canal-demo`,
      ]) {
        const { body: read } = await get(path);
        const again = await put(path, read.response.data);
        expect([again.status, again.body], path).to.deep.equal([200, read]);
      }
      const log = await get('/admin/audit?subject=product%2FINGRESSO');
      expect(log.body.response.data.map(({ actor }: { actor: object }) => actor)).to.deep.equal([
        { kind: 'service', name: null },
      ]);
    });

    it('takes what the certificate says of a plan, its coverages and a channel', async () => {
      const plan = {
        ...planOf(body()),
        id: 41_001,
        includes: [
          {
            name: 'Roubo',
            premiumShare: 60,
            limit: 1_500.5,
            description: 'Subtração com violência.',
            notCovered: ['furto simples'],
          },
          { name: 'Furto qualificado', premiumShare: 40 },
        ],
        deductible: { kind: 'rate', rate: 12.5 },
        waitingDays: 30,
        exclusions: ['guerra'],
        claimDocuments: ['boletim de ocorrência'],
        claimContact: 'sinistro@seguradora.example',
      };
      const tela = {
        id: 1,
        code: 'TELA',
        name: 'Tela',
        premiumShare: 12.5,
        notCovered: ['riscos'],
      };
      const created = await put(
        `${PRODUCTS}/CERTIFICADO`,
        body({ id: 41_000, plans: [plan], coverages: [tela] }),
      );
      expect(created.status, JSON.stringify(created.body)).to.equal(201);
      const { plans, coverages } = created.body.response.data;
      expect(plans[0]).to.deep.include({
        ...plan,
        tariff: { kind: 'rate', rate: 12.5, minimum: 0 },
        deductible: { kind: 'rate', rate: 12.5, minimum: 0 },
      });
      expect(coverages).to.deep.equal([{ ...tela, tariff: { kind: 'fixed', amount: 0 } }]);
      const read = await get(`${PRODUCTS}/CERTIFICADO`);
      expect(read.body).to.deep.equal(created.body);

      const channel = { cnpj: '12ABC34501DE35', role: 'corretor', products: [] };
      for (const role of ['corretor', 'representante', 'estipulante']) {
        const sent = await put(`${CHANNELS}/papeis`, { ...channel, name: 'Papéis', role });
        expect(sent.body.response.data).to.deep.include({ cnpj: '12ABC34501DE35', role });
      }
    });

    it('keeps the terms of earlier sales, and shows both versions', async () => {
      const seller = await api().bearer('canal-demo');
      const key = { 'Idempotency-Key': 'before-the-change' };
      const first = await api().post(CREATE, mainBody({ valorSeguro: 100 }), { ...seller, ...key });
      const { body: read } = await get(`${PRODUCTS}/INGRESSO`);
      const before = read.response.data;
      const changed = await put(`${PRODUCTS}/INGRESSO`, {
        ...before,
        iofClass: 'life',
        pricingBasis: 'gross',
      });
      expect([changed.status, changed.body.response.data.version]).to.deep.equal([
        200,
        before.version + 1,
      ]);

      const second = await api().post(CREATE, mainBody({ valorSeguro: 100 }), seller);
      expect(first.body.data.calculo_iof).to.deep.include({
        valor_premio: 100,
        valor_iof: 7.38,
        valor_total: 107.38,
      });
      expect(second.body.data.calculo_iof).to.deep.include({
        percentual_iof: 0.38,
        valor_total: 100,
      });
      const replay = await api().post(CREATE, mainBody({ valorSeguro: 100 }), {
        ...seller,
        ...key,
      });
      expect(replay.body).to.deep.equal(first.body);
      expect(
        (await api().get(`${STATUS}/${first.body.data.transaction_id}`, seller)).body.data.status,
      ).to.equal('paid');

      expect(
        (await get(`${PRODUCTS}/INGRESSO?version=${before.version}`)).body.response.data,
      ).to.deep.equal(before);
      expect((await get(`${PRODUCTS}/INGRESSO?version=99`)).status).to.equal(404);
      await put(`${PRODUCTS}/INGRESSO`, { ...before, version: undefined });
    });

    it('stops the sales of a deactivated channel at the next request', async () => {
      const seller = await api().bearer('canal-demo');
      const { body: read } = await get(`${CHANNELS}/canal-demo`);
      await put(`${CHANNELS}/canal-demo`, { ...read.response.data, active: false });
      expect((await api().post(CREATE, mainBody(), seller)).status).to.equal(403);
      await put(`${CHANNELS}/canal-demo`, { ...read.response.data, version: undefined });
      expect((await api().post(CREATE, mainBody(), seller)).status).to.equal(200);
    });

    it('lists products and channels page by page', async () => {
      const { body: first } = await get(`${PRODUCTS}?limit=3`);
      expect(first.response.data.map(({ code }: { code: string }) => code)).to.deep.equal([
        'INGRESSO',
        'ARTISTA',
        'CELULAR',
      ]);
      const { body: rest } = await get(`${PRODUCTS}?cursor=${first.response.next_cursor}`);
      expect(rest.response.data.map(({ code }: { code: string }) => code)).to.include('LUA_DE_MEL');
      expect(rest.response.next_cursor).to.equal(null);
      const { body: channels } = await get(CHANNELS);
      expect(
        channels.response.data.map(({ channelLink }: { channelLink: string }) => channelLink),
      ).to.include('canal-demo');
    });

    it('answers 404 to unknown names and versions', async () => {
      for (const path of [
        `${PRODUCTS}/NADA`,
        `${CHANNELS}/nada`,
        `${PRODUCTS}/%00`,
        `${CHANNELS}/canal-demo?version=7`,
      ]) {
        const { status, body: answer } = await get(path);
        expect([status, answer.success], path).to.deep.equal([404, false]);
      }
    });

    it('refuses a body with an outdated version', async () => {
      await put(`${PRODUCTS}/VERSOES`, body({ id: 60, plans: [{ ...planOf(body()), id: 61 }] }));
      const second = await put(
        `${PRODUCTS}/VERSOES`,
        body({ id: 60, name: 'B', version: 1, plans: [{ ...planOf(body()), id: 61 }] }),
      );
      expect([second.status, second.body.response.data.version]).to.deep.equal([200, 2]);
      const stale = await put(
        `${PRODUCTS}/VERSOES`,
        body({ id: 60, name: 'C', version: 1, plans: [{ ...planOf(body()), id: 61 }] }),
      );
      expect([stale.status, stale.body.version]).to.deep.equal([409, 2]);
    });

    it('refuses a change that invalidates other entries, and names them', async () => {
      const { body: read } = await get(`${PRODUCTS}/CELULAR`);
      const lowered = await put(`${PRODUCTS}/CELULAR`, {
        ...read.response.data,
        commissionCap: 19.9,
      });
      expect(lowered.status).to.equal(409);
      expect(lowered.body.conflicts).to.deep.equal([
        'O campo products.2.commissionRate do canal canal-demo passa do teto de comissão do produto, 19.9 % ao todo.',
      ]);
    });

    /** Changes to a valid body, and the fields at fault. */
    const PRODUCT_FAULTS: readonly [Record<string, unknown>, ...string[]][] = [
      [{ id: 0 }, 'id'],
      [{ id: '50' }, 'id'],
      [{ name: 'X\u0000' }, 'name'],
      [{ line: 'Ticket' }, 'line'],
      [{ iofClass: 'none' }, 'iofClass'],
      [{ pricingBasis: 'gros' }, 'pricingBasis'],
      [{ commissionCap: 100.5 }, 'commissionCap'],
      [{ plans: [] }, 'plans'],
      [{ plans: 'x' }, 'plans'],
      [{ code: 'OUTRO' }, 'code'],
      [{ nome: 'typo' }, 'nome'],
      [
        { coverages: [{ id: 1, code: 'A', name: 'A', tariff: { kind: 'declared' } }] },
        'coverages.0.tariff.kind',
      ],
      [
        { plans: [{ ...planOf(body()), tariff: { kind: 'fixed', amount: 10.005 } }] },
        'plans.0.tariff.amount',
      ],
      [
        { plans: [{ ...planOf(body()), tariff: { kind: 'fixed', amount: 0 } }] },
        'plans.0.tariff.amount',
      ],
      [{ plans: [{ ...planOf(body()), tariff: { kind: 'fixed' } }] }, 'plans.0.tariff.amount'],
      [
        { plans: [{ ...planOf(body()), tariff: { kind: 'rate', rate: 7.38001 } }] },
        'plans.0.tariff.rate',
      ],
      [
        { plans: [{ ...planOf(body()), tariff: { kind: 'declared', amount: 1 } }] },
        'plans.0.tariff.amount',
      ],
      [{ plans: [{ ...planOf(body()), period: { kind: 'months' } }] }, 'plans.0.period.months'],
      [{ plans: [planOf(body()), planOf(body())] }, 'plans.1.code', 'plans.1.id'],
      [{ plans: [null] }, 'plans.0'],
      [
        { registration: { ...(body()['registration'] as object), susepProcess: '15414' } },
        'registration.susepProcess',
      ],
      [
        {
          id: undefined,
          iofClass: undefined,
          plans: [{ ...planOf(body()), tariff: { kind: 'fixed', amount: -1 } }],
        },
        'id',
        'iofClass',
        'plans.0.tariff.amount',
      ],
      [{ id: 70, plans: [{ ...planOf(body()), id: 11 }] }, 'plans.0.id'],
      [
        {
          plans: [
            { ...planOf(body()), waitingDays: -1, exclusions: 'chuva', claimContact: 'x\u0000' },
          ],
        },
        ...['plans.0.waitingDays', 'plans.0.exclusions', 'plans.0.claimContact'],
      ],
      [{ plans: [{ ...planOf(body()), exclusions: ['chuva', 'a  b'] }] }, 'plans.0.exclusions.1'],
      [
        { plans: [{ ...planOf(body()), deductible: { kind: 'fixed' }, waitingDays: 1_096 }] },
        'plans.0.deductible.amount',
        'plans.0.waitingDays',
      ],
      [
        { plans: [{ ...planOf(body()), includes: [{ name: 'Roubo', premiumShare: 99.9999 }] }] },
        'plans.0.includes',
      ],
      [
        { coverages: [{ id: 1, code: 'A', name: 'A', tariff: FIVE, premiumShare: 10 }] },
        'coverages.0.premiumShare',
      ],
      [{ coverages: [{ id: 1, code: 'A', name: 'A' }] }, 'coverages.0.tariff'],
      [
        {
          coverages: [
            { id: 1, code: 'A', name: 'A', premiumShare: 60 },
            { id: 2, code: 'B', name: 'B', premiumShare: 60 },
          ],
        },
        'coverages',
      ],
      [
        { coverages: [{ id: 1, code: 'A', name: 'A', premiumShare: 101, notCovered: [7] }] },
        'coverages.0.premiumShare',
        'coverages.0.notCovered.0',
      ],
    ];
    for (const [over, ...fields] of PRODUCT_FAULTS) {
      it(`refuses ${JSON.stringify(over)} at ${fields.join(' and ')}`, async () => {
        const { status, body: answer } = await put(`${PRODUCTS}/FALHO`, body(over));
        expect(status).to.equal(422);
        expect(Object.keys(answer.errors)).to.have.members(fields);
        for (const field of fields)
          expect(answer.errors[field][0]).to.match(new RegExp(`^O campo ${field} .+\\.$`));
        expect((await get(`${PRODUCTS}/FALHO`)).status).to.equal(404);
      });
    }

    const CHANNEL_FAULTS: readonly [Record<string, unknown>, ...string[]][] = [
      [{ name: '' }, 'name'],
      [{ active: 'sim' }, 'active'],
      [{ products: undefined }, 'products'],
      [{ products: [{ code: 'INGRESSO' }] }, 'products.0.commissionRate'],
      [{ products: [{ code: 'INGRESSO', commissionRate: 100.1 }] }, 'products.0.commissionRate'],
      [{ products: [{ code: 'INGRESSO', commissionRate: '20' }] }, 'products.0.commissionRate'],
      [{ products: [{ code: 'NADA', commissionRate: 20 }] }, 'products.0.code'],
      [
        {
          products: [
            { code: 'INGRESSO', commissionRate: 20, plans: [{ code: 'NADA', commissionRate: 20 }] },
          ],
        },
        'products.0.plans.0.code',
      ],
      [
        { products: [{ code: 'INGRESSO', commissionRate: 20, commissions: [] }] },
        'products.0.commissionRate',
      ],
      [
        { products: ['INGRESSO', 'INGRESSO'].map((code) => ({ code, commissionRate: 20 })) },
        'products.1.code',
      ],
      [{ channelLink: 'outro' }, 'channelLink'],
      [{ cnpj: '11.222.333/0001-81' }, 'cnpj'],
      [{ cnpj: '11222333000182' }, 'cnpj'],
      [{ role: 'broker' }, 'role'],
      [
        { returnOrigins: ['http://loja.example', 'https://a.example/x'] },
        'returnOrigins.0',
        'returnOrigins.1',
      ],
      [{ returnOrigins: ['https://a.example', 'https://a.example'] }, 'returnOrigins.1'],
      [
        { returnOrigins: Array.from({ length: 21 }, (_, n) => `https://a${n}.example`) },
        'returnOrigins',
      ],
      [{ role: 'constructor' }, 'role'],
    ];
    for (const [over, ...fields] of CHANNEL_FAULTS) {
      it(`refuses a channel ${JSON.stringify(over)} at ${fields.join(' and ')}`, async () => {
        const { status, body: answer } = await put(`${CHANNELS}/falho`, {
          name: 'Falho',
          products: [],
          ...over,
        });
        expect(status).to.equal(422);
        expect(Object.keys(answer.errors)).to.have.members(fields);
        expect((await get(`${CHANNELS}/falho`)).status).to.equal(404);
      });
    }

    it('refuses unknown fields that are named like methods of Object', async () => {
      for (const name of ['constructor', 'toString', 'valueOf', '__proto__', '__defineGetter__']) {
        const text = JSON.stringify(body()).replace(/^\{/, `{"${name}":1,`);
        const init = {
          method: 'PUT',
          body: text,
          headers: { ...administrator, 'Content-Type': 'application/json' },
        };
        const { status, body: answer } = await api().call(`${PRODUCTS}/FALHO`, init);
        expect([status, Object.keys(answer.errors)], name).to.deep.equal([422, [name]]);
        expect((await api().call(`${CHANNELS}/falho`, init)).status, name).to.equal(422);
      }
    });

    it('treats null as absent at every level, also beside a fault', async () => {
      const nulls = {
        coverages: null,
        commissionCap: null,
        pricingBasis: null,
        cancellation: null,
      };
      const plans = [{ ...planOf(body()), id: 81, period: null, maxInstallments: null }];
      const faulty = await put(`${PRODUCTS}/NULOS`, body({ ...nulls, id: 0, plans }));
      expect([faulty.status, Object.keys(faulty.body.errors)]).to.deep.equal([422, ['id']]);
      expect((await put(`${PRODUCTS}/NULOS`, body({ ...nulls, id: 80, plans }))).status).to.equal(
        201,
      );
    });

    it('reports a fault of a commission at the field that was sent', async () => {
      const channel = (rates: object) => ({
        name: 'X',
        products: [{ code: 'INGRESSO', ...rates }],
      });
      const fieldsOf = async (rates: object) =>
        Object.keys((await put(`${CHANNELS}/falho`, channel(rates))).body.errors);
      expect(await fieldsOf({ commissions: [{ kind: 'brokerage', rate: 7.12345 }] })).to.deep.equal(
        ['products.0.commissions.0.rate'],
      );
      const above = ['brokerage', 'agency'].map((kind) => ({ kind, rate: 60 }));
      expect(await fieldsOf({ commissions: above })).to.deep.equal(['products.0.commissions']);
      expect(await fieldsOf({ commissionRate: 101 })).to.deep.equal(['products.0.commissionRate']);
    });

    it('lists no more than a hundred faults of a hostile body', async () => {
      const { status, body: answer } = await put(`${CHANNELS}/falho`, {
        name: 'X',
        products: Array(50_000).fill(1),
      });
      expect(status).to.equal(422);
      expect(Object.keys(answer.errors)).to.have.length.below(210);
    });

    it('refuses unknown parameters, impossible versions, and the name of another entry', async () => {
      expect((await put(`${PRODUCTS}/FALHO?version=0`, body())).status).to.equal(422);
      for (const limit of ['0x10', '1e2', ' 1', '-1', '201'])
        expect(
          (await get(`${PRODUCTS}?limit=${encodeURIComponent(limit)}`)).status,
          limit,
        ).to.equal(422);
      expect((await get(`${PRODUCTS}/INGRESSO?version=1e400`)).status).to.equal(422);
      expect(
        (await get(`${PRODUCTS}?cursor=${Buffer.from('NADA').toString('base64url')}`)).body.response
          .data,
      ).to.deep.equal([]);
      const { body: read } = await get(`${PRODUCTS}/CELULAR`);
      const renumbered = await put(`${PRODUCTS}/CELULAR`, { ...read.response.data, id: 33 });
      expect([renumbered.status, renumbered.body.errors]).to.deep.equal([
        422,
        { id: ['O campo id deve ser um destes: 3.'] },
      ]);
      const unborn = await put(
        `${PRODUCTS}/FALHO`,
        body({ id: 90, version: 2, plans: [{ ...planOf(body()), id: 91 }] }),
      );
      expect([unborn.status, unborn.body.response]).to.deep.equal([409, 'Ainda não existe.']);
    });

    it('refuses names that do not fit into a URL', async () => {
      for (const name of ['a%20b', '%00', '-', 'x'.repeat(101), '%F0%9F%8E%AB']) {
        const { status } = await put(`${CHANNELS}/${name}`, { name: 'X', products: [] });
        expect(status, name).to.equal(422);
      }
      expect((await put(`${CHANNELS}/%`, { name: 'X', products: [] })).status).to.equal(422);
    });

    it('accepts several commissions of a channel, and returns them', async () => {
      const commissions = [
        { kind: 'brokerage', rate: 10 },
        { kind: 'agency', rate: 2.5 },
      ];
      const { status, body: answer } = await put(`${CHANNELS}/corretora`, {
        name: 'Corretora',
        products: [{ code: 'CELULAR', commissions, plans: [{ code: 'ANUAL', commissionRate: 5 }] }],
      });
      expect(status).to.equal(201);
      expect(answer.response.data.products).to.deep.equal([
        { code: 'CELULAR', commissions, plans: [{ code: 'ANUAL', commissionRate: 5 }] },
      ]);
    });
  });
});

function planOf(product: Record<string, unknown>): object {
  return (product['plans'] as object[])[0] as object;
}
