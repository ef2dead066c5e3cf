import { tooManyRequests } from '../pipeline/rate-limits.ts';

/** Long requests of one client, and of all, at the same time in one process. */
const MAX_OF_CLIENT = 2;
const MAX_OF_ALL = 8;

const RETRY_AFTER_SECONDS = 10;

/** Limits the requests that hold a list in memory while they run. */
export class Places {
  /** Names the requests, in Portuguese and plural. */
  readonly #what: string;
  readonly #ofClients = new Map<string, number>();
  #all = 0;

  constructor(what: string) {
    this.#what = what;
  }

  /** Returns the function that gives the place back. @throws AnswerError 429 if none is free */
  take(clientId: string): () => void {
    const own = this.#ofClients.get(clientId) ?? 0;
    if (own >= MAX_OF_CLIENT)
      throw tooManyRequests(
        `Este cliente já tem ${own} ${this.#what} em andamento.`,
        RETRY_AFTER_SECONDS,
      );
    if (this.#all >= MAX_OF_ALL)
      throw tooManyRequests(`Há ${this.#what} demais em andamento.`, RETRY_AFTER_SECONDS);

    this.#ofClients.set(clientId, own + 1);
    this.#all += 1;
    return () => {
      this.#all -= 1;
      const left = (this.#ofClients.get(clientId) ?? 1) - 1;
      if (left === 0) this.#ofClients.delete(clientId);
      else this.#ofClients.set(clientId, left);
    };
  }
}
