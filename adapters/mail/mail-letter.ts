import { html } from 'hono/html';
import { formatDate, formatReais } from '#domain';
import type { Certificate } from '../../application/certificates/certificate.ts';
import type { CertificateMail } from '../../application/mail/mailer.ts';

/** What a mail says, as text and as a page that says the same. */
export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const PAPERS: Readonly<
  Record<Certificate['kind'], { readonly name: string; readonly number: string }>
> = {
  bilhete: { name: 'o bilhete', number: 'bilhete nº' },
  policy: { name: 'a apólice', number: 'apólice nº' },
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type Row = readonly [label: string, value: string];

const rowsOf = ({
  kind,
  number,
  period,
  premium,
  coverages,
  registration,
}: Certificate): readonly Row[] => {
  const limit = coverages[0]?.limit;
  return [
    [capital(PAPERS[kind].number), number],
    ['Vigência', `${formatDate(period.start)} a ${formatDate(period.end)}, dias inteiros`],
    ...(limit === undefined ? [] : [['Limite da cobertura básica', formatReais(limit)] as const]),
    ['Prêmio total, com IOF', formatReais(premium.total)],
    ['Seguradora', registration.insurer.name],
  ];
};

const contactsOf = ({ registration: { insurer } }: Certificate): readonly Row[] => [
  ...(insurer.customerService === undefined ? [] : [['SAC', insurer.customerService] as const]),
  ...(insurer.ombudsman === undefined ? [] : [['Ouvidoria', insurer.ombudsman] as const]),
];

const opening = ({ occasion, certificate: { kind, product } }: CertificateMail): string =>
  occasion === 'second_copy'
    ? `Enviamos, como foi pedido, a segunda via d${PAPERS[kind].name} de ${product.name}. O documento está em anexo, em PDF.`
    : `${product.name} está contratado: ${PAPERS[kind].name} está em anexo, em PDF.`;

const rights = ({ withdrawalUntil, channel }: Certificate): string =>
  `Você pode desistir do seguro até ${formatDate(withdrawalUntil)}, inclusive, e recebe tudo de volta. Peça a quem o vendeu: ${channel.name}.`;

const CLOSING = 'Esta mensagem é automática; respostas a ela não são lidas.';

const asText = ([label, value]: Row): string => `${label}: ${value}`;

const textOf = (mail: CertificateMail): string => {
  const { certificate } = mail;
  const contacts = contactsOf(certificate).map(asText);
  return [
    `Olá, ${nameOf(certificate)}.`,
    opening(mail),
    rowsOf(certificate).map(asText).join('\n'),
    rights(certificate),
    `Quem quiser conferir se o documento é autêntico encontra-o aqui:\n${certificate.verification.url}`,
    ...(contacts.length > 0 ? [contacts.join('\n')] : []),
    CLOSING,
    '',
  ].join('\n\n');
};

/** The name by which the insured wants to be called. */
const nameOf = ({ insured }: Certificate): string =>
  (insured.socialName ?? insured.name).replace(/\.$/, '');

const tableOf = (rows: readonly Row[]) =>
  html`<table style="border-collapse:collapse;margin:16px 0">${rows.map(
    ([label, value]) =>
      html`<tr><td style="padding:4px 16px 4px 0;color:#55606f">${label}</td><td style="padding:4px 0">${value}</td></tr>`,
  )}</table>`;

const pageOf = (mail: CertificateMail): string => {
  const { certificate } = mail;
  const contacts = contactsOf(certificate);
  return html`<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${subjectOf(mail)}</title></head>
<body style="margin:0;padding:24px;background:#eef2f6;color:#1c2430;font:16px/1.5 system-ui,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto;background:#fff;border:1px solid #cfd6de;border-radius:12px;padding:24px">
<p>Olá, ${nameOf(certificate)}.</p>
<p>${opening(mail)}</p>
${tableOf(rowsOf(certificate))}
<p>${rights(certificate)}</p>
<p>Quem quiser conferir se o documento é autêntico encontra-o <a href="${certificate.verification.url}" style="color:#0b5cad">aqui</a>.</p>
${contacts.length > 0 && tableOf(contacts)}
<p style="color:#55606f;font-size:14px">${CLOSING}</p>
</div>
</body>
</html>
`.toString();
};

const subjectOf = ({
  occasion,
  certificate: { kind, number, product },
}: CertificateMail): string => {
  const paper = `${PAPERS[kind].number} ${number}`;
  return occasion === 'second_copy'
    ? `${product.name}: segunda via d${PAPERS[kind].name}, nº ${number}`
    : `${product.name}: ${paper}`;
};

export const letterOf = (mail: CertificateMail): Letter => ({
  subject: subjectOf(mail),
  text: textOf(mail),
  html: pageOf(mail),
});
