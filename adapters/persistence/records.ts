import type { Records } from '../../application/records.ts';
import { Unavailable } from '../../application/unavailable.ts';
import type { Database } from './database.ts';
import { lookup } from './lookups.ts';

const findSome = {
  name: 'find-records',
  text: 'select key, version, content from provider_record where book = $1 and key = any($2::text[])',
};

const add = {
  name: 'add-record',
  text: 'insert into provider_record (book, key, version, content) values ($1, $2, 1, $3) on conflict do nothing returning key',
};

const change = {
  name: 'change-record',
  text: 'update provider_record set content = $3, version = version + 1 where book = $1 and key = $2 and version = $4 returning key',
};

const list = {
  name: 'list-records',
  text: `select content from provider_record where book = $1 and key like $2 escape '\\' order by key collate "C"`,
};

/** So often somebody else may have been faster. */
const MOST_TRIES = 100;

interface Row<Content> {
  readonly key: string;
  readonly version: number;
  readonly content: Content;
}

export class DatabaseRecords<Content> implements Records<Content> {
  readonly #database: Database;
  readonly #book: string;
  readonly #row: (key: string) => Promise<Row<Content> | undefined>;

  constructor(database: Database, book: string) {
    this.#database = database;
    this.#book = book;
    this.#row = lookup(
      (keys) => database.run<Row<Content>>(findSome, [book, keys]),
      ({ key }) => key,
    );
  }

  async find(key: string): Promise<Content | undefined> {
    return (await this.#row(key))?.content;
  }

  /** @throws Unavailable where others are always faster. */
  async change(key: string, changed: (known: Content | undefined) => Content): Promise<Content> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const row = await this.#row(key);
      const content = changed(row?.content);
      const values = [this.#book, key, JSON.stringify(content)];
      const stored = await (row
        ? this.#database.run(change, [...values, row.version])
        : this.#database.run(add, values));
      if (stored.length === 1) return content;
    }
    throw new Unavailable('a record is changed faster than it can be followed');
  }

  async list(prefix: string): Promise<readonly Content[]> {
    const pattern = `${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`;
    return (await this.#database.run<Row<Content>>(list, [this.#book, pattern])).map(
      ({ content }) => content,
    );
  }
}
