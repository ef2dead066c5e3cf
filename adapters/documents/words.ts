import { calendarDate, formatDate, type Instant, type PaymentMethod } from '#domain';
import type { Certificate } from '../../application/certificates/certificate.ts';
import type { ObjectField } from '../../application/certificates/insured-object.ts';

const saoPaulo = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  ...({ day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const),
});

/** `20/11/2026 às 12:00`, in São Paulo. */
export const momentInWords = (at: Instant): string => saoPaulo.format(new Date(at)).replace(', ', ' às ');

export const TITLES: Readonly<Record<Certificate['kind'], { readonly title: string; readonly number: string }>> = {
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

/** How, to whom and when it was paid. */
export const paymentInWords = ({ payment, channel }: Certificate): string => {
  const { method, collectedBy, installments, paidOn } = payment;
  const how = method === undefined ? 'Pago' : capital(METHODS[method]);
  const parts = installments > 1 ? ` em ${installments} parcelas` : ' à vista';
  const whom = collectedBy === 'channel' ? `, a ${channel.name}` : '';
  return `${how}${parts}${whom}, em ${formatDate(paidOn)}`;
};

/** What the products' own endpoints say of the insured object, where the catalogue has no names for people. */
const LABELS: Readonly<Record<string, string>> = {
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
  ticketHolder: 'Titular do ingresso',
  promoter: 'Promotor',
};

/** Longer than anything that a certificate can show of one thing. */
const LONGEST = 600;

const shortened = (text: string): string => (text.length <= LONGEST ? text : `${[...text].slice(0, LONGEST).join('')}…`);

const valueInWords = (value: ObjectField['value']): string => {
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não';
  if (typeof value === 'number') return value.toLocaleString('pt-BR', { maximumFractionDigits: 10 });
  const day = calendarDate(value);
  return day === undefined ? shortened(value) : formatDate(day);
};

/** A part of the insured object with its name and what was said of it. */
export const fieldInWords = ({ labels, value }: ObjectField): readonly [label: string, value: string] => [
  shortened(labels.map((label) => LABELS[label] ?? label).join(' · ')) || 'Descrição',
  valueInWords(value),
];
