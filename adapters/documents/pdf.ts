import { Piscina } from 'piscina';
import type { Certificate } from '../../application/certificates/certificate.ts';
import type { Documents } from '../../application/certificates/documents.ts';
import { Unavailable } from '../../application/unavailable.ts';

/** Milliseconds after which a thread that nobody needs is given up, and with it the fonts that it holds. */
const IDLE = 60_000;

/** Milliseconds that a document may take, its turn included. */
const PATIENCE = 30_000;

const MOST_WAITING = 500;

/** Documents as PDF, made on a thread of their own: nobody else's request waits for it. */
export class PdfDocuments implements Documents {
  readonly #thread = new Piscina<Certificate, Uint8Array>({
    filename: new URL('./render.ts', import.meta.url).href,
    name: 'renderCertificate',
    ...{ minThreads: 0, maxThreads: 1, idleTimeout: IDLE, maxQueue: MOST_WAITING },
  });

  /** @throws Unavailable where it takes too long, or too many others wait. */
  async certificate(certificate: Certificate): Promise<Uint8Array> {
    return this.#thread.run(certificate, { signal: AbortSignal.timeout(PATIENCE) }).catch((error: unknown) => {
      throw new Unavailable('a document could not be made now', { cause: error });
    });
  }

  async close(): Promise<void> {
    await this.#thread.destroy();
  }
}
