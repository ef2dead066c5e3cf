import { expect } from 'chai';
import fc from 'fast-check';
import {
  applyPaymentReport,
  expireSale,
  findIofRate,
  type Instant,
  IOF_CLASSES,
  IOF_RATES,
  type IofRate,
  isRefusal,
  lastDayOfPrice,
  lastDayOfRate,
  mergeIofRates,
  nextSteps,
  rate,
  readIofRates,
  refuseOutdatedPrice,
  type Sale,
} from '#domain';
import {
  APPROVED,
  AWAITING,
  day,
  dueOf,
  LATER,
  PAID,
  pendingSale,
  stateOf,
} from '../support/sales.ts';

const row = (over: Partial<IofRate> = {}): IofRate => ({
  iofClass: 'general',
  from: day('2028-01-01'),
  rate: rate(50_000),
  legalBasis: 'Decreto 1/2027',
  ...over,
});
const legal = (found: unknown) => found as IofRate;
/** A price calculated with a row on its first day, or on the given one. */
const used = (found: unknown, on = legal(found).from) => ({ ...legal(found), on });

describe('the IOF of a day', () => {
  it('is today’s rate up to 31 December 2026, and nothing from 1 January 2027', () => {
    for (const iofClass of IOF_CLASSES) {
      const before = legal(findIofRate(iofClass, day('2026-12-31')));
      const after = legal(findIofRate(iofClass, day('2027-01-01')));
      expect(before.legalBasis).to.match(/^Decreto 6\.306\/2007, art\. 22/);
      expect(after).to.include({ rate: 0, legalBasis: 'EC 132/2023, arts. 3º e 23, I' });
      expect(legal(findIofRate(iofClass, day('2126-01-01')))).to.equal(after);
    }
  });

  it('follows the table of operators from the day that a decree names', () => {
    const table = mergeIofRates([row({ from: day('2026-12-10') })]);
    expect(legal(findIofRate('general', day('2026-12-09'), table)).rate).to.equal(73_800);
    expect(legal(findIofRate('general', day('2026-12-10'), table)).rate).to.equal(50_000);
    expect(legal(findIofRate('general', day('2027-01-01'), table)).rate).to.equal(0);
    expect(legal(findIofRate('life', day('2026-12-10'), table)).rate).to.equal(3_800);
  });

  it('takes the row that was added last for a class and a day, also instead of the law’s row', () => {
    const postponed = row({ from: day('2027-01-01'), rate: rate(73_800) });
    const table = mergeIofRates([row({ from: day('2027-01-01') }), postponed]);
    expect(legal(findIofRate('general', day('2027-01-01'), table))).to.equal(postponed);
    expect(table).to.have.length(IOF_RATES.length);
    expect(mergeIofRates([])).to.deep.equal(
      [...IOF_RATES].sort((one, other) =>
        `${one.from} ${one.iofClass}` < `${other.from} ${other.iofClass}` ? -1 : 1,
      ),
    );
  });
});

describe('rows for the IOF table', () => {
  const today = day('2026-12-01');
  const read = (input: unknown, table = mergeIofRates([])) => readIofRates(input, table, today);
  const faults = (input: unknown, table?: readonly IofRate[]) => {
    const reading = read(input, table);
    return reading.ok ? [] : reading.faults.map(({ path, kind }) => `${path} ${kind}`);
  };

  it('may begin today, because a decree may take effect on the day of its publication', () => {
    const reading = read([row({ from: today })]);
    expect(reading).to.deep.equal({ ok: true, value: [row({ from: today })] });
  });

  it('never change what is past or in force', () => {
    expect(faults([row({ from: day('2026-11-30') })])).to.deep.equal(['0.from out_of_range']);
    expect(faults([row({ from: day('2008-01-03') })])).to.deep.equal(['0.from in_force']);
    const table = mergeIofRates([row({ from: today })]);
    expect(faults([row({ from: today, rate: rate(1) })], table)).to.deep.equal(['0.from in_force']);
  });

  it('may replace a row that is not in force yet', () => {
    const postponed = row({ from: day('2027-01-01'), rate: rate(73_800) });
    expect(read([postponed])).to.deep.equal({ ok: true, value: [postponed] });
  });

  it('are left out where the table has them already', () => {
    const table = mergeIofRates([row()]);
    expect(read([...IOF_RATES, row()], table)).to.deep.equal({ ok: true, value: [] });
    expect(read([...IOF_RATES, row({ from: day('2028-02-01') })], table)).to.deep.equal({
      ok: true,
      value: [row({ from: day('2028-02-01') })],
    });
  });

  it('are refused with all their faults', () => {
    expect(faults('x')).to.deep.equal([' not_a_list']);
    expect(faults([null])).to.deep.equal(['0 not_an_object']);
    expect(
      faults([
        { iofClass: 'gerl', from: '2027-02-30', rate: 250_001, legalBasis: '' },
        row(),
        row({ rate: rate(1) }),
        row({ from: day('2036-12-02') }),
      ]),
    ).to.have.members([
      '0.iofClass not_one_of_these',
      '0.from badly_formed',
      '0.rate out_of_range',
      '0.legalBasis badly_formed',
      '2.from repeated',
      '3.from out_of_range',
    ]);
  });
});

describe('the last day of a price', () => {
  const now = { on: day('2026-12-30'), at: LATER };
  const NEW_YEAR = { on: day('2027-01-01'), at: LATER };

  it('is the day before another rate begins', () => {
    expect(lastDayOfPrice(AWAITING, {})).to.equal('2026-12-31');
    const iofRates = mergeIofRates([row({ from: day('2026-12-10') })]);
    expect(lastDayOfPrice(AWAITING, { iofRates })).to.equal('2026-12-09');
    const announced = { ...AWAITING.terms, priceUntil: day('2026-12-04') };
    expect(lastDayOfPrice({ ...AWAITING, terms: announced }, { iofRates })).to.equal('2026-12-04');
  });

  it('is found in any order of the table', () => {
    const today = legal(findIofRate('general', day('2026-11-20')));
    expect(lastDayOfRate(used(today), [...IOF_RATES].reverse())).to.equal('2026-12-31');
  });

  it('does not exist if no other rate follows', () => {
    expect(lastDayOfRate(used(findIofRate('general', day('2027-05-01'))))).to.equal(undefined);
    expect(lastDayOfRate(used(row()))).to.equal(undefined);
    const sameRate = mergeIofRates([
      row({ from: day('2026-12-10'), rate: rate(73_800) }),
      row({ from: day('2027-01-01'), rate: rate(73_800) }),
    ]);
    expect(lastDayOfRate(used(findIofRate('general', day('2026-11-20'))), sameRate)).to.equal(
      undefined,
    );
  });

  it('depends on the class of the product alone, also where classes share rate and legal basis', () => {
    const rates = mergeIofRates([
      row({ iofClass: 'life', from: day('2027-03-01'), rate: rate(1_000) }),
    ]);
    const on = day('2027-02-20');
    const general = legal(findIofRate('general', on, rates));
    expect(lastDayOfRate(used(general, on), rates)).to.equal(undefined);
    expect(lastDayOfRate(used({ ...general, iofClass: 'life' }, on), rates)).to.equal('2027-02-28');
    // Early sales do not name their class: the earlier end.
    expect(lastDayOfRate(used({ ...general, iofClass: undefined }, on), rates)).to.equal(
      '2027-02-28',
    );
  });

  it('is found by the day of the price where a rate returns with the same legal basis', () => {
    const before = legal(findIofRate('general', day('2026-11-20')));
    const rates = mergeIofRates([
      row({ from: day('2026-12-01') }),
      { ...before, from: day('2026-12-15') },
    ]);
    expect(lastDayOfRate(used(before, day('2026-11-20')), rates)).to.equal('2026-11-30');
    expect(lastDayOfRate(used(before, day('2026-12-20')), rates)).to.equal('2026-12-31');
  });

  it('is never after the day before the rate of the class differs', () => {
    const ppm = fc.integer({ min: 0, max: 250_000 }).map((each) => rate(each));
    const days = fc
      .integer({ min: 1, max: 28 })
      .map((each) => day(`2027-03-${each < 10 ? '0' : ''}${each}`));
    const table = fc.array(fc.record({ from: days, rate: ppm }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(table, days, (added, on) => {
        const rates = mergeIofRates(
          added.map((each, index) => row({ ...each, legalBasis: `Decreto ${index}/2027` })),
        );
        const rowThen = legal(findIofRate('general', on, rates));
        const lastDay = lastDayOfRate(used(rowThen, on), rates);
        if (lastDay === undefined) return;
        expect(lastDay >= on).to.equal(true);
        expect(legal(findIofRate('general', lastDay, rates)).rate).to.equal(rowThen.rate);
      }),
    );
  });

  it('closes a page that is still open on the next day', () => {
    expect(nextSteps(AWAITING, { ...now, on: day('2026-12-31') })).to.deep.equal(['await']);
    expect(nextSteps(AWAITING, NEW_YEAR)).to.deep.equal(['withdraw_charge']);
  });

  it('leaves a boleto open, because its bank reports later what was paid in time', () => {
    const payment = { collectedBy: 'service', installments: 1, method: 'boleto' } as const;
    const boleto: Sale = { ...AWAITING, terms: { ...AWAITING.terms, payment } };
    expect(nextSteps(boleto, NEW_YEAR)).to.deep.equal(['await']);
    const inTime = { ...APPROVED, paidOn: day('2026-12-31') };
    const outcome = stateOf(
      applyPaymentReport(boleto, inTime, { ...NEW_YEAR, on: day('2027-01-04') }) as never,
    );
    expect((outcome as Sale).status).to.equal('paid');
  });

  it('waits for the report of a boleto until 5 January, since banks are closed meanwhile', () => {
    const payment = { collectedBy: 'service', installments: 1, method: 'boleto' } as const;
    const until = '2027-01-04T03:00:00.000Z' as Instant;
    const boleto = (over: object = {}): Sale => ({
      ...AWAITING,
      terms: { ...AWAITING.terms, payment },
      payment: { ...AWAITING.payment, until, ...over },
    });
    const at = (on: string, time = LATER) => ({ on: day(on), at: time });
    const late = '2027-01-05T12:00:00.000Z' as Instant;
    expect(nextSteps(boleto(), at('2027-01-05', late))).to.deep.equal(['await']);
    expect(nextSteps(boleto(), at('2027-01-06', late))).to.deep.equal(['withdraw_charge']);
    const early = boleto({ until: '2026-12-01T15:00:00.000Z' });
    expect(nextSteps(early, at('2026-12-05'))).to.deep.equal(['withdraw_charge']);
  });

  it('ends a sale that was paid later, and gives the money back', () => {
    const late = { ...APPROVED, paidOn: day('2027-01-01') };
    const outcome = applyPaymentReport(AWAITING, late, NEW_YEAR);
    if (isRefusal(outcome)) throw new Error(outcome.kind);
    expect(outcome.state.status).to.equal('expired');
    expect(outcome.events.map(({ kind }) => kind)).to.deep.equal([
      'moved',
      'money_received',
      'refund_due',
    ]);
    expect(dueOf(outcome.state)).to.deep.equal([
      { chargeId: APPROVED.chargeId, amount: APPROVED.amount, upTo: APPROVED.amount },
    ]);
    expect(nextSteps(outcome.state, NEW_YEAR)).to.deep.equal(['refund ch-1']);
    const again = applyPaymentReport(outcome.state, late, NEW_YEAR);
    expect(isRefusal(again) ? again : again.events).to.deep.equal([
      { kind: 'ignored', because: 'repeated' },
    ]);
  });

  it('does not matter for a card, which the service charged under the rate of its day', () => {
    const payment = { collectedBy: 'service', installments: 1, method: 'credit' } as const;
    const byCard = pendingSale({ payment });
    const confirmed = { ...APPROVED, paidOn: day('2027-01-01') };
    const charged: Sale = {
      ...byCard,
      payment: { status: 'unknown', amount: byCard.payment.amount, chargeId: 'ch-1' },
    };
    expect(
      (stateOf(applyPaymentReport(charged, confirmed, NEW_YEAR) as never) as Sale).status,
    ).to.equal('paid');
  });

  it('refuses a sale that was not charged until then, and no other', () => {
    expect(refuseOutdatedPrice(pendingSale(), NEW_YEAR)).to.deep.include({
      status: 'refused',
      reason: 'price_over',
    });
    expect(refuseOutdatedPrice(pendingSale(), now)).to.deep.equal(pendingSale());
    const asked: Sale = {
      ...pendingSale(),
      payment: { status: 'unknown', amount: APPROVED.amount },
    };
    const expired = stateOf(expireSale(AWAITING, { closedAt: LATER }));
    for (const sale of [asked, AWAITING, PAID, expired])
      expect(refuseOutdatedPrice(sale, NEW_YEAR)).to.equal(sale);
  });
});
