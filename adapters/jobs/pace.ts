/** The share of its time above which a process is busy. */
const BUSY = 0.2;

interface Pace {
  readonly most: number;
  readonly whileBusy: number;
}

/**
 * How much may be done now of what can wait, asked for again and again: little while the process is busy, and after that
 * twice as much each time. Certificates may wait, whoever sells does not.
 */
export const pacedBy = (
  { most, whileBusy }: Pace,
  utilization = sinceLastTime(),
): (() => number) => {
  let now = most;
  return () => {
    now = utilization() > BUSY ? whileBusy : Math.min(most, now * 2);
    return now;
  };
};

/** The share of the time since it was asked last in which the event loop was at work. */
const sinceLastTime = (): (() => number) => {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
};
