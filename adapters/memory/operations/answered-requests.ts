import type { Instant } from '#domain';
import type {
  AnsweredRequest,
  AnsweredRequests,
} from '../../../application/requests/answered-requests.ts';

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
