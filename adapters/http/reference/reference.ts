import type { Route } from '../routes/route.ts';
import type { Audience } from './audiences.ts';

/** The OpenAPI documents of the service. */
export interface Reference {
  /** The document for an audience, as JSON in UTF-8. It is made when first asked for, and kept. */
  read(audience: Audience): Promise<Buffer>;
}

export const createReference = (routes: readonly Route[], publicUrl: string): Reference => {
  const made = new Map<Audience, Promise<Buffer>>();

  return {
    read(audience) {
      const known = made.get(audience) ?? write(audience, routes, publicUrl);
      made.set(audience, known);
      // A file that could not be read may be readable later.
      known.catch(() => made.delete(audience));
      return known;
    },
  };
};

const write = async (
  audience: Audience,
  routes: readonly Route[],
  publicUrl: string,
): Promise<Buffer> => {
  // Loaded late: most processes are never asked for a document.
  const [{ makeDocument }, { readExamples }] = await Promise.all([
    import('./document.ts'),
    import('./examples.ts'),
  ]);
  const examples = await readExamples(audience, publicUrl);
  const document = makeDocument(audience, routes, publicUrl, examples);
  return Buffer.from(JSON.stringify(document));
};
