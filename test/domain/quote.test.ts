import { expect } from 'chai';
import fc from 'fast-check';
import {
  type CalendarDate,
  type Cents,
  type Coverage,
  calculatePremium,
  cents,
  checkDeclaredFigures,
  derivePlanPrice,
  findIofRate,
  IOF_RATES,
  type IofRate,
  isRefusal,
  MAX_AMOUNT,
  type Offer,
  type Product,
  plus,
  priceRefusals,
  type Quote,
  quotePrice,
  rate,
  refuse,
  type Tariff,
} from '#domain';
import { DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';
import { commissionOf, plan, product, TICKET_PRODUCT } from '../support/catalogue.ts';
import { day } from '../support/sales.ts';

const on = day('2026-11-20');

const offer = (tariff: Tariff, over: Parameters<typeof product>[0] = {}): Offer => {
  const only = plan({ tariff });
  return {
    product: product({ ...over, plans: [only] }),
    plan: only,
    coverages: [],
    commissions: [commissionOf(200_000)],
  };
};

const ticketOffer: Offer = {
  product: TICKET_PRODUCT,
  plan: TICKET_PRODUCT.plans[0],
  coverages: [],
  commissions: [commissionOf(200_000)],
};

const refusalOf = (quoted: ReturnType<typeof quotePrice>): string | undefined =>
  isRefusal(quoted) ? quoted.kind : undefined;

describe('a quote', () => {
  it('for a declared premium contains premium, IOF, commission and net amount', () => {
    const quoted = quotePrice(ticketOffer, {
      on,
      insuredAmount: cents(188_600),
      declaredPrice: cents(18_860),
    }) as Quote;
    expect(quoted).to.deep.equal({
      prices: [
        {
          of: 'plan',
          code: 'PADRAO',
          name: 'Padrão',
          tariff: { kind: 'declared' },
          amount: 18_860,
        },
      ],
      premium: {
        net: 18_860,
        iof: 1_392,
        total: 20_252,
        pricingBasis: 'net',
        iofRate: 73_800,
        legalBasis: 'Decreto 6.306/2007, art. 22, § 1º, IV (redação do Decreto 6.339/2008)',
        rounding: 'half-up',
      },
      commission: {
        cap: 1_000_000,
        base: 18_860,
        items: [{ kind: 'representative', rate: 200_000, amount: 3_772 }],
        amount: 3_772,
        netAmount: 16_480,
      },
    });
  });

  it('with a rate tariff is a share of the insured amount, and at least the minimum', () => {
    expect(
      (quotePrice(ticketOffer, { on, insuredAmount: cents(124_456) }) as Quote).premium.net,
    ).to.equal(12_446);
    expect(
      (quotePrice(ticketOffer, { on, insuredAmount: cents(3_000) }) as Quote).premium.net,
    ).to.equal(500);
    expect(
      (quotePrice(ticketOffer, { on, insuredAmount: cents(5_010) }) as Quote).premium.net,
    ).to.equal(501);
    expect(
      (quotePrice(ticketOffer, { on, insuredAmount: cents(124_456) }) as Quote).prices,
    ).to.deep.equal([
      {
        of: 'plan',
        code: 'PADRAO',
        name: 'Padrão',
        tariff: { kind: 'rate', rate: 100_000, minimum: 500 },
        base: 124_456,
        amount: 12_446,
      },
    ]);
  });

  it('with a fixed tariff is the amount of the tariff', () => {
    expect(
      (quotePrice(offer({ kind: 'fixed', amount: cents(2_990) }), { on }) as Quote).premium.net,
    ).to.equal(2_990);
  });

  it('splits a gross price, and rounds by the rule of the product', () => {
    const gross = quotePrice(
      offer({ kind: 'fixed', amount: cents(2_990) }, { pricingBasis: 'gross' }),
      {
        on,
      },
    ) as Quote;
    expect(gross.premium).to.include({ net: 2_785, iof: 205, total: 2_990 });
    const even = quotePrice(
      offer({ kind: 'fixed', amount: cents(2_500) }, { rounding: 'half-even' }),
      {
        on,
      },
    ) as Quote;
    expect(even.premium).to.include({ iof: 184, rounding: 'half-even' });
  });

  it('is refused if an input of the price is missing', () => {
    expect(refusalOf(quotePrice(offer({ kind: 'declared' }), { on }))).to.equal(
      'premium_not_declared',
    );
    expect(refusalOf(quotePrice(ticketOffer, { on }))).to.equal('insured_amount_missing');
    for (const nothing of [0, -1]) {
      expect(refusalOf(quotePrice(ticketOffer, { on, insuredAmount: cents(nothing) }))).to.equal(
        'insured_amount_missing',
      );
    }
  });

  it('is refused if the premium is zero, negative or too large', () => {
    expect(refusalOf(quotePrice(offer({ kind: 'fixed', amount: cents(0) }), { on }))).to.equal(
      'premium_not_positive',
    );
    expect(
      refusalOf(quotePrice(offer({ kind: 'declared' }), { on, declaredPrice: cents(0) })),
    ).to.equal('premium_not_positive');
    expect(
      refusalOf(quotePrice(offer({ kind: 'declared' }), { on, declaredPrice: cents(-5) })),
    ).to.equal('premium_not_positive');
    expect(
      isRefusal(quotePrice(offer({ kind: 'declared' }), { on, declaredPrice: cents(1) })),
    ).to.equal(false);
    expect(
      isRefusal(quotePrice(offer({ kind: 'declared' }), { on, declaredPrice: MAX_AMOUNT })),
    ).to.equal(false);
    expect(
      refusalOf(
        quotePrice(offer({ kind: 'declared' }), { on, declaredPrice: plus(MAX_AMOUNT, cents(1)) }),
      ),
    ).to.equal('amount_too_large');
  });

  it('is refused if no IOF rate is in force on the day', () => {
    expect(
      refusalOf(
        quotePrice(ticketOffer, {
          on: '2008-01-02' as CalendarDate,
          insuredAmount: cents(100_000),
        }),
      ),
    ).to.equal('iof_rate_missing');
  });

  it('tells every reason at once, in the order of its checks', () => {
    const coverage: Coverage = {
      id: 1,
      code: 'A',
      name: 'A',
      tariff: { kind: 'rate', rate: rate(10_000), minimum: cents(0) },
    };
    const early = '2008-01-02' as CalendarDate;
    const declared = { ...offer({ kind: 'declared' }), coverages: [coverage] };
    for (const [each, basis, kinds] of [
      [
        declared,
        { on: early },
        ['premium_not_declared', 'insured_amount_missing', 'iof_rate_missing'],
      ],
      [
        offer({ kind: 'declared' }),
        { on: early, declaredPrice: plus(MAX_AMOUNT, cents(1)) },
        ['amount_too_large', 'iof_rate_missing'],
      ],
      [ticketOffer, { on }, ['insured_amount_missing']],
      [ticketOffer, { on, insuredAmount: cents(100_000) }, []],
    ] as const) {
      const found = priceRefusals(each, basis).map(({ kind }) => kind);
      expect(found).to.deep.equal(kinds);
      expect(refusalOf(quotePrice(each, basis))).to.equal(found[0]);
    }
  });

  it('adds up for random input, and its commission never exceeds the base', () => {
    const amounts = fc.integer({ min: 1, max: MAX_AMOUNT }).map(cents);
    const bases = fc.constantFrom('net' as const, 'gross' as const);
    const roundings = fc.constantFrom('half-up' as const, 'half-even' as const);
    const commissions = fc.integer({ min: 0, max: 1_000_000 }).map(rate);
    fc.assert(
      fc.property(
        amounts,
        bases,
        roundings,
        commissions,
        (declaredPrice, pricingBasis, rounding, rate) => {
          const asked = {
            ...offer({ kind: 'declared' }, { pricingBasis, rounding }),
            commissions: [{ kind: 'agency', rate } as const],
          };
          const { premium, commission } = quotePrice(asked, { on, declaredPrice }) as Quote;
          expect(plus(premium.net, premium.iof)).to.equal(premium.total);
          expect(premium[pricingBasis === 'net' ? 'net' : 'total']).to.equal(declaredPrice);
          expect(commission.amount).to.be.within(0, premium.net);
          expect(plus(commission.amount, commission.netAmount)).to.equal(premium.total);
        },
      ),
    );
  });
});

describe('a gross price', () => {
  it('equals net premium plus IOF, and the total of that net premium within one cent', () => {
    const rates = fc.integer({ min: 0, max: 1_000_000 }).map(rate);
    const roundings = fc.constantFrom('half-up' as const, 'half-even' as const);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_AMOUNT }).map(cents),
        rates,
        roundings,
        (gross, ppm, rounding) => {
          const iof: IofRate = { iofClass: 'general', from: on, rate: ppm, legalBasis: '' };
          const apart = calculatePremium(gross, 'gross', iof, rounding);
          expect(apart.total).to.equal(gross);
          expect(plus(apart.net, apart.iof)).to.equal(gross);
          expect(
            Math.abs(calculatePremium(apart.net, 'net', iof, rounding).total - gross),
          ).to.be.at.most(1);
        },
      ),
    );
  });
});

describe('a quote with additional coverages', () => {
  const phone = DEMO_PRODUCTS[2] as Product;
  const [screen, theft] = phone.coverages;
  const withCoverages = (coverages: readonly Coverage[], over: Partial<Offer> = {}): Offer => ({
    product: phone,
    plan: phone.plans[0],
    coverages,
    commissions: [],
    ...over,
  });

  it('adds their prices to the plan’s price, and taxes the sum once', () => {
    const quoted = quotePrice(withCoverages([screen as Coverage, theft as Coverage]), {
      on,
    }) as Quote;
    expect(
      quoted.prices.map(({ of, code, name, amount }) => [of, code, name, amount]),
    ).to.deep.equal([
      ['plan', 'MENSAL', 'Mensal', 2_990],
      ['coverage', 'QUEBRA_TELA', 'Quebra de tela', 500],
      ['coverage', 'FURTO_SIMPLES', 'Furto simples', 750],
    ]);
    expect(quoted.premium).to.include({ net: 4_240, iof: 313, total: 4_553 });
    expect(quoted.commission).to.deep.equal({
      cap: 1_000_000,
      base: 4_240,
      items: [],
      amount: 0,
      netAmount: 4_553,
    });
  });

  it('adds their prices to a declared price too', () => {
    const quoted = quotePrice(withCoverages([screen as Coverage]), {
      on,
      declaredPrice: cents(10_000),
    }) as Quote;
    expect(quoted.premium.net).to.equal(10_500);
  });

  it('prices a rate coverage by the insured amount, and is refused without that amount', () => {
    const dear: Coverage = {
      id: 1,
      code: 'X',
      name: 'X',
      tariff: { kind: 'rate', rate: rate(10_000), minimum: cents(100) },
    };
    expect(
      (quotePrice(withCoverages([dear]), { on, insuredAmount: cents(300_000) }) as Quote).premium
        .net,
    ).to.equal(5_990);
    expect(quotePrice(withCoverages([dear]), { on })).to.deep.equal(
      refuse('insured_amount_missing'),
    );
  });

  it('is refused if the declared price is zero, even if the coverages are not free', () => {
    for (const nothing of [0, -500, -Number.MAX_SAFE_INTEGER]) {
      const asked = { on, declaredPrice: cents(nothing) };
      expect(quotePrice(withCoverages([screen as Coverage]), asked)).to.deep.equal(
        refuse('premium_not_positive'),
      );
    }
  });

  it('is refused if the sum is too large', () => {
    expect(
      quotePrice(withCoverages([screen as Coverage]), { on, declaredPrice: MAX_AMOUNT }),
    ).to.deep.equal(refuse('amount_too_large'));
  });
});

describe('figures declared by a channel', () => {
  const { premium } = quotePrice(ticketOffer, { on, declaredPrice: cents(18_860) }) as Quote;

  it('may differ by one cent at most', () => {
    for (const off of [-1, 0, 1]) {
      const declared = {
        net: cents(18_860 + off),
        iof: cents(1_392 + off),
        total: cents(20_252 + off),
      };
      expect(checkDeclaredFigures(declared, premium)).to.deep.equal([]);
    }
    for (const off of [-2, 2]) {
      const declared = {
        net: cents(18_860 + off),
        iof: cents(1_392 + off),
        total: cents(20_252 + off),
      };
      expect(checkDeclaredFigures(declared, premium)).to.deep.equal([
        refuse('net_premium_differs', 18_860),
        refuse('iof_differs', 1_392),
        refuse('total_differs', 20_252),
      ]);
    }
  });

  it('are checked only if they are present', () => {
    expect(checkDeclaredFigures({}, premium)).to.deep.equal([]);
    expect(checkDeclaredFigures({ iof: cents(0) }, premium)).to.deep.equal([
      { refused: true, kind: 'iof_differs', expected: 1_392 },
    ]);
  });
});

describe('the IOF rate', () => {
  const CLASSES: readonly [IofRate['iofClass'], number, string][] = [
    ['general', 73_800, 'IV'],
    ['life', 3_800, 'II'],
    ['health', 23_800, 'III'],
    ['exempt', 0, 'I'],
  ];
  for (const [iofClass, expected, item] of CLASSES) {
    it(`of the class ${iofClass} is ${expected / 10_000} % and has its legal basis`, () => {
      const found = findIofRate(iofClass, on) as IofRate;
      expect(found.rate).to.equal(expected);
      const amended = iofClass === 'exempt' ? '' : ' (redação do Decreto 6.339/2008)';
      expect(found.legalBasis).to.equal(`Decreto 6.306/2007, art. 22, § 1º, ${item}${amended}`);
    });
  }

  it('is the latest one in force, in any order of the table', () => {
    const later: IofRate = {
      iofClass: 'general',
      from: '2026-07-01' as CalendarDate,
      rate: rate(50_000),
      legalBasis: 'hypothetical',
    };
    for (const table of [
      [...IOF_RATES, later],
      [later, ...IOF_RATES],
    ]) {
      expect(
        (findIofRate('general', '2026-06-30' as CalendarDate, table) as IofRate).rate,
      ).to.equal(73_800);
      expect(
        (findIofRate('general', '2026-07-01' as CalendarDate, table) as IofRate).rate,
      ).to.equal(50_000);
    }
  });

  it('is the first row of the table if two start on the same day', () => {
    const [first] = IOF_RATES.filter(({ iofClass }) => iofClass === 'general') as [IofRate];
    const twice = [first, { ...first, rate: rate(1) }];
    expect((findIofRate('general', on, twice) as IofRate).rate).to.equal(73_800);
  });

  it('can come from a table that the caller passes, also for a quote', () => {
    const iofRates: IofRate[] = [
      { iofClass: 'general', from: day('2027-01-01'), rate: rate(0), legalBasis: 'hypothetical' },
    ];
    const priced = { on: day('2027-01-01'), declaredPrice: cents(10_000), iofRates };
    expect((quotePrice(ticketOffer, priced) as Quote).premium).to.include({
      iof: 0,
      total: 10_000,
      legalBasis: 'hypothetical',
    });
    expect(quotePrice(ticketOffer, { ...priced, on })).to.deep.equal(refuse('iof_rate_missing'));
  });

  it('cannot be changed by a caller', () => {
    expect(() => Object.assign(IOF_RATES[0] as IofRate, { rate: 1 })).to.throw(TypeError);
    expect(() => (IOF_RATES as IofRate[]).pop()).to.throw(TypeError);
  });

  it('is refused before the start date of the first row', () => {
    expect(findIofRate('general', '2008-01-02' as CalendarDate)).to.deep.equal({
      refused: true,
      kind: 'iof_rate_missing',
    });
    expect(
      (findIofRate('general', '2008-01-03' as CalendarDate) as IofRate).rate as Cents | number,
    ).to.equal(73_800);
  });
});

describe('derivePlanPrice', () => {
  const figures = { net: cents(100), iof: cents(7), total: cents(107) };

  it('gives the declared net premium or total, by the pricing basis', () => {
    expect(derivePlanPrice(offer({ kind: 'declared' }, { pricingBasis: 'net' }), figures)).to.equal(
      100,
    );
    expect(
      derivePlanPrice(offer({ kind: 'declared' }, { pricingBasis: 'gross' }), figures),
    ).to.equal(107);
    expect(
      derivePlanPrice(offer({ kind: 'declared' }, { pricingBasis: 'net' }), { total: cents(107) }),
    ).to.equal(undefined);
    expect(
      derivePlanPrice(offer({ kind: 'declared' }, { pricingBasis: 'gross' }), { net: cents(100) }),
    ).to.equal(undefined);
  });

  it('subtracts the prices of the coverages, so that the quote equals the declared figures', () => {
    const coverages: Coverage[] = [
      { id: 1, code: 'A', name: 'A', tariff: { kind: 'fixed', amount: cents(15) } },
      {
        id: 2,
        code: 'B',
        name: 'B',
        tariff: { kind: 'rate', rate: rate(10_000), minimum: cents(1) },
      },
    ];
    const asked = { ...offer({ kind: 'declared' }), coverages };
    const price = derivePlanPrice(asked, figures, cents(1_000));
    expect(price).to.equal(75);
    expect(
      (quotePrice(asked, { on, insuredAmount: cents(1_000), declaredPrice: price }) as Quote)
        .premium.net,
    ).to.equal(100);
    // Without an insured amount the coverage has no price, and `quotePrice` returns a refusal.
    expect(derivePlanPrice(asked, figures)).to.equal(100);
  });
});
