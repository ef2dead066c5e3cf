import { type CalendarDate, formatDate, type Instant } from '#domain';
import { describePeriod } from '../../../application/certificates/certificate.ts';
import type { Purchase } from '../../../application/servicing/describe-purchase.ts';
import { renderSheet } from '../../kit/web/pages/frame.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { receivedOf, type SandboxCharge } from './sandbox-ledger.ts';

/** What a page of a charge shows. `purchase` is absent if the service does not know the sale. */
export interface Shown {
  readonly charge: SandboxCharge;
  readonly purchase?: Purchase | undefined;
  readonly today: CalendarDate;
  /** Writes the business day of an instant. */
  readonly dayOf: (at: Instant) => string;
}

export const renderLayout = (title: string, content: Html): string =>
  renderSheet({
    title,
    note: 'Ambiente de testes: nenhum dinheiro é movimentado.',
    content,
    copies: true,
  });

type Row = readonly [label: string, value: string];

/** No list if there are no rows. */
export const renderRows = (kind: 'money' | 'facts', rows: readonly Row[]): Html =>
  html`${rows.length > 0 && html`<dl class="${kind}">${rows.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`}`;

/** What is insured, by whom, and who sold it; from when, unless the sale is over or this charge is. */
export const renderFacts = ({ charge, purchase }: Shown): Html => {
  if (purchase === undefined) return renderRows('facts', [['Seguro', charge.description]]);
  const { channelName, insurer, insuredObject, period, sale, ending } = purchase;
  const { externalSaleId } = sale.terms;
  const isPaid = charge.status === 'paid' && receivedOf(charge) >= charge.amount;
  const mayCover = charge.status === 'open' || isPaid || sale.payment.status === 'approved';
  return renderRows('facts', [
    ['Loja', channelName],
    ['Seguro', charge.description],
    ['Seguradora', insurer.name],
    ...insuredObject,
    ...(mayCover && ending === undefined ? [['Vigência', describePeriod(period)] as const] : []),
    ...(externalSaleId === undefined ? [] : [['Pedido', externalSaleId] as const]),
  ]);
};

/** Whom a payer can ask. */
export const renderContact = ({ purchase }: Shown): Html => {
  if (purchase === undefined) return html``;
  const { channelName, insurer } = purchase;
  const service =
    insurer.customerService === undefined
      ? ''
      : `, ou com a seguradora: ${insurer.customerService}`;
  return html`<p class="soft">Dúvidas? Fale com ${channelName}, que vendeu o seguro${service}.</p>`;
};

/** The address was checked when the sale was made; its origin is one that the channel registered. */
export const renderWayBack = ({ returnUrl }: SandboxCharge): Html =>
  html`${returnUrl !== undefined && html`<p><a href="${returnUrl}" rel="noreferrer">Voltar à loja</a> <span class="soft">(${new URL(returnUrl).host})</span></p>`}`;

/** Renders a form of the payment page. `notice`: how the service gets to know what was done. */
export const renderForm = ({ id }: SandboxCharge, notice: string, fields: Html): Html => html`
<form method="post" action="${id}" novalidate>
<input type="hidden" name="notice" value="${notice}">${fields}
</form>`;

/** The end of the time to pay. A boleto has a due day before that: its bank reports later. */
export const describeDeadline = ({ charge, today, dayOf }: Shown): string => {
  const { only, dueOn, until } = charge;
  if (only !== 'boleto') return `Pague até ${dayOf(until)}, 23h59`;
  return today <= dueOn
    ? `Pague até ${formatDate(dueOn)}, 23h59`
    : `O prazo terminou em ${formatDate(dueOn)}; um pagamento ainda é aceito até ${dayOf(until)}`;
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
