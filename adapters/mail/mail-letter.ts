import { html } from 'hono/html';
import { formatDate, formatReais } from '#domain';
import type { Certificate } from '../../application/certificates/certificate.ts';
import type { CertificateMail } from '../../application/mail/mailer.ts';

/** The content of a mail: `text` and `html` say the same. */
export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const PAPER_NAMES: Readonly<
  Record<Certificate['kind'], { readonly name: string; readonly number: string }>
> = {
  bilhete: { name: 'o bilhete', number: 'bilhete nº' },
  policy: { name: 'a apólice', number: 'apólice nº' },
};

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type Row = readonly [label: string, value: string];

const listRows = ({
  kind,
  number,
  period,
  premium,
  coverages,
  registration,
}: Certificate): readonly Row[] => {
  const limit = coverages[0]?.limit;
  return [
    [capitalize(PAPER_NAMES[kind].number), number],
    ['Vigência', `${formatDate(period.start)} a ${formatDate(period.end)}, dias inteiros`],
    ...(limit === undefined ? [] : [['Limite da cobertura básica', formatReais(limit)] as const]),
    ['Prêmio total, com IOF', formatReais(premium.total)],
    ['Seguradora', registration.insurer.name],
  ];
};

const listContacts = ({ registration: { insurer } }: Certificate): readonly Row[] => [
  ...(insurer.customerService === undefined ? [] : [['SAC', insurer.customerService] as const]),
  ...(insurer.ombudsman === undefined ? [] : [['Ouvidoria', insurer.ombudsman] as const]),
];

const writeOpening = ({ occasion, certificate: { kind, product } }: CertificateMail): string =>
  occasion === 'second_copy'
    ? `Enviamos, como foi pedido, a segunda via d${PAPER_NAMES[kind].name} de ${product.name}. O documento está em anexo, em PDF.`
    : `${product.name} está contratado: ${PAPER_NAMES[kind].name} está em anexo, em PDF.`;

const writeWithdrawal = ({ withdrawalUntil, channel }: Certificate): string =>
  `Você pode desistir do seguro até ${formatDate(withdrawalUntil)}, inclusive, e recebe tudo de volta. Peça a quem o vendeu: ${channel.name}.`;

const CLOSING = 'Esta mensagem é automática; respostas a ela não são lidas.';

const formatRow = ([label, value]: Row): string => `${label}: ${value}`;

const writeText = (mail: CertificateMail): string => {
  const { certificate } = mail;
  const contacts = listContacts(certificate).map(formatRow);
  return [
    `Olá, ${formatName(certificate)}.`,
    writeOpening(mail),
    listRows(certificate).map(formatRow).join('\n'),
    writeWithdrawal(certificate),
    `Quem quiser conferir se o documento é autêntico encontra-o aqui:\n${certificate.verification.url}`,
    ...(contacts.length > 0 ? [contacts.join('\n')] : []),
    CLOSING,
    '',
  ].join('\n\n');
};

/** The social name if there is one. Removes a final dot, because the greeting adds one. */
const formatName = ({ insured }: Certificate): string =>
  (insured.socialName ?? insured.name).replace(/\.$/, '');

const renderTable = (rows: readonly Row[]) =>
  html`<table style="border-collapse:collapse;margin:16px 0">${rows.map(
    ([label, value]) =>
      html`<tr><td style="padding:4px 16px 4px 0;color:#55606f">${label}</td><td style="padding:4px 0">${value}</td></tr>`,
  )}</table>`;

const renderPage = (mail: CertificateMail): string => {
  const { certificate } = mail;
  const contacts = listContacts(certificate);
  return html`<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${writeSubject(mail)}</title></head>
<body style="margin:0;padding:24px;background:#eef2f6;color:#1c2430;font:16px/1.5 system-ui,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto;background:#fff;border:1px solid #cfd6de;border-radius:12px;padding:24px">
<p>Olá, ${formatName(certificate)}.</p>
<p>${writeOpening(mail)}</p>
${renderTable(listRows(certificate))}
<p>${writeWithdrawal(certificate)}</p>
<p>Quem quiser conferir se o documento é autêntico encontra-o <a href="${certificate.verification.url}" style="color:#0b5cad">aqui</a>.</p>
${contacts.length > 0 && renderTable(contacts)}
<p style="color:#55606f;font-size:14px">${CLOSING}</p>
</div>
</body>
</html>
`.toString();
};

const writeSubject = ({
  occasion,
  certificate: { kind, number, product },
}: CertificateMail): string => {
  const paper = `${PAPER_NAMES[kind].number} ${number}`;
  return occasion === 'second_copy'
    ? `${product.name}: segunda via d${PAPER_NAMES[kind].name}, nº ${number}`
    : `${product.name}: ${paper}`;
};

export const writeLetter = (mail: CertificateMail): Letter => ({
  subject: writeSubject(mail),
  text: writeText(mail),
  html: renderPage(mail),
});
