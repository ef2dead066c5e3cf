import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
 * Writes each mail to a file that mail programs open (`.eml`), readable only by the owner of the
 * process. Without a folder it writes nothing.
 */
export class FileMailer implements Mailer, PlainMailer {
  readonly #folder: string | undefined;
  readonly #from: Sender;
  readonly #onWritten: (file: string) => void;

  constructor(folder: string | undefined, from: Sender, onWritten: (file: string) => void) {
    this.#folder = folder;
    this.#from = from;
    this.#onWritten = onWritten;
  }

  send(mail: Mail): Promise<MailOutcome> {
    return this.#post(composeMessage(mail, this.#from), mail.reference);
  }

  sendPlain(mail: PlainMail): Promise<MailOutcome> {
    return this.#post(composePlainMessage(mail, this.#from), mail.reference);
  }

  async #post(composed: SendMailOptions, reference: string): Promise<MailOutcome> {
    try {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        streamTransport: true,
        buffer: true,
        newline: 'windows',
      });
      const { message } = await transport.sendMail(composed);
      if (this.#folder !== undefined) await this.#write(this.#folder, reference, message as Buffer);
      return { kind: 'sent' };
    } catch (error) {
      return { kind: 'unreached', reason: String((error as { code?: unknown }).code ?? 'unknown') };
    }
  }

  /** Renames the complete file, so that readers never see half a mail. A retry replaces it. */
  async #write(folder: string, reference: string, message: Buffer): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${reference}.eml`);
    await writeFile(`${file}.part`, message, { mode: 0o600 });
    await rename(`${file}.part`, file);
    this.#onWritten(file);
  }
}
