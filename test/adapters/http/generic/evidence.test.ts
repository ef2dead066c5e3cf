import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { PdfDocuments } from '../../../../adapters/documents/pdf-documents.ts';
import { Api, CREATE, mainBody, withApi } from '../../../support/api.ts';
import { certificateMail } from '../../../support/certificates.ts';
import { withoutChance } from '../../../support/chance.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { artistOrder, creditCard, phoneOrder } from '../../../support/orders.ts';

const ACCEPTANCE = {
  acceptedAt: '2026-11-20T14:58:03.000Z',
  termsVersion: 'condicoes-gerais-7',
  termsHash: 'ab'.repeat(32),
  ipAddress: '203.0.113.77',
  userAgent: 'Mozilla/5.0 (Android 16)',
};

const SHOWN_ACCEPTANCE = { ...ACCEPTANCE, disclosureHash: null };

type Headers = { readonly Authorization: string };

/** As a court's expert would: with the address of the service and a library, nothing else. */
const verify = async (evidence: string, address: string): Promise<JWTPayload> => {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', address));
  const expected = { issuer: address, typ: 'sale-evidence+jwt', algorithms: ['ES256'] };
  return (await jwtVerify(evidence, keys, expected)).payload;
};

const evidenceOf = async (api: Api, name: string, headers: Headers) => {
  const { status, body } = await api.get(`${SALE}/${name}/evidence`, headers);
  expect(status, JSON.stringify(body)).to.equal(200);
  return body.data;
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('the evidence of a sale', () => {
  withApi((api) => {
    let headers: Headers;
    let admin: Headers;
    before(async () => {
      headers = await api().bearer();
      admin = await api().bearer(null);
      await api().channel('canal-alheio');
    });
    const sell = async (externalSaleId: string, over: Record<string, unknown> = {}) => {
      const order = saleOrder({ externalSaleId, acceptance: ACCEPTANCE, ...over });
      return (await api().post(SALE, order, headers)).body.data;
    };
    const proofOf = async (name: string) => {
      const { evidence } = await evidenceOf(api(), name, headers);
      return verify(evidence, api().url);
    };

    it('says what was sold, at what price, accepted how, paid when, and what was issued', async () => {
      const sold = await sell('complete', { saleDate: '2026-11-20' });
      await api().memory.runJobs();
      const given = await evidenceOf(api(), 'complete', headers);
      const { ticket, transaction_id } = sold;
      expect(given).to.have.all.keys('transaction_id', 'ticket', 'evidence');
      expect(given).to.deep.include({ ticket, transaction_id });

      const { iss, iat, certificate, ...content } = await verify(given.evidence, api().url);
      expect([iss, iat]).to.deep.equal([api().url, Date.parse('2026-11-20T15:00:00Z') / 1_000]);
      expect(certificate).to.have.property('sha256');
      expect(content).to.deep.equal({
        transaction_id,
        ticket,
        external_sale_id: 'complete',
        seller_code: null,
        registered_at: '2026-11-20T15:00:00.000Z',
        status: 'paid',
        channel: { link: 'canal-demo', name: 'Canal de demonstração' },
        product: {
          id: 4,
          code: 'LUA_DE_MEL',
          name: 'Seguro Lua de Mel',
          version: 1,
          susep_process: '15414.900004/2026-00',
          insurer: {
            name: 'Seguradora Demonstração S.A.',
            cnpj: '11222333000181',
            susep_code: '00000',
          },
        },
        plan: { id: 41, code: 'NACIONAL' },
        coverages: [],
        insured: { name: 'Maria da Silva', social_name: null, tax_id: '52998224725' },
        vigencia: { inicio: '2199-12-01', fim: '2199-12-10' },
        sold_on: '2026-11-20',
        prices: [{ of: 'plan', code: 'NACIONAL', name: 'Nacional', amount: 89.9 }],
        amounts: {
          ...{ net_premium: 89.9, iof_rate: 0.38, iof: 0.34, total: 90.24 },
          ...{ commission_rate: 20, commission: 17.98, net_amount: 72.26 },
          iof_legal_basis: 'Decreto 6.306/2007, art. 22, § 1º, II (redação do Decreto 6.339/2008)',
        },
        acceptance: SHOWN_ACCEPTANCE,
        disclosure: null,
        payment: {
          collected_by: 'channel',
          method: 'pix',
          installments: 1,
          paid_on: '2026-11-20',
          booked_at: '2026-11-20T15:00:00.000Z',
          receipts: [{ charge_id: null, amount: 90.24, returned: 0 }],
        },
        email: { accepted: 'maria@example.com', corrections: [] },
        mails: [
          {
            occasion: 'issue',
            status: 'sent',
            requested_at: '2026-11-20T15:00:00.000Z',
            settled_at: '2026-11-20T15:00:00.000Z',
          },
        ],
        cancellation: null,
      });
    });

    it('shows the accepted address and its corrections', async () => {
      await sell('corrected');
      const email = 'mariana@exemplo.com.br';
      await api().post(`${SALE}/corrected/correct-email`, { email }, headers);
      expect((await proofOf('corrected'))['email']).to.deep.equal({
        accepted: 'maria@example.com',
        corrections: [{ email, at: '2026-11-20T15:00:00.000Z' }],
      });
    });

    it('has no certificate before the policy, and no payment before it is paid', async () => {
      const answer = await api().post('/seguros/seguro-celular/create', phoneOrder(), headers);
      const proof = await proofOf(answer.body.data.ticket);
      expect(proof).to.deep.include({
        status: 'awaiting_payment',
        acceptance: null,
        certificate: null,
        mails: [],
      });
      expect(proof['payment']).to.deep.equal({
        collected_by: 'service',
        method: null,
        installments: 1,
        paid_on: null,
        booked_at: null,
        receipts: [],
      });
    });

    it('names the policy, the charge and the coverages of a collected sale, and no card', async () => {
      const order = phoneOrder({ creditCard: creditCard(), insurance: [{ id: 301 }] });
      const answer = await api().post('/seguros/seguro-celular/create', order, headers);
      const { ticket } = answer.body.data;
      const proof = await proofOf(ticket);
      expect(proof).to.deep.include({
        status: 'issued',
        coverages: [{ id: 301, code: 'QUEBRA_TELA' }],
      });
      expect(proof['certificate']).to.include({ kind: 'policy' });
      expect(proof['payment']).to.deep.include({ method: 'credit', paid_on: '2026-11-20' });
      expect(withoutChance(proof)).not.to.match(/4111|8371|11\) 98765|Flores|1990/);
    });

    it('is given for the products of all endpoints', async () => {
      const orders: readonly [string, Record<string, unknown>][] = [
        [CREATE, mainBody({ acceptance: ACCEPTANCE })],
        ['/seguros/artista-protegido/create', artistOrder({ acceptance: ACCEPTANCE })],
        ['/seguros/seguro-celular/create', phoneOrder({ acceptance: ACCEPTANCE })],
      ];
      for (const [path, order] of orders) {
        const { body } = await api().post(path, order, headers);
        const { ticket } = body.data ?? body.response.data;
        expect((await proofOf(ticket))['acceptance']).to.deep.equal(SHOWN_ACCEPTANCE);
      }
    });

    it('tells of the cancellation, and keeps the certificate that the insured had', async () => {
      await sell('cancelled');
      const before = await proofOf('cancelled');
      await api().post(`${SALE}/cancelled/cancel`, {}, headers);
      const after = await proofOf('cancelled');
      expect(after['certificate']).to.deep.equal(before['certificate']);
      expect(after['acceptance']).to.deep.equal(SHOWN_ACCEPTANCE);
      expect(after).to.deep.include({
        status: 'cancelled',
        cancellation: {
          protocol: (await api().get(`${SALE}/cancelled`, headers)).body.data.protocol,
          ...{ at: '2026-11-20T15:00:00.000Z', on: '2026-11-20', reason: 'withdrawal' },
          ...{ stated_reason: null, stated_text: null },
          by: 'insured',
          refund: { net_premium: 89.9, iof: 0.34, total: 90.24 },
        },
      });
    });

    it('answers 404 for a sale that does not exist or is of another channel', async () => {
      const { ticket } = await sell('own');
      const others = await api().bearer('canal-alheio');
      for (const [name, by] of [
        ['own', others],
        [ticket, others],
        ['none', headers],
      ] as const)
        expect((await api().get(`${SALE}/${name}/evidence`, by)).status).to.equal(404);
      expect((await api().get(`${SALE}/own/evidence`, admin)).status).to.equal(403);
      expect((await api().get(`${SALE}/own/evidence`)).status).to.equal(401);
      expect((await api().get(`${SALE}/own/evidence?format=x`, headers)).status).to.equal(422);
    });

    it('is no access token', async () => {
      await sell('token');
      const { evidence } = await evidenceOf(api(), 'token', headers);
      const refused = await api().get(`${SALE}/token`, { Authorization: `Bearer ${evidence}` });
      expect([refused.status, refused.body.response]).to.deep.equal([401, 'Token não encontrado']);
    });

    it('leaves nothing of its content in the log', () => {
      expect(api().lines.join('\n')).not.to.match(/203\.0\.113\.77|52998224725|eyJ|condicoes/);
    });
  });

  it('has the SHA-256 of the very PDF that the document link opens', async () => {
    const documents = new PdfDocuments();
    const api = await new Api({ fakes: { documents } }).start();
    const headers = await api.bearer();
    const bodies = [
      [SALE, saleOrder({ acceptance: ACCEPTANCE })],
      ['/seguros/seguro-celular/create', phoneOrder({ creditCard: creditCard() })],
    ] as const;
    for (const [path, order] of bodies) {
      const { ticket } = (await api.post(path, order, headers)).body.data;
      const { body } = await api.get(`${SALE}/${ticket}`, headers);
      const pdf = new Uint8Array(await (await fetch(body.document_url)).arrayBuffer());
      expect(new TextDecoder().decode(pdf.subarray(0, 5))).to.equal('%PDF-');
      const { evidence } = await evidenceOf(api, ticket, headers);
      expect((await verify(evidence, api.url))['certificate']).to.deep.include({
        sha256: sha256(pdf),
      });
      await api.memory.runJobs();
      expect(sha256(certificateMail(api.memory.mailer.sent.at(-1)).document.content)).to.equal(
        sha256(pdf),
      );
    }
    await api.stop();
    await documents.close();
  });
});
