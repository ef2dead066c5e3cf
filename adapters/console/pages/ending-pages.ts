import {
  type CancellationFigures,
  formatReais,
  isUnpaid,
  type Sale,
  STATED_REASONS,
  type StatedReason,
} from '#domain';
import { type Html, html } from '../../kit/web/pages/html.ts';
import type { Form } from '../../kit/web/pipeline/form.ts';
import { BY_WORDS } from '../acts.ts';
import { type Faults, renderField, renderSelect } from '../forms.ts';
import { refundAnswer } from '../sale-words.ts';
import type { OwnPage } from '../visit.ts';
import { createMoneyPages, goesBack, type MoneyPage, type MoneyParts } from './money-pages.ts';

/** The longest text that an act keeps. */
const MAX_TEXT = 500;

/** A field of words for the audit log. */
export const renderNote = (name: string, label: string, form: Form, faults: Faults): Html =>
  renderField(
    {
      ...{ name, label, value: form.one(name) ?? '' },
      hint: 'Fica no registro de auditoria. Sem dados do segurado.',
      attributes: html`maxlength="${MAX_TEXT}" autocomplete="off" required`,
    },
    faults,
  );

/** What was typed into a field of words; undefined: nothing, or too much. */
export const readNote = (form: Form, name: string): string | undefined => {
  const note = (form.one(name) ?? '').trim();
  return note === '' || note.length > MAX_TEXT ? undefined : note;
};

export const NOTE_FAULT = `Escreva por quê, com até ${MAX_TEXT} caracteres.`;

const WHY: Readonly<Record<CancellationFigures['reason'], string>> = {
  not_paid: 'a venda não foi paga',
  withdrawal: 'está no prazo de arrependimento',
  cancellation: 'o prazo de arrependimento passou',
  not_issued: 'a apólice não foi emitida',
  charged_back: 'o banco devolveu o pagamento',
  payment_lost: 'o dinheiro não está lá',
};

const sayFigures = (figures: CancellationFigures): Html => {
  const { by, reason, refund, kept, usedDays, totalDays } = figures;
  const used = reason === 'cancellation' && ` (${usedDays} de ${totalDays} dias usados)`;
  const parts =
    refund.total > 0 && ` (prêmio ${formatReais(refund.net)}, IOF ${formatReais(refund.iof)})`;
  return html`<strong>${goesBack(refund.total)}</strong>${parts}, ficam ${formatReais(kept.total)}: ${by === 'insurer' && reason === 'cancellation' ? 'a seguradora fica com os dias corridos' : WHY[reason]}${used}.`;
};

const REASON_WORDS: Readonly<Record<StatedReason['reason'], string>> = {
  withdrawal: 'Arrependimento',
  event_cancelled: 'O evento foi cancelado',
  duplicate: 'Comprado duas vezes',
  customer_request: 'O cliente pediu',
  other: 'Outro',
};

const CANCEL: MoneyPage = {
  ...{ path: 'cancel', right: 'assist', title: 'Cancelar a venda' },
  ...{ button: 'Cancelar a venda', done: 'cancelled', isPreselected: true },
  choicesOf: (sale) =>
    // The insurer's side ends an unpaid sale by giving it up.
    (isUnpaid(sale) ? (['insured'] as const) : (['insured', 'insurer'] as const)).map((by) => ({
      ...{ value: by, act: { kind: 'cancel', by } },
      say: ({ figures }) => html`Cancelar ${BY_WORDS[by]}: ${figures && sayFigures(figures)}`,
    })),
  renderFields: (sale, form, faults) => html`
<p>O seguro acaba hoje, e o segurado recebe um e-mail. ${refundAnswer(sale)}</p>
${renderSelect(
  { name: 'reason', label: 'Motivo', value: form.one('reason') ?? 'customer_request' },
  STATED_REASONS.map((each) => [each, REASON_WORDS[each]] as const),
  faults,
)}
${renderField({ name: 'text', label: 'Em palavras', hint: 'Obrigatório com o motivo Outro. Aparece só na prova da venda.', value: form.one('text') ?? '', attributes: html`maxlength="${MAX_TEXT}" autocomplete="off"` }, faults)}`,
  read(choice, form) {
    const reason = STATED_REASONS.find((each) => each === form.one('reason'));
    const text = readNote(form, 'text');
    const faults: Faults = {
      ...(choice !== 'insured' && choice !== 'insurer' && { choice: 'Escolha quem encerra.' }),
      ...(reason === undefined && { reason: 'Escolha um motivo.' }),
      ...(reason === 'other' && text === undefined && { text: NOTE_FAULT }),
      ...((form.one('text') ?? '').length > MAX_TEXT && { text: NOTE_FAULT }),
    };
    if (reason === undefined || Object.keys(faults).length > 0) return { faults };
    const stated = { reason, ...(text !== undefined && { text }) };
    return { act: { kind: 'cancel', by: choice === 'insurer' ? 'insurer' : 'insured', stated } };
  },
};

const GIVE_UP: MoneyPage = {
  ...{ path: 'give-up', right: 'settle', title: 'Desistir da venda' },
  ...{ button: 'Desistir da venda', done: 'cancelled', isPreselected: true },
  choicesOf: () => [
    {
      ...{ value: 'give_up', act: { kind: 'give_up', reason: '' } },
      say: ({ amount }) =>
        html`A venda termina sem seguro: <strong>${goesBack(amount)}</strong>. Cobranças em aberto são retiradas, o que vier depois volta inteiro, e o segurado recebe um e-mail.`,
    },
  ],
  renderFields: (_: Sale, form, faults) => renderNote('reason', 'Por que se desiste', form, faults),
  read(_, form) {
    const reason = readNote(form, 'reason');
    return reason === undefined
      ? { faults: { reason: NOTE_FAULT } }
      : { act: { kind: 'give_up', reason } };
  },
};

/** The pages that end a sale. */
export const createEndingPages = (parts: MoneyParts): readonly OwnPage[] =>
  [CANCEL, GIVE_UP].flatMap((page) => createMoneyPages(page, parts));
