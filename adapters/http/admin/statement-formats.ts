import { stringify } from 'csv-stringify/sync';
import Type from 'typebox';
import {
  type BookedAmounts,
  type BookTotals,
  type Cents,
  type Collector,
  formatDecimal,
  NO_LINES,
  reais,
  withLine,
} from '#domain';
import type { StatementLine } from '../../../application/sales/channel-statement.ts';
import { guardFormulas } from '../books/formula-guards.ts';
import { nullableText } from '../contract/formats.ts';

const figures = {
  net_premium: Type.Number(),
  iof: Type.Number(),
  total: Type.Number(),
  commission: Type.Number(),
  net_amount: Type.Number({ description: 'total − commission' }),
};

const line = Type.Object({
  type: Type.Enum(['sale', 'refund'], { description: 'Em devoluções, os valores são negativos' }),
  booked_at: Type.String({
    description: 'Quando a venda se soube paga, ou foi encerrada com devolução',
  }),
  date: Type.String(),
  transaction_id: Type.Integer(),
  ticket: Type.String(),
  external_sale_id: nullableText(),
  product: Type.String(),
  plan: Type.String(),
  collected_by: Type.Enum(['channel', 'service']),
  ...figures,
});

const sums = Type.Object({ lines: Type.Integer(), ...figures });

export const statementShape = Type.Object({
  channelLink: Type.String(),
  month: Type.String(),
  final: Type.Boolean({
    description:
      'false: o mês não acabou, ou acabou há menos de uma hora, e ainda pode haver linhas',
  }),
  lines: Type.Array(line),
  totals: Type.Object({
    sales: sums,
    refunds: sums,
    all: sums,
    owed_by_channel: Type.Number({ description: 'A soma de net_amount do que o canal recebeu' }),
    owed_to_channel: Type.Number({ description: 'A soma de commission do que o serviço recebeu' }),
  }),
});

const COLUMNS = Object.keys(line.properties);

const factsOf = ({ booking: { kind, at, collectedBy }, on, sale }: StatementLine) => ({
  type: kind,
  booked_at: at,
  date: on,
  transaction_id: sale.id,
  ticket: sale.ticket,
  external_sale_id: sale.externalSaleId ?? null,
  product: sale.productCode,
  plan: sale.planCode,
  collected_by: collectedBy,
});

/** The amounts of a line, or of totals, under their names in a statement. */
const figuresOf = <Amount>(
  of: { readonly [Name in keyof BookedAmounts]: Amount },
): Readonly<Record<keyof typeof figures, Amount>> => ({
  net_premium: of.net,
  iof: of.iof,
  total: of.total,
  commission: of.commission,
  net_amount: of.netAmount,
});

const mapValues = <From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

const writeJsonLine = (each: StatementLine): string =>
  JSON.stringify({ ...factsOf(each), ...mapValues(figuresOf<Cents>(each.booking), reais) });

/** Sums are bigint, which JSON.stringify does not write. */
const writeJsonSums = (totals: BookTotals): string => {
  const sums = Object.entries(mapValues(figuresOf<bigint>(totals), formatDecimal));
  return `{"lines":${totals.lines},${sums.map(([name, value]) => `"${name}":${value}`).join()}}`;
};

/** Writes a statement as JSON, line by line, with the totals of the written lines at the end. */
export async function* writeJson(
  head: { readonly channelLink: string; readonly month: string; readonly final: boolean },
  lines: AsyncIterable<StatementLine>,
): AsyncIterable<string> {
  const totals = { sale: NO_LINES, refund: NO_LINES, all: NO_LINES };
  yield `{"success":true,"response":{"data":${JSON.stringify(head).slice(0, -1)},"lines":[`;
  for await (const each of lines) {
    yield `${totals.all.lines === 0 ? '' : ','}${writeJsonLine(each)}`;
    totals[each.booking.kind] = withLine(totals[each.booking.kind], each.booking);
    totals.all = withLine(totals.all, each.booking);
  }
  const { sale, refund, all } = totals;
  yield `],"totals":{"sales":${writeJsonSums(sale)},"refunds":${writeJsonSums(refund)},"all":${writeJsonSums(all)},` +
    `"owed_by_channel":${formatDecimal(all.owedByChannel)},"owed_to_channel":${formatDecimal(all.owedToChannel)}}}}}`;
}

const writeCsvLine = (each: StatementLine): string => {
  const { external_sale_id: external, ...facts } = factsOf(each);
  return writeCsvRecord({
    ...facts,
    external_sale_id: guardFormulas(external ?? ''),
    ...mapValues(figuresOf<Cents>(each.booking), formatDecimal),
  });
};

const writeCsvRecord = (record: object): string =>
  stringify([record], { columns: COLUMNS, record_delimiter: 'windows' });

const writeTotalLine = (totals: BookTotals, collectedBy: Collector | ''): string =>
  writeCsvRecord({
    type: 'total',
    collected_by: collectedBy,
    ...mapValues(figuresOf<bigint>(totals), formatDecimal),
  });

/**
 * Writes a statement as CSV (RFC 4180). The last lines are the totals of what the channel
 * collected, of what the service collected, and of both.
 */
export async function* writeCsv(lines: AsyncIterable<StatementLine>): AsyncIterable<string> {
  const totals = { channel: NO_LINES, service: NO_LINES };
  let all = NO_LINES;
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const each of lines) {
    yield writeCsvLine(each);
    const { booking } = each;
    totals[booking.collectedBy] = withLine(totals[booking.collectedBy], booking);
    all = withLine(all, booking);
  }
  yield writeTotalLine(totals.channel, 'channel') +
    writeTotalLine(totals.service, 'service') +
    writeTotalLine(all, '');
}
