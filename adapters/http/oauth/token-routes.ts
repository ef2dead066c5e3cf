import Type from 'typebox';
import type { InspectTokens } from '../../../application/identity/inspect-tokens.ts';
import type { LogIn } from '../../../application/identity/log-in.ts';
import type { RefreshLogin } from '../../../application/identity/refresh-login.ts';
import { oauthErrorSchema } from '../../kit/contract/answer-shapes.ts';
import type { Route } from '../routes/route.ts';
import { toOAuthError } from './oauth-errors.ts';
import { grantTokens, refreshBody, refreshTokens, tokenBody, tokensAnswer } from './token-grant.ts';
import { inspectBody, introspection, introspectToken, revokeToken } from './token-inspection.ts';

export interface TokenRouteParts {
  readonly logIn: LogIn;
  readonly refreshLogin: RefreshLogin;
  readonly inspectTokens: InspectTokens;
  /** The public URL, without `/api`; also the issuer of the tokens. */
  readonly publicUrl: string;
}

/** The fields that all routes for tokens share. */
const OAUTH = { tag: 'Autenticação', shapeError: toOAuthError } as const;

const refusals: Route['answers'] = {
  400: {
    name: 'OAuthInvalidRequest',
    description: 'invalid_request, invalid_grant, invalid_scope ou unsupported_grant_type',
    schema: oauthErrorSchema,
  },
  401: { name: 'InvalidClient', description: 'invalid_client', schema: oauthErrorSchema },
};

export const createTokenRoutes = ({
  logIn,
  refreshLogin,
  inspectTokens,
  publicUrl,
}: TokenRouteParts): readonly Route[] => [
  {
    method: 'post',
    path: '/seguros/auth/token',
    operationId: 'createToken',
    summary: 'Troca as credenciais do cliente, ou um refresh_token, por tokens',
    description:
      'Em JSON ou como formulário. Guarde o token e use-o em todas as requisições até expires_in (segundos) quase acabar: um login por venda gasta o limite de requisições. Se uma resposta é 401, entre de novo e repita a requisição. Com grant_type refresh_token, o mesmo que POST …/refresh. Depois de 30 falhas em um minuto da mesma rede, as seguintes são respondidas com 429.',
    ...OAUTH,
    body: tokenBody,
    form: true,
    basic: true,
    answers: { 200: { description: 'Tokens', schema: tokensAnswer }, ...refusals },
    handle: grantTokens(logIn, refreshLogin),
  },
  {
    method: 'post',
    path: '/seguros/auth/refresh',
    operationId: 'refreshToken',
    summary: 'Troca um refresh_token por novos tokens',
    description:
      'Não precisa do segredo. Cada refresh_token vale uma troca: guarde o novo. Se a resposta se perdeu, repita em até um minuto e terá o mesmo sucessor; depois disso, usar o antigo encerra o login. O login acaba sete dias depois de feito, por mais que se renove.',
    ...OAUTH,
    body: refreshBody,
    basic: true,
    answers: { 200: { description: 'Tokens', schema: tokensAnswer }, ...refusals },
    handle: refreshTokens(refreshLogin),
  },
  {
    method: 'post',
    path: '/seguros/auth/revoke',
    operationId: 'revokeToken',
    summary: 'Encerra o login de um token (RFC 7009)',
    description:
      'O refresh_token e todos os access_tokens do mesmo login deixam de valer em até um segundo.',
    ...OAUTH,
    body: inspectBody,
    form: true,
    basic: true,
    answers: {
      200: { description: 'Encerrado, ou já não valia', schema: Type.Object({}) },
      ...refusals,
    },
    handle: revokeToken(inspectTokens),
  },
  {
    method: 'post',
    path: '/seguros/auth/introspect',
    operationId: 'introspectToken',
    summary: 'Informa para que vale um token (RFC 7662)',
    description: 'Um cliente consulta os próprios tokens; um administrador, os de todos.',
    ...OAUTH,
    body: inspectBody,
    form: true,
    basic: true,
    answers: { 200: { description: 'O que o token permite', schema: introspection }, ...refusals },
    handle: introspectToken(inspectTokens, publicUrl),
  },
];
