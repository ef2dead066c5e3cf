import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import type { ChannelGroup, GroupMap, Groups } from '../../../application/groups/groups.ts';
import { countingRevision } from '../engine/change-feed.ts';
import type { Database } from '../engine/database.ts';
import { LocalCopy } from '../engine/local-copy.ts';
import { statement } from '../engine/statement.ts';
import { entryFor, entryJson } from '../operations/audit-log.ts';
import { columnNames, parameters, rowReader, rowWriter, selection } from '../schema/columns.ts';
import { CHANNEL_GROUP, CHANNEL_PLACE } from '../schema/tables.ts';

const readGroups = statement<Record<never, never>>(
  'read-channel-groups',
  `select ${selection(CHANNEL_GROUP)} from channel_group order by number`,
);

const readPlaces = statement<Record<never, never>>(
  'read-channel-places',
  `select ${selection(CHANNEL_PLACE)} from channel_place`,
);

/** Stores a row and its entry, and tells all processes. */
const storing = (insert: string): string => `
  with stored as (${insert} returning 1),
    entry as (${entryFor('stored')}),
    told as (${countingRevision('groups', 'stored')})
  select from told`;

const addGroup = statement<object & { readonly entry: string }>(
  'add-channel-group',
  storing(`
    insert into channel_group (${columnNames(CHANNEL_GROUP)}) values (${parameters(CHANNEL_GROUP)})
    on conflict do nothing`),
);

const changeGroup = statement<object & { readonly entry: string }>(
  'change-channel-group',
  storing(`
    update channel_group
    set sealed_database = $sealedDatabase, is_open = $isOpen::boolean, move = $move::jsonb
    where number = $number::integer and sealed_database = $addressBefore
      and move is not distinct from $moveBefore::jsonb`),
);

const savePlace = statement<object & { readonly entry: string }>(
  'save-channel-place',
  storing(`
    insert into channel_place (${columnNames(CHANNEL_PLACE)}) values (${parameters(CHANNEL_PLACE)})
    on conflict (channel_link) do update set group_number = excluded.group_number`),
);

const [readGroup, readPlace] = [rowReader(CHANNEL_GROUP), rowReader(CHANNEL_PLACE)];
const [writeGroup, writePlace] = [rowWriter(CHANNEL_GROUP), rowWriter(CHANNEL_PLACE)];

export class DatabaseGroups implements Groups {
  readonly #database: Database;
  readonly #copy: LocalCopy<GroupMap>;

  constructor(database: Database) {
    this.#database = database;
    this.#copy = new LocalCopy<GroupMap>(database, 'groups', async () => {
      const groups = (await database.query(readGroups, {})).map(readGroup);
      const places = (await database.query(readPlaces, {})).map(readPlace);
      const placed = places.filter(({ groupNumber }) => groupNumber !== 0);
      return {
        groups,
        placed: new Map(placed.map(({ channelLink, groupNumber }) => [channelLink, groupNumber])),
      };
    });
  }

  current(): Promise<GroupMap> | GroupMap {
    return this.#copy.read((map) => map);
  }

  async save(
    group: ChannelGroup,
    entry: AuditEntry,
    before?: ChannelGroup,
  ): Promise<'saved' | 'taken'> {
    const row = { ...writeGroup(group), entry: entryJson(entry) };
    const known = before && writeGroup(before);
    const stored =
      known === undefined
        ? await this.#database.query(addGroup, row)
        : await this.#database.query(changeGroup, {
            ...row,
            ...{ addressBefore: known.sealedDatabase, moveBefore: known.move },
          });
    await this.#copy.refresh().catch(() => {});
    return stored.length > 0 ? 'saved' : 'taken';
  }

  async place(channelLink: string, groupNumber: number, entry: AuditEntry): Promise<void> {
    const row = writePlace({ channelLink, groupNumber });
    await this.#database.query(savePlace, { ...row, entry: entryJson(entry) });
    await this.#copy.refresh().catch(() => {});
  }
}
