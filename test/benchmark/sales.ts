import { cpus } from 'node:os';
import { median, spread, times } from './figures.ts';
import { lineOf, Rounds, type Sample, warmUp } from './rounds.ts';
import * as contenders from './sales-contenders.ts';
import type { Settings } from './settings.ts';
import { Stage } from './stage.ts';

const { FLOOR, GROUP_FLOOR, FASTIFY, NEST, INGRESSO, GENERIC, READ_FLOOR, BY_ID, BY_TICKET } =
  contenders;

const rate = ({ perSecond }: Sample): number => perSecond;
const processor = ({ server, database }: Sample): number => server + database;
const latency = (sample: Sample): number => sample.median;
const worst = ({ p99 }: Sample): number => p99;

/** A target: the median ratio of a figure of two contenders, at some number of connections. */
interface Target {
  readonly load?: 'light';
  readonly at: number;
  readonly of: string;
  readonly beside: string;
  readonly figure: (sample: Sample) => number;
  readonly what: string;
  readonly least?: number;
  readonly most?: number;
}

const PROCESSOR = 'processor time';

const TARGETS: readonly Target[] = [
  ...[
    { at: 32, groups: 1.6 },
    { at: 128, groups: 1.4 },
  ].flatMap(({ at, groups }): Target[] => [
    { load: 'light', at, of: INGRESSO, beside: FLOOR, figure: processor, what: PROCESSOR, most: 1 },
    { load: 'light', at, of: GENERIC, beside: FLOOR, figure: processor, what: PROCESSOR, most: 1 },
    {
      ...({ load: 'light', at, of: INGRESSO, beside: GROUP_FLOOR } as const),
      ...{ figure: processor, what: PROCESSOR, most: groups },
    },
    { at, of: INGRESSO, beside: FASTIFY, figure: rate, what: 'rate', least: 3 },
    { at, of: INGRESSO, beside: NEST, figure: rate, what: 'rate', least: 5 },
  ]),
  { load: 'light', at: 32, of: INGRESSO, beside: FLOOR, figure: worst, what: 'p99', most: 1.2 },
  { at: 1, of: INGRESSO, beside: FLOOR, figure: latency, what: 'median latency', most: 1.5 },
  { at: 32, of: BY_ID, beside: READ_FLOOR, figure: rate, what: 'rate', least: 0.85 },
  { at: 32, of: BY_TICKET, beside: READ_FLOOR, figure: rate, what: 'rate', least: 0.5 },
];

/** Compares sales and lookups with the contenders'. @returns whether all targets hold */
export const compareSales = async (
  say: (line: string) => void,
  settings: Settings,
): Promise<boolean> => {
  const stage = new Stage();
  try {
    const { writers, readers } = await contenders.contendersOn(stage, say);
    say(
      `Load, servers and database share ${cpus().length} cores of ${cpus()[0]?.model}; Node ${process.version}.`,
    );
    await warmUp([...writers, ...readers]);
    let held = true;
    for (const connections of settings.connections) {
      const plan = { ...settings, connections, databasePid: stage.postgres.pid };
      const found = await new Rounds().run([...writers, ...readers], plan);
      say(
        `\n${connections} connection${connections === 1 ? '' : 's'}, ${settings.load} load, medians of ${settings.rounds} rounds of ${settings.seconds} s:`,
      );
      for (const { name } of [...writers, ...readers]) say(lineOf(name, found.of(name)));
      for (const [of, beside] of [...pairs(writers, FLOOR), ...pairs(readers, READ_FLOOR)])
        for (const [what, figure] of [
          [PROCESSOR, processor],
          ['p99', worst],
          ['rate', rate],
        ] as const)
          say(
            `  ${`${of} / ${beside}, ${what}`.padEnd(72)} ${spread(found.ratios(of, beside, figure), times)}`,
          );
      for (const target of TARGETS.filter(
        ({ at, load = 'usual' }) => at === connections && load === settings.load,
      ))
        held = holds(target, found, say) && held;
      settings.record(`sales at ${connections}, ${settings.load} load`, found.all);
    }
    return held;
  } finally {
    await stage.close();
  }
};

/** Pairs each of ours with each other contender, and each other one with the floor. */
function* pairs(
  table: readonly { readonly name: string }[],
  floor: string,
): Generator<[string, string]> {
  const ours = table.filter(({ name }) => name.startsWith('ours'));
  const others = table.filter(({ name }) => !name.startsWith('ours'));
  for (const { name } of ours) for (const other of others) yield [name, other.name];
  for (const { name } of others) if (name !== floor) yield [name, floor];
}

const holds = (
  { of, beside, figure, what, least, most }: Target,
  found: Rounds,
  say: (line: string) => void,
): boolean => {
  const reached = median(found.ratios(of, beside, figure));
  const held = reached >= (least ?? 0) && reached <= (most ?? Number.POSITIVE_INFINITY);
  const bound = least === undefined ? `at most ${most}` : `at least ${least}`;
  say(
    `  ${held ? 'held  ' : 'MISSED'} ${what} of ${of}: ${times(reached)} that of ${beside}, ${bound}`,
  );
  return held;
};
