import { addDays, businessDay, type CalendarDate, formatDate, parseDate } from '#domain';
import {
  type Timeline,
  versionOn,
  versionsAfter,
} from '../../../application/catalogue/versions.ts';
import type { Body } from '../../kit/contract/catalogue-fields.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { definitionRows, differingRows, renderRows } from '../definitions/definition-rows.ts';
import { pricesIn, readSample, renderPrices, renderSample } from '../definitions/prices.ts';
import {
  addressOf,
  type CatalogueParts,
  createResources,
  type Resource,
  type ShownVersion,
} from '../definitions/resources.ts';
import { type Faults, renderFaults, renderField, renderTable } from '../forms.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { whenOf, wordsIn } from '../words.ts';
import { FAULTY } from './entry-pages.ts';

export const CATALOGUE = { right: 'catalogue' } as const;

/** Shown if another person has stored a change since the page was opened. */
export const STALE = 'Outra pessoa mudou isto enquanto você o via. Confira o que muda agora.';

/** Versions that stand side by side, at most. */
const MOST_COLUMNS = 4;

export const unknownDefinition = ({ one }: Resource): Answer => ({
  ...{ status: 404, errorCode: 'not_found', title: `${one} não encontrado` },
  content: html`<h1>${one} não encontrado</h1><p>Não há nada com este nome no catálogo.</p>`,
});

/** The definition in the path, with its versions. */
export const withTimeline =
  (
    resource: Resource,
    answer: (visit: OwnVisit, name: string, timeline: Timeline<Body>) => Answer | Promise<Answer>,
  ): OwnPage['answer'] =>
  async (visit) => {
    const name = visit.parameter('name');
    const timeline = (await resource.timelines()).get(name);
    return timeline ? answer(visit, name, timeline) : unknownDefinition(resource);
  };

const listPage = (resources: readonly Resource[]): OwnPage['answer'] =>
  async function listCatalogue({ at, now }) {
    const today = businessDay(now);
    const sections = resources.map(async (resource) => {
      const rows = [...(await resource.timelines())].map(([name, timeline]) => {
        const version = versionOn(timeline, today);
        const shown = (version ?? timeline[0])?.definition ?? {};
        const [next] = versionsAfter(timeline, today);
        const active = shown['active'] === false ? 'não vende' : 'em vigor';
        return [
          html`<a href="${at(addressOf(resource, name))}">${name}</a>`,
          html`<span class="long">${String(shown['name'])}</span>`,
          version ? active : 'anunciado',
          next ? `outra versão em ${formatDate(next.effectiveFrom)}` : '',
        ];
      });
      return html`<h2>${resource.one === 'Canal' ? 'Canais' : 'Produtos'}</h2>
${renderTable('Em vigor e anunciados', ['Nome', 'Descrição', 'Situação', 'Anunciado'], rows)}
<p><a class="button plain" href="${at(resource.newPath)}">${resource.newOne}</a></p>`;
    });
    return {
      title: 'Catálogo',
      content: html`<h1>Catálogo</h1>${await Promise.all(sections)}
<p><a href="${at('/taxes')}">Alíquotas de IOF</a></p>`,
    };
  };

const sayStanding = (version: ShownVersion, inForce: ShownVersion | undefined): string => {
  if (version === inForce) return 'em vigor';
  return inForce && version.effectiveFrom <= inForce.effectiveFrom ? 'passada' : 'anunciada';
};

const renderVersions = (
  resource: Resource,
  name: string,
  timeline: Timeline<Body>,
  { at, now }: OwnVisit,
): Html => {
  const inForce = versionOn(timeline, businessDay(now));
  const address = at(addressOf(resource, name));
  return renderTable(
    'Versões por dia',
    ['Desde', 'Versão', 'Situação', 'Guardada', 'O que fazer'],
    [...timeline].reverse().map((version) => {
      const standing = sayStanding(version, inForce);
      const link = `${address}/withdraw?day=${version.effectiveFrom}`;
      return [
        formatDate(version.effectiveFrom),
        String(version.version),
        standing,
        whenOf(version.updatedAt, now),
        html`${standing === 'anunciada' && html`<a href="${link}">Retirar</a>`}`,
      ];
    }),
  );
};

/** Dated versions side by side: the last ones, where they differ. */
const renderSideBySide = (timeline: Timeline<Body>, { field }: Resource): Html => {
  const shown = timeline.slice(-MOST_COLUMNS);
  if (shown.length < 2) return html``;
  const rows = differingRows(
    shown.map(({ definition }) => definition),
    field,
  );
  const heads = shown.map(({ effectiveFrom }) => `desde ${formatDate(effectiveFrom)}`);
  return html`<h2>O que difere entre as versões</h2>
${rows.length > 0 ? renderRows(rows, heads) : html`<p class="soft">Nada difere.</p>`}`;
};

const DONE: Readonly<Record<string, string>> = {
  created: 'Guardado.',
  replaced: 'Guardado.',
  unchanged: 'Nada mudou: a versão guardada já diz isto.',
  withdrawn: 'A versão anunciada foi retirada.',
};

const readDay = (visit: OwnVisit): { readonly on: CalendarDate; readonly faults: Faults } => {
  const today = businessDay(visit.now);
  const typed = visit.query('on')?.trim();
  const on = typed ? parseDate(typed) : today;
  const last = addDays(today, 3_660);
  return on && on <= last
    ? { on, faults: {} }
    : { on: today, faults: { on: 'Escreva o dia como 2027-01-01.' } };
};

const showDefinition = (resource: Resource, parts: CatalogueParts): OwnPage['answer'] =>
  withTimeline(resource, async (visit, name, timeline) => {
    const { at, query } = visit;
    const sample = readSample(query);
    const day = readDay(visit);
    const faults = { ...sample.faults, ...day.faults };
    const isFaulty = Object.keys(faults).length > 0;
    const state = await parts.catalogue.load();
    const prices = pricesIn({ state, on: day.on }, state, resource.priced(name, day.on), sample);
    const { definition } = versionOn(timeline, day.on) ?? (timeline[0] as ShownVersion);
    const address = addressOf(resource, name);
    const done = wordsIn(DONE, query('done'));
    return {
      title: `${resource.one} ${name}`,
      ...(isFaulty && FAULTY),
      content: html`<p><a href="${at('/catalogue')}">Catálogo</a></p>
<h1>${resource.one} ${name}</h1>
${done && html`<p class="done" role="status">${done}</p>`}${renderFaults(faults)}
<p><a class="button" href="${at(`${address}/change`)}">Mudar</a>
<a class="button plain" href="${at(resource.newPath)}?like=${encodeURIComponent(name)}">Copiar para um novo</a>
${resource.kind === 'channel' && versionOn(timeline, businessDay(visit.now)) && html`<a class="button plain" href="${at(`/as/${encodeURIComponent(name)}`)}">Ver como o canal</a>`}</p>
${renderVersions(resource, name, timeline, visit)}
${renderSideBySide(timeline, resource)}
<h2>Cotação de teste</h2>
<form class="filters" action="${at(address)}" aria-label="Cotação de teste">
${renderField({ ...{ name: 'on', label: 'Dia do pagamento', value: query('on') ?? day.on }, attributes: html`type="date"` }, faults)}
${renderSample(sample)}<button>Calcular</button></form>
${!isFaulty && renderPrices(`Por plano, sem coberturas adicionais, em ${formatDate(day.on)}`, prices)}
<details><summary>Definição em ${formatDate(day.on)}</summary>
${renderRows(definitionRows([definition], resource.field), ['Valor'])}</details>
<p class="soft">O mesmo pela API: <code>GET ${resource.api}/${name}</code></p>`,
    };
  });

/** The pages on which administrators see what is sold, today and later. */
export const createCataloguePages = (parts: CatalogueParts): readonly OwnPage[] => {
  const resources = createResources(parts);
  return [
    { ...CATALOGUE, method: 'get', path: '/catalogue', answer: listPage(resources) },
    ...resources.map(
      (resource): OwnPage => ({
        ...{ ...CATALOGUE, method: 'get', path: `${resource.path}/:name` },
        answer: showDefinition(resource, parts),
      }),
    ),
  ];
};
