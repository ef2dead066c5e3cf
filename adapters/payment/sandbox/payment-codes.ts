import { type CalendarDate, type Cents, daysBetween, toReais } from '#domain';

/** Calculates CRC-16/CCITT-FALSE as four hexadecimal digits (EMV). */
const crc16 = (text: string): string => {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    crc &= 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
};

const field = (id: string, value: string): string =>
  `${id}${String(value.length).padStart(2, '0')}${value}`;

/** The layout has 13 characters for the amount in reais, with two decimal places. */
export const fitsPix = (amount: Cents): boolean => amount <= 999_999_999_999;

interface PixPayload {
  readonly key: string;
  readonly amount?: Cents;
  readonly merchant: string;
  readonly city: string;
  /** Id of the transaction: at most 25 letters and digits; `***` stands for no id. */
  readonly transaction: string;
}

/**
 * Builds the text of a Pix QR code, which is also the text to copy and paste (BR Code; Banco
 * Central, Manual de Padrões para Iniciação do Pix). The amount must fit.
 */
export const createPixCode = ({ key, amount, merchant, city, transaction }: PixPayload): string => {
  const account = field('00', 'br.gov.bcb.pix') + field('01', key);
  const value = amount === undefined ? '' : field('54', toReais(amount).toFixed(2));
  const text =
    field('00', '01') +
    field('26', account) +
    field('52', '0000') +
    field('53', '986') +
    value +
    field('58', 'BR') +
    field('59', merchant) +
    field('60', city) +
    field('62', field('05', transaction)) +
    '6304';
  return text + crc16(text);
};

/** Code of a bank that does not exist, so that no bank accepts the boleto. */
const BANK = '999';

/** Code of the currency (real). */
const REAL = '9';

/** Adds up `product(digit × weight)`. The weights repeat from the right. */
const sumWeighted = (
  digits: string,
  weights: readonly number[],
  product: (value: number) => number,
): number =>
  [...digits]
    .reverse()
    .reduce(
      (sum, digit, index) =>
        sum + product(Number(digit) * (weights[index % weights.length] as number)),
      0,
    );

const modulo10 = (digits: string): string =>
  String(
    (10 - (sumWeighted(digits, [2, 1], (value) => (value > 9 ? value - 9 : value)) % 10)) % 10,
  );

const modulo11 = (digits: string): string => {
  const digit = 11 - (sumWeighted(digits, [2, 3, 4, 5, 6, 7, 8, 9], (value) => value) % 11);
  return String(digit > 9 ? 1 : digit);
};

/**
 * Calculates the due date factor: the days since 2025-02-22, when the counter restarted at 1000
 * (FEBRABAN, FB-009/2023).
 */
const dueDateFactor = (dueOn: CalendarDate): string =>
  String(1_000 + (daysBetween('2025-02-22' as CalendarDate, dueOn) % 9_000));

export interface Boleto {
  /** The 44 digits of the barcode. */
  readonly barcode: string;
  /** The 47 digits that a person types (linha digitável), grouped as usual. */
  readonly line: string;
}

/** The layout has ten digits for the amount. */
export const fitsBoleto = (amount: Cents): boolean => amount <= 9_999_999_999;

/** Builds a boleto in the FEBRABAN layout. `number` has at most 25 digits. The amount must fit. */
export const createBoleto = (amount: Cents, dueOn: CalendarDate, number: string): Boleto => {
  const free = number.replaceAll(/\D/g, '').padStart(25, '0').slice(-25);
  const value = `${dueDateFactor(dueOn)}${String(amount).padStart(10, '0')}`;
  const check = modulo11(`${BANK}${REAL}${value}${free}`);
  const first = `${BANK}${REAL}${free.slice(0, 5)}`;
  const [second, third] = [free.slice(5, 15), free.slice(15)];
  const addCheckDigit = (field: string): string =>
    `${field.slice(0, 5)}.${field.slice(5)}${modulo10(field)}`;
  return {
    barcode: `${BANK}${REAL}${check}${value}${free}`,
    line: [addCheckDigit(first), addCheckDigit(second), addCheckDigit(third), check, value].join(
      ' ',
    ),
  };
};
