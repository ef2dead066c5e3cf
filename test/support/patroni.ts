import { type ChildProcess, execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startChild, temporaryFolder } from './children.ts';
import { freePort, owner } from './postgres.ts';
import { within } from './stores.ts';

const CONFIGURATION = new URL('../../bootstrap/patroni/', import.meta.url).pathname;
const BIN_DIR = '/usr/lib/postgresql/15/bin';
const HOST = '127.0.0.1';

const isInstalled = (program: string): boolean =>
  spawnSync(program, ['--version']).error === undefined;

/** The programs that the cluster needs and this machine lacks. */
export const missingPrograms = (): readonly string[] => [
  ...['patroni', 'patronictl', 'etcd', 'haproxy'].filter((program) => !isInstalled(program)),
  ...(existsSync(join(BIN_DIR, 'pg_rewind')) ? [] : ['PostgreSQL 15']),
];

interface Member {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly dataFolder: string;
  readonly file: string;
  process?: ChildProcess;
}

/** Kills Patroni, which would start PostgreSQL again, and then PostgreSQL by the signal. */
const kill = ({ process: patroni, dataFolder }: Member, signal: NodeJS.Signals): void => {
  patroni?.kill('SIGKILL');
  const file = join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return;
  const [postmaster] = readFileSync(file, 'utf8').split('\n');
  try {
    process.kill(Number(postmaster), signal);
  } catch {
    // It has ended before.
  }
};

/** Fills in `${NAME}`s, as envsubst does. */
const fillIn = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\$\{(\w+)\}/g, (_, name: string) => String(values[name]));

/** Two servers under Patroni with synchronous replication, etcd, and HAProxy before them. */
export class PatroniCluster {
  readonly #folder = temporaryFolder();
  readonly #password = randomBytes(12).toString('hex');
  readonly #others: ChildProcess[] = [];
  readonly #members: Member[] = [];
  #log = '';
  /** The addresses of the primary and of the standbys, through HAProxy. */
  url = '';
  readUrl = '';

  async start(): Promise<void> {
    process.once('exit', () => this.stop());
    chmodSync(this.#folder, 0o700);
    if (owner) chownSync(this.#folder, owner.uid, owner.gid);
    const etcd = await this.#startEtcd();
    for (const name of ['one', 'two']) this.#members.push(await this.#configure(name, etcd));
    for (const member of this.#members) this.#run(member);
    await this.#startProxy();
    await this.settled();
  }

  /** Waits until there is a primary with a synchronous standby. */
  async settled(): Promise<void> {
    const roles = await within(
      () => this.#roles(),
      (found) => [...found.values()].sort().join() === 'primary,sync',
    );
    if (![...roles.values()].includes('sync'))
      throw new Error(`there is no pair: ${JSON.stringify([...roles])}\n${this.#log}`);
  }

  /** Kills the primary's PostgreSQL and its Patroni, as a power failure does. */
  async killPrimary(): Promise<void> {
    kill(await this.#memberThatIs('primary'), 'SIGKILL');
  }

  /** Hands the work of the primary over to the standby. */
  async switchOver(): Promise<void> {
    const standby = await this.#memberThatIs('sync');
    const command = ['-c', standby.file, 'switchover', '--candidate', standby.name, '--force'];
    await promisify(execFile)('patronictl', command, { ...owner, env: this.#environment });
  }

  stop(): void {
    // An immediate shutdown, which also gives shared memory back.
    for (const member of this.#members) kill(member, 'SIGQUIT');
    for (const each of this.#others) each.kill('SIGKILL');
  }

  get #environment(): NodeJS.ProcessEnv {
    return { PATH: process.env['PATH'], HOME: this.#folder, LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8' };
  }

  #spawn(program: string, parameters: readonly string[]): ChildProcess {
    const child = startChild(program, parameters, {
      ...owner,
      cwd: this.#folder,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        this.#log = (this.#log + chunk).slice(-20_000);
      });
    return child;
  }

  /** @returns its address */
  async #startEtcd(): Promise<string> {
    const [client, peer] = [`${HOST}:${await freePort()}`, `http://${HOST}:${await freePort()}`];
    const addresses = {
      'data-dir': join(this.#folder, 'etcd'),
      'listen-client-urls': `http://${client}`,
      'advertise-client-urls': `http://${client}`,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `default=${peer}`,
    };
    const options = Object.entries(addresses).map(([name, value]) => `--${name}=${value}`);
    this.#others.push(this.#spawn('etcd', options));
    return client;
  }

  async #configure(name: string, etcd: string): Promise<Member> {
    const [port, restPort] = [await freePort(), await freePort()];
    const dataFolder = join(this.#folder, name);
    const file = join(this.#folder, `${name}.yml`);
    const values = {
      ...{ NAME: name, HOST, PORT: port, REST_PORT: restPort, ETCD: etcd, BIN_DIR },
      ...{ DATA_DIR: dataFolder, SOCKET_DIR: this.#folder, PASSWORD: this.#password },
      NETWORK: `${HOST}/32`,
    };
    this.#write(file, fillIn(readFileSync(join(CONFIGURATION, 'patroni.yml'), 'utf8'), values));
    return { name, port, restPort, dataFolder, file };
  }

  #run(member: Member): void {
    member.process = this.#spawn('patroni', [member.file]);
  }

  async #startProxy(): Promise<void> {
    const [primaryPort, standbyPort] = [await freePort(), await freePort()];
    const [one, two] = this.#members as [Member, Member];
    const values = {
      ...{ HOST, PRIMARY_PORT: primaryPort, STANDBY_PORT: standbyPort },
      ...{ ONE: `${HOST}:${one.port}`, ONE_REST: one.restPort },
      ...{ TWO: `${HOST}:${two.port}`, TWO_REST: two.restPort },
    };
    const file = join(this.#folder, 'haproxy.cfg');
    this.#write(file, fillIn(readFileSync(join(CONFIGURATION, 'haproxy.cfg'), 'utf8'), values));
    this.#others.push(this.#spawn('haproxy', ['-db', '-f', file]));
    const at = (port: number): string =>
      `postgres://postgres:${this.#password}@${HOST}:${port}/postgres`;
    this.url = at(primaryPort);
    this.readUrl = at(standbyPort);
  }

  #write(file: string, text: string): void {
    writeFileSync(file, text, { mode: 0o600 });
    if (owner) chownSync(file, owner.uid, owner.gid);
  }

  async #memberThatIs(role: string): Promise<Member> {
    const roles = await this.#roles();
    const member = this.#members.find(({ name }) => roles.get(name) === role);
    if (member === undefined) throw new Error(`no member is ${role}`);
    return member;
  }

  /** The role of each member that answers. */
  async #roles(): Promise<ReadonlyMap<string, string>> {
    const entries = this.#members.map(async ({ name, restPort }) => {
      for (const [path, role] of [
        ['primary', 'primary'],
        ['sync', 'sync'],
      ] as const) {
        const status = await fetch(`http://${HOST}:${restPort}/${path}`).then(
          (answer) => answer.status,
          () => 0,
        );
        if (status === 200) return [name, role] as const;
      }
      return [name, 'unknown'] as const;
    });
    return new Map(await Promise.all(entries));
  }
}
