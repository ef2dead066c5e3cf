import type { IncomingMessage } from 'node:http';
import Type from 'typebox';
import {
  type Cents,
  centsFromNumber,
  centsFromText,
  type ListedSale,
  parseExternalSaleId,
  SALE_STATUSES,
} from '#domain';
import {
  type AnswerError,
  faultyFieldsError,
  standardError,
} from '../../kit/contract/answer-error.ts';
import { MAX_LISTED_FAULTS } from '../../kit/contract/complaints.ts';
import {
  type Complaint,
  complain,
  type FieldFaults,
  groupFaults,
} from '../../kit/contract/field-faults.ts';
import { closedObject, formatted } from '../../kit/contract/formats.ts';
import { closedNamedObject } from '../../kit/contract/named-object.ts';
import { type Checked, compileValidator } from '../../kit/contract/validation.ts';
import { columnsOf } from '../../kit/sheets/csv-header.ts';
import { removeFormulaGuards } from '../../kit/sheets/formula-guards.ts';
import type { ReadLine } from '../../kit/sheets/read-line.ts';
import { findSpoiltCells } from '../../kit/sheets/spoilt-cells.ts';
import { dropRest } from './read-lines.ts';
import { amountOfCell } from './sale-cells.ts';

/** Max lines of a list: it is kept in memory while it is compared. */
export const MAX_LIST_LINES = 100_000;

/** A line has a name, an amount and a status. `readListedSales` refuses the line too many. */
const LIMITS = { maxLines: MAX_LIST_LINES + 1, maxLineBytes: 4_096 };

const fields = {
  externalSaleId: formatted('text', {
    minLength: 1,
    maxLength: 100,
    description: 'O externalSaleId da venda ou, se ela não tem um, o seu ticket',
  }),
  status: Type.Optional(
    Type.Enum(SALE_STATUSES, { description: 'Ausente: o status não é comparado' }),
  ),
};

const AMOUNT = 'O que o segurado pagou, com IOF, sem descontar devoluções';

/** A line of the list, as NDJSON writes it. */
export const listedSaleSchema = closedNamedObject('ListedSale', {
  ...fields,
  total: Type.Number({ format: 'money', minimum: 0, description: AMOUNT }),
});

/** A line whose amount is text: every line of a CSV. */
const textLineSchema = closedObject({
  ...fields,
  total: formatted('money-text', { description: AMOUNT }),
});

export const LIST_LIMITS = { ...LIMITS, columns: columnsOf(listedSaleSchema) };

const checkNumberLine = compileValidator(listedSaleSchema);
const checkTextLine = compileValidator(textLineSchema);

type CheckedLine = Checked<typeof listedSaleSchema> | Checked<typeof textLineSchema>;

const checkLine = (record: Readonly<Record<string, unknown>>): CheckedLine =>
  typeof record['total'] === 'number' ? checkNumberLine(record) : checkTextLine(record);

/** Collects the faults of a list: all are counted, the first hundred are kept. */
class ListFaults {
  readonly #kept: [field: string, complaint: Complaint][] = [];
  #faultyLines = 0;

  /** @param faults each with its field; the field is empty for a line that cannot be read. */
  addLine(line: number, faults: readonly (readonly [field: string, complaint: Complaint])[]): void {
    this.#faultyLines += 1;
    for (const [field, complaint] of faults)
      if (this.#kept.length < MAX_LISTED_FAULTS)
        this.#kept.push([field === '' ? `${line}` : `${line}.${field}`, complaint]);
  }

  /** 422 if there are faults. */
  toError(): AnswerError | undefined {
    if (this.#faultyLines === 0) return undefined;
    const lines = this.#faultyLines === 1 ? '1 linha' : `${this.#faultyLines} linhas`;
    return faultyFieldsError(
      422,
      'validation_failed',
      `A lista tem erros em ${lines}; nada foi comparado. Os erros estão em errors, por linha.`,
      groupFaults(this.#kept),
      { faulty_lines: this.#faultyLines },
    );
  }
}

/**
 * Reads a channel's list of sales, line by line from the request.
 *
 * @throws AnswerError 413 above `MAX_LIST_LINES`; 422 with the faults of all lines
 */
export const readListedSales = async (
  lines: AsyncIterable<ReadLine>,
  request: IncomingMessage,
): Promise<readonly ListedSale[]> => {
  const list: ListedSale[] = [];
  const faults = new ListFaults();
  let count = 0;

  for await (const each of lines) {
    const { line, record, fault } = each;
    count += 1;
    if (count > MAX_LIST_LINES) break;
    if (record === undefined) {
      faults.addLine(line, [['', complain('invalid_format', fault.message)]]);
      continue;
    }
    const isCsv = each.separator !== undefined;
    const spoilt = isCsv ? listFaults(findSpoiltCells(record)) : [];
    const checked = checkLine(isCsv ? readCells(record) : record);
    if (spoilt.length > 0) faults.addLine(line, spoilt);
    else if (checked.ok) list.push(listedSaleOf({ line, isCsv }, checked.value));
    else faults.addLine(line, listFaults(checked.faults));
  }

  if (count > MAX_LIST_LINES) {
    await dropRest(request);
    throw tooManyLines();
  }
  const error = faults.toError();
  if (error !== undefined) throw error;
  return list;
};

/** The cells of a line, without what a spreadsheet adds. */
const readCells = (record: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const { total } = record;
  return { ...record, ...(typeof total === 'string' && { total: amountOfCell(total) }) };
};

const listFaults = (faults: FieldFaults): readonly (readonly [string, Complaint])[] =>
  Object.entries(faults).flatMap(([field, complaints]) =>
    complaints.map((complaint) => [field, complaint] as const),
  );

/** Reads a name, which a CSV may guard against spreadsheets, as our statement does. */
const nameOf = (externalSaleId: string, isCsv: boolean): string => {
  const name = isCsv ? removeFormulaGuards(externalSaleId) : externalSaleId;
  // A name that no sale can have is listed as one that is missing here.
  return parseExternalSaleId(name) ?? name;
};

const listedSaleOf = (
  { line, isCsv }: { readonly line: number; readonly isCsv: boolean },
  { externalSaleId, total, status }: Extract<CheckedLine, { readonly ok: true }>['value'],
): ListedSale => ({
  line,
  name: nameOf(externalSaleId, isCsv),
  total: (typeof total === 'number' ? centsFromNumber(total) : centsFromText(total)) as Cents,
  ...(status !== undefined && { status }),
});

const tooManyLines = (): AnswerError =>
  standardError(
    413,
    'body_too_large',
    `A lista tem mais de ${MAX_LIST_LINES} linhas. Concilie períodos mais curtos, um de cada vez.`,
  );
