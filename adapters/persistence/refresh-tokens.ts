import { type Instant, instantOf } from '#domain';
import type { RefreshTokens, Rotation, RotationOutcome, TokenFamily } from '../../application/identity/refresh-tokens.ts';
import type { Database } from './database.ts';
import { guarded } from './faults.ts';
import { TokenFamilyRow } from './rows.ts';

const start = {
  name: 'start-token-family',
  text: `
    with family as (
      insert into token_family (family_id, client_id, scopes, expires_at) values ($1, $2, $3, $4) returning family_id
    )
    insert into refresh_token (hash, family_id) select $5, family_id from family`,
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
      returning family.*
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
    where hash = $1 and rotated_at is not null and family.revoked_at is null and family.expires_at > $2`,
};

interface FamilyJson {
  readonly family_id: string;
  readonly client_id: string;
  readonly scopes: TokenFamily['scopes'];
  readonly expires_at: string;
}

interface TokenJson {
  readonly rotated_at: string;
  readonly sealed_successor: string;
}

export class DatabaseRefreshTokens implements RefreshTokens {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async start({ familyId, clientId, scopes, expiresAt }: TokenFamily, firstHash: string): Promise<void> {
    await this.#database.run(start, [familyId, clientId, JSON.stringify(scopes), expiresAt, firstHash]);
  }

  async rotate({ hash, successorHash, sealedSuccessor, at }: Rotation): Promise<RotationOutcome> {
    const [rotated] = await this.#database.run<{ family: FamilyJson }>(rotate, [hash, successorHash, at, sealedSuccessor]);
    if (rotated) return { kind: 'rotated', family: fromJson(rotated.family) };
    const [found] = await this.#database.run<{ family: FamilyJson; token: TokenJson }>(find, [hash, at]);
    if (found === undefined) return { kind: 'not_valid' };
    const { rotated_at: rotatedAt, sealed_successor: sealed } = found.token;
    return { kind: 'already_rotated', family: fromJson(found.family), rotatedAt: instant(rotatedAt), sealedSuccessor: sealed };
  }

  async revokeFamily(familyId: string, at: string): Promise<void> {
    const entities = this.#database.entities();
    await guarded(() => entities.nativeUpdate(TokenFamilyRow, { familyId, revokedAt: null }, { revokedAt: new Date(at) }));
  }
}

const instant = (timestamp: string): Instant => instantOf(new Date(timestamp));

const fromJson = ({ family_id, client_id, scopes, expires_at }: FamilyJson): TokenFamily => ({
  familyId: family_id,
  clientId: client_id,
  scopes,
  expiresAt: instant(expires_at),
});
