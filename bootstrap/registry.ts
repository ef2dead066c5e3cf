import 'reflect-metadata';
import { Container } from 'inversify';

/**
 * Holds the parts of a service by name. A part is built once, when it is first read, from the
 * parts that its builder reads. Binding a name again swaps its adapter: do so before the first read.
 */
export class Registry<Parts extends object> {
  readonly #container = new Container();

  /** Each bound part by its name; reading a name builds its part. @throws Error without a binding */
  readonly parts: Parts = new Proxy({} as Parts, {
    get: (bound, name) => {
      // `then` is read of whatever is awaited.
      if (typeof name === 'string' && name !== 'then' && !(name in bound))
        throw new Error(`the part "${name}" of the service is bound nowhere`);
      return Reflect.get(bound, name);
    },
  });

  /** @throws Error on reading a part whose builder reads the part itself. */
  bind<Name extends keyof Parts & string>(name: Name, build: (parts: Parts) => Parts[Name]): this {
    if (this.#container.isBound(name)) {
      this.#container.unbind(name);
    } else {
      const get = () => this.#container.get<Parts[Name]>(name);
      Object.defineProperty(this.parts, name, { enumerable: true, get });
    }

    this.#container
      .bind<Parts[Name]>(name)
      .toDynamicValue(() => build(this.parts))
      .inSingletonScope();
    return this;
  }
}
