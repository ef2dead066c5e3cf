import type { ContainerModule } from 'inversify';
import type { Logger } from 'pino';
import type { Tracing } from '../../adapters/tracing/tracing.ts';
import { requestNotes } from '../composition/channel-use-cases.ts';
import type { Composed } from '../composition/compose.ts';
import { openGroupDatabase, prepareGroup } from '../composition/group-databases.ts';
import * as own from '../composition/infrastructure.ts';
import type { OpenGroup } from '../composition/open-groups.ts';
import { composeGroup } from '../composition/service.ts';
import type { ServiceConfig } from '../composition/system.ts';
import { GROUP_VIEW } from '../composition/views.ts';
import { GROUP_HOUSEKEEPING, startHousekeeping } from './housekeeping.ts';
import { GATEWAYS, refuseLostGateways } from './lost-gateways.ts';
import { NOTES, storeNotes } from './store-notes.ts';

/** Twice that of group 0: an idle group costs its server and each process little. */
const LOOK_SECONDS = 1;

interface Opening {
  readonly config: ServiceConfig;
  readonly log: Logger;
  readonly tracing: Tracing | undefined;
  /** The service of group 0. */
  readonly service: Composed;
  readonly group: number;
  readonly address: string;
  /** Where this process listens. */
  readonly listensAt: string;
  readonly more: readonly ContainerModule[];
}

/** The service of a group on one database. */
export interface GroupService extends OpenGroup {
  readonly address: string;
  check(): Promise<void>;
  /** Begins what is done beside requests. */
  work(): Promise<void>;
  /** Ends its jobs, for good. */
  rest(): Promise<void>;
  /** Stores what it has noted, and notes no more. */
  storeNotes(): Promise<void>;
  stop(): Promise<void>;
}

/** Opens a group, which answers requests. @throws Unavailable, Error */
export const openGroup = async (given: Opening): Promise<GroupService> => {
  const { config, group } = given;
  const log = given.log.child({ group });
  const database = await openGroupDatabase(given.address, group, config);
  try {
    const service = await composeGroup({ ...given, log, database });
    const jobs = service.get(own.jobs);
    await prepareGroup(database, jobs, group);
    await refuseLostGateways(database, service.pick(GATEWAYS));
    let stopHousekeeping = (): void => {};
    const storeLastNotes = storeNotes(service.pick(NOTES));
    const listensAt = `${given.listensAt}/g${group}`;
    const rest = async (): Promise<void> => {
      stopHousekeeping();
      await jobs.stop();
    };
    return {
      address: given.address,
      view: service.pick(GROUP_VIEW),
      requestNotes: service.get(requestNotes),
      service,
      api: config.servesHttp ? service.get(own.groupApi) : undefined,
      check: database.check,
      async work() {
        stopHousekeeping = startHousekeeping(service.pick(GROUP_HOUSEKEEPING));
        if (config.doesJobs)
          await jobs.work(service.get(own.workers)(listensAt), config.servesHttp, LOOK_SECONDS);
      },
      rest,
      storeNotes: storeLastNotes,
      async stop() {
        await rest();
        await storeLastNotes();
        await service.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close().catch(() => {});
    throw error;
  }
};
