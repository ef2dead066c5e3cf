import {
  type CalendarDate,
  type Cents,
  cents,
  coverOf,
  emailOf,
  formatDate,
  formatReais,
  goneBack,
  type Instant,
  type NextAct,
  nextActOf,
  type PaymentMethod,
  type Sale,
  standingOn,
} from '#domain';
import type { Mailing } from '../../application/mail/mailings.ts';
import { type MailOccasion, occasionOf } from '../../application/mailing-name.ts';
import { whenOf } from './words.ts';

export const STATUS_WORDS: Readonly<Record<Sale['status'], string>> = {
  pending: 'em processamento',
  awaiting_payment: 'espera o pagamento',
  paid: 'paga',
  issued: 'emitida',
  refused: 'recusada',
  expired: 'vencida sem pagamento',
  cancelled: 'cancelada',
  refunded: 'cancelada e devolvida',
};

const NOT_INSURED: Readonly<Partial<Record<Sale['status'], string>>> = {
  pending: 'Ainda não: a venda está em processamento.',
  awaiting_payment: 'Ainda não: falta o pagamento.',
  paid: 'Ainda não: a seguradora não emitiu a apólice.',
  refused: 'Não: a venda foi recusada.',
  expired: 'Não: o prazo para pagar passou.',
};

/** Whether the customer is insured today, as a sentence. */
export const insuredAnswer = (sale: Sale, today: CalendarDate): string => {
  const { start, end } = coverOf(sale);
  const [from, to] = [formatDate(start), formatDate(end)];
  const standing = standingOn(sale, today);
  if (standing === 'in_force') return `Sim, de ${from} a ${to}.`;
  if (standing === 'to_begin') return `Sim, a partir de ${from}, até ${to}.`;
  if (standing === 'ended') return `Não mais: a vigência terminou em ${to}.`;
  return NOT_INSURED[sale.status] ?? 'Não: o seguro foi cancelado.';
};

const sum = (amounts: readonly number[]): Cents =>
  cents(amounts.reduce((total, amount) => total + amount, 0));

/** Whether the customer was charged, as a sentence. */
export const chargedAnswer = ({ terms, receipts, status }: Sale): string => {
  const { payment } = terms;
  if (payment.collectedBy === 'channel')
    return `Sim, pela loja: ${formatReais(terms.quote.premium.total)} em ${formatDate(payment.paidOn)}.`;
  const received = sum(receipts.map(({ amount }) => amount));
  const returned = sum(receipts.map(goneBack));
  if (received === 0)
    return status === 'awaiting_payment'
      ? 'Ainda não: o link espera o pagamento.'
      : 'Não: nada entrou.';
  const back = returned > 0 ? ` Voltaram ${formatReais(returned)}.` : '';
  return `Sim: entraram ${formatReais(received)}.${back}`;
};

/** What a sale waits for, by the act that is next. */
export const MISSING: Readonly<Record<NextAct['action'], string>> = {
  pay: 'falta o pagamento do cliente',
  charge: 'falta pedir a cobrança ao gateway',
  confirm_payment: 'falta o gateway dizer se o pagamento veio',
  decide_payment: 'falta decidir sobre um pagamento menor que o preço',
  check_payment: 'falta achar um dinheiro que o gateway não mostra mais',
  quote: 'falta o preço da seguradora',
  underwrite: 'falta a decisão da seguradora',
  issue: 'falta a apólice da seguradora',
  refund: 'falta a devolução',
  name_account: 'falta o pagador informar uma conta para a devolução',
  authorize_refund: 'falta autorizar a devolução no gateway',
  answer_dispute: 'falta responder à contestação no banco',
  return_money: 'falta devolver o que o gateway não devolve',
};

/** What a sale waits for, in words. */
export const missingIn = (sale: Sale, now: Instant): string => {
  const next = nextActOf(sale, now);
  const until = next && 'until' in next && next.until ? `, até ${formatDate(next.until)}` : '';
  return next ? `${MISSING[next.action]}${until}` : 'nada falta';
};

/** The same as a sentence. */
export const missingAnswer = (sale: Sale, now: Instant): string => {
  const words = missingIn(sale, now);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
};

const MAIL_NAMES: Readonly<Record<MailOccasion, string>> = {
  issue: 'com o bilhete ou a apólice',
  second_copy: 'com a segunda via',
  cancellation: 'sobre o cancelamento',
  refund_account: 'que pede uma conta',
};

/** What became of a mail. @param name which mail @param when with a blank before it */
const MAIL_WORDS: Readonly<
  Record<Mailing['status'], (name: string, address: string, when: string) => string>
> = {
  waiting: (name, address) => `Ainda não: o e-mail ${name}, para ${address}, espera o envio.`,
  sent: (name, address, when) => `Sim: o e-mail ${name} foi enviado para ${address}${when}.`,
  undelivered: (name, address) => `Não: o servidor de ${address} recusou o e-mail ${name}.`,
  withdrawn: (name) => `Não: o e-mail ${name} foi retirado.`,
};

/** The address that a mail went to: that of the sale at that time. */
const addressAt = ({ terms, corrections = [] }: Sale, at: Instant): string =>
  corrections.findLast((each) => each.at <= at)?.email ?? terms.insured.email;

/** Whether the customer got the last mail, as a sentence. @param mails the newest first */
export const mailAnswer = (sale: Sale, mails: readonly Mailing[], now: Instant): string => {
  const [last] = mails;
  if (last === undefined) return 'Nenhum e-mail até agora.';
  const { status, settledAt } = last;
  const address = status === 'sent' && settledAt ? addressAt(sale, settledAt) : emailOf(sale);
  const when = settledAt ? ` (${whenOf(settledAt, now)})` : '';
  const newer = address === emailOf(sale) ? '' : ` Para ${emailOf(sale)} ainda não seguiu nenhum.`;
  return `${MAIL_WORDS[status](MAIL_NAMES[occasionOf(last)], address, when)}${newer}`;
};

const RETURNS: Readonly<Record<PaymentMethod, string>> = {
  credit: 'O serviço devolve no cartão de crédito: aparece na fatura quando o banco lançar.',
  debit: 'O serviço devolve no cartão de débito.',
  pix: 'O serviço devolve por Pix, à conta que pagou.',
  boleto: 'Foi pago por boleto: o pagador recebe um e-mail e informa uma conta para receber.',
};

/** Who returns money, and how, as a sentence. */
export const refundAnswer = ({ terms, payment, receipts }: Sale): string => {
  if (terms.payment.collectedBy === 'channel')
    return 'Quem devolve é a loja, que recebeu o pagamento.';
  const paid = payment.status === 'approved' ? payment.method : undefined;
  const method = receipts.at(-1)?.method ?? paid ?? terms.payment.method;
  return method ? RETURNS[method] : 'O serviço devolve pelo meio em que foi pago.';
};
