import {
  type CalendarDate,
  type Channel,
  type Fault,
  type Product,
  type Reading,
  readChannel,
} from '#domain';
import { type Actor, type AuditEntry, changesBetween } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { Gateways } from '../payments/gateways.ts';
import { retryStale } from '../retry-stale.ts';
import type { Catalogue, CatalogueState, CatalogueVersion, Versioned } from './catalogue.ts';
import { type CatalogueConflict, findFaultsOfChange } from './judge-change.ts';
import type { ReadProduct } from './read-product.ts';
import { type Timeline, timelinesOf, versionOn, versionsAfter } from './versions.ts';

/** Whether the definition is new, a new version, or equal to the stored one. */
export type PutOutcome<Definition> =
  | {
      readonly kind: 'created' | 'replaced' | 'unchanged';
      readonly put: Versioned<Definition>;
      /** The versions announced for later days. */
      readonly upcoming: Timeline<Definition>;
    }
  | Faulty
  /** `expected` is not the version of that day. */
  | { readonly kind: 'stale'; readonly version: number };

/**
 * The faults of the definition itself; if it has none, those that it causes elsewhere in the
 * catalogue.
 */
interface Faulty {
  readonly kind: 'faulty';
  readonly faults: readonly Fault[];
  readonly conflicts: readonly CatalogueConflict[];
}

/**
 * `in_force`: the version began already. `unknown`: nothing is announced for that day. `stale`: another
 * version than the expected one is.
 */
type WithdrawOutcome = Faulty | { readonly kind: 'withdrawn' | 'in_force' | 'unknown' | 'stale' };

export interface PutOptions {
  /** The version that the first day has now; 0: none. If it has another, nothing is stored. */
  readonly expected?: number | undefined;
  /**
   * The first day, today or later. Absent, today, or the first day of the version in force: at once.
   */
  readonly effectiveFrom?: CalendarDate | undefined;
  /** Whether nothing is stored: the outcome says what would be. */
  readonly isTrial?: boolean;
}

interface Needs {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly readProduct: ReadProduct;
  readonly gateways: Pick<Gateways, 'names'>;
}

type Put<Definition> = (
  definition: unknown,
  actor: Actor,
  options?: PutOptions,
) => Promise<PutOutcome<Definition>>;

type FaultsOf = (
  definition: unknown,
  name: string,
  effectiveFrom: CalendarDate | undefined,
) => Promise<readonly Fault[]>;

type Withdraw = (
  name: string,
  day: CalendarDate,
  actor: Actor,
  expected?: number,
) => Promise<WithdrawOutcome>;

export interface ManageCatalogue {
  /**
   * Stores a product, after checking it alone and, for each day from its first one on, together with
   * the rest of the catalogue. Replaces what was announced for its day, and nothing else.
   */
  readonly putProduct: Put<Product>;
  readonly putChannel: Put<Channel>;
  /** Every fault of a definition and of its first day, apart from the rest of the catalogue. */
  readonly faultsOfProduct: FaultsOf;
  readonly faultsOfChannel: FaultsOf;
  /** Withdraws what was announced for a day ahead. */
  readonly withdrawProduct: Withdraw;
  readonly withdrawChannel: Withdraw;
}

/** What differs between products and channels. */
interface Kind<Definition> {
  readonly kind: 'product' | 'channel';
  readonly read: (input: unknown) => Reading<Definition>;
  /** Faults of a change: fields that must keep their value. */
  readonly changed: (before: Definition, after: Definition) => readonly Fault[];
  readonly nameOf: (definition: Definition) => string;
}

const productKind = (read: ReadProduct): Kind<Product> => ({
  kind: 'product',
  read,
  changed: (before, after) => renumbered(before, after),
  nameOf: ({ code }) => code,
});
/** @param gateways that a channel may have for its charges */
const channelKind = (gateways: readonly string[]): Kind<Channel> => ({
  kind: 'channel',
  read: (input) => {
    const reading = readChannel(input);
    const { gateway } = (input ?? {}) as { readonly gateway?: unknown };
    if (typeof gateway !== 'string' || gateways.includes(gateway)) return reading;
    const others = reading.ok ? [] : reading.faults.filter(({ path }) => path !== 'gateway');
    const expected = gateways.join(', ');
    return {
      ok: false,
      faults: [...others, { path: 'gateway', kind: 'not_one_of_these', expected }],
    };
  },
  changed: () => [],
  nameOf: ({ channelLink }) => channelLink,
});

/** Channels refer to products and plans by id: a code must keep its id. */
const renumbered = (before: Product, after: Product): readonly Fault[] => {
  const kept = (id: number): Pick<Fault, 'kind' | 'expected'> => ({
    kind: 'not_one_of_these',
    expected: String(id),
  });
  const plans = after.plans.flatMap(({ code, id }, index) => {
    const earlier = before.plans.find((each) => each.code === code);
    return earlier && earlier.id !== id ? [{ path: `plans.${index}.id`, ...kept(earlier.id) }] : [];
  });
  return before.id === after.id ? plans : [{ path: 'id', ...kept(before.id) }, ...plans];
};

export const makeManageCatalogue = ({
  readProduct,
  gateways,
  ...stored
}: Needs): ManageCatalogue => {
  const [product, channel] = [productKind(readProduct), channelKind(gateways.names)];
  return {
    putProduct: makePut(stored, product),
    putChannel: makePut(stored, channel),
    faultsOfProduct: makeFaultsOf(stored, product),
    faultsOfChannel: makeFaultsOf(stored, channel),
    withdrawProduct: makeWithdraw(stored, product),
    withdrawChannel: makeWithdraw(stored, channel),
  };
};

type Stored = Pick<Needs, 'catalogue' | 'clock'>;

const makePut =
  <Definition extends Product | Channel>(
    { catalogue, clock }: Stored,
    kind: Kind<Definition>,
  ): Put<Definition> =>
  async (input, actor, options = {}) => {
    const reading = kind.read(input);
    return retryStale('the catalogue', async () => {
      const state = await catalogue.load();
      const at = clock.now();
      const today = clock.dayOf(at);
      const wanted = examine(kind, state, reading, { ...options, today });
      if (wanted.kind !== undefined) return wanted;
      const { timeline, definition, name, before, day, isAhead } = wanted;
      const versioned = {
        definition,
        version: lastVersion(state, kind, name) + 1,
        updatedAt: at,
        effectiveFrom: day,
      };
      const next = { kind: kind.kind, name, ...versioned } as CatalogueVersion;
      // The version that it replaces, and those that follow it.
      const others = [...(before ? [before] : []), ...versionsAfter(timeline, day)];
      const [changed = []] = others
        .map((each) => kind.changed(each.definition, definition))
        .filter((faults) => faults.length > 0);
      const faulty = judge(state.versions, next, changed);
      if (faulty !== undefined) return faulty;

      const upcoming = ({ versions }: Pick<CatalogueState, 'versions'>) =>
        versionsAfter(timelineIn({ versions }, kind, name), today);
      const changes = changesBetween(before?.definition ?? {}, definition);
      if (before && changes.length === 0 && (!isAhead || before.effectiveFrom === day))
        return { kind: 'unchanged', put: before, upcoming: upcoming(state) };

      const outcome = {
        kind: timeline.length > 0 ? 'replaced' : 'created',
        put: versioned,
        upcoming: upcoming({ versions: [...state.versions, next] }),
      } as const;
      if (options.isTrial) return outcome;
      const dated = isAhead ? [{ field: 'effectiveFrom', before: null, after: day }] : [];
      const entry = entryOf(kind, name, { at, actor, action: 'put' }, [...changes, ...dated]);
      const saved = await catalogue.save(next, state.revision, entry);
      return saved === 'stale' ? 'stale' : outcome;
    });
  };

const makeFaultsOf =
  <Definition>({ catalogue, clock }: Stored, kind: Kind<Definition>): FaultsOf =>
  async (input, name, asked) => {
    const reading = kind.read(input);
    const today = clock.today();
    const timeline = timelineIn(await catalogue.load(), kind, name);
    const ofDay = faultsOfDay(firstDay(timeline, asked, today), today);
    return reading.ok ? ofDay : [...reading.faults, ...ofDay];
  };

const makeWithdraw =
  <Definition>({ catalogue, clock }: Stored, kind: Kind<Definition>): Withdraw =>
  (name, day, actor, expected) =>
    retryStale('the catalogue', async () => {
      const state = await catalogue.load();
      const announced = timelineIn(state, kind, name).find((each) => each.effectiveFrom === day);
      const at = clock.now();
      if (announced === undefined) return { kind: 'unknown' };
      if (day <= clock.dayOf(at)) return { kind: 'in_force' };
      if (announced.version !== (expected ?? announced.version)) return { kind: 'stale' };
      const next = {
        ...{ kind: kind.kind, name, definition: null, updatedAt: at, effectiveFrom: day },
        version: lastVersion(state, kind, name) + 1,
      } as CatalogueVersion;
      const faulty = judge(state.versions, next, []);
      if (faulty !== undefined) return faulty;

      const entry = entryOf(kind, name, { at, actor, action: 'withdrawn' }, [
        { field: 'effectiveFrom', before: day, after: null },
      ]);
      const saved = await catalogue.save(next, state.revision, entry);
      return saved === 'stale' ? 'stale' : { kind: 'withdrawn' };
    });

/**
 * The first day of a new version. The answer to a GET may be sent back: the day on which the version
 * in force began means today.
 */
const firstDay = (
  timeline: Timeline<unknown>,
  asked: CalendarDate | undefined,
  today: CalendarDate,
): CalendarDate =>
  asked === undefined || asked === versionOn(timeline, today)?.effectiveFrom ? today : asked;

const faultsOfDay = (day: CalendarDate, today: CalendarDate): readonly Fault[] =>
  day < today ? [{ path: 'effectiveFrom', kind: 'too_early', expected: today }] : [];

/** What a definition would replace, and on which day; or why it cannot be stored. */
const examine = <Definition>(
  kind: Kind<Definition>,
  state: CatalogueState,
  reading: Reading<Definition>,
  { today, effectiveFrom, expected }: PutOptions & { readonly today: CalendarDate },
) => {
  const name = reading.ok ? kind.nameOf(reading.value) : '';
  const timeline = timelineIn(state, kind, name);
  const day = firstDay(timeline, effectiveFrom, today);
  const faults = [...(reading.ok ? [] : reading.faults), ...faultsOfDay(day, today)];
  if (!reading.ok || faults.length > 0) return { kind: 'faulty', faults, conflicts: [] } as const;

  const before = versionOn(timeline, day);
  const version = before?.version ?? 0;
  if (expected !== undefined && expected !== version) return { kind: 'stale', version } as const;
  return { timeline, definition: reading.value, name, before, day, isAhead: day > today };
};

const timelineIn = <Definition>(
  { versions }: Pick<CatalogueState, 'versions'>,
  { kind }: Kind<Definition>,
  name: string,
): Timeline<Definition> => {
  const own = versions.filter((each) => each.kind === kind && each.name === name);
  return (timelinesOf(own)[`${kind}s`].get(name) ?? []) as unknown as Timeline<Definition>;
};

/** The highest version that was stored, in force or not; 0: none. */
const lastVersion = (
  { versions }: CatalogueState,
  { kind }: Pick<Kind<unknown>, 'kind'>,
  name: string,
): number =>
  versions
    .filter((each) => each.kind === kind && each.name === name)
    .reduce((last, { version }) => Math.max(last, version), 0);

const entryOf = (
  { kind }: Pick<Kind<unknown>, 'kind'>,
  name: string,
  { action, ...by }: Pick<AuditEntry, 'at' | 'actor'> & { readonly action: 'put' | 'withdrawn' },
  changes: AuditEntry['changes'],
): AuditEntry => ({
  ...by,
  action: `${kind}.${action}`,
  subject: `${kind}/${name}`,
  reason: null,
  changes,
});

/** @returns undefined: no faults */
const judge = (
  versions: readonly CatalogueVersion[],
  next: CatalogueVersion,
  changed: readonly Fault[],
): Faulty | undefined => {
  const { faults: own, conflicts } = findFaultsOfChange(versions, next);
  const faults = [...changed, ...own];
  return faults.length === 0 && conflicts.length === 0
    ? undefined
    : { kind: 'faulty', faults, conflicts };
};
