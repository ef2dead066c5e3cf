import { LRUCache } from 'lru-cache';
import type { Piscina } from 'piscina';
import type { Certificate } from '../../application/certificates/certificate.ts';
import type { Documents } from '../../application/certificates/documents.ts';
import { Unavailable } from '../../application/unavailable.ts';

/** Milliseconds after which a thread that nobody needs is given up, and with it the fonts that it holds. */
const IDLE = 60_000;

/** Milliseconds that a document may take, its turn included. */
const PATIENCE = 30_000;

const MOST_WAITING = 500;

/** How much the thread stands back, as `nice` counts it: where the processor is short, selling goes first. */
const STANDS_BACK = 10;

/** More than any certificate needs; what needs more has lost its way, and takes its thread with it. */
const MEMORY = { maxOldGenerationSizeMb: 512 };

/** Documents that were made last: whoever opens one may do so again. */
const MOST_KEPT = 100;

/** Documents as PDF, made on a thread of their own: nobody else's request waits for it. */
export class PdfDocuments implements Documents {
  #thread: Promise<Piscina<Certificate, Uint8Array>> | undefined;
  readonly #made = new LRUCache<string, Promise<Uint8Array>>({ max: MOST_KEPT });

  /** @throws Unavailable where it takes too long, or too many others wait. */
  certificate(certificate: Certificate): Promise<Uint8Array> {
    const name = JSON.stringify(certificate);
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    this.#thread ??= openThread();
    const signal = AbortSignal.timeout(PATIENCE);
    const made = this.#thread
      .then((thread) => thread.run(certificate, { signal }))
      .catch((error: unknown) => {
        this.#made.delete(name);
        throw isOfTheMoment(error) ? new Unavailable('a document could not be made now') : error;
      });
    this.#made.set(name, made);
    return made;
  }

  async close(): Promise<void> {
    await (await this.#thread)?.destroy();
  }
}

/** Not before somebody needs it: a start does not wait for what most processes never do. */
const openThread = async (): Promise<Piscina<Certificate, Uint8Array>> => {
  const { Piscina: Pool } = await import('piscina');
  return new Pool({
    filename: new URL('./render-certificate.ts', import.meta.url).href,
    name: 'renderCertificate',
    ...{
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE,
      maxQueue: MOST_WAITING,
      resourceLimits: MEMORY,
    },
    niceIncrement: STANDS_BACK,
  });
};

const isOfTheMoment = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || /queue|terminat/i.test(error.message));
