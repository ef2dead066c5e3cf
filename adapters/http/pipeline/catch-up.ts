import { setTimeout as wait } from 'node:timers/promises';
import type { BackgroundNotes } from '../../../application/background-notes.ts';

/** Max time in which what this process has noted is stored before it is read, ms. */
const CATCH_UP_MS = 1_000;

/** Waits until what this process has noted is stored, unless the store is slow or away. */
export const catchUp = async (notes: Pick<BackgroundNotes, 'flush'>): Promise<void> => {
  const stored = notes.flush().catch(() => {});
  await Promise.race([stored, wait(CATCH_UP_MS, undefined, { ref: false })]);
};
