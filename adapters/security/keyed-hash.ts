import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';

/** A secret of its own for a purpose, the same in every process that has the signing key; it tells nothing of the key (RFC 5869). */
export const secretFor = (purpose: string, signingKey: KeyObject): string =>
  Buffer.from(
    hkdfSync('sha256', signingKey.export({ type: 'pkcs8', format: 'der' }), '', purpose, 32),
  ).toString('base64url');

/** Stands for a text that must not be kept: without the key, nobody can try out which text it was. */
export const keyedHash =
  (secret: string) =>
  (text: string): string =>
    createHmac('sha256', secret).update(text).digest('base64url');
