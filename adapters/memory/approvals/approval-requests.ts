import type { Instant } from '#domain';
import type {
  ApprovalRequest,
  ApprovalRequests,
} from '../../../application/approvals/approval-requests.ts';
import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';

export class MemoryApprovalRequests implements ApprovalRequests {
  readonly #auditLog: AuditLog;
  /** The oldest first. */
  readonly #requests = new Map<number, ApprovalRequest>();

  constructor(auditLog: AuditLog) {
    this.#auditLog = auditLog;
  }

  async open(request: ApprovalRequest, entry: AuditEntry): Promise<'opened' | 'known'> {
    const { saleId, saleVersion, askedAt } = request;
    const known = this.#requests.get(saleId);
    if (known && known.expiresAt > askedAt && known.saleVersion === saleVersion) return 'known';
    this.#requests.delete(saleId);
    this.#requests.set(saleId, structuredClone(request));
    await this.#auditLog.append(entry);
    return 'opened';
  }

  async find(saleId: number, at: Instant): Promise<ApprovalRequest | undefined> {
    const found = this.#requests.get(saleId);
    return found && found.expiresAt > at ? structuredClone(found) : undefined;
  }

  async list(at: Instant, limit: number): Promise<readonly ApprovalRequest[]> {
    const open = [...this.#requests.values()].filter(({ expiresAt }) => expiresAt > at);
    return structuredClone(open.slice(0, limit));
  }

  async close(
    { saleId, saleVersion }: ApprovalRequest,
    entry: AuditEntry,
  ): Promise<'closed' | 'gone'> {
    if (this.#requests.get(saleId)?.saleVersion !== saleVersion) return 'gone';
    this.#requests.delete(saleId);
    await this.#auditLog.append(entry);
    return 'closed';
  }

  async forget(before: Instant): Promise<void> {
    for (const [saleId, { expiresAt }] of this.#requests)
      if (expiresAt < before) this.#requests.delete(saleId);
  }
}
