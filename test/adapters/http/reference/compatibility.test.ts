import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { withApi } from '../../../support/api.ts';
import { findBreakingChanges } from '../../../support/breaking-changes.ts';
import {
  DOCUMENTS,
  fetchDocument,
  inlineReferences,
  type OpenApiDocument,
} from '../../../support/reference.ts';

/** The documents of each release: `1.0.0-openapi.json`. A release adds its own. */
const FOLDER = new URL('./released/', import.meta.url);

const readReleased = (name: string): OpenApiDocument =>
  inlineReferences(JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')));

const CREATE = '/private/integration/sale';

/** Changes of a document that break partners, and what the comparison says of each. */
// biome-ignore lint/suspicious/noExplicitAny: a document is changed at any depth
const BREAKS: readonly (readonly [string, (document: any) => void])[] = [
  ['is gone', ({ paths }) => delete paths[CREATE]],
  ['?limit is gone', ({ paths }) => paths['/private/integration/sales'].get.parameters.splice(0)],
  ['.quoteId is required now', ({ paths }) => bodyOf(paths[CREATE].post).required.push('quoteId')],
  ['.insured is gone', ({ paths }) => delete bodyOf(paths[CREATE].post).properties.insured],
  [
    'maxLength is 1,',
    ({ paths }) => {
      bodyOf(paths[CREATE].post).properties.externalSaleId.maxLength = 1;
    },
  ],
  [
    '201.data.ticket is gone',
    ({ paths }) => delete answerOf(paths[CREATE].post, 201).properties.data.properties.ticket,
  ],
  [
    'data.ticket: the type is integer, and was string',
    ({ paths }) => {
      answerOf(paths[CREATE].post, 201).properties.data.properties.ticket.type = 'integer';
    },
  ],
  [
    '201.data.ticket is optional now',
    ({ paths }) => answerOf(paths[CREATE].post, 201).properties.data.required.splice(1, 1),
  ],
  ['422 is gone', ({ paths }) => delete paths[CREATE].post.responses['422']],
  ['the webhook sale.paid is gone', ({ webhooks }) => delete webhooks['sale.paid']],
];

// biome-ignore lint/suspicious/noExplicitAny: as above
const bodyOf = (operation: any) => operation.requestBody.content['application/json'].schema;
// biome-ignore lint/suspicious/noExplicitAny: as above
const answerOf = (operation: any, status: number) =>
  operation.responses[status].content['application/json'].schema;

describe('the OpenAPI documents', () => {
  withApi((api) => {
    for (const name of readdirSync(FOLDER))
      it(`break no partner that was written for ${name}`, async () => {
        const path = DOCUMENTS.find((each) =>
          name.endsWith(each.slice(1)),
        ) as (typeof DOCUMENTS)[number];
        const now = inlineReferences(await fetchDocument(api(), path));
        expect([...findBreakingChanges(readReleased(name), now)]).to.deep.equal([]);
      });

    it('are those of each release', () => {
      expect(readdirSync(FOLDER)).to.include.members([
        '1.0.0-openapi.json',
        '1.0.0-openapi-admin.json',
      ]);
    });
  });

  for (const [found, change] of BREAKS)
    it(`do not hide a breaking change: ${found}`, () => {
      const before = readReleased('1.0.0-openapi.json');
      const after = structuredClone(before);
      change(after);
      const breaks = [...findBreakingChanges(before, after)];
      expect(
        breaks.some((each) => each.includes(found)),
        breaks.join('\n'),
      ).to.equal(true);
    });
});
