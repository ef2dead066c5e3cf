import { expect } from 'chai';
import { ERROR_CODES, FIELD_CODES } from '../../../adapters/kit/contract/error-codes.ts';
import { LANGUAGES } from '../../../adapters/kit/web/pages/languages.ts';
import { TABLES } from '../../../bootstrap/site/tables.ts';
import { withApi } from '../../support/api.ts';
import { fetchDocument } from '../../support/reference.ts';

describe('the tables of the guide', () => {
  for (const language of LANGUAGES)
    it(`have a row for each code, state, event and card (${language})`, () => {
      for (const [name, table] of Object.entries(TABLES)) {
        const rows = table(language).split('\n');
        expect(rows.length, name).to.be.above(5);
        expect(table(language), name).not.to.match(/undefined/);
      }
      expect(TABLES['limits']?.(language)).not.to.match(/[{}]/);
      for (const code of Object.keys(ERROR_CODES))
        expect(TABLES['error-codes']?.(language)).to.include(`| \`${code}\` |`);
      for (const code of Object.keys(FIELD_CODES))
        expect(TABLES['field-codes']?.(language)).to.include(`| \`${code}\` |`);
    });

  it('have other words in each language', () => {
    for (const name of ['error-codes', 'field-codes', 'states', 'events', 'limits'])
      expect(TABLES[name]?.('en'), name).not.to.equal(TABLES[name]?.('pt-BR'));
  });

  withApi((api) => {
    it('list the codes of the OpenAPI document', async () => {
      const { components } = await fetchDocument(api(), '/openapi.json');
      const { ErrorCode = {}, FieldCode = {} } = components.schemas;
      expect(ErrorCode.enum).to.deep.equal(Object.keys(ERROR_CODES));
      expect(FieldCode.enum).to.deep.equal(Object.keys(FIELD_CODES));
      expect(Object.keys(ErrorCode['x-enum-descriptions'] ?? {})).to.deep.equal(ErrorCode.enum);
      expect(FieldCode['x-enum-descriptions']).to.deep.equal(FIELD_CODES);
    });
  });
});
