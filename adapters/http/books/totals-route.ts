import Type, { type Static } from 'typebox';
import { addDays, type CalendarDate, type Instant, plus, toReais, ZERO } from '#domain';
import type { ReadTotals } from '../../../application/all-groups/read-totals.ts';
import type { Clock } from '../../../application/clock.ts';
import {
  type SummedBookings,
  TOTAL_KEYS,
  type Totals,
  type TotalsQuery,
} from '../../../application/totals/booking-totals.ts';
import { answerData, dataAnswer, incompleteShape } from '../../kit/contract/answer-shapes.ts';
import { described } from '../../kit/contract/described.ts';
import { type FieldFaults, faultAt } from '../../kit/contract/field-faults.ts';
import { closedObject, date, nullableText, text } from '../../kit/contract/formats.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { compileQueryReader } from '../../kit/web/pipeline/request-query.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';
import { figuresOf, sums } from './statement-lines.ts';

export interface TotalsRouteParts {
  readonly readTotals: ReadTotals;
  readonly clock: Clock;
}

/** Days that are summed where no others are asked for. */
const DAYS = 30;

const totalsQuery = closedObject({
  from: Type.Optional(date({ description: `Primeiro dia. Ausente: ${DAYS} dias até to` })),
  to: Type.Optional(date({ description: 'Último dia. Ausente: hoje' })),
  by: Type.Optional(Type.Enum([...TOTAL_KEYS], { description: 'Uma linha por quê. Padrão: day' })),
  channelLink: Type.Optional(text(100, { description: 'Só este canal' })),
  product: Type.Optional(text(100, { description: 'Só o produto com este código' })),
});

/** The sums of one key, by kind. */
interface TotalsRow {
  readonly key: string;
  readonly sales: SummedBookings | undefined;
  readonly refunds: SummedBookings | undefined;
}

const NOTHING = {
  ...{ lines: 0, net_premium: 0, iof: 0, total: 0, commission: 0, net_amount: 0 },
};

const presentSums = (summed: SummedBookings | undefined): Static<typeof sums> =>
  summed === undefined ? NOTHING : { lines: summed.lines, ...figuresOf(summed, toReais) };

const owed = ({ sales, refunds }: TotalsRow, name: 'owedByChannel' | 'owedToChannel') =>
  inReais(plus(sales?.[name] ?? ZERO, refunds?.[name] ?? ZERO));

const row = described<TotalsRow>('TotalsRow')({
  key: [
    Type.String({ description: 'O dia em São Paulo, o link do canal ou o código do produto' }),
    ({ key }) => key,
  ],
  sales: [sums, ({ sales }) => presentSums(sales)],
  refunds: [sums, ({ refunds }) => presentSums(refunds)],
  owed_by_channel: [
    reaisShape({ description: 'Repasses do que os canais receberam' }),
    (own) => owed(own, 'owedByChannel'),
  ],
  owed_to_channel: [
    reaisShape({ description: 'Comissões do que o serviço recebeu' }),
    (own) => owed(own, 'owedToChannel'),
  ],
});

interface Answered extends Awaited<ReturnType<ReadTotals>> {
  readonly query: TotalsQuery;
}

const rowsOf = ({ sums: all }: Totals): readonly TotalsRow[] =>
  [...Map.groupBy(all, ({ key }) => key)].map(([key, own]) => ({
    key,
    sales: own.find(({ kind }) => kind === 'sale'),
    refunds: own.find(({ kind }) => kind === 'refund'),
  }));

const totals = described<Answered>('Totals')({
  as_of: [
    nullableText('Tudo o que se registrou antes está somado; nulo se nada foi somado ainda'),
    ({ asOf }): Instant | null => asOf,
  ],
  from: [Type.String({ format: 'date' }), ({ query }) => query.from],
  to: [Type.String({ format: 'date' }), ({ query }) => query.to],
  by: [Type.Enum([...TOTAL_KEYS]), ({ query }) => query.by],
  rows: [
    Type.Array(row.schema, { description: 'Em ordem; em refunds os valores são negativos' }),
    (answered) => rowsOf(answered).map(row.present),
  ],
  incomplete: [
    incompleteShape,
    ({ incomplete }) => (incomplete.length > 0 ? [...incomplete] : undefined),
  ],
});

const findFaults = ({ from, to }: Partial<Static<typeof totalsQuery>>): FieldFaults =>
  from !== undefined && to !== undefined && to < from
    ? faultAt('to', 'contradicts', 'O último dia vem antes do primeiro.')
    : {};

/** Sums of all channels, for administrators. */
export const createTotalsRoute = ({ readTotals, clock }: TotalsRouteParts): readonly Route[] => {
  const readQuery = compileQueryReader(totalsQuery, findFaults);
  return [
    {
      ...ADMIN_ROUTE,
      method: 'get',
      path: '/admin/totals',
      operationId: 'getTotals',
      summary: 'Soma vendas e devoluções de todos os canais, por dia, canal ou produto',
      description:
        'Os mesmos lançamentos dos extratos, somados em segundo plano: dias que terminaram antes de as_of são iguais aos extratos, ao centavo.',
      query: totalsQuery,
      answers: { 200: { description: 'As somas', schema: dataAnswer(totals.schema) } },
      handle: async function showTotals(ctx) {
        const { by = 'day', channelLink, product, ...days } = readQuery(ctx.query, ctx);
        const to = (days.to as CalendarDate | undefined) ?? clock.today();
        const from = (days.from as CalendarDate | undefined) ?? addDays(to, 1 - DAYS);
        const query = { from, to, by, channelLink, productCode: product };
        answerData(ctx, totals.present({ ...(await readTotals(query)), query }));
      },
    },
  ];
};
