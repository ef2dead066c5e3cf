import type { RenderOptions } from 'bwip-js';
import { html, raw } from 'hono/html';
import { formatDate, formatReais, minus } from '#domain';
import { createBoleto } from './boleto-code.ts';
import { createPixCode } from './pix-code.ts';
import { SANDBOX_CARDS } from './sandbox-cards.ts';
import { methodsOf, receivedOf, type SandboxCharge } from './sandbox-ledger.ts';
import { STYLE } from './sandbox-style.ts';

/** A piece of HTML. `html` escapes the values that are inserted into it. */
type Html = ReturnType<typeof html>;

/** What the payer typed, and its faults. The page never repeats the card's number and code. */
export interface PageState {
  readonly faults: Readonly<Partial<Record<CardField, string>>>;
  readonly problem?: string;
  readonly holder?: string;
  readonly expiry?: string;
  readonly notice: string;
}

export type CardField = 'number' | 'holder' | 'expiry' | 'cvv';

export const NO_FAULTS: PageState = { faults: {}, notice: 'once' };

const renderLayout = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<header><p class="note">Ambiente de testes: nenhum dinheiro é movimentado.</p></header>
<main>${content}</main>
</body>
</html>`.toString();

const renderSummary = ({ description, net, iof, amount, id }: SandboxCharge): Html => html`
<h1>Pagamento do seguro</h1>
<p class="soft">${description}</p>
<dl>
  <dt>Prêmio líquido</dt><dd>${formatReais(net)}</dd>
  <dt>IOF</dt><dd>${formatReais(iof)}</dd>
  <dt class="total">Total a pagar</dt><dd class="total">${formatReais(amount)}</dd>
</dl>
<p class="soft">Cobrança ${id}</p>`;

const renderForm = (charge: SandboxCharge, notice: string, fields: Html): Html => html`
<form method="post" action="/sandbox/pay/${charge.id}" novalidate>
<input type="hidden" name="notice" value="${notice}">${fields}
</form>`;

const renderInput = (
  name: CardField,
  label: string,
  attributes: Html,
  { faults }: PageState,
): Html => {
  const fault = faults[name];
  const state =
    fault === undefined ? '' : html` aria-invalid="true" aria-describedby="${name}-fault"`;
  return html`<div><label for="${name}">${label}</label>
<input id="${name}" name="${name}" required ${attributes}${state}>
${fault !== undefined && html`<p class="soft" id="${name}-fault">${fault}</p>`}</div>`;
};

const renderCardForm = (charge: SandboxCharge, state: PageState): Html => html`
<details name="method"${Object.keys(state.faults).length > 0 || state.problem !== undefined || charge.only === 'credit' ? html` open` : ''}>
<summary><h2>Cartão de crédito</h2></summary>
<div>${renderForm(
  charge,
  state.notice,
  html`<input type="hidden" name="method" value="card">
${renderInput('number', 'Número do cartão', html`inputmode="numeric" autocomplete="cc-number" maxlength="23"`, state)}
${renderInput('holder', 'Nome impresso no cartão', html`autocomplete="cc-name" maxlength="100" value="${state.holder ?? ''}"`, state)}
<div class="pair">
${renderInput('expiry', 'Validade (MM/AA)', html`autocomplete="cc-exp" inputmode="numeric" maxlength="5" value="${state.expiry ?? ''}"`, state)}
${renderInput('cvv', 'Código de segurança', html`autocomplete="cc-csc" inputmode="numeric" maxlength="4"`, state)}
</div>
<button name="action" value="pay">Pagar ${formatReais(charge.amount)} com cartão</button>`,
)}</div>
</details>`;

/** Testers may pay another amount than is asked for. */
const renderAmount = ({ amount }: SandboxCharge, method: string): Html => html`
<div><label for="amount-${method}">Valor pago (teste)</label>
<input id="amount-${method}" name="amount" inputmode="decimal" maxlength="20" value="${formatReais(amount).replace(/[^\d,.]/g, '')}"></div>`;

/** Draws a code as SVG. Loads the library on first use, so that it does not slow the start. */
const drawCode = async (options: RenderOptions): Promise<Html> =>
  raw((await import('bwip-js')).default.toSVG(options));

const renderPixForm = async (charge: SandboxCharge, { notice }: PageState): Promise<Html> => {
  const transaction = charge.id.replaceAll(/[^A-Za-z0-9]/g, '').slice(-25);
  const about = { key: 'sandbox@example.com', merchant: 'Seguros Sandbox', city: 'SAO PAULO' };
  const payload = createPixCode({ ...about, amount: charge.amount, transaction });
  const code = await drawCode({ bcid: 'qrcode', text: payload });
  return html`
<details name="method">
<summary><h2>Pix</h2></summary>
<div>
<p>Leia o código com o aplicativo do seu banco, ou copie o texto abaixo.</p>
<div class="qr" role="img" aria-label="Código QR do Pix">${code}</div>
<p class="soft">Pix copia e cola</p><code>${payload}</code>
${renderForm(charge, notice, html`<input type="hidden" name="method" value="pix">${renderAmount(charge, 'pix')}<button name="action" value="pay">Simular o pagamento por Pix</button>`)}
</div>
</details>`;
};

const renderBoletoForm = async (charge: SandboxCharge, { notice }: PageState): Promise<Html> => {
  const { barcode, line } = createBoleto(charge.amount, charge.dueOn, String(charge.saleId));
  const bars = await drawCode({ bcid: 'interleaved2of5', text: barcode, height: 13 });
  return html`
<details name="method"${charge.only === 'boleto' ? html` open` : ''}>
<summary><h2>Boleto</h2></summary>
<div>
<p>Vencimento: ${formatDate(charge.dueOn)}</p>
<div class="bars" role="img" aria-label="Código de barras do boleto">${bars}</div>
<p class="soft">Linha digitável</p><code>${line}</code>
${renderForm(charge, notice, html`<input type="hidden" name="method" value="boleto">${renderAmount(charge, 'boleto')}<button name="action" value="pay">Simular o pagamento do boleto</button>`)}
</div>
</details>`;
};

const FORMS = { pix: renderPixForm, credit: renderCardForm, boleto: renderBoletoForm };

const renderRefusalForm = (charge: SandboxCharge, { notice }: PageState): Html =>
  renderForm(
    charge,
    notice,
    html`<button class="plain" name="action" value="refuse">Recusar o pagamento</button>`,
  );

const NOTICE_LABELS: readonly (readonly [string, string])[] = [
  ['once', 'avisar logo'],
  ['twice', 'avisar duas vezes'],
  ['late', 'avisar meio minuto depois'],
  ['never', 'não avisar'],
];

/** Numbers stand in groups of four, as on a card. */
const renderTestCard = ({ number, portuguese }: (typeof SANDBOX_CARDS)[number]): Html =>
  html`<li>${number.replaceAll(/\d{4}(?=\d)/g, '$& ')}: ${portuguese.replaceAll('`', '')}</li>`;

const renderTestOptions = ({ notice }: PageState): Html => html`
<details>
<summary>Opções de teste</summary>
<div>
<p>Como o serviço fica sabendo do pagamento:</p>
<ul>${NOTICE_LABELS.map(([value, words]) => html`<li>${value === notice ? html`<strong>${words}</strong>` : html`<a href="?notice=${value}">${words}</a>`}</li>`)}</ul>
<p>Cartões:</p>
<ul>${SANDBOX_CARDS.filter(({ isForPage }) => isForPage).map(renderTestCard)}</ul>
</div>
</details>`;

/** The address was checked when the sale was made; its origin is one that the channel registered. */
const renderWayBack = ({ returnUrl }: SandboxCharge): Html =>
  html`${returnUrl !== undefined && html`<p><a href="${returnUrl}" rel="noreferrer">Voltar à loja</a> <span class="soft">(${new URL(returnUrl).host})</span></p>`}`;

/** What the payer's bank decides in the end. */
const renderDispute = (charge: SandboxCharge, { notice }: PageState): Html => html`
<p>O titular do cartão contestou este pagamento. Até o banco decidir, nada é devolvido.</p>
${renderForm(
  charge,
  notice,
  html`<button name="action" value="dispute_won">Simular: a loja ganha a contestação</button>
<button class="plain" name="action" value="dispute_lost">Simular: o banco devolve ao titular</button>`,
)}`;

const renderReceived = (charge: SandboxCharge): Html => {
  const received = receivedOf(charge);
  return html`${received !== charge.amount && html`<p>Valor pago: ${formatReais(received)}; a cobrança era de ${formatReais(charge.amount)}.</p>`}`;
};

const ENDED_MESSAGES: Readonly<Partial<Record<SandboxCharge['status'], string>>> = {
  paid: 'Pagamento confirmado. Obrigado! Não é preciso pagar de novo.',
  refused: 'O pagamento foi recusado por quem ia pagar.',
  declined: 'O pagamento não foi autorizado.',
  closed: 'Este link já não recebe pagamentos.',
};

/** Renders the payment page of a charge. */
export const renderPaymentPage = async (
  charge: SandboxCharge,
  state: PageState = NO_FAULTS,
): Promise<string> => {
  const over = ENDED_MESSAGES[charge.status];
  if (over !== undefined) {
    const back = charge.returned > 0 && ` Já foram devolvidos ${formatReais(charge.returned)}.`;
    const mark = charge.status === 'paid' ? 'done' : 'alert';
    const dispute = charge.dispute === 'open' && renderDispute(charge, state);
    return renderLayout(
      'Pagamento do seguro',
      html`<div class="sheet"><p class="${mark}" role="status">${over}${back}</p>${charge.status === 'paid' && renderReceived(charge)}${dispute}${renderWayBack(charge)}</div><div class="sheet">${renderSummary(charge)}</div>`,
    );
  }
  const methods = await Promise.all(
    methodsOf(charge).map((method) => FORMS[method](charge, state)),
  );
  return renderLayout(
    'Pagamento do seguro',
    html`<div class="sheet">${state.problem !== undefined && html`<p class="alert" role="alert">${state.problem}</p>`}${renderSummary(charge)}</div>
<div class="sheet"><p>Escolha como pagar:</p>${methods}${renderRefusalForm(charge, state)}${renderWayBack(charge)}</div>${renderTestOptions(state)}`,
  );
};

/** Renders the page on which the payer of a boleto names an account for the refund. */
export const renderRefundPage = (charge: SandboxCharge, problem?: string): string => {
  const { id, waiting, returned } = charge;
  if (waiting === undefined)
    return renderLayout(
      'Devolução do seguro',
      html`<div class="sheet"><h1>Devolução do seguro</h1><p role="status">${returned > 0 ? html`Já foram devolvidos ${formatReais(returned)}.` : 'Não há devolução a receber.'}</p></div>`,
    );
  return renderLayout(
    'Devolução do seguro',
    html`<div class="sheet">${problem !== undefined && html`<p class="alert" role="alert">${problem}</p>`}<h1>Devolução do seguro</h1>
<p>${charge.description}</p>
<p>Você recebe <strong>${formatReais(minus(waiting, returned))}</strong>. O pagamento foi por boleto, que não tem conta de origem: informe uma conta em seu nome.</p>
<form method="post" action="/sandbox/refund/${id}" novalidate>
<div><label for="account">Conta ou chave Pix</label><input id="account" name="account" required maxlength="100" autocomplete="off"></div>
<button name="action" value="name">Informar a conta</button>
<button class="plain" name="action" value="lapse">Simular: o prazo termina sem uma conta</button>
</form></div>`,
  );
};

/** Renders the page for an unknown charge. */
export const renderMissingPage = (): string =>
  renderLayout(
    'Cobrança não encontrada',
    html`<div class="sheet"><h1>Cobrança não encontrada</h1><p>Confira o endereço.</p></div>`,
  );

/** Renders the answer to a form that a page of another site sent. */
export const renderForeignOriginPage = (): string =>
  renderLayout(
    'Pagamento não aceito',
    html`<div class="sheet"><h1>Pagamento não aceito</h1><p>Este formulário veio de outro site. Abra o link de pagamento e pague por lá.</p></div>`,
  );
