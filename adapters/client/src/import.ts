import type { Schemas } from './answers.ts';
import { isApiErrorCode } from './error-codes.ts';
import { InsuranceError } from './errors.ts';
import { errorOf } from './exchange.ts';
import type { CallOptions } from './options.ts';
import type { Transport } from './transport.ts';
import { until, withTimeout } from './waiting.ts';

/** What became of one sale of an import. */
export type ImportedLine = Schemas['ImportedLine'];

export type ImportSummary = Schemas['ImportSummary']['summary'];

type AnswerLine = ImportedLine | Schemas['ImportSummary'] | Schemas['BrokenOffImport'];

export type ImportedSales =
  | Iterable<Schemas['ImportedSale']>
  | AsyncIterable<Schemas['ImportedSale']>;

export interface ImportOptions extends CallOptions {
  /** Whether the sales are only checked and priced: none is registered. */
  readonly dryRun?: boolean;
}

/**
 * An import, which is sent when it is iterated: an answer for each sale, in the order of the sales.
 * Iterate it again to send the same sales again: it keeps their text.
 */
export class Import implements AsyncIterable<ImportedLine> {
  readonly #transport: Transport;
  readonly #sales: ImportedSales;
  /** What is sent, each time the same. */
  #text: Promise<string> | string | undefined;
  readonly #options: ImportOptions;
  #summary: ImportSummary | undefined;

  constructor(transport: Transport, sales: ImportedSales, options: ImportOptions) {
    this.#transport = transport;
    this.#sales = sales;
    if (Symbol.iterator in sales) this.#text = Array.from(sales, writeLine).join('');
    this.#options = options;
  }

  /** The counts; undefined until every sale was answered. */
  get summary(): ImportSummary | undefined {
    return this.#summary;
  }

  /** @throws InsuranceError `incomplete_answer` if the answer breaks off: send the same sales again */
  async *[Symbol.asyncIterator](): AsyncGenerator<ImportedLine, void, undefined> {
    this.#summary = undefined;
    this.#text ??= writeAll(this.#sales);
    const { body, requestId } = await this.#send(await this.#text);
    const { timeoutMs } = this.#transport.settings;
    const { signal } = this.#options;
    try {
      for await (const line of readLines(body, { timeoutMs, signal })) {
        const answer = line as AnswerLine;
        if ('line' in answer) yield answer;
        else if ('summary' in answer) this.#summary = answer.summary;
        else throw brokenOff(answer, requestId);
      }
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof InsuranceError) throw cause;
      const error = errorOf(cause, requestId);
      throw incomplete(error.text, requestId, error.cause);
    }
    if (this.#summary === undefined) throw incomplete('The answer has no summary', requestId);
  }

  async #send(text: string) {
    const request = {
      method: 'POST',
      path: '/private/integration/sales/import',
      ...(this.#options.dryRun === true && { query: { dry_run: 'true' } }),
      content: { type: 'application/x-ndjson', text },
      headers: { Accept: 'application/x-ndjson' },
      isRepeatable: true,
      isLong: true,
    } as const;
    return this.#transport.open(request, this.#options, async ({ body, headers }, sentId) => {
      const requestId = headers.get('X-Request-Id') ?? sentId;
      if (body === null) throw incomplete('The answer is empty', requestId);
      return { body, requestId };
    });
  }
}

const writeLine = (sale: Schemas['ImportedSale']): string => `${JSON.stringify(sale)}\n`;

const writeAll = async (sales: ImportedSales): Promise<string> => {
  let text = '';
  for await (const sale of sales) text += writeLine(sale);
  return text;
};

const incomplete = (text: string, requestId: string, cause?: unknown): InsuranceError =>
  new InsuranceError({ code: 'incomplete_answer', status: 200, text, requestId, cause });

/** The error that the last line of a broken import tells. */
const brokenOff = (
  { error, code }: Schemas['BrokenOffImport'],
  requestId: string,
): InsuranceError =>
  new InsuranceError({
    code: isApiErrorCode(code) ? code : 'incomplete_answer',
    status: 200,
    text: error,
    requestId,
  });

interface ReadingLimits {
  /** How long the next part of the answer may take, ms. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads the values of NDJSON as they arrive. A caller that stops early ends the answer.
 *
 * @throws TimedOut if nothing came within the time
 * @throws SyntaxError if a line is not JSON
 */
async function* readLines(
  body: ReadableStream<Uint8Array>,
  { timeoutMs, signal }: ReadingLimits,
): AsyncGenerator<unknown, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await withTimeout(timeoutMs, signal, (within) =>
        until(reader.read(), within),
      );
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line);
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
