/**
 * The processor time that work takes in this process, ms. Unlike wall time, it does not depend on
 * what else the machine does.
 */
export const processorTimeOf = async <Result>(
  work: () => Result | Promise<Result>,
): Promise<{ readonly result: Result; readonly ms: number }> => {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1_000 };
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
