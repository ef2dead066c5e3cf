import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Channel, Json, Product, Sale, SaleTerms } from '#domain';
import type { Actor, AuditAction, Change } from '../../application/audit/audit-log.ts';
import type { ClientSecret, ClientStatus, Scope } from '../../application/identity/clients.ts';
import type { MailingStatus } from '../../application/mail/mailings.ts';
import type { NoticeOutcome } from '../../application/payments/notices.ts';

/** How things lie in the tables. The migrations make the tables; a test compares the two. */
export const SaleRow = defineEntity({
  name: 'SaleRow',
  tableName: 'sale',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    ticket: p.text().unique(),
    channelLink: p.text(),
    clientId: p.text(),
    /** The channel's own name for it, from the terms: here to be unique. */
    externalSaleId: p.text().nullable(),
    /** From the progress, as what follows: here for finding what came into the books when. */
    bookedAt: p.datetime(3).nullable(),
    cancelledAt: p.datetime(3).nullable(),
    status: p.text().$type<Sale['status']>(),
    /** Counted up by `save`, which names the version it changes; not MikroORM's own, which hides a lost race behind an exception. */
    version: p.integer(),
    registeredAt: p.datetime(3),
    terms: p.json().columnType('json').$type<SaleTerms>(),
    /** What the state has that others have not: payment, policy, cancellation. */
    progress: p.json().columnType('json').$type<object>(),
    idempotencyKey: p.text().nullable(),
    idempotencyContent: p.json().columnType('json').$type<Json>().nullable(),
    leaseHolder: p.text().nullable(),
    leasedUntil: p.datetime(3).nullable(),
    /** The sale's version, status and progress as they were when its registration was answered. */
    answered: p.json().$type<object>().nullable(),
  },
});
export type SaleRow = InferEntity<typeof SaleRow>;

const ProductRow = defineEntity({
  name: 'ProductRow',
  tableName: 'product',
  properties: {
    code: p.text().primary(),
    id: p.integer().unique(),
    definition: p.json().$type<Product>(),
    version: p.integer(),
    updatedAt: p.datetime(3),
  },
});

const ChannelRow = defineEntity({
  name: 'ChannelRow',
  tableName: 'channel',
  properties: {
    channelLink: p.text().primary(),
    definition: p.json().$type<Channel>(),
    version: p.integer(),
    updatedAt: p.datetime(3),
  },
});

/** Every version that a product or channel has had. */
export const CatalogueVersionRow = defineEntity({
  name: 'CatalogueVersionRow',
  tableName: 'catalogue_version',
  properties: {
    kind: p.text().primary().$type<'product' | 'channel'>(),
    name: p.text().primary(),
    version: p.integer().primary(),
    definition: p.json().$type<Product | Channel>(),
    updatedAt: p.datetime(3),
  },
});

/** Counts up with every change of what processes remember. */
const RevisionRow = defineEntity({
  name: 'RevisionRow',
  tableName: 'revision',
  properties: { topic: p.text().primary(), number: p.bigint('number') },
});

const ClientRow = defineEntity({
  name: 'ClientRow',
  tableName: 'api_client',
  properties: {
    clientId: p.text().primary(),
    name: p.text(),
    channelLink: p.text().nullable(),
    scopes: p.json().$type<readonly Scope[]>(),
    status: p.text().$type<ClientStatus>(),
    secrets: p.json().$type<readonly ClientSecret[]>(),
    generation: p.integer(),
    createdAt: p.datetime(3),
    version: p.integer(),
  },
});

const ClientUseRow = defineEntity({
  name: 'ClientUseRow',
  tableName: 'client_use',
  properties: { clientId: p.text().primary(), lastUsedAt: p.datetime(3) },
});

const TokenFamilyRow = defineEntity({
  name: 'TokenFamilyRow',
  tableName: 'token_family',
  properties: {
    familyId: p.text().primary(),
    clientId: p.text(),
    scopes: p.json().$type<readonly Scope[]>(),
    generation: p.integer(),
    expiresAt: p.datetime(3),
    revokedAt: p.datetime(3).nullable(),
    /** The number that its end counted up the topic to. */
    revokedNumber: p.bigint('number').nullable(),
  },
});

const RefreshTokenRow = defineEntity({
  name: 'RefreshTokenRow',
  tableName: 'refresh_token',
  properties: {
    hash: p.text().primary(),
    familyId: p.text(),
    rotatedAt: p.datetime(3).nullable(),
    sealedSuccessor: p.text().nullable(),
  },
});

export const AuditEntryRow = defineEntity({
  name: 'AuditEntryRow',
  tableName: 'audit_entry',
  properties: {
    number: p.bigint('number').primary().autoincrement(),
    at: p.datetime(3),
    action: p.text().$type<AuditAction>(),
    actorKind: p.text().$type<Actor['kind']>(),
    actorName: p.text().nullable(),
    address: p.text().nullable(),
    requestId: p.text().nullable(),
    subject: p.text().nullable(),
    reason: p.text().nullable(),
    changes: p.json().$type<readonly Change[]>(),
  },
});
export type AuditEntryRow = InferEntity<typeof AuditEntryRow>;

const PaymentNoticeRow = defineEntity({
  name: 'PaymentNoticeRow',
  tableName: 'payment_notice',
  properties: {
    gateway: p.text().primary(),
    id: p.text().primary(),
    event: p.text(),
    reference: p.text().nullable(),
    chargeId: p.text().nullable(),
    receivedAt: p.datetime(3),
    outcome: p.text().$type<NoticeOutcome>(),
  },
});

const MailingRow = defineEntity({
  name: 'MailingRow',
  tableName: 'mailing',
  properties: {
    saleId: p.bigint('number').primary(),
    number: p.integer().primary(),
    requestedAt: p.datetime(3),
    /** `handed_over`: it waits, and whoever sends mail has it. */
    status: p.text().$type<MailingStatus | 'handed_over'>(),
    failures: p.integer().default(0),
    settledAt: p.datetime(3).nullable(),
    reason: p.text().nullable(),
    clientId: p.text().nullable(),
    idempotencyKey: p.text().nullable(),
  },
});

/** A record in a book of a provider that the service plays itself. */
const ProviderRecordRow = defineEntity({
  name: 'ProviderRecordRow',
  tableName: 'provider_record',
  properties: {
    book: p.text().primary(),
    key: p.text().primary(),
    version: p.integer(),
    content: p.json().$type<object>(),
  },
});

/** As the library of the rate limits lays it out. */
const RateLimitRow = defineEntity({
  name: 'RateLimitRow',
  tableName: 'rate_limit',
  properties: {
    key: p.string().length(255).primary(),
    points: p.integer(),
    expire: p.bigint('number').nullable(),
  },
});

export const ROWS = [
  ...[SaleRow, ProductRow, ChannelRow, CatalogueVersionRow, RevisionRow],
  ...[ClientRow, ClientUseRow, TokenFamilyRow, RefreshTokenRow, AuditEntryRow, RateLimitRow],
  ...[PaymentNoticeRow, ProviderRecordRow, MailingRow],
];
