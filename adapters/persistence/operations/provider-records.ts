import type { Records } from '../../../application/records.ts';
import { Unavailable } from '../../../application/unavailable.ts';
import { createLookup } from '../engine/batcher.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';
import { pick, selection } from '../schema/columns.ts';
import { PROVIDER_RECORD } from '../schema/tables.ts';

interface StoredRecord {
  readonly key: string;
  readonly version: number;
  readonly content: unknown;
}

interface RecordName {
  readonly book: string;
  readonly key: string;
}

const findRecords = statement<{ book: string; keys: readonly string[] }, StoredRecord>(
  'find-records',
  `
    select ${selection(pick(PROVIDER_RECORD, 'key', 'version', 'content'))} from provider_record
    where book = $book and key = any($keys::text[])`,
);

const addRecord = statement<RecordName & { content: string }>(
  'add-record',
  `
    insert into provider_record (book, key, version, content) values ($book, $key, 1, $content)
    on conflict do nothing returning key`,
);

const changeRecord = statement<RecordName & { content: string; version: number }>(
  'change-record',
  `
    update provider_record set content = $content, version = version + 1
    where book = $book and key = $key and version = $version returning key`,
);

const listRecords = statement<{ book: string; pattern: string }, Pick<StoredRecord, 'content'>>(
  'list-records',
  `
    select content from provider_record where book = $book and key like $pattern escape '\\'
    order by key collate "C"`,
);

/** Another process may change the record between reading and writing it. */
const MAX_TRIES = 100;

export class DatabaseRecords<Content> implements Records<Content> {
  readonly #database: Database;
  readonly #book: string;
  readonly #findRow: (key: string) => Promise<StoredRecord | undefined>;

  constructor(database: Database, book: string) {
    this.#database = database;
    this.#book = book;
    this.#findRow = createLookup(
      (keys) => database.query(findRecords, { book, keys }),
      ({ key }) => key,
    );
  }

  async find(key: string): Promise<Content | undefined> {
    return (await this.#findRow(key))?.content as Content | undefined;
  }

  /** @throws Unavailable where other processes have changed the record at each of 100 tries */
  async change(key: string, changed: (known: Content | undefined) => Content): Promise<Content> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const row = await this.#findRow(key);
      const content = changed(row?.content as Content | undefined);
      const record = { book: this.#book, key, content: JSON.stringify(content) };
      const stored = await (row
        ? this.#database.query(changeRecord, { ...record, version: row.version })
        : this.#database.query(addRecord, record));
      if (stored.length === 1) return content;
    }
    throw new Unavailable('a record is changed faster than it can be followed');
  }

  async list(prefix: string): Promise<readonly Content[]> {
    const pattern = `${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const found = await this.#database.query(listRecords, { book: this.#book, pattern });
    return found.map(({ content }) => content as Content);
  }
}
