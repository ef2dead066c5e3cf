import type { Logger } from 'pino';
import { Unavailable } from '../../../application/unavailable.ts';
import { houseError, Refused, refused } from '../contract/answer-error.ts';
import type { Step } from './context.ts';
import { inOAuthShape } from '../oauth/oauth-errors.ts';

/** Seconds after which it is worth asking again when the database or a provider is out of reach. */
const RETRY_AFTER = 2;

/** Turns whatever an endpoint throws into the contract's answer, and an answer nobody gave into 404 or 405. */
export const answerErrors =
  (log: Logger): Step =>
  async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body == null) throw refused(404, 'Caminho não encontrado.');
    } catch (error) {
      const { requestId } = ctx.state.applicant;
      const found = answerFor(error, requestId);
      const answer = ctx.state.errorsOfOAuth ? inOAuthShape(found) : found;
      if (answer.status >= 500)
        log.error({ requestId, fault: describeFault(error) }, 'request failed');
      ctx.status = answer.status;
      ctx.body = answer.body;
      ctx.set({ 'Cache-Control': 'no-store', ...answer.headers });
    }
  };

const answerFor = (error: unknown, requestId: string | null): Refused => {
  if (error instanceof Refused) return error;
  if (error instanceof Unavailable) {
    return refused(
      503,
      'Serviço temporariamente indisponível. Tente novamente em instantes.',
      {},
      { 'Retry-After': String(RETRY_AFTER) },
    );
  }
  return new Refused(
    500,
    houseError(500, `Erro interno. Informe o código ${requestId} ao suporte.`),
  );
};

/**
 * What a log may say of a fault: its name, its code and where it was thrown. Never its message, which may hold SQL,
 * personal data or a secret, and never the whole stack.
 */
export const describeFault = (error: unknown): object => {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code } = error as { code?: unknown };
  const [, at] = /\n\s+at (.+)/.exec(error.stack ?? '') ?? [];
  return {
    name: error.name,
    ...(typeof code === 'string' && { code }),
    ...(at !== undefined && { at }),
  };
};
