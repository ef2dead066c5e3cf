import type { Report, ReportTable } from '../../application/certificates/certificate.ts';
import { Blocks } from './blocks.ts';
import { drawPages, splitIntoPages } from './document-pages.ts';
import { type Block, type Drawing, keepWithNext, LINE_WIDTH, PAGE, sumHeights } from './page.ts';
import { SOFT } from './typesetting.ts';

/** The widest and the narrowest column, as their texts count for it, in characters. */
const MOST = 40;
const LEAST = 6;

/** The shares of the line that columns get: by the longest text in each. */
const widthsOf = ({ heads, rows }: ReportTable): readonly number[] => {
  const longest = heads.map((head, column) =>
    Math.max(LEAST, head.length, ...rows.map((row) => Math.min(row[column]?.length ?? 0, MOST))),
  );
  const all = longest.reduce((sum, length) => sum + length, 0);
  return longest.map((length) => length / all);
};

const createTable = (table: ReportTable, blocks: Blocks): readonly Block[] => {
  const widths = widthsOf(table);
  return blocks.table([
    keepWithNext(blocks.tableHead(table.heads, widths)),
    ...table.rows.map((row) => blocks.tableRow(row, widths)),
  ]);
};

const createContent = ({ sections }: Report, blocks: Blocks): readonly Block[] =>
  sections.flatMap(({ heading, fields = [], tables = [], texts = [] }) => [
    blocks.heading(heading),
    ...blocks.fields(fields, 3),
    ...tables.flatMap((table) => createTable(table, blocks)),
    ...texts.map((text) => blocks.paragraph(text)),
  ]);

const createHeader = ({ type, tags }: Drawing, { title, subtitle }: Report): Block => {
  const lines = [
    { set: type.set(title, LINE_WIDTH, { size: 16, weight: 'bold' }), tag: 'H1' },
    { set: type.set(subtitle, LINE_WIDTH, { size: 9, color: SOFT }), tag: 'P' },
  ];
  return {
    height: sumHeights(lines.map(({ set }) => set)) + 8,
    draw(top) {
      let y = top;
      for (const { set, tag } of lines) {
        tags.draw(tag, () => set.draw(PAGE.left, y));
        y += set.height;
      }
    },
  };
};

/** Draws a report on pages of its own. */
export const drawReport = (drawing: Drawing, report: Report, isTest: boolean): void => {
  const header = createHeader(drawing, report);
  const pages = splitIntoPages(header.height, createContent(report, new Blocks(drawing, 1)));
  const { title: above, author: below } = report;
  drawPages(drawing, pages, { header, above, below, isTest });
};
