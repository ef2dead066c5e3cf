import { scaleBand, scaleLinear } from 'd3-scale';
import { type Cents, cents, formatReais } from '#domain';
import { type Html, html } from '../kit/web/pages/html.ts';

interface Bar {
  readonly label: string;
  /** In cents. */
  readonly value: Cents;
  /** What the value is a part of, drawn as an outline. */
  readonly whole?: Cents | undefined;
  /** What stands above the bar: it says more than a colour. */
  readonly mark?: string | undefined;
}

interface BarChart {
  /** The question that the chart answers. */
  readonly title: string;
  /** What is drawn, and in which unit. */
  readonly about: string;
  readonly bars: readonly Bar[];
}

/** Small enough that its letters can be read on a phone. */
const SIZE = { width: 480, height: 220 };
const MARGIN = { top: 24, right: 24, bottom: 28, left: 78 };
const TICKS = 4;
/** Labels below the bars, at most: more would overlap. */
const LABELS = 6;

/** The least that an axis reaches, in cents: below it, its ticks would be the same in whole reais. */
const LEAST_AXIS = 10_000;

/** Whole reais: an axis needs no cents. */
const short = (amount: number): string =>
  formatReais(cents(Math.round(amount))).replace(/,00$/, '');

/** Draws amounts as bars, as an SVG without script or style of its own. */
export const renderBars = ({ title, about, bars }: BarChart): Html => {
  const { width, height } = SIZE;
  const most = Math.max(LEAST_AXIS, ...bars.map(({ value, whole }) => whole ?? value));
  const x = scaleBand(
    bars.map(({ label }) => label),
    [MARGIN.left, width - MARGIN.right],
  ).padding(0.2);
  const y = scaleLinear([0, most], [height - MARGIN.bottom, MARGIN.top]).nice(TICKS);
  const every = Math.ceil(bars.length / LABELS);
  const middle = ({ label }: Bar): number => (x(label) ?? 0) + x.bandwidth() / 2;
  return html`<figure class="chart"><figcaption>${title} <span class="soft">${about}</span></figcaption>
<svg viewBox="0 0 ${String(width)} ${String(height)}" role="img" aria-label="${title} ${about}">
${y.ticks(TICKS).map((tick) => html`<line class="grid" x1="${String(MARGIN.left)}" x2="${String(width - MARGIN.right)}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}"/><text x="${String(MARGIN.left - 8)}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${short(tick)}</text>`)}
${bars.map((bar, index) => {
  const top = y(Math.max(0, bar.value));
  const outer = y(bar.whole ?? 0);
  return html`${bar.whole !== undefined && html`<rect class="whole" x="${(x(bar.label) ?? 0).toFixed(1)}" y="${outer.toFixed(1)}" width="${x.bandwidth().toFixed(1)}" height="${(height - MARGIN.bottom - outer).toFixed(1)}"><title>${bar.label}: ${formatReais(bar.whole)}</title></rect>`}<rect x="${(x(bar.label) ?? 0).toFixed(1)}" y="${top.toFixed(1)}" width="${x.bandwidth().toFixed(1)}" height="${(height - MARGIN.bottom - top).toFixed(1)}"><title>${bar.label}: ${formatReais(bar.value)}</title></rect>${bar.mark && html`<text class="mark" x="${middle(bar).toFixed(1)}" y="${(top - 6).toFixed(1)}" text-anchor="middle">${bar.mark}</text>`}${index % every === 0 && html`<text x="${middle(bar).toFixed(1)}" y="${String(height - 8)}" text-anchor="middle">${bar.label}</text>`}`;
})}
</svg></figure>`;
};
