import { formatTaxId } from '#domain';
import type { Certificate, Report } from '../../application/certificates/certificate.ts';
import { Blocks } from './blocks.ts';
import { createContent } from './certificate-content.ts';
import { CertificatePdf } from './certificate-pdf.ts';
import { TITLES } from './certificate-words.ts';
import { drawPages, type Pages, splitIntoPages } from './document-pages.ts';
import { prepareFonts } from './fonts.ts';
import type { Drawing } from './page.ts';
import { createHeader } from './page-frame.ts';
import { drawReport } from './report-content.ts';
import { Tags } from './tags.ts';
import { Typesetter } from './typesetting.ts';

/** Scales to try until the content fits on one page. */
const SCALES_OF_A_PAGE = [1, 0.95, 0.9, 0.85, 0.8];

/** The scale of a content that needs several pages; larger ones, to fill those pages. */
const SCALE_OF_PAGES = 0.95;
const FILLING_SCALES = [1.15, 1.1, 1.05, 1];

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

/** Draws a certificate on pages of its own. */
const drawCertificate = (drawing: Drawing, certificate: Certificate, isTest: boolean): void => {
  const { kind, number, registration } = certificate;
  const { insurer } = registration;
  const header = createHeader(drawing, certificate);
  const pages = layOut((scale) =>
    splitIntoPages(header.height, createContent(certificate, new Blocks(drawing, scale))),
  );
  const above = `${TITLES[kind].number} ${number}`;
  const below = `${insurer.name} · CNPJ ${formatTaxId(insurer.cnpj)}`;
  drawPages(drawing, pages, { header, above, below, isTest });
};

/** What is rendered: a certificate, or a report, which may have one behind it. */
interface Rendering {
  readonly report?: Report;
  readonly certificate?: Certificate | undefined;
  readonly isTest: boolean;
}

/** What a file says of itself. Its dates come from the content: the same content is the same file. */
const describe = ({ report, certificate }: Rendering) => {
  if (report !== undefined) return { Title: report.title, Author: report.author, at: report.at };
  const { kind, number, product, registration, issuedAt } = certificate as Certificate;
  const Title = `${TITLES[kind].title} ${number} – ${product.name}`;
  return { Title, Author: registration.insurer.name, at: issuedAt };
};

const openPdf = (rendering: Rendering): PDFKit.PDFDocument => {
  const { at, ...info } = describe(rendering);
  return new CertificatePdf({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    font: '',
    lang: 'pt-BR',
    pdfVersion: '1.7',
    displayTitle: true,
    tagged: true,
    info: { ...info, CreationDate: new Date(at), ModDate: new Date(at) },
  });
};

/** Renders a paper as PDF. Runs on the thread of `PdfDocuments`. */
export const renderDocument = async (rendering: Rendering): Promise<Uint8Array> => {
  const { report, certificate, isTest } = rendering;
  await prepareFonts(rendering);
  const pdf = openPdf(rendering);
  const chunks: Uint8Array[] = [];
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => pdf.once('end', resolve).once('error', reject));
  const drawing: Drawing = { pdf, type: new Typesetter(pdf), tags: new Tags(pdf) };
  if (report) drawReport(drawing, report, isTest);
  if (certificate) drawCertificate(drawing, certificate, isTest);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
};
