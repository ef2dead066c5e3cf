import { Readable } from 'node:stream';
import Type, { type Static } from 'typebox';
import { addDays, type CalendarDate } from '#domain';
import type { ReconcileBooks } from '../../../application/statements/reconcile-books.ts';
import { notFound } from '../../kit/contract/answer-error.ts';
import { errorSchema, standardErrorSchema } from '../../kit/contract/answer-shapes.ts';
import { complain, type FieldFaults } from '../../kit/contract/field-faults.ts';
import { closedObject, formatted } from '../../kit/contract/formats.ts';
import { callerOf, type Handler } from '../../kit/web/pipeline/context.ts';
import { LongRequests } from '../../kit/web/pipeline/long-requests.ts';
import { compileQueryReader } from '../../kit/web/pipeline/request-query.ts';
import type { Route } from '../routes/route.ts';
import { joinIntoChunks, setAsOf, waitForFirst } from './answer-stream.ts';
import { readLines } from './read-lines.ts';
import {
  reconciliationShape,
  writeReconciliation,
  writeReconciliationLines,
} from './reconciliation-answer.ts';
import {
  LIST_LIMITS,
  listedSaleSchema,
  MAX_LIST_LINES,
  readListedSales,
} from './reconciliation-list.ts';

export interface ReconciliationRouteParts {
  readonly reconcileBooks: ReconcileBooks;
}

/** Max days of a period, the first and the last one included. */
const MAX_PERIOD_DAYS = 366;

const NDJSON = 'application/x-ndjson';

const reconciliationQuery = closedObject({
  from: formatted('date', {
    examples: ['2026-11-01'],
    description: 'O primeiro dia, em São Paulo',
  }),
  to: formatted('date', {
    examples: ['2026-11-30'],
    description: `O último dia, inclusive; até ${MAX_PERIOD_DAYS} dias ao todo`,
  }),
});

const faultyListSchema = errorSchema('FaultyList', {
  faulty_lines: Type.Optional(
    Type.Integer({ description: 'Linhas com erro; errors mostra os primeiros cem erros' }),
  ),
});

export const createReconciliationRoutes = ({
  reconcileBooks,
}: ReconciliationRouteParts): readonly Route[] => [
  {
    tag: 'Conciliação',
    scope: 'sales',
    partnerCredentials: true,
    method: 'post',
    path: '/private/integration/reconciliation',
    operationId: 'reconcileSales',
    summary: 'Compara a lista de vendas do canal com o extrato de um período',
    description:
      `A lista tem até ${MAX_LIST_LINES} linhas, com externalSaleId, total e status (opcional). ` +
      'Uma resposta que não chega a summary está incompleta. Com Accept: application/x-ndjson, ' +
      'cada diferença é uma linha, e summary está na última.',
    query: reconciliationQuery,
    tellsAsOf: true,
    lines: listedSaleSchema,
    answers: {
      200: {
        description: 'Todas as diferenças, e as somas',
        schema: Type.Object({ success: Type.Literal(true), data: reconciliationShape }),
        files: ['application/x-ndjson'],
      },
      400: { description: 'Lista que não pode ser lida', schema: standardErrorSchema },
      408: { description: 'A lista parou de chegar', schema: standardErrorSchema },
      413: { description: 'Lista com linhas demais', schema: standardErrorSchema },
      422: { description: 'Período ou linhas com erro', schema: faultyListSchema },
    },
    handle: reconcile(reconcileBooks),
  },
];

const findPeriodFaults = ({
  from,
  to,
}: Partial<Static<typeof reconciliationQuery>>): FieldFaults => {
  if (from === undefined || to === undefined) return {};
  if (to < from) return { to: [complain('wrong_order', 'O campo to não pode ser antes de from.')] };
  if (to < addDays(from as CalendarDate, MAX_PERIOD_DAYS)) return {};
  return { to: [complain('out_of_range', `O período pode ter até ${MAX_PERIOD_DAYS} dias.`)] };
};

function reconcile(reconcileBooks: ReconcileBooks): Handler {
  const readQuery = compileQueryReader(reconciliationQuery, findPeriodFaults);
  // Each holds its list, up to 80 MB.
  const running = new LongRequests('conciliações', { ofChannel: 2, ofAll: 4, kept: 2 });

  return async function reconcile(ctx) {
    const { from, to } = readQuery(ctx.query, ctx);
    const { channelLink } = callerOf(ctx);
    if (channelLink === null) throw notFound('Canal não encontrado.');
    const lines = readLines(ctx.req, LIST_LIMITS);
    // The body may stay unread.
    ctx.set('Connection', 'close');
    ctx.res.once('close', running.take(callerOf(ctx), ctx.res));

    const list = await readListedSales(lines, ctx.req);
    const period = { from: from as CalendarDate, until: addDays(to as CalendarDate, 1) };
    const found = await reconcileBooks(channelLink, period, list);
    if (found === undefined) throw notFound('Canal não encontrado.');

    const head = { channelLink, from, to };
    const differences = await waitForFirst(found.differences);
    setAsOf(ctx, found.asOf);
    const isNdjson = ctx.accepts('json', NDJSON) === NDJSON;
    const write = isNdjson ? writeReconciliationLines : writeReconciliation;
    ctx.type = isNdjson ? NDJSON : 'json';
    ctx.body = Readable.from(joinIntoChunks(write(head, { ...found, differences })));
  };
}
