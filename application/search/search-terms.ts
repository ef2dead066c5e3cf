import { brazilianPhone, emailOf, type Phone, parsePhone, parseTaxId, type Sale } from '#domain';
import { insurerNumbersOf } from '../sales/sales.ts';

/** Under what a sale is found. */
export interface SearchEntry {
  readonly saleId: number;
  /** What its people are known by, compared as a whole: `tax:…`, `mail:…`, `phone:…`. */
  readonly keys: readonly string[];
  /** The words of their names, each once, in small letters without accents. */
  readonly words: readonly string[];
}

/** What somebody looks for. */
export interface SearchQuestion {
  /** What may be a name of the sale: its ticket, what the channel or the insurer calls it. */
  readonly name: string;
  readonly keys: readonly string[];
  /** The number of a sale. */
  readonly saleId?: number;
  /** All of them stand in the names; those of three letters or more may be the beginning of a word. */
  readonly words: readonly string[];
}

/** Words of a person or a question, and letters of a word: more say nothing. */
const MAX_WORDS = 20;
const MAX_LETTERS = 40;

/** From so many letters on a word may be the beginning of one. */
export const PREFIX_LETTERS = 3;

/** @example wordsOf('João D’Ávila') // ['joao', 'd', 'avila'] */
export const wordsOf = (text: string): readonly string[] => {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => [...word].slice(0, MAX_LETTERS).join('')))].slice(
    0,
    MAX_WORDS,
  );
};

const taxKey = (taxId: string): string => `tax:${taxId}`;
const mailKey = (email: string): string => `mail:${email.trim().toLowerCase()}`;
/** With or without a country code, as a Brazilian number is written. */
const phoneKey = (phone: Phone): string =>
  `phone:${brazilianPhone(phone) ?? phone.replaceAll(/\D/g, '')}`;

interface Findable {
  readonly name: string;
  readonly socialName?: string;
  readonly taxId: string;
  readonly email?: string;
  readonly phone?: Phone;
}

const keysOfPerson = ({ taxId, email, phone }: Findable): readonly string[] => [
  taxKey(taxId),
  ...(email === undefined ? [] : [mailKey(email)]),
  ...(phone === undefined ? [] : [phoneKey(phone)]),
];

/** What the sale itself is called. Tickets are compared in capitals. */
export const saleNamesOf = (sale: Sale): readonly string[] => {
  const { externalSaleId } = sale.terms;
  const own = externalSaleId === undefined ? [] : [externalSaleId];
  return [sale.ticket, ...own, ...insurerNumbersOf(sale)];
};

/** Under what a sale is found, as it is now: by all people it insures. */
export const searchEntryOf = (sale: Sale): SearchEntry => {
  const { id, terms } = sale;
  const people: readonly Findable[] = [terms.insured, ...(terms.additionalInsured ?? [])];
  const keys = [...people.flatMap(keysOfPerson), mailKey(emailOf(sale))];
  const words = people.flatMap(({ name, socialName = '' }) => wordsOf(`${name} ${socialName}`));
  return { saleId: id, keys: [...new Set(keys)], words: [...new Set(words)] };
};

/**
 * What holds the number of a sale: the number itself, that of a bilhete (`B-000000062`), the protocol
 * of a cancellation (`20261128-62-5849945`).
 */
const SALE_ID = /^(?:(?<id>\d{1,15})|b-0*(?<bilhete>\d{1,15})|\d{8}-(?<ended>\d{1,15})-\d{7})$/i;

/** Reads what was typed: it may be any name of a sale or of a person. */
export const readQuestion = (typed: string): SearchQuestion => {
  const name = typed.trim();
  if (name.includes('@')) return { name, keys: [mailKey(name)], words: [] };
  const keys: string[] = [];
  const taxId = parseTaxId(name);
  const phone = parsePhone(name);
  if (taxId !== undefined) keys.push(taxKey(taxId));
  if (phone !== undefined) keys.push(phoneKey(phone));
  const { id, bilhete, ended } = SALE_ID.exec(name)?.groups ?? {};
  const number = id ?? bilhete ?? ended;
  const saleId = number === undefined ? {} : { saleId: Number(number) };
  const words = /\p{L}/u.test(name) ? wordsOf(name) : [];
  return { name, keys, ...saleId, words };
};
