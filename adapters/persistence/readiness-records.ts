import {
  NOTHING_DONE,
  type Readiness,
  type ReadinessRecords,
} from '../../application/requests/readiness.ts';
import { recordFields, selection } from './columns.ts';
import type { Database } from './database.ts';
import { queryInside, statement } from './statement.ts';
import { READINESS } from './tables.ts';

interface Stored {
  readonly clientId: string;
  readonly done: Readiness;
}

interface Named {
  readonly clientIds: readonly string[];
}

const ofClients = `select ${selection(READINESS)} from readiness where client_id = any($clientIds)`;

const findReadiness = statement<Named, Stored>('find-readiness', ofClients);

/** Makes sure that there are rows to lock. */
const beginReadiness = statement<Named & { readonly done: string }>(
  'begin-readiness',
  `
    insert into readiness (client_id, done)
    select client_id, $done::jsonb from unnest($clientIds::text[]) as client_id
    order by client_id on conflict do nothing`,
);

/** In one order, because two processes may lock the same clients at the same time. */
const lockReadiness = statement<Named, Stored>(
  'lock-readiness',
  `${ofClients} order by client_id for update`,
);

const changeReadiness = statement<{ readonly changed: string }>(
  'change-readiness',
  `
    update readiness set done = changed.done
    from json_to_recordset($changed::json) as changed (${recordFields(READINESS)})
    where readiness.client_id = changed."clientId"`,
);

export class DatabaseReadinessRecords implements ReadinessRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async advance(
    clientIds: readonly string[],
    change: (clientId: string, done: Readiness) => Readiness,
  ): Promise<void> {
    /** What those have done who have done something new. */
    const changedOf = (names: readonly string[], stored: readonly Stored[]): readonly Stored[] => {
      const known = new Map(stored.map(({ clientId, done }) => [clientId, done]));
      return names.flatMap((clientId) => {
        const before = known.get(clientId) ?? NOTHING_DONE;
        const done = change(clientId, before);
        return done === before ? [] : { clientId, done };
      });
    };

    // Most requests change nothing.
    const known = await this.#database.query(findReadiness, { clientIds });
    const changing = changedOf(clientIds, known).map(({ clientId }) => clientId);
    if (changing.length === 0) return;
    await this.#database.transaction(async (inside) => {
      const named = { clientIds: changing };
      await queryInside(inside, beginReadiness, { ...named, done: JSON.stringify(NOTHING_DONE) });
      const stored = await queryInside(inside, lockReadiness, named);
      const changed = JSON.stringify(changedOf(changing, stored));
      await queryInside(inside, changeReadiness, { changed });
    });
  }

  async find(clientId: string): Promise<Readiness> {
    const [stored] = await this.#database.query(findReadiness, { clientIds: [clientId] });
    return stored?.done ?? NOTHING_DONE;
  }
}
