import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { oauthErrorSchema, standardErrorSchema } from '../../kit/contract/answer-shapes.ts';
import { toOAuthError } from '../oauth/oauth-errors.ts';
import type { Route, RouteAnswer } from '../routes/route.ts';
import {
  type AnswerExample,
  type AnswerExamples,
  addBodyExamples,
  type Content,
  type OperationExamples,
} from './examples.ts';
import { headersOf } from './headers.ts';
import { linesOf, type NamedSchemas } from './named-schemas.ts';

/** A response without its examples. */
interface Response {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Content;
}

interface NamedResponse {
  readonly response: Response;
  readonly text: string;
  readonly examples: Record<string, AnswerExample>;
}

/** The responses that the document describes once, each with the examples of all its uses. */
export class NamedResponses {
  readonly #named = new Map<string, NamedResponse>();

  /**
   * Returns a reference; undefined if the response has an example of this name with another body.
   *
   * @throws Error if the name has already been given to another response
   */
  refer(name: string, response: Response, examples: AnswerExamples = {}): object | undefined {
    const text = JSON.stringify(response);
    const known = this.#named.get(name) ?? { response, text, examples: {} };
    if (known.text !== text) throw new Error(`two responses have the name ${name}`);

    const differs = ([key, { body }]: [string, AnswerExample]): boolean =>
      Object.hasOwn(known.examples, key) && !isDeepStrictEqual(known.examples[key]?.body, body);
    if (Object.entries(examples).some(differs)) return undefined;

    const shown = Object.values(known.examples);
    for (const [key, example] of Object.entries(examples))
      if (!shown.some(({ body }) => isDeepStrictEqual(body, example.body)))
        known.examples[key] = example;
    this.#named.set(name, known);
    return { $ref: `#/components/responses/${name}` };
  }

  components(): object {
    const names = [...this.#named.keys()].sort();
    return Object.fromEntries(
      names.map((name) => {
        const { response, examples } = this.#named.get(name) as NamedResponse;
        return [name, withExamples(response, examples)];
      }),
    );
  }
}

const withExamples = ({ content, ...response }: Response, examples?: AnswerExamples): Response =>
  content === undefined ? response : { ...response, content: addBodyExamples(content, examples) };

/**
 * The answers that every endpoint may give beside its own. Fields at fault are a 422, except where
 * errors have another shape; the notices of a gateway, which need no scope, have no such fields.
 */
const commonAnswersOf = (route: Route): Route['answers'] => {
  const { scope, query, body, lines, shapeError, partnerCredentials } = route;
  const isOAuth = shapeError === toOAuthError;
  const schema = isOAuth ? oauthErrorSchema : standardErrorSchema;
  const named = (name: string) => ({ name: isOAuth ? `OAuth${name}` : name, schema });
  // Wrong credentials are answered as OAuth endpoints do, wherever a partner may send them.
  const access = partnerCredentials ? EITHER_ERROR : schema;
  const accessName = partnerCredentials ? 'Partner' : '';
  return {
    ...(body && {
      400: {
        name: `${isOAuth ? 'OAuth' : accessName}InvalidBody`,
        description: 'Corpo que não é um objeto JSON',
        schema: access,
      },
      413: { ...named('BodyTooLarge'), description: 'Corpo com mais de 256 KiB' },
    }),
    ...((body ?? lines) && {
      415: {
        ...named(lines ? 'UnsupportedFile' : 'UnsupportedMediaType'),
        description: 'Tipo de conteúdo não suportado',
      },
    }),
    ...(scope && {
      401: {
        name: `${accessName}Unauthorized`,
        description: 'Token ou credenciais ausentes ou inválidos',
        schema: access,
      },
      403: { ...named('Forbidden'), description: 'Sem permissão' },
    }),
    ...((query ?? body) &&
      scope &&
      shapeError === undefined && {
        422: { ...named('InvalidFields'), description: 'Campos com erro' },
      }),
    429: {
      ...named('TooManyRequests'),
      description: 'Limite de requisições excedido; veja Retry-After',
    },
    500: {
      ...named('InternalError'),
      description: 'Erro interno: informe o X-Request-Id ao suporte',
    },
    503: {
      ...named('Unavailable'),
      description: 'Temporariamente indisponível; veja Retry-After',
    },
  };
};

const EITHER_ERROR = Type.Union([standardErrorSchema, oauthErrorSchema]);

/** The answers of a route. One with a name and without examples is a reference. */
export const responsesOf = (
  route: Route,
  { answers = {} }: OperationExamples,
  schemas: NamedSchemas,
  responses: NamedResponses,
): object =>
  Object.fromEntries(
    Object.entries({ ...commonAnswersOf(route), ...route.answers }).map(([status, answer]) => {
      const { name, description } = answer;
      const content = contentOf(answer, schemas);
      const response = {
        description,
        headers: headersOf(Number(status), route),
        ...(Object.keys(content).length > 0 && { content }),
      };
      const examples = answers[status];
      // Which fields are at fault differs from operation to operation.
      const isOwn = name === undefined || (examples && ['400', '422'].includes(status));
      const reference = isOwn ? undefined : responses.refer(name, response, examples);
      return [status, reference ?? withExamples(response, examples)];
    }),
  );

const contentOf = ({ schema, files = [], lines }: RouteAnswer, schemas: NamedSchemas): Content => ({
  ...(schema &&
    (lines
      ? { 'application/x-ndjson': { schema: linesOf(schemas.write(schema)) } }
      : { 'application/json': { schema: schemas.write(schema) } })),
  ...Object.fromEntries(files.map((type) => [type, { schema: { type: 'string' } }])),
});
