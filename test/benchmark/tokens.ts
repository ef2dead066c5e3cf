import { type ChildProcess, spawn } from 'node:child_process';
import pg from 'pg';
import { PostgresServer } from '../support/postgres.ts';
import { ServiceProcess } from '../support/service.ts';
import { median, spread, whole } from './figures.ts';
import { load } from './load.ts';

const ROUNDS = 11;
/** Seconds per contender and round. */
const [WARM_UP, TIME] = [3, 1.5];
const CONNECTIONS = [32, 1];
/** Ours, every refresh token stored, beside the peer, which stores nothing. */
const FLOOR = 1.2;

interface Contender {
  readonly name: string;
  readonly url: string;
  readonly body: string;
}

const rate = async ({ url, body }: Contender, connections: number, seconds: number): Promise<number> => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return (await load([{ url, headers, body }], connections, seconds)).perSecond;
};

/** One answer of each, looked at: a JWT signed with ES256, of ours a refresh token as well. */
const assertAlike = async ({ name, url, body }: Contender): Promise<void> => {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(body) });
  const { access_token = '', refresh_token } = (await answer.json()) as { access_token?: string; refresh_token?: string };
  const { alg, typ } = JSON.parse(Buffer.from(access_token.split('.')[0] ?? '', 'base64url').toString() || '{}');
  if (alg !== 'ES256' || typ !== 'at+jwt') throw new Error(`${name} gave no ES256 access token`);
  if (name === 'ours' && refresh_token === undefined) throw new Error('ours gave no refresh token');
};

const startPeer = async (credentials: { client_id: string; client_secret: string }): Promise<[ChildProcess, string]> => {
  const file = new URL('oidc-provider.ts', import.meta.url).pathname;
  const peer = spawn(process.execPath, [file, credentials.client_id, credentials.client_secret], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const url = await new Promise<string>((resolve, reject) => {
    peer.stdout?.on('data', (chunk) => {
      const [, address] = /listening (\S+)/.exec(String(chunk)) ?? [];
      if (address !== undefined) resolve(address);
    });
    peer.once('exit', () => reject(new Error('oidc-provider did not start')));
  });
  return [peer, url];
};

const storedTokens = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from refresh_token');
  await client.end();
  return rows[0]?.count ?? 0;
};

const measure = async (contenders: readonly [Contender, Contender], connections: number, say: (line: string) => void) => {
  const rates: [number, number][] = [];
  for (const each of contenders) await rate(each, connections, WARM_UP);
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = new Map<Contender, number>();
    // Whoever goes first in one round goes last in the next.
    for (const each of round % 2 === 0 ? contenders : [...contenders].reverse())
      found.set(each, await rate(each, connections, TIME));
    rates.push([found.get(contenders[0]) ?? 0, found.get(contenders[1]) ?? 0]);
  }
  say(`${connections} connection${connections === 1 ? '' : 's'}:`);
  for (const [index, { name }] of contenders.entries())
    say(
      `  ${name.padEnd(14)} ${spread(
        rates.map((each) => each[index] ?? 0),
        whole,
      )} tokens per second`,
    );
  const ratios = rates.map(([ours, peer]) => ours / peer);
  say(`  ratio          ${spread(ratios, (value) => `${value.toFixed(2)} x`)}`);
  return median(ratios);
};

/** Client credentials for an ES256 access token: this service on PostgreSQL beside oidc-provider in memory. Whether it holds the floor. */
export const compareTokens = async (say: (line: string) => void): Promise<boolean> => {
  const postgres = new PostgresServer();
  const url = await postgres.database();
  const service = new ServiceProcess({ DATABASE_URL: url, DATA_DIR: 'memory:', RATE_LIMIT: 'off', LOG_LEVEL: 'warn' });
  const baseUrl = await service.ready(/^Insurance sales API: (\S+)/m);
  const credentials = service.credentials('Demo partner');
  if (credentials === undefined) throw new Error('the service printed no partner');
  const [peer, peerUrl] = await startPeer(credentials);
  try {
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...credentials, scope: 'sales' }).toString();
    const contenders: readonly [Contender, Contender] = [
      { name: 'ours', url: `${baseUrl}/seguros/auth/token`, body },
      { name: 'oidc-provider', url: peerUrl, body },
    ];
    for (const each of contenders) await assertAlike(each);
    say(`Tokens by client credentials; ours stores a refresh token with each, durably, on PostgreSQL; the peer stores nothing.`);
    say(`Median and range of ${ROUNDS} rounds of ${TIME} s, load and database on the same machine.\n`);
    const ratios = [];
    for (const connections of CONNECTIONS) ratios.push(await measure(contenders, connections, say));
    const stored = await storedTokens(url);
    say(`stored         ${whole(stored)} refresh tokens`);
    const reached = (ratios[0] ?? 0) >= FLOOR;
    say(`floor          ${FLOOR.toFixed(1)} x at ${CONNECTIONS[0]} connections: ${reached ? 'reached' : 'MISSED'}`);
    return reached && stored > 0;
  } finally {
    peer.kill('SIGKILL');
    await service.end();
    await postgres.stop();
  }
};
