import { once } from 'node:events';
import { request } from 'node:http';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { EVENT_TYPES } from '../../../../application/events/partner-events.ts';
import { CREATE, mainBody, quickStartBody, withApi } from '../../../support/api.ts';
import {
  DOCUMENTS,
  fetchDocument,
  inlineReferences,
  type OpenApiDocument,
  operationsOf,
  type Schema,
} from '../../../support/reference.ts';

const TOKENS = ['createToken', 'introspectToken', 'refreshToken', 'revokeToken'];

const SOCIAL_NAMES = ['nomeSocial', 'socialName', 'nome_social'];

/** Bytes, at most, without examples. */
const MAX_BYTES = 216 * 1_024;

/** Characters of a schema that may stand in a document more than once. */
const MAX_REPEATED = 250;

describe('the OpenAPI documents', () => {
  withApi((api) => {
    for (const path of DOCUMENTS)
      describe(path, () => {
        let document: OpenApiDocument;
        let inlined: OpenApiDocument;

        before(async () => {
          document = await fetchDocument(api(), path);
          inlined = inlineReferences(document);
        });

        it('is valid OpenAPI 3.1', async () => {
          const { valid, errors } = await new Validator().validate(
            structuredClone(document) as never,
          );
          expect(valid, JSON.stringify(errors)).to.equal(true);
          expect(document.openapi).to.equal('3.1.0');
          expect(document.servers).to.deep.equal([{ url: `${api().url}/api` }]);
        });

        it('shows the address of the service in its examples', () => {
          const text = JSON.stringify(document);
          expect(text).not.to.include('http://127.0.0.1:3000/');
          expect(text).to.include(`"iss":"${api().url}"`);
        });

        it('describes every operation, parameter and tag', () => {
          const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
          for (const { name, operation } of operationsOf(inlined)) {
            const { summary, description, parameters = [] } = operation;
            expect(summary, name).to.be.a('string').that.matches(/\S/);
            expect(description, name).to.be.a('string').that.matches(/\S/);
            expect(operation.tags, name).to.have.length(1);
            for (const tag of operation.tags)
              expect(tags.get(tag), name).to.be.a('string').that.matches(/\S/);
            for (const each of parameters)
              expect(each.description, `${name}: ${each.name}`)
                .to.be.a('string')
                .that.matches(/\S/);
          }
          expect(document.info).to.include.keys('description', 'contact', 'license');
        });

        it('requires of each operation what its caller must have', () => {
          const scope = path === '/openapi.json' ? 'sales' : 'admin';
          for (const { name, operation } of operationsOf(document)) {
            const { oauth } = operation.security[0] ?? {};
            const isOpen = [...TOKENS, 'receivePaymentNotice'].includes(operation.operationId);
            expect(oauth, name).to.deep.equal(isOpen ? undefined : [scope]);
          }
          const schemes = document.components['securitySchemes'] as object;
          const used = operationsOf(document).flatMap(({ operation }) =>
            operation.security.flatMap((each) => Object.keys(each)),
          );
          expect(schemes).to.have.all.keys(...new Set(used));
        });

        it('declares the code of every error, in its header and its body', () => {
          const { ErrorCode, FieldCode } = inlined.components.schemas;
          const errors = operationsOf(inlined).flatMap(({ name, operation }) =>
            Object.entries(operation.responses)
              .filter(([status]) => Number(status) >= 400)
              .map(([status, response]) => ({ name: `${name} ${status}`, response })),
          );
          expect(errors).to.have.length.above(100);
          for (const { name, response } of errors) {
            expect(response.headers['X-Error-Code']?.schema.enum, name).to.deep.equal(
              ErrorCode?.enum,
            );
            if (/ (400|422)$/.test(name))
              expect(response.headers, name).to.have.property('X-Error-Fields');
            for (const { properties = {} } of schemasOf(response.content)) {
              // Bodies in house style, but for those with the fields of RFC 6749.
              if (properties['status_code'] === undefined || properties['error'] !== undefined)
                continue;
              expect(properties['code']?.enum, name).to.deep.equal(ErrorCode?.enum);
              expect(JSON.stringify(properties['error_codes']), name).to.include(
                JSON.stringify(FieldCode?.enum),
              );
            }
          }
        });

        it('is small: nothing long stands in it twice', () => {
          const seen = new Set<string>();
          const repeated: string[] = [];
          const look = (value: unknown): void => {
            if (typeof value !== 'object' || value === null) return;
            const text = JSON.stringify(value);
            const isSchema = 'properties' in value || 'anyOf' in value || 'items' in value;
            if (isSchema && text.length > MAX_REPEATED && seen.has(text)) repeated.push(text);
            seen.add(text);
            for (const each of Object.values(value)) look(each);
          };
          look(document);
          expect(repeated).to.deep.equal([]);
          expect(Buffer.byteLength(writeWithoutExamples(document))).to.be.below(MAX_BYTES);
        });

        it('is served below /api as well, and not again to a reader who has it', async () => {
          const answers = await Promise.all(
            [path, `/api${path}`].map((each) => fetch(`${api().url}${each}`)),
          );
          const [root, below] = await Promise.all(answers.map((each) => each.text()));
          expect(root).to.equal(below);
          const etag = answers[0]?.headers.get('ETag') ?? '';
          expect(etag).to.match(/^"[\w-]{43}"$/);
          // With `If-None-Match`, `fetch` adds `Cache-Control: no-cache`, which forbids a 304.
          const headers = { 'If-None-Match': etag };
          const [again] = await once(request(`${api().url}${path}`, { headers }).end(), 'response');
          expect(again.statusCode).to.equal(304);
          again.resume();
        });
      });

    it('has the events as webhooks in the document of partners alone', async () => {
      const { webhooks = {} } = await fetchDocument(api(), '/openapi.json');
      expect(Object.keys(webhooks)).to.deep.equal([...EVENT_TYPES]);
      expect(await fetchDocument(api(), '/openapi-admin.json')).not.to.have.property('webhooks');
    });

    it('describes both bodies of a ticket by the schemas that validate them', async () => {
      const { paths } = inlineReferences(await fetchDocument(api(), '/openapi.json'));
      const body = paths[CREATE]?.['post']?.requestBody?.content['application/json']?.schema;
      const [main, quick] = body?.anyOf ?? [];
      expect(main?.required).to.have.members(Object.keys(mainBody()));
      expect(Object.keys(main?.properties ?? {})).to.have.members([
        ...Object.keys(mainBody()),
        ...SOCIAL_NAMES,
        ...['acceptance', 'externalSaleId', 'quoteId', 'sellerCode'],
      ]);
      expect(Object.keys(quick?.properties ?? {})).to.have.members([
        ...Object.keys(quickStartBody()),
        ...SOCIAL_NAMES,
        ...['acceptance', 'externalSaleId', 'quoteId', 'sellerCode'],
      ]);
    });
  });
});

const schemasOf = (content: Readonly<Record<string, { readonly schema: Schema }>>) =>
  Object.values(content).flatMap(({ schema }) => schema.anyOf ?? [schema]);

/** `examples` of schemas are lists, those of bodies are objects. */
const writeWithoutExamples = (document: object): string =>
  JSON.stringify(document, (name, value) =>
    name === 'examples' && !Array.isArray(value) ? undefined : value,
  );
