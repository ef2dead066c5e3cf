/** How the figures of several processes become one. `first`: only one process has the figure. */
export type Aggregator = 'sum' | 'max' | 'first';

/** What a metric is: its name, its meaning in English, and the names of its labels. */
export interface Description<Label extends string = string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
}

export interface Value {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** The name with a suffix, of the parts of a histogram. */
  readonly metricName?: string;
}

/** A metric and its values, as `prom-client` reads and aggregates them. */
export interface Figures {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly aggregator: string;
  readonly values: readonly Value[];
}

type Labels = Value['labels'];

/**
 * Finds what belongs to a combination of labels by one look into a map for each label. `prom-client`
 * makes and hashes a text for each observation, which would cost a sale more.
 */
class ByLabels<Child> {
  readonly #names: readonly string[];
  readonly #make: () => Child;
  readonly #root = new Map<string | number, unknown>();
  readonly all: (readonly [Labels, Child])[] = [];

  /** @param names at least one */
  constructor(names: readonly string[], make: () => Child) {
    this.#names = names;
    this.#make = make;
  }

  /** @param labels in the order of the names */
  at(...labels: readonly (string | number)[]): Child {
    let found: unknown = this.#root;
    for (const label of labels) {
      const next = (found as Map<string | number, unknown>).get(label);
      if (next === undefined) return this.#add(labels);
      found = next;
    }
    return found as Child;
  }

  #add(labels: readonly (string | number)[]): Child {
    const child = this.#make();
    let branch = this.#root;
    for (const label of labels.slice(0, -1)) {
      const next = (branch.get(label) ?? new Map()) as typeof branch;
      branch.set(label, next);
      branch = next;
    }
    branch.set(labels.at(-1) as string, child);
    const named = this.#names.map((name, index) => [name, labels[index] as string] as const);
    this.all.push([Object.fromEntries(named), child]);
    return child;
  }
}

class Count {
  total = 0;

  add(more = 1): void {
    this.total += more;
  }
}

/** Counts events by their labels. Its name ends with `_total`. */
export class Counter extends ByLabels<Count> {
  readonly #description: Description;

  constructor(description: Description) {
    super(description.labels, () => new Count());
    this.#description = description;
  }

  figures(): Figures {
    const { name, help } = this.#description;
    const values = this.all.map(([labels, { total: value }]) => ({ labels, value }));
    return { name, help, type: 'counter', aggregator: 'sum', values };
  }
}

class Distribution {
  readonly #bounds: readonly number[];
  /** Observations of each bucket alone; the last: above every bound. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = Array(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (value > (this.#bounds[bucket] as number)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.sum += value;
  }
}

/** Counts values by their size and labels. */
export class Histogram extends ByLabels<Distribution> {
  readonly #description: Description;
  readonly #bounds: readonly number[];

  /** @param bounds the inclusive upper bounds of the buckets, in order */
  constructor(description: Description, bounds: readonly number[]) {
    super(description.labels, () => new Distribution(bounds));
    this.#description = description;
    this.#bounds = bounds;
  }

  figures(): Figures {
    const { name, help } = this.#description;
    const values = this.all.flatMap(([labels, each]) => this.#valuesOf(labels, each));
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }

  #valuesOf(labels: Labels, { counts, sum }: Distribution): readonly Value[] {
    const { name } = this.#description;
    let count = 0;
    const buckets = counts.map((more, index) => {
      count += more;
      const le = this.#bounds[index] ?? '+Inf';
      return { labels: { ...labels, le }, value: count, metricName: `${name}_bucket` };
    });
    return [
      ...buckets,
      { labels, value: sum, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ];
  }
}

/** A figure that is read at a scrape. */
export const gauge = (
  { name, help, labels }: Description,
  aggregator: Aggregator,
  rows: readonly (readonly [value: number, ...labels: readonly string[]])[],
): Figures => {
  const values = rows.map(([value, ...given]) => ({
    value,
    labels: Object.fromEntries(labels.map((label, index) => [label, given[index] as string])),
  }));
  return { name, help, type: 'gauge', aggregator, values };
};
