import type { GroupView } from '../../../application/all-groups/group-view.ts';
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditQuery,
  type Change,
  type NumberedEntry,
} from '../../../application/audit/audit-log.ts';
import type { Clock } from '../../../application/clock.ts';
import type { InGroups } from '../../../application/groups/in-groups.ts';
import {
  mergeNumbered,
  type Places,
  writePlaces,
} from '../../../application/groups/merge-lists.ts';
import { wallClockOf } from '../../kit/sheets/wall-clock.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { ACTION_WORDS } from '../action-words.ts';
import { type Column, fileOf, renderItems } from '../columns.ts';
import { type Faults, renderFaults, renderField, renderSelect } from '../forms.ts';
import { placesIn, refuseIncomplete, renderIncomplete } from '../incomplete.ts';
import { readPeriod, readTyped, renderPeriod } from '../period.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { whenOf } from '../words.ts';
import { FAULTY } from './entry-pages.ts';

export interface AuditParts {
  readonly groupViews: InGroups<GroupView>;
  readonly clock: Clock;
}

const PAGE = 50;

/** Entries in a file, at most. */
const MOST_IN_FILE = 5_000;
const BATCH = 500;

/** Changes of an entry, and letters of a value, that are shown. */
const MOST_CHANGES = 4;
const MOST_LETTERS = 80;

const shorten = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text;
};

const sayChange = ({ field, before, after }: Change): string =>
  before === null
    ? `${field}: ${shorten(after)}`
    : `${field}: ${shorten(before)} → ${shorten(after)}`;

const sayChanges = ({ changes }: NumberedEntry): string => {
  const more = changes.length - MOST_CHANGES;
  const said = changes.slice(0, MOST_CHANGES).map(sayChange).join('; ');
  return more > 0 ? `${said}; e mais ${more}` : said;
};

const subjectLink = ({ subject }: NumberedEntry, { at }: OwnVisit): Html => {
  const [, id] = /^transaction\/(\d+)$/.exec(subject ?? '') ?? [];
  return id
    ? html`<a href="${at(`/sales/${id}`)}">${subject}</a>`
    : html`<span class="long">${subject ?? ''}</span>`;
};

const COLUMNS: readonly Column<NumberedEntry>[] = [
  {
    ...{ header: 'Quando', width: 18, format: 'dd/mm/yyyy hh:mm' },
    cell: ({ at }) => wallClockOf(at),
    show: ({ at }, { now }) => whenOf(at, now),
  },
  { header: 'O que foi feito', width: 30, cell: ({ action }) => ACTION_WORDS[action] },
  {
    ...{ header: 'Quem', width: 30, cell: ({ actor }) => actor.name },
    show: ({ actor }) => html`<span class="long">${actor.name ?? 'desconhecido'}</span>`,
  },
  { header: 'De onde', width: 18, cell: ({ actor }) => actor.address },
  { header: 'Sobre', width: 24, cell: ({ subject }) => subject, show: subjectLink },
  {
    ...{ header: 'Por quê', width: 30, cell: ({ reason }) => reason },
    show: ({ reason }) => html`<span class="long">${reason ?? ''}</span>`,
  },
  {
    ...{ header: 'O que mudou', width: 50, cell: sayChanges },
    show: (entry) => html`<span class="long">${sayChanges(entry)}</span>`,
  },
];

interface Filters {
  readonly query: Omit<AuditQuery, 'limit' | 'before'>;
  readonly typed: Readonly<Record<string, string>>;
  readonly faults: Faults;
}

/** `transaction/7`, `channel/teatro`: names of people are no subjects. */
const SUBJECT = /^[a-z-]+(\/[\w.-]+)?$/i;

const readFilters = ({ query }: OwnVisit, clock: Clock): Filters => {
  const typed = readTyped(query, ['action', 'subject', 'from', 'to']);
  const period = readPeriod(typed, clock);
  const action = AUDIT_ACTIONS.find((each) => each === typed['action']);
  const subject = typed['subject'];
  return {
    query: { ...(action && { action }), ...(subject && { subject }), ...period.query },
    typed,
    faults: {
      ...(typed['action'] && !action && { action: 'Escolha da lista o que foi feito.' }),
      ...(subject && !SUBJECT.test(subject) && { subject: 'Escreva como transaction/7.' }),
      ...period.faults,
    },
  };
};

const renderFilters = ({ typed, faults }: Filters, action: string): Html => {
  const field = (name: string, label: string) => ({ name, label, value: typed[name] ?? '' });
  const actions: readonly (readonly [AuditAction, string])[] = AUDIT_ACTIONS.map((each) => [
    each,
    ACTION_WORDS[each],
  ]);
  return html`<form class="filters" action="${action}" aria-label="Filtros">
${renderSelect(field('action', 'O que foi feito'), [['', 'tudo'], ...actions], faults)}
${renderField({ ...field('subject', 'Sobre'), hint: 'transaction/7, channel/teatro', attributes: html`maxlength="100" autocomplete="off"` }, faults)}
${renderPeriod(typed, faults)}
<button>Filtrar</button></form>`;
};

const readEntries = (
  { groupViews }: AuditParts,
  query: Filters['query'],
  places: Places,
  limit: number,
) =>
  mergeNumbered<GroupView, NumberedEntry>({
    ...{ ports: groupViews(), places, limit },
    read: ({ auditLog }, before, most) => auditLog.list({ ...query, before, limit: most }),
    numberOf: ({ number }) => number,
    timeOf: ({ at }) => at,
  });

const NOTHING = { items: [], next: undefined, incomplete: [] };

const showAudit =
  (parts: AuditParts): OwnPage['answer'] =>
  async (visit): Promise<Answer> => {
    const filters = readFilters(visit, parts.clock);
    const { query, typed, faults } = filters;
    const isFaulty = Object.keys(faults).length > 0;
    const found = isFaulty ? NOTHING : await readEntries(parts, query, placesIn(visit), PAGE);
    const { items: shown, incomplete } = found;
    const at = visit.at('/audit');
    const next = found.next && new URLSearchParams({ ...typed, after: writePlaces(found.next) });
    const addressOf = (form: string): string =>
      `${visit.at('/audit/file')}?${new URLSearchParams({ ...typed, form })}`;
    return {
      title: 'Auditoria',
      ...(isFaulty && FAULTY),
      content: html`<h1>Registro de auditoria</h1>
<p class="soft">O que foi feito, por quem e de onde. Nada nele muda ou é apagado.</p>
${renderIncomplete(incomplete)}
${renderFaults(faults)}
${renderFilters(filters, at)}
${shown.length > 0 ? renderItems('O que foi feito, o mais novo primeiro', COLUMNS, shown, visit) : !isFaulty && html`<p role="status">Nada com estes filtros.</p>`}
${next && html`<p><a class="button" href="${at}?${next}">Mais antigos</a></p>`}
${!isFaulty && html`<p>Até ${String(MOST_IN_FILE)} linhas em arquivo: <a href="${addressOf('csv')}">CSV</a> <a href="${addressOf('xlsx')}">XLSX</a></p>`}
<p class="soft">O mesmo pela API: <code>GET /api/admin/audit</code></p>`,
    };
  };

const sendFile =
  (parts: AuditParts): OwnPage['answer'] =>
  async (visit): Promise<Answer> => {
    const { query, faults } = readFilters(visit, parts.clock);
    // The list says what is wrong.
    if (Object.keys(faults).length > 0) return { goTo: `/audit${visit.search}` };
    const all: NumberedEntry[] = [];
    let places: Places | undefined = new Map();
    while (places !== undefined && all.length < MOST_IN_FILE) {
      const found: Awaited<ReturnType<typeof readEntries>> = await readEntries(
        parts,
        query,
        places,
        BATCH,
      );
      refuseIncomplete(found.incomplete);
      all.push(...found.items);
      places = found.next;
    }
    return { file: await fileOf('Auditoria', COLUMNS, all, visit.query('form')) };
  };

/** The pages of the audit log. */
export const createAuditPages = (parts: AuditParts): readonly OwnPage[] => [
  { right: 'audit', method: 'get', path: '/audit', answer: showAudit(parts) },
  { right: 'audit', method: 'get', path: '/audit/file', isFile: true, answer: sendFile(parts) },
];
