import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import { JobQueue } from '../../adapters/jobs/queue.ts';
import {
  type Database,
  openEmbedded,
  openPostgres,
} from '../../adapters/persistence/engine/database.ts';
import { refuseWithoutGroups } from '../../adapters/persistence/engine/migrate-schema.ts';
import { beginNumbers } from '../../adapters/persistence/groups/begin-numbers.ts';
import { LogicalCopy } from '../../adapters/persistence/groups/group-copy.ts';
import { tidyCopy } from '../../adapters/persistence/groups/replication.ts';
import type { Config } from '../settings/config.ts';
import { database } from './infrastructure.ts';
import { groupCopies, groupDatabases, operatorModule } from './operator-use-cases.ts';
import { builder } from './part.ts';

/** Connections of a process to the database of a group. */
const POOL = 4;

/** The address of a database in the service's own folder. */
export const EMBEDDED = 'embedded';

const isOfPostgres = (address: string): boolean => /^postgres(ql)?:\/\//.test(address);

/** The database of a group, by its address. */
export const openGroupDatabase = (
  address: string,
  group: number,
  { dataFolder }: Pick<Config, 'dataFolder'>,
): Promise<Database> => {
  if (address === EMBEDDED) return openEmbedded(dataFolder && join(dataFolder, `group-${group}`));
  if (!isOfPostgres(address)) throw new Error(`the address must be postgres://… or ${EMBEDDED}`);
  return openPostgres({ url: address, pool: POOL });
};

/** Brings the database of a group up to date. @throws Unavailable, Error */
export const prepareGroup = (
  database: Database,
  jobs: Pick<JobQueue, 'prepare'>,
  group: number,
): Promise<void> =>
  database.exclusively(async () => {
    await database.migrate();
    await beginNumbers(database, group);
    await jobs.prepare();
  });

/** What only commands have. */
export const operatorModules = (
  config: Pick<Config, 'dataFolder' | 'database'>,
): readonly ContainerModule[] => [
  operatorModule,
  new ContainerModule(({ bind }) => {
    bind(groupCopies).toConstantValue({
      open: async (from, to, group) => {
        if (![from, to].every(isOfPostgres))
          throw new Error(`only a group on PostgreSQL moves, and only to another postgres://…`);
        return new LogicalCopy(from, to, group);
      },
      tidy: async (address, group) => {
        if (isOfPostgres(address)) await tidyCopy(address, group);
      },
    });
    builder(bind)(groupDatabases, { control: database }, ({ control }) => ({
      prepare: async (address, group) => {
        await refuseWithoutGroups(control);
        // Its folder serves one process alone.
        if (address === EMBEDDED && config.database.kind !== 'embedded')
          throw new Error(`${EMBEDDED} is only for a service whose own database is embedded`);
        const opened = await openGroupDatabase(address, group, config);
        const jobs = new JobQueue({ ...opened, failed: () => {} });
        try {
          await prepareGroup(opened, jobs, group);
        } finally {
          await jobs.stop();
          await opened.close();
        }
      },
    }));
  }),
];
