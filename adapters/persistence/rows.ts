import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Channel, Product, Sale, SaleTerms } from '#domain';
import type { Scope } from '../../application/identity/clients.ts';
import type { Json } from '../../application/sales/sales.ts';

/** How things lie in the tables. The migrations make the tables; a test compares the two. */
export const SaleRow = defineEntity({
  name: 'SaleRow',
  tableName: 'sale',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    ticket: p.text().unique(),
    channelLink: p.text(),
    clientId: p.text(),
    status: p.text().$type<Sale['status']>(),
    /** Counted up by `save`, which names the version it changes; not MikroORM's own, which hides a lost race behind an exception. */
    version: p.integer(),
    registeredAt: p.datetime(3),
    terms: p.json().$type<SaleTerms>(),
    /** What the state has that others have not: payment, policy, cancellation. */
    progress: p.json().$type<object>(),
    idempotencyKey: p.text().nullable(),
    idempotencyContent: p.json().$type<Json>().nullable(),
  },
});
export type SaleRow = InferEntity<typeof SaleRow>;

export const ProductRow = defineEntity({
  name: 'ProductRow',
  tableName: 'product',
  properties: {
    code: p.text().primary(),
    id: p.integer().unique(),
    definition: p.json().$type<Product>(),
  },
});

export const ChannelRow = defineEntity({
  name: 'ChannelRow',
  tableName: 'channel',
  properties: {
    channelLink: p.text().primary(),
    definition: p.json().$type<Channel>(),
  },
});

export const ClientRow = defineEntity({
  name: 'ClientRow',
  tableName: 'api_client',
  properties: {
    clientId: p.text().primary(),
    name: p.text(),
    channelLink: p.text().nullable(),
    scopes: p.json().$type<readonly Scope[]>(),
    status: p.text().$type<'active' | 'inactive' | 'revoked'>(),
    secretHashes: p.json().$type<readonly string[]>(),
    createdAt: p.datetime(3),
  },
});
export type ClientRow = InferEntity<typeof ClientRow>;

export const TokenFamilyRow = defineEntity({
  name: 'TokenFamilyRow',
  tableName: 'token_family',
  properties: {
    familyId: p.text().primary(),
    clientId: p.text(),
    scopes: p.json().$type<readonly Scope[]>(),
    expiresAt: p.datetime(3),
    revokedAt: p.datetime(3).nullable(),
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

export const ROWS = [SaleRow, ProductRow, ChannelRow, ClientRow, TokenFamilyRow, RefreshTokenRow];
