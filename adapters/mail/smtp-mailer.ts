import type { SendMailOptions, Transporter } from 'nodemailer';
import type {
  Mail,
  Mailer,
  MailOutcome,
  PlainMail,
  PlainMailer,
  PlainMailOutcome,
} from '../../application/mail/mailer.ts';
import { makeOnce } from '../../application/make-once.ts';
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
  readonly #transport = makeOnce(() => openTransport(this.#url, POOL));
  readonly #from: Sender;
  readonly #plainTimeoutMs: number;

  constructor(url: string, from: Sender, plainTimeoutMs = PLAIN_SEND_TIMEOUT_MS) {
    this.#url = url;
    this.#from = from;
    this.#plainTimeoutMs = plainTimeoutMs;
  }

  async send(mail: Mail): Promise<MailOutcome> {
    try {
      const message = composeMessage(mail, this.#from);
      await post(await this.#transport.get(), message, SEND_TIMEOUT_MS);
      return { kind: 'sent' };
    } catch (error) {
      return classifyError(error, [mail.to]);
    }
  }

  /** Over a connection of its own: it does not wait for other mails. */
  async sendPlain(mail: PlainMail): Promise<PlainMailOutcome> {
    let isHandedOver = false;
    // nodemailer tells only its log that the server got the message whole.
    const logger = {
      info: ({ tnx }: { readonly tnx?: string }) => {
        isHandedOver ||= tnx === 'message';
      },
      debug: () => {},
      error: () => {},
    };
    try {
      const transport = await openTransport(this.#url, { logger });
      await post(transport, composePlainMessage(mail, this.#from), this.#plainTimeoutMs);
      return { kind: 'sent' };
    } catch (error) {
      const outcome = classifyError(error);
      const isTimeout = (error as { readonly code?: string }).code === 'EABORT';
      return isTimeout && isHandedOver ? { kind: 'unanswered', reason: 'timeout' } : outcome;
    }
  }

  async close(): Promise<void> {
    (await this.#transport.made())?.close({ force: true });
  }
}

/** Loads nodemailer on first use, so that it does not slow the start. */
const openTransport = async (url: string, options: object): Promise<Transporter> => {
  const { createTransport } = await import('nodemailer');
  const requireTLS = new URL(url).username !== '';
  return createTransport({ ...options, ...TIMEOUTS_MS, requireTLS, url });
};

const post = (transport: Transporter, message: SendMailOptions, timeoutMs: number) =>
  transport.sendMail({ ...message, signal: AbortSignal.timeout(timeoutMs) });

/** Enhanced codes that say that there is no such recipient (RFC 3463, sections 3.2 and 3.3). */
const NO_RECIPIENT = /^5\.(1\.[0-6]|1\.10|2\.1)$/;

/** Replies to `RCPT TO` that say so without an enhanced code (RFC 5321, section 4.2.3). */
const NO_RECIPIENT_REPLIES = [550, 551, 553];

/** The reply for a full mailbox. */
const FULL_MAILBOX_REPLY = 552;

interface Reply {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
}

/** Whom a 5xx reply to the recipient or to the mail blames. */
const blamedBy = ({ responseCode = 0, response = '', command }: Reply) => {
  const [, enhanced] = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  if (enhanced !== undefined) {
    if (NO_RECIPIENT.test(enhanced)) return 'recipient';
    return enhanced.startsWith('5.2.') ? 'mailbox' : 'sender';
  }
  if (command !== 'RCPT TO') return 'sender';
  if (NO_RECIPIENT_REPLIES.includes(responseCode)) return 'recipient';
  return responseCode === FULL_MAILBOX_REPLY ? 'mailbox' : 'sender';
};

/**
 * A 5xx reply is final if it blames the recipient. A mail that is refused for its sender or a full
 * mailbox, or by a 4xx reply, may be taken later. After any other error the server takes no mail now.
 *
 * @param to to leave it out of the server's words; absent: they are left out
 */
const classifyError = (
  error: unknown,
  to?: readonly string[],
): Exclude<MailOutcome, { kind: 'sent' }> => {
  const reply = error as Reply;
  const { code = 'unknown', responseCode, response = '', command = '' } = reply;
  if (responseCode === undefined) return { kind: 'unreached', reason: code };
  const words = to === undefined ? '' : wordsOf(response, to);
  const reason = `${code} ${responseCode} ${words}`.trim();
  const isFinal = responseCode >= 500;
  if (!['RCPT TO', 'DATA'].includes(command))
    return { kind: 'unreached', reason, ...(isFinal && { blamesSender: true }) };

  const blamed = isFinal ? blamedBy(reply) : undefined;
  if (blamed === 'recipient') return { kind: 'refused', reason };
  return { kind: 'deferred', reason, ...(blamed === 'sender' && { blamesSender: true }) };
};

/** Characters of the server's words that are kept. */
const MAX_WORDS = 120;

/** What a server said after its code, on one line, without addresses and the names in them. */
const wordsOf = (response: string, to: readonly string[]): string => {
  const names = to.flatMap((address) => address.split('@'));
  const words = response
    .replaceAll(/^\d{3}[ -]?/gm, '')
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .split(' ')
    .filter((word) => word !== '' && !word.includes('@'))
    .map((word) => (names.some((name) => word.includes(name)) ? '…' : word));
  return words.join(' ').slice(0, MAX_WORDS).trim();
};
