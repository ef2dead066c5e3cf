import type { Certificate, Documents, Report } from '../../application/certificates/certificate.ts';
import type {
  DocumentGrant,
  DocumentLinks,
} from '../../application/certificates/document-links.ts';
import type {
  Mail,
  Mailer,
  MailOutcome,
  PlainMail,
  PlainMailer,
} from '../../application/mail/mailer.ts';

/** A document is its certificate as JSON. */
export class MemoryDocuments implements Documents {
  async certificate(certificate: Certificate): Promise<Uint8Array> {
    return new TextEncoder().encode(JSON.stringify(certificate));
  }

  async report(report: Report, certificate?: Certificate): Promise<Uint8Array> {
    return new TextEncoder().encode(JSON.stringify({ report, certificate }));
  }
}

/** A link is the name of a grant in memory. */
export class MemoryDocumentLinks implements DocumentLinks {
  readonly #given = new Map<string, DocumentGrant>();

  sign(grant: DocumentGrant): string {
    const name = `link-${this.#given.size + 1}`;
    this.#given.set(name, { ...grant });
    return name;
  }

  read(signed: string): DocumentGrant | undefined {
    return this.#given.get(signed);
  }
}

/** Keeps the mails that were sent, and fails at a test's request. */
export class MemoryMailer implements Mailer, PlainMailer {
  readonly sent: Mail[] = [];
  readonly sentPlain: PlainMail[] = [];
  /** The outcomes of the next mails; after them all are sent. */
  readonly #next: MailOutcome[] = [];

  next(...outcomes: readonly MailOutcome[]): void {
    this.#next.push(...outcomes);
  }

  async send(mail: Mail): Promise<MailOutcome> {
    const outcome = this.#next.shift() ?? { kind: 'sent' };
    if (outcome.kind === 'sent') this.sent.push(structuredClone(mail));
    return outcome;
  }

  async sendPlain(mail: PlainMail): Promise<MailOutcome> {
    const outcome = this.#next.shift() ?? { kind: 'sent' };
    if (outcome.kind === 'sent') this.sentPlain.push(structuredClone(mail));
    return outcome;
  }
}
