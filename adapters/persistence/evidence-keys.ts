import type { Instant } from '#domain';
import type { AuditEntry } from '../../application/audit/audit-log.ts';
import type { EvidenceKeys, PublishedKey } from '../../application/evidence/evidence-keys.ts';
import { entryFor, entryJson } from './audit-log.ts';
import { pick, rowReader, selection } from './columns.ts';
import type { Database } from './database.ts';
import { statement } from './statement.ts';
import { EVIDENCE_KEY } from './tables.ts';

const LISTED = pick(EVIDENCE_KEY, 'keyId', 'jwk');

const keepKey = statement<{ keyId: string; jwk: string; at: Instant }>(
  'keep-evidence-key',
  `
    insert into evidence_key (key_id, jwk, kept_at) values ($keyId, $jwk::jsonb, $at)
    on conflict do nothing`,
);

const isWithdrawn = statement<{ keyId: string }>(
  'is-evidence-key-withdrawn',
  `select from evidence_key where key_id = $keyId and withdrawn_at is not null`,
);

const listKeys = statement<Record<string, never>>(
  'list-evidence-keys',
  `
    select ${selection(LISTED)} from evidence_key
    where withdrawn_at is null order by kept_at, key_id`,
);

const withdrawKey = statement<{ keyId: string; at: Instant; entry: string }>(
  'withdraw-evidence-key',
  `
    with withdrawn as (
      update evidence_key set withdrawn_at = $at
      where key_id = $keyId and withdrawn_at is null returning key_id
    ), entry as (${entryFor('withdrawn')}) select key_id from withdrawn`,
);

const readKey = rowReader(LISTED);

export class DatabaseEvidenceKeys implements EvidenceKeys {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async keep({ keyId, jwk }: PublishedKey, at: Instant): Promise<'kept' | 'withdrawn'> {
    await this.#database.query(keepKey, { keyId, jwk: JSON.stringify(jwk), at });
    const found = await this.#database.query(isWithdrawn, { keyId });
    return found.length === 0 ? 'kept' : 'withdrawn';
  }

  async list(): Promise<readonly PublishedKey[]> {
    return (await this.#database.query(listKeys, {})).map(readKey);
  }

  async withdraw(keyId: string, entry: AuditEntry): Promise<'withdrawn' | 'not_listed'> {
    const request = { keyId, at: entry.at, entry: entryJson(entry) };
    const withdrawn = await this.#database.query(withdrawKey, request);
    return withdrawn.length === 1 ? 'withdrawn' : 'not_listed';
  }
}
