import type { IncomingMessage } from 'node:http';
import { CommandFailure, Temporary } from './failures.ts';
import { BLANK, POSTPONED, type RecordResult, readResults } from './import-answers.ts';
import { type ListFile, MEDIA_TYPES } from './list-file.ts';
import type { Progress } from './progress.ts';
import { RefusedRecords, restoringRecords } from './refused-records.ts';
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
}

/**
 * Sends the sales of a file, part by part. Refused records go into a file of their own. Records
 * that the service could not take are sent again; a part that was cut off is sent again as a whole,
 * because the service registers each sale once.
 *
 * @param isDryRun whether the service only checks the sales, and registers none
 * @throws CommandFailure if the service refuses a whole part, or fails for too long
 */
export const importFile = async (
  service: SalesService,
  file: ListFile,
  progress: Progress,
  isDryRun = false,
): Promise<ImportResult> => {
  const source = await openSource(file);
  const restore = restoringRecords(file.format, source.header);
  const header = source.header && restore(source.header);
  if (file.format === 'csv' && header === undefined)
    throw new CommandFailure(`O arquivo ${file.path} está vazio.`);

  const refused = new RefusedRecords(file, header);
  const done = { registered: 0, repeated: 0, lines: 0, bytes: header?.bytes.length ?? 0 };
  try {
    for await (const part of inParts(source.records, restore)) {
      const results = await sendPart(service, { file, isDryRun }, header, part);
      for (const record of part) {
        const { status, reasons } = results.get(record) as RecordResult;
        if (status === 201) done.registered += 1;
        else if (status === 200) done.repeated += 1;
        else if (status !== BLANK) await refused.add(record, reasons);
        done.lines += 1;
        done.bytes += record.bytes.length + 1;
      }
      progress.update(Math.min(done.bytes, file.bytes));
    }
    if (done.lines === 0) throw new CommandFailure(`O arquivo ${file.path} não tem vendas.`);
  } catch (error) {
    throw error instanceof CommandFailure
      ? new CommandFailure(`${error.message}\n${explainUnfinished(done.lines)}`)
      : error;
  } finally {
    progress.stop();
    await refused.close();
  }
  const { registered, repeated } = done;
  return { registered, repeated, refused: refused.count, refusedPath: refused.path };
};

const explainUnfinished = (lines: number): string =>
  `${lines} linhas foram respondidas antes disso. ` +
  'Envie o mesmo arquivo de novo: nenhuma venda é registrada duas vezes.';

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
      const result = found.get(record) ?? { status: BLANK, reasons: [] };
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

const bodyOf = (header: SourceRecord | undefined, records: readonly SourceRecord[]): Buffer => {
  const all = header === undefined ? records : [header, ...records];
  return Buffer.concat(all.flatMap(({ bytes }) => [bytes, LINE_FEED]));
};
