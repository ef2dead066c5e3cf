import { type Cents, toReais } from '#domain';

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
