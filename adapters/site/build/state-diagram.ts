import type { Sale } from '#domain';
import type { PageWords } from '../page-words.ts';

/** A line of a Mermaid `stateDiagram-v2`. */
export interface Transition {
  /** Null at the registration. */
  readonly from: Sale['status'] | null;
  readonly to: Sale['status'];
  readonly when: string;
}

const LINE = /^\s*(\[\*\]|\w+) --> (\w+)(?:: (.*))?$/gm;

/** Reads the transitions of a Mermaid diagram. */
export const readTransitions = (diagram: string): readonly Transition[] =>
  [...diagram.matchAll(LINE)].map(([, from = '', to = '', when = '']) => ({
    from: from === '[*]' ? null : (from as Sale['status']),
    to: to as Sale['status'],
    when,
  }));

/** The place of each state: column and row. */
const PLACES: Readonly<Record<Sale['status'] | 'start', readonly [column: number, row: number]>> = {
  start: [1, 0],
  pending: [0, 1],
  awaiting_payment: [0, 2],
  paid: [1, 3],
  issued: [1, 4],
  refused: [2, 1],
  expired: [2, 2],
  cancelled: [2, 3],
  refunded: [2, 4],
};

/** The left edge and the width of each column, as wide as its longest name. */
const COLUMNS = [
  { x: 2, width: 122 },
  { x: 168, width: 56 },
  { x: 266, width: 76 },
] as const;

const WIDTH = 344;
const HEIGHT = 336;
const ROW_HEIGHT = 76;
const TOP = 18;
const BOX_HEIGHT = 34;
const DOT_RADIUS = 7;

type Side = 'left' | 'right' | 'top' | 'bottom';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const boxOf = (state: Transition['from']): Box => {
  const [column, row] = PLACES[state ?? 'start'];
  const { x, width } = COLUMNS[column] as (typeof COLUMNS)[number];
  const middle = TOP + row * ROW_HEIGHT - (row > 0 ? ROW_HEIGHT / 4 : 0);
  if (state !== null) return { x, y: middle - BOX_HEIGHT / 2, width, height: BOX_HEIGHT };
  const size = 2 * DOT_RADIUS;
  return { x: x + width / 2 - DOT_RADIUS, y: middle - DOT_RADIUS, width: size, height: size };
};

interface End {
  readonly state: Transition['from'];
  readonly side: Side;
  /** The place among the ends on its side, chosen so that their arrows do not cross. */
  readonly order: number;
}

const endsOf = ({ from, to }: Transition): readonly [End, End] => {
  const [fromColumn, fromRow] = PLACES[from ?? 'start'];
  const [toColumn, toRow] = PLACES[to];
  const isAside = fromColumn !== toColumn;
  const isForth = isAside ? toColumn > fromColumn : toRow > fromRow;
  const sides: readonly [Side, Side] = isAside ? ['right', 'left'] : ['bottom', 'top'];
  const [leaves, enters] = isForth ? sides : [sides[1], sides[0]];
  const slope = (toRow - fromRow) / Math.abs(toColumn - fromColumn);
  // Where two states lead to each other, both arrows are sorted alike, and run side by side.
  const [fromOrder, toOrder] = isAside ? [slope, -slope] : [fromRow, fromRow];
  return [
    { state: from, side: leaves, order: fromOrder },
    { state: to, side: enters, order: toOrder },
  ];
};

/** The point of an end: all ends on a side of a box are spread evenly. */
const pointOf = (end: End, all: readonly End[]): string => {
  const { x, y, width, height } = boxOf(end.state);
  const together = all
    .filter(({ state, side }) => state === end.state && side === end.side)
    .sort((one, other) => one.order - other.order);
  const share = (together.indexOf(end) + 1) / (together.length + 1);
  if (end.side === 'left' || end.side === 'right')
    return `${end.side === 'left' ? x : x + width} ${y + height * share}`;
  return `${x + width * share} ${end.side === 'top' ? y : y + height}`;
};

const showState = (state: Sale['status'], isLast: boolean): string => {
  const { x, y, width, height } = boxOf(state);
  return `<g${isLast ? ' class="last"' : ''}><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/><text x="${x + width / 2}" y="${y + height / 2}">${state}</text></g>`;
};

/** Draws the states of a sale and their transitions as SVG. */
const drawStates = (
  transitions: readonly Transition[],
  { diagram, diagramText }: Pick<PageWords, 'diagram' | 'diagramText'>,
): string => {
  const ends = transitions.map(endsOf);
  const all = ends.flat();
  const arrows = ends.map(
    ([from, to]) => `<path d="M${pointOf(from, all)} L${pointOf(to, all)}"/>`,
  );
  const states = [...new Set(transitions.map(({ to }) => to))].map((state) =>
    showState(state, !transitions.some(({ from }) => from === state)),
  );
  const { x, y } = boxOf(null);
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="states-title states-text">
<title id="states-title">${diagram}</title><desc id="states-text">${diagramText}</desc>
<defs><marker id="states-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker></defs>
<g class="arrows" marker-end="url(#states-arrow)">${arrows.join('')}</g>
<circle cx="${x + DOT_RADIUS}" cy="${y + DOT_RADIUS}" r="${DOT_RADIUS}"/>
${states.join('\n')}
</svg>`;
};

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const rowOf = ({ from, to, when }: Transition): string => {
  const start = from === null ? '●' : `<code>${from}</code>`;
  return `<tr><td>${start} → <code>${to}</code></td><td>${escapeText(when)}</td></tr>`;
};

/**
 * Shows a Mermaid `stateDiagram-v2` as a drawing, and the reasons of its transitions as a table
 * beside it. Mermaid itself would be 3 MB of script.
 */
export const renderStates = (diagram: string, words: PageWords): string => {
  const transitions = readTransitions(diagram);
  const head = words.states.map((name) => `<th scope="col">${name}</th>`).join('');
  return `<div class="states">
${drawStates(transitions, words)}
<table><caption class="unseen">${words.states.join(': ')}</caption><thead><tr>${head}</tr></thead><tbody>${transitions.map(rowOf).join('\n')}</tbody></table>
</div>\n`;
};
