import { brazilianPhone, emailOf, type Phone, parsePhone, parseTaxId, type Sale } from '#domain';
import { insurerNumbersOf } from '../sales/sales.ts';

/** Under what a sale is found. */
export interface SearchEntry {
  readonly saleId: number;
  /** What is compared as a whole: `tax:…`, `mail:…`, `phone:…`, `id:…`. */
  readonly keys: readonly string[];
  /** The words of the names, each once, in small letters without accents. */
  readonly words: readonly string[];
}

/** What somebody looks for. */
export interface SearchQuestion {
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

const idKey = (text: string): string => `id:${text.trim().toLowerCase()}`;
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

/** Under what a sale is found, as it is now: by all people it insures, and by all its names. */
export const searchEntryOf = (sale: Sale): SearchEntry => {
  const { id, ticket, terms } = sale;
  const people: readonly Findable[] = [terms.insured, ...(terms.additionalInsured ?? [])];
  const names = [ticket, terms.externalSaleId ?? ticket, ...insurerNumbersOf(sale)];
  const keys = [...people.flatMap(keysOfPerson), mailKey(emailOf(sale)), ...names.map(idKey)];
  const words = people.flatMap(({ name, socialName = '' }) => wordsOf(`${name} ${socialName}`));
  return { saleId: id, keys: [...new Set(keys)], words: [...new Set(words)] };
};

/** Numbers of sales are shorter. */
const SALE_ID = /^\d{1,15}$/;

/** Reads what was typed: it may be any name of a sale or of a person. */
export const readQuestion = (typed: string): SearchQuestion => {
  const text = typed.trim();
  const keys = [idKey(text)];
  if (text.includes('@')) return { keys: [...keys, mailKey(text)], words: [] };
  const taxId = parseTaxId(text);
  const phone = parsePhone(text);
  if (taxId !== undefined) keys.push(taxKey(taxId));
  if (phone !== undefined) keys.push(phoneKey(phone));
  const saleId = SALE_ID.test(text) ? { saleId: Number(text) } : {};
  const words = /\p{L}/u.test(text) ? wordsOf(text) : [];
  return { keys, ...saleId, words };
};
