import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import {
  type CommandRun,
  PartnerProcess,
  runPartner,
  type StandInRequest,
  StandInService,
} from '../../support/partner-command.ts';

const FEED = '/api/private/integration/events';
const WEBHOOKS = '/api/private/integration/webhooks';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const eventOf = (number: number) => ({
  id: `evt_${String(number).padStart(32, '0')}`,
  type: 'sale.paid',
  timestamp: '2026-11-22T20:17:33.512Z',
  data: { transaction_id: number, external_sale_id: `order-${number}`, status: 'paid', version: 2 },
});

const lineOf = (number: number): string =>
  `2026-11-22T20:17:33.512Z sale.paid venda ${number} (order-${number}) status paid versão 2\n`;

describe("the partner's command: listen", () => {
  const service = new StandInService();
  let environment: Readonly<Record<string, string>>;
  before(async () => {
    environment = await service.start();
  });
  after(() => service.stop());
  beforeEach(() => {
    service.requests.length = 0;
  });

  describe('--feed', () => {
    /** A feed of so many events whose cursors are their numbers. */
    const feedOf =
      (count: () => number) =>
      ({ path }: StandInRequest, response: ServerResponse): void => {
        const query = new URL(path, 'http://service').searchParams;
        const after = Number(query.get('after') ?? 0);
        const limit = Number(query.get('limit'));
        const isOther = query.get('type') === 'webhook.test';
        const left = isOther ? 0 : count() - after;
        const data = Array.from({ length: Math.min(left, limit) }, (_, at) =>
          eventOf(after + at + 1),
        );
        const next_cursor = String(isOther ? count() : after + data.length);
        const page = { success: true, data, next_cursor, has_more: left > limit };
        response.end(JSON.stringify(page));
      };

    const queries = (): readonly Record<string, string>[] =>
      service
        .to(FEED)
        .map(({ path }) =>
          Object.fromEntries(new URL(path, 'http://service').searchParams.entries()),
        );

    it('prints the events from now on, and on Ctrl-C says how to continue', async () => {
      let count = 300;
      service.answer = feedOf(() => count);
      const command = new PartnerProcess(['listen', '--feed'], environment);
      while (service.to(FEED).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
      count = 302;
      await command.printed(/order-302/);
      command.signal('SIGINT');
      // npm sends it again: a program that is just ending is ended by that.
      command.signal('SIGINT');
      const { code, ...printed } = await command.ended();
      expect(code).to.be.oneOf([0, null]);
      expect(printed).to.deep.equal({
        out: `${lineOf(301)}${lineOf(302)}2 eventos. Para continuar: --after 302\n`,
        errors: '',
      });
      expect(queries().slice(0, 2)).to.deep.equal([
        { limit: '200', type: 'webhook.test' },
        { limit: '200', after: '300' },
      ]);
    });

    it('continues after a cursor, with the types that are asked for, to the count', async () => {
      service.answer = feedOf(() => 500);
      const { code, out } = await runPartner(
        ['listen', '--feed', '--after', '7', '--type', 'sale.paid,sale.issued', '--count', '250'],
        environment,
      );
      expect([code, out.split('\n').length]).to.deep.equal([0, 252]);
      expect(out.startsWith(lineOf(8))).to.equal(true);
      expect(out).to.include(`${lineOf(257)}250 eventos. Para continuar: --after 257\n`);
      const type = 'sale.paid,sale.issued';
      expect(queries()).to.deep.equal([
        { limit: '200', after: '7', type },
        { limit: '50', after: '207', type },
      ]);
    });

    it('prints bodies from the oldest one, one per line', async () => {
      service.answer = feedOf(() => 3);
      const args = ['listen', '--feed', '--from-start', '--json', '--count', '3'];
      const { out, errors } = await runPartner(args, environment);
      const bodies = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(bodies).to.deep.equal([1, 2, 3].map(eventOf));
      expect(errors).to.equal('3 eventos. Para continuar: --after 3\n');
      expect(queries()).to.deep.equal([{ limit: '3' }]);
    });

    it('goes on after an outage and when it asks too often, and loses nothing', async () => {
      const feed = feedOf(() => 6);
      service.answer = (request, response) => {
        const asked = service.to(FEED).length;
        if (asked === 1) return response.writeHead(429, { 'Retry-After': '1' }).end();
        if (asked === 2) return response.destroy();
        if (asked === 3) return response.writeHead(503, { 'Retry-After': '0' }).end();
        if (asked === 4) {
          response.writeHead(200, { 'Content-Length': '1000' }).write('{"success":');
          return setTimeout(() => response.destroy(), 20);
        }
        return feed(request, response);
      };
      const args = ['listen', '--feed', '--from-start', '--count', '6'];
      const { code, out, errors } = await runPartner(args, environment);
      expect([code, out.split('\n')[6]]).to.deep.equal([0, '6 eventos. Para continuar: --after 6']);
      expect(errors).to.include('O serviço está indisponível (429). Nova tentativa em 1 s.');
      expect(errors).to.match(/A conexão falhou \(ECONNRESET\)/);
    });

    it('ends with 2 when the cursor is too old, and says why', async () => {
      service.answer = (_, response) => {
        response.statusCode = 410;
        response.end(JSON.stringify({ response: 'O cursor é antigo demais.' }));
      };
      const { code, errors } = await runPartner(['listen', '--feed', '--after', 'x'], environment);
      expect([code, errors]).to.deep.equal([
        2,
        'O serviço recusou o pedido (410): O cursor é antigo demais.\n',
      ]);
    });

    it('ends on Ctrl-C while the service is away, and when its output is no longer read', async () => {
      service.answer = (_, response) => response.writeHead(503, { 'Retry-After': '200' }).end();
      const waiting = new PartnerProcess(['listen', '--feed', '--after', '9'], environment);
      await waiting.printed(/Nova tentativa em 200 s/);
      waiting.signal('SIGTERM');
      expect((await waiting.ended()).out).to.equal('0 eventos. Para continuar: --after 9\n');

      let count = 0;
      service.answer = feedOf(() => count);
      const piped = new PartnerProcess(['listen', '--feed', '--from-start'], environment);
      count = 1;
      await piped.printed(/order-1/);
      piped.closeOutput();
      count = 2;
      expect(await piped.ended()).to.include({ code: 0, errors: '' });
    });
  });

  describe('--port', () => {
    const withSecret = { WEBHOOK_SECRET: SECRET };

    /** Starts the command, and waits for its address. */
    const listening = async (
      args: readonly string[],
      over: Readonly<Record<string, string>>,
    ): Promise<{ readonly command: PartnerProcess; readonly url: string }> => {
      const command = new PartnerProcess(['listen', '--port', '0', ...args], over);
      const [, url = ''] = await command.printed(/Escutando em (\S+\/)/);
      return { command, url };
    };

    const deliver = async (
      url: string,
      event: object,
      { secret = SECRET, at = new Date(), over = {} }: Delivering = {},
    ): Promise<number> => {
      const body = JSON.stringify(event);
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
        ...over,
      };
      const present = Object.entries(headers).filter(([, value]) => value !== '');
      const init = { method: 'POST', body, headers: Object.fromEntries(present) };
      return (await fetch(url, init)).status;
    };
    interface Delivering {
      readonly secret?: string;
      readonly at?: Date;
      readonly over?: Readonly<Record<string, string>>;
    }

    const end = (command: PartnerProcess): Promise<CommandRun> => {
      command.signal('SIGINT');
      return command.ended();
    };

    it('prints each event once, and ends with 0 on Ctrl-C', async () => {
      const { command, url } = await listening([], withSecret);
      expect(await deliver(url, eventOf(1))).to.equal(204);
      expect(await deliver(url, eventOf(2))).to.equal(204);
      expect(await deliver(url, eventOf(1))).to.equal(204);
      const { code, out, errors } = await end(command);
      expect([code, out]).to.deep.equal([
        0,
        `${lineOf(1)}${lineOf(2)}2 eventos, 0 entregas recusadas.\n`,
      ]);
      expect(errors).to.include(`Repetido: ${eventOf(1).id}.`);
    });

    it('refuses what is not signed for it, says why, and ends with 1', async () => {
      const { command, url } = await listening([], withSecret);
      const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
      const past = new Date(Date.now() - 301_000);
      const future = new Date(Date.now() + 310_000);
      const refused = [
        await deliver(url, eventOf(1), { secret: other }),
        await deliver(url, eventOf(1), { at: past }),
        await deliver(url, eventOf(1), { at: future }),
        await deliver(url, eventOf(1), { over: { 'webhook-id': '' } }),
        await deliver(url, eventOf(1), { over: { 'webhook-timestamp': 'x' } }),
        await deliver(url, eventOf(1), { over: { 'webhook-signature': 'v2,x nonsense' } }),
      ];
      expect(refused).to.deep.equal(Array(6).fill(401));
      expect((await fetch(url)).status).to.equal(405);
      const long = { method: 'POST', body: 'x'.repeat(1_100_000) };
      const answered = await fetch(url, long).then(({ status }) => status);
      expect(answered).to.equal(413);
      const { code, out, errors } = await end(command);
      expect([code, out]).to.deep.equal([1, '0 eventos, 6 entregas recusadas.\n']);
      expect(errors.split('\n').slice(1, -1)).to.deep.equal([
        'Recusado: a assinatura falta, ou não confere com o segredo.',
        'Recusado: webhook-timestamp tem mais de 5 minutos.',
        'Recusado: webhook-timestamp está mais de 5 minutos no futuro.',
        'Recusado: falta webhook-id ou webhook-timestamp, ou não é um número.',
        'Recusado: falta webhook-id ou webhook-timestamp, ou não é um número.',
        'Recusado: a assinatura falta, ou não confere com o segredo.',
      ]);
    });

    it('takes no more events than were asked for, also if many come at once', async () => {
      const { command, url } = await listening(['--count', '2'], withSecret);
      const sent = [1, 2, 3, 4, 5, 6].map((number) => deliver(url, eventOf(number)));
      const answers = await Promise.allSettled(sent);
      const taken = answers.filter((each) => each.status === 'fulfilled' && each.value === 204);
      const { code, out } = await command.ended();
      expect([code, taken.length, out.split('\n').length]).to.deep.equal([0, 2, 4]);
    });

    it('prints the bodies as they came, and ends after a number of events', async () => {
      const { command, url } = await listening(['--json', '--count', '1'], withSecret);
      const event = { ...eventOf(1), data: { message: 'Olá, São Paulo' } };
      expect(await deliver(url, event)).to.equal(204);
      const { code, out, errors } = await command.ended();
      expect([code, out]).to.deep.equal([0, `${JSON.stringify(event)}\n`]);
      expect(errors).to.include('1 eventos, 0 entregas recusadas.');
    });

    /** Answers registrations and removals. */
    const answerManagement = (request: StandInRequest, response: ServerResponse): void => {
      const answer = (status: number, data: unknown): void => {
        response.statusCode = status;
        response.end(JSON.stringify({ success: true, data }));
      };
      if (request.path !== WEBHOOKS) response.writeHead(204).end();
      else if (request.body === '') answer(200, left);
      else answer(201, { id: 'whe_1', secret: SECRET });
    };
    let left: readonly object[] = [];

    it('registers an endpoint, and removes it at the end; it never prints the secret', async () => {
      service.answer = answerManagement;
      const args = ['--register', '--type', 'sale.paid,webhook.test'];
      const { command, url } = await listening(args, environment);
      expect(await deliver(url, eventOf(1))).to.equal(204);
      const { code, out, errors } = await end(command);
      expect([code, out]).to.deep.equal([0, `${lineOf(1)}1 eventos, 0 entregas recusadas.\n`]);
      expect(errors).to.equal(`Escutando em ${url} como whe_1.\n`);
      const [, created, removed] = service.to(WEBHOOKS);
      expect(JSON.parse(created?.body ?? '')).to.deep.equal({
        url,
        events: ['sale.paid', 'webhook.test'],
        description: '@insurance-sales/partner listen',
      });
      expect(removed?.path).to.equal(`${WEBHOOKS}/whe_1`);
      expect(`${out}${errors}`).not.to.include('whsec_');
    });

    it('removes what a killed run has left at the same address, and nothing else', async () => {
      const { command: killed, url } = await listening([], withSecret);
      const { port } = new URL(url);
      await end(killed);
      const description = '@insurance-sales/partner listen';
      left = [
        { id: 'whe_old', url, description },
        { id: 'whe_other', url: `${url}other`, description },
        { id: 'whe_own', url, description: 'of the shop' },
      ];
      service.answer = answerManagement;
      const command = new PartnerProcess(['listen', '--port', port, '--register'], environment);
      await command.printed(/como whe_1/);
      await end(command);
      left = [];
      const paths = service.to(`${WEBHOOKS}/`).map(({ path }) => path);
      expect(paths).to.deep.equal([`${WEBHOOKS}/whe_old`, `${WEBHOOKS}/whe_1`]);
    });

    it('says which endpoint is left if it cannot remove it', async () => {
      service.answer = (request, response) =>
        request.path === WEBHOOKS
          ? answerManagement(request, response)
          : response.writeHead(409).end(JSON.stringify({ response: 'Agora não.' }));
      const { command } = await listening(['--register'], environment);
      const { code, errors } = await end(command);
      expect(code).to.equal(2);
      expect(errors).to.include(
        'O endpoint whe_1 continua cadastrado. O serviço recusou o pedido (409): Agora não.',
      );
    });
  });

  it('says what is missing or wrong with the call, and ends with 2', async () => {
    const failureOf = async (...args: readonly string[]): Promise<string> => {
      const { code, errors } = await runPartner(['listen', ...args], environment);
      expect(code).to.equal(2);
      return errors;
    };
    const choose = 'Escolha um: --feed ou --port.\n';
    expect(await failureOf()).to.equal(choose);
    expect(await failureOf('--feed', '--port', '1')).to.equal(choose);
    expect(await failureOf('--port', '0', '--after', 'x')).to.include('só servem com --feed');
    expect(await failureOf('--feed', '--after', 'x', '--from-start')).to.include('Escolha um');
    expect(await failureOf('--feed', '--register')).to.include('só serve com --port');
    expect(await failureOf('--port', '0', '--type', 'sale.paid')).to.include('com --register');
    expect(await failureOf('--port', '0')).to.equal('Falta a variável WEBHOOK_SECRET.\n');
    expect(await failureOf('--port', '70000')).to.include('deve ser uma porta');
    expect(await failureOf('--feed', '--count', '0')).to.include('a partir de 1');
    const { port } = new URL(environment['SALES_URL'] ?? '');
    const taken = await runPartner(['listen', '--port', port], {
      ...environment,
      WEBHOOK_SECRET: SECRET,
    });
    expect(taken.errors).to.equal(`A porta ${port} não pode ser aberta (EADDRINUSE).\n`);
    for (const secret of ['of the shop', 'whsec_of the shop', 'whsec_']) {
      const { code, errors } = await runPartner(['listen', '--port', '0'], {
        WEBHOOK_SECRET: secret,
      });
      expect([code, errors]).to.deep.equal([
        2,
        'WEBHOOK_SECRET deve ser o segredo do endpoint, que começa com whsec_.\n',
      ]);
    }
  });
});
