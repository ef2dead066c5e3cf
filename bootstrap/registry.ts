import 'reflect-metadata';
import { Container } from 'inversify';

/**
 * Holds the parts of a service by name. A part is built once, when it is first read, from the
 * parts that its builder reads. Binding a name again swaps its adapter: do so before the first read.
 */
export class Registry<Parts extends object> {
  readonly #container = new Container();

  /** Each bound part by its name; reading a name builds its part. */
  readonly parts = {} as Parts;

  /** @throws Error on reading a part whose builder reads the part itself, or a name without binding. */
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
