import type { Tags } from './tags.ts';
import { RULE, type Typesetter } from './typesetting.ts';

/** A document while it is drawn. */
export interface Drawing {
  readonly pdf: PDFKit.PDFDocument;
  readonly type: Typesetter;
  readonly tags: Tags;
}

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

export const keepWithNext = (block: Block): Block => ({ ...block, keepsWithNext: true });

export const sumHeights = (blocks: readonly Pick<Block, 'height'>[]): number =>
  blocks.reduce((sum, { height }) => sum + height, 0);

/** Draws a line from margin to margin. `y` is its distance from the top of the page. */
export const drawRule = ({ pdf, tags }: Drawing, y: number): void =>
  tags.skip(() =>
    pdf
      .moveTo(PAGE.left, y)
      .lineTo(PAGE.left + LINE_WIDTH, y)
      .lineWidth(0.6)
      .strokeColor(RULE)
      .stroke(),
  );
