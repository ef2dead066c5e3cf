import { Readable } from 'node:stream';
import Type from 'typebox';
import { addMonths, type CalendarDate } from '#domain';
import type {
  ChannelStatement,
  StatementLine,
} from '../../../application/sales/channel-statement.ts';
import { refused } from '../contract/answer-error.ts';
import { parameter, type Step } from '../pipeline/context.ts';
import { houseErrorSchema } from '../contract/answer-shapes.ts';
import { formatted, isText } from '../contract/formats.ts';
import { INVALID, wrapped } from '../contract/house-answers.ts';
import { singleQuery } from '../pipeline/request-query.ts';
import type { Route } from '../pipeline/route.ts';
import { ADMINISTRATION } from './administration.ts';
import { asCsv, asJson, statementShape } from './statement-formats.ts';

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

/** Lines go out together, so many characters at once. */
const CHUNK = 32_768;

async function* inChunks(texts: AsyncIterable<string>): AsyncIterable<string> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** The lines, the first of which is there already: what cannot be begun is refused, while it can be. */
const begun = async (
  lines: AsyncIterable<StatementLine>,
): Promise<AsyncIterable<StatementLine>> => {
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* all() {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
};

export const statementRoutes = ({ channelStatement }: StatementRouteParts): readonly Route[] => [
  {
    ...ADMINISTRATION,
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
        schema: wrapped(statementShape),
        csv: true,
      },
      404: { description: 'Canal não encontrado', schema: houseErrorSchema },
      ...INVALID,
    },
    steps: [statement(channelStatement)],
  },
];

function statement(channelStatement: ChannelStatement): Step {
  const queryOf = singleQuery(statementQuery);
  return async (ctx) => {
    const { month, format } = queryOf(ctx.query);
    const channelLink = parameter(ctx, 'channelLink');
    const from = `${month}-01` as CalendarDate;
    const found = isText(channelLink)
      ? await channelStatement(channelLink, { from, until: addMonths(from, 1) })
      : undefined;
    if (found === undefined) throw refused(404, 'Canal não encontrado.');
    const isCsv = (format ?? ctx.accepts('json', 'csv')) === 'csv';
    const lines = await begun(found.lines);
    const head = { channelLink, month, final: found.isFinal };
    if (isCsv) ctx.attachment(`statement-${channelLink}-${month}.csv`);
    ctx.type = isCsv ? 'text/csv; charset=utf-8; header=present' : 'json';
    ctx.body = Readable.from(inChunks(isCsv ? asCsv(lines) : asJson(head, lines)));
  };
}
