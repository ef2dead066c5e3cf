import type { Instant } from '#domain';
import {
  addUpCalls,
  type CountedCall,
  callKeyOf,
  type ProviderCalls,
} from '../../../application/providers/provider-calls.ts';

export class MemoryProviderCalls implements ProviderCalls {
  readonly #kept = new Map<string, CountedCall>();

  async add(calls: readonly CountedCall[]): Promise<void> {
    for (const call of calls) {
      const known = this.#kept.get(callKeyOf(call));
      this.#kept.set(callKeyOf(call), structuredClone(known ? addUpCalls(known, call) : call));
    }
  }

  async list(saleId: number, limit: number): Promise<readonly CountedCall[]> {
    const found = this.#oldestFirst().filter((each) => each.saleId === saleId);
    return structuredClone(found.toReversed().slice(0, limit));
  }

  async deleteBefore(at: Instant, limit: number): Promise<number> {
    const old = this.#oldestFirst()
      .filter(({ lastAt }) => lastAt < at)
      .slice(0, limit);
    for (const each of old) this.#kept.delete(callKeyOf(each));
    return old.length;
  }

  #oldestFirst(): readonly CountedCall[] {
    return [...this.#kept.values()].sort((one, other) =>
      one.lastAt < other.lastAt ? -1 : Number(one.lastAt > other.lastAt),
    );
  }
}
