import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { SALE, saleOrder } from '../support/generic-sales.ts';
import { rowsIn } from '../support/postgres.ts';
import { ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';

const URL_OFF = { RATE_LIMIT: 'off', DATA_DIR: 'memory:', LOG_LEVEL: 'warn' };

interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

const basic = ({ client_id, client_secret }: Credentials): string =>
  `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;

describe('generic sales at two services on one PostgreSQL', () => {
  let url: string;
  let services: readonly ServiceProcess[];
  let addresses: readonly string[];
  let partner: Credentials;
  let administrator: Credentials;
  before(async function starting() {
    url = await sharedPostgres.migratedDatabase();
    const first = new ServiceProcess({ DATABASE_URL: url, ...URL_OFF, LOG_LEVEL: 'info' });
    const firstAddress = await first.ready();
    // A small heap: otherwise V8 lets it grow before it collects garbage.
    const small = { NODE_OPTIONS: '--max-old-space-size=80 --max-semi-space-size=2' };
    const second = new ServiceProcess({
      DATABASE_URL: url,
      ...URL_OFF,
      ...small,
      LOG_LEVEL: 'info',
    });
    services = [first, second];
    addresses = [firstAddress, await second.ready()];
    partner = first.credentials('Demo partner') as Credentials;
    administrator = first.credentials('Administrator') as Credentials;
  });
  after(() => Promise.all(services.map((each) => each.end('SIGKILL'))));

  it('are 50 for 1,000 simultaneous requests with 50 names, each copy answered alike', async function racing() {
    const headers = { 'Content-Type': 'application/json', Authorization: basic(partner) };
    /** The names that got a 503, which does not say whether the sale was stored. */
    const late = new Set<number>();
    const order = async (index: number) => {
      const name = index % 50;
      const body = JSON.stringify(saleOrder({ externalSaleId: `race-${name}` }));
      const address = `${addresses[(index >> 1) % 2]}${SALE}`;
      for (;;) {
        const response = await fetch(address, { method: 'POST', headers, body });
        const text = await response.text();
        if (response.status !== 503) return { name, status: response.status, text };
        // A service that is too busy says when to repeat, as partners have to.
        late.add(name);
        await wait(Number(response.headers.get('Retry-After')) * 1_000);
      }
    };
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, index) => order(index)));
    const created = answers.filter(({ status }) => status === 201).map(({ name }) => name);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1_000 - created.length);
    expect(new Set(created)).to.have.property('size', created.length);
    expect([...created, ...late]).to.include.members(Array.from({ length: 50 }, (_, name) => name));
    for (let name = 0; name < 50; name += 1) {
      expect(
        new Set(answers.filter((each) => each.name === name).map(({ text }) => text)).size,
      ).to.equal(1);
    }
    const [row] = await rowsIn<{ sales: number; names: number }>(
      url,
      `select count(*)::int as sales, count(distinct external_sale_id)::int as names from sale where external_sale_id like 'race-%'`,
    );
    expect(row).to.deep.equal({ sales: 50, names: 50 });
  });

  describe('and the statement of a month', () => {
    const SALES = 100_000;
    // Copies one sale, each copy with its own premium; each tenth is cancelled with a refund.
    const filling = `
      insert into sale (ticket, channel_link, client_id, status, version, registered_at, terms, progress, booked_at, cancelled_at)
      select 'F-' || n, 'canal-demo', 'client', case when n % 10 = 0 then 'cancelled' else 'paid' end, 1, at,
        jsonb_set(jsonb_set(terms, '{quote,premium}', terms#>'{quote,premium}' || jsonb_build_object('net', n, 'iof', n % 97, 'total', n + n % 97)),
          '{quote,commission}', terms#>'{quote,commission}' || jsonb_build_object('amount', n % 89, 'netAmount', n + n % 97 - n % 89)) - 'externalSaleId',
        progress || jsonb_build_object('bookedAt', text_at) || case when n % 10 = 0 then jsonb_build_object('cancelledAt', text_at, 'cancellation',
          jsonb_build_object('kept', jsonb_build_object('net', n - n / 2, 'iof', n % 97, 'total', n + n % 97 - n / 2),
            'refund', jsonb_build_object('net', n / 2, 'iof', 0, 'total', n / 2),
            'commission', jsonb_build_object('reversed', jsonb_build_object('amount', n % 7, 'netAmount', n / 2 - n % 7)))) else '{}' end,
        at, case when n % 10 = 0 then at end
      from (select terms::jsonb as terms, progress::jsonb as progress from sale where external_sale_id = 'race-0') as model,
        lateral (select n, timestamptz '2020-03-01 03:00Z' + n * interval '20 seconds' as at from generate_series(1, ${SALES}) as n) as numbers,
        lateral (select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as text_at) as texts`;

    const memoryOf = (pid: number): number =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024;

    it(`with ${SALES} sales is exact to the cent, and needs less than 50 MB`, async function reading() {
      this.timeout(240_000);
      await rowsIn(url, filling);
      const [, service] = services as readonly [ServiceProcess, ServiceProcess];
      const token = await fetch(`${addresses[1]}/seguros/auth/token`, {
        method: 'POST',
        headers: {
          Authorization: basic(administrator),
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      });
      const { access_token } = (await token.json()) as { access_token: string };

      const before = memoryOf(service.pid);
      let peak = before;
      let sums = {
        lines: 0,
        net: 0,
        iof: 0,
        total: 0,
        commission: 0,
        netAmount: 0,
        hasTotals: false,
      };
      let [rest, chunks] = ['', 0];
      const response = await fetch(
        `${addresses[1]}/admin/channels/canal-demo/statement?month=2020-03&format=csv`,
        {
          headers: { Authorization: `Bearer ${access_token}` },
        },
      );
      const decoder = new TextDecoder();
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        const rows = (rest + decoder.decode(chunk, { stream: true })).split('\r\n');
        rest = rows.pop() ?? '';
        for (const row of rows) sums = withRow(sums, row);
        chunks += 1;
        if (chunks % 20 === 0) peak = Math.max(peak, memoryOf(service.pid));
      }
      expect(sums.hasTotals).to.equal(true);
      const [right] = await rowsIn<{ [name: string]: string }>(
        url,
        `
        select count(*) + count(*) filter (where n % 10 = 0) as lines,
          sum(n) - coalesce(sum(n / 2) filter (where n % 10 = 0), 0) as net, sum(n % 97) as iof,
          sum(n + n % 97) - coalesce(sum(n / 2) filter (where n % 10 = 0), 0) as total,
          sum(n % 89) - coalesce(sum(n % 7) filter (where n % 10 = 0), 0) as commission
        from generate_series(1, ${SALES}) as n`,
      );
      expect(
        Object.fromEntries(
          Object.entries(right ?? {}).map(([name, value]) => [name, Number(value)]),
        ),
      ).to.deep.equal({
        ...{
          lines: sums.lines,
          net: sums.net,
          iof: sums.iof,
          total: sums.total,
          commission: sums.commission,
        },
      });
      expect(sums.netAmount).to.equal(sums.total - sums.commission);
      expect(peak - before, 'megabytes').to.be.below(50);
    });
  });
});

interface Sums {
  readonly lines: number;
  readonly net: number;
  readonly iof: number;
  readonly total: number;
  readonly commission: number;
  readonly netAmount: number;
  /** Whether the row of totals has come. */
  readonly hasTotals: boolean;
}

const withRow = (sums: Sums, row: string): Sums => {
  const cells = row.split(',');
  const [net = 0, iof = 0, total = 0, commission = 0, netAmount = 0] = cells
    .slice(-7, -2)
    .map((cell) => Math.round(Number(cell) * 100));
  if (cells[0] === 'total' && cells[8] === 'channel') {
    // The channel has collected all.
    expect({ net, iof, total, commission, netAmount }).to.deep.equal(
      (({ lines: _, hasTotals: __, ...rest }) => rest)(sums),
    );
    return { ...sums, hasTotals: true };
  }
  if (cells[0] !== 'sale' && cells[0] !== 'refund') return sums;
  return {
    lines: sums.lines + 1,
    net: sums.net + net,
    iof: sums.iof + iof,
    total: sums.total + total,
    commission: sums.commission + commission,
    netAmount: sums.netAmount + netAmount,
    hasTotals: sums.hasTotals,
  };
};
