import { Container, type ContainerModule } from 'inversify';
import * as own from './infrastructure.ts';
import type { Given, Part } from './part.ts';
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

/**
 * Builds nothing yet. A part that is missing or bound twice is an error where it is first asked for;
 * `test/bootstrap/wiring.test.ts` asks all services for all of theirs.
 *
 * @throws Error for a fake of a part that does not exist
 */
export const compose = (modules: readonly ContainerModule[], fakes: Fakes = {}): Composed => {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(...modules);
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
