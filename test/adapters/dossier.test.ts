import { expect } from 'chai';
import { readDossier } from '../../adapters/issuance/dossier.ts';

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

  it('may have papers that are absent or null', () => {
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
