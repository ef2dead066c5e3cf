import { createHash } from 'node:crypto';
import type { Issuer, IssuerAnswer, IssuerStep } from '../../application/issuance/issuer.ts';
import type {
  KeptNotice,
  NoticeOutcome,
  Notices,
  UnreadableNotice,
} from '../../application/payments/notices.ts';
import type {
  GatewayAnswer,
  ListedCharge,
  ListedDays,
  Payments,
} from '../../application/payments/payments.ts';
import type { Records } from '../../application/records.ts';
import { GatewayUnavailable } from '../../application/unavailable.ts';

/**
 * A failure of a provider. `lost`: the provider does what it was asked, and its answer is lost.
 * `unheard`: it does nothing, and the caller cannot know. `unreached`: it was certainly not asked.
 */
type Mishap = 'lost' | 'unheard' | 'unreached';

/** The failures of a provider, in their order; after them its answers arrive. */
class Mishaps {
  readonly #ahead: (Mishap | undefined)[] = [];
  /** Happens at each request, after those of `next`. */
  always: Mishap | undefined;

  /** What happens at the next requests; undefined: the answer arrives. */
  next(...mishaps: readonly (Mishap | undefined)[]): void {
    this.#ahead.push(...mishaps);
  }

  /** Whether a failure is still to happen. */
  get isAhead(): boolean {
    return this.#ahead.length > 0;
  }

  async happen<Answer>(ask: () => Promise<Answer>): Promise<Answer | 'unknown' | 'unreached'> {
    const mishap = this.#ahead.length > 0 ? this.#ahead.shift() : this.always;
    if (mishap === 'unreached') return 'unreached';
    if (mishap === 'unheard') return 'unknown';
    const answer = await ask();
    return mishap === 'lost' ? 'unknown' : answer;
  }
}

/** A gateway that fails at a test's request. */
export class UnreliablePayments implements Payments {
  readonly #payments: Payments;
  readonly mishaps = new Mishaps();

  constructor(payments: Payments) {
    this.#payments = payments;
  }

  get name(): string {
    return this.#payments.name;
  }

  charge(order: Parameters<Payments['charge']>[0]): Promise<GatewayAnswer> {
    return this.mishaps.happen(() => this.#payments.charge(order));
  }

  find(reference: string, chargeId?: string): Promise<GatewayAnswer> {
    return this.mishaps.happen(() => this.#payments.find(reference, chargeId));
  }

  withdraw(reference: string, chargeId: string): Promise<GatewayAnswer> {
    return this.mishaps.happen(() => this.#payments.withdraw(reference, chargeId));
  }

  refund(order: Parameters<Payments['refund']>[0]): Promise<GatewayAnswer> {
    return this.mishaps.happen(() => this.#payments.refund(order));
  }

  trace(chargeId: string): ReturnType<Payments['trace']> {
    return this.#payments.trace(chargeId);
  }

  /** Ends in the middle if the first request or the last one fails. */
  async *listCharges(days: ListedDays): AsyncIterable<ListedCharge> {
    for (const part of ['first', 'last']) {
      const answer = await this.mishaps.happen(async () => 'list' as const);
      if (answer !== 'list')
        throw new GatewayUnavailable(`the gateway did not list its charges: ${answer}`);
      if (part === 'first') yield* this.#payments.listCharges(days);
    }
  }
}

/** An insurer that fails at a test's request. */
export class UnreliableIssuer implements Issuer {
  readonly #issuer: Issuer;
  readonly mishaps = new Mishaps();

  constructor(issuer: Issuer) {
    this.#issuer = issuer;
  }

  get name(): string {
    return this.#issuer.name;
  }

  perform(step: IssuerStep, order: Parameters<Issuer['perform']>[1]): Promise<IssuerAnswer> {
    return this.mishaps.happen(() => this.#issuer.perform(step, order));
  }

  find(reference: string, within?: number): Promise<IssuerAnswer> {
    return this.mishaps.happen(() => this.#issuer.find(reference, within));
  }
}

export class MemoryRecords<Content> implements Records<Content> {
  readonly #records = new Map<string, Content>();

  async find(key: string): Promise<Content | undefined> {
    return structuredClone(this.#records.get(key));
  }

  async change(key: string, change: (known: Content | undefined) => Content): Promise<Content> {
    const changed = structuredClone(change(structuredClone(this.#records.get(key))));
    this.#records.set(key, changed);
    return structuredClone(changed);
  }

  async list(prefix: string): Promise<readonly Content[]> {
    const found = [...this.#records]
      .filter(([key]) => key.startsWith(prefix))
      .sort(([one], [other]) => (one < other ? -1 : 1));
    return structuredClone(found.map(([, content]) => content));
  }
}

export class MemoryNotices implements Notices {
  readonly #kept = new Map<string, KeptNotice>();
  /** The ids of the notices to process: what the job queue would hold. */
  readonly due: string[] = [];
  /** The excerpts of unreadable notices. */
  readonly unreadable = new Map<string, string>();

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
