import { formatDate, parseDate } from '#domain';
import type { ObjectField } from './insured-object.ts';

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
