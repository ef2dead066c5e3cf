import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/children.ts';
import { ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

/** Max size of the log file, KB: beyond it a write fails, as on a full disk. */
const LIMIT_KB = 64;

describe('a service whose log has no space', () => {
  const file = join(temporaryFolder(), 'log');
  const read = async () => readFileSync(file, 'utf8');
  let service: ServiceProcess;

  const fill = (): void =>
    appendFileSync(file, Buffer.alloc(LIMIT_KB * 1024 - statSync(file).size, '\n'));
  const start = async (): Promise<void> => {
    const script = `ulimit -f ${LIMIT_KB}; exec "$0" bootstrap/main.ts >>"$1"`;
    service = new ServiceProcess(
      {
        DATABASE_URL: await sharedPostgres.migratedDatabase(),
        DATA_DIR: 'memory:',
        WEB_CONCURRENCY: '2',
        METRICS_PORT: '0',
        LOG_LEVEL: 'info',
      },
      ['bash', '-c', script, process.execPath, file],
    );
  };
  const found = async (pattern: RegExp): Promise<string> =>
    pattern.exec(await within(read, (text) => pattern.test(text)))?.[1] ?? '';
  afterEach(() => service.end('SIGKILL'));

  it('answers, shows it in its metrics, logs it when there is space again, and stops', async () => {
    writeFileSync(file, '');
    await start();
    const metrics = await found(/"metrics":"([^"]+)"/);
    const baseUrl = await found(/"baseUrl":"([^"]+)".*"baseUrl"/s);
    const scrape = async () => (await fetch(metrics)).text();
    // A new connection each time: the next process answers it.
    const ask = async () =>
      (await fetch(`${baseUrl}/nowhere`, { headers: { connection: 'close' } })).status;

    fill();
    // Each process has a line that it cannot write.
    const failing = await within(
      async () => {
        expect(await ask()).to.equal(404);
        return scrape();
      },
      (text) => text.includes('insurance_sales_log_failing 2'),
    );
    expect(failing).to.include('insurance_sales_log_failing 2');

    truncateSync(file);
    expect(await found(/"dropped":(\d+),"code":"EFBIG","msg":"log lines were late/)).to.equal('0');
    expect(await within(scrape, (text) => text.includes('log_failing 0'))).to.include(
      'insurance_sales_log_failing 0',
    );
    // The lines that waited come whole, each once.
    for (const line of (await read()).trim().split('\n')) JSON.parse(line);

    fill();
    expect(await ask()).to.equal(404);
    expect(await service.end('SIGTERM')).to.equal(0);
  });
});
