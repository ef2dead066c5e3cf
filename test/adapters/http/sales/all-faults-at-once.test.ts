import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { Channel } from '#domain';
import { DEMO_CHANNEL } from '../../../../bootstrap/processes/demo-catalogue.ts';
import { type Answer, CREATE, mainBody, quickStartBody, withApi } from '../../../support/api.ts';
import { petProduct, SALE, saleOrder } from '../../../support/generic-sales.ts';
import { ADMINISTRATOR } from '../../../support/identity.ts';
import { address, artistOrder, byCard, creditCard, phoneOrder } from '../../../support/orders.ts';

type Fields = Record<string, unknown>;

/** A single fault: what is changed in a valid body, and the fields at which it is shown. */
interface Fault {
  /** The fields to set, dotted; `undefined` removes one. */
  readonly set: Fields;
  /** The fields at fault; absent: those that are set. */
  readonly at?: readonly string[];
  /** What a rule needs to be checked, and what the fault leaves unknown. */
  readonly needs?: string;
  readonly breaks?: string;
}

const ARTIST = '/seguros/artista-protegido/create';
const PHONE = '/seguros/seguro-celular/create';
const TOMORROW = '2026-11-21';

const acceptance = (acceptedAt: string) => ({
  acceptedAt,
  termsVersion: '1',
  termsHash: 'a'.repeat(64),
});

const person = (birthDate: string) => ({ name: 'João', cpfOrCnpj: '52998224725', birthDate });

const LATE_ACCEPTANCE: Fault = {
  set: { acceptance: acceptance('2027-01-01T00:00:00Z') },
  at: ['acceptance.acceptedAt'],
};

/** Faults of every body of the generic sale. */
const GENERIC: readonly Fault[] = [
  { set: { externalSaleId: '..' } },
  { set: { 'insured.email': 'maria' } },
  { set: { 'insured.name': undefined } },
  { set: { 'insured.cpfOrCnpj': '52998224726' } },
  { set: { 'insured.birthDate': TOMORROW } },
  { set: { plano: 1 } },
  { set: { 'insured.address': { ...address, state: 'RJ' } }, at: ['insured.address.ibgeCode'] },
  { set: { additionalInsured: [person(TOMORROW)] }, at: ['additionalInsured.0.birthDate'] },
  { set: { 'product.code': 7, 'product.id': undefined }, at: ['product.code'], breaks: 'product' },
  { set: { 'plan.id': 'x' }, breaks: 'plan' },
  { set: { plan: {} }, at: ['plan.id'], breaks: 'plan' },
  { set: { 'plan.code': 'NENHUM' }, needs: 'product', breaks: 'plan' },
  { set: { coverages: [{ id: 'x' }] }, at: ['coverages.0.id'], breaks: 'coverages' },
  { set: { coverages: [{}] }, at: ['coverages.0.id'], breaks: 'coverages' },
  {
    set: { coverages: [{ code: 'NENHUMA' }, { id: 9_999 }] },
    at: ['coverages.0.code', 'coverages.1.id'],
    needs: 'product',
    breaks: 'coverages',
  },
  { set: { 'attributes.note': ' ' }, breaks: 'note' },
  LATE_ACCEPTANCE,
];

const WAY_BACK: readonly Fault[] = [
  { set: { return_url: 'https://outra.example/fim' } },
  { set: { return_url: 'http://loja.example/fim' } },
];

const PAID: readonly Fault[] = [
  ...WAY_BACK,
  { set: { 'payment.paidAt': TOMORROW }, breaks: 'paidOn' },
  { set: { 'payment.paidAt': 'ontem' }, breaks: 'paidOn' },
];

const PENDING: readonly Fault[] = [
  ...WAY_BACK,
  { set: { 'payment.paidAt': '2026-11-20' } },
  { set: { 'payment.installments': 0 }, breaks: 'installments' },
  { set: { 'payment.installments': 3 }, needs: 'product plan installments' },
];

/** Declared figures of a price that depends on these parts. */
const figures = (needs: string, ...wrong: readonly string[]): readonly Fault[] =>
  wrong.map((figure) => ({
    set: { [`amounts.${figure}`]: 1 },
    needs: `product plan coverages ${needs}`,
  }));

/** Every kind of tariff and period, collected by the channel and by the service. */
const CASES: readonly {
  readonly what: string;
  readonly path: string;
  readonly body: Fields;
  readonly faults: readonly Fault[];
}[] = [
  {
    what: 'the generic sale: fixed price, declared period',
    path: SALE,
    body: saleOrder(),
    faults: [
      ...GENERIC,
      ...PAID,
      ...figures('paidOn', 'netPremium', 'iof', 'total'),
      { set: { 'amounts.insuredAmount': -1 } },
      { set: { saleDate: TOMORROW } },
      { set: { coverage: undefined }, needs: 'product plan', breaks: 'period' },
      { set: { 'coverage.startDate': '2199-13-01' }, breaks: 'period' },
      { set: { 'coverage.endDate': '2199-01-01' }, needs: 'product plan period' },
      {
        set: { coverage: { startDate: '2020-01-01', endDate: '2020-01-02' } },
        at: ['coverage.endDate'],
        needs: 'product plan period paidOn',
      },
    ],
  },
  {
    what: 'the generic sale: price by rate, period to the event',
    path: SALE,
    body: saleOrder({
      product: { code: 'INGRESSO' },
      coverage: undefined,
      amounts: { insuredAmount: 1886 },
      attributes: { eventDate: '2026-12-31' },
    }),
    faults: [
      ...GENERIC,
      ...PAID,
      ...figures('paidOn insuredAmount', 'netPremium', 'iof', 'total'),
      { set: { 'amounts.insuredAmount': -1 }, breaks: 'insuredAmount' },
      {
        set: { 'amounts.insuredAmount': undefined },
        at: ['amounts.insuredAmount'],
        needs: 'product plan coverages paidOn',
        breaks: 'insuredAmount',
      },
      {
        set: { 'attributes.eventDate': '2026-11-19' },
        needs: 'product plan paidOn',
        breaks: 'eventOn',
      },
      { set: { 'attributes.eventDate': 'amanhã' }, needs: 'product', breaks: 'eventOn' },
      {
        set: { coverage: { startDate: '2026-11-20', endDate: '2026-12-30' } },
        at: ['coverage.endDate'],
        needs: 'product plan paidOn eventOn',
      },
    ],
  },
  {
    what: 'the generic sale: declared price, paid to the service',
    path: SALE,
    body: saleOrder({
      product: { code: 'ARTISTA' },
      payment: { status: 'pending', method: 'credito' },
      amounts: { netPremium: 100 },
    }),
    faults: [
      ...GENERIC,
      ...PENDING,
      ...figures('net', 'iof', 'total'),
      { set: { 'amounts.netPremium': -1 }, breaks: 'net' },
      {
        set: { 'amounts.netPremium': undefined },
        at: ['amounts.netPremium'],
        needs: 'product plan coverages',
        breaks: 'net',
      },
      { set: { 'coverage.endDate': '2199-01-01' }, needs: 'product plan' },
    ],
  },
  {
    what: 'the generic sale: months of cover, paid to the service',
    path: SALE,
    body: saleOrder({
      product: { code: 'CELULAR' },
      coverage: undefined,
      payment: { status: 'pending', method: 'pix' },
      attributes: {},
    }),
    faults: [
      ...GENERIC,
      ...PENDING,
      ...figures('', 'netPremium', 'iof', 'total'),
      { set: { saleDate: TOMORROW }, breaks: 'soldOn' },
      { set: { saleDate: 'hoje' }, breaks: 'soldOn' },
      { set: { saleDate: '2020-01-01' }, needs: 'product plan soldOn', breaks: 'soldOn' },
      {
        set: { coverage: { startDate: '2026-11-20', endDate: '2026-12-18' } },
        at: ['coverage.endDate'],
        needs: 'product plan soldOn',
      },
    ],
  },
  {
    what: 'the generic sale: attributes with a schema, a collector of its own',
    path: SALE,
    body: saleOrder({
      product: { code: 'PET' },
      coverage: undefined,
      payment: { status: 'pending', method: 'boleto' },
      amounts: { insuredAmount: 1_000 },
      attributes: { species: 'dog', petName: 'Rex' },
    }),
    faults: [
      ...GENERIC.filter(({ set }) => !('attributes.note' in set)),
      ...figures('insuredAmount', 'iof', 'total'),
      { set: { 'attributes.species': 'fish' }, needs: 'product' },
      { set: { 'attributes.petName': undefined }, needs: 'product' },
      { set: { 'attributes.petName': 'x'.repeat(2_001) } },
      { set: { 'attributes.nome': 'Rex' }, needs: 'product' },
      { set: { 'payment.status': 'paid' }, needs: 'product', breaks: 'collector' },
    ],
  },
  {
    what: 'Ingresso',
    path: CREATE,
    body: mainBody(),
    faults: [
      { set: { email: 'maria' } },
      { set: { cpfCnpj: undefined } },
      { set: { dataNascimento: TOMORROW } },
      { set: { externalSaleId: '.' } },
      { set: { productId: 99 }, breaks: 'product' },
      { set: { valorSeguro: 0 }, breaks: 'price' },
      { set: { valorIngresso: -5 } },
      { set: { dataPagamento: TOMORROW }, needs: 'paidOn' },
      { set: { dataPagamento: 'hoje' }, breaks: 'paidOn' },
      { set: { dataEvento: '2026-11-19' }, needs: 'paidOn' },
      LATE_ACCEPTANCE,
    ],
  },
  {
    what: 'Ingresso, quick start',
    path: CREATE,
    body: quickStartBody(),
    faults: [
      { set: { email: 'maria' } },
      { set: { birthDate: TOMORROW } },
      { set: { type: 'NENHUM' } },
      { set: { valorTotal: '1,00' } },
      { set: { eventDate: '2026-11-19' } },
      { set: { tipoIngresso: 'x' } },
      LATE_ACCEPTANCE,
    ],
  },
  {
    what: 'Artista',
    path: ARTIST,
    body: artistOrder({ payment: byCard() }),
    faults: [
      ...WAY_BACK,
      { set: { email: 'maria' } },
      { set: { birthDate: TOMORROW } },
      { set: { productId: 99 }, breaks: 'product' },
      { set: { plan: {} }, at: ['plan.id'], breaks: 'plan' },
      { set: { plan: { code: 'NENHUM' } }, at: ['plan.code'], needs: 'product', breaks: 'plan' },
      {
        set: { insurance: [{ code: 'NENHUMA' }] },
        at: ['insurance.0.code'],
        needs: 'product',
        breaks: 'coverages',
      },
      { set: { premiumTaxes: 1 }, needs: 'product plan coverages price' },
      { set: { premiumTaxes: -1 } },
      { set: { premiumNet: 0 }, breaks: 'price' },
      { set: { saleDate: TOMORROW } },
      { set: { disassemblyEndDate: '2026-01-01' }, breaks: 'period' },
      { set: { 'payment.totalInstallmentNumber': 13 }, breaks: 'installments' },
      { set: { 'payment.modeCode': '3' }, breaks: 'installments' },
      { set: { 'payment.creditCard.number': '4111111111111112' } },
      { set: { 'payment.creditCard.expiryYear': '20' } },
      { set: { 'payment.firstInstallmentDate': '2026-11-19' } },
      { set: { 'address.state': 'RJ' }, at: ['address.ibgeCode'] },
      { set: { additionalInsured: [person(TOMORROW)] }, at: ['additionalInsured.0.birthDate'] },
      LATE_ACCEPTANCE,
    ],
  },
  {
    what: 'Artista by boleto',
    path: ARTIST,
    body: artistOrder(),
    faults: [
      ...WAY_BACK,
      { set: { phone: '1' } },
      { set: { standArea: 0 } },
      { set: { 'payment.totalInstallmentNumber': 2 }, needs: 'product plan' },
      { set: { 'payment.creditCard': creditCard() }, at: ['payment.modeCode'], breaks: 'plan' },
      { set: { plan: { id: 'x' } }, at: ['plan.id'], breaks: 'plan' },
      { set: { premiumTaxes: 1 }, needs: 'product plan' },
    ],
  },
  {
    what: 'Celular',
    path: PHONE,
    body: phoneOrder(),
    faults: [
      ...WAY_BACK,
      { set: { email: 'maria' } },
      { set: { birthDate: TOMORROW } },
      { set: { productId: 99 }, breaks: 'product' },
      { set: { plan: { code: 'NENHUM' } }, at: ['plan.code'], needs: 'product', breaks: 'plan' },
      { set: { insurance: [{ id: 999 }] }, at: ['insurance.0.id'], needs: 'product' },
      { set: { insurance: [{}] }, at: ['insurance.0.id'] },
      { set: { 'device.imei': '490154203237519' } },
      { set: { 'device.purchaseDate': TOMORROW } },
      { set: { 'device.value': -1 } },
      { set: { saleDate: '2020-01-01' }, needs: 'product plan' },
      { set: { 'payment.totalInstallmentNumber': 2 }, needs: 'product plan installments' },
      { set: { 'payment.modeCode': '3' }, breaks: 'installments' },
      { set: { creditCard: 'x' }, breaks: 'installments' },
      LATE_ACCEPTANCE,
    ],
  },
];

/** The body with these fields set, dotted. */
const change = (body: Fields, set: Fields): Fields => {
  const changed = structuredClone(body);
  for (const [path, value] of Object.entries(set)) {
    const names = path.split('.');
    const last = names.pop() as string;
    let inside: Fields = changed;
    for (const name of names) {
      inside[name] ??= {};
      inside = inside[name] as Fields;
    }
    inside[last] = value;
  }
  return changed;
};

const fieldsOf = ({ set, at = Object.keys(set) }: Fault): readonly string[] => at;

const words = (text = ''): readonly string[] => text.split(' ').filter(Boolean);

const isInside = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);

/** Whether a body can have both faults, and each can be told whatever the other is. */
const areIndependent = (one: Fault, other: Fault): boolean => {
  const touches = [one, other].map((each) => [...Object.keys(each.set), ...fieldsOf(each)]);
  const [mine = [], theirs = []] = touches;
  const isBroken = (each: Fault, by: Fault) =>
    words(each.needs).some((part) => words(by.breaks).includes(part)) ||
    (words(each.needs).includes('product') && words(by.breaks).includes('product'));
  return (
    !mine.some((path) => theirs.some((their) => isInside(path, their))) &&
    !isBroken(one, other) &&
    !isBroken(other, one)
  );
};

/** The fields at fault, from the header that every answer with faults has. */
const faultyFields = ({ headers }: Answer): readonly string[] => {
  const fields = (headers.get('X-Error-Fields') ?? '')
    .split(', ')
    .map((item) => decodeURIComponent(item.split('=')[0] ?? ''));
  return [...new Set(fields)].sort();
};

describe('all faults of a sale at once', () => {
  withApi(
    (api) => {
      let bearer: { Authorization: string };
      before(async () => {
        bearer = await api().bearer();
        const { putChannel } = api().memory.useCases.manageCatalogue;
        const pet = petProduct({ collectedBy: 'service' });
        const admin = await api().bearer(null);
        expect((await api().put('/admin/products/PET', pet, admin)).status).to.equal(201);
        const grant = { productCode: 'PET', commissions: [], plans: [] };
        const channel: Channel = { ...DEMO_CHANNEL, grants: [...DEMO_CHANNEL.grants, grant] };
        await putChannel(channel, ADMINISTRATOR);
      });

      for (const { what, path, body, faults } of CASES)
        describe(what, () => {
          const send = (set: Fields) => api().post(path, change(body, set), bearer);

          /** What the answer told, if it was not exactly these faults. */
          const findMistake = async (...each: readonly Fault[]): Promise<string | undefined> => {
            const set = Object.assign({}, ...each.map((fault) => fault.set));
            const answer = await send(set);
            const told = faultyFields(answer);
            const right = [...new Set(each.flatMap(fieldsOf))].sort();
            return isDeepStrictEqual(told, right)
              ? undefined
              : `${JSON.stringify(set)}: ${told} instead of ${right}`;
          };

          it('is sold without them', async () => {
            expect((await send({ externalSaleId: what })).status).to.be.oneOf([200, 201]);
          });

          it('tells each at its field', async () => {
            const mistakes = [];
            for (const fault of faults) mistakes.push((await findMistake(fault)) ?? []);
            expect(mistakes.flat()).to.deep.equal([]);
          });

          it('tells each pair of them, and nothing that follows from them', async () => {
            const pairs = faults.flatMap((one, index) =>
              faults
                .slice(index + 1)
                .flatMap((other) => (areIndependent(one, other) ? [[one, other]] : [])),
            );
            expect(pairs.length).to.be.above(faults.length);
            const mistakes = await Promise.all(pairs.map((pair) => findMistake(...pair)));
            expect(mistakes.filter((each) => each !== undefined)).to.deep.equal([]);
          });
        });

      describe('by a caller that may not sell it', () => {
        before(async () => {
          const { putChannel } = api().memory.useCases.manageCatalogue;
          await putChannel({ ...DEMO_CHANNEL, grants: [] }, ADMINISTRATOR);
        });

        it('are not told: the refusal of the caller comes first', async () => {
          for (const { path, body } of CASES) {
            const { status, headers } = await api().post(path, { ...body, email: 'x' }, bearer);
            const code = headers.get('X-Error-Code');
            const right = path.includes('artista') ? 400 : 403;
            expect([status, code]).to.deep.equal([right, 'product_not_granted']);
          }
        });
      });
    },
    { rateLimit: 'off' },
  );
});
