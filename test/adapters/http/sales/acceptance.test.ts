import { expect } from 'chai';
import { type Answer, CREATE, mainBody, quickStartBody, withApi } from '../../../support/api.ts';
import { certificateMail } from '../../../support/certificates.ts';
import { SALE, SALES_LIST, saleOrder } from '../../../support/generic-sales.ts';
import { artistOrder, phoneOrder } from '../../../support/orders.ts';

type Fields = Record<string, unknown>;

const ARTIST = '/seguros/artista-protegido/create';
const PHONE = '/seguros/seguro-celular/create';

const HASH = 'AB'.repeat(32);

const acceptance = (over: Fields = {}): Fields => ({
  acceptedAt: '2026-11-20T11:58:03-03:00',
  termsVersion: 'condicoes-gerais-7',
  termsHash: HASH,
  ipAddress: '203.0.113.77',
  userAgent: 'Mozilla/5.0 (Linux; Android 16) Navegador-da-Maria/1.0',
  ...over,
});

/** Every body that sells, and the status of its answer to a faulty field. */
const BODIES: readonly [string, string, (over: Fields) => Fields, number][] = [
  ['Ingresso', CREATE, mainBody, 422],
  ['Ingresso, quick start', CREATE, quickStartBody, 422],
  ['Artista', ARTIST, artistOrder, 400],
  ['Celular', PHONE, phoneOrder, 422],
  ['generic sale', SALE, saleOrder, 422],
];

const FAULTY: readonly [string, unknown][] = [
  ['acceptedAt', undefined],
  ['acceptedAt', '2026-11-20'],
  ['acceptedAt', '2026-11-20T12:00:00'],
  ['acceptedAt', '2026-11-20T15:05:00.001Z'],
  ['acceptedAt', 1_795_000_000],
  ['termsVersion', undefined],
  ['termsVersion', ''],
  ['termsVersion', 'v'.repeat(101)],
  ['termsVersion', 'v\u0000'],
  ['termsHash', undefined],
  ['termsHash', 'AB'.repeat(31)],
  ['termsHash', 'xy'.repeat(32)],
  ['ipAddress', '203.0.113.256'],
  ['ipAddress', 'fe80::1%eth0'],
  ['ipAddress', 'localhost'],
  ['userAgent', 'a'.repeat(1_001)],
  ['userAgent', 'half \ud83c character'],
  ['userAgent', 'two\nlines'],
];

const ticketIn = ({ body }: Answer): string => (body.data ?? body.response.data).ticket;

/** The faults of an answer, in whichever of the shapes it has. */
const faultsIn = (body: Fields): readonly string[] =>
  Object.keys((body['errors'] as Fields | undefined) ?? body);

describe('the acceptance of the terms', () => {
  withApi((api) => {
    let headers: { Authorization: string };
    let count = 0;
    before(async () => {
      headers = await api().bearer();
    });
    const sell = (path: string, make: (over: Fields) => Fields, sent: unknown, key?: string) => {
      count += 1;
      const named = path === SALE ? { externalSaleId: key ?? `order-${count}` } : {};
      return api().post(path, make({ ...named, ...(sent !== undefined && { acceptance: sent }) }), {
        ...headers,
        ...(path !== SALE && { 'Idempotency-Key': key ?? `key-${count}` }),
      });
    };
    const storedTerms = async (ticket: string) =>
      (await api().memory.sales.loadByTicket(ticket))?.terms;

    for (const [name, path, make, faulty] of BODIES) {
      it(`${name}: is frozen in the sale, and shown in no answer`, async () => {
        const answer = await sell(path, make, acceptance());
        expect(answer.status, JSON.stringify(answer.body)).to.be.oneOf([200, 201]);
        const ticket = ticketIn(answer);
        expect((await storedTerms(ticket))?.acceptance).to.deep.equal({
          ...acceptance(),
          acceptedAt: '2026-11-20T14:58:03.000Z',
          termsHash: HASH.toLowerCase(),
        });
        const shown = await Promise.all(
          [`${SALE}/${ticket}`, SALES_LIST].map((each) => api().get(each, headers)),
        );
        for (const { body } of [answer, ...shown])
          expect(JSON.stringify(body)).not.to.match(/accept|203\.0\.113|condicoes|Navegador/i);
      });

      it(`${name}: may be absent or null, or lack what a counter does not have`, async () => {
        for (const none of [undefined, null]) {
          const ticket = ticketIn(await sell(path, make, none));
          expect(await storedTerms(ticket)).not.to.have.property('acceptance');
        }
        const atCounter = acceptance({ ipAddress: undefined, userAgent: undefined });
        const ticket = ticketIn(await sell(path, make, atCounter));
        expect((await storedTerms(ticket))?.acceptance).to.have.all.keys(
          'acceptedAt',
          'termsVersion',
          'termsHash',
        );
      });

      it(`${name}: is refused at its fields if they are not what they should be`, async () => {
        for (const [field, value] of FAULTY) {
          const answer = await sell(path, make, acceptance({ [field]: value }));
          const what = `${field}: ${JSON.stringify(value)}`;
          expect(answer.status, what).to.equal(faulty);
          expect(faultsIn(answer.body), what).to.deep.equal([`acceptance.${field}`]);
        }
        for (const value of ['sim', 7, true, []]) {
          const answer = await sell(path, make, value);
          expect(answer.status).to.equal(faulty);
          expect(faultsIn(answer.body)).to.include('acceptance');
        }
      });

      it(`${name}: must be the same when the request is repeated; a conflict masks it`, async () => {
        const key = `again-${name.replaceAll(/\W/g, '')}`;
        const first = await sell(path, make, acceptance(), key);
        const repeated = await sell(path, make, acceptance(), key);
        expect(repeated.body).to.deep.equal(first.body);
        expect(repeated.headers.get('Idempotent-Replayed')).to.equal('true');

        const over = { ipAddress: '198.51.100.9', termsVersion: 'condicoes-gerais-8' };
        const differing = await sell(path, make, acceptance(over), key);
        expect(differing.status).to.equal(409);
        expect(differing.body.differences).to.deep.equal([
          { path: 'acceptance.ipAddress', stored: '2***', received: '1***' },
          { path: 'acceptance.termsVersion', stored: 'c***', received: 'c*** (outro)' },
        ]);
        expect((await sell(path, make, undefined, key)).body.differences).to.deep.equal([
          { path: 'acceptance', stored: '***', received: null },
        ]);
      });
    }

    it('may be five minutes ahead of our clock', async () => {
      const ahead = acceptance({ acceptedAt: '2026-11-20T15:05:00Z' });
      expect((await sell(CREATE, mainBody, ahead)).status).to.equal(200);
    });

    it('takes IPv6 addresses and longer hashes', async () => {
      const sent = acceptance({ ipAddress: '2001:db8::7', termsHash: 'ab'.repeat(64) });
      const { ticket } = (await sell(CREATE, mainBody, sent)).body.data;
      expect((await storedTerms(ticket))?.acceptance).to.deep.include({
        ipAddress: '2001:db8::7',
        termsHash: 'ab'.repeat(64),
      });
    });

    it('is checked by validate as well, which stores nothing and shows nothing', async () => {
      const order = (sent: Fields) => saleOrder({ externalSaleId: 'v-1', acceptance: sent });
      const validate = (sent: Fields) => api().post(`${SALE}/validate`, order(sent), headers);
      const valid = await validate(acceptance());
      expect(valid.status).to.equal(200);
      expect(JSON.stringify(valid.body)).not.to.match(/acceptance|203\.0\.113/);
      const faulty = await validate(acceptance({ ipAddress: 'x', hash: 'typo' }));
      expect(faulty.status).to.equal(422);
      expect(faultsIn(faulty.body)).to.have.members(['acceptance.ipAddress', 'acceptance.hash']);
    });

    it('reaches neither the log nor the certificate', async () => {
      const { ticket } = (await sell(CREATE, mainBody, acceptance())).body.data;
      await sell(PHONE, phoneOrder, acceptance({ termsHash: 'faulty' }));
      await api().memory.runJobs();
      const mail = certificateMail(api().memory.mailer.sent.at(-1));
      expect(mail.certificate.verification.code).to.equal(ticket);
      for (const text of [JSON.stringify(mail), api().lines.join('\n')])
        expect(text).not.to.match(/203\.0\.113\.77|condicoes-gerais|Navegador/);
    });
  });
});
