import bwipjs, { type RenderOptions } from 'bwip-js';
import PDFDocument from 'pdfkit';
import { formatTaxId } from '#domain';
import type { Certificate } from '../../application/certificates/certificate.ts';
import { type Block, Blocks, LINE, PAGE } from './blocks.ts';
import { contentOf } from './content.ts';
import { prepareFonts, textFont } from './fonts.ts';
import { INK, RULE, SOFT, Typesetter } from './typesetting.ts';
import { TITLES } from './words.ts';

/** So large, down to so small, that all has a place on one page; what has none even then goes on on another. */
const SCALES = [1, 0.95, 0.9, 0.85, 0.8] as const;

const HEAD = 96;

/** What follows the first page has less of a head. */
const FURTHER_HEAD = 26;

const heightOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { height }) => sum + height, 0);

const room = (head: number): number => PAGE.height - PAGE.top - PAGE.bottom - head;

const sized = (contentIn: (scale: number) => readonly Block[]): readonly Block[] => {
  const [largest, ...smaller] = SCALES;
  let blocks = contentIn(largest);
  for (const scale of smaller) {
    if (heightOf(blocks) <= room(HEAD)) break;
    blocks = contentIn(scale);
  }
  return blocks;
};

const paged = (blocks: readonly Block[]): readonly (readonly Block[])[] => {
  const pages: Block[][] = [[]];
  let left = room(HEAD);
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
const drawCode = (pdf: PDFKit.PDFDocument, text: string, x: number, y: number, size: number): void => {
  const [{ pixs, pixx }] = bwipjs.raw({ bcid: 'qrcode', text } as RenderOptions) as unknown as [{ pixs: number[]; pixx: number }];
  const module = size / pixx;
  for (const [index, dark] of pixs.entries()) {
    if (dark !== 1) continue;
    pdf.rect(x + (index % pixx) * module, y + Math.floor(index / pixx) * module, module, module);
  }
  pdf.fillColor(INK).fill();
};

/** `01M7Y T3JAH…`: in groups, as people read and type. */
const grouped = (code: string): string => code.replaceAll(/.{5}(?=.)/g, '$& ');

const drawHead = (pdf: PDFKit.PDFDocument, type: Typesetter, { kind, product, verification }: Certificate): void => {
  const code = 78;
  const x = PAGE.left + LINE - code;
  const width = LINE - code - 20;
  type.set(TITLES[kind].title, width, { size: 11, color: SOFT }).draw(PAGE.left, PAGE.top);
  const sizes = [20, 16, 12];
  const name = sizes.map((size) => type.set(product.name, width, { size, weight: 'bold' }));
  (name.find(({ height }) => height <= 30) ?? name.at(-1))?.draw(PAGE.left, PAGE.top + 15);
  drawCode(pdf, verification.url, x, PAGE.top, code);
  const check = { size: 7.2, color: SOFT };
  type.set('Confira se este documento é autêntico: leia o código ao lado, ou abra', width, check).draw(PAGE.left, PAGE.top + 52);
  type.set(verification.url.replace(/\/[^/]*$/, ''), width, { size: 7.2 }).draw(PAGE.left, PAGE.top + 62);
  type.set(`e informe ${grouped(verification.code)}`, width, check).draw(PAGE.left, PAGE.top + 72);
};

const drawFurtherHead = (type: Typesetter, { kind, number }: Certificate): void =>
  type.set(`${TITLES[kind].number} ${number}`, LINE, { size: 9, weight: 'bold' }).draw(PAGE.left, PAGE.top);

const drawFoot = (pdf: PDFKit.PDFDocument, type: Typesetter, certificate: Certificate, page: number, pages: number): void => {
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

const openPdf = ({ kind, number, product, issuedAt, registration }: Certificate): PDFKit.PDFDocument =>
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
  const pages = paged(sized((scale) => contentOf(certificate, new Blocks(pdf, type, scale))));
  for (const [index, page] of pages.entries()) {
    pdf.addPage();
    if (index === 0) drawHead(pdf, type, certificate);
    else drawFurtherHead(type, certificate);
    let top = PAGE.top + (index === 0 ? HEAD : FURTHER_HEAD);
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
