import { correction, generate } from 'lean-qr';
import { type Certificate, claimContactOf } from '../../application/certificates/certificate.ts';
import { TEST_MARK } from '../../application/test-mark.ts';
import { TITLES } from './certificate-words.ts';
import { type Style, widthOfText } from './line-breaking.ts';
import { type Block, type Drawing, drawRule, LINE_WIDTH, PAGE, sumHeights } from './page.ts';
import { INK, SOFT } from './typesetting.ts';

/** Height of the header of all pages after the first, in points. */
export const NEXT_HEADER_HEIGHT = 26;

/** Draws a QR code as one path of bars, which stay sharp at every zoom. */
const drawQrCode = (
  pdf: PDFKit.PDFDocument,
  text: string,
  x: number,
  y: number,
  size: number,
): void => {
  const code = generate(text, { minCorrectionLevel: correction.M });
  pdf
    .save()
    .translate(x, y)
    .scale(size / code.size);
  for (let row = 0; row < code.size; row += 1) {
    for (let start = 0, end = 0; start < code.size; start = end + 1) {
      end = start;
      while (code.get(end, row)) end += 1;
      if (end > start) pdf.rect(start, row, end - start, 1);
    }
  }
  pdf.fillColor(INK).fill().restore();
};

/** Groups a code by seven characters, so that people can type it: `01M7YT3 JAHDR4E…`. */
const groupCode = (code: string): string => code.replaceAll(/.{7}(?=.)/g, '$& ');

/** Creates the header of the first page. */
export const createHeader = (drawing: Drawing, certificate: Certificate): Block => {
  const { type, tags } = drawing;
  const { kind, product, verification } = certificate;
  const contact = claimContactOf(certificate);
  const codeSize = 78;
  const width = LINE_WIDTH - codeSize - 20;
  const line = (text: string, style: Style, tag = 'P'): Block => {
    const { height, draw } = type.set(text, width, style);
    return { height, draw: (top) => tags.draw(tag, () => draw(PAGE.left, top)) };
  };
  const check = { size: 7.2, color: SOFT };
  const names = [20, 16, 12].map((size) => line(product.name, { size, weight: 'bold' }, 'H1'));
  const lines = [
    line(TITLES[kind].title, { size: 11, color: SOFT }),
    names.find(({ height }) => height <= 30) ?? (names.at(-1) as Block),
    ...(contact === undefined
      ? []
      : [line(`Precisou usar? ${contact}`, { size: 9, weight: 'bold' })]),
    { height: 8, draw: () => {} },
    line('Confira se este documento é autêntico: leia o código ao lado, ou abra', check),
    line(verification.url.replace(/\/[^/]*$/, ''), { size: 7.2 }),
    line(`e informe ${groupCode(verification.code)}`, check),
  ];
  return {
    height: Math.max(codeSize, sumHeights(lines)) + 18,
    draw: (top) => {
      let y = top;
      for (const each of lines) {
        each.draw(y);
        y += each.height;
      }
      const left = PAGE.left + LINE_WIDTH - codeSize;
      tags.draw('Figure', () => drawQrCode(drawing.pdf, verification.url, left, top, codeSize), {
        alt: `Código QR que abre ${verification.url}`,
        attributes: {
          O: 'Layout',
          Placement: 'Block',
          BBox: [left, PAGE.height - top - codeSize, left + codeSize, PAGE.height - top],
        },
      });
    },
  };
};

export const drawNextHeader = ({ type, tags }: Drawing, text: string): void => {
  const set = type.set(text, LINE_WIDTH, { size: 9, weight: 'bold' });
  tags.skip(() => set.draw(PAGE.left, PAGE.top));
};

export const drawFooter = (drawing: Drawing, text: string, page: number, pages: number): void => {
  const { type, tags } = drawing;
  const top = PAGE.height - PAGE.bottom + 12;
  drawRule(drawing, top);
  const style = { size: 6.8, color: SOFT };
  const number = `Página ${page} de ${pages}`;
  const left = PAGE.left + LINE_WIDTH - widthOfText(number, style);
  tags.skip(() => {
    type.set(text, LINE_WIDTH * 0.8, style).draw(PAGE.left, top + 5);
    type.set(number, 100, style).draw(left, top + 5);
  });
};

/**
 * Says above and beside the page's content that it is of a test environment: in the margins, where
 * it crosses no figure. A screen reader reads it once.
 */
export const drawTestMark = ({ pdf, type, tags }: Drawing): void => {
  const style = { size: 18, weight: 'bold', color: '#b3261e' } as const;
  const width = widthOfText(TEST_MARK, style);
  const mark = type.set(TEST_MARK, width + 1, style);
  const drawAt = (x: number, y: number, angle: number): void => {
    pdf.save();
    pdf.rotate(angle, { origin: [x, y] });
    mark.draw(x - width / 2, y - mark.height / 2);
    pdf.restore();
  };
  const { width: right, height: bottom, left: margin, top } = PAGE;
  tags.draw('P', () => drawAt(right / 2, top / 2, 0));
  tags.skip(() => {
    for (const y of [bottom / 4, (3 * bottom) / 4]) {
      drawAt(margin / 2, y, -90);
      drawAt(right - margin / 2, y, 90);
    }
  });
};
