import { LockMode } from '@mikro-orm/core';
import type { Instant } from '#domain';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import type { EvidenceKeys, PublishedKey } from '../../../application/evidence/evidence-keys.ts';
import type { Database } from '../engine/database.ts';
import { EvidenceKeyEntity } from '../schema/entities.ts';
import { addEntry } from './audit-log.ts';

export class DatabaseEvidenceKeys implements EvidenceKeys {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async keep({ keyId, jwk }: PublishedKey, at: Instant): Promise<'kept' | 'withdrawn'> {
    const kept = { keyId, jwk, keptAt: at, withdrawnAt: null };
    const { withdrawnAt } = await this.#database.entities((em) =>
      em.upsert(EvidenceKeyEntity, kept, { onConflictAction: 'ignore' }),
    );
    return withdrawnAt === null ? 'kept' : 'withdrawn';
  }

  async list(): Promise<readonly PublishedKey[]> {
    const order = { orderBy: { keptAt: 'asc', keyId: 'asc' } } as const;
    const found = await this.#database.entities((em) =>
      em.find(EvidenceKeyEntity, { withdrawnAt: null }, order),
    );
    return found.map(({ keyId, jwk }) => ({ keyId, jwk }));
  }

  async withdraw(keyId: string, entry: AuditEntry): Promise<'withdrawn' | 'not_listed'> {
    return this.#database.entities((em) =>
      em.transactional(async (inside) => {
        const listed = await inside.findOne(
          EvidenceKeyEntity,
          { keyId, withdrawnAt: null },
          { lockMode: LockMode.PESSIMISTIC_WRITE },
        );
        if (listed === null) return 'not_listed';
        listed.withdrawnAt = entry.at;
        addEntry(inside, entry);
        return 'withdrawn';
      }),
    );
  }
}
