import { describeWebhooks } from '../events/describe-webhooks.ts';
import type { Route } from '../routes/route.ts';
import { addBodyExamples, type Examples, type OperationExamples } from './examples.ts';
import { linesOf, type NamedSchemas } from './named-schemas.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { type NamedResponses, responsesOf } from './responses.ts';

export interface Operation {
  readonly parameters?: readonly Parameter[];
}

/** Describes a route. */
export const describeOperation = (
  route: Route,
  examples: OperationExamples,
  schemas: NamedSchemas,
  responses: NamedResponses,
): Operation => {
  const { operationId, summary, tag, description = examples.description } = route;
  const parameters = parametersOf(route, examples, schemas);
  return {
    operationId,
    summary,
    ...(route.deprecated !== undefined && { deprecated: true }),
    ...(description !== undefined && { description }),
    tags: [tag],
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(route, examples, schemas),
    responses: responsesOf(route, examples, schemas, responses),
  } as Operation;
};

/** Credentials in the body, as some routes take them, count as no scheme. */
const securityOf = ({ scope, basic, partnerCredentials, body }: Route): readonly object[] => {
  if (scope !== undefined) {
    const others = partnerCredentials ? [{ basic: [] }, ...(body === undefined ? [] : [{}])] : [];
    return [{ oauth: [scope] }, ...others];
  }
  return basic ? [{ basic: [] }, {}] : [];
};

const requestBodyOf = (
  { body, form, lines }: Route,
  { request }: OperationExamples,
  schemas: NamedSchemas,
): object => {
  if (lines !== undefined) {
    const content = {
      'application/x-ndjson': { schema: linesOf(schemas.write(lines)) },
      'text/csv': { schema: { type: 'string' } },
    };
    return { requestBody: { required: true, content: addBodyExamples(content, request) } };
  }
  if (body === undefined) return {};

  const { anyOf, required = [] } = body as { anyOf?: object; required?: readonly string[] };
  const content = {
    'application/json': { schema: schemas.write(body) },
    ...(form && { 'application/x-www-form-urlencoded': { schema: schemas.write(body) } }),
  };
  const isRequired = anyOf !== undefined || required.length > 0;
  return { requestBody: { required: isRequired, content: addBodyExamples(content, request) } };
};

/** The operations by which the service sends events to partners, by the type of the event. */
export const webhookOperations = (
  examples: Examples,
  schemas: NamedSchemas,
  named: NamedResponses,
): Readonly<Record<string, Operation>> =>
  Object.fromEntries(
    Object.entries(describeWebhooks()).map(([type, { body, responses, ...operation }]) => {
      const content = { 'application/json': { schema: schemas.write(body) } };
      const { request } = examples.get(operation.operationId) ?? {};
      const requestBody = { required: true, content: addBodyExamples(content, request) };
      const references = Object.entries(responses).map(([status, { name, ...response }]) => [
        status,
        named.refer(name, response),
      ]);
      return [
        type,
        { ...operation, requestBody, responses: Object.fromEntries(references) } as Operation,
      ];
    }),
  );
