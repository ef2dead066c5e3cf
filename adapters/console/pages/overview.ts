import {
  addDays,
  type CalendarDate,
  type Cents,
  formatDate,
  formatReais,
  plus,
  ZERO,
} from '#domain';
import type { ReadTotals } from '../../../application/all-groups/read-totals.ts';
import type { Clock } from '../../../application/clock.ts';
import type { SummedOffers } from '../../../application/totals/booking-totals.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { renderBars } from '../charts.ts';
import { renderTable } from '../forms.ts';
import { renderIncomplete } from '../incomplete.ts';
import type { OwnVisit } from '../visit.ts';
import { whenOf } from '../words.ts';
import { amount, byKey, daysIn, renderDays, type Sums } from './day-totals.ts';

export interface OverviewParts {
  readonly readTotals: ReadTotals;
  readonly clock: Clock;
}

/** Days that are shown, the last one yesterday. */
const DAYS = 30;

/** Channels that sell less, at most. */
const FALLEN = 5;

const soldIn = (sums: Sums | undefined): Cents => sums?.sales?.total ?? ZERO;

const countOf = (sums: Sums | undefined): string => {
  const count = sums?.sales?.lines ?? 0;
  return count === 1 ? '1 venda' : `${count} vendas`;
};

/** `+12 %`; empty where there was nothing before. */
const growth = (now: number, before: number): string => {
  if (before <= 0) return '';
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent > 0 ? '+' : ''}${percent} %`;
};

const dayAndMonth = (day: CalendarDate): string => formatDate(day).slice(0, 5);

/** Yesterday beside the same weekday before. */
const renderYesterday = (yesterday: CalendarDate, sums: ReadonlyMap<string, Sums>): Html => {
  const [now, before] = [sums.get(yesterday), sums.get(addDays(yesterday, -7))];
  const change = growth(soldIn(now), soldIn(before));
  const today = sums.get(addDays(yesterday, 1));
  return html`<p>Hoje até agora: <strong>${countOf(today)}, ${formatReais(soldIn(today))}</strong>. Ontem: <strong>${countOf(now)}, ${formatReais(soldIn(now))}</strong>.
Uma semana antes: ${countOf(before)}, ${formatReais(soldIn(before))}${change && ` (${change})`}.</p>`;
};

const weekOf = async (to: CalendarDate, readTotals: OverviewParts['readTotals']) =>
  byKey((await readTotals({ from: addDays(to, -6), to, by: 'channel' })).sums);

/** The channels that sold less than a week before, the largest loss first. */
const renderFallen = async (
  yesterday: CalendarDate,
  readTotals: OverviewParts['readTotals'],
): Promise<Html> => {
  const [now, before] = await Promise.all([
    weekOf(yesterday, readTotals),
    weekOf(addDays(yesterday, -7), readTotals),
  ]);
  const fallen = [...before]
    .map(([channel, sums]) => ({
      ...{ channel, was: soldIn(sums), is: soldIn(now.get(channel)) },
    }))
    .filter(({ was, is }) => is < was)
    .sort((one, other) => one.is - one.was - (other.is - other.was))
    .slice(0, FALLEN);
  if (fallen.length === 0)
    return html`<p class="soft">Nenhum canal vendeu menos que na semana anterior.</p>`;
  return renderTable(
    'Canais que venderam menos em sete dias, a maior queda primeiro',
    ['Canal', 'Sete dias até ontem', 'Sete dias antes', 'Diferença'],
    fallen.map(({ channel, was, is }) => [
      html`<span class="long">${channel}</span>`,
      amount(is),
      amount(was),
      growth(is, was),
    ]),
  );
};

/** What payers were asked to pay, and how much of that they have paid. */
const renderOffers = (days: readonly CalendarDate[], offers: readonly SummedOffers[]): Html => {
  const find = (day: string, kind: SummedOffers['kind']) =>
    offers.find((each) => each.key === day && each.kind === kind) ?? { lines: 0, total: ZERO };
  const shown = days.map((day) => ({
    day,
    offered: find(day, 'offered'),
    paid: find(day, 'taken_up'),
  }));
  const sum = (kind: 'offered' | 'paid'): Cents =>
    plus(ZERO, ...shown.map((each) => each[kind].total));
  if (sum('offered') === 0)
    return html`<h2>Do oferecido, quanto foi pago?</h2><p class="soft">Nada foi oferecido por link ou boleto nos 30 dias até ontem.</p>`;
  const bars = shown.map(({ day, offered, paid }) => ({
    ...{ label: dayAndMonth(day), value: paid.total, whole: offered.total },
  }));
  const rows = shown
    .toReversed()
    .map(({ day, offered, paid }) => [
      ...[formatDate(day), String(offered.lines), amount(offered.total)],
      ...[String(paid.lines), amount(paid.total), share(paid.total, offered.total)],
    ]);
  return html`<h2>Do oferecido, quanto foi pago?</h2>
<p>Em 30 dias: <strong>${share(sum('paid'), sum('offered'))}</strong> (${formatReais(sum('paid'))} de ${formatReais(sum('offered'))}).</p>
${renderBars({ title: 'Quanto do oferecido por dia já foi pago?', about: 'Em reais, pelo dia do registro: contorno, oferecido por link ou boleto; cheio, pago', bars })}
<details><summary>Os mesmos números em tabela</summary>${renderTable('Por dia, o mais novo primeiro', ['Dia', 'Oferecidas', 'Oferecido', 'Pagas', 'Pago', 'Parte'], rows)}</details>`;
};

const share = (part: number, whole: number): string =>
  whole === 0 ? '' : `${Math.round((part / whole) * 100)} %`;

/** How sales go, over all channels that may be shown. */
export const renderOverview = async (
  { readTotals, clock }: OverviewParts,
  { now, channelLink }: OwnVisit,
): Promise<Html> => {
  const yesterday = addDays(clock.today(), -1);
  const from = addDays(yesterday, 1 - DAYS);
  const { asOf, sums, offers, incomplete } = await readTotals({
    from,
    to: addDays(yesterday, 1),
    by: 'day',
    channelLink,
  });
  const days = daysIn(from, yesterday);
  const ofDay = byKey(sums);
  const bars = days.map((day) => ({
    label: dayAndMonth(day),
    value: soldIn(ofDay.get(day)),
    mark: day === yesterday ? 'ontem' : undefined,
  }));
  return html`<section><h2>Como vão as vendas</h2>
${renderIncomplete(incomplete)}
${renderYesterday(yesterday, ofDay)}
${renderBars({ title: 'Quanto se vendeu por dia?', about: 'Total com IOF, em reais, nos 30 dias até ontem', bars })}
<details><summary>Os mesmos números em tabela</summary>${renderDays(days, ofDay)}</details>
${renderOffers(days, offers)}
${
  channelLink === undefined &&
  html`<h2>Que canal caiu?</h2>
${await renderFallen(yesterday, readTotals)}`
}
<p class="soft">${asOf ? `Somado até ${whenOf(asOf, now)}.` : 'Ainda nada foi somado.'}${channelLink === undefined && html` O mesmo pela API: <code>GET /api/admin/totals</code>`}</p></section>`;
};
