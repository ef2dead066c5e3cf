import { expect } from 'chai';
import fc from 'fast-check';
import { type CalendarDate, type HeldQuotes, type Instant, rate } from '#domain';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { MemoryQuoteSecrets } from '../../adapters/memory/operations/quote-secrets.ts';
import { MemoryQuoteSeal } from '../../adapters/memory/quote-seal.ts';
import { SealedQuotes } from '../../adapters/security/sealed-quotes.ts';
import { MAX_SEALED_CHARACTERS, type QuoteSeal } from '../../application/selling/quote-seal.ts';
import { expectError } from '../support/expected-error.ts';

const NOW = '2026-11-20T15:00:00.000Z';
const clock = new MemoryClock(NOW);

const MAKERS: Readonly<Record<string, () => QuoteSeal>> = {
  memory: () => new MemoryQuoteSeal(),
  AES: () => new SealedQuotes(new MemoryQuoteSecrets(), clock),
};

const quotes = (over: Partial<HeldQuotes> = {}): HeldQuotes =>
  ({
    channelLink: 'canal-ção',
    product: { code: 'CELULAR' },
    until: '2026-11-21T15:00:00.000Z' as Instant,
    paidOn: '2026-11-20' as CalendarDate,
    iofRate: rate(73_800),
    legalBasis: 'Decreto 6.306/2007, art. 22, § 1º, IV',
    coverages: [],
    plans: [{ planId: 31, price: 2_990, net: 2_990, iof: 221, commissions: [] }],
    ...over,
  }) as HeldQuotes;

const FULL = quotes({
  product: { code: 'CELULAR', version: 7 },
  insuredAmount: 320_000,
  eventOn: '2026-12-01',
  declaredPeriod: { start: '2026-11-20', end: '2026-12-01' },
  coverages: [
    { id: 301, price: 500 },
    { id: 302, price: 750 },
  ],
  plans: [31, 32].map((planId) => ({
    ...{ planId, price: 2_990, net: 4_240, iof: 313 },
    commissions: [
      { kind: 'representative', rate: 200_000, amount: 848 },
      { kind: 'brokerage', rate: 10_000, amount: 42 },
    ],
  })),
} as unknown as Partial<HeldQuotes>);

for (const [name, make] of Object.entries(MAKERS)) {
  describe(`the seal of quotes, ${name}`, () => {
    it('opens what it sealed, with every detail', async () => {
      const seal = make();
      for (const each of [quotes(), FULL])
        expect(await seal.open(await seal.seal(each))).to.deep.equal(each);
    });

    it('has room for a hundred plans with all their commissions and coverages', async () => {
      const [plan] = FULL.plans;
      const [coverage] = FULL.coverages;
      const plans = Array.from({ length: 100 }, (_, index) => ({
        ...plan,
        planId: 100_000 + index,
      }));
      const coverages = Array.from({ length: 50 }, (_, index) => ({
        ...coverage,
        id: 100_000 + index,
      }));
      const seal = make();
      const largest = { ...FULL, plans, coverages } as HeldQuotes;
      const sealed = await seal.seal(largest);
      expect(sealed.length).to.be.at.most(MAX_SEALED_CHARACTERS);
      expect(await seal.open(sealed)).to.deep.equal(largest);
    });

    it('opens nothing else', async () => {
      const seal = make();
      await seal.seal(FULL);
      for (const text of [
        '',
        'x',
        '1.20261120.e30',
        `1.20261120.${'A'.repeat(99)}`,
        '💣'.repeat(99),
      ])
        expect(await seal.open(text)).to.equal(undefined);
    });
  });
}

describe('a sealed quote as a text', () => {
  const secrets = new MemoryQuoteSecrets();
  const at = (time: string) => new SealedQuotes(secrets, new MemoryClock(time));
  const seal = at(NOW);

  it('fits into a form, a cookie and a column of a partner', async () => {
    expect((await seal.seal(quotes())).length).to.be.below(300);
    expect((await seal.seal(FULL)).length).to.be.below(500);
    expect(await seal.seal(FULL)).to.match(/^[\w.-]+$/);
  });

  it('tells nothing but its day: no price and no commission', async () => {
    const [, , content = ''] = (await seal.seal(FULL)).split('.');
    const decoded = Buffer.from(content, 'base64url').toString('latin1');
    for (const part of ['CELULAR', '2990,', '848]']) expect(decoded).not.to.include(part);
  });

  it('is the same offer in another process, and on the day after', async () => {
    const sealed = await seal.seal(FULL);
    for (const time of [NOW, '2026-11-21T23:59:59.000Z', '2026-11-22T12:00:00.000Z'])
      expect(await at(time).open(sealed)).to.deep.equal(FULL);
  });

  it('opens in a process whose clock has not come to its day', async () => {
    const ahead = await at('2026-11-21T00:00:01.000Z').seal(FULL);
    expect(await at('2026-11-20T23:59:59.000Z').open(ahead)).to.deep.equal(FULL);
  });

  it('does not open after its secret was forgotten', async () => {
    const sealed = await seal.seal(FULL);
    expect(await at('2026-11-23T00:00:00.000Z').open(sealed)).to.equal(undefined);
  });

  it('does not open once one character was changed', async () => {
    const sealed = await seal.seal(FULL);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(sealed.length - 1),
        fc.constantFrom(...'Aa0_.-2'),
        async (index, sign) => {
          const changed = sealed.slice(0, index) + sign + sealed.slice(index + 1);
          fc.pre(changed !== sealed);
          expect(await seal.open(changed)).to.equal(undefined);
        },
      ),
    );
  });

  it('asks the store once a day, and again if the store was out of reach', async () => {
    let asked = 0;
    const store = new MemoryQuoteSecrets();
    const counted = {
      keep: (offered: Parameters<typeof store.keep>[0]) => {
        asked += 1;
        return asked === 1 ? Promise.reject(new Error('out of reach')) : store.keep(offered);
      },
      find: (day: CalendarDate) => store.find(day),
    };
    const own = new SealedQuotes(counted, clock);
    expect(await expectError(own.seal(FULL))).to.have.property('message', 'out of reach');
    for (let count = 0; count < 5; count += 1) await own.seal(FULL);
    expect(asked).to.equal(2);
  });
});
