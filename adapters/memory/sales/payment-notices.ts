import { createHash } from 'node:crypto';
import type {
  KeptNotice,
  NoticeOutcome,
  Notices,
  UnreadableNotice,
} from '../../../application/payments/notices.ts';

export class MemoryNotices implements Notices {
  readonly #kept = new Map<string, KeptNotice>();
  /** The ids of the notices to process: what the job queue would hold. */
  readonly due: { readonly gateway: string; readonly id: string }[] = [];
  /** The excerpts of unreadable notices. */
  readonly unreadable = new Map<string, string>();

  async keep(kept: KeptNotice): Promise<'kept' | 'repeated'> {
    const key = keyOf(kept.gateway, kept.notice.id);
    if (this.#kept.has(key)) return 'repeated';
    this.#kept.set(key, structuredClone(kept));
    this.due.push({ gateway: kept.gateway, id: kept.notice.id });
    return 'kept';
  }

  async find(gateway: string, id: string): Promise<KeptNotice | undefined> {
    return structuredClone(this.#kept.get(keyOf(gateway, id)));
  }

  async keepUnreadable({ gateway, body, excerpt }: UnreadableNotice) {
    const digest = createHash('sha256').update(body).digest('hex');
    const key = keyOf(gateway, digest);
    if (this.unreadable.has(key)) return { kind: 'repeated', digest } as const;
    this.unreadable.set(key, excerpt);
    return { kind: 'kept', digest } as const;
  }

  async settle(gateway: string, id: string, outcome: NoticeOutcome): Promise<void> {
    const known = this.#kept.get(keyOf(gateway, id));
    if (known !== undefined) this.#kept.set(keyOf(gateway, id), { ...known, outcome });
  }
}

const keyOf = (gateway: string, id: string): string => JSON.stringify([gateway, id]);
