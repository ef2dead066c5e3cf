import { expect } from 'chai';
import { CREATE, mainBody, quickStartBody, withApi } from '../../../support/api.ts';
import { address, artistOrder, byCard, phoneOrder } from '../../../support/orders.ts';

type Fields = Record<string, unknown>;

/** A value, the code of its fault, and the fields that must not have it. */
type Refused = readonly [value: unknown, code: string, fields: readonly string[]];

const CARD = 'payment.creditCard';
const HOLDER = `${CARD}.holder`;
const PERSON = 'additionalInsured.0';

const inside = (parent: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `${parent}.${name}`);

const DATES = ['birthDate', 'saleDate', 'payment.firstInstallmentDate'];
const EVENT_DATES = ['assemblyStartDate', 'eventStartDate', 'eventEndDate', 'disassemblyEndDate'];
const EVENT = ['eventName', 'venueName', 'standName', 'eventDescription', ...EVENT_DATES];
const INSURED = ['nameOrRazao', 'cpfOrCnpj', 'email', 'phone', 'artisticName', 'musicalGenre'];
const ADDRESS = ['street', 'number', 'district', 'city', 'state', 'postcode'];

const ARTISTA_REQUIRED = [
  ['productId', 'channelLink', 'standArea', 'lossLimit', 'premiumNet', 'payment', 'address'],
  EVENT_DATES,
  inside('payment', ['modeCode', 'totalInstallmentNumber']),
  inside('address', [...ADDRESS, 'ibgeCode']),
  inside(PERSON, ['name', 'cpfOrCnpj', 'birthDate']),
].flat();

const ARTISTA_REFUSED: readonly Refused[] = [
  ['2', 'invalid_type', ['productId', 'payment.totalInstallmentNumber', 'insurance.0.id']],
  ['20', 'invalid_type', ['standArea', 'lossLimit', 'premiumNet', 'premiumTaxes']],
  ['17/05/1990', 'invalid_format', [...DATES, ...EVENT_DATES]],
  ['17/05/1990', 'invalid_format', [`${PERSON}.birthDate`, `${HOLDER}.dateOfBirth`]],
  [7, 'invalid_type', ['channelLink', ...DATES, ...INSURED, ...EVENT]],
  [7, 'invalid_type', inside('address', [...ADDRESS, 'complement', 'ibgeCode'])],
  [7, 'invalid_type', inside(PERSON, ['name', 'cpfOrCnpj', 'birthDate', 'email', 'phone'])],
  [7, 'invalid_type', inside(CARD, ['flag', 'number', 'cvv', 'expiryMonth', 'expiryYear'])],
  [7, 'invalid_type', inside(HOLDER, ['name', 'document', 'email', 'mobile', 'dateOfBirth'])],
  [7, 'invalid_type', inside(`${HOLDER}.address`, [...ADDRESS, 'complement'])],
  [2, 'not_offered', ['payment.modeCode', `${HOLDER}.type`]],
  ['x', 'invalid_type', ['payment', 'address', 'plan', CARD, HOLDER, `${HOLDER}.address`]],
  ['x', 'invalid_type', ['insurance.0', PERSON]],
  [{ id: 201 }, 'invalid_type', ['insurance', 'additionalInsured']],
  ['S', 'not_offered', ['address.state']],
  ['SPA', 'not_offered', ['address.state']],
  ['XX', 'not_offered', ['address.state']],
  ['01001-000', 'invalid_format', ['address.postcode']],
  ['ana', 'invalid_format', [`${HOLDER}.email`]],
  ['13', 'invalid_format', [`${CARD}.expiryMonth`]],
  ['2039', 'invalid_format', [`${CARD}.expiryYear`]],
];

const INGRESSO_REFUSED: readonly Refused[] = [
  [7, 'invalid_type', ['channelLink', 'email', 'telefone', 'logradouro', 'bairro', 'cidade']],
  [7, 'invalid_type', ['numeroIngresso', 'dataEvento']],
  ['31/12/2026', 'invalid_format', ['dataEvento']],
  ['1886.00', 'invalid_type', ['valorIngresso']],
];

const QUICK_START_REFUSED: readonly Refused[] = [
  [10, 'invalid_type', ['valorIngresso', 'taxaConveniencia']],
];

const CELULAR_REFUSED: readonly Refused[] = [
  ['3', 'invalid_type', ['productId']],
  ['20/11/2026', 'invalid_format', ['saleDate']],
  [7, 'invalid_type', ['channelLink', 'saleDate', ...INSURED]],
];

const holder = { name: 'Ana Souza', document: '11144477735', address };

/** A body with the objects and lists that its faults are in. */
const artistaOrder = artistOrder({
  insurance: [{ id: 201 }],
  additionalInsured: [{ name: 'Ana', cpfOrCnpj: '11144477735', birthDate: '1990-05-17' }],
  payment: byCard({}, { holder }),
});

const ARTISTA = '/seguros/artista-protegido/create';
const CELULAR = '/seguros/seguro-celular/create';

/** Bodies, where they are sent, and the status of the answer to a fault. */
const BODIES = [
  ['Artista Protegido', ARTISTA, artistaOrder, 400, ARTISTA_REFUSED, ARTISTA_REQUIRED],
  ['Ingresso Protegido', CREATE, mainBody(), 422, INGRESSO_REFUSED, []],
  ['Ingresso Protegido, quick start', CREATE, quickStartBody(), 422, QUICK_START_REFUSED, []],
  ['Seguro Celular', CELULAR, phoneOrder(), 422, CELULAR_REFUSED, []],
] as const;

/** The body with another value at a dotted path; `undefined` removes the field. */
const withField = (body: Fields, path: string, value: unknown): Fields => {
  const changed = JSON.parse(JSON.stringify(body));
  const names = path.split('.');
  const last = names.pop() as string;
  const parent = names.reduce((each, name) => each[name], changed);
  parent[last] = value;
  return changed;
};

for (const [what, path, order, refusal, refused, required] of BODIES)
  describe(`the body of ${what}`, () => {
    withApi((api) => {
      let authorization: { Authorization: string };
      before(async () => {
        authorization = await api().bearer();
      });
      const post = (body: Fields) => api().post(path, body, authorization);

      const expectRefused = async (field: string, value: unknown, code: string): Promise<void> => {
        const { status, headers, body } = await post(withField(order, field, value));
        expect(status).to.equal(refusal);
        expect(headers.get('X-Error-Fields')).to.equal(`${field}=${code}`);
        const { errors = body } = body;
        expect(Object.keys(errors)).to.deep.equal([field]);
        if (path !== ARTISTA) return;
        expect(body.success).to.equal(false);
        expect(body.response).to.equal(`Não foi possível criar a transação: ${errors[field][0]}`);
      };

      it('is taken without a fault', async () => {
        expect((await post(order)).status).to.equal(200);
      });

      for (const field of required)
        it(`requires ${field}`, async () => {
          await expectRefused(field, undefined, 'required');
          await expectRefused(field, null, 'required');
        });

      for (const [value, code, fields] of refused)
        for (const field of fields)
          it(`refuses ${field} ${JSON.stringify(value)}`, () => expectRefused(field, value, code));
    });
  });

describe('the body of the token endpoint', () => {
  withApi((api) => {
    for (const secret of [7, true, ['secret'], { secret: 'x' }])
      it(`refuses client_secret ${JSON.stringify(secret)}`, async () => {
        const client = { ...(await api().client('canal-demo')), client_secret: secret };
        const { status, headers } = await api().post('/seguros/auth/token', client);
        expect(status).to.equal(400);
        expect(headers.get('X-Error-Fields')).to.equal('client_secret=invalid_type');
      });
  });
});
