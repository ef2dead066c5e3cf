import Type from 'typebox';
import { type BookedAmounts, type Cents, ZERO } from '#domain';
import type { StatementLine } from '../../../application/statements/channel-statement.ts';
import { nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { reaisShape } from '../../kit/contract/units.ts';
import { declinedCount } from '../generic/declined-offers-route.ts';
import { CHANNEL_TEXT_HEADERS, channelTexts } from '../sales/channel-texts.ts';
import { refund } from '../sales/money-after-sale.ts';

const figures = {
  net_premium: Type.Number(),
  iof: Type.Number(),
  total: Type.Number(),
  commission: Type.Number(),
  net_amount: Type.Number({ description: 'total − commission' }),
};

const line = namedObject('StatementLine', {
  type: Type.Enum(['sale', 'refund'], { description: 'Em devoluções, os valores são negativos' }),
  booked_at: Type.String({
    description: 'Quando a venda se soube paga, ou foi encerrada com devolução; em UTC',
  }),
  date: Type.String({ description: 'O dia em São Paulo' }),
  transaction_id: Type.Integer(),
  ticket: Type.String(),
  external_sale_id: nullableText(),
  product: Type.String(),
  plan: Type.String(),
  collected_by: Type.Enum(['channel', 'service']),
  ...figures,
  refund_pending: reaisShape({
    description: 'Em devoluções: quanto ainda não saiu, agora; em vendas, 0',
  }),
  // Last, because a program may read the cells of a table by their place.
  ...channelTexts.schema.properties,
  refunds: Type.Array(refund.schema, { description: 'Como estão as devoluções, agora' }),
});

export const sums = namedObject('StatementSums', { lines: Type.Integer(), ...figures });

export const statementShape = namedObject('Statement', {
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
    owed_to_channel: Type.Number({
      description: 'A soma de commission do que o serviço recebeu',
    }),
    declined_offers: Type.Array(declinedCount.schema, {
      description: 'As ofertas recusadas, por dia e produto, do canal inteiro; só em JSON',
    }),
  }),
});

type ColumnName = Exclude<keyof typeof line.properties, 'refunds'>;

/** The columns of a statement as a table. */
export const COLUMNS = Object.keys(line.properties).filter(
  (name) => name !== 'refunds',
) as readonly ColumnName[];

/** The locales in which a table can be written. */
export const TABLE_LOCALES = ['pt-BR'] as const;

export type TableLocale = (typeof TABLE_LOCALES)[number];

/** A column of a table; names of products and plans are only in some. */
export type TableColumn = ColumnName | 'product_name' | 'plan_name';

const PORTUGUESE: Readonly<Record<TableColumn, string>> = {
  type: 'Tipo',
  booked_at: 'Instante (UTC)',
  date: 'Data',
  transaction_id: 'Transação',
  ticket: 'Ticket',
  external_sale_id: 'Venda no canal',
  ...CHANNEL_TEXT_HEADERS,
  product: 'Produto',
  product_name: 'Nome do produto',
  plan: 'Plano',
  plan_name: 'Nome do plano',
  collected_by: 'Recebido por',
  net_premium: 'Prêmio líquido',
  iof: 'IOF',
  total: 'Total',
  commission: 'Comissão',
  net_amount: 'Valor líquido',
  refund_pending: 'Devolução pendente',
};

/** The header of a column of a table. */
export const headerOf = (name: TableColumn, locale: TableLocale | undefined): string =>
  locale === undefined ? name : PORTUGUESE[name];

/** What of the refunds of a line has not left, in cents. */
export const pendingOf = ({ returning }: StatementLine): Cents => returning?.pending ?? ZERO;

/**
 * The texts that the channel sent, under their names in a statement. In a table, a spreadsheet could
 * run them, and they may hold what a file cannot.
 */
export const textsOf = (sale: StatementLine['sale']) => ({
  external_sale_id: sale.externalSaleId ?? null,
  ...channelTexts.present(sale),
});

/** The texts of the channel as cells. */
export const textCells = <Cell>(
  { sale }: StatementLine,
  cellOf: (text: string) => Cell,
): Readonly<Record<keyof ReturnType<typeof textsOf>, Cell | null>> =>
  Object.fromEntries(
    Object.entries(textsOf(sale)).map(([name, text]) => [
      name,
      text === null ? null : cellOf(text),
    ]),
  ) as never;

/** The fields of a line that are not amounts, under their names in a statement. */
export const factsOf = ({ booking: { kind, at, collectedBy }, on, sale }: StatementLine) => ({
  type: kind,
  booked_at: at,
  date: on,
  transaction_id: sale.id,
  ticket: sale.ticket,
  ...textsOf(sale),
  product: sale.productCode,
  plan: sale.planCode,
  collected_by: collectedBy,
});

type Figures<Amount> = Readonly<Record<keyof typeof figures, Amount>>;

/** The amounts of a line, or of totals, under their names in a statement. */
export const figuresOf = <Amount, Shown>(
  of: { readonly [Name in keyof BookedAmounts]: Amount },
  show: (amount: Amount) => Shown,
): Figures<Shown> => ({
  net_premium: show(of.net),
  iof: show(of.iof),
  total: show(of.total),
  commission: show(of.commission),
  net_amount: show(of.netAmount),
});
