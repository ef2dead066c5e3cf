import Type from 'typebox';
import { oauthErrorSchema, standardErrorSchema } from '../contract/answer-shapes.ts';
import type { Route, RouteAnswer } from '../pipeline/route.ts';
import { addBodyExamples, type OperationExamples } from './examples.ts';
import { headersOf } from './headers.ts';
import { linesOf, type NamedSchemas } from './named-schemas.ts';

/** The responses that the document describes once. */
export class NamedResponses {
  readonly #named = new Map<string, object>();

  /** @throws Error if the name has already been given to another response */
  add(name: string, response: object): object {
    const known = this.#named.get(name) ?? response;
    if (JSON.stringify(known) !== JSON.stringify(response))
      throw new Error(`two responses have the name ${name}`);
    this.#named.set(name, known);
    return { $ref: `#/components/responses/${name}` };
  }

  components(): object {
    return Object.fromEntries([...this.#named].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}

/** The answers that every endpoint may give beside its own. */
const commonAnswersOf = (route: Route): Route['answers'] => {
  const { scope, body, lines, shapeError, partnerCredentials } = route;
  const isOAuth = shapeError !== undefined;
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
      415: { ...named('UnsupportedMediaType'), description: 'Tipo de conteúdo não suportado' },
    }),
    ...(scope && {
      401: {
        name: `${accessName}Unauthorized`,
        description: 'Token ou credenciais ausentes ou inválidos',
        schema: access,
      },
      403: { ...named('Forbidden'), description: 'Sem permissão' },
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
      const examples = answers[status];
      const { name, description } = answer;
      const content = addBodyExamples(contentOf(answer, schemas), examples);
      const response = {
        description,
        headers: headersOf(Number(status), route),
        ...(Object.keys(content).length > 0 && { content }),
      };
      const isShared = name !== undefined && examples === undefined;
      return [status, isShared ? responses.add(name, response) : response];
    }),
  );

const contentOf = (
  { schema, files = [], lines }: RouteAnswer,
  schemas: NamedSchemas,
): Readonly<Record<string, object>> => ({
  ...(schema &&
    (lines
      ? { 'application/x-ndjson': { schema: linesOf(schemas.write(schema)) } }
      : { 'application/json': { schema: schemas.write(schema) } })),
  ...Object.fromEntries(files.map((type) => [type, { schema: { type: 'string' } }])),
});
