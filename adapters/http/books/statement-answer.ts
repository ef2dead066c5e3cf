import { Readable } from 'node:stream';
import Type, { type Static } from 'typebox';
import { addMonths, type CalendarDate } from '#domain';
import type {
  ChannelStatement,
  Statement,
} from '../../../application/statements/channel-statement.ts';
import { invalidFields, notFound } from '../../kit/contract/answer-error.ts';
import { complain, type FieldFaults } from '../../kit/contract/field-faults.ts';
import { closedObject, formatted, isText } from '../../kit/contract/formats.ts';
import { type Context, callerOf } from '../../kit/web/pipeline/context.ts';
import { LongRequests } from '../../kit/web/pipeline/long-requests.ts';
import { compileQueryReader } from '../../kit/web/pipeline/request-query.ts';
import { channelTextFilters, readChannelTextFilters } from '../sales/channel-texts.ts';
import { joinIntoChunks, setAsOf, waitForFirst } from './answer-stream.ts';
import { writeCsv } from './statement-csv.ts';
import { writeJson } from './statement-json.ts';
import { TABLE_LOCALES } from './statement-lines.ts';
import { MAX_XLSX_LINES, writeXlsx } from './statement-xlsx.ts';

/** The media types of a statement, the first one where the caller has no preference. */
export const MEDIA_TYPES = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

type Format = keyof typeof MEDIA_TYPES;

const FORMATS = Object.keys(MEDIA_TYPES) as Format[];

/** The media types of a statement as a file, for the OpenAPI document. */
export const STATEMENT_FILES = [MEDIA_TYPES.csv.split(';')[0] as string, MEDIA_TYPES.xlsx];

export const statementQuery = closedObject({
  month: formatted('month', { examples: ['2026-11'], description: 'Mês, em dias de São Paulo' }),
  format: Type.Optional(
    Type.Enum(FORMATS, { description: 'Ausente: o que Accept pedir, ou json' }),
  ),
  locale: Type.Optional(
    Type.Enum(TABLE_LOCALES, {
      description:
        'Em CSV e XLSX: cabeçalhos em português; em CSV também ponto e vírgula como separador, e vírgula decimal; em XLSX também nomes de produtos e planos, e a hora de São Paulo',
    }),
  ),
  ...channelTextFilters,
});

type StatementQuery = Static<typeof statementQuery>;

const formatOf = (ctx: Context, format: Format | undefined): Format =>
  format ?? ((ctx.accepts(FORMATS) as Format | false) || 'json');

const findLocaleFaults = ({ locale, format }: Partial<StatementQuery>, ctx: Context) => {
  const faults: FieldFaults = {
    locale: [complain('contradicts', 'O campo locale só cabe em CSV e XLSX (format=csv).')],
  };
  return locale === undefined || formatOf(ctx, format) !== 'json' ? {} : faults;
};

/**
 * Returns a step that answers the statement of a channel as JSON, CSV or XLSX.
 *
 * @param channelLinkOf the channel that the request is about; null: none
 */
export const answerStatement = (
  channelStatement: ChannelStatement,
  channelLinkOf: (ctx: Context) => string | null,
) => {
  const readQuery = compileQueryReader(statementQuery, findLocaleFaults);
  const running = new LongRequests('extratos');

  return async function answerStatement(ctx: Context): Promise<void> {
    const query = readQuery(ctx.query, ctx);
    const { month } = query;
    const format = formatOf(ctx, query.format);
    const channelLink = channelLinkOf(ctx);
    const from = `${month}-01` as CalendarDate;
    const found =
      channelLink !== null && isText(channelLink)
        ? await channelStatement(
            channelLink,
            { from, until: addMonths(from, 1) },
            readChannelTextFilters(query),
          )
        : undefined;
    if (found === undefined || channelLink === null) throw notFound('Canal não encontrado.');

    ctx.res.once('close', running.take(callerOf(ctx), ctx.res));
    const content = await CONTENT[format](found, { ...query, channelLink });
    setAsOf(ctx, found.asOf);
    const name = query.locale === undefined ? 'statement' : 'extrato';
    if (format !== 'json') ctx.attachment(`${name}-${channelLink}-${month}.${format}`);
    ctx.type = MEDIA_TYPES[format];
    ctx.body = Readable.from(content);
  };
};

interface NamedQuery extends StatementQuery {
  readonly channelLink: string;
}

type WriteContent = (
  statement: Statement,
  query: NamedQuery,
) => Promise<AsyncIterable<string | Uint8Array>>;

/** Writes a statement in a format. @throws AnswerError where it does not fit */
const CONTENT: Readonly<Record<Format, WriteContent>> = {
  json: async function writeAsJson({ lines, isFinal: final, declined }, { channelLink, month }) {
    const head = { channelLink, month, final };
    return joinIntoChunks(writeJson(head, await waitForFirst(lines), declined));
  },

  csv: async function writeAsCsv({ lines }, { locale }) {
    return joinIntoChunks(writeCsv(await waitForFirst(lines), locale));
  },

  xlsx: async function writeAsXlsx({ lines, countLines }, { month, locale }) {
    // Loaded on first use: it takes 4 MB.
    const count = await countLines(MAX_XLSX_LINES + 1);
    if (count > MAX_XLSX_LINES)
      throw invalidFields({
        format: [
          complain(
            'out_of_range',
            `O extrato tem mais de ${MAX_XLSX_LINES.toLocaleString('pt-BR')} linhas, que uma planilha do Excel não comporta: peça format=csv.`,
          ),
        ],
      });
    return writeXlsx(await waitForFirst(lines), { month, locale });
  },
};
