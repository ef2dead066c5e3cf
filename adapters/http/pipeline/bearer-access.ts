import type { Authenticate } from '../../../application/identity/authenticate.ts';
import type { Scope } from '../../../application/identity/clients.ts';
import { refused } from '../contract/answer-error.ts';
import { callerOf, type Step } from './context.ts';

/** The token in an `Authorization` header, if it holds one. */
export const bearerIn = (authorization: string): string | undefined =>
  /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];

/** The client behind the bearer token, or 401. */
export const authenticated =
  (authenticate: Authenticate): Step =>
  async (ctx, next) => {
    const token = bearerIn(ctx.get('Authorization'));
    const caller = token === undefined ? undefined : await authenticate(token);
    if (caller === undefined) {
      const challenge = token === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
      throw refused(401, 'Token não encontrado', {}, { 'WWW-Authenticate': challenge });
    }
    ctx.state.caller = caller;
    ctx.state.clientId = caller.clientId;
    await next();
  };

/** Only callers with the scope; others 403. */
export const permitted =
  (scope: Scope): Step =>
  (ctx, next) => {
    if (callerOf(ctx).scopes.includes(scope)) return next();
    const challenge = { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` };
    throw refused(403, `Este recurso exige o escopo ${scope}.`, {}, challenge);
  };
