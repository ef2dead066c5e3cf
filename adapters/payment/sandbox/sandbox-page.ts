import { formatDate, formatReais, type PaymentMethod } from '#domain';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { drawQrCode } from '../../kit/web/pages/qr-code.ts';
import { drawBarCode } from './draw-bar-code.ts';
import { createBoleto, createPixCode } from './payment-codes.ts';
import { SANDBOX_CARDS } from './sandbox-cards.ts';
import {
  describeDeadline,
  renderContact,
  renderFacts,
  renderForm,
  renderLayout,
  renderWayBack,
  type Shown,
} from './sandbox-layout.ts';
import { methodsOf, type SandboxCharge } from './sandbox-ledger.ts';

type FormField = 'number' | 'holder' | 'expiry' | 'cvv' | 'amount';

/**
 * What the payer did last, and its faults. The page repeats the number of a test card that was
 * picked, and no other number or code.
 */
export interface PageState {
  /** The form that was sent. */
  readonly method?: PaymentMethod;
  readonly faults: Readonly<Partial<Record<FormField, string>>>;
  readonly problem?: string;
  readonly typed: Readonly<Partial<Record<FormField, string>>>;
  readonly notice: string;
}

export const NO_FAULTS: PageState = { faults: {}, typed: {}, notice: 'once' };

/** Renders a field with its fault. The first field with a fault gets the focus. */
const renderInput = (
  name: FormField,
  label: string,
  attributes: Html,
  { faults, typed }: PageState,
  id: string = name,
): Html => {
  const fault = faults[name];
  const [first] = Object.keys(faults);
  const state =
    fault === undefined ? '' : html` aria-invalid="true" aria-describedby="${id}-fault"`;
  return html`<div><label for="${id}">${label}</label>
<input id="${id}" name="${name}" required value="${typed[name] ?? ''}" ${attributes}${state}${first === name && html` autofocus`}>
${fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`}</div>`;
};

/** A test card as the payer reads it: in groups of four digits. */
const groupsOf = (number: string): string => number.replaceAll(/\d{4}(?=\d)/g, '$& ');

const TEST_CARDS = html`<details class="quiet"><summary>Cartões de teste</summary>
<div><p class="soft">Escolha um: o que já foi digitado fica.</p>
<ul>${SANDBOX_CARDS.map(({ number, portuguese }) => html`<li><button class="small" name="test_card" value="${number}">${groupsOf(number)}</button>${portuguese.replaceAll('`', '')}</li>`)}</ul></div>
</details>`;

const renderCardForm = ({ charge }: Shown, state: PageState): Html =>
  renderForm(
    charge,
    state.notice,
    html`<input type="hidden" name="method" value="card">
${renderInput('number', 'Número do cartão', html`inputmode="numeric" autocomplete="cc-number" maxlength="23"`, state)}
${renderInput('holder', 'Nome impresso no cartão', html`autocomplete="cc-name" maxlength="100"`, state)}
<div class="pair">
${renderInput('expiry', 'Validade (MM/AA)', html`autocomplete="cc-exp" inputmode="numeric" maxlength="5"`, state)}
${renderInput('cvv', 'Código de segurança', html`autocomplete="cc-csc" inputmode="numeric" maxlength="4"`, state)}
</div>
<button name="action" value="pay"${state.typed.number && html` autofocus`}>Pagar ${formatReais(charge.amount)} com cartão</button>
${TEST_CARDS}`,
  );

/** Renders the button with which a tester pays, and the amount: it may be another than is asked for. */
const renderSimulation = (
  { charge }: Shown,
  state: PageState,
  method: 'pix' | 'boleto',
  button: string,
): Html => {
  const isSent = state.method === method;
  const asked = formatReais(charge.amount).replaceAll(/[^\d,.]/g, '');
  const own = isSent ? state : { ...state, faults: {} };
  const typed = { amount: (isSent ? state.typed.amount : undefined) ?? asked };
  return renderForm(
    charge,
    state.notice,
    html`<input type="hidden" name="method" value="${method}">
${renderInput('amount', 'Valor pago (teste)', html`inputmode="decimal" maxlength="20"`, { ...own, typed }, `amount-${method}`)}
<button name="action" value="pay">${button}</button>`,
  );
};

const renderCode = (id: string, label: string, code: string): Html => html`
<p class="soft" id="${id}-label">${label}</p>
<code id="${id}" tabindex="0" aria-labelledby="${id}-label">${code}</code>
<button class="small" type="button" data-copies="${id}" aria-live="polite" hidden>Copiar</button>`;

const renderPixForm = (shown: Shown, state: PageState): Html => {
  const { id, amount } = shown.charge;
  const transaction = id.replaceAll(/[^A-Za-z0-9]/g, '').slice(-25);
  const about = { key: 'sandbox@example.com', merchant: 'Seguros Sandbox', city: 'SAO PAULO' };
  const payload = createPixCode({ ...about, amount, transaction });
  return html`
<p>Leia o código com o aplicativo do seu banco, ou copie o texto abaixo.</p>
<div class="qr" role="img" aria-label="Código QR do Pix">${drawQrCode(payload)}</div>
${renderCode('pix-code', 'Pix copia e cola', payload)}
${renderSimulation(shown, state, 'pix', 'Simular o pagamento por Pix')}`;
};

const renderBoletoForm = (shown: Shown, state: PageState): Html => {
  const { amount, dueOn, saleId } = shown.charge;
  const { barcode, line } = createBoleto(amount, dueOn, String(saleId));
  return html`
<p>Vencimento: ${formatDate(dueOn)}</p>
<div class="bars" role="img" aria-label="Código de barras do boleto">${drawBarCode(barcode)}</div>
${renderCode('boleto-line', 'Linha digitável', line)}
${renderSimulation(shown, state, 'boleto', 'Simular o pagamento do boleto')}`;
};

const FORMS = {
  pix: { name: 'Pix', alone: 'Pague por Pix', render: renderPixForm },
  credit: {
    name: 'Cartão de crédito',
    alone: 'Pague com cartão de crédito',
    render: renderCardForm,
  },
  boleto: { name: 'Boleto', alone: 'Pague o boleto', render: renderBoletoForm },
} as const;

/** The forms of payment; each can be opened if there are several. */
const renderMethods = (shown: Shown, state: PageState): Html => {
  const forms = methodsOf(shown.charge).map((method) => {
    const { render, ...words } = FORMS[method];
    return { ...words, isOpen: state.method === method, form: render(shown, state) };
  });
  const [only, ...others] = forms;
  if (only !== undefined && others.length === 0) return html`<h2>${only.alone}</h2>${only.form}`;
  return html`<h2>Escolha como pagar</h2>${forms.map(
    ({ name, isOpen, form }) =>
      html`<details name="method"${isOpen && html` open`}><summary><h2>${name}</h2></summary><div>${form}</div></details>`,
  )}`;
};

/** The payer confirms what ends the sale for good. */
const renderRefusal = ({ charge }: Shown, { notice }: PageState): Html => html`
<details class="quiet"><summary>Não quero este seguro</summary>
<div><p>Desistir encerra esta compra de vez: nada é cobrado, e não há seguro.</p>
${renderForm(charge, notice, html`<button class="plain" name="action" value="refuse">Desistir do seguro</button>`)}</div>
</details>`;

const NOTICE_LABELS: readonly (readonly [string, string])[] = [
  ['once', 'avisar logo'],
  ['twice', 'avisar duas vezes'],
  ['late', 'avisar meio minuto depois'],
  ['never', 'não avisar'],
];

const renderTestOptions = ({ id }: SandboxCharge, { notice }: PageState): Html => html`
<details>
<summary>Opções de teste</summary>
<div>
<p>Como o serviço fica sabendo do pagamento:</p>
<ul>${NOTICE_LABELS.map(([value, words]) => html`<li>${value === notice ? html`<strong>${words}</strong>` : html`<a href="?notice=${value}">${words}</a>`}</li>`)}</ul>
<p class="soft">Cobrança ${id}</p>
</div>
</details>`;

/** Renders the page of a charge that can be paid. */
export const renderPaymentPage = (shown: Shown, state: PageState = NO_FAULTS): string => {
  const { charge } = shown;
  const { net, iof, amount } = charge;
  return renderLayout(
    'Pagamento do seguro',
    html`<div class="sheet"><h1>Pagamento do seguro</h1>
<p>${describeDeadline(shown)}</p>
<dl class="money">
  <dt>Prêmio líquido</dt><dd>${formatReais(net)}</dd>
  <dt>IOF</dt><dd>${formatReais(iof)}</dd>
  <dt class="total">Total a pagar</dt><dd class="total">${formatReais(amount)}</dd>
</dl>
${renderFacts(shown)}</div>
<div class="sheet">${state.problem !== undefined && html`<p class="alert" role="alert" tabindex="-1" autofocus>${state.problem}</p>`}
${renderMethods(shown, state)}${renderRefusal(shown, state)}${renderContact(shown)}${renderWayBack(charge)}</div>
${renderTestOptions(charge, state)}`,
  );
};
