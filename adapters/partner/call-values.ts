import { InvalidArgumentError } from 'commander';
import { STATEMENT_FORMATS, type StatementRequest } from './save-statement.ts';

export const seconds = (text: string): number => {
  if (!/^\d{1,5}$/.test(text))
    throw new InvalidArgumentError('deve ser um número inteiro de segundos.');
  return Number(text);
};

export const day = (text: string): string => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text))
    throw new InvalidArgumentError('deve ser um dia, como 2026-11-30.');
  return text;
};

export const month = (text: string): string => {
  if (!/^\d{4}-\d\d$/.test(text)) throw new InvalidArgumentError('deve ser um mês, como 2026-11.');
  return text;
};

export const statementFormat = (text: string): StatementRequest['format'] => {
  const format = STATEMENT_FORMATS.find((each) => each === text);
  if (format === undefined)
    throw new InvalidArgumentError(`deve ser um destes: ${STATEMENT_FORMATS.join(', ')}.`);
  return format;
};

/** The format that the name of a file tells; else `xlsx`. */
export const formatOf = (file = ''): StatementRequest['format'] =>
  STATEMENT_FORMATS.find((each) => file.toLowerCase().endsWith(`.${each}`)) ?? 'xlsx';

export const port = (text: string): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('deve ser uma porta, de 0 a 65535 (0: qualquer porta livre).');
  return Number(text);
};

export const count = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('deve ser um número inteiro a partir de 1.');
  return Number(text);
};

/** Words, separated by commas. */
export const words = (text: string): readonly string[] =>
  text.split(',').map((word) => word.trim());
