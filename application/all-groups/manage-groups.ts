import type { Actor, AuditEntry } from '../audit/audit-log.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { timelinesOf } from '../catalogue/versions.ts';
import type { Clock, Timers } from '../clock.ts';
import { NUMBERS_OF_GROUP } from '../groups/group-numbers.ts';
import type { ChannelGroup, Groups } from '../groups/groups.ts';
import { askGroups, type InGroups } from '../groups/in-groups.ts';
import type { Sales } from '../sales/sales.ts';
import { Unavailable } from '../unavailable.ts';
import type { SecretSeal } from '../webhooks/webhook-sender.ts';
import { openAddress, sealAddress } from './group-addresses.ts';

/** The databases of groups. */
export interface GroupDatabases {
  /**
   * Makes the tables of a group, and its numbers begin where they do. Does nothing the second time.
   *
   * @throws Unavailable, Error where it is not to be used
   */
  prepare(address: string, group: number): Promise<void>;
}

interface Needs {
  readonly groups: Groups;
  readonly groupDatabases: GroupDatabases;
  readonly groupViews: InGroups<{ readonly sales: Sales }>;
  readonly catalogue: Catalogue;
  readonly secretSeal: SecretSeal;
  readonly clock: Clock;
  readonly timers: Timers;
}

/**
 * Adds a group with a database of its own. A known address is that of its group: its database is brought
 * up to date.
 *
 * @throws Unavailable; Error where the database is not to be used, or another group was added meanwhile
 */
export type AddGroup = (address: string, actor: Actor) => Promise<ChannelGroup>;

export const makeAddGroup =
  ({
    groups,
    groupDatabases,
    secretSeal,
    clock,
  }: Pick<Needs, 'groups' | 'groupDatabases' | 'secretSeal' | 'clock'>): AddGroup =>
  async (address, actor) => {
    const { groups: stored } = await groups.current();
    const known = stored.find((each) => openAddress(each, secretSeal) === address);
    const number = known?.number ?? Math.max(0, ...stored.map((each) => each.number)) + 1;
    await groupDatabases.prepare(address, number);
    if (known !== undefined) return known;

    const sealedDatabase = sealAddress(address, number, secretSeal);
    const added = { number, sealedDatabase, isOpen: true, addedAt: clock.now(), move: null };
    const changes = [{ field: 'number', before: null, after: number }];
    const saved = await groups.save(added, {
      ...{ at: added.addedAt, action: 'group.saved', actor, reason: null },
      ...{ subject: `group/${number}`, changes },
    });
    // Its database has the numbers of that group now.
    if (saved === 'taken')
      throw new Error(
        `another group ${number} was added meanwhile: add this one with an empty database`,
      );
    return added;
  };

/** Seals the addresses of groups with the present key, so that earlier keys can be removed. */
export type ResealAddresses = (actor: Actor) => Promise<{
  readonly resealed: number;
  /** The groups whose address no known key opens: they are out of reach until the key is back. */
  readonly lost: readonly number[];
}>;

export const makeResealAddresses =
  ({
    groups,
    secretSeal,
    clock,
  }: Pick<Needs, 'groups' | 'secretSeal' | 'clock'>): ResealAddresses =>
  async (actor) => {
    const { groups: stored } = await groups.current();
    const lost: number[] = [];
    for (const group of stored) {
      const { number } = group;
      const address = openAddress(group, secretSeal);
      const target =
        group.move && openAddress({ number, sealedDatabase: group.move.sealedTarget }, secretSeal);
      if (address === undefined || target === undefined) {
        lost.push(number);
        continue;
      }
      const sealedDatabase = sealAddress(address, number, secretSeal);
      const move = group.move && {
        ...group.move,
        sealedTarget: sealAddress(target ?? '', number, secretSeal),
      };
      const saved = await groups.save(
        { ...group, sealedDatabase, move },
        {
          ...{ at: clock.now(), action: 'group.saved', actor, reason: null },
          ...{ subject: `group/${number}`, changes: [] },
        },
        group,
      );
      if (saved === 'taken')
        throw new Error(`group ${number} was changed meanwhile: seal the addresses again`);
    }
    return { resealed: stored.length - lost.length, lost };
  };

/** The group of a channel after it was to be placed. `unknown`: no group has that number. */
export type Placing =
  | { readonly kind: 'placed' | 'kept'; readonly group: number }
  | { readonly kind: 'unknown'; readonly known: readonly number[] }
  | { readonly kind: 'has_sales'; readonly group: number };

/**
 * Places a channel in a group: a new one without a wanted group in the open one with the fewest sales. A
 * channel that has a sale stays where it is.
 *
 * @throws Unavailable
 */
export type PlaceChannel = (
  channelLink: string,
  wanted: number | undefined,
  actor: Actor,
) => Promise<Placing>;

/** Time after which no process uses an older copy of the places, ms. */
const COPIES_MS = 1_000;

export const makePlaceChannel = (
  needs: Omit<Needs, 'groupDatabases' | 'secretSeal'>,
): PlaceChannel => {
  const { groups, groupViews, catalogue, clock, timers } = needs;

  const hasSales = async (channelLink: string, group: number): Promise<boolean> => {
    const view = groupViews().get(group);
    if (view === undefined) throw new Unavailable(`group ${group} is not open yet`);
    return (await view.sales.list({ channelLink, limit: 1 })).length > 0;
  };

  /** The open group with the fewest sales; one that does not answer takes no new channel. */
  const emptiest = async (stored: readonly ChannelGroup[]): Promise<number> => {
    const open = new Set([0, ...stored.flatMap((each) => (each.isOpen ? each.number : []))]);
    const views = [...groupViews()].filter(([number]) => open.has(number));
    const { found } = await askGroups(new Map(views), async ({ sales }, group) => {
      const [newest] = await sales.list({ limit: 1 });
      return newest === undefined ? 0 : newest.id - group * NUMBERS_OF_GROUP;
    });
    const [first] = [...found].sort(([, one], [, other]) => one - other);
    return first?.[0] ?? 0;
  };

  return async function placeChannel(channelLink, wanted, actor) {
    const { groups: stored, placed } = await groups.current();
    const before = placed.get(channelLink) ?? 0;
    const isKnown = timelinesOf((await catalogue.load()).versions).channels.has(channelLink);
    const known = [0, ...stored.map(({ number }) => number)];
    if (wanted !== undefined && !known.includes(wanted)) return { kind: 'unknown', known };
    const isNew = !isKnown && !placed.has(channelLink);
    const group = wanted ?? (isNew ? await emptiest(stored) : before);
    if (group === before) return { kind: 'kept', group };
    if (isKnown && (await hasSales(channelLink, before)))
      return { kind: 'has_sales', group: before };

    const entry = (from: number, to: number): AuditEntry => ({
      ...{ at: clock.now(), action: 'channel.put', actor, reason: null },
      subject: `channel/${channelLink}`,
      changes: [{ field: 'group', before: from, after: to }],
    });
    await groups.place(channelLink, group, entry(before, group));
    if (!isKnown) return { kind: 'placed', group };
    // A process may have sold in the group before, by its older copy.
    await timers.pause(COPIES_MS);
    if (!(await hasSales(channelLink, before))) return { kind: 'placed', group };
    await groups.place(channelLink, before, entry(group, before));
    return { kind: 'has_sales', group: before };
  };
};
