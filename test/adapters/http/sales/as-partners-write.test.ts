import { expect } from 'chai';
import { type Answer, CREATE, mainBody, quickStartBody, withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { artistOrder, creditCard, phoneOrder } from '../../../support/orders.ts';

const ARTIST = '/seguros/artista-protegido/create';
const PHONE = '/seguros/seguro-celular/create';
const PREFIX = 'Não foi possível criar a transação: ';

type Order = (over: Record<string, unknown>) => Record<string, unknown>;

/** The bodies that sell, each with its fields of the insured's name and social name. */
const BODIES: readonly (readonly [string, string, Order, string])[] = [
  ['Ingresso', CREATE, mainBody, 'nomeCompleto'],
  ['Ingresso, quick start', CREATE, quickStartBody, 'nameOrRazao'],
  ['Artista', ARTIST, artistOrder, 'nameOrRazao'],
  ['Celular', PHONE, phoneOrder, 'nameOrRazao'],
];

describe('a body as partners write it', () => {
  withApi((api) => {
    let bearer: { Authorization: string };
    before(async () => {
      bearer = await api().bearer();
    });
    const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
      api().post(path, body, { ...bearer, ...more });
    const storedOf = async ({ body }: Answer) => {
      const { transaction_id: id } = body.response?.data ?? body.data;
      return (await api().memory.sales.load(id))?.terms;
    };
    const fieldsOf = ({ headers }: Answer) => headers.get('X-Error-Fields');

    for (const [what, path, order, name] of BODIES)
      describe(what, () => {
        it('has its texts trimmed and in NFC before they are counted and kept', async () => {
          const sold = await post(path, order({ [name]: '  Jose\u0301 Pereira\t' }));
          expect((await storedOf(sold))?.insured.name).to.equal('José Pereira');
          const short = await post(path, order({ [name]: '  Jo ' }));
          expect(fieldsOf(short)).to.equal(`${name}=too_short`);
        });

        it('may give the social name under each name of the field', async () => {
          for (const field of ['nomeSocial', 'socialName', 'nome_social']) {
            const sold = await post(path, order({ [field]: ' Zoë ' }));
            expect((await storedOf(sold))?.insured.socialName, field).to.equal('Zoë');
          }
        });

        it('may leave optional texts empty', async () => {
          const sold = await post(path, order({ nomeSocial: ' ', quoteId: '', musicalGenre: '' }));
          expect(sold.status).to.equal(200);
          expect((await storedOf(sold))?.insured).not.to.have.property('socialName');
        });
      });

    it('is the same content where the same values are written otherwise', async () => {
      const name = { 'Idempotency-Key': 'otherwise' };
      for (const [path, first, second] of [
        [
          PHONE,
          phoneOrder({ phone: '+55 (11) 98765-4321' }),
          phoneOrder({ phone: '5511987654321', plan: { id: 31 } }),
        ],
        [PHONE, phoneOrder({ plan: { code: 'ANUAL' } }), phoneOrder({ productId: 32 })],
        [
          PHONE,
          phoneOrder({ insurance: [{ id: 301 }, { id: 302 }] }),
          phoneOrder({ insurance: [{ id: 302 }, { code: 'QUEBRA_TELA' }], additionalInsured: [] }),
        ],
        [
          CREATE,
          quickStartBody({ ...TICKET, valorTotal: '165.00', type: 'INGRESSO' }),
          quickStartBody({ ...TICKET, valorTotal: '165,00', type: undefined }),
        ],
        [
          SALE,
          saleOrder({ externalSaleId: 'otherwise' }),
          saleOrder({
            externalSaleId: 'otherwise',
            product: { id: 4 },
            insured: { ...(saleOrder()['insured'] as object), cpfOrCnpj: '529.982.247-25' },
          }),
        ],
        [
          SALE,
          saleOrder({ externalSaleId: 'moment', ...paidAt('2026-11-20T12:00:00.000Z') }),
          saleOrder({ externalSaleId: 'moment', ...paidAt('2026-11-20T09:00:00-03:00') }),
        ],
      ] as const) {
        const key =
          path === SALE ? {} : { 'Idempotency-Key': `${name['Idempotency-Key']}-${count++}` };
        const sold = await post(path, first, key);
        const again = await post(path, second, key);
        expect([again.status, again.body], JSON.stringify(second)).to.deep.equal([200, sold.body]);
        expect(again.headers.get('Idempotent-Replayed')).to.equal('true');
      }
    });

    it('is the same content to a dry run, with a card, and when it can be sold no more', async () => {
      const sold = await post(SALE, saleOrder({ externalSaleId: 'dry' }));
      const otherwise = { externalSaleId: 'dry', product: { id: 4 }, plan: { id: 41 } };
      const dry = await post(`${SALE}/validate`, saleOrder(otherwise));
      expect([dry.status, dry.body.data?.ticket ?? dry.body]).to.deep.equal([
        200,
        sold.body.data.ticket,
      ]);

      const key = { 'Idempotency-Key': 'card-otherwise' };
      const charged = await post(PHONE, phoneOrder({ creditCard: creditCard() }), key);
      const { number, flag, ...rest } = creditCard() as Record<string, string>;
      const grouped = number?.replaceAll(/(.{4})(?=.)/g, '$1 ');
      const card = { ...rest, number: grouped, flag: flag?.toUpperCase() };
      const again = await post(PHONE, phoneOrder({ creditCard: card }), key);
      expect([again.status, again.body]).to.deep.equal([200, charged.body]);

      const soon = quickStartBody({ externalSaleId: 'late', eventDate: '2026-11-21' });
      const first = await post(CREATE, soon);
      api().memory.clock.advance(3 * 86_400);
      const later = await api().bearer();
      const repeated = await api().post(CREATE, { ...soon, type: 'ingresso' }, later);
      api().memory.clock.advance(-3 * 86_400);
      expect([repeated.status, repeated.body]).to.deep.equal([200, first.body]);
    });

    it('is other content where a plan or a coverage is another', async () => {
      const key = { 'Idempotency-Key': 'another-plan' };
      await post(PHONE, phoneOrder(), key);
      const other = await post(PHONE, phoneOrder({ plan: { id: 32 } }), key);
      expect(other.status).to.equal(409);
      expect(other.body.differences).to.deep.equal([
        { path: 'plan', stored: null, received: '***' },
      ]);
    });

    it('may have line breaks and tabs in a description, and noise in an amount', async () => {
      const eventDescription = 'Palco:\r\n\t- som\n\t- luz';
      const sold = await post(ARTIST, artistOrder({ eventDescription }));
      expect((await storedOf(sold))?.insuredObject['eventDescription']).to.equal(
        'Palco:\n\t- som\n\t- luz',
      );
      const noisy = await post(CREATE, mainBody({ valorSeguro: 73.80000000000001 }));
      expect(noisy.body.data.calculo_iof.valor_premio).to.equal(73.8);
      expect(fieldsOf(await post(CREATE, mainBody({ valorSeguro: 73.805 })))).to.equal(
        'valorSeguro=invalid_format',
      );
    });

    it('may have an empty card, and says that a card is missing', async () => {
      const boleto = { modeCode: '1', totalInstallmentNumber: 1 };
      for (const order of [
        phoneOrder({ payment: boleto, creditCard: {} }),
        phoneOrder({ payment: { ...boleto, creditCard: { number: '', holder: {} } } }),
      ])
        expect((await post(PHONE, order)).status).to.equal(200);
      expect(
        (await post(ARTIST, artistOrder({ payment: { ...boleto, creditCard: {} } }))).status,
      ).to.equal(200);
      const parts = await post(PHONE, phoneOrder({ payment: { totalInstallmentNumber: 3 } }));
      expect(parts.body.error).to.equal(
        'Mais de uma parcela só com cartão: falta o campo creditCard.',
      );
    });

    it('is the quick-start body of Ingresso if it has a field of it, without nomeCompleto', async () => {
      for (const field of ['eventName', 'valorTotal', 'cpfOrCnpj', 'musicalGenre'] as const) {
        const { [field]: value = 'x' } = quickStartBody();
        const answer = await post(CREATE, { ...shared(), [field]: value });
        expect(fieldsOf(answer), field).to.include('nameOrRazao=required');
      }
      expect(fieldsOf(await post(CREATE, quickStartBody({ nameOrRazao: undefined })))).to.equal(
        'nameOrRazao=required',
      );
      expect(fieldsOf(await post(CREATE, shared()))).to.include('nomeCompleto=required');
    });

    it('names a product by type in upper or lower case, or learns what is offered', async () => {
      expect((await post(CREATE, quickStartBody({ type: 'ingresso' }))).status).to.equal(200);
      expect((await post(CREATE, quickStartBody({ type: 'INGRESO' }))).body).to.deep.equal({
        type: ['Produto não encontrado entre os deste tipo de venda. Oferecido: INGRESSO (id 1).'],
      });
    });

    it('has its channelLink refused as a field unless it is another channel’s', async () => {
      for (const bad of ['', ' ', 'a b', 'x'.repeat(101), '-a', 7]) {
        const artist = await post(ARTIST, artistOrder({ channelLink: bad }));
        expect([artist.status, fieldsOf(artist)?.startsWith('channelLink=')]).to.deep.equal([
          400,
          true,
        ]);
        expect(artist.body.response).to.match(new RegExp(`^${PREFIX}`));
        const ticket = await post(CREATE, mainBody({ channelLink: bad }));
        expect([ticket.status, Object.keys(ticket.body)]).to.deep.equal([422, ['channelLink']]);
        const phone = await post(PHONE, phoneOrder({ channelLink: bad }));
        expect([phone.status, Object.keys(phone.body.errors)]).to.deep.equal([
          422,
          ['channelLink'],
        ]);
      }
      const own = await post(CREATE, mainBody({ channelLink: ' canal-demo ' }));
      expect(own.status).to.equal(200);
      const another = await post(ARTIST, artistOrder({ channelLink: 'canal-alheio' }));
      expect([another.status, another.body.status_code]).to.deep.equal([403, '403']);
      expect(another.body.response).to.match(new RegExp(`^${PREFIX}`));
    });

    it('of Artista is answered with 400 and the same words for any failure to create', async () => {
      await api().channel('sem-produtos');
      const { putChannel } = api().memory.useCases.manageCatalogue;
      const empty = { ...(await api().channel('sem-produtos')), grants: [] };
      await putChannel(empty, { kind: 'command_line', name: 'x' } as never);
      const stranger = await api().bearer('sem-produtos');
      const ofStranger = artistOrder({ channelLink: 'sem-produtos' });
      for (const [answer, code] of [
        [await api().post(ARTIST, ofStranger, stranger), 'product_not_granted'],
        [await post(ARTIST, '{"productId":'), 'invalid_json'],
        [await post(ARTIST, '[]'), undefined],
        [await post(ARTIST, artistOrder({ eventName: '' })), 'validation_failed'],
      ] as const) {
        expect([answer.status, answer.body.status_code]).to.deep.equal([400, '400']);
        expect(answer.body.response).to.match(new RegExp(`^${PREFIX}.`));
        if (code !== undefined) expect(answer.body.code).to.equal(code);
      }
    });

    it('of Artista tells a wrong IOF beside an unknown plan or coverage', async () => {
      for (const [more, field] of [
        [{ plan: { id: 99 } }, 'plan.id'],
        [{ insurance: [{ id: 99 }] }, 'insurance.0.id'],
        [{ plan: { id: 'x' } }, 'plan.id'],
        [{ insurance: [{ id: 'x' }] }, 'insurance.0.id'],
      ] as const) {
        const { body } = await post(ARTIST, artistOrder({ premiumTaxes: 1, ...more }));
        expect(Object.keys(body.errors).sort(), field).to.deep.equal(
          [field, 'premiumTaxes'].sort(),
        );
      }
    });

    it('has a date of birth and a date of sale that can be', async () => {
      const card = creditCard({
        holder: { name: 'Ana', document: '52998224725', dateOfBirth: '2026-11-20' },
      });
      expect(fieldsOf(await post(PHONE, phoneOrder({ creditCard: card })))).to.equal(
        'creditCard.holder.dateOfBirth=in_the_future',
      );
      for (const [path, order] of [
        [PHONE, phoneOrder({ saleDate: '2025-11-19' })],
        [ARTIST, artistOrder({ saleDate: '2025-11-19' })],
      ] as const)
        expect(fieldsOf(await post(path, order))).to.equal('saleDate=in_the_past');
    });

    it('is acted on by its own names alone: a number may be another order of the channel', async () => {
      const { body } = await post(SALE, saleOrder({ externalSaleId: 'A-1' }));
      const { transaction_id: id } = body.data;
      expect((await api().get(`${SALE}/${id}`, bearer)).status).to.equal(404);
      expect((await post(`${SALE}/${id}/cancel`, {})).status).to.equal(404);
      const email = { email: 'x@example.com' };
      expect((await post(`${SALE}/${id}/correct-email`, email)).status).to.equal(404);
      expect((await api().get(`${SALE}/A-1`, bearer)).body.data.status).to.equal('paid');
    });

    it('is found again by every name that the service gave it', async () => {
      const artist = await post(
        ARTIST,
        artistOrder({ externalSaleId: 'my name', payment: BY_CARD }),
      );
      const { transaction_id: id, ticket, insurance_data: documents } = artist.body.response.data;
      const names = [ticket, ticket.toLowerCase(), String(id), 'my name', documents.policy_no];
      const stranger = await api().bearer('canal-alheio');
      for (const each of [...names, documents.proposal_no, documents.quotation_no]) {
        const path = `/seguros/artista-protegido/status/${encodeURIComponent(each)}`;
        const { body } = await api().get(path, bearer);
        expect(body.response?.data?.transaction_id, each).to.equal(id);
        expect((await api().get(path, stranger)).status).to.equal(404);
      }
      const phone = await post(PHONE, phoneOrder());
      const { transaction_id: phoneId, ticket: phoneTicket } = phone.body.data;
      for (const each of [phoneId, phoneTicket.toLowerCase()]) {
        const { body } = await api().get(`/seguros/seguro-celular/status/${each}`, bearer);
        expect(body.data.transaction_id).to.equal(phoneId);
      }
      const ofOtherLine = await api().get(`/seguros/seguro-celular/status/${id}`, bearer);
      expect(ofOtherLine.status).to.equal(404);
    });
  });
});

let count = 0;

const TICKET = { valorIngresso: '165', taxaConveniencia: undefined };

const BY_CARD = { modeCode: '2', totalInstallmentNumber: 1, creditCard: creditCard() };

const paidAt = (at: string) => ({ payment: { status: 'paid', method: 'pix', paidAt: at } });

/** The fields that both bodies of Ingresso have. */
const shared = () => {
  const { email, tipoIngresso, numeroIngresso, channelLink } = mainBody();
  return { email, tipoIngresso, numeroIngresso, channelLink };
};
