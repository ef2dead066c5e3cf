import { Worker } from 'node:worker_threads';
import type { Language } from './chapters.ts';
import type { Site } from './page-frame.ts';
import type { Sent } from './sent.ts';

type Pages = ReadonlyMap<string, Sent>;

/**
 * The pages of the guide. They are rendered together when one is first asked for, in a thread of
 * its own: that takes half a second, for which no sale may wait, and libraries whose memory is free
 * once the thread has ended.
 */
export class Guide {
  readonly #site: () => Promise<Site>;
  #pages: Promise<Pages> | undefined;

  constructor(site: () => Promise<Site>) {
    this.#site = site;
  }

  /** @param path below the public URL: `/docs/en/books` */
  async find(path: string): Promise<Sent | undefined> {
    return (await this.#rendered()).get(path);
  }

  async notFound(language: Language): Promise<Sent> {
    return (await this.#rendered()).get(`not found in ${language}`) as Sent;
  }

  #rendered(): Promise<Pages> {
    this.#pages ??= this.#render().catch((error) => {
      // The next request tries again.
      this.#pages = undefined;
      throw error;
    });
    return this.#pages;
  }

  async #render(): Promise<Pages> {
    const workerData = await this.#site();
    const worker = new Worker(new URL('./guide-worker.ts', import.meta.url), { workerData });
    return new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the guide was not rendered: ${code}`)));
    });
  }
}
