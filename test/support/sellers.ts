import { setTimeout as wait } from 'node:timers/promises';
import { mainBody } from './api.ts';
import type { Partner } from './service.ts';
import { within } from './stores.ts';

/** Wait of a seller after a failed try, ms. */
const PAUSE_MS = 50;

interface Manner {
  /** Begins the names of the sales. */
  readonly name?: string;
  readonly count?: number;
  /** Whether a seller tries a sale again until it is acknowledged; else it goes on to the next. */
  readonly repeats?: boolean;
}

/** Sellers that sell one after the other until they are stopped, each sale under its own name. */
export class Sellers {
  /** The names (`externalSaleId`) of the acknowledged sales. */
  readonly acknowledged = new Set<string>();
  /** When each sale was acknowledged, ms of `performance.now()`. */
  readonly times: number[] = [];
  readonly #selling: Promise<unknown>;
  #isOver = false;

  constructor(
    partner: Partner,
    token: string,
    { name: rush = 'rush', count = 16, repeats: isRepeated = false }: Manner = {},
  ) {
    const sellAll = async (seller: number): Promise<void> => {
      for (let order = 1; !this.#isOver; order += 1) {
        const name = `${rush}-seller-${seller}-order-${order}`;
        while (!(await this.#sell(partner, token, name)) && !this.#isOver) {
          await wait(PAUSE_MS);
          if (!isRepeated) break;
        }
      }
    };
    this.#selling = Promise.all(Array.from({ length: count }, (_, seller) => sellAll(seller)));
  }

  /** Waits until so many more sales have been acknowledged, at most 60 s. */
  async more(least: number): Promise<void> {
    const goal = this.acknowledged.size + least;
    const sold = await within(
      async () => this.acknowledged.size,
      (count) => count >= goal,
    );
    if (sold < goal) throw new Error(`${sold} of ${goal} sales were acknowledged`);
  }

  /** The longest time between two sales since then, ms. */
  longestGapSince(start: number): number {
    const times = [start, ...this.times.filter((time) => time > start)].sort((a, b) => a - b);
    return Math.max(...times.slice(1).map((time, index) => time - (times[index] as number)));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#selling;
  }

  async #sell(partner: Partner, token: string, externalSaleId: string): Promise<boolean> {
    const status = await partner.sell(token, mainBody({ externalSaleId })).then(
      async (answer) => {
        await answer.text();
        return answer.status;
      },
      () => 0,
    );
    if (status !== 200) return false;
    this.acknowledged.add(externalSaleId);
    this.times.push(performance.now());
    return true;
  }
}
