import { type Instant, instantOf } from '#domain';
import type { AuditEntry } from '../../application/audit/audit-log.ts';
import type {
  FoundToken,
  RefreshTokens,
  Rotation,
  RotationOutcome,
  TokenFamily,
} from '../../application/identity/refresh-tokens.ts';
import { entryFor, entryJson } from './audit-log.ts';
import type { Database } from './database.ts';
import { grouped } from './grouped.ts';
import { Replica } from './replica.ts';

const start = {
  name: 'start-token-families',
  text: `
    with login as (
      select family_id, client_id, scopes, generation, expires_at, hash from json_to_recordset($1::json)
        as login (family_id text, client_id text, scopes jsonb, generation integer, expires_at timestamptz, hash text)
    ), family as (
      insert into token_family (family_id, client_id, scopes, generation, expires_at)
      select family_id, client_id, scopes, generation, expires_at from login
    )
    insert into refresh_token (hash, family_id) select hash, family_id from login`,
};

// A token already rotated is not updated, and of many that try at once the row lock lets one through.
const rotate = {
  name: 'rotate-refresh-token',
  text: `
    with rotated as (
      update refresh_token set rotated_at = $3, sealed_successor = $4
      from token_family family
      where hash = $1 and rotated_at is null
        and family.family_id = refresh_token.family_id and family.revoked_at is null and family.expires_at > $3
      returning family.family_id, family.client_id, family.scopes, family.generation, family.expires_at
    ), successor as (
      insert into refresh_token (hash, family_id) select $2, family_id from rotated
    )
    select row_to_json(rotated) as family from rotated`,
};

const find = {
  name: 'find-refresh-token',
  text: `
    select row_to_json(family) as family, row_to_json(refresh_token) as token
    from refresh_token join token_family family using (family_id)
    where hash = $1 and family.revoked_at is null and family.expires_at > $2`,
};

const revokeFamily = {
  name: 'revoke-token-family',
  text: `
    with ended as (
      update token_family set revoked_at = $2 where family_id = $1 and revoked_at is null returning family_id
    ), entry as (${entryFor('ended', '$3')})
    select family_id from ended`,
};

// Those of the last hour, counted from the last end: then the clocks of the machines do not matter, and access tokens live
// for half as long. Once they are known, only what came after.
const ended = {
  name: 'ended-token-families',
  text: `
    select family_id, revoked_number::int as number, revoked_at from token_family
    where revoked_number > $1
      and revoked_at > (select revoked_at from token_family where revoked_number is not null order by revoked_number desc limit 1)
        - interval '1 hour'
    order by revoked_number`,
};

const forget = {
  name: 'forget-token-families',
  isSlow: true as const,
  text: `
    with old as (
      select family_id from token_family where expires_at < $1 order by expires_at limit 5000 for update skip locked
    ), tokens as (
      delete from refresh_token using old where refresh_token.family_id = old.family_id
    )
    delete from token_family using old where token_family.family_id = old.family_id returning token_family.family_id`,
};

interface FamilyJson {
  readonly family_id: string;
  readonly client_id: string;
  readonly scopes: TokenFamily['scopes'];
  readonly generation: number;
  readonly expires_at: string;
}

/** The two are there together. */
type TokenJson =
  | { readonly rotated_at: string; readonly sealed_successor: string }
  | { readonly rotated_at: null; readonly sealed_successor: null };

interface FoundRow {
  readonly family: FamilyJson;
  readonly token: TokenJson;
}

interface EndedRow {
  readonly family_id: string;
  readonly number: number;
  readonly revoked_at: Date;
}

const HOUR = 60 * 60 * 1000;

/** The logins that ended within an hour of the last one that did. */
class EndedLogins {
  readonly #times = new Map<string, number>();
  last = 0;

  /** @param rows In the order of their ends, all since the last one that is known. */
  add(rows: readonly EndedRow[]): void {
    for (const { family_id, revoked_at } of rows)
      this.#times.set(family_id, new Date(revoked_at).getTime());
    const newest = rows.at(-1);
    if (newest === undefined) return;
    this.last = newest.number;
    // In the order in which they were added; clocks that differ by seconds make no difference to an hour.
    for (const [familyId, time] of this.#times) {
      if (time > new Date(newest.revoked_at).getTime() - HOUR) break;
      this.#times.delete(familyId);
    }
  }

  has(familyId: string): boolean {
    return this.#times.has(familyId);
  }
}

/** So many in one statement, at most; one statement at a time, so that the next one gathers more meanwhile. */
const MOST_LOGINS = 500;

export class DatabaseRefreshTokens implements RefreshTokens {
  readonly #database: Database;
  readonly #startGrouped: (login: FamilyJson & { readonly hash: string }) => Promise<void>;
  readonly #ended: Replica<EndedLogins>;

  constructor(database: Database) {
    this.#database = database;
    this.#startGrouped = grouped({
      work: (logins) => database.run<void>(start, [JSON.stringify(logins)]),
      most: MOST_LOGINS,
      atOnce: 1,
    });
    this.#ended = new Replica(database, 'logins', async (known = new EndedLogins()) => {
      known.add(await database.run<EndedRow>(ended, [known.last]));
      return known;
    });
  }

  start(
    { familyId, clientId, scopes, generation, expiresAt }: TokenFamily,
    hash: string,
  ): Promise<void> {
    return this.#startGrouped({
      family_id: familyId,
      client_id: clientId,
      scopes,
      generation,
      expires_at: expiresAt,
      hash,
    });
  }

  async rotate({ hash, successorHash, sealedSuccessor, at }: Rotation): Promise<RotationOutcome> {
    const [rotated] = await this.#database.run<{ family: FamilyJson }>(rotate, [
      hash,
      successorHash,
      at,
      sealedSuccessor,
    ]);
    if (rotated) return { kind: 'rotated', family: fromJson(rotated.family) };
    const found = await this.#find(hash, at);
    if (found === undefined || found.token.rotated_at === null) return { kind: 'not_valid' };
    const { family, token } = found;
    const left = { rotatedAt: instant(token.rotated_at), sealedSuccessor: token.sealed_successor };
    return { kind: 'already_rotated', family: fromJson(family), ...left };
  }

  async find(hash: string, at: Instant): Promise<FoundToken | undefined> {
    const found = await this.#find(hash, at);
    return found && { family: fromJson(found.family), rotated: found.token.rotated_at !== null };
  }

  async revokeFamily(familyId: string, entry: AuditEntry): Promise<void> {
    await this.#database.run(revokeFamily, [familyId, entry.at, entryJson(entry)]);
    await this.#ended.refresh().catch(() => {});
  }

  async hasEnded(familyId: string): Promise<boolean> {
    return (await this.#ended.current()).has(familyId);
  }

  async forget(endedBefore: Instant): Promise<void> {
    // A few at a time: a statement that takes long is cut off, and would have done nothing.
    while ((await this.#database.run(forget, [endedBefore])).length > 0);
  }

  async #find(hash: string, at: Instant): Promise<FoundRow | undefined> {
    const [found] = await this.#database.run<FoundRow>(find, [hash, at]);
    return found;
  }
}

const instant = (timestamp: string): Instant => instantOf(new Date(timestamp));

const fromJson = ({
  family_id,
  client_id,
  scopes,
  generation,
  expires_at,
}: FamilyJson): TokenFamily => ({
  familyId: family_id,
  clientId: client_id,
  scopes,
  generation,
  expiresAt: instant(expires_at),
});
