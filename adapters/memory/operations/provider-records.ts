import type { Records } from '../../../application/records.ts';

export class MemoryRecords<Content> implements Records<Content> {
  readonly #records = new Map<string, Content>();

  async find(key: string): Promise<Content | undefined> {
    return structuredClone(this.#records.get(key));
  }

  async change(key: string, change: (known: Content | undefined) => Content): Promise<Content> {
    const changed = structuredClone(change(structuredClone(this.#records.get(key))));
    this.#records.set(key, changed);
    return structuredClone(changed);
  }

  async list(prefix: string): Promise<readonly Content[]> {
    const found = [...this.#records]
      .filter(([key]) => key.startsWith(prefix))
      .sort(([one], [other]) => (one < other ? -1 : 1));
    return structuredClone(found.map(([, content]) => content));
  }
}
