import Type, { type Static } from 'typebox';
import type { GrantTokens, TokenGrant, TokenRefusal } from '../../../application/identity/grant-tokens.ts';
import { failuresLimited, type RateLimit } from '../access.ts';
import { jsonBody, jsonOrFormBody } from '../body.ts';
import type { Context, Step } from '../context.ts';
import { oauthErrorSchema } from '../error-schemas.ts';
import { text } from '../formats.ts';
import type { Route } from '../routes.ts';
import { validator } from '../validation.ts';
import { credentialsOf } from './credentials.ts';
import { inOAuthShape, tokenError } from './errors.ts';

const word = () => Type.Optional(text(512));

const tokenBody = Type.Object(
  { grant_type: word(), client_id: word(), client_secret: word(), refresh_token: word(), scope: word() },
  { title: 'Token', description: 'grant_type ausente significa client_credentials' },
);

const refreshBody = Type.Object({ refresh_token: text(512), client_id: word(), client_secret: word() }, { title: 'Renovacao' });

const tokens = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Segundos' }),
  refresh_token: Type.String(),
  refresh_expires_in: Type.Integer({ description: 'Segundos' }),
  scope: Type.String(),
});

const DESCRIPTIONS = {
  invalid_client: 'Credenciais inválidas.',
  invalid_grant: 'O refresh_token é inválido, expirou ou já foi usado.',
  invalid_scope: 'O escopo pedido não está liberado para este cliente.',
} as const;

const answer = (ctx: Context, outcome: TokenGrant | TokenRefusal): void => {
  if (outcome.kind !== 'granted') {
    if (outcome.reuse) ctx.state.log.warn(outcome.reuse, 'refresh token reused: its family is revoked');
    throw tokenError(outcome.kind, DESCRIPTIONS[outcome.kind]);
  }
  ctx.set('Pragma', 'no-cache');
  ctx.body = {
    access_token: outcome.accessToken,
    token_type: 'Bearer',
    expires_in: outcome.expiresIn,
    refresh_token: outcome.refreshToken,
    refresh_expires_in: outcome.refreshExpiresIn,
    scope: outcome.scopes.join(' '),
  } satisfies Static<typeof tokens>;
};

/** A validated body, or `invalid_request` with all its faults. */
const checkedBy = <Schema extends typeof tokenBody | typeof refreshBody>(schema: Schema) => {
  const check = validator(schema);
  return (ctx: Context): Static<Schema> => {
    const checked = check(ctx.request.body as object);
    if (!checked.ok) throw tokenError('invalid_request', Object.values(checked.faults)[0]?.[0] ?? '', checked.faults);
    return checked.value;
  };
};

const exchangeAny = ({ login, refresh }: GrantTokens): Step => {
  const bodyOf = checkedBy(tokenBody);
  return async (ctx) => {
    const body = bodyOf(ctx);
    const credentials = credentialsOf(ctx.get('Authorization'), body);
    const grantType = body.grant_type ?? 'client_credentials';
    if (grantType === 'refresh_token') {
      if (body.refresh_token === undefined) throw tokenError('invalid_request', 'O campo refresh_token é obrigatório.');
      return answer(ctx, await refresh(body.refresh_token, { credentials, scope: body.scope }));
    }
    if (grantType !== 'client_credentials')
      throw tokenError('unsupported_grant_type', 'grant_type deve ser client_credentials ou refresh_token.');
    if (credentials === undefined) throw tokenError('invalid_request', missingCredentials(ctx, body));
    return answer(ctx, await login(credentials, body.scope));
  };
};

/** The usual reasons why credentials that were sent are not there. */
const missingCredentials = (ctx: Context, body: Static<typeof tokenBody>): string => {
  const missing = 'client_id e client_secret são obrigatórios';
  if (body.refresh_token !== undefined) return `${missing}; para renovar, envie grant_type=refresh_token.`;
  const { rawBody } = ctx.request;
  return typeof rawBody === 'string' && rawBody.startsWith('{') && !ctx.request.is('json')
    ? `${missing}; um corpo JSON exige Content-Type: application/json.`
    : `${missing}.`;
};

const exchangeRefreshToken = ({ refresh }: GrantTokens): Step => {
  const bodyOf = checkedBy(refreshBody);
  return async (ctx) => {
    const body = bodyOf(ctx);
    return answer(ctx, await refresh(body.refresh_token, { credentials: credentialsOf(ctx.get('Authorization'), body) }));
  };
};

const tag = 'Autenticação';

const answers: Route['answers'] = {
  200: { description: 'Tokens', schema: tokens },
  400: { description: 'invalid_request, invalid_grant, invalid_scope ou unsupported_grant_type', schema: oauthErrorSchema },
  401: { description: 'invalid_client', schema: oauthErrorSchema },
};

export const tokenRoutes = (grantTokens: GrantTokens, rateLimit: RateLimit): readonly Route[] => {
  const guarded = failuresLimited(rateLimit);
  return [
    {
      method: 'post',
      path: '/seguros/auth/token',
      summary: 'Troca as credenciais do cliente, ou um refresh_token, por tokens',
      tag,
      body: tokenBody,
      form: true,
      basic: true,
      answers,
      steps: [inOAuthShape, guarded, jsonOrFormBody, exchangeAny(grantTokens)],
    },
    {
      method: 'post',
      path: '/seguros/auth/refresh',
      summary: 'Troca um refresh_token por novos tokens',
      tag,
      body: refreshBody,
      basic: true,
      answers,
      steps: [inOAuthShape, guarded, jsonBody, exchangeRefreshToken(grantTokens)],
    },
  ];
};
