import { expect } from 'chai';
import { addBodyExamples, readExamples } from '../../../../adapters/http/reference/examples.ts';
import { NamedResponses } from '../../../../adapters/http/reference/responses.ts';

const content = {
  'application/x-ndjson': { schema: { type: 'string' } },
  'text/csv': { schema: { type: 'string' } },
};

const ADDRESS = 'https://sales.example/seguros';

const found = (body: object) => ({ found: { summary: 'Encontrada', body } });

const NOT_FOUND = { description: 'Não encontrada', content: { 'application/json': {} } };

describe('the examples of the OpenAPI documents', () => {
  it('are those of the audience: administrators have their own of some operations', async () => {
    const partners = (await readExamples('partners', ADDRESS)).get('createWebhook');
    const administrators = (await readExamples('administrators', ADDRESS)).get('createWebhook');
    expect(partners).to.have.property('request');
    expect(administrators).to.have.property('request');
    expect(administrators).not.to.deep.equal(partners);
  });

  it('show the address of the service, whatever characters it holds', async () => {
    for (const address of [ADDRESS, 'https://sales.example/"$&']) {
      const examples = await readExamples('partners', address);
      expect(JSON.stringify([...examples])).not.to.include('127.0.0.1:3000');
      const { token } = examples.get('introspectToken')?.answers?.['200'] ?? {};
      expect(token?.body).to.include({ iss: address, aud: `${address}/api` });
    }
  });

  it('are shown with the media type that they have, else with the first one', () => {
    const headers = { 'content-type': 'text/csv; charset=utf-8' };
    const shown = addBodyExamples(content, {
      lines: { summary: 'Linhas', body: '{}' },
      table: { summary: 'Tabela', headers, body: 'a,b' },
      none: { summary: 'Sem corpo' },
    });
    expect(shown).to.deep.equal({
      'application/x-ndjson': {
        schema: { type: 'string' },
        examples: { lines: { summary: 'Linhas', value: '{}' } },
      },
      'text/csv': {
        schema: { type: 'string' },
        examples: { table: { summary: 'Tabela', value: 'a,b' } },
      },
    });
  });

  it('of a shared response are those of all its uses, each once', () => {
    const responses = new NamedResponses();
    const reference = { $ref: '#/components/responses/NotFound' };
    const refer = (examples?: ReturnType<typeof found>) =>
      responses.refer('NotFound', NOT_FOUND, examples);
    expect(refer()).to.deep.equal(reference);
    expect(refer(found({ code: 'not_found' }))).to.deep.equal(reference);
    expect(refer(found({ code: 'not_found' }))).to.deep.equal(reference);
    expect(refer(found({ code: 'other' })), 'another body of the same name').to.equal(undefined);
    expect(responses.components()).to.deep.equal({
      NotFound: {
        description: 'Não encontrada',
        content: {
          'application/json': {
            examples: { found: { summary: 'Encontrada', value: { code: 'not_found' } } },
          },
        },
      },
    });
    expect(() => responses.refer('NotFound', { description: 'Outra' })).to.throw(
      'two responses have the name NotFound',
    );
  });
});
