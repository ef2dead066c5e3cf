import type { Logger } from 'pino';
import type { Clock } from '../../../application/clock.ts';
import type { NoteRequests } from '../../../application/requests/note-requests.ts';
import type { NotedRequest } from '../../../application/requests/readiness.ts';
import type { AnswerError } from '../contract/answer-error.ts';
import type { State } from './context.ts';

export interface FinishParts {
  readonly log: Logger;
  readonly noteRequests: NoteRequests;
  readonly clock: Clock;
}

interface Answered {
  readonly method: string;
  readonly status: number;
  readonly state: State;
}

/** @param startedAt ms of `performance.now` */
export type FinishRequest = (startedAt: number, answered: Answered) => void;

/**
 * Returns what is done with every answered request: it is logged and, if a partner's request failed
 * or did something to a sale, noted for its channel.
 */
export const makeFinishRequest = ({ log, noteRequests, clock }: FinishParts): FinishRequest =>
  function finishRequest(startedAt, { method, status, state }) {
    const { applicant, route = null, clientId, caller, effect, failure } = state;
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const { requestId } = applicant;
    log.info({ requestId, method, route, status, ms, clientId }, 'request');

    const channelLink = caller?.channelLink ?? null;
    if (caller === undefined || channelLink === null || route === null || requestId === null)
      return;
    if (failure === undefined && effect === undefined) return;
    const { clientId: client } = caller;
    const common = { requestId, channelLink, clientId: client, at: clock.now() };
    const answered = { ...common, method, route, status, ms };
    noteRequests.note({ ...answered, ...outcomeOf(state) });
  };

type Outcome = Pick<
  NotedRequest,
  'code' | 'fields' | 'saleId' | 'replayed' | 'effect' | 'retryAfterSeconds'
>;

const outcomeOf = ({ effect: done, failure }: State): Outcome => {
  if (failure !== undefined) return outcomeOfFailure(failure);
  return { code: null, fields: null, saleId: null, replayed: false, ...done };
};

const outcomeOfFailure = ({ code, headers, body }: AnswerError): Outcome => {
  const { transaction_id: saleId } = body as { readonly transaction_id?: unknown };
  const retryAfter = headers['Retry-After'];
  return {
    code,
    fields: headers['X-Error-Fields'] ?? null,
    saleId: typeof saleId === 'number' ? saleId : null,
    replayed: false,
    ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }),
  };
};
