export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const spread = (values: readonly number[], show: (value: number) => string): string =>
  `${show(median(values))} (${show(Math.min(...values))} to ${show(Math.max(...values))})`;

export const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** Milliseconds. */
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

export const times = (value: number): string => `${value.toFixed(2)} x`;

export const shuffled = <Item>(items: readonly Item[]): readonly Item[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
