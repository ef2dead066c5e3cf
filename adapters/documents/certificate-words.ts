import {
  type ChannelRole,
  type CommissionKind,
  formatDate,
  formatReais,
  type Instant,
  type PaymentMethod,
} from '#domain';
import type { Certificate } from '../../application/certificates/certificate.ts';

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
