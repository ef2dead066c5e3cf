import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const checkedCurve = (key: KeyObject): KeyObject => {
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error('not an ES256 (P-256) key');
  return key;
};

const pemOf = (pemOrPath: string): string =>
  pemOrPath.includes('-----BEGIN')
    ? pemOrPath.replaceAll('\\n', '\n')
    : readFileSync(pemOrPath, 'utf8');

/** @throws Error when it is neither a PEM nor a readable file, or not a P-256 private key. */
export const readSigningKey = (pemOrPath: string): KeyObject =>
  checkedCurve(createPrivateKey(pemOf(pemOrPath)));

/** One or more public keys, one PEM after the other. @throws Error as `readSigningKey`. */
export const readPublicKeys = (pemOrPath: string): readonly KeyObject[] => {
  const blocks = pemOf(pemOrPath).match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [];
  if (blocks.length === 0) throw new Error('no PEM block found');
  return blocks.map((block) => checkedCurve(createPublicKey(block)));
};

/**
 * The signing key kept in `folder`, made on first use and readable by its owner only; undefined folder: kept nowhere.
 * Processes that make one at the same time end up with the same.
 */
export const keptSigningKey = (folder: string | undefined): KeyObject => {
  if (folder === undefined) return newSigningKey();
  const file = join(folder, 'signing-key.pem');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    putOnce(file, newSigningKey().export({ type: 'pkcs8', format: 'pem' }).toString());
  }
  try {
    return readSigningKey(file);
  } catch {
    throw new Error(
      `${file} holds no ES256 private key; without it a new one is made, and living tokens are refused`,
    );
  }
};

const newSigningKey = (): KeyObject =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** Writes a whole file, or leaves the one that another process has put there meanwhile. */
const putOnce = (file: string, text: string): void => {
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
