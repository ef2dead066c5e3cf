import type { Instant } from '#domain';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import type { EvidenceKeys, PublishedKey } from '../../../application/evidence/evidence-keys.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';
import { addEntry } from './audit-log.ts';

/** Each start keeps its key: as a statement, because entities would load MikroORM. */
const keepKey = statement<
  { readonly keyId: string; readonly jwk: string; readonly at: Instant },
  { readonly isWithdrawn: boolean }
>(
  'keep-evidence-key',
  `
    with kept as (
      insert into evidence_key (key_id, jwk, kept_at) values ($keyId, $jwk::jsonb, $at)
      on conflict do nothing
    )
    select withdrawn_at is not null as "isWithdrawn" from evidence_key where key_id = $keyId`,
);

export class DatabaseEvidenceKeys implements EvidenceKeys {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async keep({ keyId, jwk }: PublishedKey, at: Instant): Promise<'kept' | 'withdrawn'> {
    const given = { keyId, jwk: JSON.stringify(jwk), at };
    const [known] = await this.#database.query(keepKey, given);
    return known?.isWithdrawn === true ? 'withdrawn' : 'kept';
  }

  async list(): Promise<readonly PublishedKey[]> {
    const order = { orderBy: { keptAt: 'asc', keyId: 'asc' } } as const;
    const found = await this.#database.entities((em, { EvidenceKeyEntity }) =>
      em.find(EvidenceKeyEntity, { withdrawnAt: null }, order),
    );
    return found.map(({ keyId, jwk }) => ({ keyId, jwk }));
  }

  async withdraw(keyId: string, entry: AuditEntry): Promise<'withdrawn' | 'not_listed'> {
    return this.#database.entities((em, entities) =>
      em.transactional(async (inside) => {
        const listed = await inside.findOne(
          entities.EvidenceKeyEntity,
          { keyId, withdrawnAt: null },
          { lockMode: entities.LockMode.PESSIMISTIC_WRITE },
        );
        if (listed === null) return 'not_listed';
        listed.withdrawnAt = entry.at;
        addEntry(inside, entities, entry);
        return 'withdrawn';
      }),
    );
  }
}
