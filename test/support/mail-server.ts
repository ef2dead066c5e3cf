import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { generate } from 'selfsigned';
import { SMTPServer } from 'smtp-server';

/** A self-signed certificate for 127.0.0.1; a client must be told to trust it. */
export const localCertificate = async (): Promise<{
  readonly key: string;
  readonly cert: string;
}> => {
  const altNames = [{ type: 7, ip: '127.0.0.1' }] as const;
  const extensions = [{ name: 'subjectAltName', altNames }] as never;
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    extensions,
  });
  return { key, cert };
};

interface Received extends Email {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly raw: string;
}

interface MailServerOptions {
  readonly port?: number;
  /** TLS from the first byte on; absent: STARTTLS. */
  readonly secure?: boolean;
  readonly certificate: { readonly key: string; readonly cert: string };
  /** Refuses each recipient with this answer. */
  readonly refuse?: { readonly code: number; readonly text: string } | undefined;
}

/** The account that may send. */
export const LOGIN = { user: 'seguros', password: 'mail-secret-of-the-tests' };

/** A real SMTP server: requires a login over TLS, and keeps each message. */
export class MailServer {
  readonly received: Received[] = [];
  readonly #server: SMTPServer;
  refuse: MailServerOptions['refuse'];

  constructor({ secure = false, certificate, refuse }: MailServerOptions) {
    this.refuse = refuse;
    this.#server = new SMTPServer({
      ...{
        secure,
        ...certificate,
        authOptional: false,
        disableReverseLookup: true,
        closeTimeout: 50,
      },
      onAuth: ({ username, password }, _, done) =>
        username === LOGIN.user && password === LOGIN.password
          ? done(null, { user: username })
          : done(Object.assign(new Error('bad login'), { responseCode: 535 })),
      onRcptTo: (_, __, done) => {
        const { refuse: no } = this;
        done(no && Object.assign(new Error(no.text), { responseCode: no.code }));
      },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          const raw = Buffer.concat(chunks);
          const { mailFrom, rcptTo } = envelope;
          const from = mailFrom === false ? '' : mailFrom.address;
          const parsed = await PostalMime.parse(raw);
          this.received.push({
            ...parsed,
            envelope: { from, to: rcptTo.map(({ address }) => address) },
            raw: raw.toString(),
          });
          done();
        });
      },
    });
    // A client that does not trust the certificate hangs up.
    this.#server.on('error', () => {});
  }

  async start(port = 0): Promise<this> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server.server, 'listening');
    return this;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
