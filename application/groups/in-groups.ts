import { Unavailable } from '../unavailable.ts';

/** What each group of channels has, by its number; of a group out of reach, what fails. */
export type InGroups<Port> = () => ReadonlyMap<number, Port>;

/** What all groups that answered say, and the numbers of those that did not. */
export interface Answers<Answer> {
  readonly found: ReadonlyMap<number, Answer>;
  readonly incomplete: readonly number[];
}

/** Asks each group. @throws Unavailable where none answers */
export const askGroups = async <Port, Answer>(
  ports: ReadonlyMap<number, Port>,
  ask: (port: Port, group: number) => Promise<Answer>,
): Promise<Answers<Answer>> => {
  const found = new Map<number, Answer>();
  const failures = new Map<number, Unavailable>();
  const askOne = async ([group, port]: [number, Port]): Promise<void> => {
    try {
      found.set(group, await ask(port, group));
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      failures.set(group, error);
    }
  };
  await Promise.all([...ports].map(askOne));
  const [failure] = failures.values();
  if (failure !== undefined && found.size === 0) throw failure;
  return { found, incomplete: [...failures.keys()].sort((one, other) => one - other) };
};
