import type { Instant } from '#domain';
import type {
  AnsweredRequest,
  AnsweredRequests,
} from '../../application/requests/answered-requests.ts';
import {
  NOTHING_DONE,
  type Readiness,
  type ReadinessRecords,
} from '../../application/requests/readiness.ts';

export class MemoryAnsweredRequests implements AnsweredRequests {
  #kept: readonly AnsweredRequest[] = [];

  async add(answered: readonly AnsweredRequest[]): Promise<void> {
    this.#kept = [...this.#kept, ...structuredClone(answered)];
  }

  async find(
    channelLink: string,
    requestId: string,
    limit: number,
  ): Promise<readonly AnsweredRequest[]> {
    const found = this.#kept.filter(
      (each) => each.channelLink === channelLink && each.requestId === requestId,
    );
    return structuredClone(found.toReversed().slice(0, limit));
  }

  async deleteBefore(at: Instant, limit: number): Promise<number> {
    const oldest = new Set(this.#kept.slice(0, limit).filter((each) => each.at < at));
    this.#kept = this.#kept.filter((each) => !oldest.has(each));
    return oldest.size;
  }
}

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
