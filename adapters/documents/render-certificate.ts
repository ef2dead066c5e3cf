import type { Certificate } from '../../application/certificates/certificate.ts';
import { Blocks } from './blocks.ts';
import { createContent } from './certificate-content.ts';
import { CertificatePdf } from './certificate-pdf.ts';
import { TITLES } from './certificate-words.ts';
import { prepareFonts } from './fonts.ts';
import { type Block, type Drawing, PAGE, sumHeights } from './page.ts';
import {
  createHeader,
  drawFooter,
  drawNextHeader,
  drawTestMark,
  NEXT_HEADER_HEIGHT,
} from './page-frame.ts';
import { Tags } from './tags.ts';
import { Typesetter } from './typesetting.ts';

/** Scales to try until the content fits on one page. */
const SCALES_OF_A_PAGE = [1, 0.95, 0.9, 0.85, 0.8];

/** The scale of a content that needs several pages; larger ones, to fill those pages. */
const SCALE_OF_PAGES = 0.95;
const FILLING_SCALES = [1.15, 1.1, 1.05, 1];

type Pages = readonly (readonly Block[])[];

const heightBelow = (header: number): number => PAGE.height - PAGE.top - PAGE.bottom - header;

/** Searches, by halves, for the largest scale at which the content takes no more pages. */
const fitPages = (
  count: number,
  descending: readonly number[],
  layOutAt: (scale: number) => Pages,
): Pages | undefined => {
  let fitting: Pages | undefined;
  let scales = descending;
  while (scales.length > 0) {
    const middle = scales.length >> 1;
    const pages = layOutAt(scales[middle] as number);
    const fits = pages.length <= count;
    if (fits) fitting = pages;
    scales = fits ? scales.slice(0, middle) : scales.slice(middle + 1);
  }
  return fitting;
};

/** Uses as few pages as possible, in letters that fill them. */
const layOut = (layOutAt: (scale: number) => Pages): Pages => {
  const page = fitPages(1, SCALES_OF_A_PAGE, layOutAt);
  if (page !== undefined) return page;
  const pages = layOutAt(SCALE_OF_PAGES);
  return fitPages(pages.length, FILLING_SCALES, layOutAt) ?? pages;
};

/** Height of a block and of the next ones on the same page. */
const heightTogether = (blocks: readonly Block[], from: number): number => {
  const last = blocks.findIndex(({ keepsWithNext }, index) => index >= from && !keepsWithNext);
  return sumHeights(blocks.slice(from, last < 0 ? undefined : last + 1));
};

const splitIntoPages = (header: number, blocks: readonly Block[]): Pages => {
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

const openPdf = ({
  kind,
  number,
  product,
  issuedAt,
  registration,
}: Certificate): PDFKit.PDFDocument =>
  new CertificatePdf({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    font: '',
    lang: 'pt-BR',
    pdfVersion: '1.7',
    displayTitle: true,
    tagged: true,
    // The dates come from the certificate, so that the same certificate gives the same file.
    info: {
      Title: `${TITLES[kind].title} ${number} – ${product.name}`,
      Author: registration.insurer.name,
      CreationDate: new Date(issuedAt),
      ModDate: new Date(issuedAt),
    },
  });

interface Rendering {
  readonly certificate: Certificate;
  /** Whether each page says that it is of a test environment. */
  readonly isTest: boolean;
}

/** Renders a certificate as PDF. Runs on the thread of `PdfDocuments`. */
export const renderCertificate = async ({
  certificate,
  isTest,
}: Rendering): Promise<Uint8Array> => {
  await prepareFonts(certificate);
  const pdf = openPdf(certificate);
  const chunks: Uint8Array[] = [];
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => pdf.once('end', resolve).once('error', reject));
  const drawing: Drawing = { pdf, type: new Typesetter(pdf), tags: new Tags(pdf) };
  pdf.addPage();
  const header = createHeader(drawing, certificate);
  const pages = layOut((scale) =>
    splitIntoPages(header.height, createContent(certificate, new Blocks(drawing, scale))),
  );
  for (const [index, page] of pages.entries()) {
    if (index === 0) header.draw(PAGE.top);
    else {
      pdf.addPage();
      drawNextHeader(drawing, certificate);
    }
    let top = PAGE.top + (index === 0 ? header.height : NEXT_HEADER_HEIGHT);
    for (const block of page) {
      block.draw(top);
      top += block.height;
    }
    drawFooter(drawing, certificate, index + 1, pages.length);
    if (isTest) drawTestMark(drawing);
  }
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
};
