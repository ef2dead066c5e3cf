import { Presets, SingleBar } from 'cli-progress';

const BYTES_PER_MIB = 1_048_576;

const mebibytes = (bytes: number): string => (bytes / BYTES_PER_MIB).toFixed(1);

/** Shows how far the command is: on a terminal only, and on stderr. */
export interface Progress {
  /** @param bytes done in all. */
  update(bytes: number): void;
  stop(): void;
}

const NO_PROGRESS: Progress = { update: () => {}, stop: () => {} };

/** @param totalBytes Undefined if it is not known. */
export const showProgress = (label: string, totalBytes: number | undefined): Progress => {
  if (!process.stderr.isTTY) return NO_PROGRESS;
  const format =
    totalBytes === undefined
      ? `${label} {value} MiB`
      : `${label} {bar} {percentage} % | {value} de {total} MiB`;
  const bar = new SingleBar(
    { format, formatValue: showValue, hideCursor: true, stream: process.stderr },
    Presets.shades_classic,
  );
  bar.start(totalBytes ?? 0, 0);
  return {
    update: (bytes) => bar.update(bytes),
    stop: () => bar.stop(),
  };
};

const showValue = (value: number, _: unknown, type: string): string =>
  type === 'value' || type === 'total' ? mebibytes(value) : String(value);
