import { type CalendarDate, cents, formatDate, formatReais, type Instant } from '#domain';
import { type Html, html } from '../kit/web/pages/html.ts';
import { renderTable } from './forms.ts';
import { STATUS_WORDS } from './sale-words.ts';
import { whenOf } from './words.ts';

/** The label of each field of the API's answer about a sale. */
export const FIELD_WORDS: Readonly<Record<string, string>> = {
  action: 'Ação',
  actor: 'Quem',
  alert_id: 'Alerta',
  alerts: 'Alertas',
  amount: 'Valor',
  amounts: 'Valores',
  answer: 'Resposta',
  at: 'Quando',
  attempts: 'Passos sem resultado conhecido',
  by: 'Por',
  cancellation: 'Cancelamento',
  channelLink: 'Canal',
  charge_id: 'Cobrança',
  client_id: 'Cliente da API',
  code: 'Código',
  commission: 'Comissão',
  commission_rate: 'Taxa da comissão',
  confirmed_at: 'Confirmada',
  details: 'Detalhes',
  dispute: 'Contestação',
  document_url: 'Bilhete ou apólice',
  due_on: 'Vence em',
  expires_at: 'Vale até',
  external_sale_id: 'Nome no canal',
  failures: 'Falhas',
  fim: 'Fim',
  first_at: 'Primeira vez',
  id: 'Número',
  idempotency_key: 'Chave de idempotência',
  inicio: 'Início',
  insurer: 'Seguradora',
  iof: 'IOF',
  iof_rate: 'Alíquota do IOF',
  job: 'Tarefa',
  kept: 'Fica com a seguradora',
  kind: 'Tipo',
  last_at: 'Última vez',
  last_ms: 'Duração (ms)',
  mailing_id: 'Envio',
  mails: 'E-mails',
  method: 'Forma',
  net_amount: 'Repasse',
  net_premium: 'Prêmio líquido',
  next: 'A seguir',
  next_at: 'Próxima tentativa',
  next_try_at: 'Próxima tentativa',
  note: 'Nota',
  occasion: 'Motivo',
  on: 'Dia',
  opened_at: 'Aberta',
  ordered: 'Devolução pedida',
  ordered_at: 'Pedida',
  paid: 'Pago',
  paid_on: 'Pago em',
  payment: 'Pagamento',
  payment_url: 'Link de pagamento',
  plan: 'Plano',
  policy: 'Apólice',
  policy_no: 'Número da apólice',
  product: 'Produto',
  proposal: 'Proposta',
  protocol: 'Protocolo',
  provider: 'Provedor',
  provider_calls: 'Perguntas a provedores',
  question: 'Pergunta',
  quotation: 'Cotação',
  reason: 'Motivo',
  receipts: 'Entradas',
  refund: 'Devolução',
  refund_barred: 'Devolução impedida',
  refund_pending: 'A devolver',
  refund_total: 'Devolução',
  refunds: 'Devoluções',
  refusal_reason: 'Recusa',
  refused: 'Recusada',
  registered_at: 'Registrada',
  request_id: 'Requisição',
  requested_at: 'Pedido',
  resolution: 'Solução',
  respond_by: 'Responder até',
  returned: 'Devolvido',
  runbook: 'O que fazer',
  seller_code: 'Vendedor',
  settled_at: 'Terminado',
  since: 'Desde',
  status: 'Situação',
  step: 'Passo',
  steps: 'Próximos passos',
  text: 'Texto',
  ticket: 'Código do documento',
  times: 'Vezes',
  total: 'Total',
  transaction_id: 'Venda',
  tries: 'Tentativas',
  until: 'Até',
  updated_at: 'Mudada',
  url: 'Endereço',
  vigencia: 'Vigência',
};

/** Fields that hold one of few codes, and the words for those that people meet every day. */
const CODED: ReadonlySet<string> = new Set(['status', 'method', 'occasion', 'by', 'actor']);

const VALUE_WORDS: Readonly<Record<string, string>> = {
  ...STATUS_WORDS,
  ...{ approved: 'aprovado', awaited: 'esperado', declined: 'recusado', unknown: 'desconhecida' },
  ...{ sent: 'enviado', waiting: 'espera o envio', undelivered: 'não entregue' },
  ...{ withdrawn: 'retirado', open: 'aberto', resolved: 'resolvido' },
  ...{ issue: 'emissão', second_copy: 'segunda via', cancellation: 'cancelamento' },
  ...{ credit: 'cartão de crédito', debit: 'cartão de débito', pix: 'Pix', boleto: 'boleto' },
  ...{ channel: 'loja', service: 'serviço', payer: 'pagador', insurer: 'seguradora' },
};

const AMOUNTS: ReadonlySet<string> = new Set([
  ...['net_premium', 'iof', 'total', 'commission', 'net_amount', 'amount', 'returned', 'ordered'],
  ...['refund_total', 'refund_pending'],
]);

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

const renderValue = (name: string, value: string | number | boolean, now: Instant): Html => {
  if (typeof value === 'boolean') return html`${value ? 'sim' : 'não'}`;
  if (typeof value === 'number') {
    if (AMOUNTS.has(name))
      return html`<span class="amount">${formatReais(cents(Math.round(value * 100)))}</span>`;
    return html`${name.endsWith('_rate') ? `${String(value).replace('.', ',')} %` : String(value)}`;
  }
  const words = CODED.has(name) ? VALUE_WORDS[value] : undefined;
  if (words !== undefined) return html`${words}`;
  if (MOMENT.test(value)) return html`${whenOf(value as Instant, now)}`;
  if (DATE.test(value)) return html`${formatDate(value as CalendarDate)}`;
  return /^https?:\/\//.test(value)
    ? html`<a class="long" href="${value}" rel="noreferrer">Abrir</a>`
    : html`<span class="long">${value}</span>`;
};

const labelOf = (name: string): string => FIELD_WORDS[name] ?? name;

const isShown = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

/** A list of objects as a table, with a column for each field that one of them has. */
const renderList = (name: string, items: readonly unknown[], now: Instant): Html => {
  const objects = items.filter((item) => typeof item === 'object' && item !== null) as object[];
  if (objects.length === 0) return html`${items.map(String).join(', ')}`;
  const columns = [
    ...new Set(
      objects.flatMap((item) =>
        Object.entries(item).flatMap(([field, value]) => (isShown(value) ? [field] : [])),
      ),
    ),
  ];
  const rows = objects.map((item) =>
    columns.map((field) => renderAny(field, (item as Record<string, unknown>)[field], now)),
  );
  return renderTable(labelOf(name), columns.map(labelOf), rows);
};

const renderAny = (name: string, value: unknown, now: Instant): Html => {
  if (!isShown(value)) return html``;
  if (Array.isArray(value)) return renderList(name, value, now);
  if (typeof value === 'object') return renderFields(value as object, now);
  return renderValue(name, value as string | number | boolean, now);
};

const renderFields = (answer: object, now: Instant): Html =>
  html`<dl class="facts">${Object.entries(answer)
    .filter(([, value]) => isShown(value))
    .map(
      ([name, value]) => html`<dt>${labelOf(name)}</dt><dd>${renderAny(name, value, now)}</dd>`,
    )}</dl>`;

const isRoom = (value: unknown): boolean => typeof value === 'object' && isShown(value);

/**
 * Shows an answer of the API to a person: first the fields that are values, then a section for each
 * object and list. What the API does not say, the page does not either.
 */
export const renderAnswer = (answer: object, now: Instant): Html => {
  const entries = Object.entries(answer);
  const values = Object.fromEntries(entries.filter(([, value]) => !isRoom(value)));
  const rooms = entries.filter(([, value]) => isRoom(value));
  return html`${renderFields(values, now)}
${rooms.map(([name, value]) => html`<section><h2>${labelOf(name)}</h2>${renderAny(name, value, now)}</section>`)}`;
};
