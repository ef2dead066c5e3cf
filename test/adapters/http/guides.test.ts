import { expect } from 'chai';
import { withApi } from '../../support/api.ts';
import { readReadme } from '../../support/readme.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

/** The names of all fields of a body, nested ones included. */
const fieldsOf = ({ properties = {}, items, anyOf = [] }: Schema): readonly string[] => [
  ...Object.keys(properties),
  ...[...Object.values(properties), ...anyOf, ...(items ? [items] : [])].flatMap(fieldsOf),
];

const namesIn = ({ parameters = [], requestBody }: Operation): readonly string[] => [
  ...parameters.filter((each) => each.in === 'query').map(({ name }) => name),
  ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => fieldsOf(schema)),
];

const guideFor = (path: string): string => {
  if (path.startsWith('/admin/')) return 'adapters/http/admin/README.md';
  return path.includes('/auth/') ? 'adapters/http/oauth/README.md' : 'adapters/http/README.md';
};

describe('the guides of the API', () => {
  withApi((api) => {
    it('name every field and parameter that a request may have', async () => {
      const { body: document } = await api().call('/openapi.json');
      const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(
        ([path, methods]) => Object.values(methods).map((operation) => ({ path, operation })),
      );
      const missing = operations.flatMap(({ path, operation }) => {
        const { text } = readReadme(guideFor(path));
        const isNamed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
        return namesIn(operation)
          .filter((name) => !isNamed(name))
          .map((name) => `${path}: ${name}`);
      });
      expect(operations).to.have.length.above(20);
      expect(missing).to.deep.equal([]);
    });
  });
});
