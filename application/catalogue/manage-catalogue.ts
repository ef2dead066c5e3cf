import {
  type Channel,
  type Fault,
  type Product,
  type Reading,
  readCatalogue,
  readChannel,
  readProduct,
} from '#domain';
import { type Actor, type AuditEntry, changesBetween } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import { retryStale } from '../retry-stale.ts';
import type { Catalogue, CatalogueChange, CatalogueState, Versioned } from './catalogue.ts';
import type { ReadProduct } from './read-product.ts';

/** Whether the definition is new, a new version, or equal to the stored one. */
export type PutOutcome<Definition> =
  | { readonly kind: 'created' | 'replaced' | 'unchanged'; readonly put: Versioned<Definition> }
  /**
   * The faults of the definition itself; if it has none, those that it causes elsewhere in the
   * catalogue.
   */
  | {
      readonly kind: 'faulty';
      readonly faults: readonly Fault[];
      readonly conflicts: readonly CatalogueConflict[];
    }
  /** `expected` is not the current version. */
  | { readonly kind: 'stale'; readonly version: number };

/** Something else in the catalogue that contradicts a definition. */
interface CatalogueConflict {
  /** The product or channel that contradicts it. */
  readonly with: { readonly product: string } | { readonly channel: string };
  readonly fault: Fault;
}

export interface PutOptions {
  /** Store only over this version; 0: only if there is no version. */
  readonly expected?: number | undefined;
}

interface Needs {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly readProduct: ReadProduct;
}

export interface ManageCatalogue {
  /** Stores a product, after checking it alone and together with the rest of the catalogue. */
  putProduct(definition: unknown, actor: Actor, options?: PutOptions): Promise<PutOutcome<Product>>;
  putChannel(definition: unknown, actor: Actor, options?: PutOptions): Promise<PutOutcome<Channel>>;
}

/** What differs between products and channels. */
interface Kind<Definition> {
  readonly kind: 'product' | 'channel';
  readonly read: (input: unknown) => Reading<Definition>;
  /** Faults of a change: fields that must keep their value. */
  readonly changed: (before: Definition, after: Definition) => readonly Fault[];
  readonly nameOf: (definition: Definition) => string;
  readonly stored: (state: CatalogueState) => readonly Versioned<Definition>[];
}

const productKind = (read: ReadProduct): Kind<Product> => ({
  kind: 'product',
  read,
  changed: (before, after) => renumbered(before, after),
  nameOf: ({ code }) => code,
  stored: ({ products }) => products,
});
const CHANNEL: Kind<Channel> = {
  kind: 'channel',
  read: readChannel,
  changed: () => [],
  nameOf: ({ channelLink }) => channelLink,
  stored: ({ channels }) => channels,
};

const definitions = <Definition>(
  versions: readonly Versioned<Definition>[],
): readonly Definition[] => versions.map(({ definition }) => definition);

/**
 * The list with `definition` in place of the one with its name. It is last, so that a repeated
 * value is reported in it and not in an older definition.
 */
const withPut = <Definition>(
  { nameOf }: Kind<Definition>,
  list: readonly Definition[],
  definition: Definition,
): readonly Definition[] => [
  ...list.filter((each) => nameOf(each) !== nameOf(definition)),
  definition,
];

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
  catalogue,
  readProduct: read,
  clock,
}: Needs): ManageCatalogue => {
  const put = async <Definition extends Product | Channel>(
    kind: Kind<Definition>,
    input: unknown,
    actor: Actor,
    { expected }: PutOptions = {},
  ): Promise<PutOutcome<Definition>> => {
    const reading = kind.read(input);
    if (!reading.ok) return { kind: 'faulty', faults: reading.faults, conflicts: [] };
    const definition = reading.value;
    return retryStale('the catalogue', async () => {
      const state = await catalogue.load();
      const name = kind.nameOf(definition);
      const before = kind.stored(state).find((each) => kind.nameOf(each.definition) === name);
      const version = before?.version ?? 0;
      if (expected !== undefined && expected !== version) return { kind: 'stale', version };
      const changed = before ? kind.changed(before.definition, definition) : [];
      const faulty = judged(kind, state, definition, changed);
      if (faulty) return faulty;

      const at = clock.now();
      const changes = changesBetween(before?.definition ?? {}, definition);
      if (before && changes.length === 0) return { kind: 'unchanged', put: before };
      const action = `${kind.kind}.put` as const;
      const entry: AuditEntry = {
        at,
        action,
        actor,
        subject: `${kind.kind}/${name}`,
        reason: null,
        changes,
      };
      const change = { at, kind: kind.kind, definition } as CatalogueChange;
      const saved = await catalogue.save(change, state.revision, entry);
      return saved === 'saved'
        ? {
            kind: before ? 'replaced' : 'created',
            put: { definition, version: version + 1, updatedAt: at },
          }
        : 'stale';
    });
  };

  const product = productKind(read);
  return {
    putProduct: (input, actor, options) => put(product, input, actor, options),
    putChannel: (input, actor, options) => put(CHANNEL, input, actor, options),
  };
};

type Faulty = Extract<PutOutcome<never>, { readonly kind: 'faulty' }>;

/** Checks the catalogue as it would be after the change; undefined: no faults. */
const judged = <Definition extends Product | Channel>(
  kind: Kind<Definition>,
  state: CatalogueState,
  definition: Definition,
  changed: readonly Fault[],
): Faulty | undefined => {
  // Skip definitions stored under older rules that are invalid today: they must not block changes.
  const lists = {
    products: definitions(state.products).filter((each) => readProduct(each).ok),
    channels: definitions(state.channels).filter((each) => readChannel(each).ok),
  };
  const list = `${kind.kind}s` as const;
  const put = withPut(kind, lists[list] as unknown as readonly Definition[], definition);
  const would = { ...lists, [list]: put };
  const reading = readCatalogue(would);
  if (reading.ok)
    return changed.length === 0 ? undefined : { kind: 'faulty', faults: changed, conflicts: [] };
  const own = `${list}.${put.indexOf(definition)}.`;
  const isOwn = ({ path }: Fault): boolean => path.startsWith(own);
  const conflicts = reading.faults
    .filter((fault) => !isOwn(fault))
    .map((fault) => conflictOf(would, fault));
  const faults = [
    ...changed,
    ...reading.faults
      .filter(isOwn)
      .map((fault) => ({ ...fault, path: fault.path.slice(own.length) })),
  ];
  // Report only conflicts that this change causes.
  const earlier = readCatalogue(lists);
  const known = new Set(
    earlier.ok ? [] : earlier.faults.map((fault) => JSON.stringify(conflictOf(lists, fault))),
  );
  const caused = conflicts.filter((conflict) => !known.has(JSON.stringify(conflict)));
  return faults.length === 0 && caused.length === 0
    ? undefined
    : { kind: 'faulty', faults, conflicts: caused };
};

const conflictOf = (
  {
    products,
    channels,
  }: { readonly products: readonly Product[]; readonly channels: readonly Channel[] },
  fault: Fault,
): CatalogueConflict => {
  const [, list, index, rest = ''] = /^(\w+)\.(\d+)\.?(.*)$/.exec(fault.path) ?? [];
  const found = { ...fault, path: rest };
  return list === 'products'
    ? { with: { product: products[Number(index)]?.code ?? '' }, fault: found }
    : { with: { channel: channels[Number(index)]?.channelLink ?? '' }, fault: found };
};
