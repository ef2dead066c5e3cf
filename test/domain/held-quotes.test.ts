import { expect } from 'chai';
import fc from 'fast-check';
import {
  addDays,
  type CalendarDate,
  type Cents,
  cents,
  findHeldQuote,
  findIofRate,
  type HeldQuotes,
  holdCoverages,
  holdFigures,
  type Instant,
  type IofRate,
  type Offer,
  type Quote,
  quotePrice,
  quoteRefusals,
  rate,
  refuse,
  refuseLateQuotes,
  type SaleOnQuote,
  type Tariff,
  unwrap,
} from '#domain';
import { commissionOf, plan, product } from '../support/catalogue.ts';
import { day } from '../support/sales.ts';

const on = day('2026-11-20');
const until = '2026-11-21T15:00:00.000Z' as Instant;

const coverage = (id: number, tariff: Exclude<Tariff, { kind: 'declared' }>) => ({
  id,
  code: `C${id}`,
  name: `Coverage ${id}`,
  tariff,
});

const SCREEN = coverage(301, { kind: 'fixed', amount: cents(500) });
const THEFT = coverage(302, { kind: 'rate', rate: rate(10_000), minimum: cents(100) });

/** A phone with two plans and two coverages. */
const PHONE = product({
  coverages: [SCREEN, THEFT],
  plans: [
    plan({ id: 31, code: 'MONTH', tariff: { kind: 'fixed', amount: cents(2_990) } }),
    plan({ id: 32, code: 'YEAR', tariff: { kind: 'rate', rate: rate(50_000), minimum: cents(1) } }),
  ],
});

const offerOf = (planIndex: number, over: Partial<Offer> = {}): Offer => ({
  product: PHONE,
  plan: unwrap(PHONE.plans[planIndex]),
  coverages: [SCREEN, THEFT],
  commissions: [commissionOf(200_000)],
  ...over,
});

const INSURED_AMOUNT = cents(320_000);

const quoteOf = (offer: Offer, insuredAmount: Cents = INSURED_AMOUNT): Quote =>
  unwrap(quotePrice(offer, { on, insuredAmount }));

const hold = (offers: readonly Offer[], over: Partial<HeldQuotes> = {}): HeldQuotes => {
  const [first] = offers as readonly [Offer];
  const quotes = offers.map((offer) => quoteOf(offer, over.insuredAmount));
  const { iofRate, legalBasis } = unwrap(quotes[0]).premium;
  return {
    channelLink: 'shop',
    product: { code: first.product.code },
    until,
    paidOn: on,
    iofRate,
    legalBasis,
    insuredAmount: INSURED_AMOUNT,
    coverages: holdCoverages(first.coverages, unwrap(quotes[0])),
    plans: offers.map(({ plan: { id } }, index) => holdFigures(id, unwrap(quotes[index]))),
    ...over,
  };
};

const BOTH = hold([offerOf(0), offerOf(1)]);

const iof: IofRate = unwrap(findIofRate(PHONE.iofClass, on));

const sale = (over: Partial<SaleOnQuote> = {}): SaleOnQuote => ({
  channelLink: 'shop',
  offer: offerOf(1),
  isPlanNamed: true,
  insuredAmount: INSURED_AMOUNT,
  paidOn: on,
  rates: { whenPaid: iof, asQuoted: iof },
  ...over,
});

/** The kinds of the refusals, each with the parts that differ. */
const refusalsOf = (over: Partial<SaleOnQuote>, held = BOTH) =>
  quoteRefusals(held, sale(over)).map(({ kind, at = [] }) => [kind, ...at].join(' '));

describe('a held quote', () => {
  it('is the quote that was given, to the cent and in every detail', () => {
    const amount = fc.integer({ min: 1, max: 10_000_000 }).map(cents);
    const tariffs = fc.oneof(
      fc.record({ kind: fc.constant('fixed' as const), amount }),
      fc.record({
        kind: fc.constant('rate' as const),
        rate: fc.integer({ min: 1, max: 1_000_000 }).map(rate),
        minimum: amount,
      }),
    );
    const offers = fc.record({
      pricingBasis: fc.constantFrom('net' as const, 'gross' as const),
      rounding: fc.constantFrom('half-up' as const, 'half-even' as const),
      iofClass: fc.constantFrom('general' as const, 'life' as const, 'exempt' as const),
      commissionCap: fc.integer({ min: 0, max: 1_000_000 }).map(rate),
      tariff: tariffs,
      coverages: fc.array(tariffs, { maxLength: 4 }),
      rates: fc.array(fc.integer({ min: 0, max: 600_000 }), { maxLength: 3 }),
      insuredAmount: amount,
    });
    fc.assert(
      fc.property(offers, ({ tariff, coverages, rates, insuredAmount, ...over }) => {
        const only = plan({ id: 31, tariff });
        const offer = {
          product: product({ ...over, plans: [only] }),
          plan: only,
          coverages: coverages.map((each, index) => coverage(index + 1, each)),
          commissions: rates.map((each) => commissionOf(each)),
        };
        const held = hold([offer], { insuredAmount });
        // The commissions of the channel may change: those of the quote stay.
        const later = { ...offer, commissions: [commissionOf(1)] };
        expect(findHeldQuote(held, later)).to.deep.equal(quoteOf(offer, insuredAmount));
      }),
    );
  });

  it('is found for each plan, whatever the order of the coverages', () => {
    for (const index of [0, 1])
      expect(findHeldQuote(BOTH, offerOf(index, { coverages: [THEFT, SCREEN] }))).to.deep.equal(
        quoteOf(offerOf(index, { coverages: [THEFT, SCREEN] })),
      );
  });

  it('is not found for another plan, or with other coverages', () => {
    const monthly = hold([offerOf(0)]);
    expect(findHeldQuote(monthly, offerOf(1))).to.equal(undefined);
    expect(findHeldQuote(monthly, offerOf(0, { coverages: [SCREEN] }))).to.equal(undefined);
    const other = offerOf(0, { coverages: [SCREEN, coverage(303, SCREEN.tariff)] });
    expect(findHeldQuote(monthly, other)).to.equal(undefined);
  });
});

describe('a sale on a quote', () => {
  it('gets its price if it says the same', () => {
    const { premium, prices } = quoteOf(offerOf(1));
    const declaredFigures = { net: premium.net, iof: premium.iof, total: premium.total };
    expect(refusalsOf({ declaredFigures, declaredPrice: prices[0]?.amount })).to.deep.equal([]);
    expect(refusalsOf({ declaredPrice: premium.net })).to.deep.equal([]);
  });

  it('may leave out what the quote says, and say what the quote does not', () => {
    expect(refusalsOf({ insuredAmount: undefined })).to.deep.equal([]);
    const period = { start: on, end: day('2026-12-01') };
    expect(refusalsOf({ eventOn: on, declaredPeriod: period })).to.deep.equal([]);
  });

  it('is refused if it is for another channel or product', () => {
    expect(refusalsOf({ channelLink: 'other' })).to.deep.equal(['quote_differs product']);
    const offer = offerOf(1, { product: product({ code: 'OTHER', plans: PHONE.plans }) });
    expect(refusalsOf({ offer })).to.deep.equal(['quote_differs product']);
  });

  it('is refused with every part that differs', () => {
    const held = hold([offerOf(0)], {
      eventOn: day('2026-12-01'),
      declaredPeriod: { start: on, end: day('2026-12-02') },
    });
    expect(
      refusalsOf(
        {
          offer: offerOf(0),
          insuredAmount: cents(1),
          eventOn: on,
          declaredPeriod: { start: day('2026-11-21'), end: day('2026-12-03') },
          declaredPrice: cents(1),
          declaredFigures: { net: cents(1), iof: cents(9_000), total: cents(2) },
        },
        held,
      ),
    ).to.deep.equal(['quote_differs insuredAmount eventOn start end declaredPrice net iof total']);
    expect(refusalsOf({ offer: offerOf(1, { coverages: [] }) }, held)).to.deep.equal([
      'quote_differs plan coverages',
    ]);
  });

  it('must name its plan if several were quoted', () => {
    expect(refusalsOf({ isPlanNamed: false })).to.deep.equal(['quote_differs plan']);
    const one = hold([offerOf(1)]);
    expect(refusalsOf({ isPlanNamed: false }, one)).to.deep.equal([]);
  });

  it('is refused after the last instant of the quote', () => {
    expect(refuseLateQuotes(BOTH, until)).to.equal(undefined);
    const late = '2026-11-21T15:00:00.001Z' as Instant;
    expect(refuseLateQuotes(BOTH, late)).to.deep.equal(refuse('quote_expired'));
  });

  it('is refused if a decree has replaced the tax rate, or it is paid at another rate', () => {
    const other = { ...iof, rate: rate(0) };
    expect(refusalsOf({ rates: { whenPaid: other, asQuoted: other } })).to.deep.equal([
      'quote_expired',
    ]);
    expect(refusalsOf({ rates: { whenPaid: other, asQuoted: iof } })).to.deep.equal([
      'quote_differs paidOn',
    ]);
  });

  it('is refused if it is paid before the first day of the product as quoted', () => {
    const startingOn = (from: CalendarDate) => {
      const offer = offerOf(1);
      return { offer: { ...offer, product: { ...offer.product, from } } };
    };
    expect(refusalsOf(startingOn(on))).to.deep.equal([]);
    expect(refusalsOf(startingOn(addDays(on, 1)))).to.deep.equal(['quote_differs paidOn']);
  });
});
