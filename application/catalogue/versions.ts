import {
  addDays,
  businessDay,
  type CalendarDate,
  type Channel,
  type IofRate,
  mergeIofRates,
  type Product,
} from '#domain';
import type { CatalogueOfDay, CatalogueState, CatalogueVersion, Versioned } from './catalogue.ts';

/** The versions of one product or channel by their first days: one a day, without withdrawn ones. */
export type Timeline<Definition> = readonly Versioned<Definition>[];

export interface Timelines {
  /** By code, sorted by id. */
  readonly products: ReadonlyMap<string, Timeline<Product>>;
  /** By link, sorted. */
  readonly channels: ReadonlyMap<string, Timeline<Channel>>;
}

const byFirstDay = (one: CatalogueVersion, other: CatalogueVersion): number =>
  one.effectiveFrom < other.effectiveFrom ? -1 : 1;

/** @param versions those of one day may be several: the highest counts */
export const timelinesOf = (versions: readonly CatalogueVersion[]): Timelines => {
  const ofDays = new Map<string, CatalogueVersion>();
  for (const each of versions) {
    const day = `${each.effectiveFrom} ${each.kind} ${each.name}`;
    if ((ofDays.get(day)?.version ?? 0) < each.version) ofDays.set(day, each);
  }
  const timelines = { product: new Map(), channel: new Map() };
  for (const { kind, name, ...version } of [...ofDays.values()].sort(byFirstDay))
    if (version.definition !== null)
      timelines[kind].set(name, [...(timelines[kind].get(name) ?? []), version]);
  const products = [...(timelines.product as Map<string, Timeline<Product>>)];
  const idOf = ([, [first]]: (typeof products)[number]): number => first?.definition.id ?? 0;
  const channels = [...(timelines.channel as Map<string, Timeline<Channel>>)];
  return {
    products: new Map(products.sort((one, other) => idOf(one) - idOf(other))),
    channels: new Map(channels.sort(([one], [other]) => (one < other ? -1 : 1))),
  };
};

/** Whether a version was stored before its first day. */
const isAnnounced = ({
  effectiveFrom,
  updatedAt,
}: Pick<Versioned<unknown>, 'effectiveFrom' | 'updatedAt'>): boolean =>
  effectiveFrom > businessDay(updatedAt);

/** The version in force on a day. */
export const versionOn = <Definition>(
  timeline: Timeline<Definition>,
  day: CalendarDate,
): Versioned<Definition> | undefined => {
  const [first] = timeline;
  const started = timeline.findLast(({ effectiveFrom }) => effectiveFrom <= day);
  return started ?? (first && !isAnnounced(first) ? first : undefined);
};

/** The versions that begin after a day. */
export const versionsAfter = <Definition>(
  timeline: Timeline<Definition>,
  day: CalendarDate,
): Timeline<Definition> => timeline.filter(({ effectiveFrom }) => effectiveFrom > day);

/** A version as offers have it. @param next the version that follows */
export const inForce = <Definition extends object>(
  version: Versioned<Definition>,
  next?: Versioned<Definition>,
) => ({
  ...version.definition,
  version: version.version,
  ...(isAnnounced(version) && { from: version.effectiveFrom }),
  ...(next && { until: addDays(next.effectiveFrom, -1) }),
});

const allInForce = <Definition extends object>(
  timelines: ReadonlyMap<string, Timeline<Definition>>,
  day: CalendarDate,
): (readonly [string, ReturnType<typeof inForce<Definition>>])[] =>
  [...timelines].flatMap(([name, timeline]) => {
    const found = versionOn(timeline, day);
    if (found === undefined) return [];
    const [next] = versionsAfter(timeline, found.effectiveFrom > day ? found.effectiveFrom : day);
    return [[name, inForce(found, next)] as const];
  });

/** The catalogue of each day, from what is stored. Days between two changes share one. */
export const catalogueByDay = ({
  versions,
  addedIofRates,
}: Omit<CatalogueState, 'revision'>): ((day: CalendarDate) => CatalogueOfDay) => {
  const iofRates: readonly IofRate[] = mergeIofRates(addedIofRates);
  const { products, channels } = timelinesOf(versions);
  const starts = firstDaysIn({ products, channels });
  const made = new Map<CalendarDate | undefined, CatalogueOfDay>();

  return function catalogueOn(day) {
    const start = starts.findLast((each) => each <= day);
    const known = made.get(start);
    if (known !== undefined) return known;
    const catalogue = {
      iofRates,
      products: allInForce(products, day).map(([, product]) => product),
      channels: new Map(allInForce(channels, day)),
    };
    made.set(start, catalogue);
    return catalogue;
  };
};

/** All first days, sorted. */
export const firstDaysIn = ({ products, channels }: Timelines): readonly CalendarDate[] => {
  const all = [...products.values(), ...channels.values()].flat();
  return [...new Set(all.map(({ effectiveFrom }) => effectiveFrom))].sort();
};
