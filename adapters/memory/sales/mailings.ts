import type { Instant } from '#domain';
import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';
import type {
  ClaimedMailing,
  CopyKey,
  CopyOutcome,
  CopyRequest,
  MailClaim,
  Mailing,
  MailingQuery,
  MailingResult,
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
  /** The end of the claim of each mailing. */
  readonly #claims = new Map<string, Instant>();
  #pace = { minute: '', taken: 0 };
  #channelOf: (saleId: number) => string = () => '';

  constructor(auditLog: AuditLog) {
    this.#auditLog = auditLog;
  }

  /** Says which channel a sale is of, so that each gets its turn. */
  knowChannels(channelOf: (saleId: number) => string): void {
    this.#channelOf = channelOf;
  }

  /** Whether a mailing is to be sent at a time. */
  isAnyDue(now: Instant): boolean {
    return [...this.#mailings.values()].some(
      ({ status, nextAt = '' }) => status === 'waiting' && nextAt <= now,
    );
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

  /** Adds the mailing that tells of a sale's end, once. */
  endNoticeDue(saleId: number, at: Instant): void {
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

  async requestCopy({ saleId, at, key, limit, entry }: CopyRequest): Promise<CopyOutcome> {
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
    await this.#auditLog.append(entry);
    return { kind: 'requested', mailing };
  }

  async find(name: MailingName): Promise<Mailing | undefined> {
    return structuredClone(this.#mailings.get(nameOf(name)));
  }

  async claim({ now, until, limit, perMinute = Infinity }: MailClaim): Promise<ClaimedMailing[]> {
    const minute = now.slice(0, 'YYYY-MM-DDTHH:MM'.length);
    if (this.#pace.minute !== minute) this.#pace = { minute, taken: 0 };
    const due = [...this.#mailings.values()].filter((each) => {
      const isClaimed = (this.#claims.get(nameOf(each)) ?? '') >= now;
      return each.status === 'waiting' && !isClaimed && (each.nextAt ?? '') <= now;
    });
    const inOrder = [...turns(due, this.#channelOf)].sort(
      (one, other) => one.kind - other.kind || one.turn - other.turn,
    );
    const most = Math.max(0, Math.min(limit, perMinute - this.#pace.taken));
    const money = inOrder.filter(({ kind }) => kind === 0);
    const certificates = inOrder.filter(({ kind }) => kind === 1);
    const first = money.slice(0, Math.ceil(most / 2));
    const claimed = [...first, ...certificates, ...money.slice(first.length)]
      .slice(0, most)
      .map(({ mailing }) => mailing);
    this.#pace.taken += claimed.length;
    for (const each of claimed) this.#claims.set(nameOf(each), until);
    return claimed.map(({ saleId, number, failures }) => ({ saleId, number, failures }));
  }

  async renew(names: readonly MailingName[], until: Instant): Promise<void> {
    for (const each of names)
      if (this.#claims.has(nameOf(each))) this.#claims.set(nameOf(each), until);
  }

  async record(results: readonly MailingResult[], at: Instant): Promise<void> {
    for (const result of results) {
      const known = this.#mailings.get(nameOf(result));
      if (known?.status !== 'waiting') continue;
      this.#claims.delete(nameOf(result));
      const { reason: before, nextAt: _, ...rest } = known;
      const reason = 'reason' in result ? result.reason : undefined;
      const kept = result.status === 'waiting' ? (reason ?? before) : reason;
      const recorded: Mailing = {
        ...rest,
        status: result.status,
        failures: known.failures + (reason === undefined ? 0 : 1),
        ...(kept !== undefined && { reason: kept }),
        ...(result.status === 'waiting' ? { nextAt: result.nextAt } : { settledAt: at }),
      };
      this.#mailings.set(nameOf(result), recorded);
      if (result.status !== 'waiting') for (const follower of this.#followers) follower(recorded);
    }
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

  async lost(saleIds: readonly number[]): Promise<ReadonlySet<number>> {
    const lastOf = (saleId: number): Mailing | undefined =>
      [...this.#mailings.values()]
        .filter((each) => each.saleId === saleId && each.number >= 0)
        .sort(newestFirst)[0];
    return new Set(saleIds.filter((saleId) => lastOf(saleId)?.status === 'undelivered'));
  }

  #wait({ saleId, number, requestedAt }: Mailing): void {
    this.#add({ saleId, number, requestedAt, ...FRESH });
  }

  #add(mailing: Mailing): void {
    this.#mailings.set(nameOf(mailing), structuredClone(mailing));
    this.#claims.delete(nameOf(mailing));
  }
}

/** The kind of each mailing, and its turn among those of its channel, the oldest first. */
const turns = function* (due: readonly Mailing[], channelOf: (saleId: number) => string) {
  const oldestFirst = due.toSorted(
    (one, other) =>
      Number(one.number === 0) - Number(other.number === 0) ||
      one.saleId - other.saleId ||
      one.number - other.number,
  );
  const counts = new Map<string, number>();
  for (const mailing of oldestFirst) {
    const kind = Math.min(0, mailing.number);
    const channel = `${kind < 0} ${channelOf(mailing.saleId)}`;
    const turn = counts.get(channel) ?? 0;
    counts.set(channel, turn + 1);
    yield { mailing, turn, kind: kind < 0 ? 0 : 1 };
  }
};

const FRESH = { status: 'waiting', failures: 0 } as const;

const nameOf = ({ saleId, number }: MailingName): string => `${saleId}-${number}`;
const keyOf = ({ clientId, key }: CopyKey): string => JSON.stringify([clientId, key]);

const newestFirst = (one: MailingName, other: MailingName): number =>
  other.saleId - one.saleId || other.number - one.number;
