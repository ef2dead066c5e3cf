import type { Authenticate } from '../../application/identity/authenticate.ts';
import type { Scope } from '../../application/identity/clients.ts';
import { refused } from './answers.ts';
import type { Step } from './context.ts';

/** The client behind the bearer token, or 401; without the scope, 403. */
export const authenticated =
  (authenticate: Authenticate, scope: Scope): Step =>
  async (ctx, next) => {
    const [, token] = /^Bearer +([^\s]+) *$/i.exec(ctx.get('Authorization')) ?? [];
    const caller = token === undefined ? undefined : await authenticate(token);
    if (caller === undefined) {
      const challenge = token === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
      throw refused(401, 'Token não encontrado', {}, { 'WWW-Authenticate': challenge });
    }
    ctx.state.caller = caller;
    ctx.state.clientId = caller.clientId;
    if (!caller.scopes.includes(scope)) {
      const challenge = { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` };
      throw refused(403, `Este recurso exige o escopo ${scope}.`, {}, challenge);
    }
    await next();
  };
