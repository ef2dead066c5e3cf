import { sharedPostgres } from './postgres.ts';

/** Once, after all tests. */
export const mochaGlobalTeardown = (): Promise<void> => sharedPostgres.stop();
