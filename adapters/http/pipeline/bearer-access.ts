import type { Authenticate } from '../../../application/identity/authenticate.ts';
import type { Scope } from '../../../application/identity/clients.ts';
import { type AnswerError, standardError } from '../contract/answer-error.ts';
import { callerOf, type Step } from './context.ts';

/** The token in an `Authorization` header, or undefined. */
export const readBearerToken = (authorization: string): string | undefined =>
  /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];

/** 401. The message is the same in all cases. */
export const unauthenticated = (challenge: Readonly<Record<string, string>>): AnswerError =>
  standardError(401, 'unauthenticated', 'Token não encontrado', {}, challenge);

/** Sets the caller from the bearer token, or answers 401. */
export const authenticateBearer = (authenticate: Authenticate): Step =>
  async function authenticateBearer(ctx, next) {
    const token = readBearerToken(ctx.get('Authorization'));
    const caller = token === undefined ? undefined : await authenticate(token);
    if (caller === undefined) {
      const challenge = token === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
      throw unauthenticated({ 'WWW-Authenticate': challenge });
    }

    ctx.state.caller = caller;
    ctx.state.clientId = caller.clientId;
    return next();
  };

/** Answers 403 to callers without the scope. */
export const requireScope = (scope: Scope): Step =>
  function requireScope(ctx, next) {
    if (callerOf(ctx).scopes.includes(scope)) return next();
    const challenge = { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` };
    throw standardError(
      403,
      'insufficient_scope',
      `Este recurso exige o escopo ${scope}.`,
      {},
      challenge,
    );
  };
