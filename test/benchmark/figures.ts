export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const spread = (values: readonly number[], show: (value: number) => string): string =>
  `${show(median(values))} (${show(Math.min(...values))} to ${show(Math.max(...values))})`;

export const whole = (value: number): string => Math.round(value).toLocaleString('en');
