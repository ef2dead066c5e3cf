import { BigIntType, EntitySchema, types } from '@mikro-orm/core';
import { type Columns, columnName, type OrmType } from './columns.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { TABLES } from './tables.ts';

// MikroORM builds the queries of lists and runs the migrations. Loading it takes a quarter of a
// start and 40 MB, so this file is imported when one of these is needed first.

const ORM_TYPES: Readonly<Record<OrmType, unknown>> = {
  text: types.text,
  string: types.string,
  integer: types.integer,
  bigint: new BigIntType('number'),
  double: types.double,
  boolean: types.boolean,
  datetime: types.datetime,
  json: types.json,
};

const entityOf = (tableName: string, columns: Columns): EntitySchema =>
  new EntitySchema({
    name: tableName,
    tableName,
    properties: Object.fromEntries(
      Object.entries(columns).map(([property, each]) => [
        property,
        {
          type: ORM_TYPES[each.ormType] as string,
          columnType: each.type,
          fieldName: columnName(property),
          nullable: each.isNullable === true,
          primary: each.isKey === true,
          autoincrement: each.isGenerated === true,
        },
      ]),
    ),
  });

/** The tables as MikroORM knows them, by name. */
export const ENTITIES: ReadonlyMap<string, EntitySchema> = new Map(
  Object.entries(TABLES).map(([name, columns]) => [name, entityOf(name, columns)]),
);

/** The options that all databases share. */
export const ormOptions = async () => ({
  entities: [...ENTITIES.values()],
  forceUtcTimezone: true,
  // A mistyped URL must not create a database.
  ensureDatabase: false,
  migrations: {
    migrationsList: await Promise.all(
      MIGRATIONS.map(async ({ name, load }) => ({ name, class: await load() })),
    ),
    // Each in a transaction of its own: the locks of several could meet those of a sale crosswise.
    allOrNothing: false,
    snapshot: false,
    silent: true,
  },
  // The service logs the errors that it gets.
  logger: () => {},
});
