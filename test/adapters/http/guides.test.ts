import { expect } from 'chai';
import {
  ERROR_CODES,
  FIELD_CODES,
  NEXT_STEPS,
} from '../../../adapters/kit/contract/error-codes.ts';
import { withApi } from '../../support/api.ts';
import { readReadme } from '../../support/readme.ts';
import { expectRecordedRows } from '../../support/recorded-table.ts';
import {
  type DescribedOperation,
  DOCUMENTS,
  fetchDocument,
  inlineReferences,
  type Schema,
} from '../../support/reference.ts';

/** The names of all fields of a body, nested ones included. */
const fieldsOf = ({
  properties = {},
  items,
  anyOf = [],
  contentSchema,
}: Schema): readonly string[] => [
  ...Object.keys(properties),
  ...[...Object.values(properties), ...anyOf, items ?? [], contentSchema ?? []]
    .flat()
    .flatMap(fieldsOf),
];

const namesIn = ({ parameters = [], requestBody }: DescribedOperation): readonly string[] => [
  ...parameters.filter((each) => each.in === 'query').map(({ name }) => name),
  ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => fieldsOf(schema)),
];

/** The guides in which a reader looks for a path. */
const guidesFor = (path: string): readonly string[] => {
  if (path.startsWith('/admin/')) return ['adapters/http/admin/README.md'];
  if (/^\/private\/integration\/(events|webhooks)/.test(path))
    return ['adapters/http/events/README.md'];
  return path.includes('/auth/')
    ? ['adapters/http/oauth/README.md']
    : ['adapters/http/README.md', 'adapters/http/books/README.md'];
};

describe('the guides of the API', () => {
  withApi((api) => {
    it('name every field and parameter that a request may have', async () => {
      const documents = await Promise.all(DOCUMENTS.map((path) => fetchDocument(api(), path)));
      const operations = documents.flatMap((document) =>
        Object.entries(inlineReferences(document).paths).flatMap(([path, methods]) =>
          Object.values(methods).map((operation) => ({ path, operation })),
        ),
      );
      const missing = operations.flatMap(({ path, operation }) => {
        const text = guidesFor(path)
          .map((guide) => readReadme(guide).text)
          .join('\n');
        const isNamed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
        return namesIn(operation)
          .filter((name) => !isNamed(name))
          .map((name) => `${path}: ${name}`);
      });
      expect(operations).to.have.length.above(20);
      expect(missing).to.deep.equal([]);
    });

    it('explain each code in the words of the list, and the document lists the same codes', async () => {
      expectRecordedRows(
        'adapters/http/README.md',
        '### Codes of errors',
        Object.entries(ERROR_CODES).map(([code, { status, meaning, next }]) => [
          ...[`\`${code}\``, status.join(', ')],
          ...[meaning, NEXT_STEPS[next]],
        ]),
      );
      expectRecordedRows(
        'adapters/http/README.md',
        '### Codes of fields',
        Object.entries(FIELD_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]),
      );
      const { components } = await fetchDocument(api(), '/openapi.json');
      const { ErrorCode = {}, FieldCode = {} } = components.schemas;
      expect(ErrorCode.enum).to.deep.equal(Object.keys(ERROR_CODES));
      expect(FieldCode.enum).to.deep.equal(Object.keys(FIELD_CODES));
      expect(Object.keys(ErrorCode['x-enum-descriptions'] ?? {})).to.deep.equal(ErrorCode.enum);
      expect(FieldCode['x-enum-descriptions']).to.deep.equal(FIELD_CODES);
    });
  });
});
