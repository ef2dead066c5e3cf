import { type CalendarDate, type Cents, cents, formatReais, type Quote, toPercent } from '#domain';
import type { CatalogueState } from '../../../application/catalogue/catalogue.ts';
import {
  type ComparedPrice,
  comparePrices,
} from '../../../application/catalogue/compare-prices.ts';
import { catalogueByDay } from '../../../application/catalogue/versions.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { type Faults, readAmount, renderField, renderTable } from '../forms.ts';
import { sayPercent } from '../words.ts';

/** What plans are priced for, and what was typed for it. */
export interface Sample {
  readonly price: Cents;
  readonly insuredAmount: Cents;
  readonly typed: Readonly<Record<'price' | 'insuredAmount', string>>;
  readonly faults: Faults;
}

const USUAL = { price: '100,00', insuredAmount: '1.000,00' };

const AMOUNT_FAULT = 'Escreva um valor em reais, como 29,90.';

/** @param one what a form or an address says of a field */
export const readSample = (one: (name: string) => string | undefined): Sample => {
  const typed = {
    price: one('price')?.slice(0, 30) || USUAL.price,
    insuredAmount: one('insuredAmount')?.slice(0, 30) || USUAL.insuredAmount,
  };
  const [price, insuredAmount] = [readAmount(typed.price), readAmount(typed.insuredAmount)];
  return {
    ...{ price: price ?? cents(0), insuredAmount: insuredAmount ?? cents(0), typed },
    faults: {
      ...(price === undefined && { price: AMOUNT_FAULT }),
      ...(insuredAmount === undefined && { insuredAmount: AMOUNT_FAULT }),
    },
  };
};

export const renderSample = ({ typed, faults }: Sample): Html => {
  const attributes = html`inputmode="decimal" autocomplete="off"`;
  return html`${renderField({ ...{ name: 'price', label: 'Preço que a loja diz (R$)', value: typed.price }, attributes }, faults)}
${renderField({ ...{ name: 'insuredAmount', label: 'Valor segurado (R$)', value: typed.insuredAmount }, attributes }, faults)}`;
};

/** Which plans of a catalogue are priced, and for which day of payment. */
export interface Asked {
  readonly on: CalendarDate;
  readonly product?: string;
  readonly channelLink?: string;
}

/**
 * What plans cost on a day, and what they would cost on another by another state of the catalogue.
 *
 * @param asked of the second day
 */
export const pricesIn = (
  before: { readonly state: CatalogueState; readonly on: CalendarDate },
  after: CatalogueState,
  asked: Asked,
  { price, insuredAmount }: Sample,
): readonly ComparedPrice[] => {
  const { on, ...which } = asked;
  const catalogueOn = (state: CatalogueState, day: CalendarDate) => ({
    on: day,
    ...catalogueByDay(state)(day),
  });
  const plans = { ...which, price, insuredAmount };
  return [...comparePrices(catalogueOn(before.state, before.on), catalogueOn(after, on), plans)];
};

const FIGURES: readonly (readonly [string, (quote: Quote) => Cents])[] = [
  ['Prêmio líquido', ({ premium }) => premium.net],
  ['IOF', ({ premium }) => premium.iof],
  ['Total', ({ premium }) => premium.total],
  ['Comissão', ({ commission }) => commission.amount],
];

const amount = (quote: Quote | undefined, figure: (quote: Quote) => Cents): string =>
  quote ? formatReais(figure(quote)) : '–';

const renderFigure = ({ before, after }: ComparedPrice, figure: (quote: Quote) => Cents): Html => {
  const [was, is] = [amount(before, figure), amount(after, figure)];
  return html`<span class="amount">${was === is ? is : html`<del>${was}</del> ${is}`}</span>`;
};

const rateOf = (quote: Quote | undefined): string =>
  quote ? sayPercent(toPercent(quote.premium.iofRate)) : '–';

const sayCause = (
  cause: ComparedPrice['causes'][number],
  { before, after }: ComparedPrice,
): string => {
  if (cause === 'iof') return `IOF de ${rateOf(before)} para ${rateOf(after)}`;
  return cause === 'product' ? 'o produto' : 'o canal';
};

/** What plans cost, and what they cost before where it differs. */
export const renderPrices = (caption: string, prices: readonly ComparedPrice[]): Html => {
  if (prices.length === 0) return html`<p class="soft">Nenhum canal vende isto neste dia.</p>`;
  return renderTable(
    caption,
    ['Canal', 'Produto', 'Plano', ...FIGURES.map(([head]) => head), 'O que muda'],
    prices.map((each) => [
      ...[each.channelLink, each.product, each.plan],
      ...FIGURES.map(([, figure]) => renderFigure(each, figure)),
      each.causes.map((cause) => sayCause(cause, each)).join('; '),
    ]),
  );
};
