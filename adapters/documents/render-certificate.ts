import bwipjs, { type RenderOptions } from 'bwip-js';
import PDFDocument from 'pdfkit';
import { formatTaxId } from '#domain';
import type { Certificate } from '../../application/certificates/certificate.ts';
import { type Block, Blocks, LINE, PAGE } from './blocks.ts';
import { contentOf } from './certificate-content.ts';
import { TITLES } from './certificate-words.ts';
import { prepareFonts, textFont } from './fonts.ts';
import { INK, RULE, type SetText, SOFT, Typesetter } from './typesetting.ts';

/** So large, down to so small, that all has a place on one page; what has none even then goes on on another. */
const SCALES = [1, 0.95, 0.9, 0.85, 0.8] as const;

/** Pages after the first one have less of a head. */
const FURTHER_HEAD = 26;

const heightOf = (blocks: readonly Pick<Block, 'height'>[]): number =>
  blocks.reduce((sum, { height }) => sum + height, 0);

const room = (head: number): number => PAGE.height - PAGE.top - PAGE.bottom - head;

const sized = (head: number, contentIn: (scale: number) => readonly Block[]): readonly Block[] => {
  const [largest, ...smaller] = SCALES;
  let blocks = contentIn(largest);
  for (const scale of smaller) {
    if (heightOf(blocks) <= room(head)) break;
    blocks = contentIn(scale);
  }
  return blocks;
};

const paged = (head: number, blocks: readonly Block[]): readonly (readonly Block[])[] => {
  const pages: Block[][] = [[]];
  let left = room(head);
  for (const [index, block] of blocks.entries()) {
    const needed = block.height + (block.isHeading ? (blocks[index + 1]?.height ?? 0) : 0);
    if (needed > left) {
      pages.push([]);
      left = room(FURTHER_HEAD);
    }
    pages.at(-1)?.push(block);
    left -= block.height;
  }
  return pages;
};

/** A QR code as squares: nothing but rectangles, which no viewer blurs. */
const drawCode = (
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

/** `01M7YT3 JAHDR4E…`: in groups, as people read and type. */
const grouped = (code: string): string => code.replaceAll(/.{7}(?=.)/g, '$& ');

/** What stands above the first page's content, and how high that is. */
const headOf = (
  pdf: PDFKit.PDFDocument,
  type: Typesetter,
  { kind, product, verification }: Certificate,
): Block => {
  const code = 78;
  const width = LINE - code - 20;
  const check = { size: 7.2, color: SOFT };
  const names = [20, 16, 12].map((size) => type.set(product.name, width, { size, weight: 'bold' }));
  const page = verification.url.replace(/\/[^/]*$/, '');
  const texts = [
    type.set(TITLES[kind].title, width, { size: 11, color: SOFT }),
    names.find(({ height }) => height <= 30) ?? (names.at(-1) as SetText),
    { height: 8, draw: () => {} },
    type.set('Confira se este documento é autêntico: leia o código ao lado, ou abra', width, check),
    type.set(page, width, { size: 7.2 }),
    type.set(`e informe ${grouped(verification.code)}`, width, check),
  ];
  return {
    height: Math.max(code, heightOf(texts)) + 18,
    draw: (top) => {
      drawCode(pdf, verification.url, PAGE.left + LINE - code, top, code);
      let y = top;
      for (const text of texts) {
        text.draw(PAGE.left, y);
        y += text.height;
      }
    },
  };
};

const drawFurtherHead = (type: Typesetter, { kind, number }: Certificate): void =>
  type
    .set(`${TITLES[kind].number} ${number}`, LINE, { size: 9, weight: 'bold' })
    .draw(PAGE.left, PAGE.top);

const drawFoot = (
  pdf: PDFKit.PDFDocument,
  type: Typesetter,
  certificate: Certificate,
  page: number,
  pages: number,
): void => {
  const y = PAGE.height - PAGE.bottom + 12;
  pdf
    .moveTo(PAGE.left, y)
    .lineTo(PAGE.left + LINE, y)
    .lineWidth(0.6)
    .strokeColor(RULE)
    .stroke();
  const style = { size: 6.8, color: SOFT };
  const { name, cnpj } = certificate.registration.insurer;
  type.set(`${name} · CNPJ ${formatTaxId(cnpj)}`, LINE * 0.8, style).draw(PAGE.left, y + 5);
  const number = `Página ${page} de ${pages}`;
  type.set(number, 100, style).draw(PAGE.left + LINE - type.width(number, style), y + 5);
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
    font: textFont('regular') as never,
    lang: 'pt-BR',
    pdfVersion: '1.7',
    displayTitle: true,
    // Nothing of the moment in which it is made: the same certificate is the same file.
    info: {
      Title: `${TITLES[kind].title} ${number} – ${product.name}`,
      Author: registration.insurer.name,
      CreationDate: new Date(issuedAt),
      ModDate: new Date(issuedAt),
    },
  });

/** The certificate as a PDF. */
export const renderCertificate = async (certificate: Certificate): Promise<Uint8Array> => {
  await prepareFonts(certificate);
  const pdf = openPdf(certificate);
  const chunks: Uint8Array[] = [];
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => pdf.once('end', resolve).once('error', reject));
  const type = new Typesetter(pdf);
  pdf.addPage();
  const head = headOf(pdf, type, certificate);
  const content = sized(head.height, (scale) =>
    contentOf(certificate, new Blocks(pdf, type, scale)),
  );
  const pages = paged(head.height, content);
  for (const [index, page] of pages.entries()) {
    if (index === 0) head.draw(PAGE.top);
    else {
      pdf.addPage();
      drawFurtherHead(type, certificate);
    }
    let top = PAGE.top + (index === 0 ? head.height : FURTHER_HEAD);
    for (const block of page) {
      block.draw(top);
      top += block.height;
    }
    drawFoot(pdf, type, certificate, index + 1, pages.length);
  }
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
};
