import type { Clock } from '../clock.ts';
import type { NotedRequest } from './readiness.ts';

/** Time in which readiness learns of one more success of a kind, ms. */
const HOLD_MS = 10_000;

/** A kind of success that readiness has been told of. */
interface Told {
  since: number;
  /** The last success of this kind after it, which waits. */
  last: NotedRequest | undefined;
}

export interface SuccessFilter {
  /**
   * What readiness is to learn now that this request was answered: the request, and then what has
   * waited for it; nothing, if the request is to wait.
   */
  pass(request: NotedRequest): readonly NotedRequest[];
  /** What has waited long enough. */
  due(): readonly NotedRequest[];
}

const kindOf = ({ method, route, effect, replayed }: NotedRequest): string =>
  `${method} ${route} ${effect?.kind} ${effect?.kind === 'sold' ? effect.productCode : ''} ${replayed}`;

/**
 * Keeps a rush of sales from changing what readiness knows with each one: of the successes of a
 * client that are alike, only the first and the last can show a step. A failure ends the wait, so
 * that the next success counts at once.
 */
export const makeSuccessFilter = (clock: Clock): SuccessFilter => {
  const clients = new Map<string, Map<string, Told>>();

  /** Forgets what a client has been told of. @returns what has waited */
  const release = (clientId: string): readonly NotedRequest[] => {
    const kinds = clients.get(clientId) ?? new Map<string, Told>();
    clients.delete(clientId);
    return [...kinds.values()].flatMap(({ last }) => last ?? []);
  };

  return {
    pass: (request) => {
      const { clientId, effect } = request;
      if (effect === undefined) return [request, ...release(clientId)];

      const kinds = clients.get(clientId) ?? new Map<string, Told>();
      clients.set(clientId, kinds);
      const kind = kindOf(request);
      const told = kinds.get(kind);
      if (told !== undefined) {
        told.last = request;
        return [];
      }
      kinds.set(kind, { since: Date.parse(clock.now()), last: undefined });
      return [request];
    },

    due: () => {
      const now = Date.parse(clock.now());
      const found: NotedRequest[] = [];
      for (const [clientId, kinds] of clients) {
        for (const [kind, told] of kinds) {
          if (told.since > now - HOLD_MS) continue;
          if (told.last === undefined) kinds.delete(kind);
          else found.push(told.last);
          told.since = now;
          told.last = undefined;
        }
        if (kinds.size === 0) clients.delete(clientId);
      }
      return found;
    },
  };
};
