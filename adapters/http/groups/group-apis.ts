import { groupOfNumber } from '../../../application/groups/group-numbers.ts';
import type { ChannelGroup, GroupMap } from '../../../application/groups/groups.ts';
import {
  type Context,
  type Handler,
  pathParameter,
  type Step,
} from '../../kit/web/pipeline/context.ts';
import type { Route } from '../routes/route.ts';

/** What answers the requests of a group of channels. */
export interface GroupApi {
  /** What its routes do, by operation. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** The pages that its links open. */
  readonly pages: Step;
}

/** The groups of channels beside group 0, as this process has them. */
export interface GroupApis {
  /** At once, where the copy in memory is known to be up to date. @throws Unavailable */
  current(): GroupMap | Promise<GroupMap>;
  /** A promise while the group switches to another database. @throws Unavailable where it is out of reach */
  find(group: ChannelGroup): GroupApi | Promise<GroupApi>;
  /** The groups that are out of reach. */
  away(): readonly number[];
}

/** The parameters of a path that say a number of a group, such as that of a sale. */
const NUMBERS = ['id', 'alertId', 'mailingId'];

/** The group of a number in the path; 0 without one. A mailing is named `sale-number`. */
const groupOfPath = (ctx: Context): number => {
  const number = NUMBERS.map((name) => pathParameter(ctx, name)).find((each) => each !== '');
  return groupOfNumber(Number.parseInt(number ?? '0', 10) || 0);
};

/**
 * The group whose data a request is about: that of the caller's channel; for administrators that of
 * the channel or number in the path; for others the one that the address names.
 */
const groupOfRequest = (ctx: Context, { placed }: GroupMap): number => {
  const { caller, group = 0 } = ctx.state;
  if (caller === undefined) return group;
  const channelLink = caller.channelLink ?? pathParameter(ctx, 'channelLink');
  return channelLink === '' ? groupOfPath(ctx) : (placed.get(channelLink) ?? 0);
};

/** The route, which hands requests of other groups over to theirs. */
export const inItsGroup = (route: Route, apis: GroupApis): Route => {
  const { operationId, handle } = route;
  if (route.isShared) return route;
  const handOver = (ctx: Context, map: GroupMap): void | Promise<void> => {
    if (map.groups.length === 0) return handle(ctx);
    const wanted = groupOfRequest(ctx, map);
    // No sale has a number of a group that does not exist: group 0 answers that.
    const group = map.groups.find(({ number }) => number === wanted);
    if (group === undefined) return handle(ctx);
    const answer = ({ handlers }: GroupApi) => (handlers.get(operationId) ?? handle)(ctx);
    const api = apis.find(group);
    return api instanceof Promise ? api.then(answer) : answer(api);
  };
  return {
    ...route,
    handle(ctx) {
      const map = apis.current();
      return map instanceof Promise
        ? map.then((found) => handOver(ctx, found))
        : handOver(ctx, map);
    },
  };
};

const LINK = /^\/g([1-9]\d{0,3})(\/(?:documents|verify|sandbox|webhooks\/payments)\/.+)$/;

/**
 * Leads an address that names its group to the pages of the group, and notices of gateways to their
 * route.
 */
export const enterGroup = (apis: GroupApis): Step => {
  const enter = async (
    ctx: Parameters<Step>[0],
    next: Parameters<Step>[1],
    [number, path]: readonly [number, string],
  ): Promise<unknown> => {
    const group = (await apis.current()).groups.find((each) => each.number === number);
    if (group === undefined) return next();
    const { pages } = await apis.find(group);
    ctx.path = path;
    ctx.state.group = number;
    return path.startsWith('/webhooks/') ? next() : pages(ctx, next);
  };

  return function enterGroup(ctx, next) {
    const [, group, path = ''] = LINK.exec(ctx.path) ?? [];
    return group === undefined ? next() : enter(ctx, next, [Number(group), path]);
  };
};
