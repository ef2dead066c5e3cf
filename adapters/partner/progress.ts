import { Presets, SingleBar } from 'cli-progress';

const BYTES_PER_KIB = 1_024;

const kibibytes = (bytes: number): string => String(Math.ceil(bytes / BYTES_PER_KIB));

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
      ? `${label} {value} KiB`
      : `${label} {bar} {percentage} % | {value} de {total} KiB`;
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
  type === 'value' || type === 'total' ? kibibytes(value) : String(value);
