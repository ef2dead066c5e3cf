/**
 * The processor time that work takes in this process, ms: the least of at most three attempts,
 * because what was before may still be cleared up beside the first. Unlike wall time, it does not
 * depend on what else the machine does.
 *
 * @param enough ends with the first attempt that takes less, ms
 * @returns the result of the last attempt
 */
export const processorTimeOf = async <Result>(
  enough: number,
  work: () => Result | Promise<Result>,
): Promise<{ readonly result: Result; readonly ms: number }> => {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 1; ; attempt += 1) {
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
    if (least < enough || attempt === 3) return { result, ms: least };
  }
};

/**
 * The least wall time of at most ten attempts, ms. A busy machine delays some of them, a fault
 * delays all.
 *
 * @param enough ends with the first attempt that takes less, ms
 * @param attempt @returns what it took, ms
 */
export const leastTimeOf = async (
  enough: number,
  attempt: () => Promise<number>,
): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < 10 && least >= enough; count += 1)
    least = Math.min(least, await attempt());
  return least;
};
