import { describeWebhooks } from '../events/describe-webhooks.ts';
import { addBodyExamples, type Examples } from './examples.ts';
import type { NamedSchemas } from './named-schemas.ts';
import type { Operation } from './operations.ts';
import type { NamedResponses } from './responses.ts';

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
