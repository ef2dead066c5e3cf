const BYTES_PER_KIB = 1_024;

/** Time between two pictures, ms. */
const REDRAW_MS = 100;
const BAR_WIDTH = 40;

/** Shows how far the command is: on a terminal only, and on stderr. */
export interface Progress {
  /** @param bytes done in all */
  update(bytes: number): void;
  stop(): void;
}

const NO_PROGRESS: Progress = { update: () => {}, stop: () => {} };

const kibibytes = (bytes: number): number => Math.ceil(bytes / BYTES_PER_KIB);

const describe = (done: number, total: number | undefined): string => {
  if (total === undefined) return `${kibibytes(done)} KiB`;
  const share = Math.min(1, done / Math.max(1, total));
  const bar = '█'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '░');
  const percent = Math.floor(share * 100);
  return `${bar} ${percent} % | ${kibibytes(done)} de ${kibibytes(total)} KiB`;
};

/** @param totalBytes undefined if it is not known */
export const showProgress = (label: string, totalBytes: number | undefined): Progress => {
  if (!process.stderr.isTTY) return NO_PROGRESS;
  let done = 0;
  const draw = (): void =>
    void process.stderr.write(`\r\x1b[K${label} ${describe(done, totalBytes)}`);
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    update(bytes) {
      done = bytes;
    },
    stop() {
      clearInterval(timer);
      draw();
      process.stderr.write('\n');
    },
  };
};
