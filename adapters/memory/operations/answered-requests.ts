import type { Instant } from '#domain';
import type {
  AnsweredRequest,
  AnsweredRequests,
  FailedRequest,
} from '../../../application/requests/answered-requests.ts';

export class MemoryAnsweredRequests implements AnsweredRequests {
  #kept: readonly FailedRequest[] = [];
  #count = 0;

  async add(answered: readonly AnsweredRequest[]): Promise<void> {
    const numbered = structuredClone(answered).map((each) => {
      this.#count += 1;
      return { ...each, number: this.#count };
    });
    this.#kept = [...this.#kept, ...numbered];
  }

  async listFailed(
    channelLink: string,
    { before = Number.POSITIVE_INFINITY, limit }: { before?: number | undefined; limit: number },
  ): Promise<readonly FailedRequest[]> {
    const found = this.#kept.filter(
      (each) => each.channelLink === channelLink && each.code !== null && each.number < before,
    );
    return structuredClone(found.toReversed().slice(0, limit));
  }

  async find(
    channelLink: string,
    requestId: string,
    limit: number,
  ): Promise<readonly AnsweredRequest[]> {
    const found = this.#kept.filter(
      (each) => each.channelLink === channelLink && each.requestId === requestId,
    );
    return found
      .toReversed()
      .slice(0, limit)
      .map(({ number: _, ...each }) => structuredClone(each));
  }

  async deleteBefore(at: Instant, limit: number): Promise<number> {
    const oldest = new Set(this.#kept.slice(0, limit).filter((each) => each.at < at));
    this.#kept = this.#kept.filter((each) => !oldest.has(each));
    return oldest.size;
  }
}
