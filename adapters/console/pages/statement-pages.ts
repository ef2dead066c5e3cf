import {
  addDays,
  addMonths,
  businessDay,
  type CalendarDate,
  formatDate,
  formatReais,
  parseDate,
} from '#domain';
import type { GroupView } from '../../../application/all-groups/group-view.ts';
import type { ReadTotals } from '../../../application/all-groups/read-totals.ts';
import type { Catalogue } from '../../../application/catalogue/catalogue.ts';
import { askGroups, type InGroups } from '../../../application/groups/in-groups.ts';
import type {
  ChannelStatement,
  Statement,
} from '../../../application/statements/channel-statement.ts';
import { html } from '../../kit/web/pages/html.ts';
import { type Faults, renderFaults, renderField, renderSelect } from '../forms.ts';
import { renderIncomplete } from '../incomplete.ts';
import { readTyped } from '../period.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { whenOf } from '../words.ts';
import { byKey, daysIn, renderDays, sumUp } from './day-totals.ts';
import { FAULTY } from './entry-pages.ts';

/** A statement as a file, as the API gives it. */
interface StatementFile {
  readonly type: string;
  write(lines: Statement['lines'], month: string): AsyncIterable<string | Uint8Array>;
}

export interface StatementParts {
  readonly catalogue: Catalogue;
  readonly readTotals: ReadTotals;
  readonly groupViews: InGroups<GroupView>;
  readonly channelStatement: ChannelStatement;
  readonly statementFiles: Readonly<Record<'csv' | 'xlsx', StatementFile>>;
}

interface Asked {
  readonly typed: Readonly<Record<string, string>>;
  readonly channelLink: string | undefined;
  readonly first: CalendarDate;
  /** The first day after the month. */
  readonly until: CalendarDate;
  readonly faults: Faults;
}

const readAsked = async (
  { query, now, channelLink: own }: OwnVisit,
  catalogue: Catalogue,
): Promise<Asked> => {
  const { channels } = await catalogue.current();
  const typed = readTyped(query, ['channel', 'month']);
  const present = businessDay(now).slice(0, 7);
  const month = typed['month'] ?? present;
  const first = parseDate(`${month}-01`);
  if (own !== undefined) typed['channel'] = own;
  const channelLink = typed['channel'];
  const begin = first ?? (`${present}-01` as CalendarDate);
  return {
    typed: { ...typed, month },
    channelLink,
    ...{ first: begin, until: addMonths(begin, 1) },
    faults: {
      ...(channelLink &&
        !own &&
        !channels.has(channelLink) && { channel: 'Escolha um canal da lista.' }),
      ...(!first && { month: 'Escreva o mês como 2026-11.' }),
    },
  };
};

/** Whether anything was sold before a day. */
const hasOlder = async (
  groupViews: StatementParts['groupViews'],
  since: CalendarDate,
): Promise<boolean> => {
  const { found } = await askGroups(groupViews(), async ({ sales }) => {
    const [oldest] = await sales.list({ order: 'oldest', limit: 1 });
    return oldest !== undefined && businessDay(oldest.registeredAt) < since;
  });
  return [...found.values()].includes(true);
};

const showStatement =
  ({ catalogue, readTotals, groupViews }: StatementParts): OwnPage['answer'] =>
  async (visit): Promise<Answer> => {
    const { channels } = await catalogue.current();
    const { typed, channelLink, first, until, faults } = await readAsked(visit, catalogue);
    const isFaulty = Object.keys(faults).length > 0;
    const to = addDays(until, -1);
    const today = businessDay(visit.now);
    const { asOf, since, sums, incomplete } = await readTotals({
      from: first,
      to,
      by: 'day',
      channelLink,
    });
    const days = byKey(sums);
    const whole = sumUp(sums);
    const addressOf = (form: string): string =>
      `${visit.at('/statements/file')}?${new URLSearchParams({ ...typed, form })}`;
    const figures = html`${renderIncomplete(incomplete)}<dl class="facts">
<dt>Vendido</dt><dd>${formatReais(whole.sold)}</dd>
<dt>Devolvido</dt><dd>${formatReais(whole.returned)}</dd>
<dt>Vendido menos devolvido</dt><dd>${formatReais(whole.total)}</dd>
<dt>Comissão, sem a do devolvido</dt><dd>${formatReais(whole.commission)}</dd>
<dt>${channelLink ? 'O canal deve' : 'Os canais devem'} à seguradora</dt><dd>${formatReais(whole.owedByChannel)}</dd>
<dt>Deve-se ${channelLink ? 'ao canal' : 'aos canais'}</dt><dd>${formatReais(whole.owedToChannel)}</dd></dl>
${to >= today && html`<p class="note left">O mês ainda está aberto: conta o dia em que o pagamento ou a devolução foi registrada aqui.</p>`}
${channelLink ? html`<p>Linha por linha: <a href="${addressOf('csv')}">CSV</a> <a href="${addressOf('xlsx')}">XLSX</a></p>` : html`<p class="soft">Escolha um canal para ver o extrato linha por linha.</p>`}
${since && first < since && (await hasOlder(groupViews, since)) && html`<p class="note left">Nada de antes de ${formatDate(since)} foi somado: depois de uma atualização, quem opera o serviço roda <code>totals rebuild</code>. Os arquivos têm tudo.</p>`}
${renderDays(daysIn(first, to < today ? to : today), days)}
<p class="soft">${asOf ? `Somado até ${whenOf(asOf, visit.now)}.` : 'Ainda nada foi somado.'}</p>`;
    const field = (name: string, label: string) => ({ name, label, value: typed[name] ?? '' });
    const links = [...channels.keys()].map((link) => [link, link] as const);
    return {
      title: 'Extratos',
      ...(isFaulty && FAULTY),
      content: html`<h1>Extratos</h1>${renderFaults(faults)}
<form class="filters" action="${visit.at('/statements')}" aria-label="Filtros">
${!visit.channelLink && renderSelect(field('channel', 'Canal'), [['', 'todos'], ...links], faults)}
${renderField({ ...field('month', 'Mês'), hint: 'Como 2026-11', attributes: html`type="month" maxlength="7" autocomplete="off"` }, faults)}
<button>Mostrar</button></form>
${!isFaulty && figures}
<p class="soft">O mesmo pela API: <code>GET ${visit.channelLink ? '/api/private/integration/statement' : '/api/admin/channels/{channelLink}/statement'}</code></p>`,
    };
  };

const sendStatement =
  ({ catalogue, channelStatement, statementFiles }: StatementParts): OwnPage['answer'] =>
  async (visit): Promise<Answer> => {
    const { typed, channelLink = '', first, until, faults } = await readAsked(visit, catalogue);
    const name = visit.query('form') === 'xlsx' ? 'xlsx' : 'csv';
    const period = { from: first, until };
    const isFaulty = Object.keys(faults).length > 0;
    const statement = isFaulty ? undefined : await channelStatement(channelLink, period);
    // The page says what is wrong.
    if (statement === undefined) return { goTo: `/statements${visit.search}` };
    const month = typed['month'] ?? '';
    const { type, write } = statementFiles[name];
    const bytes = write(statement.lines, month);
    const channel = channelLink.replaceAll(/[^\w.-]+/g, '-');
    return { file: { name: `extrato-${channel}-${month}.${name}`, type, bytes } };
  };

/** The pages on which finance sees what is booked. */
export const createStatementPages = (parts: StatementParts): readonly OwnPage[] => [
  { right: 'statements', method: 'get', path: '/statements', answer: showStatement(parts) },
  {
    right: 'statements',
    method: 'get',
    path: '/statements/file',
    isFile: true,
    answer: sendStatement(parts),
  },
];
