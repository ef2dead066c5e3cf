import type { Route } from '../routes/route.ts';
import { type Audience, isFor } from './audiences.ts';
import type { Examples } from './examples.ts';
import { headersUsedBy } from './headers.ts';
import { informationOf, securitySchemesOf, TAGS } from './information.ts';
import { NamedSchemas } from './named-schemas.ts';
import { describeOperation, type Operation, webhookOperations } from './operations.ts';
import { shareParameters } from './parameters.ts';
import { NamedResponses } from './responses.ts';

/**
 * Makes the OpenAPI 3.1 document for an audience, from the schemas that validate the requests.
 *
 * @throws Error if a schema or response has the name of another one
 */
export const makeDocument = (
  audience: Audience,
  routes: readonly Route[],
  publicUrl: string,
  examples: Examples,
): object => {
  const baseUrl = `${publicUrl}/api`;
  const schemas = new NamedSchemas();
  const responses = new NamedResponses();
  const described = routes
    .filter((route) => isFor(audience, route))
    .map((route) => {
      const own = examples.get(route.operationId) ?? {};
      return { route, operation: describeOperation(route, own, schemas, responses) };
    });
  const webhooks = audience === 'partners' ? webhookOperations(examples, schemas, responses) : {};

  const operations = [...described.map(({ operation }) => operation), ...Object.values(webhooks)];
  const { components: parameters, refer } = shareParameters(operations);
  const finish = ({ parameters: own, ...operation }: Operation): object => ({
    ...operation,
    ...(own && { parameters: own.map(refer) }),
  });

  const paths: Record<string, Record<string, object>> = {};
  for (const { route, operation } of described)
    paths[route.path] = { ...paths[route.path], [route.method]: finish(operation) };
  const posts = Object.entries(webhooks).map(([type, each]) => [type, { post: finish(each) }]);

  const headers = Object.fromEntries(
    headersUsedBy(described.map(({ route }) => route)).map(([name, { description, schema }]) => [
      name,
      { description, schema: schemas.write(schema) },
    ]),
  );
  return {
    openapi: '3.1.0',
    info: informationOf(audience, publicUrl),
    servers: [{ url: baseUrl }],
    tags: usedTags(described.map(({ route }) => route)),
    paths,
    ...(posts.length > 0 && { webhooks: Object.fromEntries(posts) }),
    components: {
      schemas: schemas.components(),
      responses: responses.components(),
      parameters,
      headers,
      securitySchemes: securitySchemesOf(audience, baseUrl),
    },
  };
};

const usedTags = (routes: readonly Route[]): readonly object[] => {
  const used = new Set(routes.map(({ tag }) => tag));
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name as Route['tag']))
    .map(([name, description]) => ({ name, description }));
};
