import 'reflect-metadata';
import {
  type AbstractNewable,
  type Bind,
  type BindInWhenOnFluentSyntax,
  ContainerModule,
} from 'inversify';

/**
 * Identifies a part of the service, and carries its type. It is bound once, in one module, unless
 * `all` asks for it.
 */
export type Part<Type> = AbstractNewable<Type>;

/** What a part is built from, by name. */
export type Needs<Given> = { readonly [Name in keyof Given]-?: Part<Given[Name]> };

/** What a builder gets for its needs, by name. */
export type Given<Named> = {
  readonly [Name in keyof Named]: Named[Name] extends Part<infer Type> ? Type : never;
};

export const part = <Type>(name: string): Part<Type> => Symbol(name) as unknown as Part<Type>;

/** A need that may be bound nowhere: it is undefined then. */
export const maybe = <Type>(wanted: Part<Type>): Part<Type | undefined> =>
  ({ serviceIdentifier: wanted, optional: true }) as unknown as Part<Type | undefined>;

/** A need for every entry that modules bind to a part, in the order of binding. */
export const all = <Type>(many: Part<Type>): Part<Type[]> =>
  ({ serviceIdentifier: many, isMultiple: true, optional: true }) as unknown as Part<Type[]>;

/**
 * Returns a function that binds a part to what builds it from named needs:
 * `build(mailer, { log }, (given) => new FileMailer(given.log))`.
 */
export const builder =
  (bind: Bind) =>
  <Wanted, Given extends object>(
    wanted: Part<Wanted>,
    needs: Needs<Given>,
    build: (given: Given) => Wanted,
  ): BindInWhenOnFluentSyntax<Wanted> => {
    const names = Object.keys(needs);
    const buildFrom = (...given: unknown[]): Wanted =>
      build(Object.fromEntries(names.map((name, index) => [name, given[index]])) as Given);
    return bind(wanted).toResolvedValue(buildFrom, Object.values(needs) as never[]);
  };

/** Binds parts that another composition has built. */
export const known = <Named extends object>(named: Named, given: Given<Named>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    for (const [name, each] of Object.entries(named))
      bind(each).toConstantValue(given[name as keyof Given<Named>]);
  });

// biome-ignore lint/suspicious/noExplicitAny: the compiler takes the needs from the builder
type Make = (given: any) => unknown;

/** Parts that stand beside what builds them, one a line. `module` binds them. */
export class Group {
  readonly #bindings: ((bind: Bind) => void)[] = [];
  readonly module: ContainerModule = new ContainerModule(({ bind }) => {
    for (const add of this.#bindings) add(bind);
  });

  /** @returns the part, as of the type that is built */
  readonly built = <Wanted, Given extends object, Built extends Wanted>(
    wanted: Part<Wanted>,
    needs: Needs<Given>,
    build: (given: Given) => Built,
  ): Part<Built> => {
    this.#bindings.push((bind) => builder(bind)(wanted, needs, build));
    return wanted as Part<unknown> as Part<Built>;
  };

  /** Names the part after its builder: `makeSell` builds `sell`. */
  readonly made = <Builder extends Make>(
    make: Builder,
    needs: Needs<Parameters<Builder>[0]>,
  ): Part<ReturnType<Builder>> => {
    const [first = '', ...others] = make.name.slice('make'.length);
    const named = part<ReturnType<Builder>>(`${first.toLowerCase()}${others.join('')}`);
    return this.built(named, needs, make as (given: object) => ReturnType<Builder>);
  };
}
