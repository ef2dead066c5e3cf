import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import {
  addDays,
  type CalendarDate,
  COMMISSION_KINDS,
  type HeldFigures,
  type HeldQuotes,
  instantOf,
} from '#domain';
import type { Clock } from '../../application/clock.ts';
import {
  firstSecretKept,
  MAX_SEALED_CHARACTERS,
  type QuoteSeal,
  type QuoteSecret,
  type QuoteSecrets,
} from '../../application/selling/quote-seal.ts';
import { decrypt, encrypt } from './aes-gcm.ts';

const SEALED = /^1\.(\d{4})(\d{2})(\d{2})\.([\w-]+)$/;

/**
 * Quotes as texts, encrypted with AES-256-GCM, because they hold the commission: `1.day.content`,
 * where 1 is the version of the content's form. The secrets are not derived from the signing key: a
 * new key, whose public half alone other processes know, leaves quotes as they are.
 */
export class SealedQuotes implements QuoteSeal {
  readonly #secrets: QuoteSecrets;
  readonly #clock: Clock;
  readonly #keys = new Map<CalendarDate, KeyObject>();

  constructor(secrets: QuoteSecrets, clock: Clock) {
    this.#secrets = secrets;
    this.#clock = clock;
  }

  async seal(quotes: HeldQuotes): Promise<string> {
    const today = this.#today();
    const key = this.#keys.get(today) ?? (await this.#makeKey(today));
    const content = encrypt(key, JSON.stringify(pack(quotes)), today);
    const sealed = `1.${today.replaceAll('-', '')}.${content}`;
    if (sealed.length > MAX_SEALED_CHARACTERS) throw new RangeError('too many quotes for a seal');
    return sealed;
  }

  async open(sealed: string): Promise<HeldQuotes | undefined> {
    if (sealed.length > MAX_SEALED_CHARACTERS) return undefined;
    const [, year, month, date, content] = SEALED.exec(sealed) ?? [];
    if (content === undefined) return undefined;
    const day = `${year}-${month}-${date}` as CalendarDate;
    const key = await this.#findKey(day);
    const packed = key && decrypt(key, content, day);
    return packed === undefined ? undefined : unpack(JSON.parse(packed));
  }

  /** The day in UTC. */
  #today(): CalendarDate {
    return this.#clock.now().slice(0, 10) as CalendarDate;
  }

  async #makeKey(today: CalendarDate): Promise<KeyObject> {
    const secret = randomBytes(32).toString('base64url');
    return this.#remember(await this.#secrets.keep({ day: today, secret }));
  }

  /** The key of a day whose quotes may hold. The clock of another process may already be at the next day. */
  async #findKey(day: CalendarDate): Promise<KeyObject | undefined> {
    const today = this.#today();
    if (day < firstSecretKept(today) || day > addDays(today, 1)) return undefined;
    const known = this.#keys.get(day);
    if (known !== undefined) return known;
    const found = await this.#secrets.find(day);
    return found && this.#remember(found);
  }

  #remember({ day, secret }: QuoteSecret): KeyObject {
    const key = createSecretKey(secret, 'base64url');
    for (const each of this.#keys.keys()) if (each < firstSecretKept(day)) this.#keys.delete(each);
    this.#keys.set(day, key);
    return key;
  }
}

/** Lists instead of objects: partners store the text, and names would double its length. */
type Packed = ReturnType<typeof pack>;

const pack = (held: HeldQuotes) =>
  [
    [held.channelLink, held.product.code, held.product.version ?? null],
    [Date.parse(held.until) / 1_000, held.paidOn, held.iofRate, held.legalBasis],
    [held.insuredAmount ?? null, held.eventOn ?? null],
    held.declaredPeriod ?? null,
    held.coverages.map(({ id, price }) => [id, price] as const),
    held.plans.map(packFigures),
  ] as const;

const packFigures = ({ planId, price, net, iof, commissions }: HeldFigures) =>
  [
    planId,
    price,
    net,
    iof,
    commissions.map(
      ({ kind, rate, amount }) => [COMMISSION_KINDS.indexOf(kind), rate, amount] as const,
    ),
  ] as const;

const unpack = (packed: Packed): HeldQuotes => {
  const [[channelLink, code, version], [until, paidOn, iofRate, legalBasis], facts, period] =
    packed;
  const [insuredAmount, eventOn] = facts;
  const [, , , , coverages, plans] = packed;
  return {
    ...{ channelLink, product: { code, ...(version !== null && { version }) } },
    ...{ until: instantOf(new Date(until * 1_000)), paidOn, iofRate, legalBasis },
    coverages: coverages.map(([id, price]) => ({ id, price })),
    ...(insuredAmount !== null && { insuredAmount }),
    ...(eventOn !== null && { eventOn }),
    ...(period !== null && { declaredPeriod: period }),
    plans: plans.map(unpackFigures),
  };
};

const unpackFigures = ([planId, price, net, iof, items]: Packed[5][number]): HeldFigures => ({
  ...{ planId, price, net, iof },
  commissions: items.map(([kind, rate, amount]) => ({
    kind: COMMISSION_KINDS[kind] as (typeof COMMISSION_KINDS)[number],
    rate,
    amount,
  })),
});
