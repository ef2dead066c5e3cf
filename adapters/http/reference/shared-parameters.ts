import type { Parameter } from './parameters.ts';

type Described = Parameter | { readonly $ref: string };

interface WithParameters {
  readonly parameters?: readonly Parameter[];
}

/**
 * Replaces parameters that several operations share by references. The components have the names of
 * the parameters; where two different parameters of one name are shared, the first one gets it.
 */
export const shareParameters = (
  operations: readonly WithParameters[],
): {
  readonly components: Readonly<Record<string, Parameter>>;
  readonly refer: (parameter: Parameter) => Described;
} => {
  const counts = new Map<string, { readonly parameter: Parameter; count: number }>();
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    const key = keyOf(parameter);
    const known = counts.get(key) ?? { parameter, count: 0 };
    known.count += 1;
    counts.set(key, known);
  }

  const components: Record<string, Parameter> = {};
  for (const { parameter, count } of counts.values())
    if (count > 1) components[parameter.name] ??= parameter;

  const refer = (parameter: Parameter): Described => {
    const { name } = parameter;
    const shared = components[name];
    return shared !== undefined && keyOf(shared) === keyOf(parameter)
      ? { $ref: `#/components/parameters/${name}` }
      : parameter;
  };
  return { components, refer };
};

/** The same parameter may have another example in each operation. */
const keyOf = ({ example: _, ...parameter }: Parameter): string => JSON.stringify(parameter);
