import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
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

const KEY_BYTES = 32;

/** 32 bytes in base64, as `openssl rand -base64 32` prints them. */
const KEY_TEXT = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Reads the key that seals stored secrets from its base64 text or from a file that holds it.
 *
 * @throws Error when it is neither, or has not 32 bytes
 */
export const readSecretsKey = (textOrPath: string): KeyObject => {
  const given = textOrPath.trim();
  const text = KEY_TEXT.test(given) ? given : readFileSync(given, 'utf8').trim();
  if (!KEY_TEXT.test(text)) throw new Error('not 32 bytes in base64');
  return createSecretKey(text, 'base64');
};

/** Reads several keys, separated by commas. @throws Error like `readSecretsKey` */
export const readSecretsKeys = (texts: string): readonly KeyObject[] =>
  texts.split(',').map(readSecretsKey);

/**
 * Loads the key from `folder`, or creates it there, readable only by its owner. Processes that start
 * at the same time get the same key. Without a folder it creates a new key each time.
 */
export const loadOrCreateSecretsKey = (folder: string | undefined): KeyObject => {
  if (folder === undefined) return createSecretKey(randomBytes(KEY_BYTES));
  const file = keepInFolder(folder, 'secrets-key', () => {
    return `${randomBytes(KEY_BYTES).toString('base64')}\n`;
  });
  return readKept(file, readSecretsKey, {
    holds: '32 bytes in base64',
    without: 'and the webhooks of partners need new secrets',
  });
};

/**
 * Makes a key the first time, and keeps it in a file that only its owner may read. Processes that
 * start at the same time keep one and the same.
 *
 * @returns the path of the file
 */
const keepInFolder = (folder: string, name: string, make: () => string): string => {
  const file = join(folder, name);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeOnce(file, make());
  }
  return file;
};

/**
 * Reads a key from a file in the folder.
 *
 * @throws Error that says what to do: a file that cannot be read may hold a good key
 */
const readKept = <Key>(
  file: string,
  read: (path: string) => Key,
  { holds, without }: { readonly holds: string; readonly without: string },
): Key => {
  try {
    return read(file);
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall !== undefined)
      throw new Error(
        `${file} cannot be read (${code}). Let this user read it, and do not delete it: it may hold a good key`,
      );
    throw new Error(
      `${file} does not hold ${holds}. Restore it, or delete the file: the service then creates a new key, ${without}`,
    );
  }
};

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
