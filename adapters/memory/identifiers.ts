import type { Identifiers } from '../../application/identifiers.ts';

export class MemoryIdentifiers implements Identifiers {
  #count = 0;

  next(): string {
    this.#count += 1;
    return `id-${this.#count}`;
  }
}
