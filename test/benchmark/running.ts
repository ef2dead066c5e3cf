import { median, ms, spread, times, whole } from './figures.ts';
import { lightLoad } from './light-load.ts';
import { load } from './load.ts';
import { residentMemory } from './processor-time.ts';
import { type Contender, lineOf, Rounds, warmUp } from './rounds.ts';
import { CREATE, ticketSales } from './sales-contenders.ts';
import { ServerProcess } from './server-process.ts';
import type { Settings } from './settings.ts';
import { Stage } from './stage.ts';

const STARTS = 5;
const READY = /"baseUrl":"([^"]+)"/;

const megabytes = (pid: number): string => `${Math.round(residentMemory(pid) ?? Number.NaN)} MB`;

/** Starts the service several times. @returns milliseconds until it answers */
const startsOf = async (
  environment: Readonly<Record<string, string>>,
): Promise<readonly number[]> => {
  const found: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    const started = new ServerProcess(['bootstrap/main.ts'], environment);
    found.push(await started.ready(READY));
    await started.end('SIGTERM');
  }
  return found;
};

const WARM_UP_SECONDS = 20;
const SLICE_SECONDS = 0.5;

/**
 * Loads a service that has just started.
 *
 * @returns seconds until 90 % of the rate that it reaches in the end, and its first rate's share
 */
const warmUpOf = async (requests: Parameters<typeof lightLoad>[0]) => {
  const rates: number[] = [];
  for (let slice = 0; slice < WARM_UP_SECONDS / SLICE_SECONDS; slice += 1)
    rates.push((await lightLoad(requests, 32, SLICE_SECONDS)).perSecond);
  const warm = median(rates.slice(-10));
  const reached = rates.findIndex((each) => each >= 0.9 * warm);
  return { seconds: (reached + 1) * SLICE_SECONDS, first: (rates[0] ?? 0) / warm };
};

/** Measures the start, and the memory before and after load, on PostgreSQL and embedded. */
export const timeStarts = async (
  say: (line: string) => void,
  settings: Settings,
): Promise<boolean> => {
  const stage = new Stage();
  try {
    for (const name of ['PostgreSQL', 'embedded'] as const) {
      const url = name === 'embedded' ? undefined : await stage.database();
      const { process: ours, tokens, startedIn, environment } = await stage.service(url);
      const before = megabytes(ours.pid);
      const requests = ticketSales(`${ours.url}${CREATE}`, tokens);
      const { seconds, first } = await warmUpOf(requests);
      say(
        `${name}, cold: ${seconds} s until 90 % of the warm rate; ${Math.round(first * 100)} % of it in the first ${SLICE_SECONDS} s`,
      );
      for (const connections of settings.connections) {
        await load(requests, connections, 3);
        const {
          perSecond,
          median: middle,
          p99,
        } = await load(requests, connections, settings.seconds * 2);
        const latency = `median ${ms(middle)}, p99 ${ms(p99)}`;
        say(
          `${name}, ${connections} connection${connections === 1 ? '' : 's'}: ${whole(perSecond)} sales/s, ${latency}`,
        );
      }
      say(`${name}, memory: ${before} after the start, ${megabytes(ours.pid)} after the rush`);
      await ours.end('SIGTERM');
      const starts = await startsOf(environment);
      say(
        `${name}, until it takes requests: ${spread(starts, ms)}, the first time ${ms(startedIn)}`,
      );
      settings.record(`starts on ${name}`, starts);
    }
    return true;
  } finally {
    await stage.close();
  }
};

/** Compares one process with several on one port. */
export const compareProcesses = async (
  say: (line: string) => void,
  settings: Settings,
): Promise<boolean> => {
  const stage = new Stage();
  try {
    const contenders: Contender[] = [];
    for (const processes of [1, 2]) {
      const url = await stage.database();
      const { process: ours, tokens } = await stage.service(url, {
        WEB_CONCURRENCY: String(processes),
      });
      const ready = () => ours.output.match(/"msg":"ready"/g)?.length ?? 0;
      while (ready() < processes) await new Promise((resolve) => setTimeout(resolve, 20));
      contenders.push({
        name: `WEB_CONCURRENCY=${processes}`,
        pid: ours.pid,
        requests: ticketSales(`${ours.url}${CREATE}`, tokens),
      });
    }
    await warmUp(contenders);
    for (const connections of settings.connections.filter((each) => each > 1)) {
      const plan = { ...settings, connections, databasePid: stage.postgres.pid };
      const found = await new Rounds().run(contenders, plan);
      say(`${connections} connections:`);
      for (const { name, pid } of contenders) {
        const ratios = found.ratios(name, 'WEB_CONCURRENCY=1', ({ perSecond }) => perSecond);
        say(
          `${lineOf(name, found.of(name))}, ${megabytes(pid)}, ${times(median(ratios))} that of one`,
        );
      }
      settings.record(`processes at ${connections}`, found.all);
    }
    return true;
  } finally {
    await stage.close();
  }
};
