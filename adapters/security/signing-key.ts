import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const checkedCurve = (key: KeyObject): KeyObject => {
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('not an ES256 (P-256) key');
  return key;
};

const pemOf = (pemOrPath: string): string =>
  pemOrPath.includes('-----BEGIN') ? pemOrPath.replaceAll('\\n', '\n') : readFileSync(pemOrPath, 'utf8');

/** @throws Error when it is neither a PEM nor a readable file, or not a P-256 private key. */
export const readSigningKey = (pemOrPath: string): KeyObject => checkedCurve(createPrivateKey(pemOf(pemOrPath)));

/** One or more public keys, one PEM after the other. @throws Error as `readSigningKey`. */
export const readPublicKeys = (pemOrPath: string): readonly KeyObject[] => {
  const blocks = pemOf(pemOrPath).match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [];
  if (blocks.length === 0) throw new Error('no PEM block found');
  return blocks.map((block) => checkedCurve(createPublicKey(block)));
};

/** The signing key kept in `folder`, made on first use and readable by its owner only; undefined folder: kept nowhere. */
export const keptSigningKey = (folder: string | undefined): KeyObject => {
  const file = folder === undefined ? undefined : join(folder, 'signing-key.pem');
  if (file !== undefined && existsSync(file)) return readSigningKey(file);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  if (folder !== undefined && file !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  }
  return privateKey;
};
