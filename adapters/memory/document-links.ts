import type {
  DocumentGrant,
  DocumentLinks,
} from '../../application/certificates/document-links.ts';

/** Grants that are known because they were given. */
export class MemoryDocumentLinks implements DocumentLinks {
  readonly #given = new Map<string, DocumentGrant>();

  sign(grant: DocumentGrant): string {
    const name = `link-${this.#given.size + 1}`;
    this.#given.set(name, { ...grant });
    return name;
  }

  read(signed: string): DocumentGrant | undefined {
    return this.#given.get(signed);
  }
}
