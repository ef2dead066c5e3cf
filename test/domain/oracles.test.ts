import {
  isValidCnpj as brazilianCnpj,
  isValidCpf as brazilianCpf,
} from '@brazilian-utils/brazilian-utils';
import { expect } from 'chai';
import creditCardType from 'credit-card-type';
import { Decimal } from 'decimal.js';
import { isCNPJ, isCPF } from 'validation-br';
import {
  CardNumber,
  type Cnpj,
  type Cpf,
  cents,
  formatTaxId,
  parseCnpj,
  parseCpf,
  parseTaxId,
  type Rounding,
  rate,
  share,
  shareOfDays,
  shareWithin,
} from '#domain';

const RUNS = 100_000;

/** Pseudo-random numbers, the same in every run (mulberry32). */
const random = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
};

const Exact = Decimal.clone({ precision: 40 });
const MODES = { 'half-up': Decimal.ROUND_HALF_UP, 'half-even': Decimal.ROUND_HALF_EVEN } as const;
const ROUNDINGS: readonly Rounding[] = ['half-up', 'half-even'];

describe(`arithmetic compared with decimal.js, ${RUNS} times each`, () => {
  const next = random(1);
  /** Amounts of all magnitudes up to the largest safe integer, with both signs. */
  const amount = (): number => {
    const size = 10 ** next(16);
    const value = Math.floor((next(1_000_000_000) / 1_000_000_000) * size * 9);
    return next(2) === 0 ? value : -value;
  };
  const exactly = (value: number, part: number, whole: number, rounding: Rounding): number =>
    new Exact(value).mul(part).div(whole).toDecimalPlaces(0, MODES[rounding]).toNumber() + 0;

  const CASES: Readonly<Record<string, (value: number, rounding: Rounding) => [number, number]>> = {
    'a share': (value, rounding) => {
      const of = next(1_000_001);
      return [share(cents(value), rate(of), rounding), exactly(value, of, 1_000_000, rounding)];
    },
    'a share within a gross amount': (value, rounding) => {
      const of = next(1_000_001);
      return [
        shareWithin(cents(value), rate(of), rounding),
        exactly(value, of, 1_000_000 + of, rounding),
      ];
    },
    'a share of days': (value, rounding) => {
      const of = 1 + next(4_000);
      const days = next(of + 1);
      return [shareOfDays(cents(value), days, of, rounding), exactly(value, days, of, rounding)];
    },
  };
  for (const [name, run] of Object.entries(CASES)) {
    it(`calculates ${name} as decimal.js does`, () => {
      for (let count = 0; count < RUNS; count += 1) {
        const value = amount();
        const [ours, theirs] = run(value, ROUNDINGS[next(2)] as Rounding);
        if (!Object.is(ours, theirs))
          expect.fail(`${name} of ${value}: ${ours}, decimal.js: ${theirs}`);
      }
    });
  }
});

describe(`tax ids compared with validation-br and @brazilian-utils, ${RUNS} times each`, () => {
  const next = random(2);
  const text = (characters: string, length: number): string =>
    Array.from({ length }, () => characters[next(characters.length)]).join('');

  const alphanumericCnpj = (id: string): boolean => brazilianCnpj(id, { version: 2 });

  /** Mostly valid ids: a random text would nearly always have wrong check digits. */
  const completed = (base: string, isRight: (id: string) => boolean): string => {
    const start = next(100);
    for (let offset = 0; offset < 100; offset += 1) {
      const id = base + String((start + offset) % 100).padStart(2, '0');
      if (next(20) === 0 || isRight(id)) return id;
    }
    return `${base}00`;
  };

  it('parseCpf accepts the same texts as both libraries', () => {
    let right = 0;
    for (let count = 0; count < RUNS; count += 1) {
      const id =
        count % 10 === 0 ? completed(text('0123456789', 9), brazilianCpf) : text('0123456789', 11);
      const ours = parseCpf(id) !== undefined;
      const theirs = [isCPF(id), brazilianCpf(id)];
      if (theirs.some((each) => each !== ours)) expect.fail(`${id}: ${ours}, ${theirs}`);
      if (ours) right += 1;
      if (ours) expect(parseTaxId(formatTaxId(id as Cpf))).to.equal(id);
    }
    expect(right).to.be.above(RUNS / 50);
  });

  it('parseCnpj accepts the same texts as both libraries, with or without letters', () => {
    let right = 0;
    for (let count = 0; count < RUNS; count += 1) {
      const base = text(next(2) === 0 ? '0123456789' : '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', 12);
      const id =
        count % 10 === 0 ? completed(base, alphanumericCnpj) : base + text('0123456789', 2);
      const ours = parseCnpj(id) !== undefined;
      const theirs = [isCNPJ(id), alphanumericCnpj(id)];
      if (theirs.some((each) => each !== ours)) expect.fail(`${id}: ${ours}, ${theirs}`);
      if (ours) right += 1;
      if (ours) expect(parseTaxId(formatTaxId(id as Cnpj))).to.equal(id);
    }
    expect(right).to.be.above(RUNS / 50);
  });
});

describe('card brands compared with credit-card-type', () => {
  const NAMES: Readonly<Record<string, string>> = {
    'american-express': 'amex',
    'diners-club': 'diners',
  };
  const KNOWN = [
    'visa',
    'mastercard',
    'american-express',
    'elo',
    'diners-club',
    'discover',
    'jcb',
    'hipercard',
  ];
  const next = random(3);

  it('are the same if the library names exactly one brand that the service knows', () => {
    let compared = 0;
    for (let count = 0; count < RUNS / 10; count += 1) {
      const digits = String(3_000_000_000_000_000 + next(1_000_000_000) * 4_000_000);
      const [found, ...others] = creditCardType(digits);
      const card = Array.from({ length: 10 }, (_, last) =>
        CardNumber.parse(digits.slice(0, 15) + last),
      ).find(Boolean);
      // The library does not list the older numbers of Hipercard, which lie in the range of Diners.
      if (
        found === undefined ||
        others.length > 0 ||
        !KNOWN.includes(found.type) ||
        card?.brand === 'hipercard'
      )
        continue;
      compared += 1;
      if (card?.brand !== (NAMES[found.type] ?? found.type))
        expect.fail(`${digits}: ${card?.brand}, ${found.type}`);
    }
    expect(compared).to.be.above(RUNS / 50);
  });
});
