import { expect } from 'chai';
import { type Answer, Api, CREATE, mainBody, quickStartBody } from '../../../../support/api.ts';
import { SALE, saleOrder } from '../../../../support/generic-sales.ts';
import { artistOrder, creditCard, phoneOrder } from '../../../../support/orders.ts';

const PHONE = '/seguros/seguro-celular/create';
const ARTIST = '/seguros/artista-protegido/create';

describe('fields that an endpoint does not know', () => {
  let api: Api;
  let headers: Record<string, string>;
  const start = async (refusesUnknown: boolean) => {
    api = await new Api({ refusesUnknown }).start();
    headers = await api.bearer();
  };
  afterEach(() => api.stop());
  const post = (path: string, body: object, more: Record<string, string> = {}): Promise<Answer> =>
    api.post(path, body, { ...headers, ...more });

  it('are ignored on the product endpoints, and named in a header', async () => {
    await start(false);
    for (const [path, body] of [
      [CREATE, mainBody({ pedidoParceiro: 'x', canalOrigem: 'y' })],
      [CREATE, quickStartBody({ pedidoParceiro: 'x', canalOrigem: [] })],
      [PHONE, phoneOrder({ pedidoParceiro: null, canalOrigem: 1, creditCard: creditCard() })],
    ] as const) {
      const answer = await post(path, body);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('X-Ignored-Fields')).to.equal('pedidoParceiro, canalOrigem');
    }
    const known = await post(CREATE, mainBody());
    expect(known.headers.get('X-Ignored-Fields')).to.equal(null);
  });

  it('are named with their path, escaped, also when the answer is an error', async () => {
    await start(false);
    const answer = await post(
      PHONE,
      phoneOrder({
        'a\r\nX-Evil: 1': 1,
        ['ç'.repeat(3)]: 1,
        device: { brand: 'X', colour: 'red' },
        additionalInsured: [{ mail: 'x' }],
        cpfOrCnpj: '1',
      }),
    );
    expect(answer.status).to.equal(422);
    expect(answer.headers.get('X-Evil')).to.equal(null);
    expect(answer.headers.get('X-Ignored-Fields')).to.equal(
      'a%0D%0AX-Evil%3A%201, %C3%A7%C3%A7%C3%A7, device.colour, additionalInsured.0.mail',
    );
  });

  it('cost little and stay within 1,000 characters, however many they are', async () => {
    await start(true);
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`x${index}`, 1]));
    const answer = await post(CREATE, mainBody({ ...many, ['y'.repeat(90_000)]: 1 }));
    expect(answer.status).to.be.oneOf([200, 422]);
    expect(answer.headers.get('X-Ignored-Fields')?.length ?? 0).to.be.at.most(1_000);
  });

  it('are refused wherever they would take a list, an object or a card with them', async () => {
    await start(false);
    for (const [path, body, lost, meant] of [
      [
        PHONE,
        phoneOrder({ additionalPeople: [{ name: 'Ana' }] }),
        'additionalPeople',
        'additionalInsured',
      ],
      [
        PHONE,
        phoneOrder({ additionalInsurances: [{ id: 301 }] }),
        'additionalInsurances',
        'insurance',
      ],
      [PHONE, phoneOrder({ card: creditCard() }), 'card', 'creditCard'],
      [PHONE, phoneOrder({ dadosDoCartão: 'visa' }), 'dadosDoCartão', 'creditCard'],
      [PHONE, phoneOrder({ note: '4111 1111 1111 1111' }), 'note', undefined],
      [PHONE, phoneOrder({ origin: { a: 1 } }), 'origin', undefined],
      [ARTIST, artistOrder({ cartao: creditCard() }), 'cartao', 'payment.creditCard'],
      [CREATE, mainBody({ endereco: { rua: 'x' } }), 'endereco', undefined],
    ] as const) {
      const answer = await post(path, body);
      expect(answer.status, lost).to.be.oneOf([400, 422]);
      const messages = (answer.body.errors ?? answer.body)[lost];
      const question = meant === undefined ? '' : ` Seria ${meant}?`;
      expect(messages).to.deep.equal([`O campo ${lost} não é conhecido.${question}`]);
    }
  });

  it('are refused however many plain ones stand before them, and no card number is shown', async () => {
    await start(false);
    const plain = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`campo${at}`, 'x']));
    const lost = await post(PHONE, phoneOrder({ ...plain, coberturas: [{ id: 301 }] }));
    expect([lost.status, Object.keys(lost.body.errors)]).to.deep.equal([422, ['coberturas']]);
    const card = await post(PHONE, phoneOrder({ '4111111111111111': 'x', securityCode: '837' }));
    expect(Object.keys(card.body.errors)).to.have.members(['***', 'securityCode']);
    expect(card.headers.get('X-Ignored-Fields')).not.to.include('4111');
    const harmless = { hasCard: false, cartao: '', giftCard: 'N', parentesco: 'x' };
    expect((await post(PHONE, phoneOrder(harmless))).status).to.equal(200);
  });

  it('are no typo of a field that the body has', async () => {
    await start(true);
    const { body } = await post(CREATE, mainBody({ nome: 'Maria' }));
    expect(body).to.deep.equal({ nome: ['O campo nome não é conhecido.'] });
  });

  it('are all refused in the test environment, with the known field that each resembles', async () => {
    await start(true);
    for (const [path, body, typos] of [
      [PHONE, phoneOrder({ planCode: 'ANUAL' }), 'planCode'],
      [PHONE, phoneOrder({ plano: { id: 32 } }), 'plano'],
      [PHONE, phoneOrder({ device: { brand: 'X', modell: 'Y' } }), 'device.modell'],
      [CREATE, mainBody({ nomesocial: 'x' }), 'nomesocial'],
      [ARTIST, artistOrder({ credit_card: {}, saledate: '2026-11-20' }), 'saledate'],
    ] as const) {
      const answer = await post(path, body);
      expect(answer.status, typos).to.be.oneOf([400, 422]);
      expect(answer.headers.get('X-Error-Fields')).to.include(`${typos}=unknown`);
      expect(JSON.stringify(answer.body)).to.include('Seria ');
    }
    const { body } = await post(CREATE, mainBody({ parceria: 'x', obs: null }));
    expect(body).to.deep.equal({ parceria: ['O campo parceria não é conhecido.'] });
  });

  it('are refused elsewhere if the request prefers it: handling=strict', async () => {
    await start(false);
    const typo = mainBody({ nomeSocialDoSegurado: 'Zô', obs: 'x' });
    expect((await post(CREATE, typo)).status).to.equal(200);
    for (const prefer of ['handling=strict', 'respond-async, Handling = "strict"']) {
      const answer = await post(CREATE, typo, { Prefer: prefer });
      expect(answer.status).to.equal(422);
      expect(answer.body).to.deep.equal({
        nomeSocialDoSegurado: ['O campo nomeSocialDoSegurado não é conhecido. Seria nomeSocial?'],
        obs: ['O campo obs não é conhecido.'],
      });
    }
    expect((await post(CREATE, typo, { Prefer: 'handling=lenient' })).status).to.equal(200);
  });

  it('are all refused by the generic sale, which has no such header', async () => {
    await start(false);
    const answer = await post(SALE, saleOrder({ pedidoParceiro: 'x' }));
    expect(answer.status).to.equal(422);
    expect(answer.headers.get('X-Ignored-Fields')).to.equal(null);
  });
});
