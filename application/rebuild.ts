export interface RebuildStep {
  /** How many sales the step has entered; 0 at the end. */
  readonly entered: number;
  /** Where the next step goes on. */
  readonly next: number;
}

/**
 * Rebuilds what is derived from sales, the newest first, step by step.
 *
 * @param report gets how many sales have been entered, after each step
 * @returns how many
 */
export const rebuildBySteps = async (
  enter: (before: number) => Promise<RebuildStep>,
  report: (entered: number) => void,
): Promise<number> => {
  let [entered, before] = [0, Number.MAX_SAFE_INTEGER];
  for (;;) {
    const step = await enter(before);
    if (step.entered === 0) return entered;
    entered += step.entered;
    before = step.next;
    report(entered);
  }
};
