import { correction, generate } from 'lean-qr';
import { formatTaxId } from '#domain';
import { type Certificate, claimContactOf } from '../../application/certificates/certificate.ts';
import { TEST_MARK } from '../../application/test-mark.ts';
import { type Block, LINE_WIDTH, PAGE, sumHeights } from './blocks.ts';
import { TITLES } from './certificate-words.ts';
import { widthOfText } from './line-breaking.ts';
import { INK, RULE, type SetText, SOFT, type Typesetter } from './typesetting.ts';

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
export const createHeader = (
  pdf: PDFKit.PDFDocument,
  type: Typesetter,
  certificate: Certificate,
): Block => {
  const { kind, product, verification } = certificate;
  const contact = claimContactOf(certificate);
  const codeSize = 78;
  const width = LINE_WIDTH - codeSize - 20;
  const check = { size: 7.2, color: SOFT };
  const names = [20, 16, 12].map((size) => type.set(product.name, width, { size, weight: 'bold' }));
  const page = verification.url.replace(/\/[^/]*$/, '');
  const texts = [
    type.set(TITLES[kind].title, width, { size: 11, color: SOFT }),
    names.find(({ height }) => height <= 30) ?? (names.at(-1) as SetText),
    ...(contact === undefined
      ? []
      : [type.set(`Precisou usar? ${contact}`, width, { size: 9, weight: 'bold' })]),
    { height: 8, draw: () => {} },
    type.set('Confira se este documento é autêntico: leia o código ao lado, ou abra', width, check),
    type.set(page, width, { size: 7.2 }),
    type.set(`e informe ${groupCode(verification.code)}`, width, check),
  ];
  return {
    height: Math.max(codeSize, sumHeights(texts)) + 18,
    draw: (top) => {
      drawQrCode(pdf, verification.url, PAGE.left + LINE_WIDTH - codeSize, top, codeSize);
      let y = top;
      for (const text of texts) {
        text.draw(PAGE.left, y);
        y += text.height;
      }
    },
  };
};

export const drawNextHeader = (type: Typesetter, { kind, number }: Certificate): void =>
  type
    .set(`${TITLES[kind].number} ${number}`, LINE_WIDTH, { size: 9, weight: 'bold' })
    .draw(PAGE.left, PAGE.top);

export const drawFooter = (
  pdf: PDFKit.PDFDocument,
  type: Typesetter,
  certificate: Certificate,
  page: number,
  pages: number,
): void => {
  const y = PAGE.height - PAGE.bottom + 12;
  pdf
    .moveTo(PAGE.left, y)
    .lineTo(PAGE.left + LINE_WIDTH, y)
    .lineWidth(0.6)
    .strokeColor(RULE)
    .stroke();
  const style = { size: 6.8, color: SOFT };
  const { name, cnpj } = certificate.registration.insurer;
  type.set(`${name} · CNPJ ${formatTaxId(cnpj)}`, LINE_WIDTH * 0.8, style).draw(PAGE.left, y + 5);
  const number = `Página ${page} de ${pages}`;
  type.set(number, 100, style).draw(PAGE.left + LINE_WIDTH - widthOfText(number, style), y + 5);
};

/** Says across the page that it is of a test environment. */
export const drawTestMark = (pdf: PDFKit.PDFDocument, type: Typesetter): void => {
  const style = { size: 58, weight: 'bold', color: '#b3261e' } as const;
  const width = widthOfText(TEST_MARK, style);
  const [middle, center] = [PAGE.width / 2, PAGE.height / 2];
  pdf.save();
  pdf.rotate(-45, { origin: [middle, center] });
  pdf.fillOpacity(0.22);
  type.set(TEST_MARK, width + 1, style).draw(middle - width / 2, center - style.size / 2);
  pdf.restore();
};
