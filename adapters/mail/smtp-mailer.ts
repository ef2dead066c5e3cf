import type { SendMailOptions } from 'nodemailer';
import type {
  Mail,
  Mailer,
  MailOutcome,
  PlainMail,
  PlainMailer,
} from '../../application/mail/mailer.ts';
import { composeMessage, composePlainMessage, type Sender } from './mail-message.ts';

/**
 * Timeouts of nodemailer, in ms. A server may take 10 minutes to accept a mail (RFC 5321, section
 * 4.5.3.2.6). A shorter timeout would send the same mail again.
 */
const TIMEOUTS_MS = {
  connectionTimeout: 10_000,
  greetingTimeout: 30_000,
  socketTimeout: 600_000,
  socketCloseTimeout: 1_000,
};

/** Max time to send one mail, in ms. */
const SEND_TIMEOUT_MS = 660_000;

/** The same for a mail of plain text. */
const PLAIN_SEND_TIMEOUT_MS = 15_000;

/** Opens a new connection after 100 mails, because some servers limit mails per connection. */
const POOL = { pool: true, maxConnections: 10, maxMessages: 100 } as const;

/**
 * Sends mail to an SMTP server. `smtps://` uses TLS from the start, `smtp://` uses STARTTLS. A
 * login over `smtp://` requires STARTTLS.
 */
export class SmtpMailer implements Mailer, PlainMailer {
  readonly #url: string;
  readonly #from: Sender;
  #transport: ReturnType<typeof openTransport> | undefined;

  constructor(url: string, from: Sender) {
    this.#url = url;
    this.#from = from;
  }

  send(mail: Mail): Promise<MailOutcome> {
    return this.#post(composeMessage(mail, this.#from), SEND_TIMEOUT_MS);
  }

  sendPlain(mail: PlainMail): Promise<MailOutcome> {
    return this.#post(composePlainMessage(mail, this.#from), PLAIN_SEND_TIMEOUT_MS);
  }

  async #post(message: SendMailOptions, timeoutMs: number): Promise<MailOutcome> {
    try {
      this.#transport ??= openTransport(this.#url);
      const transport = await this.#transport;
      await transport.sendMail({ ...message, signal: AbortSignal.timeout(timeoutMs) });
      return { kind: 'sent' };
    } catch (error) {
      return classifyError(error);
    }
  }

  async close(): Promise<void> {
    (await this.#transport)?.close({ force: true });
  }
}

/** Loads nodemailer on first use, so that it does not slow the start. */
const openTransport = async (url: string) => {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...POOL,
    ...TIMEOUTS_MS,
    requireTLS: new URL(url).username !== '',
    url,
  });
};

/**
 * A 5xx reply to the recipient or to the mail itself is final. Any other error may be temporary or
 * be fixed by the operator: the mail is tried again.
 */
const classifyError = (error: unknown): MailOutcome => {
  const {
    code = 'unknown',
    responseCode,
    command,
  } = error as { code?: string; responseCode?: number; command?: string };
  const isOfMail = command === 'RCPT TO' || command === 'DATA';
  // The text of the server may contain the address, so the reason holds only its codes.
  const reason = responseCode === undefined ? code : `${code} ${responseCode}`;
  return { kind: isOfMail && (responseCode ?? 0) >= 500 ? 'refused' : 'unreached', reason };
};
