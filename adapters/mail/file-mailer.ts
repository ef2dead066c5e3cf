import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificateMail, Mailer, MailOutcome } from '../../application/mail/mailer.ts';
import { messageOf, type Sender } from './mail-message.ts';

/** Keeps each mail as a file that mail programs open (`.eml`), for its owner alone. Without a folder it keeps none. */
export class FileMailer implements Mailer {
  readonly #folder: string | undefined;
  readonly #from: Sender;
  readonly #kept: (file: string) => void;

  constructor(folder: string | undefined, from: Sender, kept: (file: string) => void) {
    this.#folder = folder;
    this.#from = from;
    this.#kept = kept;
  }

  async send(mail: CertificateMail): Promise<MailOutcome> {
    try {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        streamTransport: true,
        buffer: true,
        newline: 'windows',
      });
      const { message } = await transport.sendMail(messageOf(mail, this.#from));
      if (this.#folder !== undefined)
        await this.#keep(this.#folder, mail.reference, message as Buffer);
      return { kind: 'sent' };
    } catch (error) {
      return { kind: 'unreached', reason: String((error as { code?: unknown }).code ?? 'unknown') };
    }
  }

  /** Under its own name at the end: whoever looks sees the whole mail, and the same one however often it is sent. */
  async #keep(folder: string, reference: string, message: Buffer): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${reference}.eml`);
    await writeFile(`${file}.part`, message, { mode: 0o600 });
    await rename(`${file}.part`, file);
    this.#kept(file);
  }
}
