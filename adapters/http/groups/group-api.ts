import Router from '@koa/router';
import type { Counters } from '../../../application/counters.ts';
import type { State, Step } from '../../kit/web/pipeline/context.ts';
import { limitNetwork } from '../../kit/web/pipeline/rate-limits.ts';
import type { AddPages } from '../open-routes.ts';
import type { Route } from '../routes/route.ts';
import type { GroupApi } from './group-apis.ts';

interface GroupApiParts {
  readonly routes: readonly (readonly Route[])[];
  readonly linkPages: readonly AddPages[];
  readonly counters: Counters;
  readonly requestsPerMinute: number | 'off';
}

/** The API of a group of channels, without the steps that come before: the whole API has them. */
export const createGroupApi = (parts: GroupApiParts): GroupApi => {
  const router = new Router<State>({ sensitive: true });
  const limits = { counters: parts.counters, perMinute: parts.requestsPerMinute };
  for (const add of parts.linkPages) add(router, limitNetwork(limits));
  return {
    handlers: new Map(parts.routes.flat().map(({ operationId, handle }) => [operationId, handle])),
    pages: router.routes() as Step,
  };
};
