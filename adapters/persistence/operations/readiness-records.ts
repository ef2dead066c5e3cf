import {
  NOTHING_DONE,
  type Readiness,
  type ReadinessRecords,
} from '../../../application/requests/readiness.ts';
import type { Database } from '../engine/database.ts';

export class DatabaseReadinessRecords implements ReadinessRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async advance(
    clientIds: readonly string[],
    change: (clientId: string, done: Readiness) => Readiness,
  ): Promise<void> {
    await this.#database.entities(async (em, { ReadinessEntity, LockMode }) => {
      // Most requests change nothing.
      const known = await em.find(ReadinessEntity, { clientId: { $in: [...clientIds] } });
      const doneBy = new Map(known.map(({ clientId, done }) => [clientId, done]));
      const changing = clientIds.filter((clientId) => {
        const before = doneBy.get(clientId) ?? NOTHING_DONE;
        return change(clientId, before) !== before;
      });
      if (changing.length === 0) return;

      await em.fork().transactional(async (inside) => {
        // In one order, because two processes may lock the same clients at the same time.
        const names = changing.toSorted();
        const rows = names.map((clientId) => ({ clientId, done: NOTHING_DONE }));
        // Makes sure that there are rows to lock.
        await inside.upsertMany(ReadinessEntity, rows, { onConflictAction: 'ignore' });
        const locked = await inside.find(
          ReadinessEntity,
          { clientId: { $in: names } },
          { orderBy: { clientId: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
        );
        for (const each of locked) each.done = change(each.clientId, each.done);
      });
    });
  }

  async find(clientId: string): Promise<Readiness> {
    const found = await this.#database.entities((em, { ReadinessEntity }) =>
      em.findOne(ReadinessEntity, clientId),
    );
    return found?.done ?? NOTHING_DONE;
  }
}
