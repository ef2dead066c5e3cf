import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import PostalMime from 'postal-mime';
import { MailAlertSender, WebhookAlertSender } from '../../adapters/alerts/alert-senders.ts';
import { FileMailer } from '../../adapters/mail/file-mailer.ts';
import { SmtpMailer } from '../../adapters/mail/smtp-mailer.ts';
import { MemoryAlertSender } from '../../adapters/memory/alerts.ts';
import type { AlertSender, Digest } from '../../application/alerts/alert-notifications.ts';
import type { AlertRecord } from '../../application/alerts/alert-records.ts';
import { temporaryFolder } from '../support/children.ts';
import { AT } from '../support/identity.ts';
import { LOGIN, localCertificate, MailServer } from '../support/mail-server.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { later } from '../support/webhooks.ts';

const FROM = { name: 'Seguros', address: 'seguros@example.com' };
const OPERATORS = ['ops@example.com', 'night@example.com'];
const SERVICE = { environment: 'production', publicUrl: 'https://sales.example.com' } as const;

const alert = (id: number, over: Partial<AlertRecord> = {}): AlertRecord => ({
  ...{ id, kind: 'sale_stuck', subject: `transaction/${id}`, saleId: id, details: { tries: 25 } },
  ...{ firstAt: AT, lastAt: AT, times: 1, requestId: null, resolution: null },
  ...over,
});

const DIGEST: Digest = {
  ...{ kind: 'sale_stuck', way: 'mail', count: 12, upTo: 7, failures: 0 },
  alerts: [
    alert(9, { times: 3, lastAt: later(60), requestId: 'request-9' }),
    alert(8),
    alert(6, { saleId: null, subject: 'notice/evt_1', details: { words: ['<a> é'] } }),
  ],
};

/** A sender, and the texts that have arrived. */
interface Told {
  readonly sender: AlertSender;
  arrived(): Promise<readonly string[]>;
  /** Makes the other side refuse everything. */
  refuse?(): void;
  close?(): Promise<void> | void;
}

const bySmtp = async (): Promise<Told> => {
  const server = await new MailServer({ certificate: await localCertificate() }).start();
  const login = `${LOGIN.user}:${LOGIN.password}`;
  const trust = '?tls.rejectUnauthorized=false';
  const mailer = new SmtpMailer(`smtp://${login}@127.0.0.1:${server.port}${trust}`, FROM);
  return {
    sender: new MailAlertSender(mailer, OPERATORS, SERVICE),
    arrived: async () => {
      for (const { envelope, subject } of server.received) {
        expect(envelope.to).to.deep.equal(OPERATORS);
        expect(subject).to.equal('[insurance-sales] 12 × sale_stuck');
      }
      return server.received.map(({ text = '' }) => text);
    },
    refuse: () => {
      server.refuse = { code: 550, text: 'ops@example.com: no such user' };
    },
    close: async () => {
      await mailer.close();
      await server.stop();
    },
  };
};

const byFiles = async (): Promise<Told> => {
  const folder = join(temporaryFolder(), 'mail');
  const mailer = new FileMailer(folder, FROM, () => {});
  return {
    sender: new MailAlertSender(mailer, OPERATORS, SERVICE),
    arrived: () =>
      Promise.all(
        readdirSync(folder).map(async (file) => {
          const { text = '' } = await PostalMime.parse(readFileSync(join(folder, file)));
          return text;
        }),
      ),
  };
};

const byWebhook = async (): Promise<Told> => {
  const receiver = await new WebhookReceiver().start();
  return {
    sender: new WebhookAlertSender(receiver.urlOf('/hook?token=secret'), SERVICE),
    arrived: async () => receiver.arrivals.map(({ body }) => JSON.parse(body).text),
    refuse: () =>
      receiver.answer('/hook?token=secret', (response) => {
        response.statusCode = 403;
        response.end('no');
      }),
    close: () => receiver.stop(),
  };
};

const inMemory = async (): Promise<Told> => {
  const sender = new MemoryAlertSender('mail');
  const told = ({ kind, count, alerts }: Digest): string =>
    [`${count} × ${kind}`, ...alerts.map((each) => `alert ${each.id}`)].join('\n');
  return {
    sender,
    arrived: async () => sender.told.map(told),
    refuse: () => sender.failures.push('403'),
  };
};

const SENDERS = { memory: inMemory, SMTP: bySmtp, 'mail files': byFiles, webhook: byWebhook };

for (const [name, open] of Object.entries(SENDERS)) {
  describe(`telling of alerts by ${name}`, () => {
    let told: Told;
    before(async () => {
      told = await open();
    });
    after(() => told.close?.());

    it('brings the kind, the count and the alerts', async () => {
      expect(await told.sender.tell(DIGEST)).to.deep.equal({ kind: 'told' });
      const [text = '', ...others] = await told.arrived();
      expect(others).to.deep.equal([]);
      expect(text).to.include('12 × sale_stuck');
      for (const { id } of DIGEST.alerts) expect(text).to.include(`alert ${id}`);
    });

    it('reports a refusal by a code, and throws nothing', async function () {
      if (told.refuse === undefined) return this.skip();
      told.refuse();
      const outcome = await told.sender.tell(DIGEST);
      expect(outcome.kind).to.equal('failed');
      expect(outcome)
        .to.have.property('reason')
        .that.matches(/^(status )?(EENVELOPE )?\d{3}$/);
      expect(await told.arrived()).to.satisfy(
        (texts: readonly string[]) => texts.length === 1 || name === 'webhook',
      );
    });
  });
}

describe('the text of a digest', () => {
  it('says which service, what it means, each alert, and what to do', async () => {
    const { sender, arrived, close } = await bySmtp();
    await sender.tell(DIGEST);
    const [text = ''] = await arrived();
    await close?.();
    expect(text.replaceAll('\r\n', '\n').trimEnd()).to.equal(
      `12 × sale_stuck (production, https://sales.example.com)

A sale was tried many times without progress.

alert 9, sale 9: 3 times, first ${AT}, last ${later(60)}, request request-9, {"tries":25}
alert 8, sale 8: ${AT}, {"tries":25}
alert 6, notice/evt_1: ${AT}, {"words":["<a> é"]}
and 9 more

What to do: https://sales.example.com/docs/en/operator/alerts#sale_stuck
All that are open: GET https://sales.example.com/api/admin/alerts?status=open&kind=sale_stuck
or: npm run -s admin -- alerts --status open --kind sale_stuck`,
    );
  });
});

describe('the mail server for alerts', () => {
  /** A mail server that falls silent where it would give an answer of this code to a mail. */
  const tellSilent = async (silentAt: 220 | 354 | 250) => {
    let got = 0;
    const sockets = new Set<Socket>();
    const server = createNetServer((socket) => {
      sockets.add(socket);
      let text = '';
      const answer = (code: number): void => {
        if (code !== silentAt || (code === 250 && got === 0)) socket.write(`${code} x\r\n`);
      };
      socket.on('data', (chunk) => {
        text += chunk;
        if (text.endsWith('\r\n.\r\n')) got += 1;
        else if (!text.endsWith('\r\n') || /DATA\r\n./s.test(text)) return;
        answer(text.endsWith('DATA\r\n') ? 354 : 250);
      });
      answer(220);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const mailer = new SmtpMailer(`smtp://127.0.0.1:${port}`, FROM, 1_000);
    const outcome = await new MailAlertSender(mailer, OPERATORS, SERVICE).tell(DIGEST);
    for (const socket of sockets) socket.destroy();
    server.close();
    return { ...outcome, got };
  };

  it('may have a mail that it got whole and did not answer, and none before', async () => {
    const unknown = { kind: 'unknown', reason: 'timeout', got: 1 };
    expect(await tellSilent(250)).to.deep.equal(unknown);
    const failed = { kind: 'failed', reason: 'EABORT', got: 0 };
    expect(await tellSilent(354)).to.deep.equal(failed);
    expect(await tellSilent(220)).to.deep.equal(failed);
  });
});

describe('the webhook for alerts', () => {
  let receiver: WebhookReceiver;
  let hanging: Server;
  beforeEach(async () => {
    receiver = await new WebhookReceiver().start();
  });
  afterEach(() => receiver.stop());

  it('gets JSON with the alerts, and no angle brackets in the text', async () => {
    await new WebhookAlertSender(receiver.urlOf('/hook'), SERVICE).tell(DIGEST);
    const [arrival] = receiver.arrivals;
    expect(arrival?.headers['content-type']).to.equal('application/json');
    const { text, ...rest } = JSON.parse(arrival?.body ?? '');
    expect(text).to.include(' a  é').and.not.match(/[<>]/);
    expect(rest).to.deep.include({ kind: 'sale_stuck', count: 12 });
    expect(rest.alerts).to.have.length(3);
    expect(rest.alerts[0]).to.deep.equal({
      ...{ alert_id: 9, transaction_id: 9, details: { tries: 25 }, times: 3 },
      ...{ first_at: AT, last_at: later(60), request_id: 'request-9' },
    });
  });

  it('is not followed to another address, and is given up when it is away', async () => {
    receiver.answer('/moved', (response) => {
      response.writeHead(307, { Location: receiver.urlOf('/target') }).end();
    });
    const tell = (url: string, timeoutMs?: number) =>
      new WebhookAlertSender(url, SERVICE, timeoutMs).tell(DIGEST);
    const moved = { kind: 'failed', reason: 'status 307' };
    expect(await tell(receiver.urlOf('/moved'))).to.deep.equal(moved);
    expect(receiver.at('/target')).to.deep.equal([]);

    hanging = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => hanging.once('listening', resolve));
    const { port } = hanging.address() as AddressInfo;
    const url = `127.0.0.1:${port}/secret-path`;
    const [unknown, failed] = ['unknown', 'failed'].map((kind) => ({ kind, reason: 'timeout' }));
    expect(await tell(`http://${url}`, 300), 'got it, and hangs').to.deep.equal(unknown);
    expect(await tell(`https://${url}`), 'no TLS').to.include({ kind: 'failed' });
    hanging.closeAllConnections();
    await new Promise((resolve) => hanging.close(resolve));
    const refused = { kind: 'failed', reason: 'ECONNREFUSED' };
    expect(await tell(`http://${url}`)).to.deep.equal(refused);

    const silent = createNetServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port: silentPort } = silent.address() as AddressInfo;
    const atHandshake = await tell(`https://127.0.0.1:${silentPort}/`, 300);
    silent.close();
    expect(atHandshake, 'hangs before it gets it').to.deep.equal(failed);
  });
});
