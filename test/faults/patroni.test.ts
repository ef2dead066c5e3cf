import { expect } from 'chai';
import { missingPrograms, PatroniCluster } from '../support/patroni.ts';
import { rowsIn } from '../support/postgres.ts';
import { Sellers } from '../support/sellers.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { within } from '../support/stores.ts';

/** The longest times without a sale on an idle machine, ms. */
const [SWITCHOVER_MS, FAILOVER_MS] = [2_900, 20_300];

describe('two servers under Patroni, with HAProxy before them', () => {
  const cluster = new PatroniCluster();
  let service: ServiceProcess | undefined;
  let partner: Partner;
  let token: string;

  before(async function () {
    const missing = missingPrograms();
    if (missing.length > 0) {
      process.stdout.write(`    skipped: ${missing.join(', ')} not installed\n`);
      return this.skip();
    }
    await cluster.start();
    service = new ServiceProcess({
      ...{ DATABASE_URL: cluster.url, DATABASE_READ_URL: cluster.readUrl },
      ...{ DATA_DIR: 'memory:', RATE_LIMIT: 'off', LOG_LEVEL: 'info' },
    });
    await service.ready();
    partner = new Partner(`${service.address}/api`, service.credentials('Demo partner'));
    token = await partner.token();
  });
  after(async () => {
    await service?.end('SIGKILL');
    cluster.stop();
  });

  /** Up to when a standby has answered a statement; null: the primary has. */
  const statementAsOf = async (): Promise<string | null> => {
    const answer = await partner.call('/private/integration/statement?month=2026-11', token);
    expect(answer.status).to.equal(200);
    await answer.arrayBuffer();
    return answer.headers.get('x-data-as-of');
  };

  /** Sells while the primary changes. @returns the longest time without a sale, ms */
  const sellThrough = async (name: string, change: () => Promise<void>): Promise<number> => {
    const sellers = new Sellers(partner, token, { name, count: 8, repeats: true });
    await sellers.more(200);
    const start = performance.now();
    await change();
    await sellers.more(200);
    await sellers.stop();
    const kept = await rowsIn<{ name: string }>(
      cluster.url,
      'select external_sale_id as name from sale',
    );
    const names = kept.map(({ name }) => name);
    expect(new Set(names).size, 'none twice').to.equal(names.length);
    const lost = [...sellers.acknowledged].filter((name) => !names.includes(name));
    expect(lost, 'lost').to.deep.equal([]);
    return sellers.longestGapSince(start);
  };
  const tell = (what: string, gap: number): void =>
    void process.stdout.write(`    ${what}: ${(gap / 1_000).toFixed(1)} s without a sale\n`);

  it('sells on after a switchover', async () => {
    const gap = await sellThrough('switchover', () => cluster.switchOver());
    tell('switchover', gap);
    expect(gap, 'ms without a sale').to.be.below(10 * SWITCHOVER_MS);
    const asOf = await within(statementAsOf, (each) => each !== null);
    expect(asOf, 'is read from the former primary').not.to.equal(null);
  });

  it('loses no acknowledged sale with the primary, and sells on without it', async () => {
    await cluster.settled();
    const gap = await sellThrough('failover', () => cluster.killPrimary());
    tell('primary killed', gap);
    expect(gap, 'ms without a sale').to.be.below(10 * FAILOVER_MS);
    expect(await statementAsOf(), 'is read from the only server').to.equal(null);
  });
});
