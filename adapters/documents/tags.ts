/** Attributes of an element (ISO 32000-1, 14.8.5). */
export type Attributes = Readonly<Record<string, string | number | readonly number[]>>;

interface TagOptions {
  /** Says what a picture shows. */
  readonly alt?: string;
  readonly attributes?: Attributes | undefined;
}

/**
 * Tags what is drawn, so that a screen reader knows headings, tables and the reading order
 * (ISO 14289-1). Elements are read in the order in which they are drawn.
 */
export class Tags {
  readonly #pdf: PDFKit.PDFDocument;
  /** The elements that are open, the innermost last. */
  readonly #open: PDFKit.PDFStructureElement[] = [];

  constructor(pdf: PDFKit.PDFDocument) {
    this.#pdf = pdf;
    const document = pdf.struct('Document');
    pdf.addStructure(document);
    this.#open.push(document);
  }

  /** Draws a text or a picture as one element. */
  draw(type: string, content: () => void, options: TagOptions = {}): void {
    this.open(type, options).add(content);
    this.close();
  }

  /** Opens an element for other elements, until `close`. */
  open(type: string, { attributes, ...options }: TagOptions = {}): PDFKit.PDFStructureElement {
    const element = this.#pdf.struct(type, options);
    if (attributes !== undefined) Object.assign(dictionaryOf(element).data, { A: attributes });
    this.#open.at(-1)?.add(element);
    this.#open.push(element);
    return element;
  }

  close(): void {
    this.#open.pop()?.end();
  }

  /** Draws what a screen reader skips: lines, and what is on each page. */
  skip(content: () => void): void {
    this.#pdf.markContent('Artifact');
    content();
    this.#pdf.endMarkedContent();
  }
}

/** PDFKit has the property, but its types do not. */
const dictionaryOf = (element: PDFKit.PDFStructureElement): PDFKit.PDFKitReference =>
  (element as unknown as { readonly dictionary: PDFKit.PDFKitReference }).dictionary;
