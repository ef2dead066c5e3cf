import { type Fault, type FaultKind, messageOf } from '#domain';
import type { PutOutcome } from '../../../application/catalogue/manage-catalogue.ts';
import { type AnswerError, invalidFields, standardError } from './answer-error.ts';
import { type Field, findPlace, type Place } from './catalogue-fields.ts';
import { CHANNEL, PRODUCT } from './catalogue-shapes.ts';
import { MAX_LISTED_FAULTS } from './complaints.ts';
import type { FieldCode } from './error-codes.ts';
import { type Complaint, complain, type FieldFaults, groupFaults } from './field-faults.ts';
import { FORMATS } from './formats.ts';

const ABOVE_ZERO = 'deve ser um valor em reais maior que zero, com até duas casas decimais';

/** What a field must be like, in the units of the body. The domain's faults have cents and ppm. */
const complaintOf = ({ type, least = 0, complaint }: Field): string | undefined => {
  if (type === 'cents') return least > 0 ? ABOVE_ZERO : FORMATS.money.complaint;
  if (type === 'ppm')
    return least > 0
      ? FORMATS.percent.complaint.replace('de 0', 'acima de 0')
      : FORMATS.percent.complaint;
  return complaint;
};

/** The same for keywords inside the schema of attributes. */
const SCHEMA_COMPLAINTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    attributes: 'deve ser um JSON Schema (2020-12) válido',
    pattern: 'deve ser uma expressão regular da sintaxe RE2 (sem (?=…), (?<=…) nem \\1)',
    $ref: 'deve apontar para um item de $defs do próprio esquema, como #/$defs/nome, que não volte a si mesmo',
  }),
);

/** The code of each kind of fault. */
const CODES: Readonly<Record<FaultKind, FieldCode>> = {
  missing: 'required',
  unknown_field: 'unknown',
  not_an_object: 'invalid_type',
  not_a_list: 'invalid_type',
  not_json: 'invalid_format',
  too_deep: 'too_complex',
  too_large: 'too_complex',
  too_many_patterns: 'too_complex',
  pattern_too_large: 'too_complex',
  too_long_to_match: 'too_complex',
  empty_list: 'too_short',
  not_a_text: 'invalid_type',
  badly_formed: 'invalid_format',
  not_a_whole_number: 'invalid_type',
  out_of_range: 'out_of_range',
  not_true_or_false: 'invalid_type',
  not_one_of_these: 'not_offered',
  repeated: 'repeated',
  not_found: 'not_offered',
  above_cap: 'out_of_range',
  in_force: 'in_the_past',
  too_early: 'in_the_past',
  shares_not_whole: 'contradicts',
  shares_above_whole: 'contradicts',
  priced_twice: 'contradicts',
};

type Faulty = Extract<PutOutcome<unknown>, { readonly kind: 'faulty' }>;

const KINDS_BY_FIELD: ReadonlySet<FaultKind> = new Set([
  'badly_formed',
  'not_a_whole_number',
  'out_of_range',
]);

/** A complaint about a fault. `name` names the field to people. */
const complainOf = (fault: Fault, { path, field }: Place, name = path): Complaint => {
  const keyword = fault.path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '';
  const ofField = /^attributes\b/.test(fault.path)
    ? SCHEMA_COMPLAINTS.get(keyword)
    : field && complaintOf(field);
  const code =
    fault.kind === 'badly_formed' && /\bcnpj$/.test(path) ? 'invalid_tax_id' : CODES[fault.kind];
  return complain(
    code,
    KINDS_BY_FIELD.has(fault.kind) && ofField !== undefined
      ? `O campo ${name} ${ofField}.`
      : messageOf({ ...fault, path: name }, 'pt-BR'),
  );
};

/**
 * The domain's faults as complaints in Portuguese, by their path in the body.
 *
 * @param sayPath names a field to people
 */
export const describeCatalogueFaults = (
  faults: readonly Fault[],
  findPlaceOf: (path: string) => Place,
  sayPath: (path: string) => string = (path) => path,
): FieldFaults =>
  groupFaults(
    faults.slice(0, MAX_LISTED_FAULTS).map((fault) => {
      const place = findPlaceOf(fault.path);
      return [place.path, complainOf(fault, place, sayPath(place.path))];
    }),
  );

/** 409: the definition is stored under another version than the one sent. 0: not at all. */
export const staleError = (version: number): AnswerError =>
  standardError(
    409,
    'version_conflict',
    version === 0 ? 'Ainda não existe.' : `A versão atual é ${version}, não a enviada.`,
    { version },
  );

/** What a definition would make wrong elsewhere in the catalogue. @param sayPath as above */
export const describeConflicts = (
  conflicts: Faulty['conflicts'],
  sayPath: (path: string) => string = (path) => path,
): readonly Complaint[] =>
  conflicts.map(({ with: other, fault }) => {
    const [field, name] =
      'product' in other
        ? [PRODUCT, `do produto ${other.product}`]
        : [CHANNEL, `do canal ${other.channel}`];
    const place = findPlace(fault.path, field, {});
    return complainOf(fault, place, `${sayPath(place.path)} ${name}`);
  });

/** 422 with the faults of the definition; if it has none, 409 with those that it causes elsewhere. */
export const faultyError = (
  { faults, conflicts }: Faulty,
  findPlaceOf: (path: string) => Place,
): AnswerError => {
  if (faults.length > 0) return invalidFields(describeCatalogueFaults(faults, findPlaceOf));
  const complaints = describeConflicts(conflicts);
  const messages = complaints.map(({ message }) => message);
  const [first = 'O restante do catálogo não permite esta mudança.'] = messages;
  return standardError(409, 'catalogue_conflict', first, {
    conflicts: messages,
    conflict_codes: complaints.map(({ code }) => code),
  });
};
