import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { lockFolder } from '../../adapters/persistence/engine/folder-lock.ts';
import { showTable } from '../../bootstrap/commands/show-answer.ts';
import { temporaryFolder } from '../support/children.ts';
import { SALE, saleOrder } from '../support/generic-sales.ts';
import { runOperator } from '../support/operator-command.ts';
import { LocalService, Partner } from '../support/service.ts';
import { embeddedDataFolder, sharedPostgres } from '../support/shared.ts';
import { inDays } from '../support/today.ts';

const SOCKET = 'commands.sock';

describe('an operator command beside a service on the embedded database', () => {
  let DATA_DIR: string;
  let service: LocalService;
  before(async () => {
    DATA_DIR = await embeddedDataFolder();
    service = await LocalService.start({ DATA_DIR });
  });
  after(() => service.end());

  const run = (...args: readonly string[]) => runOperator(args, { DATA_DIR });

  it('prints what it would print alone', async () => {
    const { code, output, errors } = await run('list');
    expect([code, errors]).to.deep.equal([0, '']);
    const names = (JSON.parse(output) as { name: string }[]).map(({ name }) => name);
    expect(names).to.deep.equal(['Administrador de demonstração', 'Parceiro de demonstração']);
  });

  it('replaces a lost secret at once, under the name of its user, and logs no secret', async () => {
    const lost = service.credentials('Demo partner');
    const rotated = await run('rotate', lost?.client_id ?? '', '--grace-hours', '0');
    expect(rotated.code, rotated.errors).to.equal(0);
    const { client_id, client_secret } = JSON.parse(rotated.output);
    const found = new Partner(service.baseUrl, { client_id, client_secret });
    expect(await found.token()).to.be.a('string');
    expect(await new Partner(service.baseUrl, lost).token()).to.equal(undefined);

    const administrator = new Partner(service.baseUrl, service.credentials('Administrator'));
    const token = await administrator.token();
    const entries = await administrator.call('/admin/audit?action=client.secret_rotated', token);
    const { response } = (await entries.json()) as {
      response: { data: { actor: { kind: string; name: string } }[] };
    };
    expect(response.data[0]?.actor).to.include({ kind: 'operator' });
    expect(response.data[0]?.actor.name).to.match(new RegExp(`^${userInfo().username}@.+`));
    expect(service.output).not.to.include(client_secret);
  });

  it('refuses as it would alone, with the same exit code', async () => {
    const unknown = await run('show', 'nobody');
    expect(unknown).to.deep.equal({ code: 1, output: '', errors: 'there is no such client\n' });
  });

  it('refuses a client of a channel that does not exist, and names the nearest', async () => {
    const { code, errors } = await run('create-client', '--name', 'X', '--channel', 'canal-deno');
    expect([code, errors]).to.deep.equal([
      1,
      'there is no channel canal-deno: the nearest is canal-demo. Create a new one first, with PUT /admin/channels/canal-deno\n',
    ]);
  });

  it('invites a person to the console by a link, and again; and lets others in for a test', async () => {
    const link = async (...args: readonly string[]) => {
      const { code, output, errors } = await run('people', ...args);
      expect(code, errors).to.equal(0);
      return JSON.parse(output) as { person_id: string; name: string; link: string };
    };
    const statusOf = async (address: string) => (await fetch(address)).status;
    const asked = ['--name', 'Bia Reis', '--email', 'bia@example.com', '--role', 'support'];
    const invited = await link('invite', ...asked);
    expect(invited.link).to.match(/^http:.*\/console\/invitation\/[\w-]{43}$/);
    expect(await statusOf(invited.link)).to.equal(200);
    const again = await link('invite-again', invited.person_id);
    expect([await statusOf(invited.link), await statusOf(again.link)]).to.deep.equal([404, 200]);

    const [first, second] = [await link('link'), await link('link', '--role', 'finance')];
    expect(second.name).not.to.equal(first.name);
    const listed = JSON.parse((await run('people', 'list')).output) as object[];
    expect(listed.map((each) => Object.values(each)[1])).to.deep.equal([
      ...['Bia Reis', first.name, second.name],
    ]);
    for (const [args, error] of [
      [['invite', ...asked], 'there is a person with this e-mail: invite it again, by its id'],
      [['invite-again', 'nobody'], 'there is no such person, or it is not active'],
      [['link', '--role', 'partner'], 'a partner needs --channel, with a channel that exists'],
    ] as const)
      expect(await run('people', ...args)).to.deep.equal({
        ...{ code: 1, output: '', errors: `${error}\n` },
      });
    expect(service.output).not.to.include(again.link.slice(-43));
  });

  it('fills the search anew', async () => {
    const created = await run('create-client', '--name', 'Loja', '--channel', 'canal-demo');
    const partner = new Partner(service.baseUrl, JSON.parse(created.output));
    const insured = { ...(saleOrder()['insured'] as object), name: 'Zuleika Prado' };
    const payment = { status: 'paid', method: 'pix', paidAt: inDays(0) };
    const body = JSON.stringify(saleOrder({ insured, payment }));
    const sold = await partner.call(SALE, await partner.token(), { method: 'POST', body });
    expect(sold.status).to.equal(201);
    const { code, output } = await run('search', 'rebuild');
    expect([code, JSON.parse(output)]).to.deep.equal([0, { entered: 1 }]);
    const administrator = new Partner(service.baseUrl, service.credentials('Administrator'));
    const asked = { method: 'POST', body: JSON.stringify({ q: 'prado zul' }) };
    const token = await administrator.token();
    const found = await administrator.call('/admin/transactions/search', token, asked);
    const { response } = (await found.json()) as { response: { data: { insured: object }[] } };
    expect(response.data.map(({ insured }) => insured)).to.deep.equal([{ name: 'Zuleika Prado' }]);
  });

  it('comes through a socket that only the owner can open, and that goes with the service', async () => {
    const path = join(DATA_DIR, SOCKET);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    // A program that connects and asks nothing does not hold the service up.
    const idle = connect(path);
    await once(idle, 'connect');
    const ended = once(idle, 'close');
    await service.end();
    await ended;
    expect(existsSync(path)).to.equal(false);
    expect((await run('list')).code).to.equal(0);
    service = await LocalService.start({ DATA_DIR });
  });
});

describe('the socket for operator commands', () => {
  /** Runs a command beside a service on a data folder. */
  const listBeside = async (DATA_DIR: string) => {
    const service = await LocalService.start({ DATA_DIR });
    const listed = await runOperator(['list'], { DATA_DIR });
    await service.end();
    return { ...listed, log: service.output };
  };

  it('works in a folder whose path is longer than that of a socket may be', async () => {
    const folder = join(temporaryFolder(), 'x'.repeat(120));
    renameSync(await embeddedDataFolder(), folder);
    const { code, errors } = await listBeside(folder);
    expect(code, errors).to.equal(0);
    expect(existsSync(join(folder, SOCKET))).to.equal(false);
  });

  it('is not needed: a service that cannot make it runs, and the command says to stop it', async () => {
    const folder = await embeddedDataFolder();
    mkdirSync(join(folder, SOCKET));
    const { code, errors, log } = await listBeside(folder);
    expect([code, errors]).to.deep.equal([
      1,
      `${join(folder, 'database')} is in use by another process, and serves one at a time: stop that first\n`,
    ]);
    expect(log).to.match(/"level":30,.*operators must stop the service for their commands/);
  });

  it('tells the operator if the service ends before the command', async () => {
    const folder = temporaryFolder();
    const unlock = lockFolder(join(folder, 'database'));
    const ending = createServer((socket) => socket.destroy()).listen(join(folder, SOCKET));
    await once(ending, 'listening');
    const { code, errors } = await runOperator(['list'], { DATA_DIR: folder });
    ending.close();
    unlock();
    expect([code, errors]).to.deep.equal([
      1,
      'the service ended before the command did: start it, and look what was done\n',
    ]);
  });
});

describe('what an operator command prints', () => {
  const CLIENTS = [
    { client_id: 'A', name: 'Loja', scopes: ['sales'], last_used_at: null, secrets: [{ age: 1 }] },
    { client_id: 'B', name: 'Outra', scopes: ['admin'], last_used_at: 'now', secrets: [] },
  ];

  it('is a table on a terminal', () => {
    expect(showTable(CLIENTS, 80)).to.equal(
      [
        'client_id  name   scopes  last_used_at  secrets',
        'A          Loja   sales                 1',
        'B          Outra  admin   now',
      ].join('\n'),
    );
    expect(showTable([], 80)).to.equal('none');
  });

  it('has lines of its own for each row where the terminal is narrow, and for a single answer', () => {
    const first = [
      ...['client_id     A', 'name          Loja', 'scopes        sales', 'last_used_at'],
      ...['secrets:', '  age', '  1'],
    ].join('\n');
    expect(showTable(CLIENTS, 20)).to.match(new RegExp(`^${first}\n\nclient_id     B\n`));
    expect(showTable(CLIENTS[0] ?? {}, 20)).to.equal(first);
    expect(showTable({ charges: { of_sales: 1, paid: 2 } }, 20)).to.equal(
      'charges  of_sales: 1, paid: 2',
    );
  });

  it('cannot control the terminal', () => {
    expect(showTable({ name: 'a\u001b[31m\u202eb' }, 80)).to.equal('name  a\uFFFD[31m\uFFFDb');
  });

  it('is JSON elsewhere, and with --json', async () => {
    const DATA_DIR = await embeddedDataFolder();
    const service = await LocalService.start({ DATA_DIR });
    const [piped, asked, shown] = [
      await runOperator(['list'], { DATA_DIR }),
      await runOperator(['list', '--json'], { DATA_DIR }, { columns: 300 }),
      await runOperator(['list'], { DATA_DIR }, { columns: 300 }),
    ];
    await service.end();
    expect(JSON.parse(piped.output)).to.have.length(2);
    expect(asked.output).to.equal(piped.output);
    expect(shown.output.split('\n')).to.have.length(4);
    expect(shown.output).to.match(/^client_id +name +channelLink /);
    const help = await runOperator(['list', '--help'], {});
    expect([help.code, help.output]).to.satisfy(([code, text]: [number, string]) => {
      return code === 0 && text.includes('--json');
    });
  });
});

describe('an invitation to the console without a public URL', () => {
  it('adds nobody: the link would lead nowhere', async () => {
    const settings = { DATABASE_URL: await sharedPostgres.migratedDatabase(), DATA_DIR: 'memory:' };
    const asked = ['--name', 'Bia Reis', '--email', 'bia@example.com', '--role', 'support'];
    expect(await runOperator(['people', 'invite', ...asked], settings)).to.deep.equal({
      ...{ code: 1, output: '', errors: 'PUBLIC_URL is missing: the link begins with it\n' },
    });
    expect(JSON.parse((await runOperator(['people', 'list'], settings)).output)).to.deep.equal([]);
  });
});
