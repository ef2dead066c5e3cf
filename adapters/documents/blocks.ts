import {
  ACCENT,
  INK,
  RULE,
  type SetText,
  SOFT,
  type Style,
  type Typesetter,
} from './typesetting.ts';

/** A part of a page that is never split between pages. Lengths are in points. */
export interface Block {
  readonly height: number;
  /** Keeps the block on the same page as the next one. */
  readonly isHeading?: true;
  /** Draws the block. `top` is its distance from the top of the page. */
  draw(top: number): void;
}

/** A4 and its margins, in points. */
export const PAGE = { width: 595.28, height: 841.89, left: 42, right: 42, top: 40, bottom: 52 };

/** Width of a line, in points. */
export const LINE_WIDTH = PAGE.width - PAGE.left - PAGE.right;

/** Space between columns, in points. */
const COLUMN_GAP = 14;

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
    const above = 9 * this.#scale;
    const set = this.#type.set(
      text,
      LINE_WIDTH,
      this.#style(8.6, { weight: 'bold', color: ACCENT }),
    );
    return {
      isHeading: true,
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

  table(
    head: readonly string[],
    rows: readonly (readonly string[])[],
    widths: readonly number[],
  ): readonly Block[] {
    const lines = [
      { cells: head, style: this.#style(6.8, { color: SOFT }) },
      ...rows.map((cells) => ({ cells, style: this.#style(8.8) })),
    ];
    return lines.map(({ cells, style }) => {
      const set = cells.map((text, index) =>
        this.#type.set(text, (widths[index] as number) * LINE_WIDTH - COLUMN_GAP, style),
      );
      return this.#beside(
        set,
        (index) =>
          PAGE.left + widths.slice(0, index).reduce((sum, width) => sum + width * LINE_WIDTH, 0),
        3,
      );
    });
  }

  paragraph(text: string, over: Partial<Style> = {}): Block {
    const set = this.#type.set(
      text,
      LINE_WIDTH,
      this.#style(over.size ?? 7.4, { color: over.color ?? INK }),
    );
    return this.#beside([set], () => PAGE.left, 2.5);
  }

  #isLong([, value]: Field, width: number): boolean {
    return this.#type.width(value, this.#style(9)) > width * 2;
  }

  #row(cells: readonly Field[], width: number): Block {
    const labels = cells.map(([label]) =>
      this.#type.set(label, width, this.#style(6.8, { color: SOFT })),
    );
    const values = cells.map(([, value]) => this.#type.set(value, width, this.#style(9)));
    const labelHeight = Math.max(...labels.map(({ height }) => height));
    const left = (index: number) => PAGE.left + index * (width + COLUMN_GAP);
    return {
      height: labelHeight + Math.max(...values.map(({ height }) => height)) + 4.5 * this.#scale,
      draw: (top) => {
        // Screen readers and text extraction follow the order in which texts are drawn.
        for (const [index, label] of labels.entries()) {
          label.draw(left(index), top);
          values[index]?.draw(left(index), top + labelHeight);
        }
      },
    };
  }

  #beside(texts: readonly SetText[], left: (index: number) => number, below: number): Block {
    return {
      height: Math.max(...texts.map(({ height }) => height)) + below * this.#scale,
      draw: (top) => {
        for (const [index, text] of texts.entries()) text.draw(left(index), top);
      },
    };
  }

  #style(size: number, over: Omit<Style, 'size'> = {}): Style {
    return { size: size * this.#scale, ...over };
  }
}
