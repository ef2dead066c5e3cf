import type { ReadRequests } from '../../../application/requests/read-requests.ts';
import type { RequestNotes } from '../../../application/requests/request-notes.ts';
import { catchUp } from '../pipeline/catch-up.ts';
import type { Route } from '../pipeline/route.ts';
import { createOwnRequestRoute } from './own-request-route.ts';
import { createReadinessRoute } from './readiness-route.ts';

export interface RequestRouteParts {
  readonly readRequests: ReadRequests;
  readonly requestNotes: RequestNotes;
  /** Whether partners are shown what they have tried: in the test environment. */
  readonly keepsReadiness: boolean;
}

/** The routes with which a partner looks at what it has sent. */
export const createRequestRoutes = (parts: RequestRouteParts): readonly Route[] => {
  const { readRequests, requestNotes, keepsReadiness } = parts;
  const routes = [
    createOwnRequestRoute(readRequests),
    ...(keepsReadiness ? [createReadinessRoute(readRequests)] : []),
  ];
  return routes.map((route) => ({
    ...route,
    async handle(ctx) {
      await catchUp(requestNotes);
      await route.handle(ctx);
    },
  }));
};
