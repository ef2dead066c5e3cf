import type { AddOpenRoutes } from '../../adapters/http/open-routes.ts';
import { showErrorsToPersons } from '../../adapters/kit/web/pages/show-page.ts';
import type { Step } from '../../adapters/kit/web/pipeline/context.ts';
import { makeOnce } from '../../application/make-once.ts';
import type { ConsoleNeeds } from './console-needs.ts';

/** The console. Its first request loads it: a process that only sells loads none of it. */
export const createConsoleEntry =
  (given: ConsoleNeeds): AddOpenRoutes =>
  (router, limitNetwork) => {
    const opened = makeOnce(
      async (): Promise<Step> => (await import('./console.ts')).openConsole(given),
    );
    const paths = ['/console', '/console/*rest'];
    router.all(paths, showErrorsToPersons, limitNetwork, async function runConsole(ctx, next) {
      // The paths above are no pages: what the console lacks, nobody has.
      Object.assign(ctx, { matched: [] });
      return (await opened.get())(ctx, next);
    });
  };
