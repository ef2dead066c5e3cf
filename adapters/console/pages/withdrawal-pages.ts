import { type CalendarDate, formatDate, parseDate } from '#domain';
import type { Timeline } from '../../../application/catalogue/versions.ts';
import type { Body } from '../../kit/contract/catalogue-fields.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import {
  addressOf,
  type CatalogueParts,
  createResources,
  type Resource,
} from '../definitions/resources.ts';
import type { OwnPage, OwnVisit } from '../visit.ts';
import { CATALOGUE, unknownDefinition, withTimeline } from './catalogue-pages.ts';

const renderWithdrawal = (
  resource: Resource,
  visit: OwnVisit,
  day: CalendarDate,
  version: number | undefined,
  fault?: string,
): Html =>
  html`<div class="narrow"><h1>Retirar o que foi anunciado</h1>
${fault && html`<div class="alert" role="alert"><p>${fault}</p></div>`}
<p>A versão de ${visit.parameter('name')} anunciada para ${formatDate(day)} deixa de existir. Nesse dia continua a valer o que valer até a véspera.</p>
<form method="post"><input type="hidden" name="day" value="${day}"><input type="hidden" name="version" value="${String(version ?? 0)}"><button class="bad">Retirar</button> <a href="${visit.at(addressOf(resource, visit.parameter('name')))}">Voltar</a></form></div>`;

const WITHDRAWAL_FAULTS = {
  unknown: 'Nada está anunciado para este dia.',
  in_force: 'A versão já está em vigor e não muda mais.',
  stale: 'Outra pessoa mudou isto enquanto você o via. Confira a versão antes de retirá-la.',
  faulty: 'O restante do catálogo precisa desta versão: mude antes o que depende dela.',
} as const;

const versionOf = (timeline: Timeline<Body>, day: CalendarDate): number | undefined =>
  timeline.find(({ effectiveFrom }) => effectiveFrom === day)?.version;

const withdrawalPages = (resource: Resource): readonly OwnPage[] => {
  const path = `${resource.path}/:name/withdraw`;
  const title = 'Retirar o que foi anunciado';
  return [
    {
      ...{ ...CATALOGUE, method: 'get', path },
      answer: withTimeline(resource, (visit, _, timeline) => {
        const day = parseDate(visit.query('day') ?? '');
        return day
          ? { title, content: renderWithdrawal(resource, visit, day, versionOf(timeline, day)) }
          : unknownDefinition(resource);
      }),
    },
    {
      ...{ ...CATALOGUE, method: 'post', path },
      answer: withTimeline(resource, async (visit, name, timeline) => {
        const day = parseDate(visit.form.one('day') ?? '');
        if (!day) return unknownDefinition(resource);
        const { kind } = await resource.withdraw(
          name,
          day,
          visit.actor,
          Number(visit.form.one('version')),
        );
        if (kind === 'withdrawn') return { goTo: `${addressOf(resource, name)}?done=withdrawn` };
        const content = renderWithdrawal(
          resource,
          visit,
          day,
          versionOf(timeline, day),
          WITHDRAWAL_FAULTS[kind],
        );
        return { title, content, status: 409, errorCode: 'catalogue_conflict' };
      }),
    },
  ];
};

/** The pages on which administrators withdraw what was announced. */
export const createWithdrawalPages = (parts: CatalogueParts): readonly OwnPage[] =>
  createResources(parts).flatMap(withdrawalPages);
