import type { Logger } from 'pino';
import { describeFault } from '../../../../application/describe-fault.ts';
import { Unavailable, Unstorable } from '../../../../application/unavailable.ts';
import { AnswerError, notFound, standardError } from '../../contract/answer-error.ts';
import type { Context, State, Step } from './context.ts';

/** When the caller should retry while the database or a provider is unreachable. */
const RETRY_AFTER_SECONDS = 2;

/** Turns what a step throws into an answer, and a request without an answer into 404. */
export const answerErrors = (log: Logger): Step =>
  async function answerErrors(ctx, next) {
    try {
      await next();
      if (ctx.status === 404 && ctx.body == null) throw notFound('Caminho não encontrado.');
    } catch (error) {
      const answer = answerTo(error, ctx.state, log);
      ctx.state.failure = answer;
      ctx.status = answer.status;
      ctx.body = answer.body;
      ctx.set({ 'Cache-Control': 'no-store', ...answer.headers });
      ctx.state.showError?.(ctx as Context, answer);
    }
  };

/** The answer to what a step has thrown. Logs faults of the service. */
export const answerTo = (
  error: unknown,
  { applicant: { requestId }, shapeError }: State,
  log: Logger,
): AnswerError => {
  const found = toAnswerError(error, requestId);
  const answer = shapeError === undefined ? found : shapeError(found);
  if (answer.status >= 500) log.error({ requestId, fault: describeFault(error) }, 'request failed');
  return answer;
};

const toAnswerError = (error: unknown, requestId: string | null): AnswerError => {
  if (error instanceof AnswerError) return error;

  if (error instanceof Unavailable) return unavailableError();

  if (error instanceof Unstorable)
    return standardError(
      422,
      'validation_failed',
      'Algum dos textos tem um caractere que não pode ser guardado.',
    );

  return standardError(500, 'internal', `Erro interno. Informe o código ${requestId} ao suporte.`);
};

/** 503: the database or a provider is out of reach. */
export const unavailableError = (): AnswerError =>
  standardError(
    503,
    'unavailable',
    'Serviço temporariamente indisponível. Tente novamente em instantes.',
    {},
    { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  );

/** Runs if no route matched. A path with other methods answers 405, or 204 to OPTIONS. */
export const answerOtherMethods: Step = function answerOtherMethods(ctx, next) {
  const { matched = [] } = ctx as { matched?: readonly { readonly methods: readonly string[] }[] };
  if (matched.length === 0) return next();

  const allow = { Allow: [...new Set(matched.flatMap(({ methods }) => methods))].join(', ') };
  if (ctx.method !== 'OPTIONS')
    throw standardError(
      405,
      'method_not_allowed',
      'Método não permitido para este caminho.',
      {},
      allow,
    );
  ctx.set(allow);
  ctx.status = 204;
  return undefined;
};
