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
  type Sale,
  standingOn,
} from '#domain';
import type { Mailing } from '../../application/mail/mailings.ts';
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

const MAIL_WORDS: Readonly<Record<Mailing['status'], string>> = {
  waiting: 'Ainda não: espera o envio',
  sent: 'Sim, enviado',
  undelivered: 'Não: o servidor do destinatário recusou',
  withdrawn: 'Não: o envio foi retirado',
};

/** Whether the customer got the last mail, as a sentence. @param mails the newest first */
export const mailAnswer = (sale: Sale, mails: readonly Mailing[], now: Instant): string => {
  const [last] = mails;
  if (last === undefined) return 'Nenhum e-mail até agora.';
  const { status, settledAt } = last;
  const when = settledAt ? ` (${whenOf(settledAt, now)})` : '';
  return `${MAIL_WORDS[status]} para ${emailOf(sale)}${when}.`;
};
