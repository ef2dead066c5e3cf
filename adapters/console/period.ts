import { addDays, type CalendarDate, type Instant, parseDate } from '#domain';
import type { Clock } from '../../application/clock.ts';
import { type Html, html } from '../kit/web/pages/html.ts';
import { type Faults, renderField } from './forms.ts';
import type { OwnVisit } from './visit.ts';

type Typed = Readonly<Record<string, string>>;

/** What an address says of these filters. */
export const readTyped = (
  query: OwnVisit['query'],
  names: readonly string[],
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = query(name)?.slice(0, 100).trim();
      return value ? [[name, value]] : [];
    }),
  );

const readDay = (typed: string | undefined): CalendarDate | undefined =>
  typed === undefined ? undefined : parseDate(typed);

const DAY_FAULT = 'Escreva o dia como 2026-11-20.';

interface Period {
  readonly query: { readonly from?: Instant; readonly to?: Instant };
  readonly faults: Faults;
}

/** The filters `from` and `to`: days of São Paulo, both inclusive. */
export const readPeriod = (typed: Typed, clock: Clock): Period => {
  const [from, to] = [readDay(typed['from']), readDay(typed['to'])];
  return {
    query: {
      ...(from && { from: clock.startOf(from) }),
      ...(to && { to: clock.startOf(addDays(to, 1)) }),
    },
    faults: {
      ...(typed['from'] && !from && { from: DAY_FAULT }),
      ...(typed['to'] && !to && { to: DAY_FAULT }),
      ...(from && to && to < from && { to: 'O último dia vem antes do primeiro.' }),
    },
  };
};

export const renderPeriod = (typed: Typed, faults: Faults): Html => {
  const field = (name: string, label: string): Html =>
    renderField({ name, label, value: typed[name] ?? '', attributes: html`type="date"` }, faults);
  return html`${field('from', 'De')}
${field('to', 'Até')}`;
};
