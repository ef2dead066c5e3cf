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
