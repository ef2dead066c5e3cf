import { formatReais, isRefusal, isUnpaid, outstandingRefunds, plus, type Sale } from '#domain';
import type { Decision } from '../../../application/collection/decide-payment.ts';
import type { RetrySale } from '../../../application/servicing/retry-sale.ts';
import { answerOf } from '../../kit/contract/refusal-answers.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import type { Form } from '../../kit/web/pipeline/form.ts';
import { type Faults, readAmount, renderField } from '../forms.ts';
import { sayWhich } from '../sale-columns.ts';
import { missingIn, refundAnswer } from '../sale-words.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { NOTE_FAULT, readNote, renderNote } from './ending-pages.ts';
import {
  type Choice,
  createMoneyPages,
  goesBack,
  type MoneyPage,
  type MoneyParts,
} from './money-pages.ts';
import { withSale } from './with-sale.ts';

export interface DecisionParts extends MoneyParts {
  readonly retrySale: RetrySale;
}

const receivedOf = ({ receipts }: Sale) => plus(...receipts.map(({ amount }) => amount));

const decide = (decision: Decision, note = '') => ({ kind: 'decide', decision, note }) as const;

const ACCEPT: Choice = {
  ...{ value: 'accept', act: decide({ kind: 'accept' }) },
  say: ({ sale }) =>
    html`Aceitar: entraram ${formatReais(receivedOf(sale))} de ${formatReais(sale.payment.amount)}, e a venda segue como paga. Quem aceita arca com a diferença.`,
};

const RETURN: Choice = {
  ...{ value: 'return', act: decide({ kind: 'return' }) },
  say: ({ amount, sale }) =>
    html`Devolver: a venda termina, e <strong>${goesBack(amount)}</strong>. ${amount > 0 && refundAnswer(sale)}`,
};

const RETURNED: Choice = {
  ...{ value: 'returned', act: undefined },
  say: ({ sale }) =>
    html`Já devolvi por outro meio: o serviço não devolve mais esse valor. Faltam devolver ${formatReais(plus(...outstandingRefunds(sale).map(({ amount }) => amount)))}.`,
};

const isOwedByGateway = (sale: Sale): boolean =>
  !isUnpaid(sale) && outstandingRefunds(sale).some(({ chargeId }) => chargeId !== undefined);

const renderReturned = (
  form: Form,
  faults: Faults,
): Html => html`<div class="returned"><p>Só para o que já foi devolvido por outro meio:</p>
${renderField({ name: 'returned', label: 'Valor devolvido', hint: 'Em reais, como 150,00', value: form.one('returned') ?? '', attributes: html`inputmode="decimal" maxlength="20" autocomplete="off"` }, faults)}
${renderField({ name: 'protocol', label: 'Como o banco chama a transferência', value: form.one('protocol') ?? '', attributes: html`maxlength="100" autocomplete="off"` }, faults)}</div>`;

const readDecision = (choice: string, form: Form): Decision | Faults => {
  if (choice === 'accept' || choice === 'return') return { kind: choice };
  if (choice !== 'returned') return { choice: 'Escolha o que fazer.' };
  const amount = readAmount(form.one('returned'));
  const protocol = (form.one('protocol') ?? '').trim();
  if (amount === undefined || amount <= 0)
    return { returned: 'Escreva o valor devolvido, como 150,00.' };
  if (protocol.length > 100) return { protocol: 'Escreva até 100 caracteres.' };
  return { kind: 'returned', amount, ...(protocol !== '' && { protocol }) };
};

const isDecision = (read: Decision | Faults): read is Decision => 'kind' in read;

const DECIDE: MoneyPage = {
  ...{ path: 'decide', right: 'settle', title: 'Decidir o pagamento' },
  ...{ button: 'Decidir', done: 'decide', isPreselected: false },
  choicesOf: (sale) => [ACCEPT, RETURN, ...(isOwedByGateway(sale) ? [RETURNED] : [])],
  renderFields: (sale, form, faults) =>
    html`${isOwedByGateway(sale) && renderReturned(form, faults)}${renderNote('note', 'Por quê', form, faults)}`,
  read(choice, form) {
    const decision = readDecision(choice, form);
    const note = readNote(form, 'note');
    if (isDecision(decision) && note !== undefined) return { act: decide(decision, note) };
    const faults = isDecision(decision) ? {} : decision;
    return { faults: { ...faults, ...(note === undefined && { note: NOTE_FAULT }) } };
  },
};

const retryPages = (parts: DecisionParts): readonly OwnPage[] => {
  const show = (visit: OwnVisit, sale: Sale, problem?: string): Html =>
    html`<div class="narrow"><h1>Tentar de novo</h1>${sayWhich(sale)}
${problem && html`<div class="alert" role="alert"><p>${problem}</p></div>`}
<p>Nesta venda ${missingIn(sale, visit.now)}. O gateway e a seguradora são perguntados agora, por até meio minuto. Ninguém é cobrado duas vezes, e nada volta duas vezes.</p>
<form method="post" action="${visit.at(`/sales/${sale.id}/retry`)}"><button>Tentar agora</button> <a href="${visit.at(`/sales/${sale.id}`)}">Voltar</a></form></div>`;
  const place = { right: 'settle', path: '/sales/:id/retry' } as const;
  return [
    {
      ...{ ...place, method: 'get' },
      answer: withSale(parts, (visit, sale) => ({
        ...{ title: 'Tentar de novo', content: show(visit, sale) },
      })),
    },
    {
      ...{ ...place, method: 'post' },
      answer: withSale(parts, async (visit, sale): Promise<Answer> => {
        const retried = await parts.retrySale(sale, visit.actor);
        if (!isRefusal(retried)) return { goTo: `/sales/${sale.id}?done=${retried.outcome}` };
        const { status, code, message } = answerOf(retried);
        const content = show(visit, sale, message);
        return { title: 'Tentar de novo', content, status, errorCode: code };
      }),
    },
  ];
};

/** The pages on which a person settles what a sale waits for. */
export const createDecisionPages = (parts: DecisionParts): readonly OwnPage[] => [
  ...createMoneyPages(DECIDE, parts),
  ...retryPages(parts),
];
