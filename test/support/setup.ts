import { keepCompiled } from '../../bootstrap/processes/prepare-process.ts';
import { endOnSignals } from './children.ts';
import { ensureClientTypes } from './client-types.ts';
import { noteCost, startCost } from './cost.ts';
import { expectEveryErrorCode, watchErrorAnswers } from './error-answers.ts';
import { expectNoSecret, runLog } from './run-log.ts';
import { startSharing, stopSharing } from './shared.ts';

// V8 counts coverage less exactly in code that comes from the cache.
if (process.env['NODE_V8_COVERAGE'] === undefined) keepCompiled();

watchErrorAnswers();
endOnSignals();

/** Runs once, in mocha's main process, before the first test. */
export const mochaGlobalSetup = async (): Promise<void> => {
  await ensureClientTypes();
  await startSharing();
};

export const mochaGlobalTeardown = stopSharing;

export const mochaHooks = {
  beforeAll: startCost,

  /** Runs after each file with --parallel, and once after all files without it. */
  afterAll(this: Mocha.Context): void {
    noteCost(this.test?.parent);
    expectNoSecret(runLog);
    expectEveryErrorCode();
  },
};
