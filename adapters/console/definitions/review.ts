import { businessDay, formatDate } from '#domain';
import type { CatalogueState, CatalogueVersion } from '../../../application/catalogue/catalogue.ts';
import { type Timeline, versionOn } from '../../../application/catalogue/versions.ts';
import type { Body } from '../../kit/contract/catalogue-fields.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { renderFaults } from '../forms.ts';
import type { Answer, OwnVisit } from '../visit.ts';
import { fieldsOf } from './definition-fields.ts';
import { differingRows, renderRows } from './definition-rows.ts';
import { pricesIn, readSample, renderPrices, renderSample } from './prices.ts';
import { type CatalogueParts, formAddress, type PutShown, type Resource } from './resources.ts';

/** A definition as it was typed, and what it is to be compared with. */
export interface Typed {
  /** In addresses; empty: not typed yet. */
  readonly name: string;
  readonly isNew: boolean;
  readonly body: Body;
  /** When it begins, as typed; empty: at once. */
  readonly from: string;
  readonly timeline: Timeline<Body>;
}

/** What became, or would become, of a definition without faults. */
type Tried = Extract<PutShown, { readonly put: unknown }>;

/** The state that the catalogue would have. */
const stateWith = (
  state: CatalogueState,
  { kind }: Resource,
  name: string,
  put: Tried['put'],
): CatalogueState => ({
  ...state,
  versions: [...state.versions, { kind, name, ...put } as CatalogueVersion],
});

const renderHidden = (resource: Resource, typed: Typed): Html => {
  const { name, isNew, body, from } = typed;
  const own = [['effectiveFrom', from], ...(isNew ? [[resource.key, name]] : [])] as const;
  const fields = fieldsOf(body, resource.field).filter(([path]) => path !== resource.key);
  return html`${[...own, ...fields].map(([path, text]) => html`<input type="hidden" name="${path}" value="${text}">`)}`;
};

/** What will change, and what each plan will cost. */
export const review = async (
  resource: Resource,
  parts: CatalogueParts,
  typed: Typed,
  tried: Tried,
  visit: OwnVisit,
  alert = '',
): Promise<Answer> => {
  const { at, form, now } = visit;
  const { name, isNew, timeline } = typed;
  const { put } = tried;
  const day = put.effectiveFrom;
  const before = versionOn(timeline, day);
  const rows = differingRows([before?.definition ?? {}, tried.shown ?? {}], resource.field);
  const sample = readSample((each) => form.one(each));
  const today = businessDay(now);
  const state = await parts.catalogue.load();
  const next = tried.kind === 'unchanged' ? state : stateWith(state, resource, name, put);
  const prices = pricesIn({ state, on: today }, next, resource.priced(name, day), sample);
  const address = formAddress(resource, name, isNew);
  const caption = `Sem coberturas adicionais: o que custa hoje (riscado), e o que vai custar em ${formatDate(day)}`;
  const when =
    day > today ? `em ${formatDate(day)}, à meia-noite de São Paulo` : 'assim que for guardado';
  return {
    title: `${resource.one} ${name}: o que muda`,
    content: html`<h1>${resource.one} ${name}: o que muda</h1>
${alert && html`<div class="alert" role="alert"><p>${alert}</p></div>`}${renderFaults(sample.faults)}
<p>${before ? `Em comparação com a versão ${before.version}` : 'Novo no catálogo'}. Passa a valer ${when}.</p>
${rows.length > 0 ? renderRows(rows, ['Antes', 'Depois']) : html`<p>Nada muda.</p>`}
<form class="definition" method="post" action="${at(address)}" novalidate>
<button name="act" value="save">Guardar</button> <button class="plain" name="act" value="edit">Voltar a mudar</button>
<input type="hidden" name="version" value="${String(before?.version ?? 0)}">
${renderHidden(resource, typed)}
<h2>Quanto custa cada plano</h2>
<div class="filters">${renderSample(sample)}<button class="plain" name="act" value="review">Calcular</button></div>
${renderPrices(caption, prices)}</form>`,
  };
};
