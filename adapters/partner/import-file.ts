import type { IncomingMessage } from 'node:http';
import { CommandFailure, GaveUp, Temporary } from './failures.ts';
import { BLANK, POSTPONED, type RecordResult, readResults } from './import-answers.ts';
import { type ListFile, MEDIA_TYPES } from './list-file.ts';
import type { Progress } from './progress.ts';
import { RefusedRecords, restoringRecords } from './refused-records.ts';
import { ResultFile } from './result-file.ts';
import type { SalesService } from './sales-service.ts';
import { openSource, type SourceRecord } from './source-records.ts';

/** The records of one request, at most: they are in memory until all are answered. */
const MAX_RECORDS = 2_000;
const MAX_BYTES = 4_194_304;

const LINE_FEED = Buffer.from('\n');

export interface ImportResult {
  readonly registered: number;
  /** Registered before, with the same content. */
  readonly repeated: number;
  readonly refused: number;
  /** The file of the refused records. */
  readonly refusedPath: string | undefined;
  /** The file with the answer to each line. */
  readonly resultPath: string;
}

export interface ImportChoices {
  /** Whether the service only checks the sales, and registers none. */
  readonly isDryRun: boolean;
  /** The file for the answers; undefined: one beside the source. */
  readonly out: string | undefined;
}

/**
 * Sends the sales of a file, part by part. The answers go into a file for spreadsheets, refused
 * records also into one that can be sent again. Records that the service could not take are sent
 * again; a part that was cut off is sent again as a whole, because the service registers each sale
 * once.
 *
 * @throws CommandFailure if the service refuses a whole part, or fails for too long
 */
export const importFile = async (
  service: SalesService,
  file: ListFile,
  progress: Progress,
  choices: ImportChoices,
): Promise<ImportResult> => {
  try {
    return await sendFile(service, file, progress, choices);
  } finally {
    progress.stop();
  }
};

const sendFile = async (
  service: SalesService,
  file: ListFile,
  progress: Progress,
  choices: ImportChoices,
): Promise<ImportResult> => {
  const { isDryRun } = choices;
  const source = await openSource(file);
  const restore = restoringRecords(file.format, source.header);
  const header = source.header && restore(source.header);
  if (file.format === 'csv' && header === undefined)
    throw new CommandFailure(`O arquivo ${file.path} está vazio.`);

  const refused = new RefusedRecords(file, header);
  const answers = await ResultFile.create(file.path, choices);
  const done = { registered: 0, repeated: 0, lines: 0, bytes: header?.bytes.length ?? 0 };
  try {
    for await (const part of inParts(source.records, restore)) {
      const results = await sendPart(service, { file, isDryRun }, header, part);
      for (const record of part) {
        const { status, reasons } = results.get(record) as RecordResult;
        if (status === 201) done.registered += 1;
        else if (status === 200) done.repeated += 1;
        else if (status !== BLANK.status) await refused.add(record, reasons);
        done.lines += 1;
        done.bytes += record.bytes.length + 1;
      }
      await answers.add(part.map((record) => results.get(record) as RecordResult));
      progress.update(Math.min(done.bytes, file.bytes));
    }
    if (done.lines === 0) throw new CommandFailure(`O arquivo ${file.path} não tem vendas.`);
    await answers.complete();
  } catch (error) {
    const unfinished = await answers.abandon(done.lines);
    throw explainUnfinished(error, done.lines, unfinished);
  } finally {
    await refused.close();
  }
  const { registered, repeated } = done;
  const [refusedPath, resultPath] = [refused.path, answers.path];
  return { registered, repeated, refused: refused.count, refusedPath, resultPath };
};

/** The error with what to do next, unless the file itself must change first. */
const explainUnfinished = (error: unknown, lines: number, unfinished: string): unknown => {
  if (!(error instanceof CommandFailure)) return error;
  if (lines === 0 && !(error instanceof GaveUp)) return error;
  const place = lines === 0 ? '' : `, e estão em ${unfinished}`;
  return new CommandFailure(
    `${error.message}\n${lines} linhas foram respondidas antes disso${place}. ` +
      'Envie o mesmo arquivo de novo: nenhuma venda é registrada duas vezes.',
  );
};

async function* inParts(
  records: AsyncIterable<SourceRecord>,
  restore: (record: SourceRecord) => SourceRecord,
): AsyncIterable<readonly SourceRecord[]> {
  let part: SourceRecord[] = [];
  let bytes = 0;
  for await (const each of records) {
    const record = restore(each);
    part.push(record);
    bytes += record.bytes.length;
    if (part.length < MAX_RECORDS && bytes < MAX_BYTES) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
}

/** Sends records until the service has sold or refused each. */
const sendPart = async (
  service: SalesService,
  { file, isDryRun }: { readonly file: ListFile; readonly isDryRun: boolean },
  header: SourceRecord | undefined,
  part: readonly SourceRecord[],
): Promise<ReadonlyMap<SourceRecord, RecordResult>> => {
  const results = new Map<SourceRecord, RecordResult>();
  const sendLeft = async (answer: IncomingMessage, left: readonly SourceRecord[]) => {
    const found = await readResults(answer, header, left);
    for (const record of left) {
      const result = found.get(record) ?? withoutAnswer(record);
      if (result.status !== POSTPONED) results.set(record, result);
    }
    if (results.size < part.length)
      throw new Temporary('O serviço não pôde registrar algumas linhas agora.');
  };

  const left = (): readonly SourceRecord[] => part.filter((record) => !results.has(record));
  let sent: readonly SourceRecord[] = [];
  await service.ask(
    {
      method: 'POST',
      path: `/private/integration/sales/import${isDryRun ? '?dry_run=true' : ''}`,
      headers: { 'Content-Type': MEDIA_TYPES[file.format] },
      body: () => {
        sent = left();
        return bodyOf(header, sent);
      },
    },
    (answer) => sendLeft(answer, sent),
  );
  return results;
};

/**
 * The service does not answer a row of empty cells.
 *
 * @throws CommandFailure for any other record: its sale may be lost
 */
const withoutAnswer = ({ line, bytes }: SourceRecord): RecordResult => {
  if (/^[\s",;]*$/.test(bytes.toString())) return BLANK;
  throw new CommandFailure(`O serviço não respondeu à linha ${line} do arquivo.`);
};

const bodyOf = (header: SourceRecord | undefined, records: readonly SourceRecord[]): Buffer => {
  const all = header === undefined ? records : [header, ...records];
  return Buffer.concat(all.flatMap(({ bytes }) => [bytes, LINE_FEED]));
};
