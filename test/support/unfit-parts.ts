import type { ContainerModule, ContainerModuleLoadOptions } from 'inversify';
import type { Part } from '../../bootstrap/composition/part.ts';

interface Wiring {
  readonly modules: readonly ContainerModule[];
  /** The parts that a process or a command asks for. */
  readonly roots: readonly Part<unknown>[];
  /** Whether all that is bound must be needed: not where a process does a part of the work. */
  readonly isWhole: boolean;
}

/** How a need names its part: the part itself, or with options. */
type Need = symbol | { readonly serviceIdentifier: symbol; readonly isMultiple?: true };

interface Wanted {
  readonly wanted: symbol;
  readonly by: string;
  readonly isMust: boolean;
  readonly isMany: boolean;
}

const nameOf = ({ description }: symbol): string => `"${description}"`;

const wantedBy = (need: Need, by: string): Wanted =>
  typeof need === 'symbol'
    ? { wanted: need, by, isMust: true, isMany: false }
    : { wanted: need.serviceIdentifier, by, isMust: false, isMany: need.isMultiple === true };

/** What modules bind and need, read without building anything. */
const readBindings = ({ modules, roots }: Wiring) => {
  const bound: symbol[] = [];
  const needs = roots.map((root) => wantedBy(root as unknown as symbol, 'the process'));
  const bind = (identifier: symbol) => {
    bound.push(identifier);
    const binding = { onDeactivation: () => binding };
    return {
      toConstantValue: () => binding,
      toResolvedValue: (_: unknown, given: readonly Need[] = []) => {
        needs.push(...given.map((need) => wantedBy(need, nameOf(identifier))));
        return binding;
      },
    };
  };
  for (const each of modules) each.load({ bind } as unknown as ContainerModuleLoadOptions);
  return { bound, needs };
};

/** Names each part that is missing, bound twice or needed by nothing. */
export function* findUnfitParts(wiring: Wiring): Generator<string> {
  const { bound, needs } = readBindings(wiring);
  const byPart = Map.groupBy(bound, (each) => each);
  const wanted = Map.groupBy(needs, (each) => each.wanted);
  for (const { wanted: missing, by, isMust } of needs)
    if (isMust && !byPart.has(missing))
      yield `${nameOf(missing)} is needed by ${by} and bound nowhere`;
  for (const [each, { length }] of byPart) {
    const isMany = wanted.get(each)?.some((need) => need.isMany);
    if (length > 1 && !isMany) yield `${nameOf(each)} is bound ${length} times`;
    if (wiring.isWhole && !wanted.has(each)) yield `${nameOf(each)} is bound and needed by nothing`;
  }
}
