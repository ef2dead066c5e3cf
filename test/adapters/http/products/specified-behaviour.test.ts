import { expect } from 'chai';
import { mainBody, withApi } from '../../../support/api.ts';
import { address, artistOrder, byCard, creditCard, phoneOrder } from '../../../support/orders.ts';
import { fetchDocument, inlineReferences, operationsOf } from '../../../support/reference.ts';

const ARTISTA = '/seguros/artista-protegido';
const INGRESSO = '/seguros/ingresso-protegido';
const CELULAR = '/seguros/seguro-celular';

const TICKET_TYPES = ['inteira', 'meia', 'vip', 'camarote', 'pista', 'arquibancada'];
const METHODS = { credito: 'credit', debito: 'debit', pix: 'pix', boleto: 'boleto' };

const MARIA = { name: 'Maria da Silva', taxId: '52998224725', email: 'maria@example.com' };
const insured = { ...MARIA, phone: '+55 (11) 98765-4321', address };

const ana = { name: 'Ana Souza', email: 'ana@example.com' };
const person = { ...ana, phone: '11987654321', birthDate: '1990-05-17' };

const { ibgeCode: _, ...elsewhere } = { ...address, street: 'Rua Nova' };
const holder = { ...ana, document: '11144477735', mobile: '11912345678', address: elsewhere };
const payer = { ...ana, taxId: '11144477735', phone: '11912345678', address: elsewhere };

/** A title, the holder in the body, and the holder that the gateway charges. */
const HOLDERS = [
  ['the insured if the card has no holder', undefined, insured],
  ['the holder of the card', holder, payer],
] as const;

const artist = { artisticName: 'Mari Flor', musicalGenre: 'MPB' };
const event = {
  eventName: 'Show',
  venueName: 'Arena',
  standName: 'Palco 2',
  eventDescription: 'Apresentação musical',
  assemblyStartDate: '2026-12-05',
  eventStartDate: '2026-12-06',
  eventEndDate: '2026-12-07',
  disassemblyEndDate: '2026-12-08',
};
const others = [{ ...person, cpfOrCnpj: '11144477735' }];
const optional = { socialName: 'Mari', saleDate: '2026-11-19', additionalInsured: others };
const stored = { soldOn: '2026-11-19', additionalInsured: [{ ...person, taxId: '11144477735' }] };

/** Bodies, what is stored of them, and what happens to the answers of the insurer. */
const SALES = [
  {
    path: ARTISTA,
    order: artistOrder({ ...optional, ...artist, ...event, payment: byCard() }),
    insured: { ...insured, socialName: 'Mari', birthDate: '1990-05-17' },
    insuredObject: { ...artist, ...event, standArea: '20' },
    insuredAmount: 1_000_000,
    answers: [undefined, undefined, 'lost'],
  },
  {
    path: CELULAR,
    order: phoneOrder({ ...optional, ...artist, address, creditCard: creditCard() }),
    insured: { ...insured, socialName: 'Mari' },
    insuredObject: artist,
    answers: ['lost'],
  },
] as const;

const AUTHENTICATED = {
  POST: [`${ARTISTA}/create`, `${INGRESSO}/create`, `${INGRESSO}/segunda-via`, `${CELULAR}/create`],
  GET: [`${ARTISTA}/status/1`, `${INGRESSO}/status/1`, `${CELULAR}/status/1`],
};

const NO_TOKEN = { success: false, response: 'Token não encontrado', status_code: '401' };

describe('the service as specified', () => {
  withApi((api) => {
    let authorization: { Authorization: string };
    before(async () => {
      authorization = await api().bearer();
    });
    const sell = async (path: string, order: object) => {
      const { body } = await api().post(`${path}/create`, order, authorization);
      const { transaction_id: id, ticket } = body.response?.data ?? body.data;
      return { id, ticket, sale: await api().memory.sales.load(id) };
    };

    for (const type of TICKET_TYPES)
      it(`takes tipoIngresso ${type}, and stores it`, async () => {
        const { sale } = await sell(INGRESSO, mainBody({ tipoIngresso: type }));
        expect(sale?.terms.insuredObject['ticketType']).to.equal(type);
      });

    for (const [sent, method] of Object.entries(METHODS))
      it(`takes formaPagamento ${sent}, and stores ${method}`, async () => {
        const { sale } = await sell(INGRESSO, mainBody({ formaPagamento: sent }));
        expect(sale?.terms.payment).to.include({ collectedBy: 'channel', method });
      });

    for (const { path, order, answers, ...terms } of SALES) {
      it(`stores the body of ${path}/create`, async () => {
        const { sale } = await sell(path, order);
        expect(sale?.terms).to.deep.include({ ...terms, ...stored });
      });

      it(`synchronizes the sale with the insurer in ${path}/status`, async () => {
        api().memory.issuer.mishaps.next(...answers);
        const { id, ticket, sale } = await sell(path, order);
        expect(sale?.status).to.be.oneOf(['pending', 'paid']);
        const ask = () => api().get(`${path}/status/${ticket}`, authorization);
        const { body } = await ask();
        // The card of an apólice is captured after the policy.
        if (sale?.status === 'paid')
          expect(body.response?.data ?? body.data).to.include({ status_id: 4, status: 'issued' });
        else {
          expect(body.response.data).to.include({ status_id: 1, proposal_status: 'Policy' });
          await api().memory.runJobs();
          expect((await ask()).body.response.data).to.include({ status_id: 4, status: 'issued' });
        }
        expect((await api().memory.sales.load(id))?.status).to.equal('issued');
      });
    }

    for (const [whom, sent, charged] of HOLDERS)
      it(`charges ${whom}`, async () => {
        const { payments } = api().memory;
        const charge = payments.charge.bind(payments);
        const holders: unknown[] = [];
        payments.charge = (order) => {
          holders.push(order.card?.holder);
          return charge(order);
        };
        await sell(ARTISTA, artistOrder({ payment: byCard({}, { holder: sent }) }));
        payments.charge = charge;
        expect(holders).to.deep.equal([charged]);
      });

    for (const [method, paths] of Object.entries(AUTHENTICATED))
      for (const path of paths)
        it(`requires a known token for ${method} ${path}`, async () => {
          for (const headers of [{}, { Authorization: 'Bearer unknown' }]) {
            const { status, body } = await api().call(path, { method, headers });
            expect(status).to.equal(401);
            expect(body).to.deep.equal({ ...NO_TOKEN, code: 'unauthenticated' });
          }
          const known = await api().call(path, { method, headers: authorization });
          expect(known.status).not.to.equal(401);
        });

    it('describes version 1.0, and has no version in paths and headers', async () => {
      const document = inlineReferences(await fetchDocument(api(), '/openapi.json'));
      expect(document.info['version']).to.equal('1.0');
      const paths = Object.keys(document.paths).join('\n');
      expect(paths)
        .to.include(`${INGRESSO}/create`)
        .and.not.match(/\/v?\d+(\.\d+)*(\/|$)/m);
      for (const { operation, name } of operationsOf(document))
        for (const { in: place, name: field } of operation.parameters ?? [])
          if (place === 'header') expect(field, name).not.to.match(/version/i);
    });
  });
});
