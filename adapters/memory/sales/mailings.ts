import type { Instant } from '#domain';
import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';
import type {
  CopyKey,
  CopyOutcome,
  CopyRequest,
  Mailing,
  MailingQuery,
  MailingStatus,
  Mailings,
} from '../../../application/mail/mailings.ts';
import {
  CANCELLATION_NUMBER,
  FIRST_ACCOUNT_NUMBER,
  type MailingName,
} from '../../../application/mailing-name.ts';

export class MemoryMailings implements Mailings {
  readonly #mailings = new Map<string, Mailing>();
  readonly #byKey = new Map<string, string>();
  readonly #auditLog: AuditLog;
  #followers: readonly ((settled: Mailing) => void)[] = [];
  /** The mailings to send: what the job queue would hold. */
  readonly due: MailingName[] = [];

  constructor(auditLog: AuditLog) {
    this.#auditLog = auditLog;
  }

  /** Calls back with each mailing that gets its outcome. */
  followSettled(follower: (mailing: Mailing) => void): void {
    this.#followers = [...this.#followers, follower];
  }

  /** Adds the mailing of a sale's certificate, once. */
  certificateDue(saleId: number, at: Instant): void {
    if (!this.#mailings.has(nameOf({ saleId, number: 0 })))
      this.#add({ saleId, number: 0, requestedAt: at, ...FRESH });
  }

  /** Makes the undelivered mailings of a sale wait again. */
  resendUndelivered(saleId: number): void {
    for (const each of this.#mailings.values())
      if (each.saleId === saleId && each.status === 'undelivered') this.#wait(each);
  }

  /** Adds the mailing that tells of a sale's cancellation, once. */
  cancellationNoticeDue(saleId: number, at: Instant): void {
    const name = { saleId, number: CANCELLATION_NUMBER };
    if (!this.#mailings.has(nameOf(name))) this.#add({ ...name, requestedAt: at, ...FRESH });
  }

  /** Adds a mailing that asks the payer for an account. */
  accountAsked(saleId: number, at: Instant): void {
    const numbers = [...this.#mailings.values()]
      .filter((each) => each.saleId === saleId)
      .map(({ number }) => number);
    const number = Math.min(FIRST_ACCOUNT_NUMBER + 1, ...numbers) - 1;
    this.#add({ saleId, number, requestedAt: at, ...FRESH });
  }

  async requestCopy({ saleId, at, key, limit }: CopyRequest): Promise<CopyOutcome> {
    const known = key && this.#mailings.get(this.#byKey.get(keyOf(key)) ?? '');
    if (known) {
      return known.saleId === saleId
        ? { kind: 'repeated', mailing: structuredClone(known) }
        : { kind: 'conflict', saleId: known.saleId };
    }
    const copies = [...this.#mailings.values()].filter(
      (each) => each.saleId === saleId && each.number > 0,
    );
    const recent = copies
      .map(({ requestedAt }) => requestedAt)
      .filter((requestedAt) => requestedAt > limit.since);
    const earliest = recent.sort().at(-limit.most);
    if (earliest !== undefined) return { kind: 'too_many', earliest };
    const mailing: Mailing = { saleId, number: copies.length + 1, requestedAt: at, ...FRESH };
    this.#add(mailing);
    if (key) this.#byKey.set(keyOf(key), nameOf(mailing));
    return { kind: 'requested', mailing };
  }

  async find(name: MailingName): Promise<Mailing | undefined> {
    return structuredClone(this.#mailings.get(nameOf(name)));
  }

  async noteFailure(name: MailingName, reason: string): Promise<void> {
    const known = this.#mailings.get(nameOf(name));
    if (known?.status === 'waiting')
      this.#mailings.set(nameOf(name), { ...known, failures: known.failures + 1, reason });
  }

  async settle(
    name: MailingName,
    status: MailingStatus,
    at: Instant,
    reason?: string,
  ): Promise<void> {
    const known = this.#mailings.get(nameOf(name));
    if (known?.status !== 'waiting') return;
    const { reason: _, ...rest } = known;
    const failed = reason !== undefined && { reason };
    const settled: Mailing = { ...rest, status, settledAt: at, ...failed };
    this.#mailings.set(nameOf(name), settled);
    for (const follower of this.#followers) follower(settled);
  }

  async retry(name: MailingName, entry: AuditEntry): Promise<'waiting' | 'not_undelivered'> {
    const known = this.#mailings.get(nameOf(name));
    if (known?.status !== 'undelivered') return 'not_undelivered';
    this.#wait(known);
    await this.#auditLog.append(entry);
    return 'waiting';
  }

  async list({ status, saleId, before, limit }: MailingQuery): Promise<readonly Mailing[]> {
    const fits = (each: Mailing): boolean =>
      (status === undefined || each.status === status) &&
      (saleId === undefined || each.saleId === saleId) &&
      (before === undefined || newestFirst(before, each) < 0);
    return structuredClone(
      [...this.#mailings.values()].filter(fits).sort(newestFirst).slice(0, limit),
    );
  }

  #wait({ saleId, number, requestedAt }: Mailing): void {
    this.#add({ saleId, number, requestedAt, ...FRESH });
  }

  #add(mailing: Mailing): void {
    this.#mailings.set(nameOf(mailing), structuredClone(mailing));
    this.due.push({ saleId: mailing.saleId, number: mailing.number });
  }
}

const FRESH = { status: 'waiting', failures: 0 } as const;

const nameOf = ({ saleId, number }: MailingName): string => `${saleId}-${number}`;
const keyOf = ({ clientId, key }: CopyKey): string => JSON.stringify([clientId, key]);

const newestFirst = (one: MailingName, other: MailingName): number =>
  other.saleId - one.saleId || other.number - one.number;
