/* biome-ignore-all lint/suspicious/noConsole: it prints where it listens */
import { createPublicKey } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const { DATABASE_URL: databaseUrl = '', SALE_LIKE = '{}', PUBLIC_KEY = '' } = process.env;

/**
 * The fields that all sales share, as the service stores them: each contender inserts the same row.
 */
const like = JSON.parse(SALE_LIKE) as {
  channel_link: string;
  client_id: string;
  terms: object;
  progress: object;
};

export interface Row {
  readonly ticket: string;
  readonly channel_link: string;
  readonly client_id: string;
  readonly at: string;
  readonly terms: object;
  readonly progress: object;
  readonly key: string;
  readonly content: unknown;
}

export const rowOf = (ticket: string, content: unknown, key: string): Row => ({
  ...like,
  ...{ ticket, at: new Date().toISOString(), key, content },
});

/** Verifies the access tokens. */
export const publicKey = () => createPublicKey({ key: JSON.parse(PUBLIC_KEY), format: 'jwk' });

export const announce = (server: Server): void =>
  console.log(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
