import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LineSplitter } from '../kit/sheets/split-lines.ts';
import { CommandFailure, Temporary } from './failures.ts';
import { type ListFile, MEDIA_TYPES } from './list-file.ts';
import type { Progress } from './progress.ts';
import { readObject } from './refused-records.ts';
import type { SalesService } from './sales-service.ts';
import { openSource } from './source-records.ts';
import { BYTE_ORDER_MARK, decimalComma, writeRow } from './spreadsheet-rows.ts';

type DifferenceKind = 'missing_here' | 'missing_there' | 'amount_differs' | 'status_differs';

interface Difference {
  readonly kind: DifferenceKind;
  readonly name: string;
  readonly reason: string | null;
  readonly here: (Side & { readonly ticket: string; readonly booked_on: string | null }) | null;
  readonly there: (Side & { readonly line: number }) | null;
  readonly message: string;
}

interface Side {
  readonly total: number;
  readonly status: string | null;
}

const COLUMNS = [
  ...['diferenca', 'motivo', 'venda', 'ticket', 'linha'],
  ...[
    'total_extrato',
    'total_lista',
    'status_extrato',
    'status_lista',
    'dia_extrato',
    'explicacao',
  ],
];

/** The words of the summary. */
const KINDS: Readonly<Record<DifferenceKind, string>> = {
  missing_here: 'na lista e não no extrato',
  missing_there: 'no extrato e não na lista',
  amount_differs: 'outro valor',
  status_differs: 'outro status',
};

const REASONS: Readonly<Record<string, string>> = {
  unknown: 'venda desconhecida',
  not_paid: 'não paga',
  other_period: 'outro período',
  repeated: 'linha repetida',
};

/** A row for a difference. */
const writeDifference = ({ kind, name, reason, here, there, message }: Difference): string =>
  writeRow([
    // A later version of the service may have more kinds and reasons.
    KINDS[kind] ?? kind,
    REASONS[reason ?? ''] ?? reason ?? '',
    name,
    here?.ticket ?? '',
    there?.line ?? '',
    decimalComma(here?.total),
    decimalComma(there?.total),
    here?.status ?? '',
    there?.status ?? '',
    here?.booked_on ?? '',
    message,
  ]);

/** The first row. */
const HEADER = `${BYTE_ORDER_MARK}${writeRow(COLUMNS)}`;

/** The inclusive days of a period, `YYYY-MM-DD`. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

interface Counted {
  readonly count: number;
  readonly total: number;
}

interface Lines {
  readonly lines: number;
  readonly total: number;
}

/** The last line of the answer. */
export interface ReconciliationResult extends Period {
  readonly final: boolean;
  readonly summary: {
    readonly statement: { readonly sales: Lines; readonly refunds: Lines };
    readonly list: Lines;
    readonly unpaid: Lines;
    readonly differences: Readonly<Record<DifferenceKind, Counted>>;
    readonly difference: number;
  };
}

const MAX_ANSWER_BYTES = 1_048_576;

/** `vendas.csv` is `vendas.diferencas.csv`. */
export const differencesPath = (listPath: string): string => {
  const extension = extname(listPath);
  const base = extension === '' ? listPath : listPath.slice(0, -extension.length);
  return `${base}.diferencas.csv`;
};

/** The fields that each sale of a list must have. */
const NEEDED_FIELDS = ['externalSaleId', 'total'];

/**
 * Looks at the first sale. The service would complain of each line; of a CSV it complains once.
 *
 * @throws CommandFailure if the sales of an NDJSON have other fields
 */
const requireFields = async (file: ListFile): Promise<void> => {
  if (file.format !== 'ndjson') return;
  for await (const { bytes } of (await openSource(file)).records) {
    const fields = Object.keys(readObject(bytes.toString()) ?? {});
    const missing = NEEDED_FIELDS.filter((name) => !fields.includes(name));
    if (fields.length > 0 && missing.length > 0)
      throw new CommandFailure(
        `Cada venda da lista precisa de ${NEEDED_FIELDS.join(' e ')}. Falta ${missing.join(' e ')}; há ${fields.join(', ')}.`,
      );
    return;
  }
};

/**
 * Compares the list in a file with the statement of a period, and writes the differences to a CSV
 * for Brazilian spreadsheets.
 *
 * @throws CommandFailure if the service refuses the list, or fails for too long
 */
export const reconcileFile = async (
  service: SalesService,
  file: ListFile,
  { from, to }: Period,
  out: string,
  progress: Progress,
): Promise<ReconciliationResult> => {
  try {
    await requireFields(file);
    return await service.ask(
      {
        method: 'POST',
        path: `/private/integration/reconciliation?${new URLSearchParams({ from, to })}`,
        headers: { 'Content-Type': MEDIA_TYPES[file.format], Accept: MEDIA_TYPES.ndjson },
        body: () => sendFile(file, progress),
      },
      (answer) => keepDifferences(answer, out),
    );
  } finally {
    progress.stop();
  }
};

const sendFile = ({ path }: ListFile, progress: Progress): Readable => {
  let sent = 0;
  return createReadStream(path).on('data', (chunk) => {
    sent += chunk.length;
    progress.update(sent);
  });
};

/** Writes beside the file, and puts it in its place when it is complete. */
const keepDifferences = async (
  answer: IncomingMessage,
  out: string,
): Promise<ReconciliationResult> => {
  let result: ReconciliationResult | undefined;
  const rows = async function* writeRows(): AsyncIterable<string> {
    yield HEADER;
    for await (const line of answerLines(answer))
      if ('summary' in line) result = line;
      else yield writeDifference(line);
  };

  const unfinished = `${out}.part`;
  await pipeline(Readable.from(rows()), createWriteStream(unfinished));
  if (result === undefined) throw new Temporary('A resposta do serviço não chegou ao fim.');
  await rename(unfinished, out);
  return result;
};

async function* answerLines(
  answer: IncomingMessage,
): AsyncIterable<Difference | ReconciliationResult> {
  const splitter = new LineSplitter(MAX_ANSWER_BYTES);
  for await (const chunk of answer)
    for (const { bytes } of splitter.take(chunk as Buffer))
      yield JSON.parse(bytes?.toString() ?? '') as Difference | ReconciliationResult;
}
