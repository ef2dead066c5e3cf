import type { ReadRequests } from '../../../application/requests/read-requests.ts';
import type { Route } from '../pipeline/route.ts';
import { createOwnRequestRoute } from './own-request-route.ts';
import { createReadinessRoute } from './readiness-route.ts';

export interface RequestRouteParts {
  readonly readRequests: ReadRequests;
  /** Whether partners are shown what they have tried: in the test environment. */
  readonly keepsReadiness: boolean;
}

/** The routes with which a partner looks at what it has sent. */
export const createRequestRoutes = ({
  readRequests,
  keepsReadiness,
}: RequestRouteParts): readonly Route[] => [
  createOwnRequestRoute(readRequests),
  ...(keepsReadiness ? [createReadinessRoute(readRequests)] : []),
];
