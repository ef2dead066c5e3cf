import { median, shuffled } from './figures.ts';
import { lightLoad } from './light-load.ts';
import { type Load, load } from './load.ts';
import { familyOf, machineTime, mainThreadTime, ownTime, processorTime } from './processor-time.ts';
import { isWrkInstalled, wrkLoad } from './wrk-load.ts';

export interface Contender {
  readonly name: string;
  /** The id of its server's first process. */
  readonly pid: number;
  readonly requests: Parameters<typeof load>[0];
}

/** One contender in one round. Times are µs of processor per request. */
export interface Sample extends Load {
  readonly server: number;
  /** The main thread's part of `server`: one process can do no more. */
  readonly main: number;
  readonly database: number;
  readonly load: number;
  /** Share of all cores that stayed idle. */
  readonly idle: number;
}

export interface RoundsPlan {
  readonly rounds: number;
  /** Seconds of load per contender and round. */
  readonly seconds: number;
  readonly connections: number;
  /** The id of the database server's first process, where it runs here. */
  readonly databasePid: number | undefined;
  readonly load?: 'usual' | 'light';
}

/** Seconds of load that do not count: before each measurement, and once per contender. */
const [WARM_UP, FIRST_WARM_UP] = [1, 15];

/** Measures each contender in each round, in random order: changes of the machine hit all alike. */
export class Rounds {
  readonly #samples = new Map<string, Sample[]>();

  async run(contenders: readonly Contender[], { rounds, ...plan }: RoundsPlan): Promise<this> {
    for (let round = 0; round < rounds; round += 1) {
      for (const each of shuffled(contenders)) {
        const sample = await alone(each, contenders, () => sampleOf(each, plan));
        this.#samples.set(each.name, [...this.of(each.name), sample]);
      }
    }
    return this;
  }

  of(name: string): readonly Sample[] {
    return this.#samples.get(name) ?? [];
  }

  /** The ratio of a figure of two contenders, round by round. */
  ratios(name: string, beside: string, figure: (sample: Sample) => number): readonly number[] {
    const others = this.of(beside);
    return this.of(name).map((sample, round) => figure(sample) / figure(others[round] as Sample));
  }

  get all(): Readonly<Record<string, readonly Sample[]>> {
    return Object.fromEntries(this.#samples);
  }
}

/** Stops the other contenders while one is measured: the service would send mails meanwhile. */
const alone = async <Result>(
  one: Contender,
  all: readonly Contender[],
  work: () => Promise<Result>,
): Promise<Result> => {
  const others = new Set(all.map(({ pid }) => pid).filter((pid) => pid !== one.pid));
  const standing = [...others].flatMap(familyOf);
  for (const pid of standing) process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    for (const pid of standing) process.kill(pid, 'SIGCONT');
  }
};

/** A light load is that of `wrk` where it is installed. */
const loadOf = (kind: RoundsPlan['load']) => {
  if (kind !== 'light') return load;
  return isWrkInstalled ? wrkLoad : lightLoad;
};

const sampleOf = async (
  { pid, requests }: Contender,
  { connections, seconds, databasePid, load: kind }: Omit<RoundsPlan, 'rounds'>,
): Promise<Sample> => {
  const ask = loadOf(kind);
  const spent = () => ({
    server: processorTime(pid) ?? Number.NaN,
    main: mainThreadTime(pid),
    database: processorTime(databasePid ?? 0) ?? Number.NaN,
    load: ownTime(),
    machine: machineTime(),
  });
  await ask(requests, connections, WARM_UP);
  const before = spent();
  const found = await ask(requests, connections, seconds);
  const after = spent();
  const each = (milliseconds: number): number => (milliseconds * 1000) / found.count;
  const idle = after.machine.idle - before.machine.idle;
  return {
    ...found,
    server: each(after.server - before.server),
    main: each(after.main - before.main),
    database: each(after.database - before.database),
    load: each(after.load - before.load),
    idle: idle / (after.machine.all - before.machine.all),
  };
};

const microseconds = (value: number): string =>
  Number.isNaN(value) ? 'not measured' : `${Math.round(value)} µs`;

/** Compiles the code and opens the connections of each contender before the measurements. */
export const warmUp = async (contenders: readonly Contender[]): Promise<void> => {
  for (const each of contenders)
    await alone(each, contenders, () => load(each.requests, 32, FIRST_WARM_UP));
};

/** A line of the table: medians of rate, latency and processor time. */
export const lineOf = (name: string, samples: readonly Sample[]): string => {
  const of = (figure: (sample: Sample) => number): number => median(samples.map(figure));
  const range = samples.map(({ perSecond }) => Math.round(perSecond));
  const rate = `${Math.round(of(({ perSecond }) => perSecond))}/s (${Math.min(...range)} to ${Math.max(...range)})`;
  const latency = `p99 ${of((each) => each.p99).toFixed(1)} ms, median ${of((each) => each.median).toFixed(2)} ms`;
  const spent = (figure: (sample: Sample) => number): string => microseconds(of(figure));
  const sum = of(({ server, database }) => server + database);
  const processor = `processor ${microseconds(sum)}: server ${spent(({ server }) => server)} (main thread ${spent(({ main }) => main)}), database ${spent(({ database }) => database)}, load ${spent((each) => each.load)}, idle ${Math.round(of(({ idle }) => idle) * 100)} %`;
  return `  ${name.padEnd(26)} ${processor} · ${latency} · ${rate}`;
};
