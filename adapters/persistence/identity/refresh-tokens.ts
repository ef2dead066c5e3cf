import { type Instant, instantOf } from '#domain';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import type {
  FoundToken,
  RefreshTokens,
  Rotation,
  RotationOutcome,
  TokenFamily,
} from '../../../application/identity/refresh-tokens.ts';
import { createBatcher } from '../engine/batcher.ts';
import type { Database } from '../engine/database.ts';
import { LocalCopy } from '../engine/local-copy.ts';
import { entryJson } from '../operations/audit-log.ts';
import { type RowOf, rowReader } from '../schema/columns.ts';
import { TOKEN_FAMILY } from '../schema/tables.ts';
import {
  deleteExpiredFamilies,
  type EndedFamily,
  type FoundRow,
  findToken,
  type LOGIN,
  listEndedFamilies,
  revokeFamily,
  rotateToken,
  startFamilies,
} from './refresh-token-statements.ts';

/** Logins in one statement. */
const MAX_LOGINS = 500;

export class DatabaseRefreshTokens implements RefreshTokens {
  readonly #database: Database;
  readonly #start: (login: RowOf<typeof LOGIN>) => Promise<unknown>;
  readonly #ended: LocalCopy<EndedLogins>;

  constructor(database: Database) {
    this.#database = database;
    // One statement at a time, so that the logins that arrive meanwhile share the next one.
    this.#start = createBatcher({
      work: (logins) => database.query(startFamilies, { logins: JSON.stringify(logins) }),
      maxItems: MAX_LOGINS,
      maxConcurrent: 1,
    });
    this.#ended = new LocalCopy(database, 'logins', async (known = new EndedLogins()) => {
      known.add(await database.query(listEndedFamilies, { after: known.lastNumber }));
      return known;
    });
  }

  async start(family: TokenFamily, hash: string): Promise<void> {
    const { familyId, clientId, scopes, generation, expiresAt } = family;
    await this.#start({ familyId, clientId, scopes, generation, expiresAt, hash });
  }

  async rotate({ hash, successorHash, sealedSuccessor, at }: Rotation): Promise<RotationOutcome> {
    const rotation = { hash, successorHash, sealedSuccessor, at };
    const [rotated] = await this.#database.query(rotateToken, rotation);
    if (rotated) return { kind: 'rotated', family: readFamily(rotated) };

    const found = await this.#find(hash, at);
    if (found === undefined || found.rotatedAt === null) return { kind: 'not_valid' };
    return {
      kind: 'already_rotated',
      family: readFamily(found),
      rotatedAt: instantOf(new Date(found.rotatedAt)),
      sealedSuccessor: found.sealedSuccessor,
    };
  }

  async find(hash: string, at: Instant): Promise<FoundToken | undefined> {
    const found = await this.#find(hash, at);
    return found && { family: readFamily(found), rotated: found.rotatedAt !== null };
  }

  async revokeFamily(familyId: string, entry: AuditEntry): Promise<void> {
    const revocation = { familyId, at: entry.at, entry: entryJson(entry) };
    await this.#database.query(revokeFamily, revocation);
    await this.#ended.refresh().catch(() => {});
  }

  hasEnded(familyId: string): boolean | Promise<boolean> {
    return this.#ended.read((ended) => ended.has(familyId));
  }

  async forget(endedBefore: Instant): Promise<void> {
    // In parts: a long statement would be cancelled, and nothing would be deleted.
    while ((await this.#database.query(deleteExpiredFamilies, { endedBefore })).length > 0);
  }

  async #find(hash: string, at: Instant): Promise<FoundRow | undefined> {
    const [found] = await this.#database.query(findToken, { hash, at });
    return found;
  }
}

const readFamily: (stored: object) => TokenFamily = rowReader(TOKEN_FAMILY);

/** Access tokens live for half an hour, so older ends need not be known. */
const KEPT_MS = 60 * 60 * 1000;

/** The logins that ended within an hour of the last end. */
class EndedLogins {
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
