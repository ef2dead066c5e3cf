import { randomBytes, timingSafeEqual } from 'node:crypto';
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
import { createKeyedHash } from './keyed-hash.ts';

/** 22 characters of base64url are 132 bits. */
const SIGNATURE_CHARACTERS = 22;

const SEALED = /^(1\.(\d{4})(\d{2})(\d{2})\.([\w-]+))\.([\w-]{22})$/;

/** Signs with the secret of a day. */
interface Signer {
  readonly day: CalendarDate;
  readonly sign: (text: string) => string;
}

/**
 * Quotes as texts, signed with HMAC-SHA-256: `1.day.content.signature`, where 1 is the version of
 * the content's form. The secrets are not derived from the signing key: a new key, of which other
 * processes know only the public half, leaves quotes as they are.
 */
export class SealedQuotes implements QuoteSeal {
  readonly #secrets: QuoteSecrets;
  readonly #clock: Clock;
  readonly #signers = new Map<CalendarDate, Signer>();

  constructor(secrets: QuoteSecrets, clock: Clock) {
    this.#secrets = secrets;
    this.#clock = clock;
  }

  async seal(quotes: HeldQuotes): Promise<string> {
    const today = this.#today();
    const { sign } = this.#signers.get(today) ?? (await this.#signerOfToday(today));
    const content = Buffer.from(JSON.stringify(pack(quotes))).toString('base64url');
    const text = `1.${today.replaceAll('-', '')}.${content}`;
    const sealed = `${text}.${sign(text)}`;
    if (sealed.length > MAX_SEALED_CHARACTERS) throw new RangeError('too many quotes for a seal');
    return sealed;
  }

  async open(sealed: string): Promise<HeldQuotes | undefined> {
    if (sealed.length > MAX_SEALED_CHARACTERS) return undefined;
    const [, text, year, month, day, content, signature] = SEALED.exec(sealed) ?? [];
    if (text === undefined || content === undefined || signature === undefined) return undefined;
    const signer = await this.#signerOf(`${year}-${month}-${day}` as CalendarDate);
    const isOurs =
      signer !== undefined &&
      timingSafeEqual(Buffer.from(signature), Buffer.from(signer.sign(text)));
    return isOurs ? unpack(JSON.parse(Buffer.from(content, 'base64url').toString())) : undefined;
  }

  /** In UTC. */
  #today(): CalendarDate {
    return this.#clock.now().slice(0, 10) as CalendarDate;
  }

  async #signerOfToday(today: CalendarDate): Promise<Signer> {
    const secret = randomBytes(32).toString('base64url');
    return this.#remember(await this.#secrets.keep({ day: today, secret }));
  }

  /** Signs for a day whose quotes may hold. The clock of another process may already be at the next day. */
  async #signerOf(day: CalendarDate): Promise<Signer | undefined> {
    const today = this.#today();
    if (day < firstSecretKept(today) || day > addDays(today, 1)) return undefined;
    const known = this.#signers.get(day);
    if (known !== undefined) return known;
    const found = await this.#secrets.find(day);
    return found && this.#remember(found);
  }

  #remember({ day, secret }: QuoteSecret): Signer {
    const hash = createKeyedHash(secret);
    const signer = { day, sign: (text: string) => hash(text).slice(0, SIGNATURE_CHARACTERS) };
    for (const each of this.#signers.keys())
      if (each < firstSecretKept(day)) this.#signers.delete(each);
    this.#signers.set(day, signer);
    return signer;
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
