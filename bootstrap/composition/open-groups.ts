import { setTimeout as wait } from 'node:timers/promises';
import type { GroupApi, GroupApis } from '../../adapters/http/groups/group-apis.ts';
import type { GroupView } from '../../application/all-groups/group-view.ts';
import type { ChannelGroup, GroupMap, Groups } from '../../application/groups/groups.ts';
import type { RequestNotes } from '../../application/requests/request-notes.ts';
import { Unavailable } from '../../application/unavailable.ts';
import type { Composed } from './compose.ts';

/** What this process has of a group of channels. */
export interface OpenGroup {
  readonly view: GroupView;
  readonly requestNotes: RequestNotes;
  readonly service: Composed;
  /** Undefined where this process serves no HTTP. */
  readonly api: GroupApi | undefined;
}

/** Longest time that requests wait for the switch of their group, ms. */
const MAX_SWITCH_MS = 5_000;

const unavailable = (group: number): Unavailable =>
  new Unavailable(`group ${group} of the channels is out of reach`);

/** Fails with `Unavailable`, whatever it is asked for. */
const outOfReach = (group: number): never => {
  const fail = async (): Promise<never> => {
    throw unavailable(group);
  };
  const port: object = new Proxy(fail, { get: () => port });
  return port as never;
};

/** The groups beside group 0, as long as this process runs: see `followGroups`. */
export class OpenGroups implements GroupApis {
  /** Undefined: not opened yet. */
  readonly #groups = new Map<number, OpenGroup | undefined>();
  readonly #away = new Set<number>();
  /** Where each is open, sealed as the group showed it. */
  readonly #addresses = new Map<number, string | undefined>();
  /** What the requests of a group wait for that switches to another database. */
  readonly #switching = new Map<number, PromiseWithResolvers<void>>();
  #known: Groups | undefined;

  /** @param known says which groups there are, and in which each channel is */
  on(known: Groups): this {
    this.#known = known;
    return this;
  }

  /** @param sealedDatabase the address at which it is open, as the group shows it */
  set(group: number, open: OpenGroup | undefined, isAway: boolean, sealedDatabase?: string): void {
    this.#groups.set(group, open);
    this.#addresses.set(group, sealedDatabase);
    if (isAway) this.#away.add(group);
    else this.#away.delete(group);
  }

  current(): GroupMap | Promise<GroupMap> {
    return this.#known?.current() ?? { groups: [], placed: new Map() };
  }

  /** @throws Unavailable where it is not open */
  get(group: number): OpenGroup {
    const open = this.#groups.get(group);
    if (open === undefined) throw unavailable(group);
    return open;
  }

  find(group: ChannelGroup): GroupApi | Promise<GroupApi> {
    const { number, move, sealedDatabase } = group;
    // The database in which it is open has the rows of before the move.
    const isElsewhere = this.#addresses.get(number) !== sealedDatabase;
    const isMoving = isElsewhere || move?.phase === 'switching' || this.#switching.has(number);
    if (!isMoving) return this.#apiOf(number);
    if (this.#away.has(number) || this.#groups.get(number) === undefined) throw unavailable(number);
    return this.#findLater(number);
  }

  #apiOf(group: number): GroupApi {
    const { api } = this.get(group);
    if (api === undefined) throw unavailable(group);
    return api;
  }

  async #findLater(group: number): Promise<GroupApi> {
    const switching = this.#switching.get(group) ?? Promise.withResolvers<void>();
    this.#switching.set(group, switching);
    const giveUp = new AbortController();
    const over = wait(MAX_SWITCH_MS, 'late', { signal: giveUp.signal, ref: false });
    const outcome = await Promise.race([switching.promise, over.catch(() => {})]);
    giveUp.abort();
    if (outcome === 'late') throw unavailable(group);
    return this.#apiOf(group);
  }

  /** Lets the requests go on that waited for the switch of their group, if it is over. @throws Unavailable */
  async endSwitch(group: number): Promise<void> {
    const { groups } = await this.current();
    const present = groups.find(({ number }) => number === group);
    const isElsewhere = present && present.sealedDatabase !== this.#addresses.get(group);
    if (isElsewhere || present?.move?.phase === 'switching') return;
    this.#switching.get(group)?.resolve();
    this.#switching.delete(group);
  }

  /** What each group shows; one that is not open, or out of reach, fails at once. */
  views(): readonly (readonly [number, GroupView])[] {
    return [...this.#groups].map(([number, open]) => {
      const isThere = open !== undefined && !this.#away.has(number);
      return [number, isThere ? open.view : outOfReach(number)];
    });
  }

  /** Notes the answer to a request in the group of its channel. */
  notesOf(own: RequestNotes): Pick<RequestNotes, 'note'> {
    const noteIn = ({ placed }: GroupMap, request: Parameters<RequestNotes['note']>[0]): void => {
      const group = placed.get(request.channelLink) ?? 0;
      (group === 0 ? own : this.#groups.get(group)?.requestNotes)?.note(request);
    };
    return {
      note: (request) => {
        const map = this.current();
        if (map instanceof Promise) map.then((found) => noteIn(found, request)).catch(() => {});
        else noteIn(map, request);
      },
    };
  }

  /** The groups that are out of reach. */
  away(): readonly number[] {
    return [...this.#away].sort((one, other) => one - other);
  }
}
