import type { IncomingMessage } from 'node:http';
import { LineSplitter } from '../kit/sheets/split-lines.ts';
import { Temporary } from './failures.ts';
import type { SourceRecord } from './source-records.ts';

const MAX_ANSWER_BYTES = 1_048_576;

/** The service's answer to a line. */
export interface LineAnswer {
  /** The line in the part that was sent. */
  readonly line: number;
  readonly external_sale_id?: string | null;
  readonly status: number;
  readonly transaction_id?: number;
  readonly ticket?: string;
  readonly sale_status?: string;
  readonly total?: number;
  readonly payment_url?: string;
  readonly policy_no?: string;
  readonly response?: string;
  readonly code?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly error_codes?: Readonly<Record<string, readonly string[]>>;
}

type AnswerLine = LineAnswer | { readonly summary: object } | { readonly error: string };

/** The answers to the lines of a record: the worst status, and every reason. */
export interface RecordResult {
  readonly status: number;
  readonly reasons: readonly string[];
  /** Several if the quotes of a record do not close. */
  readonly answers: readonly {
    /** Number of the line in the file, from 1. */
    readonly sourceLine: number;
    readonly answer: LineAnswer;
  }[];
}

/** Not taken now: the service was out of reach, or worked on the sale at that moment. */
export const POSTPONED = 503;

/** A row of empty cells gives this. */
export const BLANK: RecordResult = { status: 0, reasons: [], answers: [] };

/**
 * Reads the answers to records, which come in their order.
 *
 * @throws Temporary if the answer breaks off
 */
export const readResults = async (
  answer: IncomingMessage,
  header: SourceRecord | undefined,
  records: readonly SourceRecord[],
): Promise<ReadonlyMap<SourceRecord, RecordResult>> => {
  const results = new Map<SourceRecord, RecordResult>();
  let isComplete = false;
  let index = 0;
  let firstLine = 1 + (header?.lines ?? 0);
  let nextLine = firstLine + (records[0]?.lines ?? 0);

  for await (const said of readAnswerLines(answer)) {
    if ('summary' in said) {
      isComplete = true;
      continue;
    }
    if ('error' in said) throw new Temporary(said.error);
    while (said.line >= nextLine && index < records.length - 1) {
      index += 1;
      firstLine = nextLine;
      nextLine += records[index]?.lines ?? 0;
    }
    const record = records[index] as SourceRecord;
    const sourceLine = record.line + said.line - firstLine;
    results.set(record, withAnswer(results.get(record) ?? BLANK, said, sourceLine));
  }
  if (!isComplete) throw new Temporary('A resposta do serviço não chegou ao fim.');
  return results;
};

const withAnswer = (
  earlier: RecordResult,
  answer: LineAnswer,
  sourceLine: number,
): RecordResult => {
  const isBusy = answer.status >= 500 || answer.code === 'still_running';
  const status = isBusy ? POSTPONED : answer.status;
  return {
    status: Math.max(earlier.status, status),
    reasons: [...earlier.reasons, ...(status >= 400 ? explainLine(answer) : [])],
    answers: [...earlier.answers, { sourceLine, answer }],
  };
};

const explainLine = ({ status, response, errors }: LineAnswer): readonly string[] => {
  const faults = Object.entries(errors ?? {}).flatMap(([field, messages]) =>
    messages.map((message) => `${field}: ${message}`),
  );
  return faults.length > 0 ? faults : [response ?? `status ${status}`];
};

async function* readAnswerLines(answer: IncomingMessage): AsyncIterable<AnswerLine> {
  const splitter = new LineSplitter(MAX_ANSWER_BYTES);
  for await (const chunk of answer)
    for (const { bytes } of splitter.take(chunk as Buffer)) yield readAnswer(bytes);
}

const readAnswer = (bytes: Buffer | undefined): AnswerLine => {
  try {
    return JSON.parse(bytes?.toString() ?? '') as AnswerLine;
  } catch {
    throw new Temporary('A resposta do serviço não pôde ser lida.');
  }
};
