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
import { EndedLogins } from './ended-logins.ts';
import {
  deleteExpiredFamilies,
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
