import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { mainBody } from '../support/api.ts';
import { phoneOrder } from '../support/orders.ts';
import { Partner, ServiceProcess, temporaryFolder } from '../support/service.ts';
import { inDays } from '../support/today.ts';

/** The service starts three times, and the command line twice. */
const SEVERAL_STARTS_MS = 180_000;

const newKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

const posting = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
});

describe('changing the signing key', () => {
  const DATA_DIR = join(temporaryFolder(), 'data');
  const processes: ServiceProcess[] = [];
  after(() => Promise.all(processes.map((each) => each.end('SIGKILL'))));

  const start = async (SIGNING_KEY: string): Promise<string> => {
    const service = new ServiceProcess({ DATA_DIR, SIGNING_KEY });
    processes.push(service);
    return service.ready();
  };
  const stop = async () => processes.at(-1)?.end();

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

  it('leaves evidence genuine and quotes valid, and ends old tokens; until the old key is withdrawn', async function () {
    this.timeout(SEVERAL_STARTS_MS);
    const baseUrl = await start(newKey());
    const issuer = baseUrl.replace('/api', '');
    const partner = new Partner(baseUrl, processes[0]?.credentials('Demo partner'));
    const token = await partner.token();
    const sold = await partner.sell(token, mainBody({ dataEvento: inDays(30) }));
    const { ticket } = ((await sold.json()) as { data: { ticket: string } }).data;
    const path = `/private/integration/sale/${ticket}`;
    const answer = await partner.call(`${path}/evidence`, token);
    const { evidence } = ((await answer.json()) as { data: { evidence: string } }).data;
    const quoteId = await quotePhone(partner, token);
    expect(await outcomeOf(evidence, baseUrl, issuer)).to.equal('paid');
    await stop();

    const changed = await start(newKey());
    expect(await outcomeOf(evidence, changed, issuer)).to.equal('paid');
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${changed}${path}`, { headers })).status).to.equal(401);
    const again = new Partner(changed, processes[0]?.credentials('Demo partner'));
    const order = phoneOrder({ quoteId, plan: { id: 32 } });
    const onQuote = await again.call(
      '/seguros/seguro-celular/create',
      await again.token(),
      posting(order),
    );
    expect(onQuote.status, await onQuote.text()).to.equal(200);
    await stop();

    const { kid = '' } = decodeProtectedHeader(evidence);
    const withdraw = (id: string) =>
      new ServiceProcess({ DATA_DIR }, [
        process.execPath,
        'bootstrap/admin.ts',
        'withdraw-key',
        id,
      ]);
    const withdrawn = withdraw(kid);
    expect(await withdrawn.ended(), withdrawn.errors).to.equal(0);
    expect(JSON.parse(withdrawn.output)).to.deep.equal({ kid, published: false });
    const repeated = withdraw(kid);
    expect(await repeated.ended()).to.equal(1);
    expect(repeated.errors).to.include('no published key that signed evidence has this kid');

    const last = await start(newKey());
    expect(await outcomeOf(evidence, last, issuer)).to.equal('ERR_JWKS_NO_MATCHING_KEY');
  });
});
