import { formatDate, type Json, type JsonObject, parseDate } from '#domain';

/** A value of the insured object, labelled with the schema's titles on the path to it. */
export interface ObjectField {
  /** Top-level field of the object. */
  readonly name: string;
  readonly labels: readonly string[];
  readonly value: string | number | boolean;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const within = (schema: unknown, name: string): unknown => {
  const found = isObject(schema) && Object.hasOwn(schema, name) ? schema[name] : undefined;
  return isObject(found) ? found : undefined;
};

const titleOf = (schema: unknown, otherwise: string): string => {
  const title = isObject(schema) ? schema['title'] : undefined;
  return typeof title === 'string' && title !== '' ? title : otherwise;
};

/** The schema's `title` for an allowed value (`const`), or the value. */
const nameOf = (schema: unknown, value: Json): Json => {
  const choices = isObject(schema) ? (schema['oneOf'] ?? schema['anyOf']) : undefined;
  const chosen = Array.isArray(choices)
    ? choices.find((each) => isObject(each) && each['const'] === value)
    : undefined;
  return isObject(chosen) ? titleOf(chosen, String(value)) : value;
};

/** All values of the insured object, in stored order. Nulls are left out. */
export const objectFields = (object: JsonObject, schema: unknown): readonly ObjectField[] => {
  const properties = within(schema, 'properties');
  return Object.entries(object).flatMap(([name, value]) => {
    const part = within(properties, name);
    return partsOf(value, part, [titleOf(part, name)]).map((each) => ({ name, ...each }));
  });
};

const partsOf = (
  value: Json,
  schema: unknown,
  labels: readonly string[],
): readonly Omit<ObjectField, 'name'>[] => {
  if (value === null) return [];
  if (Array.isArray(value)) {
    const single = value.length === 1;
    const items = within(schema, 'items');
    return value.flatMap((each, index) =>
      partsOf(each, items, single ? labels : [...labels, String(index + 1)]),
    );
  }
  if (typeof value === 'object') {
    const properties = within(schema, 'properties');
    return Object.entries(value).flatMap(([name, each]) => {
      const part = within(properties, name);
      return partsOf(each, part, [...labels, titleOf(part, name)]);
    });
  }
  return [{ labels, value: nameOf(schema, value) as ObjectField['value'] }];
};

/**
 * Labels of the insured object's fields for products whose schema has no titles. The order of this
 * table is the order on documents and pages.
 */
const LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    eventName: 'Evento',
    eventDate: 'Data do evento',
    eventTime: 'Horário do evento',
    eventAddress: 'Endereço do evento',
    ticketType: 'Tipo de ingresso',
    ticketNumber: 'Número do ingresso',
    artisticName: 'Nome artístico',
    musicalGenre: 'Gênero musical',
    venueName: 'Local',
    standName: 'Estande',
    eventDescription: 'Descrição do evento',
    assemblyStartDate: 'Início da montagem',
    eventStartDate: 'Início do evento',
    eventEndDate: 'Fim do evento',
    disassemblyEndDate: 'Fim da desmontagem',
    standArea: 'Área (m²)',
    brand: 'Marca',
    model: 'Modelo',
    imei: 'IMEI',
    purchaseDate: 'Data da compra',
  }),
);

const MAX_LABEL_CHARACTERS = 100;
const MAX_VALUE_CHARACTERS = 600;

/** Max characters of all labels and values together. */
const MAX_OBJECT_CHARACTERS = 8_000;
const MAX_OBJECT_FIELDS = 60;

/** Cuts between code points: `slice` alone could cut a surrogate pair. */
const truncate = (text: string, max: number): string =>
  text.length <= max ? text : `${[...text.slice(0, 2 * max)].slice(0, max).join('')}…`;

/** Numbers get no thousands separator, because they may be years or codes. */
const formatValue = (value: ObjectField['value']): string => {
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não';
  if (typeof value === 'number') return String(value).replace('.', ',');
  const day = parseDate(value);
  return day === undefined ? truncate(value, MAX_VALUE_CHARACTERS) : formatDate(day);
};

export type Field = readonly [label: string, value: string];

const describeField = ({ labels, value }: ObjectField): Field => [
  truncate(labels.map((label) => LABELS.get(label) ?? label).join(' · '), MAX_LABEL_CHARACTERS),
  formatValue(value),
];

/** Sorts the fields of `LABELS` first, in the order of that table. Others keep their order. */
const sortFields = (fields: readonly ObjectField[]): readonly ObjectField[] => {
  const known = [...LABELS.keys()];
  const place = ({ name }: ObjectField): number =>
    known.includes(name) ? known.indexOf(name) : known.length;
  return [...fields].sort((one, other) => place(one) - place(other));
};

/** Fields that pages and mails show of the insured object, at most. */
const MAX_SUMMARY_FIELDS = 5;

/** The first fields of the insured object, for pages and mails. */
export const summarizeObject = (object: readonly ObjectField[]): readonly Field[] =>
  sortFields(object).slice(0, MAX_SUMMARY_FIELDS).map(describeField);

/** Describes the insured object within the limits. `omitted` counts the fields beyond them. */
export const describeObject = (
  object: readonly ObjectField[],
): { readonly fields: readonly Field[]; readonly omitted: number } => {
  const fields: Field[] = [];
  let charactersLeft = MAX_OBJECT_CHARACTERS;
  for (const each of sortFields(object).slice(0, MAX_OBJECT_FIELDS)) {
    const [label, value] = describeField(each);
    charactersLeft -= label.length + value.length;
    if (charactersLeft < 0) break;
    fields.push([label, value]);
  }
  return { fields, omitted: object.length - fields.length };
};
