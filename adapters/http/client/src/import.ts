import type { Lines, Schemas } from './answers.ts';
import { isApiErrorCode } from './error-codes.ts';
import { InsuranceError } from './errors.ts';
import { errorOf } from './exchange.ts';
import { readLines } from './lines.ts';
import type { CallOptions } from './options.ts';
import type { Transport } from './transport.ts';

type AnswerLine = Lines<'importSales'>;

/** What became of one sale of an import. */
export type ImportedLine = Extract<AnswerLine, { line: number }>;

export type ImportSummary = Extract<AnswerLine, { summary: object }>['summary'];

export type ImportedSales =
  | Iterable<Schemas['ImportedSale']>
  | AsyncIterable<Schemas['ImportedSale']>;

/**
 * An import, which is sent when it is iterated: an answer for each sale, in the order of the sales.
 * Iterate it again to send the same sales again, if they can be iterated again.
 */
export class Import implements AsyncIterable<ImportedLine> {
  readonly #transport: Transport;
  readonly #sales: ImportedSales;
  readonly #options: CallOptions;
  #summary: ImportSummary | undefined;

  constructor(transport: Transport, sales: ImportedSales, options: CallOptions) {
    this.#transport = transport;
    this.#sales = sales;
    this.#options = options;
  }

  /** The counts; undefined until every sale was answered. */
  get summary(): ImportSummary | undefined {
    return this.#summary;
  }

  /** @throws InsuranceError `incomplete_answer` if the answer breaks off: send the same sales again */
  async *[Symbol.asyncIterator](): AsyncGenerator<ImportedLine, void, undefined> {
    this.#summary = undefined;
    let text = '';
    for await (const sale of this.#sales) text += `${JSON.stringify(sale)}\n`;

    const { body, requestId } = await this.#send(text);
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
      throw incomplete(errorOf(cause, requestId).text, requestId, cause);
    }
    if (this.#summary === undefined) throw incomplete('The answer has no summary', requestId);
  }

  async #send(text: string) {
    const request = {
      method: 'POST',
      path: '/private/integration/sales/import',
      content: { type: 'application/x-ndjson', text },
      headers: { Accept: 'application/x-ndjson' },
      isRepeatable: true,
    } as const;
    return this.#transport.open(request, this.#options, async ({ body, headers }) => {
      const requestId = headers.get('X-Request-Id') ?? '';
      if (body === null) throw incomplete('The answer is empty', requestId);
      return { body, requestId };
    });
  }
}

const incomplete = (text: string, requestId: string, cause?: unknown): InsuranceError =>
  new InsuranceError({ code: 'incomplete_answer', status: 200, text, requestId, cause });

/** The error that the last line of a broken import tells. */
const brokenOff = (
  { error, code }: Extract<AnswerLine, { error: string }>,
  requestId: string,
): InsuranceError =>
  new InsuranceError({
    code: isApiErrorCode(code) ? code : 'incomplete_answer',
    status: 200,
    text: error,
    requestId,
  });
