import {
  type CalendarDate,
  type Cents,
  cents,
  IOF_RATES,
  type IofRate,
  iofRateOn,
  isRefusal,
  MAX_AMOUNT,
  type Offer,
  plus,
  type Quote,
  quote,
  rate,
  type Tariff,
} from '@insurance-sales/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import { plan, product, TICKET_PRODUCT } from '../support/catalogue.ts';

const on = '2026-11-20' as CalendarDate;

const offer = (tariff: Tariff, over: Parameters<typeof product>[0] = {}): Offer => {
  const only = plan({ tariff });
  return { product: product({ ...over, plans: [only] }), plan: only, commissionRate: rate(200_000) };
};

const ticketOffer: Offer = { product: TICKET_PRODUCT, plan: TICKET_PRODUCT.plans[0], commissionRate: rate(200_000) };

const refusalOf = (quoted: ReturnType<typeof quote>): string | undefined => (isRefusal(quoted) ? quoted.kind : undefined);

describe('a quote', () => {
  it('of a declared ticket premium gives premium, IOF, commission and what the channel owes', () => {
    const quoted = quote(ticketOffer, { on, insuredAmount: cents(188_600), declaredPrice: cents(18_860) }) as Quote;
    expect(quoted.premium).to.include({ net: 18_860, iof: 1_392, total: 20_252, iofRate: 73_800 });
    expect(quoted.premium.legalBasis).to.include('Decreto 6.306/2007, art. 22');
    expect(quoted.commission).to.deep.equal({ rate: 200_000, amount: 3_772, netAmount: 16_480 });
  });

  it('by rate is a share of the insured amount, but never less than the minimum', () => {
    expect((quote(ticketOffer, { on, insuredAmount: cents(124_456) }) as Quote).premium.net).to.equal(12_446);
    expect((quote(ticketOffer, { on, insuredAmount: cents(3_000) }) as Quote).premium.net).to.equal(500);
    expect((quote(ticketOffer, { on, insuredAmount: cents(5_010) }) as Quote).premium.net).to.equal(501);
  });

  it('by a fixed tariff is that price', () => {
    expect((quote(offer({ kind: 'fixed', amount: cents(2_990) }), { on }) as Quote).premium.net).to.equal(2_990);
  });

  it('takes a gross price apart, and rounds as the product says', () => {
    const gross = quote(offer({ kind: 'fixed', amount: cents(2_990) }, { pricingBasis: 'gross' }), { on }) as Quote;
    expect(gross.premium).to.include({ net: 2_785, iof: 205, total: 2_990 });
    const even = quote(offer({ kind: 'fixed', amount: cents(2_500) }, { rounding: 'half-even' }), { on }) as Quote;
    expect(even.premium).to.include({ iof: 184, rounding: 'half-even' });
  });

  it('is refused where the price rests on something that is missing', () => {
    expect(refusalOf(quote(offer({ kind: 'declared' }), { on }))).to.equal('premium_not_declared');
    expect(refusalOf(quote(ticketOffer, { on }))).to.equal('insured_amount_missing');
  });

  it('is refused where nothing, or too much, is to be paid', () => {
    expect(refusalOf(quote(offer({ kind: 'declared' }), { on, declaredPrice: cents(0) }))).to.equal('premium_not_positive');
    expect(refusalOf(quote(offer({ kind: 'declared' }), { on, declaredPrice: plus(MAX_AMOUNT, cents(1)) }))).to.equal(
      'amount_too_large',
    );
  });

  it('is refused, not guessed, where no IOF rate is in force on the day', () => {
    expect(refusalOf(quote(ticketOffer, { on: '2008-01-02' as CalendarDate, insuredAmount: cents(100_000) }))).to.equal(
      'iof_rate_missing',
    );
  });

  it('always adds up, and never pays more commission than its base', () => {
    const amounts = fc.integer({ min: 1, max: MAX_AMOUNT }).map(cents);
    const bases = fc.constantFrom('net' as const, 'gross' as const);
    const roundings = fc.constantFrom('half-up' as const, 'half-even' as const);
    const commissions = fc.integer({ min: 0, max: 1_000_000 }).map(rate);
    fc.assert(
      fc.property(amounts, bases, roundings, commissions, (declaredPrice, pricingBasis, rounding, commissionRate) => {
        const asked = { ...offer({ kind: 'declared' }, { pricingBasis, rounding }), commissionRate };
        const { premium, commission } = quote(asked, { on, declaredPrice }) as Quote;
        expect(plus(premium.net, premium.iof)).to.equal(premium.total);
        expect(premium[pricingBasis === 'net' ? 'net' : 'total']).to.equal(declaredPrice);
        expect(commission.amount).to.be.within(0, premium.net);
        expect(plus(commission.amount, commission.netAmount)).to.equal(premium.total);
      }),
    );
  });
});

describe('the IOF rate', () => {
  const CLASSES: readonly [IofRate['iofClass'], number][] = [
    ['general', 73_800],
    ['life', 3_800],
    ['health', 23_800],
    ['exempt', 0],
  ];
  for (const [iofClass, expected] of CLASSES) {
    it(`of the class ${iofClass} is ${expected / 10_000} % and names its law`, () => {
      const found = iofRateOn(iofClass, on) as IofRate;
      expect(found.rate).to.equal(expected);
      expect(found.legalBasis).to.match(/Decreto 6\.306\/2007, art\. 22/);
    });
  }

  it('is the latest one in force, whatever the order of the table', () => {
    const later: IofRate = {
      iofClass: 'general',
      from: '2027-01-01' as CalendarDate,
      rate: rate(50_000),
      legalBasis: 'hypothetical',
    };
    for (const table of [
      [...IOF_RATES, later],
      [later, ...IOF_RATES],
    ]) {
      expect((iofRateOn('general', '2026-12-31' as CalendarDate, table) as IofRate).rate).to.equal(73_800);
      expect((iofRateOn('general', '2027-01-01' as CalendarDate, table) as IofRate).rate).to.equal(50_000);
    }
  });

  it('is refused before the first one', () => {
    expect(iofRateOn('general', '2008-01-02' as CalendarDate)).to.deep.equal({ refused: true, kind: 'iof_rate_missing' });
    expect((iofRateOn('general', '2008-01-03' as CalendarDate) as IofRate).rate as Cents | number).to.equal(73_800);
  });
});
