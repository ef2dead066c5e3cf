import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
  const file = join(folder, 'signing-key.pem');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeOnce(file, createSigningKey().export({ type: 'pkcs8', format: 'pem' }).toString());
  }
  try {
    return readSigningKey(file);
  } catch {
    throw new Error(
      `${file} holds no ES256 private key. Restore it, or delete the file: the service then ` +
        'creates a new key, and rejects the tokens that the old key signed',
    );
  }
};

const createSigningKey = (): KeyObject =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** Writes a whole file, unless another process wrote it first. */
const writeOnce = (file: string, text: string): void => {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
};
