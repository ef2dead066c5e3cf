import { expect } from 'chai';
import { addDays, lastDayOfBoleto } from '#domain';
import {
  addBankDays,
  bankDayFrom,
  isBankDay,
  lastReportDay,
} from '../../domain/src/values/bank-days.ts';
import { day } from '../support/sales.ts';

/** The working days of a year on which banks are closed, as FEBRABAN publishes them. */
const HOLIDAYS: Readonly<Record<string, string>> = {
  '2025': '01-01 03-03 03-04 04-18 04-21 05-01 06-19 11-20 12-25 12-31',
  '2026': '01-01 02-16 02-17 04-03 04-21 05-01 06-04 09-07 10-12 11-02 11-20 12-25 12-31',
  '2027': '01-01 02-08 02-09 03-26 04-21 05-27 09-07 10-12 11-02 11-15 12-31',
  // The latest Easter, 25 April.
  '2038': '01-01 03-08 03-09 04-21 04-23 06-24 09-07 10-12 11-02 11-15 12-31',
  // A year of a century, in which the moon is corrected.
  '2100': '01-01 02-08 02-09 03-26 04-21 05-27 09-07 10-12 11-02 11-15 12-31',
};

describe('a bank day', () => {
  it('is no weekend, and no national bank holiday, also one that moves with Easter', () => {
    for (const [year, holidays] of Object.entries(HOLIDAYS)) {
      const closed: string[] = [];
      for (let each = day(`${year}-01-01`); each < `${year}-12-32`; each = addDays(each, 1)) {
        const isWeekend = [0, 6].includes(new Date(each).getUTCDay());
        if (isWeekend) expect(isBankDay(each), each).to.equal(false);
        else if (!isBankDay(each)) closed.push(each.slice(5));
      }
      expect(closed.join(' '), year).to.equal(holidays);
    }
  });

  it('is found from a day on, and some bank days after it', () => {
    expect(bankDayFrom(day('2026-11-27'))).to.equal('2026-11-27');
    expect(bankDayFrom(day('2026-12-25'))).to.equal('2026-12-28');
    expect(addBankDays(day('2026-11-27'), 1)).to.equal('2026-11-30');
    expect(addBankDays(day('2027-02-05'), 3)).to.equal('2027-02-12');
  });

  it('decides until when a boleto is paid and reported', () => {
    // Carnival: paid on Ash Wednesday, reported on Thursday.
    for (const due of ['2027-02-06', '2027-02-07', '2027-02-08', '2027-02-09', '2027-02-10'])
      expect(lastReportDay(day(due))).to.equal('2027-02-11');
    expect(lastReportDay(day('2026-12-25'))).to.equal('2026-12-29');
    expect(lastReportDay(day('2026-11-24'))).to.equal('2026-11-25');
    expect(lastDayOfBoleto(day('2026-12-25'))).to.equal('2026-12-29');
    // Paid on the Saturday that is the last day, on Monday for the bank, reported on Tuesday.
    expect(lastDayOfBoleto(day('2026-11-25'))).to.equal('2026-12-01');
    expect(lastDayOfBoleto(day('2026-11-24'))).to.equal('2026-11-30');
  });
});
