import type { CertificateMail, Mailer, MailOutcome } from '../../application/mail/mailer.ts';
import { messageOf, type Sender } from './mail-message.ts';

/**
 * Milliseconds for each part of the way, and for the whole of it. A server may look into a mail for minutes before it says
 * that it has it (RFC 5321, section 4.5.3.2.6): whoever does not wait for that sends it again and again.
 */
const LIMITS = {
  connectionTimeout: 10_000,
  greetingTimeout: 30_000,
  socketTimeout: 600_000,
  socketCloseTimeout: 1_000,
};
const PATIENCE = 660_000;

/** A server that has taken so many mails may want to see a new connection. */
const POOL = { pool: true, maxConnections: 10, maxMessages: 100 } as const;

/** Mail by a server of SMTP: `smtps://` from the first byte on encrypted, `smtp://` from STARTTLS on, which a login needs. */
export class SmtpMailer implements Mailer {
  readonly #url: string;
  readonly #from: Sender;
  #transport: ReturnType<typeof openTransport> | undefined;

  constructor(url: string, from: Sender) {
    this.#url = url;
    this.#from = from;
  }

  async send(mail: CertificateMail): Promise<MailOutcome> {
    try {
      this.#transport ??= openTransport(this.#url);
      const transport = await this.#transport;
      await transport.sendMail({
        ...messageOf(mail, this.#from),
        signal: AbortSignal.timeout(PATIENCE),
      });
      return { kind: 'sent' };
    } catch (error) {
      return outcomeOf(error);
    }
  }

  async close(): Promise<void> {
    (await this.#transport)?.close({ force: true });
  }
}

/** The library is not loaded before there is something to send. */
const openTransport = async (url: string) => {
  const { createTransport } = await import('nodemailer');
  return createTransport({ ...POOL, ...LIMITS, requireTLS: new URL(url).username !== '', url });
};

/** What the server says of an address or a mail is final where it says so; what it says of us may be put right. */
const outcomeOf = (error: unknown): MailOutcome => {
  const {
    code = 'unknown',
    responseCode,
    command,
  } = error as { code?: string; responseCode?: number; command?: string };
  const isOfMail = command === 'RCPT TO' || command === 'DATA';
  // The server's own words may hold the address.
  const reason = responseCode === undefined ? code : `${code} ${responseCode}`;
  return { kind: isOfMail && (responseCode ?? 0) >= 500 ? 'refused' : 'unreached', reason };
};
