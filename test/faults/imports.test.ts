import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request as openRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/children.ts';
import { SALE, saleOrder } from '../support/generic-sales.ts';
import { fileOf, IMPORT, type ImportLine, linesOf, numberedSales } from '../support/imports.ts';
import { rowsIn } from '../support/postgres.ts';
import { ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';

const NDJSON = 'application/x-ndjson';

const memoryOf = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024;

/** Longest time in which an import moves neither lines nor answers, ms. */
const STILL_MS = 120_000;

describe('an import on PostgreSQL', () => {
  let url: string;
  let service: ServiceProcess;
  let address: string;
  let Authorization: string;

  const start = async (): Promise<void> => {
    service = new ServiceProcess({
      DATABASE_URL: url,
      DATA_DIR: 'memory:',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'info',
      // As `npm start` sets it: else each thread's part of malloc holds on to what it once took.
      MALLOC_ARENA_MAX: '2',
      // A small heap: otherwise V8 lets it grow before it collects garbage.
      NODE_OPTIONS: '--max-old-space-size=128 --max-semi-space-size=4',
    });
    address = await service.ready();
  };
  before(async function starting() {
    url = await sharedPostgres.migratedDatabase();
    await start();
    const partner = service.credentials('Demo partner');
    const pair = `${partner?.client_id}:${partner?.client_secret}`;
    Authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  });
  after(() => service.end('SIGKILL'));

  const headers = (): Record<string, string> => ({ Authorization, 'Content-Type': NDJSON });

  const importFile = async (file: string): Promise<readonly ImportLine[]> => {
    const init = { method: 'POST', body: file, headers: headers() };
    return linesOf(await (await fetch(`${address}${IMPORT}`, init)).text());
  };

  const countOf = async (prefix: string): Promise<{ sales: number; names: number } | undefined> => {
    const [row] = await rowsIn<{ sales: number; names: number }>(
      url,
      `select count(*)::int as sales, count(distinct external_sale_id)::int as names from sale where external_sale_id like '${prefix}-%'`,
    );
    return row;
  };

  /** Resolves once some sales of the import are stored. */
  const started = async (prefix: string): Promise<void> => {
    while (((await countOf(prefix))?.sales ?? 0) < 100)
      await new Promise((resolve) => setTimeout(resolve, 5));
  };

  /** Sends the file again. Each of its sales must be stored once. */
  const sendAgain = async (prefix: string, file: string, lines: number): Promise<void> => {
    const stored = (await countOf(prefix))?.sales ?? 0;
    expect(stored).to.be.within(100, lines - 1);
    const { summary } = (await importFile(file)).at(-1);
    expect(summary.lines).to.equal(lines);
    expect(summary.created + summary.repeated).to.equal(lines);
    expect(summary.repeated).to.be.at.least(stored);
    expect(await countOf(prefix)).to.deep.equal({ sales: lines, names: lines });
  };

  const LINES = 10_000;

  it('sells each line once when the service is killed and the file is sent again', async () => {
    const file = fileOf(numberedSales('killed', LINES));
    const broken = importFile(file).catch(() => 'broken');
    await started('killed');
    await service.end('SIGKILL');
    expect(await broken).to.equal('broken');
    await start();
    await sendAgain('killed', file, LINES);
  });

  it('sells each line once when the client is killed and the file is sent again', async () => {
    const file = fileOf(numberedSales('client', LINES));
    const path = join(temporaryFolder(), 'sales.ndjson');
    writeFileSync(path, file);
    const curl = execFile('curl', [
      ...['-sS', '-o', '/dev/null', '--data-binary', `@${path}`],
      ...['-H', `Authorization: ${Authorization}`, '-H', `Content-Type: ${NDJSON}`],
      `${address}${IMPORT}`,
    ]);
    await started('client');
    curl.kill('SIGKILL');
    await service.logged(/"isComplete":false/);
    await sendAgain('client', file, LINES);
  });

  it('ends with a line that says so when the service stops, and the file is sent again', async () => {
    const file = fileOf(numberedSales('stopped', LINES));
    const running = importFile(file);
    await started('stopped');
    const ended = service.end('SIGTERM');
    const answers = await running;
    const last = answers.at(-1);
    expect(last).to.include({ code: 'unavailable', lines: answers.length - 1 });
    expect(await ended).to.equal(0);
    expect((await countOf('stopped'))?.sales).to.equal(answers.length - 1);
    await start();
    await sendAgain('stopped', file, LINES);
  });

  it('of 100,000 lines serves a client that reads nothing before it has sent all', async () => {
    // A process that has just started grows by itself. What it holds for the client is measured alone.
    for (let part = 0; part < 4; part += 1)
      await importFile(fileOf(numberedSales(`warm-${part}`, 5_000)));
    const before = memoryOf(service.pid);
    const client = openRequest(`${address}${IMPORT}`, { method: 'POST', headers: headers() });
    // The time of the whole import has no limit: it takes minutes on a busy machine.
    client.setTimeout(STILL_MS, () => client.destroy(new Error('the import stands still')));
    const responded = once(client, 'response');
    for (let part = 0; part < 100; part += 1) {
      const sales = numberedSales(`late-${part}`, 1_000);
      if (!client.write(fileOf(sales))) await once(client, 'drain');
    }
    client.end();
    await once(client, 'finish');
    const [response] = await responded;
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    const answers = linesOf(text);
    expect(answers.at(-1).summary).to.include({ lines: 100_000, created: 100_000 });
    expect(answers.slice(0, -1).map(({ line }) => line)).to.deep.equal(
      Array.from({ length: 100_000 }, (_, at) => at + 1),
    );
    expect(memoryOf(service.pid) - before, 'megabytes').to.be.below(175);
  }).timeout(0);

  it('costs a client that never reads its connection, and other partners nothing', async () => {
    const { hostname, port } = new URL(address);
    const before = memoryOf(service.pid);
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => {});
    const head = [`POST ${new URL(address + IMPORT).pathname} HTTP/1.1`, `Host: ${hostname}`];
    const fields = Object.entries({ ...headers(), 'Transfer-Encoding': 'chunked' });
    socket.write([...head, ...fields.map((each) => each.join(': ')), '', ''].join('\r\n'));
    // Each line has a long answer: together they are more than the service holds.
    const lines = '{}\n'.repeat(1_000);
    const chunk = `${lines.length.toString(16)}\r\n${lines}\r\n`;
    // It does not end its request either.
    for (let count = 0; count < 99; count += 1) socket.write(chunk);

    const isClosed = (): boolean => service.output.includes('their clients read nothing');
    for (let count = 0; !isClosed(); count += 1) {
      const body = JSON.stringify(saleOrder({ externalSaleId: `beside-${count}` }));
      const init = {
        method: 'POST',
        body,
        headers: { ...headers(), 'Content-Type': 'application/json' },
      };
      expect((await fetch(`${address}${SALE}`, init)).status).to.equal(201);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(memoryOf(service.pid) - before, 'megabytes').to.be.below(150);
    const log = await service.logged(/"lines":\d+,[^\n]*"isComplete":false/);
    // They belong to the 99,000 that were sent.
    expect(Number(/\d+/.exec(log))).to.be.within(10_000, 90_000);
    socket.destroy();
  }).timeout(240_000);
});
