import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import Type from 'typebox';
import type { Catalogue } from '../../../application/catalogue/catalogue.ts';
import { type AnswerError, standardError } from '../../kit/contract/answer-error.ts';
import { closedObject } from '../../kit/contract/formats.ts';
import { columnsOf } from '../../kit/sheets/csv-header.ts';
import type { ReadLine } from '../../kit/sheets/read-line.ts';
import { answerTo } from '../../kit/web/pipeline/answers.ts';
import { callerOf, type Handler, type State } from '../../kit/web/pipeline/context.ts';
import { LongRequests } from '../../kit/web/pipeline/long-requests.ts';
import { compileQueryReader } from '../../kit/web/pipeline/request-query.ts';
import { saleBody } from '../generic/generic-body.ts';
import { type ValidateParts, validateSale } from '../generic/generic-routes.ts';
import { createSale } from '../sales/create-sale.ts';
import type { SaleEndpoint } from '../sales/sale-dialect.ts';
import { AnswerStream } from './answer-stream.ts';
import { ImportCounts, presentBrokenOff } from './import-answers.ts';
import { mapInOrder } from './in-order.ts';
import { dropRest, readLines } from './read-lines.ts';
import { LineSales } from './sell-line.ts';

export interface ImportParts extends ValidateParts {
  readonly catalogue: Catalogue;
  readonly log: Logger;
}

export const importQuery = closedObject({
  dry_run: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'true: cada linha é conferida e calculada, e nada é registrado',
    }),
  ),
});

const SALE_COLUMNS = columnsOf(saleBody);

/** Lines of one file. */
export const MAX_IMPORT_LINES = 100_000;

/**
 * Sales of one import in work at the same time: while the database writes a group of 64, the next
 * group is made ready. Sales of others wait for one more group at most.
 */
const MAX_SALES_AT_ONCE = 128;

/** What one import holds of its answer for a client that reads it late, bytes. */
const MAX_HELD_BYTES = 24 * 1024 * 1024;

/**
 * Sells each line of a file like a single sale, and answers each line as soon as it and those before
 * it are sold. A client that reads nothing until it has sent all is waited for.
 */
export const importSales = (parts: ImportParts, endpoint: SaleEndpoint): Handler => {
  const { log, catalogue } = parts;
  const sell = createSale(parts, endpoint);
  const check = validateSale(parts, endpoint);
  const readQuery = compileQueryReader(importQuery);
  const imports = new LongRequests('importações');

  return async function importSales(ctx) {
    const isDryRun = readQuery(ctx.query, ctx).dry_run === 'true';
    const lines = readLines(ctx.req, { maxLines: MAX_IMPORT_LINES, columns: SALE_COLUMNS });
    const leave = imports.take(callerOf(ctx), ctx.res);
    // The body may stay unread.
    ctx.set('Connection', 'close');
    const first = lines.next();
    try {
      // A file whose start cannot be read is answered with the status of its error.
      await first;
    } catch (error) {
      leave();
      throw error;
    }

    if (!isDryRun)
      ctx.state.effect = { effect: { kind: 'changed' }, saleId: null, replayed: false };
    const answers = new AnswerStream(MAX_HELD_BYTES);
    ctx.type = 'application/x-ndjson';
    ctx.body = answers;
    const { req: request, state } = ctx;
    const sales = new LineSales({ catalogue, log, sell: isDryRun ? check : sell }, state);
    const running = { lines, first, sales, answers, request, state, log, isDryRun };
    void answerLines(running).finally(leave);
  };
};

interface RunningImport {
  readonly lines: AsyncGenerator<ReadLine, undefined>;
  readonly first: Promise<IteratorResult<ReadLine, undefined>>;
  readonly sales: LineSales;
  readonly answers: AnswerStream;
  readonly request: IncomingMessage;
  readonly state: State;
  readonly log: Logger;
  readonly isDryRun: boolean;
}

const answerLines = async (running: RunningImport): Promise<void> => {
  const { lines, first, sales, answers, request, state, log } = running;
  const startedAt = performance.now();
  const counted = new ImportCounts();
  const { counts } = counted;
  const sellLine = (line: ReadLine) => sales.answer(line);
  let isComplete = false;
  try {
    for await (const answer of mapInOrder(lines, first, MAX_SALES_AT_ONCE, sellLine)) {
      answers.addLine(answer);
      counted.add(answer.status);
      if (answers.isFull && !(await answers.waitForRoom())) throw answerUnread();
      // The client has gone. Sales that have been started are finished.
      if (answers.destroyed) break;
    }
    isComplete = !answers.destroyed;
    if (isComplete)
      answers.addLine({ summary: { ...counts, ...(running.isDryRun && { dry_run: true }) } });
  } catch (error) {
    const answer = answerTo(error, state, log);
    answers.addLine(presentBrokenOff(answer, counts));
    void lines.return(undefined);
    // A client that is still sending loses the answer if the connection is closed under it.
    if (answer.status === 413 || answer.status === 408) await dropRest(request);
  } finally {
    answers.finish();
    void lines.return(undefined);
    const ms = Math.round(performance.now() - startedAt);
    const { clientId, applicant } = state;
    log.info({ requestId: applicant.requestId, clientId, ...counts, isComplete, ms }, 'import');
  }
};

const answerUnread = (): AnswerError =>
  standardError(
    408,
    'request_timeout',
    'A resposta não foi lida a tempo. Leia-a durante o envio, ou envie arquivos menores.',
  );
