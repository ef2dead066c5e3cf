import {
  addDays,
  businessDay,
  type CalendarDate,
  type ChannelRefund,
  findLegalPeriod,
  formatDate,
  formatDecimal,
  formatReais,
  isCancelled,
  isRefusal,
  parseDate,
  protocolOf,
  REFUND_METHODS,
  refundPending,
  type Sale,
  toReais,
} from '#domain';
import type { GroupView } from '../../../application/all-groups/group-view.ts';
import type { AuditLog } from '../../../application/audit/audit-log.ts';
import type { Catalogue } from '../../../application/catalogue/catalogue.ts';
import { askGroups, type InGroups } from '../../../application/groups/in-groups.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import type { ConfirmRefund } from '../../../application/servicing/confirm-refund.ts';
import { wallClockOf } from '../../kit/sheets/wall-clock.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import type { Form } from '../../kit/web/pipeline/form.ts';
import { type Column, fileOf, renderItems } from '../columns.ts';
import { noteExport } from '../exports.ts';
import { type Faults, readAmount, renderFaults, renderField, renderSelect } from '../forms.ts';
import { refuseIncomplete } from '../incomplete.ts';
import { nameOf, sayWhich } from '../sale-columns.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { whenOf } from '../words.ts';
import { FAULTY } from './entry-pages.ts';
import { withSale } from './with-sale.ts';

export interface RefundParts {
  readonly sales: Sales;
  readonly groupViews: InGroups<GroupView>;
  readonly catalogue: Catalogue;
  readonly confirmRefund: ConfirmRefund;
  readonly auditLog: AuditLog;
}

const REFUNDS = { right: 'refunds' } as const;

/** Refunds of one channel that are read at once, and that are shown or sent at most. */
const BATCH = 100;
const MOST_SHOWN = 100;
const MOST_IN_FILE = 5_000;

/** The last day on which the channel is to confirm that it has returned the money. */
const confirmBy = (sale: Sale): CalendarDate | undefined =>
  isCancelled(sale)
    ? addDays(businessDay(sale.cancelledAt), findLegalPeriod('refund', sale.terms.soldOn).days)
    : undefined;

const dayOf = (day: CalendarDate | undefined): string => (day ? formatDate(day) : '');

const COLUMNS: readonly Column<Sale>[] = [
  {
    ...{ header: 'Venda', width: 12, format: '0', cell: ({ id }) => id },
    show: ({ id }, { at }) => html`<a href="${at(`/sales/${id}`)}">${String(id)}</a>`,
  },
  {
    ...{ header: 'Segurado', width: 30, cell: nameOf },
    show: (sale) => html`<span class="long">${nameOf(sale)}</span>`,
  },
  { header: 'Canal', width: 20, cell: ({ terms }) => terms.channelLink },
  {
    ...{ header: 'A devolver', width: 12, format: '#,##0.00' },
    cell: (sale) => toReais(refundPending(sale)),
    show: (sale) => html`<span class="amount">${formatReais(refundPending(sale))}</span>`,
  },
  {
    ...{ header: 'Cancelada', width: 18, format: 'dd/mm/yyyy hh:mm' },
    cell: (sale) => (isCancelled(sale) ? wallClockOf(sale.cancelledAt) : null),
    show: (sale, { now }) => (isCancelled(sale) ? whenOf(sale.cancelledAt, now) : ''),
  },
  { header: 'Confirmar até', width: 14, cell: (sale) => dayOf(confirmBy(sale)) },
  { header: 'Protocolo', width: 26, cell: (sale) => protocolOf(sale) ?? '' },
  {
    ...{ header: 'No canal', width: 20, cell: ({ terms }) => terms.externalSaleId ?? '' },
    show: ({ id }, { at }) => html`<a href="${at(`/sales/${id}/refund`)}">Confirmar</a>`,
  },
];

const PAGE_COLUMNS = COLUMNS.map((column) =>
  column.header === 'No canal' ? { ...column, header: 'Ação' } : column,
);

/** What channels owe, the oldest cancellation first. */
const readOwed = async (
  { groupViews, catalogue }: RefundParts,
  channel: string | undefined,
  limit: number,
): Promise<readonly Sale[]> => {
  const { channels } = await catalogue.current();
  const all: Sale[] = [];
  for (const channelLink of channel === undefined ? channels.keys() : [channel]) {
    let found: readonly Sale[] = [];
    const own: Sale[] = [];
    do {
      const last = own.at(-1);
      const after =
        last && isCancelled(last) ? { cancelledAt: last.cancelledAt, id: last.id } : undefined;
      const asked = await askGroups(groupViews(), ({ sales }) =>
        sales.owedBy({ channelLink, limit: BATCH, after }),
      );
      refuseIncomplete(asked.incomplete);
      // A channel is in one group.
      found = [...asked.found.values()].flat();
      own.push(...found);
    } while (found.length === BATCH && own.length < limit);
    all.push(...own);
  }
  const endOf = (sale: Sale): string => (isCancelled(sale) ? sale.cancelledAt : '');
  return all.sort((one, other) => (endOf(one) < endOf(other) ? -1 : 1)).slice(0, limit);
};

/** The channel that the address names, and whether there is one of this name; empty: all channels. */
const channelIn = async ({ query }: OwnVisit, { catalogue }: RefundParts) => {
  const typed = query('channel') ?? '';
  const { channels } = await catalogue.current();
  return { typed, channels, isKnown: typed === '' || channels.has(typed) };
};

const showRefunds =
  (parts: RefundParts): OwnPage['answer'] =>
  async (visit): Promise<Answer> => {
    const { typed, channels, isKnown } = await channelIn(visit, parts);
    const owed = isKnown ? await readOwed(parts, typed || undefined, MOST_SHOWN + 1) : [];
    const shown = owed.slice(0, MOST_SHOWN);
    const faults: Faults = isKnown ? {} : { channel: 'Escolha um canal da lista.' };
    const links = [...channels.keys()].map((link) => [link, link] as const);
    const addressOf = (form: string): string =>
      `${visit.at('/refunds/file')}?${new URLSearchParams({ channel: typed, form })}`;
    return {
      title: 'Devoluções',
      ...(!isKnown && FAULTY),
      content: html`<h1>Devoluções a confirmar</h1>
<p class="soft">O que os canais receberam e devem devolver. O que o serviço recebeu, ele mesmo devolve.</p>
${renderFaults(faults)}
<form class="filters" action="${visit.at('/refunds')}" aria-label="Filtros">
${renderSelect({ name: 'channel', label: 'Canal', value: typed }, [['', 'todos'], ...links], faults)}
<button>Mostrar</button></form>
${shown.length > 0 ? renderItems('A mais antiga primeiro', PAGE_COLUMNS, shown, visit) : isKnown && html`<p role="status">Nada a devolver.</p>`}
${owed.length > MOST_SHOWN && html`<p role="status">Há mais: escolha um canal, ou baixe o arquivo.</p>`}
${isKnown && html`<p>Até ${String(MOST_IN_FILE)} em arquivo: <a href="${addressOf('csv')}">CSV</a> <a href="${addressOf('xlsx')}">XLSX</a></p>`}`,
    };
  };

const sendRefunds =
  (parts: RefundParts): OwnPage['answer'] =>
  async (visit): Promise<Answer> => {
    const { typed, isKnown } = await channelIn(visit, parts);
    if (!isKnown) return { goTo: `/refunds${visit.search}` };
    const owed = await readOwed(parts, typed || undefined, MOST_IN_FILE);
    await noteExport(parts.auditLog, visit, owed.length, { refunds: 'owed', channel: typed });
    return { file: await fileOf('Devolucoes', COLUMNS, owed, visit.query('form')) };
  };

const METHOD_WORDS: Readonly<Record<ChannelRefund['method'], string>> = {
  ...{ pix: 'Pix', credit: 'cartão de crédito', debit: 'cartão de débito' },
  ...{ transfer: 'transferência', cash: 'dinheiro', other: 'outro' },
};

const readRefund = (
  form: Form,
  sale: Sale,
  today: CalendarDate,
): { readonly refund: ChannelRefund } | { readonly faults: Faults } => {
  const amount = readAmount(form.one('amount'));
  const on = parseDate(form.one('on') ?? '');
  const method = REFUND_METHODS.find((each) => each === form.one('method'));
  const reference = (form.one('reference') ?? '').trim();
  const isInTime = on !== undefined && on >= sale.terms.soldOn && on <= today;
  const faults: Faults = {
    ...((amount === undefined || amount <= 0) && { amount: 'Escreva o valor, como 150,00.' }),
    ...(!isInTime && { on: 'Escreva o dia da devolução: depois da venda, e até hoje.' }),
    ...(!method && { method: 'Escolha como o dinheiro voltou.' }),
    ...(reference.length > 100 && { reference: 'Escreva até 100 caracteres.' }),
  };
  if (amount === undefined || on === undefined || !method || Object.keys(faults).length > 0)
    return { faults };
  return { refund: { amount, on, method, ...(reference !== '' && { reference }) } };
};

const confirmPages = (parts: RefundParts): readonly OwnPage[] => {
  const show = (visit: OwnVisit, sale: Sale, faults: Faults = {}, problem?: string): Answer => {
    const { form, at, now } = visit;
    const pending = refundPending(sale);
    const today = businessDay(now);
    const typed = (name: string, otherwise: string): string => form.one(name) ?? otherwise;
    const fields: Html = html`${renderField({ name: 'amount', label: 'Valor devolvido', hint: `A loja deve ${formatReais(pending)}`, value: typed('amount', formatDecimal(pending).replace('.', ',')), attributes: html`inputmode="decimal" maxlength="20" autocomplete="off" required` }, faults)}
${renderField({ name: 'on', label: 'Dia', value: typed('on', today), attributes: html`type="date" required` }, faults)}
${renderSelect(
  { name: 'method', label: 'Como voltou', value: typed('method', 'pix') },
  REFUND_METHODS.map((each) => [each, METHOD_WORDS[each]] as const),
  faults,
)}
${renderField({ name: 'reference', label: 'Número da devolução na loja', hint: 'Se houver. Sem dados do segurado.', value: typed('reference', ''), attributes: html`maxlength="100" autocomplete="off"` }, faults)}`;
    return {
      title: 'Confirmar a devolução',
      ...((problem || Object.keys(faults).length > 0) && FAULTY),
      content: html`<div class="narrow"><h1>Confirmar a devolução</h1>${sayWhich(sale)}
${problem && html`<div class="alert" role="alert"><p>${problem}</p></div>`}${renderFaults(faults)}
<p>Anota que a loja já devolveu ao cliente. O serviço não move dinheiro.</p>
<form method="post" action="${at(`/sales/${sale.id}/refund`)}" novalidate>${fields}
<button>Confirmar</button> <a href="${at('/refunds')}">Voltar</a></form></div>`,
    };
  };
  const place = { ...REFUNDS, path: '/sales/:id/refund' } as const;
  return [
    { ...place, method: 'get', answer: withSale(parts, (visit, sale) => show(visit, sale)) },
    {
      ...{ ...place, method: 'post' },
      answer: withSale(parts, async (visit, sale): Promise<Answer> => {
        const read = readRefund(visit.form, sale, businessDay(visit.now));
        if ('faults' in read) return show(visit, sale, read.faults);
        const outcome = await parts.confirmRefund(sale, read.refund, visit.actor);
        if (!isRefusal(outcome)) return { goTo: `/sales/${sale.id}?done=refund` };
        return outcome.kind === 'refund_too_large'
          ? show(visit, sale, {
              amount: `É mais do que a loja deve: ${formatReais(refundPending(sale))}.`,
            })
          : show(visit, sale, {}, 'Não há devolução que a loja deva fazer nesta venda.');
      }),
    },
  ];
};

/** The pages on which finance sees what channels owe, and notes what they have returned. */
export const createRefundPages = (parts: RefundParts): readonly OwnPage[] => [
  { ...REFUNDS, method: 'get', path: '/refunds', answer: showRefunds(parts) },
  { ...REFUNDS, method: 'get', path: '/refunds/file', isFile: true, answer: sendRefunds(parts) },
  ...confirmPages(parts),
];
