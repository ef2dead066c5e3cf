import { type Style, widthOfText } from './line-breaking.ts';
import { type Block, type Drawing, drawRule, keepWithNext, LINE_WIDTH, PAGE } from './page.ts';
import type { Attributes, Tags } from './tags.ts';
import { ACCENT, INK, type SetText, SOFT, type Typesetter } from './typesetting.ts';

/** Space between columns of fields and of tables, in points. */
const COLUMN_GAP = 14;
const TABLE_GAP = 8;

/** Items that are longer together get a line each, so that a list can go on on the next page. */
const MAX_SENTENCE_CHARACTERS = 300;

type Field = readonly [label: string, value: string];

/** How a cell of a table is tagged and set. */
interface Cell {
  readonly tag: 'TH' | 'TD';
  readonly attributes?: Attributes;
  readonly style: Style;
}

const HEAD_OF_COLUMN = { tag: 'TH', attributes: { O: 'Table', Scope: 'Column' } } as const;
const HEAD_OF_ROW = { tag: 'TH', attributes: { O: 'Table', Scope: 'Row' } } as const;

/** Creates the blocks of a page. `scale` multiplies all font sizes and spaces; 1 is normal. */
export class Blocks {
  readonly #drawing: Drawing;
  readonly #type: Typesetter;
  readonly #tags: Tags;
  readonly #scale: number;

  constructor(drawing: Drawing, scale: number) {
    this.#drawing = drawing;
    this.#type = drawing.type;
    this.#tags = drawing.tags;
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
        this.#tags.draw('H2', () => set.draw(PAGE.left, top + above));
        drawRule(this.#drawing, top + above + set.height + 1.5);
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

  /** Makes a table of the lines, which follow each other. */
  table(lines: readonly Block[]): readonly Block[] {
    return lines.map((line, index) => ({
      ...line,
      draw: (top) => {
        if (index === 0) this.#tags.open('Table');
        line.draw(top);
        if (index === lines.length - 1) this.#tags.close();
      },
    }));
  }

  /** The names of a table's columns. `widths` are shares of the line. */
  tableHead(cells: readonly string[], widths: readonly number[]): Block {
    const cellOf = (): Cell => ({
      ...HEAD_OF_COLUMN,
      style: this.#style(6.8, { color: SOFT }),
    });
    return this.#tableLine(cells, widths, cellOf, 0);
  }

  /** A row of a table. Its first cell, the name of the row, is bold. */
  tableRow(cells: readonly string[], widths: readonly number[]): Block {
    const cellOf = (index: number): Cell =>
      index === 0
        ? { ...HEAD_OF_ROW, style: this.#style(8.4, { weight: 'bold' }) }
        : { tag: 'TD', style: this.#style(8.4) };
    return this.#tableLine(cells, widths, cellOf, 2);
  }

  /** A line of a table that is one cell over all columns. */
  tableNote(note: Block, columns: number): Block {
    return {
      ...note,
      draw: (top) => {
        this.#tags.open('TR');
        this.#tags.open('TD', { attributes: { O: 'Table', ColSpan: columns } });
        note.draw(top);
        this.#tags.close();
        this.#tags.close();
      },
    };
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
        for (const [index, label] of labels.entries())
          this.#tags.draw('P', () => {
            label.draw(PAGE.left + left(index), top);
            values[index]?.draw(PAGE.left + left(index), top + labelHeight);
          });
      },
    };
  }

  #tableLine(
    texts: readonly string[],
    widths: readonly number[],
    cellOf: (index: number) => Cell,
    above: number,
  ): Block {
    const cells = texts.map((text, index): Cell & SetText => {
      const cell = cellOf(index);
      const width = (widths[index] as number) * LINE_WIDTH - TABLE_GAP;
      return { ...cell, ...this.#type.set(text, width, cell.style) };
    });
    const left = (index: number) =>
      PAGE.left + widths.slice(0, index).reduce((sum, width) => sum + width * LINE_WIDTH, 0);
    const line = this.#beside(cells, left, 1.5, above);
    return {
      ...line,
      draw: (top) => {
        this.#tags.open('TR');
        line.draw(top);
        this.#tags.close();
      },
    };
  }

  /** Texts side by side, with space below and above them. */
  #beside(
    texts: readonly (SetText & Partial<Cell>)[],
    left: (index: number) => number,
    below: number,
    above = 0,
  ): Block {
    const space = above * this.#scale;
    return {
      height: space + Math.max(...texts.map(({ height }) => height)) + below * this.#scale,
      draw: (top) => {
        for (const [index, { tag = 'P', attributes, draw }] of texts.entries())
          this.#tags.draw(tag, () => draw(left(index), top + space), { attributes });
      },
    };
  }

  #style(size: number, over: Omit<Style, 'size'> = {}): Style {
    return { size: size * this.#scale, ...over };
  }
}
