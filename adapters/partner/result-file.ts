import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { CommandFailure } from './failures.ts';
import type { LineAnswer, RecordResult } from './import-answers.ts';
import { BYTE_ORDER_MARK, decimalComma, writeRow } from './spreadsheet-rows.ts';

const COLUMNS = [
  ...['linha', 'resultado', 'venda', 'transacao', 'ticket', 'status', 'total'],
  ...['link_de_pagamento', 'apolice', 'codigos', 'motivos'],
];

/** The first row. The command knows its own files by it. */
const RESULT_HEADER = `${BYTE_ORDER_MARK}${writeRow(COLUMNS)}`;

/** @param isDryRun whether the service only checked the sale */
const resultOf = (status: number, isDryRun: boolean): string => {
  if (status === 201) return isDryRun ? 'seria registrada' : 'registrada';
  return status === 200 ? 'já registrada' : 'recusada';
};

/** The code of each faulty field; the answer's own code if no field is named. */
const codesOf = ({ code, error_codes }: LineAnswer): string => {
  const codes = Object.entries(error_codes ?? {}).map(
    ([field, each]) => `${field}: ${each.join(', ')}`,
  );
  return codes.length > 0 ? codes.join(' | ') : (code ?? '');
};

/** Why a sale was refused, a sentence for each fault. */
const wordsOf = ({ errors, response }: LineAnswer): string => {
  const messages = Object.values(errors ?? {}).flat();
  return messages.length > 0 ? messages.join(' ') : (response ?? '');
};

/** A row for a line of the source. */
const writeResult = (line: number, answer: LineAnswer, isDryRun: boolean): string =>
  writeRow([
    line,
    resultOf(answer.status, isDryRun),
    answer.external_sale_id ?? '',
    answer.transaction_id ?? '',
    answer.ticket ?? '',
    answer.sale_status ?? '',
    decimalComma(answer.total),
    answer.payment_url ?? '',
    answer.policy_no ?? '',
    codesOf(answer),
    wordsOf(answer),
  ]);

/** `vendas.csv` is `vendas.resultado.csv`, or `vendas.resultado-2.csv` if there is one. */
const freePath = (sourcePath: string): string => {
  const base = sourcePath.slice(0, sourcePath.length - extname(sourcePath).length);
  for (let number = 1; ; number += 1) {
    const candidate = `${base}.resultado${number === 1 ? '' : `-${number}`}.csv`;
    if (!existsSync(candidate)) return candidate;
  }
};

const unfinishedPath = (path: string): string => `${path}.part`;

/** @throws CommandFailure if the path names a file that no import has written */
const requireOwn = async (path: string): Promise<void> => {
  if (!existsSync(path)) return;
  const file = await open(path);
  try {
    const header = Buffer.from(RESULT_HEADER);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(header.length), 0, header.length, 0);
    // A command that was killed at once has left an empty file.
    if (bytesRead > 0 && !header.equals(buffer.subarray(0, bytesRead)))
      throw new CommandFailure(`${path} não é um resultado de importação: escolha outro --out.`);
  } finally {
    await file.close();
  }
};

interface ResultFileOptions {
  /** The path that the person wants. A result that is there is replaced. */
  readonly out: string | undefined;
  readonly isDryRun: boolean;
}

/**
 * What the service answered to each line of a file, for a spreadsheet. It gets its name when it is
 * complete; until then the name ends with `.part`.
 */
export class ResultFile {
  readonly path: string;
  readonly #isDryRun: boolean;
  readonly #file: FileHandle;

  private constructor(path: string, isDryRun: boolean, file: FileHandle) {
    this.path = path;
    this.#isDryRun = isDryRun;
    this.#file = file;
  }

  /** @throws CommandFailure if the file cannot be written, or is not one of this command */
  static async create(
    sourcePath: string,
    { out, isDryRun }: ResultFileOptions,
  ): Promise<ResultFile> {
    const path = out ?? freePath(sourcePath);
    const unfinished = unfinishedPath(path);
    for (const each of [path, unfinished]) await requireOwn(each);
    const file = await open(unfinished, 'w').catch(({ code }: NodeJS.ErrnoException) => {
      throw new CommandFailure(
        `Não foi possível criar ${unfinished} (${code}): escolha outro lugar com --out.`,
      );
    });
    await file.appendFile(RESULT_HEADER);
    return new ResultFile(path, isDryRun, file);
  }

  async add(results: readonly RecordResult[]): Promise<void> {
    const answers = results.flatMap((each) => each.answers);
    const rows = answers.map(({ sourceLine, answer }) =>
      writeResult(sourceLine, answer, this.#isDryRun),
    );
    await this.#file.appendFile(rows.join(''));
  }

  /** Gives the file its name, once every line of the source has its row. */
  async complete(): Promise<void> {
    await this.#file.close();
    await rename(unfinishedPath(this.path), this.path);
  }

  /**
   * Leaves the answers so far under the name of an unfinished file; removes a file without any.
   *
   * @returns the name of the unfinished file
   */
  async abandon(lines: number): Promise<string> {
    await this.#file.close();
    const path = unfinishedPath(this.path);
    if (lines === 0) await rm(path, { force: true });
    return path;
  }
}
