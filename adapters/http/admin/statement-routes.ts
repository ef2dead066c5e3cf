import { Readable } from 'node:stream';
import Type from 'typebox';
import { addMonths, type CalendarDate } from '#domain';
import type {
  ChannelStatement,
  StatementLine,
} from '../../../application/sales/channel-statement.ts';
import { notFound } from '../contract/answer-error.ts';
import {
  dataAnswer,
  INVALID_FIELDS_ANSWER,
  standardErrorSchema,
} from '../contract/answer-shapes.ts';
import { formatted, isText } from '../contract/formats.ts';
import { pathParameter, type Step } from '../pipeline/context.ts';
import { compileQueryReader } from '../pipeline/request-query.ts';
import { ADMIN_ROUTE, type Route } from '../pipeline/route.ts';

import { statementShape, writeCsv, writeJson } from './statement-formats.ts';

export interface StatementRouteParts {
  readonly channelStatement: ChannelStatement;
}

const statementQuery = Type.Object(
  {
    month: formatted('month', { examples: ['2026-11'], description: 'Mês, em dias de São Paulo' }),
    format: Type.Optional(
      Type.Enum(['json', 'csv'], { description: 'Ausente: o que Accept pedir, ou json' }),
    ),
  },
  { additionalProperties: false },
);

/** Characters that are sent together. */
const CHUNK_CHARACTERS = 32_768;

async function* joinIntoChunks(texts: AsyncIterable<string>): AsyncIterable<string> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Waits for the first line, so that an error in reading it is still answered with its status. */
const waitForFirstLine = async (
  lines: AsyncIterable<StatementLine>,
): Promise<AsyncIterable<StatementLine>> => {
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* allLines() {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
};

export const createStatementRoutes = ({
  channelStatement,
}: StatementRouteParts): readonly Route[] => [
  {
    ...ADMIN_ROUTE,
    method: 'get',
    path: '/admin/channels/{channelLink}/statement',
    summary:
      'Extrato do mês de um canal: vendas pagas, devoluções, comissões e o que um deve ao outro',
    description:
      'Também em CSV (format=csv ou Accept: text/csv). Um extrato que não chega aos totais está incompleto.',
    query: statementQuery,
    answers: {
      200: {
        description: 'Linhas na ordem do tempo, e totais',
        schema: dataAnswer(statementShape),
        csv: true,
      },
      404: { description: 'Canal não encontrado', schema: standardErrorSchema },
      ...INVALID_FIELDS_ANSWER,
    },
    steps: [showStatement(channelStatement)],
  },
];

function showStatement(channelStatement: ChannelStatement): Step {
  const readQuery = compileQueryReader(statementQuery);

  return async function showStatement(ctx) {
    const { month, format } = readQuery(ctx.query);
    const channelLink = pathParameter(ctx, 'channelLink');
    const from = `${month}-01` as CalendarDate;
    const found = isText(channelLink)
      ? await channelStatement(channelLink, { from, until: addMonths(from, 1) })
      : undefined;
    if (found === undefined) throw notFound('Canal não encontrado.');
    const isCsv = (format ?? ctx.accepts('json', 'csv')) === 'csv';
    const lines = await waitForFirstLine(found.lines);
    const head = { channelLink, month, final: found.isFinal };
    if (isCsv) ctx.attachment(`statement-${channelLink}-${month}.csv`);
    ctx.type = isCsv ? 'text/csv; charset=utf-8; header=present' : 'json';
    ctx.body = Readable.from(joinIntoChunks(isCsv ? writeCsv(lines) : writeJson(head, lines)));
  };
}
