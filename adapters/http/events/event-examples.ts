import { readFile } from 'node:fs/promises';
import type { EventType } from '../../../application/events/partner-events.ts';

const GUIDE = new URL('./README.md', import.meta.url);

const EVENT_BLOCK = /^```json event\n(.*?)^```$/gms;

/** The body of an event, as the guide shows it. */
export interface EventExample {
  readonly id: string;
  readonly type: EventType;
  readonly data: { readonly external_sale_id?: string };
}

/** Reads the bodies of events that the guide shows: one of each type. */
export const readEventExamples = async (): Promise<readonly EventExample[]> => {
  const guide = await readFile(GUIDE, 'utf8');
  return [...guide.matchAll(EVENT_BLOCK)].map(([, text = '']) => JSON.parse(text));
};
