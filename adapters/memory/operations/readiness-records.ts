import {
  NOTHING_DONE,
  type Readiness,
  type ReadinessRecords,
} from '../../../application/requests/readiness.ts';

export class MemoryReadinessRecords implements ReadinessRecords {
  readonly #done = new Map<string, Readiness>();

  async advance(
    clientIds: readonly string[],
    change: (clientId: string, done: Readiness) => Readiness,
  ): Promise<void> {
    for (const clientId of clientIds) {
      const done = structuredClone(this.#done.get(clientId) ?? NOTHING_DONE);
      this.#done.set(clientId, structuredClone(change(clientId, done)));
    }
  }

  async find(clientId: string): Promise<Readiness> {
    return structuredClone(this.#done.get(clientId) ?? NOTHING_DONE);
  }
}
