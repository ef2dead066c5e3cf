import { type CalendarDate, type Cents, daysBetween } from '#domain';

/** A bank that does not exist, so that no bank takes it. */
const BANK = '999';
const REAL = '9';

/** Sum of the digits' products by the weights, which go round from the right. */
const weighted = (
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
  String((10 - (weighted(digits, [2, 1], (value) => (value > 9 ? value - 9 : value)) % 10)) % 10);

const modulo11 = (digits: string): string => {
  const digit = 11 - (weighted(digits, [2, 3, 4, 5, 6, 7, 8, 9], (value) => value) % 11);
  return String(digit > 9 ? 1 : digit);
};

/** Days are counted from 22/02/2025, a Saturday on which the counter began again at 1000 (FEBRABAN, FB-009/2023). */
const factor = (dueOn: CalendarDate): string =>
  String(1_000 + (daysBetween('2025-02-22' as CalendarDate, dueOn) % 9_000));

export interface Boleto {
  /** The 44 digits of the bars. */
  readonly barcode: string;
  /** The 47 digits that a person types, as they are usually grouped. */
  readonly line: string;
}

/** A boleto as banks lay it out (FEBRABAN), of a bank that does not exist; `number` is of at most 25 digits. */
export const boletoFor = (amount: Cents, dueOn: CalendarDate, number: string): Boleto => {
  const free = number.replaceAll(/\D/g, '').padStart(25, '0').slice(-25);
  const value = `${factor(dueOn)}${String(amount).padStart(10, '0')}`;
  const check = modulo11(`${BANK}${REAL}${value}${free}`);
  const first = `${BANK}${REAL}${free.slice(0, 5)}`;
  const [second, third] = [free.slice(5, 15), free.slice(15)];
  const typed = (field: string): string =>
    `${field.slice(0, 5)}.${field.slice(5)}${modulo10(field)}`;
  return {
    barcode: `${BANK}${REAL}${check}${value}${free}`,
    line: `${typed(first)} ${typed(second)} ${typed(third)} ${check} ${value}`,
  };
};
