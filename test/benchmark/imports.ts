import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as openRequest } from 'node:http';
import { median, ms, spread, times, whole } from './figures.ts';
import { lightLoad } from './light-load.ts';
import { ANY_NAME, load } from './load.ts';
import { mainThreadTime, processorTime } from './processor-time.ts';
import { genericSales } from './sales-contenders.ts';
import type { Settings } from './settings.ts';
import { Stage } from './stage.ts';

const LINES = 100_000;

/** Seconds of single sales before the first round, and in each. */
const [WARM_UP, SINGLE] = [15, 10];

/** Connections of the single sales beside which an import is measured. */
const CONNECTIONS = 32;

/** Connections of the other partners that sell during an import. */
const OTHERS = 4;

/** The least median ratio of the rates. */
const LEAST = 3;

/** Seconds in which the latency of others is measured. */
const BUSY_SECONDS = 8;

/** Sales of one kind in one round. Times are µs of processor per sale. */
interface Sample {
  readonly perSecond: number;
  readonly server: number;
  /** The main thread's part of `server`. */
  readonly main: number;
  readonly database: number;
}

/** A file of new sales. */
const newFile = (sale: string, lines: number): Buffer => {
  const run = randomBytes(8).toString('hex');
  const line = (at: number) => `${sale.replace(ANY_NAME, `${run}-${at}`)}\n`;
  return Buffer.from(Array.from({ length: lines }, (_, at) => line(at)).join(''));
};

/** Sends a file while it reads the answer. @returns seconds @throws Error if not all is sold */
const importFile = async (url: string, authorization: string, file: Buffer): Promise<number> => {
  const startedAt = performance.now();
  const client = openRequest(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', Authorization: authorization },
  });
  const responded = once(client, 'response');
  client.end(file);
  const [response] = await responded;
  let last = '';
  for await (const chunk of response.setEncoding('latin1')) last = (last + chunk).slice(-300);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { summary } = JSON.parse(last.trim().split('\n').at(-1) ?? '');
  if (summary.created !== summary.lines) throw new Error(last);
  return seconds;
};

const lineOf = (name: string, samples: readonly Sample[]): string => {
  const of = (part: keyof Sample) => samples.map((each) => each[part]);
  const time = (part: keyof Sample) => `${whole(median(of(part)))} µs`;
  const processor = `server ${time('server')} (main thread ${time('main')}), database ${time('database')}`;
  return `  ${name.padEnd(30)} ${spread(of('perSecond'), whole)} sales/s; ${processor}`;
};

/** Compares an import with single sales. @returns whether it reaches its target */
export const compareImports = async (
  say: (line: string) => void,
  settings: Settings,
): Promise<boolean> => {
  const stage = new Stage();
  try {
    const { process: ours, tokens } = await stage.service(await stage.database());
    const singles = genericSales(ours.url, tokens);
    const [first] = singles;
    if (first === undefined) throw new Error('there are no partners');
    const { body: sale, headers } = first;
    const address = `${ours.url}/private/integration/sales/import`;
    const spent = () => ({
      server: processorTime(ours.pid) ?? Number.NaN,
      main: mainThreadTime(ours.pid),
      database: processorTime(stage.postgres.pid ?? 0) ?? Number.NaN,
    });
    const measure = async (
      sell: () => Promise<{ readonly count: number; readonly perSecond: number }>,
    ): Promise<Sample> => {
      const before = spent();
      const { count, perSecond } = await sell();
      const after = spent();
      const each = (part: keyof typeof before) => ((after[part] - before[part]) * 1_000) / count;
      return { perSecond, server: each('server'), main: each('main'), database: each('database') };
    };
    const importLines = async (lines: number) => {
      const file = newFile(sale, lines);
      const seconds = await importFile(address, headers.Authorization, file);
      return { count: lines, perSecond: lines / seconds };
    };

    await load(singles, CONNECTIONS, WARM_UP);
    await importLines(LINES / 5);
    const single: Sample[] = [];
    const imported: Sample[] = [];
    for (let round = 0; round < settings.rounds; round += 1) {
      single.push(await measure(() => load(singles, CONNECTIONS, SINGLE)));
      imported.push(await measure(() => importLines(LINES)));
    }
    const ratios = imported.map(
      ({ perSecond }, round) => perSecond / (single[round] as Sample).perSecond,
    );
    say(`${whole(LINES)} lines of ${Buffer.byteLength(sale)} bytes; ${settings.rounds} rounds`);
    say(lineOf('import', imported));
    say(lineOf(`single sales, ${CONNECTIONS} connections`, single));

    const alone = await lightLoad(singles.slice(1), OTHERS, BUSY_SECONDS);
    const running = importFile(address, headers.Authorization, newFile(sale, LINES));
    const beside = await lightLoad(singles.slice(1), OTHERS, BUSY_SECONDS);
    await running;
    const latency = ({ median: middle, p99 }: typeof alone) =>
      `median ${ms(middle)}, p99 ${ms(p99)}`;
    say(
      `others, ${OTHERS} connections: alone ${latency(alone)}; during an import ${latency(beside)}`,
    );

    const held = median(ratios) >= LEAST;
    say(
      `${held ? 'held  ' : 'MISSED'} ${spread(ratios, times)} the rate of single sales, at least ${LEAST}`,
    );
    settings.record('imports', { single, imported, alone, beside });
    return held;
  } finally {
    await stage.close();
  }
};
