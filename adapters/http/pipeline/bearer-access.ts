import type { Authenticate } from '../../../application/identity/authenticate.ts';
import type { Scope } from '../../../application/identity/clients.ts';
import { standardError } from '../contract/answer-error.ts';
import { callerOf, type Step } from './context.ts';

/** The token in an `Authorization` header, or undefined. */
export const readBearerToken = (authorization: string): string | undefined =>
  /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];

/** Sets the caller from the bearer token, or answers 401. */
export const authenticateBearer = (authenticate: Authenticate): Step =>
  async function authenticateBearer(ctx, next) {
    const token = readBearerToken(ctx.get('Authorization'));
    const caller = token === undefined ? undefined : await authenticate(token);
    if (caller === undefined) {
      const challenge = token === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
      throw standardError(401, 'Token não encontrado', {}, { 'WWW-Authenticate': challenge });
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
    throw standardError(403, `Este recurso exige o escopo ${scope}.`, {}, challenge);
  };
