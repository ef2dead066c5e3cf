import type { EndedFamily } from './refresh-token-statements.ts';

/** Access tokens live for half an hour, so older ends need not be known. */
const KEPT_MS = 60 * 60 * 1000;

/** The logins that ended within an hour of the last end. */
export class EndedLogins {
  /** When each one ended, ms since 1970, in the order of their ends. */
  readonly #times = new Map<string, number>();
  /** The number of the last end; 0 where none is known. */
  lastNumber = 0;

  /** @param ended all ends since `lastNumber`, in their order */
  add(ended: readonly EndedFamily[]): void {
    for (const { familyId, revokedAt } of ended)
      this.#times.set(familyId, new Date(revokedAt).getTime());
    const newest = ended.at(-1);
    if (newest === undefined) return;
    this.lastNumber = newest.number;

    // The times come from several machines. Clocks that differ by seconds do not matter for an
    // hour.
    const keptSince = new Date(newest.revokedAt).getTime() - KEPT_MS;
    for (const [familyId, time] of this.#times) {
      if (time > keptSince) break;
      this.#times.delete(familyId);
    }
  }

  has(familyId: string): boolean {
    return this.#times.has(familyId);
  }
}
