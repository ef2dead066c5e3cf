import { businessDay, type Fault, formatDate, parseDate } from '#domain';
import { type Timeline, versionOn } from '../../../application/catalogue/versions.ts';
import { describeCatalogueFaults, describeConflicts } from '../../kit/contract/catalogue-faults.ts';
import { type Body, findPlace } from '../../kit/contract/catalogue-fields.ts';
import { type FieldFaults, firstMessages } from '../../kit/contract/field-faults.ts';
import { compileValidator } from '../../kit/contract/validation.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { addItem, bodyIn, removeItem } from '../definitions/definition-fields.ts';
import { renderDefinition } from '../definitions/definition-form.ts';
import { sayPath } from '../definitions/definition-words.ts';
import {
  addressOf,
  type CatalogueParts,
  createResources,
  formAddress,
  type Resource,
} from '../definitions/resources.ts';
import { review, type Typed } from '../definitions/review.ts';
import { type Faults, renderFaults, renderField } from '../forms.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { CATALOGUE, STALE, unknownDefinition } from './catalogue-pages.ts';
import { FAULTY } from './entry-pages.ts';

const readTyped = (
  resource: Resource,
  { form, parameter }: OwnVisit,
  timelines: ReadonlyMap<string, Timeline<Body>>,
): Typed => {
  const own = parameter('name');
  const name = own || (form.one(resource.key) ?? '');
  return {
    ...{ name, isNew: own === '', from: form.one('effectiveFrom') ?? '' },
    body: bodyIn(form, resource.field),
    timeline: timelines.get(name) ?? [],
  };
};

const renderForm = (
  resource: Resource,
  { name, isNew, body, from, timeline }: Typed,
  { at, now }: OwnVisit,
  faults: Faults = {},
): Html => {
  const { key, field, one, newOne } = resource;
  const address = formAddress(resource, name, isNew);
  const inForce = versionOn(timeline, businessDay(now));
  const known =
    inForce && `Em vigor: versão ${inForce.version}, desde ${formatDate(inForce.effectiveFrom)}.`;
  return html`<h1>${isNew ? newOne : `Mudar ${one.toLowerCase()} ${name}`}</h1>
${renderFaults(faults)}
<p class="soft">${known} Nada é guardado antes da página seguinte, que mostra o que muda. O que já foi vendido não muda.</p>
<form class="definition" method="post" action="${at(address)}" novalidate>
<button name="act" value="review">Ver o que muda</button>
<div class="fields">${
    isNew &&
    renderField(
      {
        name: key,
        label: sayPath(key),
        value: name,
        hint: field.fields?.get(key)?.description ?? '',
        attributes: html`maxlength="100" autocomplete="off"`,
      },
      faults,
    )
  }${renderField({ ...{ name: 'effectiveFrom', label: 'Vale a partir de', value: from, hint: 'Vazio: vale já' }, attributes: html`type="date"` }, faults)}</div>
${renderDefinition(field, { body, faults })}
<button name="act" value="review">Ver o que muda</button></form>`;
};

/** A button, and the path of the list or item that it is about. */
const ACT = /^(\w+)(?::([\w.]{1,100}))?$/;

const renderAlerts = (alerts: readonly string[]): Html =>
  html`${alerts.length > 0 && html`<div class="alert" role="alert"><h2>O restante do catálogo não permite isto</h2><ul>${alerts.map((each) => html`<li>${each}</li>`)}</ul></div>`}`;

/** Every fault of what was typed, by field. */
const findFaults = async (
  resource: Resource,
  { name, isNew, body, from, timeline }: Typed,
  validate: ReturnType<typeof compileValidator>,
): Promise<Faults> => {
  const day = parseDate(from);
  const { key } = resource;
  const faults = await resource.faultsOf(resource.from(name, body), name, day);
  return {
    ...(isNew && timeline.length > 0 && { [key]: 'Já existe no catálogo. Abra-o para mudar.' }),
    ...(from !== '' && !day && { effectiveFrom: 'Escreva o dia como 2027-01-01.' }),
    ...messagesAt({ ...validate(body).faults, ...placeFaults(faults, resource, body) }),
  };
};

/** The domain's faults at the fields of the form. */
const placeFaults = (faults: readonly Fault[], { field }: Resource, body: Body): FieldFaults =>
  describeCatalogueFaults(faults, (path) => findPlace(path, field, body), sayPath);

/** A message for each field. The API's examples of numbers are written as people do here. */
const messagesAt = (faults: FieldFaults): Faults =>
  Object.fromEntries(
    Object.entries(firstMessages(faults)).map(([path, message]) => [
      path,
      message.replace(/como (\d+)\.(\d)/, 'como $1,$2'),
    ]),
  );

/** The pages with the form of a definition, and what is shown before it is stored. */
const changePages = (resource: Resource, parts: CatalogueParts): readonly OwnPage[] => {
  const validate = compileValidator(resource.body);
  const { key, field } = resource;

  const show = (
    visit: OwnVisit,
    typed: Typed,
    faults: Faults = {},
    alerts: readonly string[] = [],
  ): Answer => ({
    title: typed.isNew ? resource.newOne : `Mudar ${typed.name}`,
    ...(Object.keys(faults).length > 0 && FAULTY),
    ...(alerts.length > 0 && { status: 409, errorCode: 'catalogue_conflict' }),
    content: html`${renderAlerts(alerts)}${renderForm(resource, typed, visit, faults)}`,
  });

  /** @param isTrial whether it is only shown what would change */
  const put = async (
    visit: OwnVisit,
    typed: Typed,
    isTrial: boolean,
    alert = '',
  ): Promise<Answer> => {
    const { name, body, from } = typed;
    const expected = isTrial ? undefined : Number(visit.form.one('version'));
    const options = { effectiveFrom: parseDate(from), expected, isTrial };
    const outcome = await resource.put(resource.from(name, body), visit.actor, options);
    if (outcome.kind === 'stale') return put(visit, typed, true, STALE);
    if (outcome.kind === 'faulty') {
      const conflicts = describeConflicts(outcome.conflicts, sayPath).map(({ message }) => message);
      const placed = placeFaults(outcome.faults, resource, body);
      return show(visit, typed, messagesAt(placed), conflicts);
    }
    if (isTrial) return review(resource, parts, typed, outcome, visit, alert);
    return { goTo: `${addressOf(resource, name)}?done=${outcome.kind}` };
  };

  const act = async (visit: OwnVisit): Promise<Answer> => {
    const typed = readTyped(resource, visit, await resource.timelines());
    if (!typed.isNew && typed.timeline.length === 0) return unknownDefinition(resource);
    const [, what, path = ''] = ACT.exec(visit.form.one('act') ?? '') ?? [];
    if (what === 'add') return show(visit, { ...typed, body: addItem(typed.body, field, path) });
    if (what === 'remove')
      return show(visit, { ...typed, body: removeItem(typed.body, field, path) });
    if (what === 'edit') return show(visit, typed);
    const faults = await findFaults(resource, typed, validate);
    return Object.keys(faults).length > 0
      ? show(visit, typed, faults)
      : put(visit, typed, what !== 'save');
  };

  const open = async (visit: OwnVisit): Promise<Answer> => {
    const timelines = await resource.timelines();
    const own = visit.parameter('name');
    const timeline = timelines.get(own || (visit.query('like') ?? ''));
    if (own !== '' && timeline === undefined) return unknownDefinition(resource);
    const version = timeline && (versionOn(timeline, businessDay(visit.now)) ?? timeline[0]);
    const { [key]: _, ...known } = version?.definition ?? {};
    if (own !== '' && timeline)
      return show(visit, { name: own, isNew: false, body: known, from: '', timeline });
    const { id: __, ...body } = known;
    return show(visit, { name: '', isNew: true, body, from: '', timeline: [] });
  };

  return [resource.newPath, `${resource.path}/:name/change`].flatMap((path): readonly OwnPage[] => [
    { ...CATALOGUE, method: 'get', path, answer: open },
    { ...CATALOGUE, method: 'post', path, answer: act },
  ]);
};

/** The pages on which administrators change what is sold. */
export const createDefinitionPages = (parts: CatalogueParts): readonly OwnPage[] =>
  createResources(parts).flatMap((resource) => changePages(resource, parts));
