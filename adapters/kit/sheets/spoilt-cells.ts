import { complain, type FieldFaults } from '../contract/field-faults.ts';

/** What a spreadsheet writes in place of a value. Each text completes "O campo x …". */
const SPOILT: readonly (readonly [pattern: RegExp, complaint: string])[] = [
  [
    /^\d([.,]\d+)?E\+\d+$/i,
    'é um número longo que a planilha encurtou, e que perdeu dígitos: formate a coluna como texto',
  ],
  [/^#+$/, 'não coube na coluna da planilha: alargue a coluna e salve o CSV de novo'],
  [/^(loading|carregando)\.\.\.$/i, 'ainda não foi calculado: abra a planilha e salve-a de novo'],
  [
    // `#N/D`, `#REF!`, `#NOME?`, `#DIV/0!` of any language; `Err:502` of LibreOffice.
    /^(#[¡¿]?(\p{L}\/\p{L}!?|[\p{L}_]+(\/0)?[!?]|\p{L}+_\p{L}+)|err(or?)?:\d{3})$/iu,
    'tem um erro da planilha em lugar do valor: corrija a célula e salve o CSV de novo',
  ],
];

/** The faults of the cells whose value a spreadsheet has lost, in any column. */
export const findSpoiltCells = (record: Readonly<Record<string, unknown>>): FieldFaults =>
  Object.fromEntries(
    Object.entries(record).flatMap(([column, cell]) => {
      const text = plain(String(cell));
      const complaint = SPOILT.find(([pattern]) => pattern.test(text))?.[1];
      if (complaint === undefined) return [];
      return [[column, [complain('invalid_format', `O campo ${column} ${complaint}.`)]]];
    }),
  );

const plain = (cell: string): string =>
  cell.normalize('NFKC').replaceAll(/[\p{White_Space}\p{Default_Ignorable_Code_Point}]/gu, '');
