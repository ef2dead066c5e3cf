import type { CalendarDate } from '#domain';
import { type Complaint, complain, type FieldFaults } from '../contract/field-faults.ts';
import { findAddressFaults, findBirthFaults } from '../contract/people.ts';
import { isReference } from './references.ts';
import { type Body, compilePath, type SaleFields } from './sale-fields.ts';

type FindFaults = (sound: Body, faults: FieldFaults, today: CalendarDate) => FieldFaults;

/**
 * Makes the function that finds the faults between fields which every body may have: a reference
 * without id and code, a municipality of another state, a person who is not born yet. `faults` are
 * those of single fields.
 */
export const compileCommonFaults = (fields: SaleFields): FindFaults => {
  const references = (['product', 'plan', 'coverages'] as const)
    .flatMap((part) => fields[part]?.[0] ?? [])
    .filter((path) => path.endsWith('.'))
    .map((path) => ({ path: path.slice(0, -1), read: compilePath(path) }));
  const [home] = fields.address ?? [];
  const readHome = compilePath(home);

  return function findCommonFaults(sound, faults, today) {
    const address = readHome(sound) as Parameters<typeof findAddressFaults>[0];
    const people = sound['additionalInsured'] as Parameters<typeof findBirthFaults>[0];
    const unnamed = references.flatMap(({ path, read }) => listUnnamed(path, read(sound), faults));
    return {
      ...(unnamed.length > 0 && Object.fromEntries(unnamed)),
      ...(address && findAddressFaults(address, home)),
      ...(people && findBirthFaults(people, today)),
    };
  };
};

/** Each reference must have an id or a code. */
const listUnnamed = (
  path: string,
  sent: unknown,
  faults: FieldFaults,
): readonly (readonly [field: string, complaints: readonly Complaint[]])[] => {
  if (Array.isArray(sent))
    return sent.flatMap((each, index) => listUnnamed(`${path}.${index}`, each, faults));
  const isFaulty = () => Object.keys(faults).some((each) => each.startsWith(`${path}.`));
  if (sent === undefined || isReference(sent as object) || isFaulty()) return [];
  return [[`${path}.id`, [complain('required', `O campo ${path} deve ter id ou code.`)]]];
};
