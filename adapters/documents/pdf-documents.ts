import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { LRUCache } from 'lru-cache';
import type { Piscina } from 'piscina';
import type { Certificate, Documents, Report } from '../../application/certificates/certificate.ts';
import { makeOnce } from '../../application/make-once.ts';
import { Unavailable } from '../../application/unavailable.ts';

const require = createRequire(import.meta.url);

/** Idle time after which the thread ends and frees the memory of its fonts, in ms. */
const IDLE_TIMEOUT_MS = 60_000;

/** Max time to render a document, with the time in the queue, in ms. */
const RENDER_TIMEOUT_MS = 30_000;

const MAX_QUEUED_DOCUMENTS = 500;

/** Lowers the priority of the thread (`nice`), because sales are more urgent. */
const NICE_INCREMENT = 10;

/**
 * More memory than a certificate needs; a thread that exceeds it ends. With less than 48 MB for young
 * objects a certificate takes more processor time.
 */
const MEMORY_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 };

/** Number of recent documents in the cache: people often open a document again. */
const MAX_CACHED_DOCUMENTS = 100;

/** Renders documents as PDF, on a separate thread so that requests do not wait for it. */
export class PdfDocuments implements Documents {
  readonly #isTest: boolean;
  readonly #thread = makeOnce(async () => this.#openThread());
  readonly #made = new LRUCache<string, Promise<Uint8Array>>({ max: MAX_CACHED_DOCUMENTS });

  /** @param isTest whether the documents say that they are of a test environment */
  constructor(isTest = false) {
    this.#isTest = isTest;
  }

  /** @throws Unavailable if it takes too long or the queue is full. */
  certificate(certificate: Certificate): Promise<Uint8Array> {
    const name = JSON.stringify(certificate);
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const made = this.#render({ certificate });
    made.catch(() => this.#made.delete(name));
    this.#made.set(name, made);
    return made;
  }

  /** @throws Unavailable likewise */
  report(report: Report, certificate?: Certificate): Promise<Uint8Array> {
    return this.#render({ report, certificate });
  }

  async #render(content: object): Promise<Uint8Array> {
    const signal = AbortSignal.timeout(RENDER_TIMEOUT_MS);
    try {
      const thread = await this.#thread.get();
      return await thread.run({ ...content, isTest: this.#isTest }, { signal });
    } catch (error) {
      throw isTemporary(error) ? new Unavailable('a document could not be made now') : error;
    }
  }

  async close(): Promise<void> {
    await (await this.#thread.made())?.destroy();
  }

  /** A pool whose thread could not start starts no other: the next document gets a new pool. */
  #openThread(): Piscina<object, Uint8Array> {
    const thread = openThread();
    thread.on('error', () => {
      this.#thread.forget();
      thread.destroy();
    });
    return thread;
  }
}

/** Starts the thread on first use: most processes never render a document. */
const openThread = (): Piscina<object, Uint8Array> => {
  // `import` would keep a failure, such as a lack of file descriptors, until the end.
  const { Piscina: Pool } = require('piscina') as typeof import('piscina');
  // `--max-semi-space-size` of the process would override the limit of the thread.
  for (const flag of ['--max-semi-space-size=0', '--min-semi-space-size=4'])
    setFlagsFromString(flag);
  return new Pool({
    filename: new URL('./render-document.ts', import.meta.url).href,
    name: 'renderDocument',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_TIMEOUT_MS,
    maxQueue: MAX_QUEUED_DOCUMENTS,
    resourceLimits: MEMORY_LIMITS,
    niceIncrement: NICE_INCREMENT,
  });
};

const isTemporary = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || /queue|terminat|too many open files/i.test(error.message));
