import { Worker } from 'node:worker_threads';
import type { Sent } from '../kit/web/pages/send-page.ts';
import type { Site } from './page-frame.ts';

/** By their paths below the public URL. */
export type GuidePages = ReadonlyMap<string, Sent>;

/** Time in which a guide that could not be rendered is not tried again, ms. */
const FAILURE_MS = 30_000;

/** The pages of the guide. They are rendered together when one is first asked for, and kept. */
export class Guide {
  readonly #render: () => Promise<GuidePages>;
  readonly #now: () => number;
  #pages: Promise<GuidePages> | undefined;
  #failedAt: number | undefined;

  /** @param now ms, from any beginning */
  constructor(render: () => Promise<GuidePages>, now = () => performance.now()) {
    this.#render = render;
    this.#now = now;
  }

  /** @param path below the public URL: `/docs/en/books` */
  async find(path: string): Promise<Sent | undefined> {
    return (await this.#rendered()).get(path);
  }

  /** A failure is kept for a while, because each attempt takes a second of a core. */
  #rendered(): Promise<GuidePages> {
    if (this.#failedAt !== undefined && this.#now() - this.#failedAt >= FAILURE_MS) {
      this.#failedAt = undefined;
      this.#pages = undefined;
    }
    this.#pages ??= this.#render().catch((error) => {
      this.#failedAt = this.#now();
      throw error;
    });
    return this.#pages;
  }
}

/**
 * Renders the guide in a thread of its own: that takes half a second, for which no sale may wait,
 * and libraries whose memory is free once the thread has ended.
 */
export const renderGuide = (site: Site): Promise<GuidePages> => {
  const worker = new Worker(new URL('./guide-worker.ts', import.meta.url), { workerData: site });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the guide was not rendered: ${code}`)));
  });
};
