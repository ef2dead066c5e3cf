import { isRefusal, type Sale } from '#domain';
import {
  type AlertRecord,
  type AlertRecords,
  MAX_ALERT_NOTE,
} from '../../../application/alerts/alert-records.ts';
import { runbookOf } from '../../../application/alerts/alerts.ts';
import type { ResolveAlert } from '../../../application/alerts/resolve-alert.ts';
import type { GroupView } from '../../../application/all-groups/group-view.ts';
import { askGroups, type InGroups } from '../../../application/groups/in-groups.ts';
import {
  mergeLists,
  mergeNumbered,
  type Places,
  writePlaces,
} from '../../../application/groups/merge-lists.ts';
import type { Mailing } from '../../../application/mail/mailings.ts';
import { mailingId, parseMailingId } from '../../../application/mailing-name.ts';
import { may } from '../../../application/people/roles.ts';
import type { RetryMailing } from '../../../application/servicing/retry-mailing.ts';
import type { WebhookEndpoint } from '../../../application/webhooks/endpoints.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { isSerialNumber } from '../../kit/web/pipeline/list-answers.ts';
import { type Faults, renderFaults, renderField, renderTable } from '../forms.ts';
import { placesIn, renderIncomplete } from '../incomplete.ts';
import { nameOf } from '../sale-columns.ts';
import { missingIn } from '../sale-words.ts';
import { ALERT_WORDS } from '../value-words.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { whenOf } from '../words.ts';
import { FAULTY } from './entry-pages.ts';

export interface AlertParts {
  readonly alertRecords: AlertRecords;
  readonly resolveAlert: ResolveAlert;
  readonly retryMailing: RetryMailing;
  readonly groupViews: InGroups<GroupView>;
  /** The public URL, without `/api`. */
  readonly publicUrl: string;
}

const ALERTS = { right: 'alerts' } as const;

const PAGE = 50;

const saleLink = (saleId: number | null | undefined, at: OwnVisit['at']): Html =>
  html`${saleId && html`<a href="${at(`/sales/${saleId}`)}">${String(saleId)}</a>`}`;

/** An alert, and the sale that it is about. */
interface AlertOfSale {
  readonly alert: AlertRecord;
  readonly sale: Sale | undefined;
}

/** The open alerts of all groups, the newest first. */
export const readAlerts = (groupViews: AlertParts['groupViews'], places: Places, limit: number) =>
  mergeNumbered<GroupView, AlertOfSale>({
    ...{ ports: groupViews(), places, limit },
    read: async ({ alertRecords, sales }, before, most) => {
      const alerts = await alertRecords.list({ status: 'open', before, limit: most });
      return Promise.all(
        alerts.map(async (alert) => ({
          alert,
          sale: alert.saleId ? await sales.load(alert.saleId) : undefined,
        })),
      );
    },
    numberOf: ({ alert }) => alert.id,
    timeOf: ({ alert }) => alert.firstAt,
  });

const readMails = (groupViews: AlertParts['groupViews']) =>
  mergeLists<GroupView, Mailing>({
    ...{ ports: groupViews(), places: new Map(), limit: PAGE },
    read: ({ mailings }, _, limit) => mailings.list({ status: 'undelivered', limit }),
    placeOf: mailingId,
    timeOf: ({ requestedAt }) => requestedAt,
  });

/** The webhooks of all groups that answer. */
const readEndpoints = async (groupViews: AlertParts['groupViews']) => {
  const { found } = await askGroups(groupViews(), (view) => view.webhookEndpoints.list(undefined));
  return [...found.values()].flat();
};

export const renderAlerts = (
  alerts: readonly AlertOfSale[],
  { at, now, who }: OwnVisit,
  publicUrl: string,
): Html =>
  renderTable(
    'Alertas abertos, os mais novos primeiro',
    ['Alerta', 'Venda', 'O que falta', 'Desde', 'Última vez', 'Vezes', 'O que fazer'],
    alerts.map(({ alert, sale }) => [
      html`<span class="long">${ALERT_WORDS[alert.kind]}<br><span class="soft">${alert.kind}, ${alert.subject}</span></span>`,
      html`${saleLink(alert.saleId, at)}${sale && html`<br><span class="long">${nameOf(sale)}</span>`}`,
      sale ? missingIn(sale, now) : '',
      whenOf(alert.firstAt, now),
      whenOf(alert.lastAt, now),
      String(alert.times),
      html`<a href="${runbookOf(alert.kind, publicUrl)}">Guia</a>${
        may(who.person.role, 'resolve') &&
        html` · <a href="${at(`/alerts/${alert.id}`)}">Encerrar</a>`
      }`,
    ]),
  );

const renderMails = (mails: readonly Mailing[], { at, now, who }: OwnVisit): Html =>
  renderTable(
    'E-mails que não foram entregues, os mais novos primeiro',
    ['Envio', 'Venda', 'Pedido', 'Falhas', 'Motivo', 'Ação'],
    mails.map((mail) => [
      mailingId(mail),
      saleLink(mail.saleId, at),
      whenOf(mail.requestedAt, now),
      String(mail.failures),
      html`<span class="long">${mail.reason ?? ''}</span>`,
      html`${
        may(who.person.role, 'resolve') &&
        html`<form method="post" action="${at('/alerts/mails')}"><button class="plain" name="mailing" value="${mailingId(mail)}">Tentar de novo</button></form>
<a href="${at(`/sales/${mail.saleId}/email`)}">Corrigir o e-mail</a>`
      }`,
    ]),
  );

const renderWebhooks = (endpoints: readonly WebhookEndpoint[], { now }: OwnVisit): Html =>
  renderTable(
    'Webhooks que falham ou foram desativados',
    ['Webhook', 'Canal', 'Desde', 'Situação'],
    endpoints.map(({ id, url, channelLink, failingSince, disabled }) => {
      const since = disabled?.at ?? failingSince;
      return [
        html`<span class="long">${id}<br><span class="soft">${new URL(url).host}</span></span>`,
        channelLink,
        since ? whenOf(since, now) : '',
        disabled ? `desativado (${disabled.reason})` : 'falha, e é tentado de novo',
      ];
    }),
  );

/** A table, or the sentence that there is nothing to do. */
const orNothing = (items: readonly unknown[], table: Html, nothing: string): Html =>
  items.length === 0 ? html`<p class="soft">${nothing}</p>` : table;

const showAlerts =
  (parts: AlertParts): OwnPage['answer'] =>
  async (visit): Promise<Answer> => {
    const { groupViews, publicUrl } = parts;
    const [found, mails, endpoints] = await Promise.all([
      readAlerts(groupViews, placesIn(visit), PAGE),
      readMails(groupViews),
      readEndpoints(groupViews),
    ]);
    const { items: alerts, next, incomplete } = found;
    const failing = endpoints.filter(
      ({ failingSince, disabled }) => failingSince !== undefined || disabled !== undefined,
    );
    return {
      title: 'Alertas',
      content: html`<h1>O que precisa de alguém</h1>
${renderIncomplete(incomplete)}
<section><h2>Alertas</h2>${orNothing(alerts, renderAlerts(alerts, visit, publicUrl), 'Nenhum alerta aberto.')}
${next && html`<p><a class="button" href="${visit.at('/alerts')}?${new URLSearchParams({ after: writePlaces(next) })}">Mais antigos</a></p>`}</section>
<section><h2>E-mails</h2>${orNothing(mails.items, renderMails(mails.items, visit), 'Todos os e-mails foram entregues, ou esperam o envio.')}</section>
<section><h2>Webhooks</h2>${orNothing(failing, renderWebhooks(failing, visit), 'Todos os webhooks funcionam.')}</section>`,
    };
  };

const resolvePages = ({ alertRecords, resolveAlert }: AlertParts): readonly OwnPage[] => {
  const show = async (visit: OwnVisit, faults: Faults = {}): Promise<Answer> => {
    const id = visit.parameter('id');
    const alert = isSerialNumber(id) ? await alertRecords.find(Number(id)) : undefined;
    if (alert === undefined) return UNKNOWN;
    const { kind, subject, resolution } = alert;
    return {
      title: 'Encerrar alerta',
      content: html`<div class="narrow"><h1>Encerrar o alerta</h1>
${renderFaults(faults)}
<p><strong>${ALERT_WORDS[kind]}</strong> <span class="soft long">${kind}, ${subject}</span></p>
${
  resolution
    ? html`<p role="status">Já foi encerrado por ${resolution.by}: ${resolution.note}</p>`
    : html`<form method="post" action="${visit.at(`/alerts/${id}`)}" novalidate>
${renderField({ name: 'note', label: 'O que foi feito', hint: 'Fica no registro de auditoria. Sem dados do segurado.', value: visit.form.one('note') ?? '', attributes: html`maxlength="${MAX_ALERT_NOTE}" autocomplete="off" required` }, faults)}
<button>Encerrar</button></form>`
}
<p><a href="${visit.at('/alerts')}">Voltar</a></p></div>`,
      ...(Object.keys(faults).length > 0 && FAULTY),
    };
  };

  return [
    { right: 'resolve', method: 'get', path: '/alerts/:id', answer: (visit) => show(visit) },
    {
      ...{ right: 'resolve', method: 'post', path: '/alerts/:id' },
      async answer(visit) {
        const note = visit.form.one('note') ?? '';
        if (note === '' || note.length > MAX_ALERT_NOTE)
          return show(visit, {
            note: `Escreva o que foi feito, com até ${MAX_ALERT_NOTE} caracteres.`,
          });
        const id = visit.parameter('id');
        if (!isSerialNumber(id)) return UNKNOWN;
        const resolved = await resolveAlert(Number(id), note, visit.actor);
        return isRefusal(resolved) ? UNKNOWN : { goTo: '/alerts' };
      },
    },
  ];
};

const UNKNOWN: Answer = {
  ...{ status: 404, errorCode: 'not_found', title: 'Não encontrado' },
  content: html`<h1>Não encontrado</h1><p>Não há alerta ou envio com este número.</p>`,
};

/** What needs a person, over all channels, each with what to do about it. */
export const createAlertPages = (parts: AlertParts): readonly OwnPage[] => [
  { ...ALERTS, method: 'get', path: '/alerts', answer: showAlerts(parts) },
  {
    ...{ right: 'resolve', method: 'post', path: '/alerts/mails' },
    async answer({ form, actor }) {
      const name = parseMailingId(form.one('mailing') ?? '');
      const retried = name && (await parts.retryMailing(name, actor));
      // One that waits again, or was sent meanwhile, needs nobody.
      const isUnknown =
        retried === undefined || (isRefusal(retried) && retried.kind === 'mailing_unknown');
      return isUnknown ? UNKNOWN : { goTo: '/alerts' };
    },
  },
  ...resolvePages(parts),
];
