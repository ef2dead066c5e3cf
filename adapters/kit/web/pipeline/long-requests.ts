import type { ServerResponse } from 'node:http';
import { tooManyRequests } from './rate-limits.ts';

/** The most long requests at the same time in one process. */
interface Most {
  readonly ofClient: number;
  readonly ofChannel: number;
  readonly ofAll: number;
  /** Kept for channels that have none running, so that no channel locks the others out. */
  readonly kept: number;
}

const USUAL: Most = { ofClient: 2, ofChannel: 4, ofAll: 8, kept: 2 };

const RETRY_AFTER_SECONDS = 10;

/** Max time of a long request; then its connection is closed, ms. */
const TOTAL_MS = 30 * 60_000;

interface Caller {
  readonly clientId: string;
  /** Null for administrators. */
  readonly channelLink: string | null;
}

/** Limits the requests that hold a list in memory, or a connection for long, while they run. */
export class LongRequests {
  /** Names the requests, in Portuguese and plural. */
  readonly #what: string;
  readonly #limits: Most;
  readonly #totalMs: number;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(what: string, limits: Partial<Most> = {}, totalMs = TOTAL_MS) {
    this.#what = what;
    this.#limits = { ...USUAL, ...limits };
    this.#totalMs = totalMs;
  }

  /**
   * Begins a request. Returns the function that ends it.
   *
   * @param response whose connection is closed if the request takes too long
   * @throws AnswerError 429 if too many run
   */
  take({ clientId, channelLink }: Caller, response: Pick<ServerResponse, 'destroy'>): () => void {
    const { ofClient, ofChannel, ofAll, kept } = this.#limits;
    const names = [`client ${clientId}`, `channel ${channelLink ?? ''}`] as const;
    const [own, together] = names.map((name) => this.#taken.get(name) ?? 0) as [number, number];
    if (own >= ofClient)
      throw this.#refusal(`Este cliente já tem ${own} ${this.#what} em andamento.`);
    if (together >= ofChannel)
      throw this.#refusal(`Este canal já tem ${together} ${this.#what} em andamento.`);
    if (this.#all >= (together === 0 ? ofAll : ofAll - kept))
      throw this.#refusal(`Há ${this.#what} demais em andamento.`);

    for (const name of names) this.#add(name, 1);
    this.#all += 1;
    const timer = setTimeout(() => response.destroy(), this.#totalMs).unref();
    return () => {
      clearTimeout(timer);
      this.#all -= 1;
      for (const name of names) this.#add(name, -1);
    };
  }

  #add(name: string, more: number): void {
    const count = (this.#taken.get(name) ?? 0) + more;
    if (count === 0) this.#taken.delete(name);
    else this.#taken.set(name, count);
  }

  #refusal(text: string) {
    return tooManyRequests(text, RETRY_AFTER_SECONDS);
  }
}
