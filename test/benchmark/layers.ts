import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/children.ts';
import { load } from './load.ts';
import { processorTime } from './processor-time.ts';
import { CREATE, ticketSales } from './sales-contenders.ts';
import type { Settings } from './settings.ts';
import { Stage } from './stage.ts';

/** The layers by file and function; the first pattern that matches counts. */
const LAYERS: readonly (readonly [string, RegExp])[] = [
  ['garbage collector', /\(garbage collector\)/],
  ['body', /request-body|compiled\.ts readText|koa-bodyparser|co-body|raw-body|bourne|inflation/],
  [
    'token',
    /identifyByToken|identity\/authenticate|access-tokens|jsonwebtoken|persistence\/clients|local-copy/,
  ],
  ['limits', /rate-limits|identity\/counters/],
  ['log', /\/pino\/|sonic-boom/],
  [
    'pricing',
    /selling\/(?!sell|repeated)|domain\/src|read-product|persistence\/catalogue|json-schema/,
  ],
  ['write', /adapters\/persistence|\/pg\/|pg-protocol|pg-pool|selling\//],
  [
    'validation',
    /contract\/(validation|formats|complaints|domain-values)|\/ajv\/|-body\.ts|create-sale\.ts read|idempotency/,
  ],
  [
    'answer',
    /koa\/lib\/(response|application)|respond|ServerResponse|_http_outgoing|[-/]answers\.ts/,
  ],
  ['mail', /adapters\/(mail|documents|jobs)|nodemailer|pg-boss|piscina/],
  ['HTTP, Koa and its steps', /node:|koa|adapters\/http/],
];

interface Node {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Milliseconds by layer. A function in no layer counts for its caller. */
const byLayer = ({ nodes, samples, timeDeltas }: Profile): Map<string, number> => {
  const own = new Map<number, number>();
  for (const [index, id] of samples.entries())
    own.set(id, (own.get(id) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
  const known = new Map(nodes.map((node) => [node.id, node]));
  const sums = new Map<string, number>();
  const walk = (
    { id, callFrame: { functionName, url }, children = [] }: Node,
    caller: string,
  ): void => {
    const name = `${url} ${functionName}`;
    const found = LAYERS.find(([layer, pattern]) => layer !== OTHER && pattern.test(name))?.[0];
    const layer = found ?? (caller === '' && LAYERS.at(-1)?.[1].test(name) ? OTHER : caller);
    sums.set(layer, (sums.get(layer) ?? 0) + (own.get(id) ?? 0));
    for (const child of children)
      walk(known.get(child) as Node, functionName === '(root)' ? '' : layer);
  };
  walk(nodes[0] as Node, '');
  return sums;
};

const OTHER = 'HTTP, Koa and its steps';
const SECONDS = 10;

/** Profiles an Ingresso create (`node --cpu-prof`), and prints the main thread's time by layer. */
export const profileLayers = async (
  say: (line: string) => void,
  settings: Settings,
): Promise<boolean> => {
  const stage = new Stage();
  const folder = temporaryFolder();
  try {
    const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
    const { process: ours, tokens } = await stage.service(await stage.database(), {}, flags);
    const requests = ticketSales(`${ours.url}${CREATE}`, tokens);
    const warm = await load(requests, 128, SECONDS / 2);
    const before = processorTime(ours.pid) ?? Number.NaN;
    const { count, perSecond } = await load(requests, 128, SECONDS);
    const spent = (((processorTime(ours.pid) ?? Number.NaN) - before) * 1000) / count;
    await ours.end('SIGTERM');
    const [file = ''] = readdirSync(folder).sort();
    const sums = byLayer(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile);
    const layers = LAYERS.map(
      ([layer]) => [layer, ((sums.get(layer) ?? 0) * 1000) / (count + warm.count)] as const,
    );
    say(
      `Ingresso create at 128 connections, under the profiler: ${Math.round(perSecond)}/s, ${Math.round(spent)} µs of processor each`,
    );
    say('On the main thread, microseconds each, waiting for others on the same cores included:');
    for (const [layer, each] of [...layers].sort(([, a], [, b]) => b - a))
      say(`  ${layer.padEnd(26)} ${each.toFixed(0).padStart(4)}`);
    settings.record('layers', Object.fromEntries(layers));
    return true;
  } finally {
    await stage.close();
  }
};
