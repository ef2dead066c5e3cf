import { type Cents, cents, formatReais, isRefusal, type Sale } from '#domain';
import {
  type ActOnSale,
  type ActPreview,
  type ActRefusal,
  mayDo,
} from '../../../application/approvals/act-on-sale.ts';
import type { MoneyAct } from '../../../application/approvals/approval-requests.ts';
import { isProved } from '../../../application/people/keep-sessions.ts';
import type { Right } from '../../../application/people/roles.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import { answerOf } from '../../kit/contract/refusal-answers.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import type { Form } from '../../kit/web/pipeline/form.ts';
import { type Faults, renderFaults } from '../forms.ts';
import { sayWhich } from '../sale-columns.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { FAULTY } from './entry-pages.ts';
import { withSale } from './with-sale.ts';

export interface MoneyParts {
  readonly sales: Sales;
  readonly actOnSale: ActOnSale;
}

/** One of the ways in which an act can be done. */
export interface Choice {
  readonly value: string;
  /** Undefined: the form says how much goes back. */
  readonly act: MoneyAct | undefined;
  /** What will happen, to the cent. */
  readonly say: (preview: ActPreview) => Html;
}

/** An act by which money may go back: a page that says what will happen, and asks once. */
export interface MoneyPage {
  /** Below the page of the sale. */
  readonly path: string;
  readonly right: Right;
  readonly title: string;
  readonly button: string;
  /** What the sale's page says after it. */
  readonly done: string;
  /** Whether the first choice is chosen already. */
  readonly isPreselected: boolean;
  readonly choicesOf: (sale: Sale) => readonly Choice[];
  readonly renderFields: (sale: Sale, form: Form, faults: Faults) => Html;
  /** The act of a choice, with what else was typed; or what is wrong. */
  readonly read: (
    choice: string,
    form: Form,
  ) => { readonly act: MoneyAct } | { readonly faults: Faults };
}

/** The answers to refusals that only people get, because they act on what they have seen. */
const OWN_REFUSALS = {
  no_request: [
    'nothing_to_decide',
    'Nenhum pedido espera nesta venda: venceu, foi encerrado, ou a venda mudou.',
  ],
  other_request: [
    'still_running',
    'Outro pedido já espera nesta venda. Encerre-o antes, ou espere a decisão.',
  ],
  own_request: ['insufficient_scope', 'Quem pediu não pode aprovar: precisa ser outra pessoa.'],
  proof_needed: ['unauthenticated', 'Confirme antes que é você.'],
  not_allowed: ['insufficient_scope', 'O seu papel não permite isto nesta venda.'],
} as const;

const isOwn = (kind: ActRefusal['kind']): kind is keyof typeof OWN_REFUSALS =>
  Object.hasOwn(OWN_REFUSALS, kind);

/** A refusal as a page answers it. */
export const refusalOf = (refusal: ActRefusal) => {
  const { kind } = refusal;
  if (!isOwn(kind)) {
    const { code, message } = answerOf(refusal as Parameters<typeof answerOf>[0]);
    return { status: 409, errorCode: code, message };
  }
  const [errorCode, message] = OWN_REFUSALS[kind];
  return { status: errorCode === 'insufficient_scope' ? 403 : 409, errorCode, message };
};

/** The person of the session, as acts need it. */
export const byOf = ({ who: { person, session }, now, actor }: OwnVisit) => ({
  ...{ person, actor, isProved: isProved(session, now) },
});

interface Seen {
  readonly choice: Choice;
  readonly preview: ActPreview | undefined;
}

/** What each choice would do now; or why none can be done. */
const previewAll = async (
  { choicesOf }: MoneyPage,
  sale: Sale,
  { person }: OwnVisit['who'],
  actOnSale: ActOnSale,
): Promise<{ readonly sale: Sale; readonly seen: readonly Seen[] } | ActRefusal> => {
  let present = sale;
  let refusal: ActRefusal | undefined;
  const seen: Seen[] = [];
  for (const choice of choicesOf(sale)) {
    if (choice.act && !mayDo(person, choice.act, sale)) continue;
    const preview = choice.act && (await actOnSale.preview(present, choice.act));
    if (preview !== undefined && isRefusal(preview)) refusal = preview;
    else {
      present = preview?.sale ?? present;
      seen.push({ choice, preview });
    }
  }
  return seen.length === 0 && refusal ? refusal : { sale: present, seen };
};

const renderChoices = (
  seen: readonly Seen[],
  sale: Sale,
  form: Form,
  isPreselected: boolean,
): Html => {
  const chosen = form.one('choice') ?? (isPreselected ? seen[0]?.choice.value : undefined);
  return html`${seen.map(({ choice: { value, say }, preview }) => {
    const words = say(preview ?? { sale, amount: cents(0), needsSecond: false });
    const amount =
      preview &&
      html`<input type="hidden" name="amount-${value}" value="${String(preview.amount)}">`;
    return seen.length === 1
      ? html`<p>${words}</p><input type="hidden" name="choice" value="${value}">${amount}`
      : html`<div class="choice"><input type="radio" name="choice" id="choice-${value}" value="${value}"${value === chosen && html` checked`}><label for="choice-${value}">${words}</label>${amount}</div>`;
  })}`;
};

const SECOND = html`<p class="note left">Acima do limite, outra pessoa precisa aprovar: o pedido espera por 24 horas, se a venda não mudar.</p>`;

const amountIn = (form: Form, choice: string, act: MoneyAct): Cents => {
  if (act.kind === 'decide' && act.decision.kind === 'returned') return act.decision.amount;
  const typed = form.one(`amount-${choice}`) ?? '';
  return cents(/^\d{1,13}$/.test(typed) ? Number(typed) : 0);
};

/** The page of an act, and what its form does. */
export const createMoneyPages = (page: MoneyPage, parts: MoneyParts): readonly OwnPage[] => {
  const { actOnSale } = parts;

  const show = async (
    visit: OwnVisit,
    sale: Sale,
    problem?: ReturnType<typeof refusalOf>,
    faults: Faults = {},
  ): Promise<Answer> => {
    const back = html`<a href="${visit.at(`/sales/${sale.id}`)}">Voltar</a>`;
    const found = await previewAll(page, sale, visit.who, actOnSale);
    const told = isRefusal(found) ? refusalOf(found) : problem;
    const alert = html`${told && html`<div class="alert" role="alert"><p>${told.message}</p></div>`}`;
    const { title, button, path } = page;
    const status = told
      ? { status: told.status, errorCode: told.errorCode }
      : Object.keys(faults).length > 0 && FAULTY;
    if (isRefusal(found))
      return {
        ...{ title, ...status },
        content: html`<div class="narrow"><h1>${title}</h1>${sayWhich(sale)}${alert}<p>${back}</p></div>`,
      };
    const { seen } = found;
    const choices = renderChoices(seen, found.sale, visit.form, page.isPreselected);
    if (seen[0]?.preview?.needsSecond && !byOf(visit).isProved) return { proveFirst: true };
    return {
      ...{ title, ...status },
      content: html`<div class="narrow"><h1>${title}</h1>${sayWhich(sale)}${alert}${renderFaults(faults)}
<form method="post" action="${visit.at(`/sales/${sale.id}/${path}`)}" novalidate>
<input type="hidden" name="version" value="${String(found.sale.version)}">
${seen.length > 1 ? html`<fieldset id="choice"><legend>O que vai acontecer</legend>${choices}</fieldset>` : choices}
${page.renderFields(found.sale, visit.form, faults)}
${seen.some(({ preview }) => preview?.needsSecond) && SECOND}
<button>${button}</button> ${back}</form></div>`,
    };
  };

  const order = async (visit: OwnVisit, sale: Sale): Promise<Answer> => {
    const { form } = visit;
    const choice = form.one('choice') ?? '';
    const read = page.read(choice, form);
    if ('faults' in read) return show(visit, sale, undefined, read.faults);
    const { act } = read;
    const seen = { version: Number(form.one('version')), amount: amountIn(form, choice, act) };
    const outcome = await actOnSale.order({ sale, act, seen, by: byOf(visit) });
    if (!isRefusal(outcome)) {
      const done = outcome.kind === 'waits' ? 'asked' : page.done;
      return { goTo: `/sales/${sale.id}?done=${done}` };
    }
    if (outcome.kind === 'proof_needed') return { proveFirst: true };
    const present = (await parts.sales.load(sale.id)) ?? sale;
    return show(visit, present, refusalOf(outcome));
  };

  const place = { right: page.right, path: `/sales/:id/${page.path}` } as const;
  return [
    { ...place, method: 'get', answer: withSale(parts, (visit, sale) => show(visit, sale)) },
    { ...place, method: 'post', answer: withSale(parts, order) },
  ];
};

/** An amount that goes back, in words. */
export const goesBack = (amount: Cents): string =>
  amount > 0 ? `voltam ${formatReais(amount)}` : 'nada volta';
