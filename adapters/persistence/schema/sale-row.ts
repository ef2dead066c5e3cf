import {
  CHANNEL_TEXTS,
  type ChannelTextName,
  type ChannelTexts,
  channelTextsOf,
  type Json,
  type NewSale,
  type Sale,
  type SaleTerms,
} from '#domain';
import { clientKeyOf, type Idempotency } from '../../../application/sales/sale-request.ts';
import type { Lease } from '../../../application/sales/sales.ts';
import { Unstorable } from '../../../application/unavailable.ts';
import {
  type AnyColumn,
  bigint,
  type Column,
  columnName,
  generated,
  integer,
  json,
  jsonb,
  key,
  moment,
  nullable,
  pick,
  rowReader,
  text,
  word,
} from './columns.ts';

/** A sale as it is registered: with the key of its request, and the lease of its first worker. */
export interface SaleRegistration {
  readonly sale: NewSale;
  readonly idempotency: Idempotency | undefined;
  readonly lease: Lease | undefined;
}

/** A sale when its registration was answered: what a change can make different. */
export interface AnsweredState {
  readonly version: number;
  readonly status: Sale['status'];
  readonly progress: object;
}

interface Writing {
  /** The value at registration; absent: the column is null, or PostgreSQL sets it. */
  readonly atRegistration?: (registration: SaleRegistration) => unknown;
  /** What a change of the sale sets the column to, in SQL; absent: the column keeps its value. */
  readonly onChange?: string;
}

const written = <Value>(column: Column<Value>, writing: Writing): Column<Value> & Writing => ({
  ...column,
  ...writing,
});

/** The table `sale`. A new column is a line here and a migration. */
export const SALE = {
  id: generated(key(bigint)),

  ticket: written(text, { atRegistration: ({ sale }) => sale.ticket }),

  channelLink: written(text, { atRegistration: ({ sale }) => sale.terms.channelLink }),

  clientId: written(text, { atRegistration: ({ sale }) => sale.terms.clientId }),

  /** The name is in the terms too; this column has its unique index. */
  externalSaleId: written(nullable(text), {
    atRegistration: ({ sale }) => sale.terms.externalSaleId,
  }),

  /** The value is in the progress too; this column is for the index of statements. */
  bookedAt: written(nullable(moment), {
    atRegistration: ({ sale }) => ('bookedAt' in sale ? sale.bookedAt : undefined),
    onChange: `($progress::json->>'bookedAt')::timestamptz`,
  }),

  /** The value is in the progress too; this column is for the index of statements. */
  cancelledAt: written(nullable(moment), {
    onChange: `($progress::json->>'cancelledAt')::timestamptz`,
  }),

  status: written(word<Sale['status']>(), {
    atRegistration: ({ sale }) => sale.status,
    onChange: '$status',
  }),

  /** Counts the changes. A change names the version that it was made from. */
  version: written(integer, { onChange: 'version + 1' }),

  registeredAt: written(moment, { atRegistration: ({ sale }) => sale.registeredAt }),

  /**
   * When the last change was made; null until the first. The time of the database's clock, not of
   * the transaction, which may have begun some seconds before.
   */
  updatedAt: written(nullable(moment), {
    onChange: `date_trunc('milliseconds', clock_timestamp())`,
  }),

  terms: written(json<SaleTerms>(), { atRegistration: ({ sale }) => storableJson(sale.terms) }),

  /** What a change of state can change: payment, receipts, policy, cancellation, attempts. */
  progress: written(json<object>(), {
    atRegistration: ({ sale }) => storableJson(progressOf(sale)),
    onChange: '$progress::json',
  }),

  /** The `Idempotency-Key` of the client. A name that the channel gave is `externalSaleId`. */
  idempotencyKey: written(nullable(text), {
    atRegistration: ({ idempotency }) => idempotency && clientKeyOf(idempotency),
  }),

  /** What the request said, to compare a repeated request with. */
  idempotencyContent: written(nullable(json<Json>()), {
    atRegistration: ({ idempotency }) => idempotency && JSON.stringify(idempotency.content),
  }),

  leaseHolder: written(nullable(text), { atRegistration: ({ lease }) => lease?.holder }),

  leasedUntil: written(nullable(moment), {
    atRegistration: ({ lease }) => lease?.until,
    onChange: 'coalesce($leasedUntil, leased_until)',
  }),

  /** Null until the registration of a leased sale is answered. */
  answered: nullable(jsonb<AnsweredState>()),
} satisfies Readonly<Record<string, AnyColumn & Writing>>;

/** The columns that are set when a sale is registered, each with its value. */
export const REGISTERED_COLUMNS = Object.entries<AnyColumn & Writing>(SALE).flatMap(
  ([property, { type, atRegistration }]) =>
    atRegistration === undefined ? [] : [{ name: columnName(property), type, of: atRegistration }],
);

/** The list of an UPDATE: `status = $status, …`. */
export const SALE_CHANGES = Object.entries<AnyColumn & Writing>(SALE)
  .flatMap(([property, { onChange }]) =>
    onChange === undefined ? [] : [`${columnName(property)} = ${onChange}`],
  )
  .join(', ');

/** The texts of the channel in a row; null where it sent none. */
export type StoredTexts = { readonly [Name in ChannelTextName]: string | null };

/** SQL for each text of the channel, by its name. @param terms an expression of JSON */
export const channelTextsIn = (terms: string): Readonly<Record<string, string>> =>
  Object.fromEntries(CHANNEL_TEXTS.map((name) => [name, `${terms}->>'${name}'`]));

/** The texts as JSON that the terms contain; null: all sales. */
export const channelTextsJson = (texts: ChannelTexts = {}): string | null => {
  const wanted = channelTextsOf(texts);
  return Object.keys(wanted).length === 0 ? null : JSON.stringify(wanted);
};

/** The columns that make a sale. */
export const SALE_STATE = pick(
  SALE,
  'id',
  'ticket',
  'version',
  'status',
  'registeredAt',
  'updatedAt',
  'terms',
  'progress',
  'idempotencyKey',
);

const readState = rowReader(SALE_STATE);

/** Reads a sale from a row of `SALE_STATE`. */
export const saleOfRow = (stored: object): Sale => {
  const { progress, idempotencyKey, updatedAt, ...row } = readState(stored);
  return {
    ...row,
    ...(updatedAt !== null && { updatedAt }),
    ...(idempotencyKey !== null && { idempotencyKey }),
    ...progress,
  } as Sale;
};

/** The part of a sale that has no column of its own. */
export const progressOf = (sale: Sale | NewSale): object => {
  const { id, version, ticket, registeredAt, updatedAt, ...others } = sale as Sale;
  const { terms, status, idempotencyKey, ...progress } = others;
  return progress;
};

/** Reads what was answered to a registration: the sale in its state of that time. */
export const readAnswer = (sale: Sale, { version, status, progress }: AnsweredState): Sale => {
  const { id, ticket, registeredAt, terms, idempotencyKey } = sale;
  const named = idempotencyKey === undefined ? {} : { idempotencyKey };
  return { id, ticket, registeredAt, terms, ...named, version, status, ...progress } as Sale;
};

/** An escaped NUL or an unpaired surrogate: PostgreSQL stores it as `json`, but cannot read it. */
const UNREADABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** @throws Unstorable where the books could not read the text */
function storableJson(part: object): string {
  const text = JSON.stringify(part);
  if (text.includes('\\u') && UNREADABLE.test(text))
    throw new Unstorable('a sale holds a NUL or half a character');
  return text;
}
