import Type, { type TSchema } from 'typebox';
import type { Route } from '../pipeline/route.ts';
import {
  errorCodeSchema,
  NAMED_SCHEMAS,
  oauthErrorSchema,
  standardErrorSchema,
} from './answer-shapes.ts';

const jsonContent = (schema: TSchema): object => ({ 'application/json': { schema } });

const bodyOf = ({ body, form, lines }: Route): object => {
  if (lines !== undefined)
    return {
      requestBody: {
        required: true,
        content: {
          'application/x-ndjson': { schema: lines },
          'text/csv': { schema: { type: 'string' } },
        },
      },
    };
  return body === undefined
    ? {}
    : {
        requestBody: {
          required:
            'anyOf' in body ||
            ((body as { required?: readonly string[] }).required ?? []).length > 0,
          content: {
            ...jsonContent(body),
            ...(form && { 'application/x-www-form-urlencoded': { schema: body } }),
          },
        },
      };
};

const parametersOf = ({ path, query, idempotent }: Route): readonly object[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  ...Object.entries(query?.properties ?? {}).map(([name, schema]) => {
    const { required = [] } = query as { readonly required?: readonly string[] };
    return { name, in: 'query', required: required.includes(name), schema };
  }),
  ...(idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          schema: { type: 'string', maxLength: 255 },
        },
      ]
    : []),
];

/** The answers that every endpoint may give beside its own. */
const commonAnswersOf = ({
  scope,
  body,
  lines,
  shapeError,
  partnerCredentials,
}: Route): Route['answers'] => {
  const schema = shapeError === undefined ? standardErrorSchema : oauthErrorSchema;
  // Wrong credentials are answered as OAuth endpoints do, wherever a partner may send them.
  const accessSchema = partnerCredentials ? Type.Union([schema, oauthErrorSchema]) : schema;
  return {
    ...(body && {
      400: { description: 'Corpo que não é um objeto JSON', schema: accessSchema },
      413: { description: 'Corpo com mais de 256 KiB', schema },
    }),
    ...((body ?? lines) && {
      415: { description: 'Tipo de conteúdo não suportado', schema },
    }),
    ...(scope && {
      401: { description: 'Token ausente ou inválido', schema: accessSchema },
      403: { description: 'Sem permissão', schema },
    }),
    429: {
      description: 'Limite de requisições excedido; veja Retry-After',
      schema,
    },
    500: {
      description: 'Erro interno: informe o X-Request-Id ao suporte',
      schema,
    },
    503: {
      description: 'Temporariamente indisponível; veja Retry-After',
      schema,
    },
  };
};

const headerOf = (description: string, schema: object = { type: 'string' }): object => ({
  description,
  schema,
});

const headersOf = (status: number, { idempotent, replays }: Route): object => ({
  'X-Request-Id': headerOf('O do chamador, se for aceitável, ou um novo'),
  'RateLimit-Limit': headerOf('Requisições por minuto'),
  'RateLimit-Remaining': headerOf('Requisições restantes neste minuto'),
  'RateLimit-Reset': headerOf('Segundos até o próximo minuto'),
  ...((idempotent || replays) &&
    status === 200 && {
      'Idempotent-Replayed': headerOf('true quando a resposta é a de uma requisição anterior'),
    }),
  ...(status >= 400 && { 'X-Error-Code': headerOf('O código do erro', errorCodeSchema) }),
  ...((status === 400 || status === 422) && {
    'X-Error-Fields': headerOf(
      'Os campos com erro e seus códigos: campo=código, campo=código; até 1.000 caracteres',
    ),
  }),
  ...((status === 429 || status === 503) && { 'Retry-After': headerOf('Segundos') }),
});

const answersOf = (route: Route): object =>
  Object.fromEntries(
    Object.entries({ ...commonAnswersOf(route), ...route.answers }).map(
      ([status, { description, schema, files = [], lines }]) => {
        const content = {
          ...(schema && (lines ? { 'application/x-ndjson': { schema } } : jsonContent(schema))),
          ...Object.fromEntries(files.map((type) => [type, { schema: { type: 'string' } }])),
        };
        return [
          status,
          { description, headers: headersOf(Number(status), route), ...(schema && { content }) },
        ];
      },
    ),
  );

const securityOf = ({ scope, basic, partnerCredentials, body }: Route): readonly object[] => {
  if (scope !== undefined) {
    const others = partnerCredentials ? [{ basic: [] }, ...(body === undefined ? [] : [{}])] : [];
    return [{ oauth: [scope] }, ...others];
  }
  return basic ? [{ basic: [] }, {}] : [];
};

/**
 * Builds the OpenAPI 3.1 document from the schemas that validate the requests.
 *
 * @param webhooks what the service sends to partners, by name, as path items
 */
export const buildOpenApi = (
  routes: readonly Route[],
  baseUrl: string,
  webhooks: Readonly<Record<string, object>>,
): object => {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const { method, path, operationId, summary, description, tag } = route;
    paths[path] ??= {};
    paths[path][method] = {
      summary,
      tags: [tag],
      operationId,
      ...(description && { description }),
      security: securityOf(route),
      ...(parametersOf(route).length > 0 && { parameters: parametersOf(route) }),
      ...bodyOf(route),
      responses: answersOf(route),
    };
  }
  const scopes = { sales: 'Registrar e consultar vendas', admin: 'Administrar o serviço' };
  const tokenUrl = `${baseUrl}/seguros/auth/token`;
  return {
    openapi: '3.1.0',
    info: { title: 'Integração de Vendas de Seguros', version: '1.0' },
    servers: [{ url: baseUrl }],
    paths,
    webhooks,
    components: {
      schemas: NAMED_SCHEMAS,
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        oauth: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl, refreshUrl: tokenUrl, scopes } },
        },
      },
    },
  };
};
