import { passesLuhn } from './luhn.ts';
import { parseTaxId } from './tax-id.ts';

export type CardBrand =
  | 'visa'
  | 'mastercard'
  | 'amex'
  | 'elo'
  | 'hipercard'
  | 'diners'
  | 'discover'
  | 'jcb'
  | 'other';

/**
 * First digits of each brand, single or `from-to`. The first match wins, so the narrow ranges of
 * Brazilian brands come first.
 */
const PREFIXES: readonly (readonly [CardBrand, string])[] = [
  [
    'elo',
    '401178-401179 431274 438935 451416 457393 457631-457632 504175 506699-506778 509000-509999 627780 636297 636368',
  ],
  [
    'elo',
    '650031-650033 650035-650051 650405-650439 650485-650538 650541-650598 650700-650718 650720-650727 650901-650978',
  ],
  ['elo', '651652-651679 655000-655019 655021-655058'],
  ['hipercard', '606282 384100 384140 384160'],
  ['visa', '4'],
  ['mastercard', '51-55 2221-2720'],
  ['amex', '34 37'],
  ['diners', '300-305 36 38-39'],
  ['discover', '6011 644-649 65'],
  ['jcb', '3528-3589'],
];

const begins = (digits: string, ranges: string): boolean =>
  ranges.split(' ').some((range) => {
    const [from = range, to = from] = range.split('-');
    const start = digits.slice(0, from.length);
    return start >= from && start <= to;
  });

const brandOf = (digits: string): CardBrand =>
  PREFIXES.find(([, ranges]) => begins(digits, ranges))?.[0] ?? 'other';

/** How many digits the numbers of a brand have. */
const LENGTHS: Readonly<Record<CardBrand, readonly number[]>> = {
  visa: [13, 16, 19],
  mastercard: [16],
  amex: [15],
  elo: [16],
  hipercard: [13, 16, 19],
  diners: [14],
  discover: [16, 17, 18, 19],
  jcb: [16, 17, 18, 19],
  other: [],
};

/** A known brand, its length and a right check digit; no CPF and no CNPJ. */
export const isCardNumber = (digits: string): boolean =>
  passesLuhn(digits) &&
  LENGTHS[brandOf(digits)].includes(digits.length) &&
  parseTaxId(digits) === undefined;

/**
 * A payment card's number. Printed, logged, serialized, inspected or cloned, it shows at most its
 * last four digits (PCI DSS 3.4). Only `reveal` gives the whole number, for the gateway.
 *
 * @example `${CardNumber.parse('4111 1111 1111 1111')}` // '•••• 1111'
 */
export class CardNumber {
  readonly #digits: string;
  readonly brand: CardBrand;
  readonly lastFour: string;

  private constructor(digits: string) {
    this.#digits = digits;
    this.brand = brandOf(digits);
    this.lastFour = digits.slice(-4);
  }

  /**
   * Reads 12 to 19 digits with a valid check digit. Spaces and hyphens may separate them.
   * Undefined for anything else.
   */
  static parse(given: unknown): CardNumber | undefined {
    const digits = typeof given === 'string' ? given.replaceAll(/[ -]/g, '') : '';
    return /^\d{12,19}$/.test(digits) && passesLuhn(digits) ? new CardNumber(digits) : undefined;
  }

  /** Returns the whole number. The caller must not store it. */
  reveal(): string {
    return this.#digits;
  }

  /** `•••• 1111`. */
  toString(): string {
    return `•••• ${this.lastFour}`;
  }

  toJSON(): string {
    return this.toString();
  }
}
