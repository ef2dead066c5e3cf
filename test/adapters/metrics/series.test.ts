import { expect } from 'chai';
import { Counter, Histogram, Registry } from 'prom-client';
import { exposeFigures, mergeFigures } from '../../../adapters/metrics/exposition.ts';
import * as own from '../../../adapters/metrics/series.ts';

const BOUNDS = [0.1, 1, 10];
const LABELS = ['route', 'status'] as const;
const SEEN: readonly (readonly [string, number, number])[] = [
  ['/a', 200, 0.05],
  ['/a', 200, 0.1],
  ['/a', 500, 0.1000001],
  ['/b', 200, 10],
  ['/a', 200, 11],
  ['/b', 200, 0],
];

/** The lines of an exposition, each with its labels in alphabetical order. */
const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) =>
      line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`),
    )
    .sort();

const measured = (): readonly own.Figures[] => {
  const histogram = new own.Histogram({ name: 'took', help: 'Took.', labels: LABELS }, BOUNDS);
  const counter = new own.Counter({ name: 'came_total', help: 'Came.', labels: LABELS });
  for (const [route, status, value] of SEEN) {
    histogram.at(route, status).observe(value);
    counter.at(route, status).add();
  }
  return [histogram.figures(), counter.figures()];
};

describe('a series of figures', () => {
  it("is exposed as prom-client's own metrics are", async () => {
    const registers = [new Registry()];
    const common = { labelNames: LABELS, registers };
    const histogram = new Histogram({ ...common, name: 'took', help: 'Took.', buckets: BOUNDS });
    const counter = new Counter({ ...common, name: 'came_total', help: 'Came.' });
    for (const [route, status, value] of SEEN) {
      histogram.labels(route, String(status)).observe(value);
      counter.labels(route, String(status)).inc();
    }
    const expected = linesOf((await registers[0]?.metrics()) ?? '');
    expect(expected).to.have.length.above(20);
    expect(linesOf(await exposeFigures([measured()]))).to.deep.equal(expected);
  });

  it('is added up over processes, also those that have ended', async () => {
    const merged = await mergeFigures([measured(), measured()]);
    const text = await exposeFigures([merged, measured()]);
    expect(text).to.include('came_total{route="/a",status="200"} 9');
    expect(text).to.include('took_bucket{route="/a",status="200",le="0.1"} 6');
    expect(text).to.include('took_bucket{route="/a",status="200",le="+Inf"} 9');
    expect(text).to.include('took_count{route="/b",status="200"} 6');
  });

  it('survives the way between processes, as JSON', async () => {
    const sent = JSON.parse(JSON.stringify(measured())) as readonly own.Figures[];
    expect(await exposeFigures([sent])).to.equal(await exposeFigures([measured()]));
  });
});
