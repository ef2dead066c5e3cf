import type { CalendarDate } from '#domain';
import { addDays, anniversary } from '#domain';
import type { Block } from './readme.ts';

/** Fields whose value differs at each run: only its type is compared. */
const VOLATILE: ReadonlySet<string> = new Set([
  'access_token',
  'refresh_token',
  'ticket',
  'protocol',
  'client_id',
  'client_secret',
  'created_at',
  'updated_at',
  'added_at',
  'expires_at',
  'registered_at',
  'quote_id',
  'valid_until',
  'booked_at',
  'corrected_at',
  'iss',
  'aud',
  'sub',
  'jti',
  'iat',
  'exp',
  'number',
  'at',
  'request_id',
  'link',
  'id',
  'reference',
  'quotation_no',
  'proposal_no',
  'policy_no',
  'document_url',
  'requested_at',
  'settled_at',
  'next_cursor',
  'timestamp',
  'webhook_id',
  'secret',
  'event_id',
  'event_at',
  'evidence',
  'ms',
  'month',
  'total_days',
  'kid',
  'x',
  'y',
]);

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** A key that stands for all other fields of an object: they are not compared. */
const REST = '…';

/** The day on which the READMEs' examples are run, and the last day of a year that begins then. */
export const EXAMPLE_TODAY = '2026-11-22' as CalendarDate;
const EXAMPLE_YEAR_END = '2027-11-21';

/** The address that the READMEs show. */
const EXAMPLE_ADDRESS = 'http://127.0.0.1:3000';

export interface Run {
  readonly today: CalendarDate;
  /** The address of the service that ran the commands. */
  readonly address: string;
}

/** Console output: lines that are JSON as values, other lines as they are. */
const parsePrinted = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('{') ? JSON.parse(line) : line));

/** Several JSON documents in one block: each begins with a brace at the start of a line. */
const parseDocuments = (text: string): readonly unknown[] =>
  text
    .split(/^(?=\{)/m)
    .filter((document) => document.trim() !== '')
    .map((document) => JSON.parse(document));

/** What blocks show, with the example's days and address replaced by those of the run. */
export const parseShown = (blocks: readonly Block[], { today, address }: Run): readonly unknown[] =>
  blocks.flatMap(({ language, text }) => {
    const ofRun = text
      .replaceAll(EXAMPLE_TODAY, today)
      .replaceAll(EXAMPLE_YEAR_END, addDays(anniversary(today, 12), -1))
      .replaceAll(EXAMPLE_ADDRESS, address);
    return language === 'json' ? parseDocuments(ofRun) : parsePrinted(ofRun);
  });

/** The first transaction number in some JSON. */
const firstTransactionIn = (json: string): number =>
  Number(/"transaction_id":(\d+)/.exec(json)?.[1] ?? 0);

/**
 * How much higher the printed transaction numbers are than the shown ones, which are those of a
 * service that has sold nothing before.
 */
export const offsetOf = (shown: readonly unknown[], printed: string): number =>
  firstTransactionIn(printed) - firstTransactionIn(JSON.stringify(shown));

const withoutOffset = (text: string, offset: number): string =>
  text.replace(/^\d+/, (number) => String(Number(number) - offset));

/** A line without what differs at each run. */
const settledLine = (line: string, offset: number): string =>
  line
    .replace(/[0-9A-HJKMNP-TV-Z]{26}/, 'ULID')
    .replace(/^.*\/mail\/(.*)$/, (_, file: string) => `.data/mail/${withoutOffset(file, offset)}`);

/** A value without what differs at each run. */
const settled = (value: unknown, offset: number): unknown => {
  if (typeof value === 'string') return settledLine(value, offset);
  return JSON.parse(JSON.stringify(value), (name, each) => {
    if (VOLATILE.has(name) || ULID.test(each)) return typeof each;
    if (name === 'transaction_id' && typeof each === 'number') return each - offset;
    return name === 'mailing_id' ? withoutOffset(each, offset) : each;
  });
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Takes from what was printed the fields that were left out of what is shown. */
const withoutRest = (printed: unknown, shown: unknown): unknown => {
  if (Array.isArray(printed) && Array.isArray(shown))
    return printed.map((each, index) => withoutRest(each, shown[index]));
  if (!isObject(printed) || !isObject(shown)) return printed;
  const names = Object.keys(printed).filter((name) => !(REST in shown) || name in shown);
  const kept = names.map((name) => [name, withoutRest(printed[name], shown[name])]);
  return Object.fromEntries(REST in shown ? [...kept, [REST, shown[REST]]] : kept);
};

/** Both sides as they are to be compared. */
export const comparable = (
  shown: readonly unknown[],
  printedText: string,
  offset: number,
): { readonly shown: readonly unknown[]; readonly printed: readonly unknown[] } => {
  const settledShown = shown.map((each) => settled(each, 0));
  const printed = parsePrinted(printedText).map((each, index) =>
    withoutRest(settled(each, offset), settledShown[index]),
  );
  return { shown: settledShown, printed };
};
