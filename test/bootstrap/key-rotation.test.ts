import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { mainBody } from '../support/api.ts';
import { runOperator } from '../support/operator-command.ts';
import { phoneOrder } from '../support/orders.ts';
import { LocalService, Partner } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { inDays } from '../support/today.ts';

const SECRETS_KEY = randomBytes(32).toString('base64');

const newKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

const posting = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
});

describe('changing the signing key', () => {
  let database: Readonly<Record<string, string>>;
  let service: LocalService | undefined;
  before(async () => {
    database = { DATABASE_URL: await sharedPostgres.migratedDatabase(), DATA_DIR: 'memory:' };
  });
  const stop = async (): Promise<void> => {
    await service?.end();
    service = undefined;
  };
  after(stop);

  const start = async (): Promise<LocalService> => {
    service = await LocalService.start({ ...database, SECRETS_KEY, SIGNING_KEY: newKey() });
    return service;
  };

  const quotePhone = async (partner: Partner, token: string): Promise<string> => {
    const product = { product: { code: 'CELULAR' } };
    const answer = await partner.call('/private/integration/quotes', token, posting(product));
    return ((await answer.json()) as { data: { quote_id: string } }).data.quote_id;
  };

  /** What an expert finds with the evidence and the address of the service. */
  const outcomeOf = (evidence: string, baseUrl: string, issuer: string): Promise<unknown> => {
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', baseUrl));
    return jwtVerify(evidence, keys, { issuer, typ: 'sale-evidence+jwt' }).then(
      ({ payload }) => payload['status'],
      ({ code }) => code,
    );
  };

  it('leaves evidence genuine and quotes valid, and ends old tokens; until the old key is withdrawn', async () => {
    const first = await start();
    const { baseUrl, address: issuer } = first;
    const credentials = first.credentials('Demo partner');
    const partner = new Partner(baseUrl, credentials);
    const token = await partner.token();
    const sold = await partner.sell(token, mainBody({ dataEvento: inDays(30) }));
    const { ticket } = ((await sold.json()) as { data: { ticket: string } }).data;
    const path = `/private/integration/sale/${ticket}`;
    const answer = await partner.call(`${path}/evidence`, token);
    const { evidence } = ((await answer.json()) as { data: { evidence: string } }).data;
    const quoteId = await quotePhone(partner, token);
    expect(await outcomeOf(evidence, baseUrl, issuer)).to.equal('paid');
    await stop();

    const { baseUrl: changed } = await start();
    expect(await outcomeOf(evidence, changed, issuer)).to.equal('paid');
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${changed}${path}`, { headers })).status).to.equal(401);
    const again = new Partner(changed, credentials);
    const order = phoneOrder({ quoteId, plan: { id: 32 } });
    const onQuote = await again.call(
      '/seguros/seguro-celular/create',
      await again.token(),
      posting(order),
    );
    expect(onQuote.status, await onQuote.text()).to.equal(200);
    await stop();

    const { kid = '' } = decodeProtectedHeader(evidence);
    const withdrawn = await runOperator(['withdraw-key', kid], database);
    expect(withdrawn.code, withdrawn.errors).to.equal(0);
    expect(JSON.parse(withdrawn.output)).to.deep.equal({ kid, published: false });
    for (const each of [kid, `-${kid.slice(1)}`, `--${kid.slice(2)}`]) {
      const refused = await runOperator(['withdraw-key', each], database);
      expect(refused.code).to.equal(1);
      expect(refused.errors).to.include('no published key that signed evidence has this kid');
    }

    const { baseUrl: last } = await start();
    expect(await outcomeOf(evidence, last, issuer)).to.equal('ERR_JWKS_NO_MATCHING_KEY');
  });
});
