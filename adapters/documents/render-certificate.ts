import bwipjs, { type RenderOptions } from 'bwip-js';
import PDFDocument from 'pdfkit';
import { formatTaxId } from '#domain';
import type { Certificate } from '../../application/certificates/certificate.ts';
import { type Block, Blocks, LINE_WIDTH, PAGE } from './blocks.ts';
import { createContent } from './certificate-content.ts';
import { TITLES } from './certificate-words.ts';
import { getTextFont, prepareFonts } from './fonts.ts';
import { INK, RULE, type SetText, SOFT, Typesetter } from './typesetting.ts';

/** Scales to try until the content fits on one page. If none fits, it continues on more pages. */
const SCALES = [1, 0.95, 0.9, 0.85, 0.8] as const;

/** Height of the header of all pages after the first, in points. */
const NEXT_HEADER_HEIGHT = 26;

const sumHeights = (blocks: readonly Pick<Block, 'height'>[]): number =>
  blocks.reduce((sum, { height }) => sum + height, 0);

const heightBelow = (header: number): number => PAGE.height - PAGE.top - PAGE.bottom - header;

/** Creates the content at the largest scale that fits on one page. */
const fitContent = (
  header: number,
  createAt: (scale: number) => readonly Block[],
): readonly Block[] => {
  const [largest, ...smaller] = SCALES;
  let blocks = createAt(largest);
  for (const scale of smaller) {
    if (sumHeights(blocks) <= heightBelow(header)) break;
    blocks = createAt(scale);
  }
  return blocks;
};

const splitIntoPages = (
  header: number,
  blocks: readonly Block[],
): readonly (readonly Block[])[] => {
  const pages: Block[][] = [[]];
  let left = heightBelow(header);
  for (const [index, block] of blocks.entries()) {
    const needed = block.height + (block.isHeading ? (blocks[index + 1]?.height ?? 0) : 0);
    if (needed > left) {
      pages.push([]);
      left = heightBelow(NEXT_HEADER_HEIGHT);
    }
    pages.at(-1)?.push(block);
    left -= block.height;
  }
  return pages;
};

/** Draws a QR code as rectangles, which stay sharp at every zoom. */
const drawQrCode = (
  pdf: PDFKit.PDFDocument,
  text: string,
  x: number,
  y: number,
  size: number,
): void => {
  const [{ pixs, pixx }] = bwipjs.raw({ bcid: 'qrcode', text } as RenderOptions) as unknown as [
    { pixs: number[]; pixx: number },
  ];
  const module = size / pixx;
  for (const [index, dark] of pixs.entries()) {
    if (dark !== 1) continue;
    pdf.rect(x + (index % pixx) * module, y + Math.floor(index / pixx) * module, module, module);
  }
  pdf.fillColor(INK).fill();
};

/** Groups a code by seven characters, so that people can type it: `01M7YT3 JAHDR4E…`. */
const groupCode = (code: string): string => code.replaceAll(/.{7}(?=.)/g, '$& ');

/** Creates the header of the first page. */
const createHeader = (
  pdf: PDFKit.PDFDocument,
  type: Typesetter,
  { kind, product, verification }: Certificate,
): Block => {
  const codeSize = 78;
  const width = LINE_WIDTH - codeSize - 20;
  const check = { size: 7.2, color: SOFT };
  const names = [20, 16, 12].map((size) => type.set(product.name, width, { size, weight: 'bold' }));
  const page = verification.url.replace(/\/[^/]*$/, '');
  const texts = [
    type.set(TITLES[kind].title, width, { size: 11, color: SOFT }),
    names.find(({ height }) => height <= 30) ?? (names.at(-1) as SetText),
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

const drawNextHeader = (type: Typesetter, { kind, number }: Certificate): void =>
  type
    .set(`${TITLES[kind].number} ${number}`, LINE_WIDTH, { size: 9, weight: 'bold' })
    .draw(PAGE.left, PAGE.top);

const drawFooter = (
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
  type.set(number, 100, style).draw(PAGE.left + LINE_WIDTH - type.width(number, style), y + 5);
};

const openPdf = ({
  kind,
  number,
  product,
  issuedAt,
  registration,
}: Certificate): PDFKit.PDFDocument =>
  new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    font: getTextFont('regular') as never,
    lang: 'pt-BR',
    pdfVersion: '1.7',
    displayTitle: true,
    // The dates come from the certificate, so that the same certificate gives the same file.
    info: {
      Title: `${TITLES[kind].title} ${number} – ${product.name}`,
      Author: registration.insurer.name,
      CreationDate: new Date(issuedAt),
      ModDate: new Date(issuedAt),
    },
  });

/** Renders a certificate as PDF. Runs on the thread of `PdfDocuments`. */
export const renderCertificate = async (certificate: Certificate): Promise<Uint8Array> => {
  await prepareFonts(certificate);
  const pdf = openPdf(certificate);
  const chunks: Uint8Array[] = [];
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => pdf.once('end', resolve).once('error', reject));
  const type = new Typesetter(pdf);
  pdf.addPage();
  const header = createHeader(pdf, type, certificate);
  const content = fitContent(header.height, (scale) =>
    createContent(certificate, new Blocks(pdf, type, scale)),
  );
  const pages = splitIntoPages(header.height, content);
  for (const [index, page] of pages.entries()) {
    if (index === 0) header.draw(PAGE.top);
    else {
      pdf.addPage();
      drawNextHeader(type, certificate);
    }
    let top = PAGE.top + (index === 0 ? header.height : NEXT_HEADER_HEIGHT);
    for (const block of page) {
      block.draw(top);
      top += block.height;
    }
    drawFooter(pdf, type, certificate, index + 1, pages.length);
  }
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
};
