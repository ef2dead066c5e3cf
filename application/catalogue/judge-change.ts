import {
  type CalendarDate,
  type CatalogueData,
  type Fault,
  readCatalogue,
  readChannel,
  readProduct,
} from '#domain';
import type { CatalogueVersion } from './catalogue.ts';
import {
  firstDaysIn,
  type Timeline,
  type Timelines,
  timelinesOf,
  versionOn,
  versionsAfter,
} from './versions.ts';

/** Something else in the catalogue that contradicts a change. */
export interface CatalogueConflict {
  /** The product or channel that contradicts it. */
  readonly with: { readonly product: string } | { readonly channel: string };
  readonly fault: Fault;
}

/**
 * Checks the catalogue as it would be after a change: on the first day of the change, and on each
 * later day on which something else changes before the next version of the same name.
 *
 * @returns the faults of the changed definition, and those that it causes elsewhere
 */
export const findFaultsOfChange = (
  versions: readonly CatalogueVersion[],
  change: CatalogueVersion,
): { readonly faults: readonly Fault[]; readonly conflicts: readonly CatalogueConflict[] } => {
  const before = timelinesOf(versions);
  const after = timelinesOf([...versions, change]);
  const { kind, name, effectiveFrom: first } = change;
  const own: Timeline<unknown> = after[`${kind}s`].get(name) ?? [];
  const end = versionsAfter(own, first)[0]?.effectiveFrom ?? '9999-12-31';
  const days = [first, ...firstDaysIn(after).filter((day) => day > first && day < end)];
  const found = days.map((day) =>
    faultsBetween(dataOn(before, day, change), dataOn(after, day, change), change),
  );
  return {
    faults: distinct(found.flatMap(({ faults }) => faults)),
    conflicts: distinct(found.flatMap(({ conflicts }) => conflicts)),
  };
};

const distinct = <Item>(items: readonly Item[]): readonly Item[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

/**
 * The catalogue of a day. Leaves out definitions that were stored under older rules and are invalid
 * today: they must not block changes. The changed definition is last, so that a repeated value is
 * reported in it and not in an older definition.
 */
const dataOn = (
  { products, channels }: Timelines,
  day: CalendarDate,
  { kind, name }: CatalogueVersion,
): CatalogueData => {
  const inForce = <Definition>(
    timelines: ReadonlyMap<string, Timeline<Definition>>,
    own: string | undefined,
  ): readonly Definition[] => {
    const names = [...timelines.keys()].filter((each) => each !== own);
    return [...names, ...(own === undefined ? [] : [own])].flatMap(
      (each) => versionOn(timelines.get(each) ?? [], day)?.definition ?? [],
    );
  };
  return {
    products: inForce(products, kind === 'product' ? name : undefined).filter(
      (each) => readProduct(each).ok,
    ),
    channels: inForce(channels, kind === 'channel' ? name : undefined).filter(
      (each) => readChannel(each).ok,
    ),
  };
};

const faultsBetween = (
  earlier: CatalogueData,
  would: CatalogueData,
  { kind, name }: CatalogueVersion,
): ReturnType<typeof findFaultsOfChange> => {
  const reading = readCatalogue(would);
  if (reading.ok) return { faults: [], conflicts: [] };
  const index =
    kind === 'product'
      ? would.products.findIndex(({ code }) => code === name)
      : would.channels.findIndex(({ channelLink }) => channelLink === name);
  const own = `${kind}s.${index}.`;
  const isOwn = ({ path }: Fault): boolean => path.startsWith(own);
  const conflicts = reading.faults
    .filter((fault) => !isOwn(fault))
    .map((fault) => conflictOf(would, fault));
  // Report only conflicts that this change causes.
  const before = readCatalogue(earlier);
  const known = new Set(
    before.ok ? [] : before.faults.map((fault) => JSON.stringify(conflictOf(earlier, fault))),
  );
  return {
    faults: reading.faults
      .filter(isOwn)
      .map((fault) => ({ ...fault, path: fault.path.slice(own.length) })),
    conflicts: conflicts.filter((conflict) => !known.has(JSON.stringify(conflict))),
  };
};

const conflictOf = ({ products, channels }: CatalogueData, fault: Fault): CatalogueConflict => {
  const [, list, index, rest = ''] = /^(\w+)\.(\d+)\.?(.*)$/.exec(fault.path) ?? [];
  const found = { ...fault, path: rest };
  return list === 'products'
    ? { with: { product: products[Number(index)]?.code ?? '' }, fault: found }
    : { with: { channel: channels[Number(index)]?.channelLink ?? '' }, fault: found };
};
