import { Container, type ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import * as own from './infrastructure.ts';
import { type Given, isMany, type Part } from './part.ts';
import * as ports from './ports.ts';

/** The parts of a service. Each is built when it is first asked for, once. */
export interface Composed {
  get<Type>(wanted: Part<Type>): Type;
  /** Several, by name. */
  pick<Named extends object>(needs: Named): Given<Named>;
  /** Closes what was built and holds threads or connections. */
  close(): Promise<void>;
}

const NAMED = { ...ports, ...own };

/** What stands in the place of parts in a test, by their names: those of the ports, above all. */
export type Fakes = Partial<Given<typeof NAMED>>;

export interface Wiring {
  readonly modules: readonly ContainerModule[];
  /** The parts that a process or a command asks for. */
  readonly roots: readonly Part<unknown>[];
  /** Whether all that is bound must be needed: not where a process does a part of the work. */
  readonly isWhole: boolean;
}

/** @throws Error that names each part that is missing, bound twice or needed by nothing */
export const compose = (wiring: Wiring, fakes: Fakes = {}): Composed => {
  const faults = [...faultsOf(wiring)];
  if (faults.length > 0)
    throw new Error(`the parts of the service do not fit together:\n  - ${faults.join('\n  - ')}`);
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(...wiring.modules);
  for (const [name, fake] of Object.entries(fakes)) {
    if (!(name in NAMED)) throw new Error(`there is no part "${name}"`);
    container.rebind(NAMED[name as keyof Fakes] as Part<unknown>).toConstantValue(fake);
  }
  const get = <Type>(wanted: Part<Type>): Type => container.get(wanted);
  return {
    get,
    pick: (needs) =>
      Object.fromEntries(
        Object.entries(needs).map(([name, wanted]) => [name, get(wanted)]),
      ) as Given<typeof needs>,
    close: () => container.unbindAllAsync(),
  };
};

/** An object whose parts are built when they are read. */
export const lazy = <Named extends object>(
  get: (wanted: Part<unknown>) => unknown,
  named: Named,
): Given<Named> => {
  const properties = Object.entries(named).map(([name, wanted]) => [
    name,
    { enumerable: true, get: () => get(wanted) },
  ]);
  return Object.defineProperties({}, Object.fromEntries(properties)) as Given<Named>;
};

type Identifier = symbol;

/** What the bindings of some modules say, read without building anything. */
class Bindings {
  readonly bound: Identifier[] = [];
  readonly needs: { readonly wanted: Identifier; readonly by: string; readonly isMust: boolean }[] =
    [];

  constructor({ modules, roots }: Wiring) {
    for (const root of roots) this.#need(root, 'the process');
    const options = { bind: (identifier: Identifier) => this.#bind(identifier) };
    for (const each of modules) each.load(options as unknown as ContainerModuleLoadOptions);
  }

  #bind(identifier: Identifier) {
    this.bound.push(identifier);
    const bound = { onDeactivation: () => bound };
    return {
      toConstantValue: () => bound,
      toResolvedValue: (_: unknown, needs: readonly unknown[] = []) => {
        for (const each of needs) this.#need(each, nameOf(identifier));
        return bound;
      },
    };
  }

  #need(need: unknown, by: string): void {
    if (typeof need === 'symbol') this.needs.push({ wanted: need, by, isMust: true });
    else {
      const { serviceIdentifier: wanted } = need as { serviceIdentifier: Identifier };
      this.needs.push({ wanted, by, isMust: false });
    }
  }
}

const nameOf = ({ description }: Identifier): string => `"${description}"`;

function* faultsOf(wiring: Wiring): Generator<string> {
  const { bound, needs } = new Bindings(wiring);
  const byPart = Map.groupBy(bound, (each) => each);
  const wanted = new Set(needs.map((each) => each.wanted));
  for (const { wanted: missing, by, isMust } of needs)
    if (isMust && !byPart.has(missing))
      yield `${nameOf(missing)} is needed by ${by} and bound nowhere`;
  for (const [each, { length }] of byPart) {
    if (length > 1 && !isMany(each)) yield `${nameOf(each)} is bound ${length} times`;
    if (wiring.isWhole && !wanted.has(each)) yield `${nameOf(each)} is bound and needed by nothing`;
  }
}
