import { readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import type { Email } from '#domain';
import { FileMailer } from '../../adapters/mail/file-mailer.ts';
import { composeMessage } from '../../adapters/mail/mail-message.ts';
import { SmtpMailer } from '../../adapters/mail/smtp-mailer.ts';
import type { CertificateMail } from '../../application/mail/mailer.ts';
import { certificateOf } from '../support/certificates.ts';
import { temporaryFolder } from '../support/children.ts';
import { LOGIN, localCertificate, MailServer } from '../support/mail-server.ts';

const FROM = { name: 'Seguros & Cia.', address: 'seguros@example.com' };
const REFERENCE = '1-01M7YT3JAHDR4EX1NJJCGWCZ8P-0';

const mail = async (
  insured: object = {},
  over: Partial<CertificateMail> = {},
): Promise<CertificateMail> => ({
  reference: REFERENCE,
  occasion: 'issue',
  to: 'maria@example.com' as Email,
  certificate: await certificateOf({}, insured),
  document: {
    fileName: 'bilhete-B-000000123.pdf',
    content: new TextEncoder().encode('%PDF-1.7 …'),
  },
  ...over,
});

describe('mail by SMTP', () => {
  let certificate: Awaited<ReturnType<typeof localCertificate>>;
  let server: MailServer;
  const mailers: SmtpMailer[] = [];
  const mailer = ({
    protocol = 'smtp',
    password = LOGIN.password,
    trust = '?tls.rejectUnauthorized=false',
    port = server.port,
  } = {}) => {
    const made = new SmtpMailer(
      `${protocol}://${LOGIN.user}:${password}@127.0.0.1:${port}${trust}`,
      FROM,
    );
    mailers.push(made);
    return made;
  };
  before(async () => {
    certificate = await localCertificate();
    server = await new MailServer({ certificate }).start();
  });
  beforeEach(() => {
    server.received.length = 0;
    server.refuse = undefined;
  });
  after(async () => {
    for (const each of mailers) await each.close();
    await server.stop();
  });

  it('says in a test environment that it is worth nothing, in the subject, text and HTML', async () => {
    const { subject, text, html } = composeMessage(await mail(), { ...FROM, isTest: true });
    expect(subject).to.equal('TESTE – SEM VALOR: Ingresso Protegido: bilhete nº B-000000123');
    for (const content of [text, html])
      expect(content).to.include('TESTE – SEM VALOR. Isto é de um ambiente de testes');
    expect(composeMessage(await mail(), FROM).subject).not.to.include('TESTE');
  });

  it('logs in over STARTTLS, and sends the same content as text and as HTML', async () => {
    expect(await mailer().send(await mail())).to.deep.equal({ kind: 'sent' });
    const [received] = server.received;
    expect(received?.envelope).to.deep.equal({
      from: 'seguros@example.com',
      to: ['maria@example.com'],
    });
    expect(received).to.deep.include({
      subject: 'Ingresso Protegido: bilhete nº B-000000123',
      messageId: `<${REFERENCE}@example.com>`,
    });
    expect(received?.from).to.deep.include({
      name: 'Seguros & Cia.',
      address: 'seguros@example.com',
    });
    const shown = [
      'Olá, Mari.',
      'B-000000123',
      'das 0h de 20/11/2026 às 24h de 31/12/2026',
      'Precisou usar? ',
      'R$ 202,52',
      'R$ 1.886,00',
      '27/11/2026',
      '0800 000 0000',
      'https://seguros.example/verify/01M7YT3JAHDR4EX1NJJCGWCZ8P',
    ];
    for (const text of shown) {
      expect(received?.text).to.include(text);
      expect(received?.html).to.include(text);
    }
    expect(received?.html).to.include('lang="pt-BR"');
    expect(received?.headers.find(({ key }) => key === 'auto-submitted')?.value).to.equal(
      'auto-generated',
    );
  });

  it('marks a second copy as such', async () => {
    await mailer().send(await mail({}, { occasion: 'second_copy' }));
    expect(server.received[0]?.subject).to.equal(
      'Ingresso Protegido: segunda via do bilhete, nº B-000000123',
    );
    expect(server.received[0]?.text).to.include('a segunda via do bilhete de Ingresso Protegido');
  });

  it('uses TLS from the start for an smtps address', async () => {
    const secure = await new MailServer({ secure: true, certificate }).start();
    expect(await mailer({ protocol: 'smtps', port: secure.port }).send(await mail())).to.deep.equal(
      { kind: 'sent' },
    );
    expect(secure.received).to.have.length(1);
    await secure.stop();
  });

  it('sends no mail and no password to a server with an untrusted certificate', async () => {
    expect(await mailer({ trust: '' }).send(await mail())).to.deep.include({ kind: 'unreached' });
    expect(server.received).to.have.length(0);
  });

  it('does not log in without TLS', async () => {
    const heard: string[] = [];
    const plain = createServer((socket) => {
      socket.write('220 plain\r\n');
      socket.on('data', (chunk) => {
        heard.push(String(chunk));
        socket.write(
          /^EHLO/.test(String(chunk)) ? '250-plain\r\n250 AUTH PLAIN LOGIN\r\n' : '502 no\r\n',
        );
      });
      socket.on('error', () => {});
    });
    const port = await listening(plain);
    expect(await mailer({ port }).send(await mail())).to.deep.include({ kind: 'unreached' });
    expect(heard.join()).not.to.match(/AUTH/);
    plain.close();
  });

  it('reports unreached for a wrong login and no server', async () => {
    expect(await mailer({ password: 'wrong' }).send(await mail())).to.deep.equal({
      kind: 'unreached',
      reason: 'EAUTH 535 bad login',
      blamesSender: true,
    });
    const closed = createServer();
    const port = await listening(closed);
    await new Promise((resolve) => closed.close(resolve));
    expect(await mailer({ port }).send(await mail())).to.deep.equal({
      kind: 'unreached',
      reason: 'ESOCKET',
    });
  });

  it('reports deferred for a full mailbox, and refused for an unknown address, with the words of the server and without the address', async () => {
    server.refuse = { code: 452, text: '4.2.2 <maria@example.com> mailbox full' };
    expect(await mailer().send(await mail())).to.deep.equal({
      kind: 'deferred',
      reason: 'EENVELOPE 452 4.2.2 mailbox full',
    });
    server.refuse = { code: 550, text: '5.1.1 no user maria at example.com (code\u0007 x)' };
    expect(await mailer().send(await mail())).to.deep.equal({
      kind: 'refused',
      reason: 'EENVELOPE 550 5.1.1 no user … at … (code x)',
    });
  });

  for (const [code, text, outcome] of [
    [550, '5.1.1 unknown', { kind: 'refused' }],
    [550, '5.1.0 address rejected', { kind: 'refused' }],
    [550, '5.1.10 null MX', { kind: 'refused' }],
    [550, '5.2.1 mailbox disabled', { kind: 'refused' }],
    [550, 'no such user', { kind: 'refused' }],
    [551, 'user not local', { kind: 'refused' }],
    [553, 'mailbox name not allowed', { kind: 'refused' }],
    [552, '5.2.2 mailbox full', { kind: 'deferred' }],
    [552, 'mailbox full', { kind: 'deferred' }],
    [550, '5.7.1 relaying denied', { kind: 'deferred', blamesSender: true }],
    [550, '5.7.23 SPF validation failed', { kind: 'deferred', blamesSender: true }],
    [553, '5.1.8 sender domain not found', { kind: 'deferred', blamesSender: true }],
    [501, '5.1.7 bad sender address', { kind: 'deferred', blamesSender: true }],
    [550, '5.4.1 access denied', { kind: 'deferred', blamesSender: true }],
    [554, '5.3.2 not accepting mail', { kind: 'deferred', blamesSender: true }],
    [554, 'blocked', { kind: 'deferred', blamesSender: true }],
    [451, '4.7.1 greylisted', { kind: 'deferred' }],
    [450, '4.1.1 cannot be verified now', { kind: 'deferred' }],
  ] as const)
    it(`reports whom "${code} ${text}" to a recipient blames`, async () => {
      server.refuse = { code, text };
      const reason = `EENVELOPE ${code} ${text}`;
      expect(await mailer().send(await mail())).to.deep.equal({ ...outcome, reason });
    });

  it('sends again after the server was down', async () => {
    const { port } = server;
    const one = mailer();
    expect((await one.send(await mail())).kind).to.equal('sent');
    await server.stop();
    expect((await one.send(await mail())).kind).to.equal('unreached');
    server = await new MailServer({ certificate }).start(port);
    expect((await one.send(await mail())).kind).to.equal('sent');
    expect(server.received).to.have.length(1);
  });

  const HOSTILE = [
    'Maria\r\nBcc: thief@evil.example',
    'Maria\nSubject: other',
    'Maria\r\n\r\n<b>body</b>',
    'Maria" <thief@evil.example>, "x',
    'Maria\u0000\u2028Bcc: thief@evil.example',
    '=?UTF-8?Q?=0D=0ABcc:_thief@evil.example?=',
    '--_NmP-1-Part_1',
    '.\r\nQUIT',
  ];
  for (const [index, name] of HOSTILE.entries()) {
    it(`is not changed by header injection in names (${index + 1})`, async () => {
      const hostile = await certificateOf({}, { name, socialName: name });
      const product = { ...hostile.product, name };
      await mailer().send(
        await mail({}, { certificate: { ...hostile, product, number: `B-${name}` } }),
      );
      const [received, ...others] = server.received;
      expect(others).to.deep.equal([]);
      expect(received?.envelope.to).to.deep.equal(['maria@example.com']);
      expect(received?.to).to.deep.include.members([{ name: '', address: 'maria@example.com' }]);
      expect(received).not.to.have.any.keys('bcc', 'cc');
      const names = received?.headers.map(({ key }) => key) ?? [];
      expect(names.filter((key) => /^(subject|to|from|bcc|cc)$/.test(key)).sort()).to.deep.equal([
        'from',
        'subject',
        'to',
      ]);
      expect(received?.attachments).to.have.length(1);
      expect(received?.html).not.to.include('<b>body</b>');
    });
  }
});

describe('mail in files', () => {
  it('is one file, even if it is sent twice', async () => {
    const folder = temporaryFolder();
    const mailer = new FileMailer(folder, FROM, () => {});
    for (let times = 0; times < 3; times += 1)
      expect(await mailer.send(await mail())).to.deep.equal({ kind: 'sent' });
    expect(readdirSync(folder)).to.deep.equal([`${REFERENCE}.eml`]);
  });

  it('reports unreached for a read-only folder, and writes nothing without a folder', async () => {
    const unwritable = new FileMailer('/dev/null/mail', FROM, () => {});
    expect(await unwritable.send(await mail())).to.deep.equal({
      kind: 'unreached',
      reason: 'ENOTDIR',
    });
    const kept: string[] = [];
    expect(
      await new FileMailer(undefined, FROM, (file) => kept.push(file)).send(await mail()),
    ).to.deep.equal({ kind: 'sent' });
    expect(kept).to.deep.equal([]);
  });
});

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};
