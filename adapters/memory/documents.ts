import type { Certificate, Documents } from '../../application/certificates/certificate.ts';

/** Documents that are what they say, as JSON. */
export class MemoryDocuments implements Documents {
  async certificate(certificate: Certificate): Promise<Uint8Array> {
    return new TextEncoder().encode(JSON.stringify(certificate));
  }
}
