import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { keepInFolder, readKept } from './key-files.ts';

const requireP256 = (key: KeyObject): KeyObject => {
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error('not an ES256 (P-256) key');
  return key;
};

/** A PEM from an environment variable may contain `\n` as two characters. */
const readPem = (pemOrPath: string): string =>
  pemOrPath.includes('-----BEGIN')
    ? pemOrPath.replaceAll('\\n', '\n')
    : readFileSync(pemOrPath, 'utf8');

/**
 * Reads the private key from a PEM or from a file.
 *
 * @throws Error when it is neither a PEM nor a readable file, or not a P-256 private key.
 */
export const readSigningKey = (pemOrPath: string): KeyObject =>
  requireP256(createPrivateKey(readPem(pemOrPath)));

/** Reads one or more public keys, one PEM after the other. @throws Error like `readSigningKey`. */
export const readPublicKeys = (pemOrPath: string): readonly KeyObject[] => {
  const blocks = readPem(pemOrPath).match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [];
  if (blocks.length === 0) throw new Error('no PEM block found');
  return blocks.map((block) => requireP256(createPublicKey(block)));
};

/**
 * Loads the signing key from `folder`, or creates it there, readable only by its owner. Processes
 * that start at the same time get the same key. Without a folder it creates a new key each time.
 */
export const loadOrCreateSigningKey = (folder: string | undefined): KeyObject => {
  if (folder === undefined) return createSigningKey();
  const file = keepInFolder(folder, 'signing-key.pem', () =>
    createSigningKey().export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  return readKept(file, readSigningKey, {
    holds: 'an ES256 private key',
    without: 'and rejects the tokens that the old key signed',
  });
};

const createSigningKey = (): KeyObject =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
