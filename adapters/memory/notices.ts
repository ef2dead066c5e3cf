import type { KeptNotice, NoticeOutcome, Notices } from '../../application/payments/notices.ts';

export class MemoryNotices implements Notices {
  readonly #kept = new Map<string, KeptNotice>();
  /** The numbers of those to be worked on, as a job queue has them. */
  readonly due: string[] = [];

  async keep(kept: KeptNotice): Promise<'kept' | 'repeated'> {
    const key = keyOf(kept.gateway, kept.notice.id);
    if (this.#kept.has(key)) return 'repeated';
    this.#kept.set(key, structuredClone(kept));
    this.due.push(kept.notice.id);
    return 'kept';
  }

  async find(gateway: string, id: string): Promise<KeptNotice | undefined> {
    return structuredClone(this.#kept.get(keyOf(gateway, id)));
  }

  async settle(gateway: string, id: string, outcome: NoticeOutcome): Promise<void> {
    const known = this.#kept.get(keyOf(gateway, id));
    if (known !== undefined) this.#kept.set(keyOf(gateway, id), { ...known, outcome });
  }
}

const keyOf = (gateway: string, id: string): string => JSON.stringify([gateway, id]);
