import { expect } from 'chai';
import { DEMO_CHANNEL } from '../../../../bootstrap/processes/demo-catalogue.ts';
import { type Answer, Api, CREATE, mainBody, withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { ADMINISTRATOR } from '../../../support/identity.ts';
import { artistOrder, phoneOrder } from '../../../support/orders.ts';

type Fields = Record<string, unknown>;

const RETURN_URL = 'https://loja.example/pedidos/1?a=1&b="><b>#fim';

const ENDPOINTS = [
  ['Artista', '/seguros/artista-protegido/create', artistOrder],
  ['Celular', '/seguros/seguro-celular/create', phoneOrder],
  [
    'the generic sale',
    SALE,
    (over: Fields) => saleOrder({ payment: { status: 'pending', method: 'pix' }, ...over }),
  ],
] as const;

const pageOf = ({ body }: Answer): string =>
  body.link ?? (body.response?.data ?? body.data).payment_url;

describe('return_url, the way back from the payment page', () => {
  withApi((api) => {
    let bearer: { Authorization: string };
    let count = 0;
    before(async () => {
      bearer = await api().bearer();
      const { putChannel } = api().memory.useCases.manageCatalogue;
      const returnOrigins = ['https://loja.example', 'https://app.example:8443'];
      await putChannel({ ...DEMO_CHANNEL, returnOrigins }, ADMINISTRATOR);
      const stranger = { ...DEMO_CHANNEL, channelLink: 'canal-alheio', returnOrigins: [] };
      await putChannel(stranger, ADMINISTRATOR);
    });
    const fetchPage = async (address: string) => {
      const answer = await fetch(`${api().url}${new URL(address).pathname}`);
      return { text: await answer.text(), headers: answer.headers };
    };

    for (const [name, path, order] of ENDPOINTS)
      describe(`of ${name}`, () => {
        const sell = (over: Fields) =>
          api().post(path, order({ externalSaleId: `${name} ${++count}`, ...over }), bearer);

        it('is on the page before and after the payment, and nowhere without one', async () => {
          const address = pageOf(await sell({ return_url: RETURN_URL }));
          const link = `<a href="https://loja.example/pedidos/1?a=1&amp;b=%22%3E%3Cb%3E#fim" rel="noreferrer">Voltar à loja</a>`;
          const before = await fetchPage(address);
          expect(before.text).to.include(link).and.to.include('(loja.example)');
          expect(before.headers.get('Content-Security-Policy')).to.include("default-src 'none'");
          const chargeId = address.split('/').at(-1) ?? '';
          const method = name === 'Artista' ? 'boleto' : 'pix';
          await api().memory.sandbox.payOnPage(chargeId, method, undefined, 'once');
          const after = await fetchPage(address);
          expect(after.text).to.include('Pagamento confirmado').and.to.include(link);

          const without = await fetchPage(pageOf(await sell({})));
          expect(without.text).not.to.include('Voltar à loja');
        });

        it('must be of an origin that the channel has registered', async () => {
          for (const good of [
            'https://loja.example',
            'https://LOJA.example:443/x',
            'https://app.example:8443/',
            'http://localhost:9090/fim',
            'http://127.0.0.1:5173/',
            'https://[::1]/',
            'http://loja.localhost/',
          ])
            expect((await sell({ return_url: good })).status, good).to.be.oneOf([200, 201]);
          for (const [bad, code] of [
            ['https://outra.example/', 'not_offered'],
            ['https://loja.example.evil.example/', 'not_offered'],
            ['https://sub.loja.example/', 'not_offered'],
            ['https://app.example/', 'not_offered'],
            ['https://localhost.example/', 'not_offered'],
            ['http://127.0.0.1.example/', 'invalid_format'],
            ['http://localhost.example/', 'invalid_format'],
            ['http://loja.example/', 'invalid_format'],
            ['https://eu@loja.example/', 'invalid_format'],
            ['https://loja.example\\@outra.example/', 'invalid_format'],
            ['https://outra.example\n/', 'invalid_format'],
            ['javascript:alert(1)//loja.example', 'invalid_format'],
            ['//loja.example/x', 'invalid_format'],
            ['/x', 'invalid_format'],
            [`https://loja.example/${'x'.repeat(2_000)}`, 'too_long'],
            [7, 'invalid_type'],
          ]) {
            const { status, headers } = await sell({ return_url: bad });
            expect(status, String(bad)).to.be.oneOf([400, 422]);
            expect(headers.get('X-Error-Fields'), String(bad)).to.equal(`return_url=${code}`);
          }
          const { body } = await sell({ return_url: 'https://outra.example/' });
          expect(JSON.stringify(body)).to.include(
            'Cadastradas: https://loja.example, https://app.example:8443.',
          );
        });

        it('of another channel is not accepted', async () => {
          const stranger = await api().bearer('canal-alheio');
          const body = order({ channelLink: 'canal-alheio', return_url: RETURN_URL });
          const { headers } = await api().post(path, body, stranger);
          expect(headers.get('X-Error-Fields')).to.equal('return_url=not_offered');
        });

        it('is content of the sale, and masked in a conflict', async () => {
          const named = (return_url: string) =>
            api().post(path, order({ externalSaleId: `${name} content`, return_url }), bearer);
          expect((await named('https://loja.example/?mail=a@b.example')).status).to.be.below(300);
          const { status, body } = await named('https://loja.example/?mail=c@d.example');
          expect(status).to.equal(409);
          expect(body.differences).to.deep.equal([
            { path: 'return_url', stored: 'h***', received: 'h*** (outro)' },
          ]);
        });
      });

    it('does not fit a sale that has been paid', async () => {
      const body = saleOrder({ externalSaleId: 'paid', return_url: RETURN_URL });
      const { status, headers } = await api().post(SALE, body, bearer);
      expect([status, headers.get('X-Error-Fields')]).to.deep.equal([
        422,
        'return_url=contradicts',
      ]);
      const ticket = await api().post(CREATE, mainBody({ return_url: RETURN_URL }), bearer);
      expect([ticket.status, ticket.headers.get('X-Ignored-Fields')]).to.deep.equal([
        200,
        'return_url',
      ]);
    });

    it('leads in production to the own machine only if it is registered', async () => {
      const production = await new Api({ fakes: { isTest: false } }).start();
      const sell = async (port: number) => {
        const [, path, order] = ENDPOINTS[1];
        const body = order({ return_url: `http://localhost:${port}/fim` });
        return (await production.post(path, body, await production.bearer())).status;
      };
      expect([await sell(8080), await sell(9090)]).to.deep.equal([200, 422]);
      await production.stop();
    });

    describe('whose origin is no longer registered', () => {
      it('stays in sales that have been made, and is refused in new ones', async () => {
        const [, path, order] = ENDPOINTS[1];
        const address = pageOf(await api().post(path, order({ return_url: RETURN_URL }), bearer));
        const { putChannel } = api().memory.useCases.manageCatalogue;
        await putChannel({ ...DEMO_CHANNEL, returnOrigins: [] }, ADMINISTRATOR);
        expect((await fetchPage(address)).text).to.include('Voltar à loja');
        const refused = await api().post(path, order({ return_url: RETURN_URL }), bearer);
        expect(refused.headers.get('X-Error-Fields')).to.equal('return_url=not_offered');
      });
    });
  });
});
