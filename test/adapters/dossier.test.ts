import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type CalendarDate, cents, type Email, type TaxId } from '#domain';
import { readDossier } from '../../adapters/issuance/dossier.ts';
import { HttpIssuer } from '../../adapters/issuance/http-issuer.ts';
import { blocks } from '../support/readme.ts';
import { terms } from '../support/sales.ts';

const quotation = {
  number: 'C-1',
  status: 'COTADA',
  netPremium: 100,
  iof: 7.38,
  total: 107.38,
  validUntil: '2026-12-31',
};
const proposal = { number: 'P-1', status: 'EM_ANALISE' };
const policy = {
  number: 'A-1',
  status: 'VIGENTE',
  issuedAt: '2026-11-20T12:00:00-03:00',
  startDate: '2026-12-01',
  endDate: '2026-12-04',
};

const read = (over: object) => readDossier({ reference: '1-T', ...over }, '1-T');

describe('an insurer’s dossier', () => {
  it('is translated from English and Portuguese words, and may have other fields', () => {
    expect(
      read({
        quotation: { ...quotation, status: 'EMITIDA' },
        proposal: { ...proposal, status: 'Policy' },
        policy,
        more: { x: 1 },
      }),
    ).to.deep.equal({
      quotation: {
        status: 'issued',
        number: 'C-1',
        amounts: { net: 10_000, iof: 738, total: 10_738 },
        validUntil: '2026-12-31',
        policyNumber: 'A-1',
      },
      proposal: { status: 'policy', number: 'P-1', quotationNumber: 'C-1', policyNumber: 'A-1' },
      policy: {
        status: 'active',
        number: 'A-1',
        issuedAt: '2026-11-20T15:00:00.000Z',
        period: { start: '2026-12-01', end: '2026-12-04' },
      },
    });
    expect(
      read({ quotation: { ...quotation, status: 'RECUSADA', reason: 'risco' } })?.quotation,
    ).to.include({
      status: 'rejected',
      reason: 'risco',
    });
    expect(
      read({ policy: { ...policy, status: 'CANCELADA', cancelledOn: '2026-12-02' } })?.policy,
    ).to.include({
      status: 'cancelled',
      cancelledOn: '2026-12-02',
    });
  });

  it('may have documents that are absent or null', () => {
    expect(read({})).to.deep.equal({});
    expect(read({ quotation, proposal: null, policy: null })?.quotation?.status).to.equal('quoted');
  });

  it('with unknown status words counts as the first status, and reports the words', () => {
    for (const word of ['NOVA', 'constructor', '']) {
      expect(
        read({
          quotation: { ...quotation, status: word },
          proposal: { ...proposal, status: word },
          policy: { ...policy, status: word },
        }),
      ).to.deep.include({
        unknownWords: { quotation: word, proposal: word, policy: word },
        proposal: { status: 'submitted', number: 'P-1', quotationNumber: 'C-1' },
      });
    }
    expect(read({ policy: { ...policy, status: 'NOVA' } })?.policy).to.equal(undefined);
  });

  const UNREADABLE: Readonly<Record<string, object>> = {
    'another reference': { reference: '2-T' },
    'no number': { quotation: { ...quotation, number: undefined } },
    'an amount of half a cent': { quotation: { ...quotation, iof: 7.385 } },
    'a negative amount': { quotation: { ...quotation, iof: -1 } },
    'a day that does not exist': { quotation: { ...quotation, validUntil: '2026-02-30' } },
    'a period that ends before it starts': { policy: { ...policy, endDate: '2026-11-30' } },
    'an invalid time': { policy: { ...policy, issuedAt: '1' } },
    'a status that is not a text': { proposal: { ...proposal, status: 7 } },
    'a list': { quotation: [] },
  };
  for (const [what, over] of Object.entries(UNREADABLE)) {
    it(`with ${what} is unreadable`, () => expect(read(over)).to.equal(undefined));
  }

  it('must be an object', () => {
    for (const body of [undefined, null, 'x', 7, []])
      expect(readDossier(body, '1-T')).to.equal(undefined);
  });
});

describe('the README of the issuers', () => {
  const README = readFileSync(
    new URL('../../adapters/issuance/README.md', import.meta.url),
    'utf8',
  );
  const [order, dossier] = blocks(README, 'jsonc').map(({ text }) => JSON.parse(text));
  const REFERENCE = '6-01M7ZR84HSM7H82VVJ7012XNF3';

  it('shows the order that is posted', async () => {
    const posted: unknown[] = [];
    const issuer = new HttpIssuer(async ({ body }) => {
      posted.push(JSON.parse(JSON.stringify(body)));
      return 'unreached';
    });
    const { quote } = terms();
    const amounts = { net: cents(30_400), iof: cents(2_244), total: cents(32_644) };
    await issuer.perform('issue', {
      reference: REFERENCE,
      terms: terms({
        product: { id: 3, code: 'CELULAR', line: 'mobile_phone' },
        plan: { id: 32, code: 'ANUAL' },
        coverages: [{ id: 301, code: 'VIDRO' }],
        insured: {
          name: 'Maria da Silva',
          taxId: '52998224725' as TaxId,
          email: 'maria@example.com' as Email,
        },
        insuredObject: { brand: 'Fabricante', model: 'X1', imei: '490154203237518' },
        insuredAmount: cents(320_000),
        quote: { ...quote, premium: { ...quote.premium, ...amounts } },
        period: { start: '2026-11-20' as CalendarDate, end: '2027-11-19' as CalendarDate },
      }),
      issuance: {
        quotation: {
          status: 'quoted',
          number: 'COT1',
          amounts,
          validUntil: '2026-12-20' as CalendarDate,
        },
        proposal: { status: 'submitted', number: 'PRO1', quotationNumber: 'COT1' },
      },
      paidOn: '2026-11-20' as CalendarDate,
      on: '2026-11-20' as CalendarDate,
    });
    expect(posted).to.deep.equal([order]);
  });

  it('shows a dossier that is read', () => {
    expect(readDossier(dossier, REFERENCE)).to.deep.include({
      proposal: { status: 'policy', number: 'PRO1', quotationNumber: 'COT1', policyNumber: 'APO1' },
    });
    expect(readDossier(dossier, REFERENCE)?.policy?.status).to.equal('active');
  });
});
