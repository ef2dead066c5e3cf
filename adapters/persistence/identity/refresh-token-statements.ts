import type { Instant } from '#domain';
import { countingRevision } from '../engine/change-feed.ts';
import { statement } from '../engine/statement.ts';
import { entryFor } from '../operations/audit-log.ts';
import { columnNames, recordFields, recordNames, selection, text } from '../schema/columns.ts';
import { TOKEN_FAMILY } from '../schema/tables.ts';

/** A login that begins: its token family, and the hash of its first refresh token. */
export const LOGIN = { ...TOKEN_FAMILY, hash: text };

export const startFamilies = statement<{ logins: string }, void>(
  'start-token-families',
  `
    with login as materialized (
      select ${recordNames(LOGIN, 'login')}
      from json_to_recordset($logins::json) as login (${recordFields(LOGIN)})
    ), family as (
      insert into token_family (${columnNames(TOKEN_FAMILY)})
      select ${recordNames(TOKEN_FAMILY, 'login')} from login
    )
    insert into refresh_token (hash, family_id) select hash, "familyId" from login`,
);

/**
 * Rotates a token that is valid and has not been rotated. Of several requests at the same time one
 * succeeds, because the others wait for its row lock and then find the token rotated.
 */
export const rotateToken = statement<{
  hash: string;
  successorHash: string;
  sealedSuccessor: string;
  at: Instant;
}>(
  'rotate-refresh-token',
  `
    with rotated as (
      update refresh_token set rotated_at = $at, sealed_successor = $sealedSuccessor
      from token_family family
      where hash = $hash and rotated_at is null
        and family.family_id = refresh_token.family_id
        and family.revoked_at is null and family.expires_at > $at
      returning ${selection(TOKEN_FAMILY, 'family')}
    ), successor as (
      insert into refresh_token (hash, family_id) select $successorHash, "familyId" from rotated
    )
    select ${recordNames(TOKEN_FAMILY, 'rotated')} from rotated`,
);

/** A valid token. The successor is known once the token has been rotated. */
export type FoundRow =
  | { readonly rotatedAt: Date | string; readonly sealedSuccessor: string }
  | { readonly rotatedAt: null; readonly sealedSuccessor: null };

export const findToken = statement<{ hash: string; at: Instant }, FoundRow>(
  'find-refresh-token',
  `
    select ${selection(TOKEN_FAMILY, 'family')},
      rotated_at as "rotatedAt", sealed_successor as "sealedSuccessor"
    from refresh_token join token_family family using (family_id)
    where hash = $hash and family.revoked_at is null and family.expires_at > $at`,
);

export const revokeFamily = statement<{ familyId: string; at: Instant; entry: string }>(
  'revoke-token-family',
  `
    with ending as (
      select family_id from token_family
      where family_id = $familyId and revoked_at is null for update
    ), counted as (${countingRevision('logins', 'ending')}), ended as (
      update token_family set revoked_at = $at, revoked_number = counted.number
      from ending, counted where token_family.family_id = ending.family_id
      returning token_family.family_id
    ), entry as (${entryFor('ended')})
    select family_id from ended`,
);

export interface EndedFamily {
  readonly familyId: string;
  readonly number: number;
  readonly revokedAt: Date | string;
}

/**
 * Ends since a known one, of the last hour, which counts from the last end: no clock is compared
 * with it.
 */
export const listEndedFamilies = statement<{ after: number }, EndedFamily>(
  'ended-token-families',
  `
    select family_id as "familyId", revoked_number::int as number, revoked_at as "revokedAt"
    from token_family
    where revoked_number > $after
      and revoked_at > (
        select revoked_at from token_family where revoked_number is not null
        order by revoked_number desc limit 1
      ) - interval '1 hour'
    order by revoked_number`,
);

/** Deletes a part, 5,000 families at most. */
export const deleteExpiredFamilies = statement<{ endedBefore: Instant }>(
  'forget-token-families',
  `
    with old as (
      select family_id from token_family where expires_at < $endedBefore
      order by expires_at limit 5000 for update skip locked
    ), tokens as (
      delete from refresh_token using old where refresh_token.family_id = old.family_id
    )
    delete from token_family using old
    where token_family.family_id = old.family_id returning token_family.family_id`,
  { isSlow: true },
);
