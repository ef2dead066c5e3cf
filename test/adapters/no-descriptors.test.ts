import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { bareEnvironment, startChild } from '../support/children.ts';

/** What a script uses for the first time: `act`; and closes at the end: `close`. */
const ACTS = {
  documents: `
    const { PdfDocuments } = await import('./adapters/documents/pdf-documents.ts');
    const documents = new PdfDocuments();
    const act = async () =>
      String.fromCharCode(...(await documents.certificate(certificate)).slice(0, 4));
    const close = () => documents.close();`,
  mails: `
    const { SmtpMailer } = await import('./adapters/mail/smtp-mailer.ts');
    const mailer = new SmtpMailer('smtp://127.0.0.1:1', { name: 'a', address: 'a@example.com' });
    const document = { fileName: 'a.pdf', content: Buffer.from('a') };
    const mail = { reference: '1', occasion: 'issue', to: 'b@example.com', certificate, document };
    const act = async () => (await mailer.send(mail)).reason;
    const close = () => mailer.close();`,
  webhooks: `
    const { HttpWebhookSender } = await import('./adapters/webhooks/http-webhook-sender.ts');
    const sender = new HttpWebhookSender({ urls: { read: () => ({ ok: true }) }, allowsLoopback: true });
    const message = { url: 'http://127.0.0.1:1/', id: 'a', timestamp: 1, body: '', secrets: [] };
    const act = async () => (await sender.send(message)).reason;
    const close = () => sender.close();`,
  metrics: `
    const { processFigures } = await import('./adapters/metrics/exposition.ts');
    const act = async () => (await processFigures()).length > 10;
    const close = () => {};`,
};

/** Acts with `free` file descriptors, and again with all that there are. */
const actTwice = (act: string, free: number): string => `
  import { closeSync, openSync } from 'node:fs';
  const { certificateOf } = await import('./test/support/certificates.ts');
  const certificate = await certificateOf();
  ${act}
  const held = [];
  const shown = () => act().catch(({ code, name }) => code ?? name);
  try { for (;;) held.push(openSync('/dev/null')); } catch {}
  for (const file of held.splice(held.length - ${free})) closeSync(file);
  const first = await shown();
  for (const file of held) closeSync(file);
  console.log(JSON.stringify([first, await shown()]));
  await close();
`;

const run = async (act: keyof typeof ACTS, free: number): Promise<readonly unknown[]> => {
  const shell = 'ulimit -n 64; exec "$0" --input-type=module --eval "$1"';
  const child = startChild('bash', ['-c', shell, process.execPath, actTwice(ACTS[act], free)], {
    cwd: new URL('../..', import.meta.url).pathname,
    env: bareEnvironment(),
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, 'close'),
  ]);
  expect(code, errors).to.equal(0);
  return JSON.parse(output);
};

describe('after a lack of file descriptors at the first use', () => {
  // 1: the library is loaded in part. 3: the thread does not start.
  for (const free of [1, 3])
    it(`certificates are made (with ${free} free at first)`, async () => {
      expect(await run('documents', free)).to.deep.equal(['Unavailable', '%PDF']);
    });

  for (const [act, wanted] of Object.entries({
    mails: 'ESOCKET',
    webhooks: 'connection_refused',
    metrics: true,
  } as const))
    it(`${act} work`, async () => {
      const [first, second] = await run(act as keyof typeof ACTS, 0);
      expect(first).not.to.equal(wanted);
      expect(second).to.equal(wanted);
    });
});
