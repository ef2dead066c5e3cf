import type { Authenticate, Caller } from '../../../application/identity/authenticate.ts';
import type { Scope } from '../../../application/identity/clients.ts';
import { type AnswerError, standardError } from '../contract/answer-error.ts';
import { type Context, callerOf } from './context.ts';

/** The token in an `Authorization` header, or undefined. */
export const readBearerToken = (authorization: string): string | undefined =>
  /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];

/** 401. The message is the same in all cases. */
export const unauthenticated = (challenge: Readonly<Record<string, string>>): AnswerError =>
  standardError(401, 'unauthenticated', 'Token não encontrado', {}, challenge);

/** Sets the caller from the bearer token, or answers 401. Waits only where the store is asked. */
export const authenticateBearer = (authenticate: Authenticate) => {
  const setCaller = (ctx: Context, caller: Caller | undefined, challenge: string): void => {
    if (caller === undefined) throw unauthenticated({ 'WWW-Authenticate': challenge });
    ctx.state.caller = caller;
    ctx.state.clientId = caller.clientId;
  };

  return function authenticateBearer(ctx: Context): void | Promise<void> {
    const token = readBearerToken(ctx.get('Authorization'));
    if (token === undefined) return setCaller(ctx, undefined, 'Bearer');
    const caller = authenticate(token);
    const challenge = 'Bearer error="invalid_token"';
    return caller instanceof Promise
      ? caller.then((found) => setCaller(ctx, found, challenge))
      : setCaller(ctx, caller, challenge);
  };
};

/** Answers 403 to callers without the scope. */
export const requireScope = (ctx: Context, scope: Scope): void => {
  if (callerOf(ctx).scopes.includes(scope)) return;
  const challenge = { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` };
  throw standardError(
    403,
    'insufficient_scope',
    `Este recurso exige o escopo ${scope}.`,
    {},
    challenge,
  );
};
