import { inspect } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  brazilianPhone,
  type CardBrand,
  CardNumber,
  type Cnpj,
  type Cpf,
  formatPostcode,
  formatTaxId,
  holdsCardNumber,
  isChannelLink,
  isUf,
  isVisible,
  type Phone,
  type Postcode,
  parseCnpj,
  parseCpf,
  parseEmail,
  parseExternalSaleId,
  parseImei,
  parsePhone,
  parsePostcode,
  parseTaxId,
  UFS,
} from '#domain';
import { vectors } from '../support/vectors.ts';

describe('the link of a channel', () => {
  it('stands in an address as it is', () => {
    for (const link of ['canal-demo', 'a', '9.b_c~d', 'x'.repeat(100)])
      expect(isChannelLink(link), link).to.equal(true);
    for (const link of ['', '-a', 'a b', 'ção', 'x'.repeat(101), 'a/b'])
      expect(isChannelLink(link), link).to.equal(false);
  });
});

describe('a tax id', () => {
  it('is read back from its formatted text', () => {
    expect(formatTaxId('11144477735' as Cpf)).to.equal('111.444.777-35');
    expect(formatTaxId('12ABC34501DE35' as Cnpj)).to.equal('12.ABC.345/01DE-35');
    const { cpf, cnpj, cnpjAlphanumeric } = vectors<Record<string, { valid: string[] }>>('tax-ids');
    for (const id of [cpf, cnpj, cnpjAlphanumeric].flatMap((each) => each?.valid ?? [])) {
      expect(parseTaxId(formatTaxId(id as Cpf))).to.equal(id);
    }
  });

  it('may have a check digit of zero', () => {
    expect(parseCpf('10000000108')).to.equal('10000000108');
    expect(parseCnpj('11222333000505')).to.equal('11222333000505');
    for (const wrong of ['10000000118', '10000000109', '10000000195'])
      expect(parseCpf(wrong)).to.equal(undefined);
    for (const wrong of ['11222333000515', '11222333000504', '11222333000595'])
      expect(parseCnpj(wrong)).to.equal(undefined);
  });

  it('has 11 digits, or 14 characters that end with two digits', () => {
    for (const text of [
      '1114447773',
      '111444777350',
      '1114447773A',
      'A11144477735',
      '11144477735\n',
      ' 11144477735',
    ]) {
      expect(parseCpf(text), text).to.equal(undefined);
    }
    for (const text of [
      '1122233300018',
      '112223330001810',
      '1122233300018A',
      '11222333000181 ',
      'x11222333000181',
      '12ÁBC34501DE35',
      '12ﬀ34501DE3500',
    ]) {
      expect(parseCnpj(text), text).to.equal(undefined);
    }
    expect(parseCnpj('112223330001818')).to.equal(undefined);
    for (const digit of '0123456789') {
      expect(parseCpf(digit.repeat(11))).to.equal(undefined);
      expect(parseCnpj(digit.repeat(14))).to.equal(undefined);
    }
  });
});

describe('a state', () => {
  it('is one of 27 codes', () => {
    expect(UFS).to.have.length(27);
    for (const state of UFS) expect(isUf(state)).to.equal(true);
    for (const state of ['sp', 'XX', '', 'toString', '__proto__'])
      expect(isUf(state)).to.equal(false);
  });
});

describe('a postal code', () => {
  it('has eight digits and at most one hyphen', () => {
    expect(parsePostcode('01001000')).to.equal('01001000');
    expect(parsePostcode('01001-000')).to.equal('01001000');
    for (const wrong of [
      '0100100',
      '010010000',
      '0100-1000',
      '01001--000',
      '01001-000 ',
      'a01001000',
      '01001000\n',
      '',
    ]) {
      expect(parsePostcode(wrong), wrong).to.equal(undefined);
    }
    expect(formatPostcode('01001000' as Postcode)).to.equal('01001-000');
  });

  it('is read back from its formatted text', () => {
    const codes = fc
      .integer({ min: 0, max: 99_999_999 })
      .map((value) => String(value).padStart(8, '0') as Postcode);
    fc.assert(
      fc.property(codes, (code) => void expect(parsePostcode(formatPostcode(code))).to.equal(code)),
    );
  });
});

describe('a telephone number', () => {
  const GOOD = [
    '11987654321',
    '+55 (11) 98765-4321',
    '(11) 3333.4444',
    '12345678',
    '+123456789012345',
    '11\u00A098765-4321',
    '+55\u202F11\u202F98765\u202F4321',
    // As text from pages and documents has them: dashes of print, a slash, invisible marks.
    '(11) 98765\u20134321',
    '11 98765\u22124321',
    '11/98765-4321',
    '\u202A+55 11 98765-4321\u202C',
    '\uFEFF11\u00AD987654321',
  ];
  for (const text of GOOD)
    it(`accepts ${text} and keeps it as written`, () => expect(parsePhone(text)).to.equal(text));
  for (const text of [
    '',
    '1234567',
    '1234567890123456',
    '11 9876 54321 ramal 5',
    '++5511987654321',
    '5511+987654321',
    '1198765432\n1',
  ]) {
    it(`rejects ${JSON.stringify(text)}`, () => expect(parsePhone(text)).to.equal(undefined));
  }
  it('has at most 30 characters', () => {
    expect(parsePhone(`${'-'.repeat(22)}12345678`)).to.equal(`${'-'.repeat(22)}12345678`);
    expect(parsePhone(`${'-'.repeat(23)}12345678`)).to.equal(undefined);
  });
  const BRAZILIAN: readonly (readonly [text: string, digits: string])[] = [
    ['11 98765-4321', '11987654321'],
    ['(011) 98765-4321', '11987654321'],
    ['+55 (11) 98765-4321', '11987654321'],
    ['+55 011 98765\u20104321', '11987654321'],
    ['55 11 98765-4321', '11987654321'],
    ['0055 11 98765-4321', '11987654321'],
    ['0 15 11 98765-4321', '11987654321'],
    ['+55 11 3333-4444', '1133334444'],
    ['011 3333-4444', '1133334444'],
    // The area of Santa Maria, Rio Grande do Sul.
    ['55 98765-4321', '55987654321'],
    ['55 3222-1234', '5532221234'],
    ['+55 55 98765-4321', '55987654321'],
  ];
  for (const [text, digits] of BRAZILIAN)
    it(`${text} is ${digits} in Brazil`, () =>
      expect(brazilianPhone(text as Phone)).to.equal(digits));
  for (const text of [
    '+34 912 345 678',
    '0034 922 345 678',
    '+351 912 345 678',
    '+1 212 555 0123',
    // No area, no such area, a number of eight digits that no mobile phone has any more.
    '98765-4321',
    '(10) 98765-4321',
    '11 8765-4321',
    '+55 11 1234-5678',
  ])
    it(`${text} is not a number in Brazil`, () =>
      expect(brazilianPhone(text as Phone)).to.equal(undefined));
});

describe('an e-mail address', () => {
  const label = 'x'.repeat(63);
  const GOOD = [
    'maria@example.com',
    'M.a+r-i_a@EXAMPLE.com.br',
    "o'brien!#$%&*/=?^`{|}~@a-b.co",
    '1@2.br',
    'a@1.co',
    `${'x'.repeat(64)}@${label}.br`,
    `a@${label}.${label}.${label}.${'x'.repeat(60)}`,
  ];
  for (const text of GOOD)
    it(`accepts ${text.slice(0, 40)}`, () => expect(parseEmail(text)).to.equal(text));
  const BAD = [
    '',
    'maria',
    'maria@',
    '@example.com',
    'maria@localhost',
    'maria@example.',
    'maria@.com',
    'maria@-a.com',
    'maria@a-.com',
    'ma ria@example.com',
    '.maria@example.com',
    'maria.@example.com',
    'ma..ria@example.com',
    'maria@@example.com',
    'maria@example.com\r\nBcc: all@example.com',
    'maria@example.com\n',
    'Maria <maria@example.com>',
    '"maria"@example.com',
    'josé@example.com',
    'maria@exãmple.com',
    'maria@1.2.3.4',
    'maria@example.c',
    'maria@example.1m',
    `${'x'.repeat(65)}@example.com`,
    `a@${label}x.br`,
    `ab@${label}.${label}.${label}.${'x'.repeat(60)}`,
  ];
  for (const text of BAD)
    it(`rejects ${JSON.stringify(text).slice(0, 50)}`, () =>
      expect(parseEmail(text)).to.equal(undefined));
});

describe('an IMEI', () => {
  for (const text of [
    '490154203237518',
    '49-015420-323751-8',
    '49 015420 323751 8',
    '35.209900.176148.1',
    '012345678900007',
    '490154203230000',
  ]) {
    it(`is read from ${text}`, () => expect(parseImei(text)).to.match(/^\d{15}$/));
  }
  for (const text of [
    '490154203237519',
    '4111111111111111',
    '49015420323751',
    '4901542032375180',
    '000000000000000',
    '49015420323751A',
    '490154203237518\u0000',
    '',
  ]) {
    it(`rejects ${JSON.stringify(text)}`, () => expect(parseImei(text)).to.equal(undefined));
  }
});

describe('a card number', () => {
  const WHOLE = '4111111111111111';
  const card = CardNumber.parse('4111 1111-1111 1111') as CardNumber;

  it('shows its brand and last four digits only', () => {
    expect(card.brand).to.equal('visa');
    expect(card.lastFour).to.equal('1111');
    const shown = [
      String(card),
      `${card}`,
      JSON.stringify({ card }),
      inspect(card, { showHidden: true, depth: 9 }),
      JSON.stringify(structuredClone(card)),
      JSON.stringify({ ...card }),
      Object.values(card).join(),
    ];
    for (const text of shown) expect(text).not.to.match(/\d{5}/);
    expect(String(card)).to.equal('•••• 1111');
    expect(JSON.stringify({ card })).to.equal('{"card":"•••• 1111"}');
  });

  it('returns the whole number from `reveal`', () => expect(card.reveal()).to.equal(WHOLE));

  for (const wrong of [
    '4111111111111112',
    '41111111112',
    '41111111111111111115',
    '0000000000000000',
    '4111.1111.1111.1111',
    '4111111111111111\n',
    '',
  ]) {
    it(`rejects ${JSON.stringify(wrong)}`, () =>
      expect(CardNumber.parse(wrong)).to.equal(undefined));
  }
  for (const long of ['411111111117', '0123456789012008', '4111111111111111110']) {
    it(`may have ${long.length} digits`, () =>
      expect(CardNumber.parse(long)?.reveal()).to.equal(long));
  }

  it('is found in a text, whole or in groups, and taken for nothing else', () => {
    for (const text of [
      ...[
        '4111111111111111',
        'a 4111 1111 1111 1111.',
        '(4111-1111-1111-1111)',
        'n4111111111111111x',
      ],
      ...['pedido 12 5555555555554444', '3782 822463 10005', '\uFF14\uFF11' + '11111111111111'],
      ...['30569309025904', '6011.1111.1111.1117', '3530111333300000', '12 4111111111111111 34'],
    ])
      expect(holdsCardNumber(text), text).to.equal(true);
    for (const text of [
      ...['', '4111111111111112', '0000000000000000', '1234567812345670', '2026112512345674'],
      ...[
        '41111111111111110',
        '00190500954014481606906809350314337370000000100',
        '490154203237518',
      ],
      ...['+55 11 98765-4321', '36.490.181/0001-31'],
      // A UUID and a hexadecimal name with such digits.
      ...['41111111-1111-4111-9f3a-0123456789ab', 'order-41111111-1111-1111-8f3a-0123456789ab'],
      'b4111111111111111f0a9c27d1',
    ])
      expect(holdsCardNumber(text), text).to.equal(false);
    // A text that no field takes is not searched to its end.
    expect(holdsCardNumber(`${'1 '.repeat(100_000)} 4111111111111111`)).to.equal(false);
    for (const text of ['41111111-1111-1111', 'ab4111111111111111', 'visa4111111111111111'])
      expect(holdsCardNumber(text), text).to.equal(true);
  });

  it('is found as word processors, spreadsheets and chat programs write it', () => {
    const separators = [
      ...['\u2013', '\u2012', '\u2011', '\u2212', '\u00a0', '\u202f', '\u2007', '   ', '\t\t'],
      ...['\u200b', '\u2060', '\u00ad', '\u200b \u200b', ' \u2022 ', '\u00b7', '\u25cf', '\r\n'],
      ...[' \u2013 ', ' | ', '*', '\u2026', ' // ', '\u{1f449}'],
    ];
    const groups = ['5555', '5555', '5555', '4444'];
    for (const each of separators)
      for (const text of [groups.join(each), [...WHOLE].join(each)])
        expect(holdsCardNumber(text), JSON.stringify(text)).to.equal(true);
    const words = [
      ...['4.111.111.111.111.111', '4111\u20131111\u200b1111   1111', '4111 ۱۱۱۱ ११११-１１１１'],
      ...['⁴¹¹¹ ¹¹¹¹ ¹¹¹¹ ¹¹¹¹', '④①①①①①①①①①①①①①①①', 'n.º 𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏'],
      ...[[...WHOLE].map((digit) => `${digit}\ufe0f\u20e3`).join(''), '3782822463⑩005'],
    ];
    for (const text of words) expect(holdsCardNumber(text), text).to.equal(true);
  });

  it('is found in the digits of every script', () => {
    for (const system of Intl.supportedValuesOf('numberingSystem')) {
      const { format } = new Intl.NumberFormat(`en-u-nu-${system}`);
      const digits = [...'0123456789'].map((digit) => format(Number(digit)));
      if (!digits.every((digit) => /^\p{Nd}$/u.test(digit))) continue;
      const text = [...'6362970000457013'].map((digit) => digits[Number(digit)]).join('');
      expect(holdsCardNumber(text), system).to.equal(true);
    }
  });

  // Joined, the digits of each text are a card's by chance.
  it('is not taken from days, hours, phones, and numbers of a list', () => {
    for (const text of [
      ...['23/01/2026 \u2013 29/01/2026', '30/11/2026 14:30:05', '4010; 4011; 4012; 4017'],
      ...['41 99123-4509 / 48 98765-4321', '+55 (41) 99123-4501 +55 (41) 98765-4321'],
      'Assentos: 41, 42, 43, 44, 45, 46, 47, 48',
    ])
      expect(holdsCardNumber(text), text).to.equal(false);
  });

  const BRANDS: readonly [CardBrand, string][] = [
    ['elo', '6362970000457013'],
    ['elo', '4011780000000006'],
    ['hipercard', '6062825624254001'],
    ['visa', WHOLE],
    ['mastercard', '5555555555554444'],
    ['mastercard', '2221000000000009'],
    ['amex', '378282246310005'],
    ['diners', '30569309025904'],
    ['discover', '6011111111111117'],
    ['jcb', '3530111333300000'],
    ['other', '9999999999999995'],
  ];
  for (const [brand, number] of BRANDS) {
    it(`${number.slice(0, 6)}… is ${brand}`, () =>
      expect(CardNumber.parse(number)?.brand).to.equal(brand));
  }

  /** Completes a prefix to a card number with a valid check digit. */
  const beginning = (prefix: string): CardNumber => {
    const numbers = Array.from({ length: 10 }, (_, digit) => prefix.padEnd(15, '0') + digit);
    return numbers
      .map((number) => CardNumber.parse(number))
      .find((found) => found !== undefined) as CardNumber;
  };
  const EDGES: Readonly<Record<CardBrand, string>> = {
    elo:
      '401178 401179 431274 438935 451416 457393 457631 457632 504175 506699 506778 509000 509999 627780 636297 636368 ' +
      '650031 650033 650035 650051 650405 650439 650485 650538 650541 650598 650700 650718 650720 650727 650901 650978 ' +
      '651652 651679 655000 655019 655021 655058',
    hipercard: '606282 384100 384140 384160',
    visa: '4 401177 401180 457633 499999',
    mastercard: '51 55 2221 2720 559999 272099',
    amex: '34 37 349999',
    diners: '300 305 36 38 39 384101',
    discover: '6011 644 649 65 650030 650034 650052 655059',
    jcb: '3528 3589 358999',
    other: '50 56 2220 2721 33 35 306 6010 6012 643 66 3527 3590 506698 506779 508999',
  };
  for (const [brand, prefixes] of Object.entries(EDGES)) {
    it(`is ${brand} with a prefix of ${brand === 'other' ? 'no known brand' : 'that brand'}`, () => {
      for (const prefix of prefixes.split(' '))
        expect(beginning(prefix).brand, prefix).to.equal(brand);
    });
  }
});

describe('an external sale id', () => {
  it('is normalized to Unicode NFC', () => {
    expect(parseExternalSaleId('pedido a\u0301 1')).to.equal('pedido á 1');
    expect(parseExternalSaleId('pedido á 1')).to.equal('pedido á 1');
    expect(parseExternalSaleId('...')).to.equal('...');
    expect(parseExternalSaleId('.a')).to.equal('.a');
    expect(parseExternalSaleId('a.')).to.equal('a.');
  });

  it('is not empty, `.` or `..`, and has no outer spaces and no invisible characters', () => {
    for (const wrong of [
      '',
      ' a',
      'a ',
      '.',
      '..',
      'a\u200bb',
      '\u00ada',
      'a\u115f',
      'a\u2800b',
      'a\u00a0b',
      'a\u2028b',
      'a\u3000b',
    ])
      expect(parseExternalSaleId(wrong), escape(wrong)).to.equal(undefined);
  });
});

describe('a visible text', () => {
  it('has a letter, digit, punctuation mark or symbol that prints', () => {
    for (const seen of ['a', '7', '!', '€', '\u200bx', 'क्\u200dष', '漢'])
      expect(isVisible(seen), seen).to.equal(true);
    for (const unseen of ['', ' ', '\u2800', '\u3164', '\u115f\u1160', '\u200b\u00ad', '\u0301'])
      expect(isVisible(unseen), escape(unseen)).to.equal(false);
  });
});
