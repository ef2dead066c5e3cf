import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import type { People, Person } from '../../../application/people/people.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';
import { entryFor, entryJson } from '../operations/audit-log.ts';
import {
  columnName,
  columnNames,
  parameters,
  pick,
  type RowOf,
  rowReader,
  rowWriter,
  selection,
} from '../schema/columns.ts';
import { PERSON } from '../schema/tables.ts';

type Values = { readonly [Name in keyof typeof PERSON]: unknown } & {
  readonly entry: string | null;
};

const addPerson = statement<Values>(
  'add-person',
  `
    with added as (
      insert into person (${columnNames(PERSON)}) values (${parameters(PERSON)})
      on conflict do nothing returning person_id
    ), entry as (${entryFor('added')})
    select person_id from added`,
);

const CHANGED = pick(
  PERSON,
  ...(['name', 'role', 'channelLink', 'isActive', 'generation', 'credentials'] as const),
  ...(['linkHash', 'linkKind', 'linkExpiresAt'] as const),
);

const changes = Object.entries(CHANGED)
  .map(([property, { type }]) => `${columnName(property)} = $${property}::${type}`)
  .join(', ');

const savePerson = statement<Omit<Values, 'email' | 'createdAt'>>(
  'save-person',
  `
    with saved as (
      update person set ${changes}, version = version + 1
      where person_id = $personId and version = $version returning person_id
    ), entry as (${entryFor('(select from saved where $entry::jsonb is not null) as noted')})
    select person_id from saved`,
);

const findBy = (column: string) =>
  statement<{ readonly value: string }>(
    `find-person-by-${column.replaceAll('_', '-')}`,
    `select ${selection(PERSON)} from person where ${column} = $value`,
  );

const FIND = {
  personId: findBy('person_id'),
  email: findBy('email'),
  link: findBy('link_hash'),
} as const;

const listPeople = statement<Record<string, never>>(
  'list-people',
  `select ${selection(PERSON)} from person order by created_at, person_id`,
);

const readRow = rowReader(PERSON);
const writeRow = rowWriter(PERSON);

const rowOf = ({ link, ...person }: Person): RowOf<typeof PERSON> => ({
  ...person,
  linkHash: link?.hash ?? null,
  linkKind: link?.kind ?? null,
  linkExpiresAt: link?.expiresAt ?? null,
});

const personOf = (stored: object): Person => {
  const { linkHash, linkKind, linkExpiresAt, ...person } = readRow(stored);
  const link =
    linkHash !== null && linkKind !== null && linkExpiresAt !== null
      ? { hash: linkHash, kind: linkKind, expiresAt: linkExpiresAt }
      : null;
  return { ...person, link };
};

export class DatabasePeople implements People {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(person: Person, entry: AuditEntry): Promise<'added' | 'duplicate'> {
    const values = { ...writeRow(rowOf(person)), entry: entryJson(entry) };
    const added = await this.#database.query(addPerson, values);
    return added.length > 0 ? 'added' : 'duplicate';
  }

  async save(changed: Person, entry: AuditEntry | null): Promise<'saved' | 'stale'> {
    const values = { ...writeRow(rowOf(changed)), entry: entry && entryJson(entry) };
    const saved = await this.#database.query(savePerson, values);
    return saved.length > 0 ? 'saved' : 'stale';
  }

  async find(by: keyof typeof FIND, value: string): Promise<Person | undefined> {
    const [found] = await this.#database.query(FIND[by], { value });
    return found && personOf(found);
  }

  async list(): Promise<readonly Person[]> {
    return (await this.#database.query(listPeople, {})).map(personOf);
  }
}
