import { rowsIn } from '../support/postgres.ts';
import { median, spread, times, whole } from './figures.ts';
import { type Contender, lineOf, Rounds, type Sample, warmUp } from './rounds.ts';
import type { Settings } from './settings.ts';
import { type Credentials, Stage } from './stage.ts';

/** The target applies to the first number. */
const CONNECTIONS = [32, 1];

/** The target: our rate, with stored refresh tokens, over the peer's, which stores nothing. */
const LEAST = 1.2;

const [OURS, PEER] = ['ours', 'oidc-provider'];

const rate = ({ perSecond }: Sample): number => perSecond;

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const asking = (url: string, credentials: Credentials) => {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    ...credentials,
    scope: 'sales',
  }).toString();
  return { url, headers: FORM, body };
};

/** Checks one answer: a JWT signed with ES256; ours also has a refresh token. */
const assertAlike = async ({ name, requests: [request] }: Contender): Promise<void> => {
  const { url, ...init } = request as ReturnType<typeof asking>;
  const answer = await fetch(url, { method: 'POST', ...init });
  const { access_token = '', refresh_token } = (await answer.json()) as {
    access_token?: string;
    refresh_token?: string;
  };
  const { alg, typ } = JSON.parse(
    Buffer.from(access_token.split('.')[0] ?? '', 'base64url').toString() || '{}',
  );
  if (alg !== 'ES256' || typ !== 'at+jwt') throw new Error(`${name} gave no ES256 access token`);
  if (name === OURS && refresh_token === undefined) throw new Error('ours gave no refresh token');
};

/**
 * Client credentials for an ES256 access token: this service on PostgreSQL beside oidc-provider in
 * memory.
 */
export const compareTokens = async (
  say: (line: string) => void,
  settings: Settings,
): Promise<boolean> => {
  const stage = new Stage();
  try {
    const url = await stage.database();
    const { process: ours, credentials } = await stage.service(url);
    const [first] = credentials as readonly [Credentials];
    const peer = await stage.start(
      ['test/benchmark/contenders/oidc-provider.ts', first.client_id, first.client_secret],
      {},
    );
    const contenders: readonly Contender[] = [
      {
        name: OURS,
        pid: ours.pid,
        requests: credentials.map((each) => asking(`${ours.url}/seguros/auth/token`, each)),
      },
      { name: PEER, pid: peer.pid, requests: [asking(peer.url, first)] },
    ];
    for (const each of contenders) await assertAlike(each);
    say(
      'Tokens by client credentials; ours stores a refresh token with each, durably, on PostgreSQL; the peer stores nothing.',
    );
    await warmUp(contenders);
    let held = true;
    for (const connections of CONNECTIONS) {
      const found = await new Rounds().run(contenders, {
        ...settings,
        connections,
        databasePid: stage.postgres.pid,
      });
      const ratios = found.ratios(OURS, PEER, rate);
      say(`${connections} connection${connections === 1 ? '' : 's'}:`);
      for (const { name } of contenders) say(lineOf(name, found.of(name)));
      settings.record(`tokens at ${connections}`, found.all);
      const isHeldTo = connections === CONNECTIONS[0];
      if (isHeldTo) held = median(ratios) >= LEAST;
      const verdict = isHeldTo ? `${held ? 'held' : 'MISSED'}, at least ${LEAST}: ` : '';
      say(`  ${verdict}${OURS} / ${PEER}: ${spread(ratios, times)}`);
    }
    const [stored] = await rowsIn<{ count: number }>(
      url,
      'select count(*)::int as count from refresh_token',
    );
    say(`  stored ${whole(stored?.count ?? 0)} refresh tokens`);
    return held;
  } finally {
    await stage.close();
  }
};
