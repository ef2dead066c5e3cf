import {
  type ChannelRole,
  type CommissionKind,
  formatDate,
  formatReais,
  type Instant,
  type PaymentMethod,
  parseDate,
} from '#domain';
import type { Certificate } from '../../application/certificates/certificate.ts';
import type { ObjectField } from '../../application/certificates/insured-object.ts';

const saoPauloFormat = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Writes an instant in São Paulo time: `20/11/2026 às 12:00`. */
export const formatInstant = (at: Instant): string =>
  saoPauloFormat.format(new Date(at)).replace(', ', ' às ');

export const TITLES: Readonly<
  Record<Certificate['kind'], { readonly title: string; readonly number: string }>
> = {
  bilhete: { title: 'Bilhete de seguro', number: 'Bilhete nº' },
  policy: { title: 'Apólice de seguro', number: 'Apólice nº' },
};

const METHOD_NAMES: Readonly<Record<PaymentMethod, string>> = {
  credit: 'cartão de crédito',
  debit: 'cartão de débito',
  pix: 'Pix',
  boleto: 'boleto',
};

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const ROLE_NAMES: Readonly<Record<ChannelRole, string>> = {
  representative: 'Representante de seguros',
  broker: 'Corretor de seguros',
  policyholder: 'Estipulante',
};

export const COMMISSION_NAMES: Readonly<Record<CommissionKind, string>> = {
  brokerage: 'corretagem',
  agency: 'agenciamento',
  pro_labore: 'pró-labore',
  representative: 'representante',
};

/** Since this day no IOF is due on insurance (EC 132/2023, arts. 3 and 23, I). */
const NO_IOF_SINCE = '2027-01-01';

/** Why the IOF of a premium is 0; undefined if it is not. */
export const explainNoIof = ({ premium, payment }: Certificate): string | undefined => {
  if (premium.iofRate > 0) return undefined;
  const isAbolished = payment.paidOn >= NO_IOF_SINCE || premium.legalBasis.includes('EC 132/2023');
  return isAbolished ? 'não incide (EC 132/2023)' : `alíquota zero (${premium.legalBasis})`;
};

/** Describes how, to whom and when the premium was paid. */
export const describePayment = ({ payment, channel }: Certificate): string => {
  const { method, collectedBy, installments, parts, paidOn } = payment;
  const how = method === undefined ? 'Pago' : capitalize(METHOD_NAMES[method]);
  const each =
    parts &&
    ` (a primeira de ${formatReais(parts.first)}, as outras de ${formatReais(parts.others)})`;
  const times = installments > 1 ? ` em ${installments} parcelas${each ?? ''}` : ' à vista';
  const whom = collectedBy === 'channel' ? `, a ${channel.name}` : '';
  return `${how}${times}${whom}, em ${formatDate(paidOn)}`;
};

/**
 * Labels of the insured object's fields for products whose schema has no titles. The order of this
 * table is the order on the certificate.
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

type Field = readonly [label: string, value: string];

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
