import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { keepInFolder, readKept } from './key-files.ts';

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
