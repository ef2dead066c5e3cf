import Type, { type Static } from 'typebox';
import type { CreateClient } from '../../../application/identity/create-client.ts';
import { type Faults, refused } from '../answers.ts';
import { jsonBody } from '../body.ts';
import type { Step } from '../context.ts';
import { houseErrorSchema } from '../error-schemas.ts';
import { text } from '../formats.ts';
import type { Route } from '../routes.ts';
import { validator } from '../validation.ts';

const clientBody = Type.Object(
  {
    name: text(200, { description: 'Nome do integrador' }),
    channelLink: Type.Optional(
      text(100, { description: 'Canal do cliente; obrigatório para o escopo sales, ausente para um administrador' }),
    ),
    scopes: Type.Optional(
      Type.Array(Type.Enum(['sales', 'admin']), { minItems: 1, uniqueItems: true, description: 'Padrão: sales' }),
    ),
    active: Type.Optional(Type.Boolean({ description: 'Padrão: verdadeiro' })),
  },
  { title: 'ApiClient', additionalProperties: false },
);

const createdClient = Type.Object({
  success: Type.Literal(true),
  response: Type.Object({
    data: Type.Object({
      client_id: Type.String(),
      client_secret: Type.String({ description: 'Exibido somente nesta resposta' }),
      name: Type.String(),
      channelLink: Type.Union([Type.String(), Type.Null()]),
      scopes: Type.Array(Type.String()),
      status: Type.String(),
      created_at: Type.String(),
    }),
  }),
});

const invalid = (errors: Faults): Error => refused(422, Object.values(errors)[0]?.[0] ?? 'Requisição inválida.', { errors });

const createApiClient = (createClient: CreateClient): Step => {
  const check = validator(clientBody);
  return async (ctx) => {
    const checked = check(ctx.request.body as object);
    const { scopes = ['sales' as const], channelLink } = checked.sound;
    const scopesAtFault = Object.keys(checked.faults).some((path) => path.startsWith('scopes'));
    const faults = { ...(!scopesAtFault && channelFaults(scopes, channelLink)), ...checked.faults };
    if (!checked.ok || Object.keys(faults).length > 0) throw invalid(faults);

    const { name, active = true } = checked.value;
    const created = await createClient({ name, active, scopes, channelLink: channelLink ?? null });
    if (created === 'duplicate') throw new Error('a generated client id was taken');
    const { client, clientSecret } = created;
    ctx.status = 201;
    ctx.body = {
      success: true,
      response: {
        data: {
          client_id: client.clientId,
          client_secret: clientSecret,
          name: client.name,
          channelLink: client.channelLink,
          scopes: [...client.scopes],
          status: client.status,
          created_at: client.createdAt,
        },
      },
    } satisfies Static<typeof createdClient>;
  };
};

/** A client that sells belongs to a channel; an administrator's belongs to none. */
const channelFaults = (scopes: readonly string[], channelLink: string | undefined): Faults => {
  if (scopes.includes('sales') && channelLink === undefined)
    return { channelLink: ['O campo channelLink é obrigatório para o escopo sales.'] };
  if (!scopes.includes('sales') && channelLink !== undefined)
    return { channelLink: ['Um cliente sem o escopo sales não pertence a um canal.'] };
  return {};
};

export const adminRoutes = (createClient: CreateClient): readonly Route[] => [
  {
    method: 'post',
    path: '/admin/api-clients',
    summary: 'Cria as credenciais de um canal ou de um administrador',
    tag: 'Administração',
    scope: 'admin',
    body: clientBody,
    answers: {
      201: { description: 'Cliente criado; o segredo não será exibido de novo', schema: createdClient },
      422: { description: 'Campos com erro', schema: houseErrorSchema },
    },
    steps: [jsonBody, createApiClient(createClient)],
  },
];
