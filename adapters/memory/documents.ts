import type { Certificate } from '../../application/certificates/certificate.ts';
import type { Documents } from '../../application/certificates/documents.ts';

/** Documents that are what they say, as JSON. */
export class MemoryDocuments implements Documents {
  async certificate(certificate: Certificate): Promise<Uint8Array> {
    return new TextEncoder().encode(JSON.stringify(certificate));
  }
}
