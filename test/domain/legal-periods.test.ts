import { expect } from 'chai';
import {
  findLegalPeriod,
  LEGAL_PERIOD_KINDS,
  LEGAL_PERIODS,
  type LegalPeriod,
  lastContractDayOver,
  lastDayOfWithdrawal,
} from '#domain';
import { day } from '../support/sales.ts';

const NOW = day('2026-11-27');

/** A law that changes the time for a policy on 5 January 2027. */
const changedTo = (days: number): readonly LegalPeriod[] => [
  { kind: 'policy', from: day('2027-01-05'), days, source: 'a new law' },
  ...LEGAL_PERIODS,
];

describe('the time limits of the law', () => {
  it('are those of today, each with its source', () => {
    const shown = LEGAL_PERIOD_KINDS.map((kind) => findLegalPeriod(kind, NOW));
    expect(shown.map(({ kind, days }) => `${kind} ${days}`)).to.deep.equal([
      'withdrawal 7',
      'policy 25',
      'certificate 30',
      'claim_decision 30',
      'claim_payment 30',
      'refund 15',
    ]);
    for (const { source } of shown) expect(source).not.to.equal('');
  });

  it('are found by the day of the contract, whatever the day of the question', () => {
    const rows = changedTo(20);
    expect(findLegalPeriod('policy', day('2027-01-04'), rows).days).to.equal(25);
    expect(findLegalPeriod('policy', day('2027-01-05'), rows).source).to.equal('a new law');
    expect(findLegalPeriod('policy', day('1950-01-01'), rows).days).to.equal(25);
    expect(() => findLegalPeriod('policy', NOW, [])).to.throw(RangeError, 'policy');
  });

  it('are over for contracts up to a day: 25 days ago, that day included', () => {
    expect(lastContractDayOver('policy', day('2026-12-15'))).to.equal('2026-11-20');
    expect(lastContractDayOver('policy', day('1990-01-26'))).to.equal('1990-01-01');
  });

  it('are over later for contracts after a longer time limit begins', () => {
    const over = (today: string) => lastContractDayOver('policy', day(today), changedTo(30));
    expect(over('2027-01-29')).to.equal('2027-01-04');
    expect(over('2027-02-03')).to.equal('2027-01-04');
    expect(over('2027-02-04')).to.equal('2027-01-05');
  });

  it('are over for contracts before a shorter time limit some days early, and never late', () => {
    const over = (today: string) => lastContractDayOver('policy', day(today), changedTo(20));
    expect(over('2027-01-24')).to.equal('2026-12-30');
    expect(over('2027-01-25')).to.equal('2027-01-05');
    expect(over('2027-02-20')).to.equal('2027-01-31');
  });

  it('decide about the withdrawal by the day of the sale', () => {
    const soldOn = day('2026-12-30');
    expect(lastDayOfWithdrawal({ soldOn, paidOn: day('2027-01-10') })).to.equal('2027-01-17');
  });
});
