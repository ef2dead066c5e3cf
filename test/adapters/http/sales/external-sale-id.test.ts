import { expect } from 'chai';
import {
  type Answer,
  CREATE,
  mainBody,
  quickStartBody,
  STATUS,
  withApi,
} from '../../../support/api.ts';
import { SALE, SALES_LIST, saleOrder } from '../../../support/generic-sales.ts';
import { artistOrder, byCard, creditCard, phoneOrder } from '../../../support/orders.ts';

type Fields = Record<string, unknown>;

const ARTIST = '/seguros/artista-protegido';
const PHONE = '/seguros/seguro-celular';

/** Every product endpoint: its body, a field to change, and where its status is. */
const ENDPOINTS = [
  ['Ingresso', CREATE, mainBody, 'numeroIngresso', STATUS],
  ['Ingresso, quick start', CREATE, quickStartBody, 'numeroIngresso', STATUS],
  ['Artista', `${ARTIST}/create`, artistOrder, 'venueName', `${ARTIST}/status`],
  ['Celular', `${PHONE}/create`, phoneOrder, 'musicalGenre', `${PHONE}/status`],
] as const;

/** What a create answers of its sale, wherever the endpoint puts it. */
const dataOf = ({ body }: Answer) => (body.response?.data ?? body.data) as Fields;

describe('externalSaleId on the product endpoints', () => {
  withApi((api) => {
    let bearer: { Authorization: string };
    before(async () => {
      bearer = await api().bearer();
      await api().channel('canal-alheio');
    });
    const post = (path: string, body: unknown, headers: object = {}): Promise<Answer> =>
      api().post(path, body, { ...bearer, ...headers });
    const chargesOf = (id: unknown) => api().memory.sandbox.chargesOf(Number(id));

    for (const [name, path, order, field, status] of ENDPOINTS)
      describe(name, () => {
        const named = (externalSaleId: string, over: Fields = {}) =>
          order({ ...over, externalSaleId: `${name} ${externalSaleId}` });

        it('answers a repeated request with the bytes of the first answer', async () => {
          const first = await post(path, named('again'));
          const again = await post(path, named('again', { [`x-${field}`]: 1, nomeSocial: null }));
          expect(first.status).to.equal(200);
          expect(first.headers.has('Idempotent-Replayed')).to.equal(false);
          expect(again.headers.get('Idempotent-Replayed')).to.equal('true');
          expect(JSON.stringify(again.body)).to.equal(JSON.stringify(first.body));
        });

        it('refuses other content with the differences', async () => {
          const first = await post(path, named('other'));
          const {
            status: code,
            body,
            headers,
          } = await post(path, named('other', { [field]: 'Outro', email: 'outra@example.com' }));
          expect([code, headers.get('X-Error-Code')]).to.deep.equal([409, 'content_conflict']);
          expect(body.response).to.equal('O externalSaleId já foi usado com outro conteúdo.');
          expect(body.transaction_id).to.equal(dataOf(first)['transaction_id']);
          expect(body.differences).to.deep.include({
            path: 'email',
            stored: 'm***',
            received: 'o***',
          });
          expect(body.differences.map(({ path }: Fields) => path)).to.have.members([
            field,
            'email',
          ]);
        });

        it('makes one sale of fifty simultaneous requests', async () => {
          const copies = Array.from({ length: 50 }, () => post(path, named('rush')));
          const answers = await Promise.all(copies);
          const sold = answers.filter(({ status: code }) => code === 200);
          for (const { status: code } of answers) expect(code).to.be.oneOf([200, 409]);
          expect(new Set(sold.map((each) => dataOf(each)['transaction_id'])).size).to.equal(1);
          expect(sold.filter(({ headers }) => !headers.has('Idempotent-Replayed'))).to.have.length(
            1,
          );
        });

        it('is what its status, the generic query and the list show and take', async () => {
          const first = await post(path, named('seen'), {
            'Idempotency-Key': `${field}-${name.length}`,
          });
          const { transaction_id, ticket } = dataOf(first);
          const names = {
            external_sale_id: `${name} seen`,
            idempotency_key: `${field}-${name.length}`,
          };
          const isIngresso = status === STATUS;
          for (const id of [`${name} seen`, ticket, ...(isIngresso ? [transaction_id] : [])]) {
            const seen = await api().get(`${status}/${encodeURIComponent(String(id))}`, bearer);
            expect(dataOf(seen)).to.deep.include({ transaction_id, ...names });
          }
          const generic = await api().get(`${SALE}/${encodeURIComponent(`${name} seen`)}`, bearer);
          expect(generic.body.data).to.deep.include({ transaction_id, ...names });
          const [listed] = (await api().get(`${SALES_LIST}?limit=1`, bearer)).body.data;
          expect(listed).to.deep.include({ transaction_id, ...names });
          const admin = await api().bearer(null);
          const [transaction] = (await api().get('/admin/transactions?limit=1', admin)).body
            .response.data;
          expect(transaction).to.deep.include({ transaction_id, ...names });

          const stranger = await api().bearer('canal-alheio');
          for (const id of [`${name} seen`, ticket])
            expect(
              (await api().get(`${status}/${encodeURIComponent(String(id))}`, stranger)).status,
            ).to.equal(404);
        });

        it('refuses a name that no eye can tell from another', async () => {
          for (const bad of ['', ' ', 'a​b', '.', 'x'.repeat(101), 7]) {
            const { status: code, headers } = await post(path, order({ externalSaleId: bad }));
            expect(code, String(bad)).to.be.oneOf([400, 422]);
            expect(headers.get('X-Error-Fields')).to.match(/^externalSaleId=/);
          }
        });
      });

    it('is one name across all endpoints of the channel, personal data masked', async () => {
      const externalSaleId = 'everywhere';
      const first = await post(`${PHONE}/create`, phoneOrder({ externalSaleId }));
      for (const [path, body] of [
        ...ENDPOINTS.filter(([name]) => name !== 'Celular').map(
          ([, each, order]) => [each, order({ externalSaleId })] as const,
        ),
        [SALE, saleOrder({ externalSaleId })] as const,
      ]) {
        const { status, body: answer } = await post(path, body);
        expect([status, answer.transaction_id]).to.deep.equal([
          409,
          dataOf(first)['transaction_id'],
        ]);
        for (const secret of ['Maria da Silva', 'maria@example.com', '52998224725', '987654321'])
          expect(JSON.stringify(answer)).not.to.include(secret);
      }
    });

    it('belongs to the channel: another client of it repeats, another channel sells', async () => {
      const body = phoneOrder({ externalSaleId: 'shared' });
      const mine = await post(`${PHONE}/create`, body);
      const colleague = await post(`${PHONE}/create`, body, await api().bearer());
      const stranger = await post(
        `${PHONE}/create`,
        { ...body, channelLink: 'canal-alheio' },
        await api().bearer('canal-alheio'),
      );
      expect(colleague.body).to.deep.equal(mine.body);
      expect(stranger.status).to.equal(200);
      expect(dataOf(stranger)['transaction_id']).not.to.equal(dataOf(mine)['transaction_id']);
    });

    it('charges a card once; another card is other content, and shown nowhere', async () => {
      const order = (card: object) =>
        artistOrder({ externalSaleId: 'by card', payment: byCard({}, card) });
      const first = await post(`${ARTIST}/create`, order({}));
      const again = await post(`${ARTIST}/create`, order({}));
      const other = await post(`${ARTIST}/create`, order({ number: '5555555555554444' }));
      expect([first.status, again.status, other.status]).to.deep.equal([200, 200, 409]);
      expect(again.body).to.deep.equal(first.body);
      expect(other.body.differences).to.deep.equal([
        { path: 'payment.creditCard', stored: '***', received: '*** (outro)' },
      ]);
      expect(await chargesOf(dataOf(first)['transaction_id'])).to.have.length(1);

      const phone = phoneOrder({ externalSaleId: 'card', creditCard: creditCard() });
      expect((await post(`${PHONE}/create`, phone)).status).to.equal(200);
      const { sales } = api().memory;
      const seller = { clientId: 'any', channelLink: 'canal-demo' };
      const stored = await sales.findEarlier(seller, { owner: 'channel', key: 'card' });
      expect(JSON.stringify(stored)).not.to.include('4111');
    });

    describe('together with an Idempotency-Key', () => {
      const create = (key: string | undefined, externalSaleId: string | undefined, over = {}) =>
        post(
          `${PHONE}/create`,
          phoneOrder({ ...over, ...(externalSaleId !== undefined && { externalSaleId }) }),
          key === undefined ? {} : { 'Idempotency-Key': key },
        );

      it('names the sale: with another key, or none, the request is the same', async () => {
        const first = await create('both-1', 'both 1');
        for (const key of ['both-1', 'both-2', undefined]) {
          const again = await create(key, 'both 1');
          expect(again.body).to.deep.equal(first.body);
        }
        expect((await create('both-2', 'both 2')).headers.has('Idempotent-Replayed')).to.equal(
          false,
        );
      });

      it('is refused with a key of another sale, which the answer names', async () => {
        const first = await create('key-1', 'name 1');
        const second = await create('key-2', undefined);
        for (const [key, name, sale, differences] of [
          ['key-1', 'name 2', first, [{ stored: 'name 1', received: 'name 2' }]],
          ['key-1', undefined, first, [{ stored: 'name 1', received: null }]],
          ['key-2', 'name 1', second, [{ stored: null, received: 'name 1' }]],
          ['key-2', 'name 3', second, [{ stored: null, received: 'name 3' }]],
        ] as const) {
          const { status, body } = await create(key, name);
          expect(status).to.equal(409);
          expect(body.response).to.equal('O Idempotency-Key já foi usado com outro conteúdo.');
          expect(body.transaction_id).to.equal(dataOf(sale)['transaction_id']);
          expect(body.differences).to.deep.equal(
            differences.map((each) => ({ path: 'externalSaleId', ...each })),
          );
        }
        expect((await api().get(`${PHONE}/status/name%202`, bearer)).status).to.equal(404);
      });

      it('is refused with a broken key', async () => {
        const { status, headers } = await create('with space', 'broken key');
        expect([status, headers.get('X-Error-Code')]).to.deep.equal([
          400,
          'invalid_idempotency_key',
        ]);
      });
    });

    it('comes before a ticket of the same text, and before a sale of another line', async () => {
      const { ticket, transaction_id } = dataOf(await post(`${PHONE}/create`, phoneOrder()));
      const other = await post(`${PHONE}/create`, phoneOrder({ externalSaleId: ticket }));
      const find = async (path: string) => dataOf(await api().get(`${path}/${ticket}`, bearer));
      expect((await find(`${PHONE}/status`))['transaction_id']).to.equal(
        dataOf(other)['transaction_id'],
      );
      expect((await find(SALE))['transaction_id']).to.equal(dataOf(other)['transaction_id']);

      const third = dataOf(await post(`${PHONE}/create`, phoneOrder()));
      await post(CREATE, mainBody({ externalSaleId: third['ticket'] }));
      const seen = dataOf(await api().get(`${PHONE}/status/${third['ticket']}`, bearer));
      expect(seen['transaction_id']).to.equal(third['transaction_id']);
      expect(transaction_id).not.to.equal(third['transaction_id']);
    });

    it('of digits alone is, on the status of Ingresso, a transaction first', async () => {
      const { transaction_id } = dataOf(await post(CREATE, mainBody()));
      const named = dataOf(
        await post(CREATE, mainBody({ externalSaleId: String(transaction_id) })),
      );
      const lonely = dataOf(await post(CREATE, mainBody({ externalSaleId: '900000' })));
      const find = async (id: unknown) =>
        dataOf(await api().get(`${STATUS}/${id}`, bearer))['transaction_id'];
      expect(await find(transaction_id)).to.equal(transaction_id);
      expect(await find('900000')).to.equal(lonely['transaction_id']);
      const generic = await api().get(`${SALE}/${transaction_id}`, bearer);
      expect(generic.body.data.transaction_id).to.equal(named['transaction_id']);
    });
  });
});
