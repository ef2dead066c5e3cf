import type { FieldCode } from './error-codes.ts';

/** What is wrong with a field: for programs, and for people in Portuguese. */
export interface Complaint {
  readonly code: FieldCode;
  readonly message: string;
}

/** Field names, dotted where nested, each with every complaint about the field. */
export type FieldFaults = Readonly<Record<string, readonly Complaint[]>>;

export const complain = (code: FieldCode, message: string): Complaint => ({ code, message });

/** The faults of a body in which one field has one fault. */
export const faultAt = (field: string, code: FieldCode, message: string): FieldFaults => ({
  [field]: [complain(code, message)],
});

/** Groups complaints by field. Repeated messages are left out. */
export const groupFaults = (
  complaints: Iterable<readonly [field: string, complaint: Complaint]>,
): FieldFaults => {
  // A Map, because a field may have the name of an inherited property, such as `__proto__`.
  const faults = new Map<string, Complaint[]>();
  for (const [field, complaint] of complaints) {
    const known = faults.get(field);
    if (known === undefined) faults.set(field, [complaint]);
    else if (!known.some(({ message }) => message === complaint.message)) known.push(complaint);
  }
  return Object.fromEntries(faults);
};

const mapComplaints = <Value>(
  faults: FieldFaults,
  change: (complaint: Complaint) => Value,
): Readonly<Record<string, readonly Value[]>> =>
  Object.fromEntries(Object.entries(faults).map(([field, each]) => [field, each.map(change)]));

/** The messages of each field. */
export const messagesOf = (faults: FieldFaults): Readonly<Record<string, readonly string[]>> =>
  mapComplaints(faults, ({ message }) => message);

/** The codes of each field, in the order of its messages. */
const codesOf = (faults: FieldFaults): Readonly<Record<string, readonly FieldCode[]>> =>
  mapComplaints(faults, ({ code }) => code);

/** The fields of an error body that describe faults. */
export const faultFields = (faults: FieldFaults) => ({
  errors: messagesOf(faults),
  error_codes: codesOf(faults),
});

/** The first message; undefined if there are no faults. */
export const firstMessage = (faults: FieldFaults): string | undefined =>
  Object.values(faults)[0]?.[0]?.message;

/** The first message of each field. */
export const firstMessages = (faults: FieldFaults): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(faults).map(([field, [first]]) => [field, first?.message ?? '']),
  );

/** Longest value of a header that names fields, in characters. */
const MAX_HEADER_LENGTH = 1_000;

/**
 * The header that names the fields at fault, as `nomeCompleto=required, cpfCnpj=invalid_tax_id`. In
 * names, all but letters, digits, `.`, `_` and `-` is escaped with percent signs. Faults that do
 * not fit into 1,000 characters are left out.
 */
export const faultHeaders = (faults: FieldFaults): Readonly<Record<string, string>> => {
  const items = Object.entries(faults).flatMap(([field, complaints]) =>
    complaints.map(({ code }) => `${escapeName(field)}=${code}`),
  );
  const value = joinItems(items);
  return value === '' ? {} : { 'X-Error-Fields': value };
};

/** The value of a header that lists names of fields, escaped and bounded in the same way. */
export const writeNames = (names: readonly string[]): string => joinItems(names.map(escapeName));

const joinItems = (items: readonly string[]): string => {
  let value = '';
  for (const each of items) {
    const item = value === '' ? each : `, ${each}`;
    if (value.length + item.length <= MAX_HEADER_LENGTH) value += item;
  }
  return value;
};

const escapeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /[!'()*~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
