import 'reflect-metadata';
import type { Container } from 'inversify';

/** A name in the container that knows the type of what is bound to it. */
export class Token<Part> {
  readonly id: symbol;
  /** Never set: it makes tokens of different types different to the compiler. */
  declare readonly part: (part: Part) => Part;

  constructor(name: string) {
    this.id = Symbol(name);
  }
}

type PartOf<T> = T extends Token<infer Part> ? Part : never;
type PartsOf<Tokens> = { readonly [Name in keyof Tokens]: PartOf<Tokens[Name]> };

/** Binds a part made once from the parts it needs. A part of another type, or a missing need, does not compile. */
export const bind = <Part, const Needs extends Readonly<Record<string, Token<never>>> | object>(
  container: Container,
  token: Token<Part>,
  needs: Needs,
  make: (parts: PartsOf<Needs>) => NoInfer<Part>,
): void => {
  const named = Object.entries(needs) as [string, Token<unknown>][];
  const factory = (...parts: unknown[]): Part =>
    make(Object.fromEntries(named.map(([name], index) => [name, parts[index]])) as PartsOf<Needs>);
  container
    .bind<Part>(token.id)
    .toResolvedValue(
      factory,
      named.map(([, each]) => each.id),
    )
    .inSingletonScope();
};

export const bindValue = <Part>(
  container: Container,
  token: Token<Part>,
  part: NoInfer<Part>,
): void => {
  container.bind<Part>(token.id).toConstantValue(part);
};

export const get = <Part>(container: Container, token: Token<Part>): Part =>
  container.get<Part>(token.id);
