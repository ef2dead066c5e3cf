import { formatDate, formatReais } from '#domain';
import {
  type Certificate,
  claimContactOf,
  describePeriod,
} from '../../application/certificates/certificate.ts';
import { summarizeObject } from '../../application/certificates/insured-object.ts';
import type { CertificateMail } from '../../application/mail/mailer.ts';
import {
  composeLetter,
  type Letter,
  listContacts,
  paragraph,
  type Row,
  table,
} from './letter-parts.ts';

export const DOCUMENT_NAMES: Readonly<
  Record<Certificate['kind'], { readonly name: string; readonly number: string }>
> = {
  bilhete: { name: 'o bilhete', number: 'bilhete nº' },
  policy: { name: 'a apólice', number: 'apólice nº' },
};

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const listRows = ({
  kind,
  number,
  period,
  premium,
  coverages,
  insuredObject,
  conditions,
  registration,
}: Certificate): readonly Row[] => {
  return [
    [capitalize(DOCUMENT_NAMES[kind].number), number],
    ...summarizeObject(insuredObject),
    ['Vigência', describePeriod(period)],
    ...coverages.map(
      ({ name = 'básica', limit }): Row => [
        `Cobertura: ${name}`,
        limit === undefined ? 'contratada' : `até ${formatReais(limit)}`,
      ],
    ),
    ...(conditions.waitingDays ? [['Carência', `${conditions.waitingDays} dias`] as const] : []),
    ['Prêmio total, com IOF', formatReais(premium.total)],
    ['Seguradora', registration.insurer.name],
  ];
};

const writeOpening = ({ occasion, certificate: { kind, product } }: CertificateMail): string =>
  occasion === 'second_copy'
    ? `Enviamos, como foi pedido, a segunda via d${DOCUMENT_NAMES[kind].name} de ${product.name}. O documento está em anexo, em PDF.`
    : `${product.name} está contratado: ${DOCUMENT_NAMES[kind].name} está em anexo, em PDF.`;

const writeWithdrawal = ({ withdrawalUntil, channel }: Certificate): string =>
  `Você pode desistir do seguro até ${formatDate(withdrawalUntil)}, inclusive, e recebe tudo de volta. Peça a quem o vendeu: ${channel.name}.`;

const writeSubject = ({
  occasion,
  certificate: { kind, number, product },
}: CertificateMail): string => {
  const document = `${DOCUMENT_NAMES[kind].number} ${number}`;
  return occasion === 'second_copy'
    ? `${product.name}: segunda via d${DOCUMENT_NAMES[kind].name}, nº ${number}`
    : `${product.name}: ${document}`;
};

/** The letter that a certificate is attached to. */
export const writeCertificateLetter = (mail: CertificateMail, isTest: boolean): Letter => {
  const { certificate } = mail;
  const { insured, verification, registration } = certificate;
  const contact = claimContactOf(certificate);
  return composeLetter(
    writeSubject(mail),
    insured,
    [
      paragraph(writeOpening(mail)),
      ...table(listRows(certificate)),
      ...(contact === undefined ? [] : [paragraph(`Precisou usar? ${contact}`)]),
      paragraph(writeWithdrawal(certificate)),
      {
        kind: 'link',
        text: 'Para conferir se o documento é autêntico, clique',
        url: verification.url,
      },
      ...table(listContacts(registration.insurer)),
    ],
    isTest,
  );
};
