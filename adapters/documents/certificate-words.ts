import {
  type CommissionKind,
  calendarDate,
  formatDate,
  formatReais,
  type Instant,
  type PaymentMethod,
} from '#domain';
import type { Certificate } from '../../application/certificates/certificate.ts';
import type { ObjectField } from '../../application/certificates/insured-object.ts';

const saoPaulo = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  ...({
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const),
});

/** `20/11/2026 às 12:00`, in São Paulo. */
export const momentInWords = (at: Instant): string =>
  saoPaulo.format(new Date(at)).replace(', ', ' às ');

export const TITLES: Readonly<
  Record<Certificate['kind'], { readonly title: string; readonly number: string }>
> = {
  bilhete: { title: 'Bilhete de seguro', number: 'Bilhete nº' },
  policy: { title: 'Apólice de seguro', number: 'Apólice nº' },
};

const METHODS: Readonly<Record<PaymentMethod, string>> = {
  credit: 'cartão de crédito',
  debit: 'cartão de débito',
  pix: 'Pix',
  boleto: 'boleto',
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a channel is paid for. */
export const COMMISSIONS: Readonly<Record<CommissionKind, string>> = {
  brokerage: 'corretagem',
  agency: 'agenciamento',
  pro_labore: 'pró-labore',
  representative: 'representante',
};

/** How, to whom and when it was paid. */
export const paymentInWords = ({ payment, channel }: Certificate): string => {
  const { method, collectedBy, installments, parts, paidOn } = payment;
  const how = method === undefined ? 'Pago' : capital(METHODS[method]);
  const each =
    parts &&
    ` (a primeira de ${formatReais(parts.first)}, as outras de ${formatReais(parts.others)})`;
  const times = installments > 1 ? ` em ${installments} parcelas${each ?? ''}` : ' à vista';
  const whom = collectedBy === 'channel' ? `, a ${channel.name}` : '';
  return `${how}${times}${whom}, em ${formatDate(paidOn)}`;
};

/** What the products' own endpoints say of the insured object, in the order in which people read it, with names for where the catalogue has none. */
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

/** Characters of a name or a value that have a place, and of all together. */
const [MOST_OF_LABEL, MOST_OF_VALUE, MOST_OF_ALL] = [100, 600, 8_000];

const MOST_FIELDS = 60;

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${[...text.slice(0, 2 * most)].slice(0, most).join('')}…`;

/** A number may be a year or a code: nothing is put between its digits. */
const valueInWords = (value: ObjectField['value']): string => {
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não';
  if (typeof value === 'number') return String(value).replace('.', ',');
  const day = calendarDate(value);
  return day === undefined ? shortened(value, MOST_OF_VALUE) : formatDate(day);
};

type Field = readonly [label: string, value: string];

const fieldInWords = ({ labels, value }: ObjectField): Field => [
  shortened(labels.map((label) => LABELS.get(label) ?? label).join(' · '), MOST_OF_LABEL),
  valueInWords(value),
];

/** What is well known comes first, in its order; what else was said follows as it is stored. */
const inOrder = (fields: readonly ObjectField[]): readonly ObjectField[] => {
  const known = [...LABELS.keys()];
  const place = ({ name }: ObjectField): number =>
    known.includes(name) ? known.indexOf(name) : known.length;
  return [...fields].sort((one, other) => place(one) - place(other));
};

/** The insured object with what was said of it, as much as has a place; how much has none. */
export const objectInWords = (
  said: readonly ObjectField[],
): { readonly fields: readonly Field[]; readonly left: number } => {
  const fields: Field[] = [];
  let room = MOST_OF_ALL;
  for (const each of inOrder(said).slice(0, MOST_FIELDS)) {
    const [label, value] = fieldInWords(each);
    room -= label.length + value.length;
    if (room < 0) break;
    fields.push([label, value]);
  }
  return { fields, left: said.length - fields.length };
};
