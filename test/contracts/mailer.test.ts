import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import PostalMime from 'postal-mime';
import { cents, type Email } from '#domain';
import { FileMailer } from '../../adapters/mail/file-mailer.ts';
import { SmtpMailer } from '../../adapters/mail/smtp-mailer.ts';
import { MemoryMailer } from '../../adapters/memory/certificate-delivery.ts';
import type {
  AccountRequest,
  CertificateMail,
  Mail,
  Mailer,
} from '../../application/mail/mailer.ts';
import { certificateOf, noticeOf } from '../support/certificates.ts';
import { temporaryFolder } from '../support/children.ts';
import { LOGIN, localCertificate, MailServer } from '../support/mail-server.ts';
import { cancelledOn, day, paidSale } from '../support/sales.ts';

const FROM = { name: 'Seguros', address: 'seguros@example.com' };

const mailTo = async (over: Partial<CertificateMail> = {}): Promise<CertificateMail> => ({
  reference: '1-01M7YT3JAHDR4EX1NJJCGWCZ8P-0',
  occasion: 'issue',
  to: 'maria@example.com' as Email,
  certificate: await certificateOf(),
  document: {
    fileName: 'bilhete-B-000000123.pdf',
    content: new TextEncoder().encode('%PDF-1.7 …'),
  },
  ...over,
});

interface Delivered {
  readonly to: string;
  readonly name: string;
  readonly content: Uint8Array;
  readonly fileName: string;
}

/** A mailer, and the mails that it delivered. */
interface Post {
  readonly mailer: Mailer;
  delivered(): Promise<readonly Delivered[]>;
  close?(): Promise<void> | void;
}

const parsed = async (raw: Buffer | string): Promise<Delivered> => {
  const { to, text = '', attachments } = await PostalMime.parse(raw);
  const [document] = attachments;
  return {
    to: to?.map(({ address }) => address).join() ?? '',
    name: /Olá, (.*)\./.exec(text)?.[1] ?? '',
    content: new Uint8Array((document?.content as ArrayBuffer | undefined) ?? []),
    fileName: document?.filename ?? '',
  };
};

const smtpPost = async (): Promise<Post> => {
  const server = await new MailServer({ certificate: await localCertificate() }).start();
  const { user, password } = LOGIN;
  const mailer = new SmtpMailer(
    `smtp://${user}:${password}@127.0.0.1:${server.port}?tls.rejectUnauthorized=false`,
    FROM,
  );
  return {
    mailer,
    delivered: () => Promise.all(server.received.map(({ raw }) => parsed(raw))),
    close: async () => {
      await mailer.close();
      await server.stop();
    },
  };
};

const filePost = async (): Promise<Post> => {
  const folder = join(temporaryFolder(), 'mail');
  const files: string[] = [];
  return {
    mailer: new FileMailer(folder, FROM, (file) => files.push(file)),
    delivered: async () => {
      expect(files).to.include.members(readdirSync(folder).map((file) => join(folder, file)));
      for (const file of files) expect(statSync(file).mode & 0o777).to.equal(0o600);
      return Promise.all([...new Set(files)].map((file) => parsed(readFileSync(file))));
    },
  };
};

const memoryPost = async (): Promise<Post> => {
  const mailer = new MemoryMailer();
  const delivered = (mail: Mail): Delivered => {
    const told = { ...('notice' in mail && mail.notice), ...('request' in mail && mail.request) };
    const { insured } = 'certificate' in mail ? mail.certificate : (told as AccountRequest);
    const none = { content: new Uint8Array(), fileName: '' };
    const document = 'document' in mail ? mail.document : none;
    return { to: mail.to, name: insured.socialName ?? insured.name, ...document };
  };
  return { mailer, delivered: async () => mailer.sent.map(delivered) };
};

for (const [name, open] of Object.entries({
  memory: memoryPost,
  files: filePost,
  SMTP: smtpPost,
})) {
  describe(`the mailer, ${name}`, () => {
    let post: Post;
    before(async () => {
      post = await open();
    });
    after(() => post.close?.());

    it('sends a mail with its text and document', async () => {
      const mail = await mailTo();
      expect(await post.mailer.send(mail)).to.deep.equal({ kind: 'sent' });
      expect(await post.delivered()).to.deep.equal([
        {
          to: 'maria@example.com',
          name: 'Mari',
          content: new Uint8Array(mail.document.content),
          fileName: 'bilhete-B-000000123.pdf',
        },
      ]);
    });

    it('sends each mail to its own address', async () => {
      const names = [
        'Жанна 🎸',
        '"Bcc: x@evil.example"',
        '<script>alert(1)</script>',
        'x'.repeat(200),
      ];
      for (const [index, socialName] of names.entries()) {
        const certificate = await certificateOf({}, { socialName });
        await post.mailer.send(
          await mailTo({
            certificate,
            reference: `ref-${index}`,
            to: `person-${index}@example.com` as Email,
          }),
        );
      }
      const arrived = (await post.delivered()).slice(1).map((each) => [each.to, each.name]);
      expect(arrived).to.have.deep.members(
        names.map((each, index) => [`person-${index}@example.com`, each]),
      );
    });

    it('sends the notice of a cancellation, without a document', async () => {
      const notice = await noticeOf(cancelledOn(paidSale(), '2026-11-25'));
      const mail: Mail = {
        reference: '1-01M7YT3JAHDR4EX1NJJCGWCZ8P-cancellation',
        occasion: 'cancellation',
        to: 'jose@example.com' as Email,
        notice,
      };
      expect(await post.mailer.send(mail)).to.deep.equal({ kind: 'sent' });
      const sent = (await post.delivered()).find(({ to }) => to === 'jose@example.com');
      expect(sent).to.deep.include({ name: notice.insured.socialName, fileName: '' });
      expect(sent?.content).to.have.length(0);
    });

    it('asks for an account, on the page of the gateway', async () => {
      const { insured, productName, channelName, insurer } = await noticeOf(
        cancelledOn(paidSale(), '2026-11-25'),
      );
      const mail: Mail = {
        reference: '1-01M7YT3JAHDR4EX1NJJCGWCZ8P-account-1',
        occasion: 'refund_account',
        to: 'rui@example.com' as Email,
        request: {
          ...{ insured, productName, channelName, insurer, isReminder: false },
          refunds: [
            {
              amount: cents(9_024),
              url: 'https://pay.example/refund/1',
              until: day('2026-12-09'),
            },
          ],
        },
      };
      expect(await post.mailer.send(mail)).to.deep.equal({ kind: 'sent' });
      const sent = (await post.delivered()).find(({ to }) => to === 'rui@example.com');
      expect(sent).to.deep.include({ name: insured.socialName, fileName: '' });
    });
  });
}
