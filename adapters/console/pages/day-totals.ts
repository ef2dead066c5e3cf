import {
  addDays,
  type CalendarDate,
  type Cents,
  cents,
  formatDate,
  formatReais,
  plus,
  ZERO,
} from '#domain';
import type { SummedBookings } from '../../../application/totals/booking-totals.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { renderTable } from '../forms.ts';

/** The sums of a day, channel or product, by kind. */
export interface Sums {
  readonly sales: SummedBookings | undefined;
  readonly refunds: SummedBookings | undefined;
}

export const byKey = (sums: readonly SummedBookings[]): ReadonlyMap<string, Sums> =>
  new Map(
    [...Map.groupBy(sums, ({ key }) => key)].map(([key, own]) => [
      key,
      {
        sales: own.find(({ kind }) => kind === 'sale'),
        refunds: own.find(({ kind }) => kind === 'refund'),
      },
    ]),
  );

/** The days of a period, both inclusive. */
export const daysIn = (from: CalendarDate, to: CalendarDate): readonly CalendarDate[] => {
  const days: CalendarDate[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
};

/** All of it. What was returned is positive here. */
export const sumUp = (sums: readonly SummedBookings[]) => {
  const total = (kind: SummedBookings['kind']): Cents =>
    plus(ZERO, ...sums.filter((each) => each.kind === kind).map((each) => each.total));
  return {
    ...{ sold: total('sale'), returned: cents(0 - total('refund')) },
    total: plus(ZERO, ...sums.map((each) => each.total)),
    commission: plus(ZERO, ...sums.map((each) => each.commission)),
    owedByChannel: plus(ZERO, ...sums.map((each) => each.owedByChannel)),
    owedToChannel: plus(ZERO, ...sums.map((each) => each.owedToChannel)),
  };
};

export const amount = (value: Cents): Html =>
  html`<span class="amount">${formatReais(value)}</span>`;

const count = (lines = 0): Html => html`<span class="amount">${String(lines)}</span>`;

export const renderDays = (days: readonly CalendarDate[], sums: ReadonlyMap<string, Sums>): Html =>
  renderTable(
    'Por dia, o mais novo primeiro',
    ['Dia', 'Vendas', 'Prêmio', 'IOF', 'Total', 'Comissão', 'Devoluções', 'Devolvido'],
    days.toReversed().map((day) => {
      const { sales, refunds } = sums.get(day) ?? {};
      return [
        formatDate(day),
        count(sales?.lines),
        ...[sales?.net, sales?.iof, sales?.total, sales?.commission].map((each) =>
          amount(each ?? ZERO),
        ),
        count(refunds?.lines),
        amount(cents(0 - (refunds?.total ?? 0))),
      ];
    }),
  );
