import { type Block, type Drawing, PAGE, sumHeights } from './page.ts';
import { drawFooter, drawNextHeader, drawTestMark, NEXT_HEADER_HEIGHT } from './page-frame.ts';

export type Pages = readonly (readonly Block[])[];

const heightBelow = (header: number): number => PAGE.height - PAGE.top - PAGE.bottom - header;

/** Height of a block and of the next ones on the same page. */
const heightTogether = (blocks: readonly Block[], from: number): number => {
  const last = blocks.findIndex(({ keepsWithNext }, index) => index >= from && !keepsWithNext);
  return sumHeights(blocks.slice(from, last < 0 ? undefined : last + 1));
};

/** @param header the height of the header of the first page */
export const splitIntoPages = (header: number, blocks: readonly Block[]): Pages => {
  const pages: Block[][] = [[]];
  let left = heightBelow(header);
  for (const [index, block] of blocks.entries()) {
    if (heightTogether(blocks, index) > left) {
      pages.push([]);
      left = heightBelow(NEXT_HEADER_HEIGHT);
    }
    pages.at(-1)?.push(block);
    left -= block.height;
  }
  return pages;
};

interface Frame {
  /** What stands at the top of the first page. */
  readonly header: Block;
  /** What stands above the next pages, and below all. */
  readonly above: string;
  readonly below: string;
  /** Whether each page says that it is of a test environment. */
  readonly isTest: boolean;
}

/** Draws pages of one paper, numbered from 1. */
export const drawPages = (
  drawing: Drawing,
  pages: Pages,
  { header, above, below, isTest }: Frame,
): void => {
  for (const [index, page] of pages.entries()) {
    drawing.pdf.addPage();
    if (index === 0) header.draw(PAGE.top);
    else drawNextHeader(drawing, above);
    let top = PAGE.top + (index === 0 ? header.height : NEXT_HEADER_HEIGHT);
    for (const block of page) {
      block.draw(top);
      top += block.height;
    }
    drawFooter(drawing, below, index + 1, pages.length);
    if (isTest) drawTestMark(drawing);
  }
};
