import { setTimeout as wait } from 'node:timers/promises';
import type { NoteRequests } from '../../../application/requests/note-requests.ts';
import type { ReadRequests } from '../../../application/requests/read-requests.ts';
import type { Step } from '../pipeline/context.ts';
import type { Route } from '../pipeline/route.ts';
import { createOwnRequestRoute } from './own-request-route.ts';
import { createReadinessRoute } from './readiness-route.ts';

export interface RequestRouteParts {
  readonly readRequests: ReadRequests;
  readonly noteRequests: NoteRequests;
  /** Whether partners are shown what they have tried: in the test environment. */
  readonly keepsReadiness: boolean;
}

/** Max time in which what this process has noted is stored before it is read, ms. */
const CATCH_UP_MS = 1_000;

/** Waits until what the caller asks for is stored, unless the store is slow or away. */
const makeCatchUp = ({ noteRequests }: RequestRouteParts): Step =>
  async function catchUp(_, next) {
    const stored = noteRequests.flush().catch(() => {});
    await Promise.race([stored, wait(CATCH_UP_MS, undefined, { ref: false })]);
    return next();
  };

/** The routes with which a partner looks at what it has sent. */
export const createRequestRoutes = (parts: RequestRouteParts): readonly Route[] => {
  const { readRequests, keepsReadiness } = parts;
  const catchUp = makeCatchUp(parts);
  return [
    createOwnRequestRoute(readRequests, catchUp),
    ...(keepsReadiness ? [createReadinessRoute(readRequests, catchUp)] : []),
  ];
};
