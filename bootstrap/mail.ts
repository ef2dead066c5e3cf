import type { Container } from 'inversify';
import { PdfDocuments } from '../adapters/documents/pdf-documents.ts';
import { FileMailer } from '../adapters/mail/file-mailer.ts';
import { SmtpMailer } from '../adapters/mail/smtp-mailer.ts';
import { DatabaseMailings } from '../adapters/persistence/mailings.ts';
import { deriveSecret } from '../adapters/security/keyed-hash.ts';
import { SignedDocumentLinks } from '../adapters/security/signed-document-links.ts';
import type { Config } from './config.ts';
import { bind, bindValue, Token } from './token.ts';
import * as t from './tokens.ts';

const PDF = new Token<PdfDocuments>('PdfDocuments');
const STORED = new Token<DatabaseMailings>('DatabaseMailings');
const SENDER = new Token<SmtpMailer | FileMailer>('SmtpMailer or FileMailer');

/** Certificates: how they are made, opened and mailed. */
export const bindCertificateAdapters = (
  container: Container,
  { mail, documentLinkTtl }: Config,
): void => {
  bindValue(container, t.DOCUMENT_LINK_TTL, documentLinkTtl);
  bind(container, t.DOCUMENT_LINKS, { signingKey: t.SIGNING_KEY }, ({ signingKey }) => {
    return new SignedDocumentLinks(deriveSecret('document links', signingKey));
  });
  bind(container, PDF, {}, () => new PdfDocuments());
  bind(container, t.DOCUMENTS, { pdf: PDF }, ({ pdf }) => pdf);
  bind(container, SENDER, { log: t.LOG }, ({ log }) => {
    if (mail.kind === 'smtp') return new SmtpMailer(mail.url, mail.from);
    return new FileMailer(mail.folder, mail.from, (file) => log.info({ file }, 'mail kept'));
  });
  bind(container, t.MAILER, { sender: SENDER }, ({ sender }) => sender);
  bind(
    container,
    STORED,
    { database: t.DATABASE },
    ({ database }) => new DatabaseMailings(database),
  );
  bind(container, t.MAILINGS, { stored: STORED }, ({ stored }) => stored);
  bind(container, t.HAND_OVER_MAIL, { stored: STORED, jobs: t.JOBS }, ({ stored, jobs }) => {
    return (most) => stored.handOver(most, (names, inside) => jobs.enqueueMails(names, inside));
  });
  bind(container, t.RELEASE, { pdf: PDF, sender: SENDER }, ({ pdf, sender }) => async () => {
    if (sender instanceof SmtpMailer) await sender.close();
    await pdf.close();
  });
};
