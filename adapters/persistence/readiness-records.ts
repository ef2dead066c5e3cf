import {
  NOTHING_DONE,
  type Readiness,
  type ReadinessRecords,
} from '../../application/requests/readiness.ts';
import { selection } from './columns.ts';
import type { Database } from './database.ts';
import { queryInside, statement } from './statement.ts';
import { READINESS } from './tables.ts';

interface Named {
  readonly clientId: string;
}

interface Stored {
  readonly done: Readiness;
}

/** Makes sure that there is a row to lock. */
const beginReadiness = statement<Named & { readonly done: string }>(
  'begin-readiness',
  'insert into readiness (client_id, done) values ($clientId, $done) on conflict do nothing',
);

const lockReadiness = statement<Named, Stored>(
  'lock-readiness',
  `select ${selection(READINESS)} from readiness where client_id = $clientId for update`,
);

const changeReadiness = statement<Named & { readonly done: string }>(
  'change-readiness',
  'update readiness set done = $done where client_id = $clientId',
);

const findReadiness = statement<Named, Stored>(
  'find-readiness',
  `select ${selection(READINESS)} from readiness where client_id = $clientId`,
);

export class DatabaseReadinessRecords implements ReadinessRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async advance(clientId: string, change: (done: Readiness) => Readiness): Promise<void> {
    // Most requests change nothing.
    const before = await this.find(clientId);
    if (change(before) === before) return;
    await this.#database.transaction(async (inside) => {
      const begun = JSON.stringify(NOTHING_DONE);
      await queryInside(inside, beginReadiness, { clientId, done: begun });
      const [stored] = await queryInside(inside, lockReadiness, { clientId });
      const done = JSON.stringify(change(stored?.done ?? NOTHING_DONE));
      await queryInside(inside, changeReadiness, { clientId, done });
    });
  }

  async find(clientId: string): Promise<Readiness> {
    const [stored] = await this.#database.query(findReadiness, { clientId });
    return stored?.done ?? NOTHING_DONE;
  }
}
