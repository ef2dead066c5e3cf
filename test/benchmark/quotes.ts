import { cpus } from 'node:os';
import { Bench } from 'tinybench';
import { median, shuffled, spread, whole } from './figures.ts';
import { assertAlike, ours, withDinero } from './quote-contenders.ts';

const ROUNDS = 7;
/** Per contender and round. */
const [WARM_UP_MS, TIME_MS] = [300, 1_000];
/** Quotes per second on one core. */
const FLOOR = 200_000;

const CONTENDERS = { ours, 'dinero.js': withDinero };
type Name = keyof typeof CONTENDERS;
type Round = Readonly<Record<Name, number>>;

/** Measures each contender's quotes per second, in random order. */
const round = async (): Promise<Round> => {
  const bench = new Bench({ time: TIME_MS, warmupTime: WARM_UP_MS });
  for (const name of shuffled(Object.keys(CONTENDERS) as Name[])) bench.add(name, CONTENDERS[name]);
  await bench.run();
  const perSecond = (name: Name): number => {
    const result = bench.getTask(name)?.result;
    if (result === undefined || !('throughput' in result))
      throw new Error(`${name} gave no result`);
    return 1_000 / result.latency.mean;
  };
  return { ours: perSecond('ours'), 'dinero.js': perSecond('dinero.js') };
};

/** Compares a quote of the domain with dinero.js. @returns whether the floor is reached */
export const compareQuotes = async (say: (line: string) => void): Promise<boolean> => {
  assertAlike();
  const rounds: Round[] = [];
  for (let count = 0; count < ROUNDS; count += 1) rounds.push(await round());

  say(
    `A quote: tariff, 2 coverages, IOF, 2 commissions, 12 installments with due dates, on ${cpus()[0]?.model}.`,
  );
  say(`Median and range of ${ROUNDS} rounds, one core, Node ${process.version}.\n`);
  for (const name of Object.keys(CONTENDERS) as Name[]) {
    const rates = rounds.map((each) => each[name]);
    say(`${name.padEnd(12)} ${spread(rates, whole)} per second`);
  }
  const ratios = rounds.map((each) => each.ours / each['dinero.js']);
  say(`ratio        ${spread(ratios, (value) => `${value.toFixed(1)} x`)}`);
  const reached = median(rounds.map((each) => each.ours)) >= FLOOR;
  say(`floor        ${whole(FLOOR)} per second: ${reached ? 'reached' : 'MISSED'}`);
  return reached;
};
