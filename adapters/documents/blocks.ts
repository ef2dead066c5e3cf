import { type Style, widthOfText } from './line-breaking.ts';
import { ACCENT, INK, RULE, type SetText, SOFT, type Typesetter } from './typesetting.ts';

/** A part of a page that is never split between pages. Lengths are in points. */
export interface Block {
  readonly height: number;
  /** Keeps the block on the same page as the next one. */
  readonly keepsWithNext?: true;
  /** Draws the block. `top` is its distance from the top of the page. */
  draw(top: number): void;
}

/** A4 and its margins, in points. */
export const PAGE = { width: 595.28, height: 841.89, left: 42, right: 42, top: 36, bottom: 44 };

/** Width of a line, in points. */
export const LINE_WIDTH = PAGE.width - PAGE.left - PAGE.right;

/** Space between columns of fields and of tables, in points. */
const COLUMN_GAP = 14;
const TABLE_GAP = 8;

/** Items that are longer together get a line each, so that a list can go on on the next page. */
const MAX_SENTENCE_CHARACTERS = 300;

export const keepWithNext = (block: Block): Block => ({ ...block, keepsWithNext: true });

export const sumHeights = (blocks: readonly Pick<Block, 'height'>[]): number =>
  blocks.reduce((sum, { height }) => sum + height, 0);

type Field = readonly [label: string, value: string];

/** Creates the blocks of a page. `scale` multiplies all font sizes and spaces; 1 is normal. */
export class Blocks {
  readonly #page: PDFKit.PDFDocument;
  readonly #type: Typesetter;
  readonly #scale: number;

  constructor(page: PDFKit.PDFDocument, type: Typesetter, scale: number) {
    this.#page = page;
    this.#type = type;
    this.#scale = scale;
  }

  heading(text: string): Block {
    const above = 7 * this.#scale;
    const set = this.#type.set(
      text,
      LINE_WIDTH,
      this.#style(8.6, { weight: 'bold', color: ACCENT }),
    );
    return {
      keepsWithNext: true,
      height: above + set.height + 5 * this.#scale,
      draw: (top) => {
        set.draw(PAGE.left, top + above);
        const y = top + above + set.height + 1.5;
        this.#page
          .moveTo(PAGE.left, y)
          .lineTo(PAGE.left + LINE_WIDTH, y)
          .lineWidth(0.6)
          .strokeColor(RULE)
          .stroke();
      },
    };
  }

  /** Lays out fields in rows of `columns`. A long field gets a row of its own. */
  fields(fields: readonly Field[], columns: number): readonly Block[] {
    const width = (LINE_WIDTH - COLUMN_GAP * (columns - 1)) / columns;
    const rows: { readonly cells: readonly Field[]; readonly width: number }[] = [];
    let row: Field[] = [];
    const closeRow = () => {
      if (row.length > 0) rows.push({ cells: row, width });
      row = [];
    };
    for (const field of fields) {
      if (this.#isLong(field, width)) {
        closeRow();
        rows.push({ cells: [field], width: LINE_WIDTH });
      } else {
        row.push(field);
        if (row.length === columns) closeRow();
      }
    }
    closeRow();
    return rows.map(({ cells, width: each }) => this.#row(cells, each));
  }

  /** The names of a table's columns. `widths` are shares of the line. */
  tableHead(cells: readonly string[], widths: readonly number[]): Block {
    return this.#tableLine(cells, widths, () => this.#style(6.8, { color: SOFT }), 0);
  }

  /** A row of a table. Its first cell, the name of the row, is bold. */
  tableRow(cells: readonly string[], widths: readonly number[]): Block {
    const styleOf = (index: number): Style =>
      this.#style(8.4, { weight: index === 0 ? 'bold' : 'regular' });
    return this.#tableLine(cells, widths, styleOf, 2);
  }

  /** Short items make one sentence, `label: a; b.`; long ones get a line each. */
  list(label: string, items: readonly string[]): readonly Block[] {
    if (items.length === 0) return [];
    const sentence = `${label}: ${items.join('; ')}.`;
    if (sentence.length <= MAX_SENTENCE_CHARACTERS) return [this.paragraph(sentence)];
    return [
      keepWithNext(this.paragraph(`${label}:`)),
      ...this.columns(items.map((item) => `• ${item}`)),
    ];
  }

  /** Lays out texts in two columns, row by row. */
  columns(texts: readonly string[]): readonly Block[] {
    const width = (LINE_WIDTH - COLUMN_GAP) / 2;
    const set = texts.map((text) => this.#type.set(text, width, this.#style(7.4)));
    const rows = Array.from({ length: Math.ceil(set.length / 2) }, (_, index) =>
      set.slice(2 * index, 2 * index + 2),
    );
    return rows.map((row) =>
      this.#beside(row, (index) => PAGE.left + index * (width + COLUMN_GAP), 1.5),
    );
  }

  paragraph(text: string, over: Partial<Style> = {}): Block {
    const set = this.#type.set(
      text,
      LINE_WIDTH,
      this.#style(over.size ?? 7.4, { color: over.color ?? INK }),
    );
    return this.#beside([set], () => PAGE.left, 2);
  }

  #isLong([, value]: Field, width: number): boolean {
    return widthOfText(value, this.#style(9)) > width * 2;
  }

  /** The last field takes the rest of the line. */
  #row(cells: readonly Field[], width: number): Block {
    const left = (index: number) => index * (width + COLUMN_GAP);
    const widthOf = (index: number) =>
      index === cells.length - 1 ? LINE_WIDTH - left(index) : width;
    const labels = cells.map(([label], index) =>
      this.#type.set(label, widthOf(index), this.#style(6.8, { color: SOFT })),
    );
    const values = cells.map(([, value], index) =>
      this.#type.set(value, widthOf(index), this.#style(9)),
    );
    const labelHeight = Math.max(...labels.map(({ height }) => height));
    return {
      height: labelHeight + Math.max(...values.map(({ height }) => height)) + 4 * this.#scale,
      draw: (top) => {
        // Screen readers and text extraction follow the order in which texts are drawn.
        for (const [index, label] of labels.entries()) {
          label.draw(PAGE.left + left(index), top);
          values[index]?.draw(PAGE.left + left(index), top + labelHeight);
        }
      },
    };
  }

  #tableLine(
    cells: readonly string[],
    widths: readonly number[],
    styleOf: (index: number) => Style,
    above: number,
  ): Block {
    const set = cells.map((text, index) =>
      this.#type.set(text, (widths[index] as number) * LINE_WIDTH - TABLE_GAP, styleOf(index)),
    );
    const left = (index: number) =>
      PAGE.left + widths.slice(0, index).reduce((sum, width) => sum + width * LINE_WIDTH, 0);
    return this.#beside(set, left, 1.5, above);
  }

  /** Texts side by side, with space below and above them. */
  #beside(
    texts: readonly SetText[],
    left: (index: number) => number,
    below: number,
    above = 0,
  ): Block {
    const space = above * this.#scale;
    return {
      height: space + Math.max(...texts.map(({ height }) => height)) + below * this.#scale,
      draw: (top) => {
        for (const [index, text] of texts.entries()) text.draw(left(index), top + space);
      },
    };
  }

  #style(size: number, over: Omit<Style, 'size'> = {}): Style {
    return { size: size * this.#scale, ...over };
  }
}
