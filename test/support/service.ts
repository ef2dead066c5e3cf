import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { makeConsoleLink } from '../../bootstrap/processes/console-link.ts';
import type { OpenService } from '../../bootstrap/processes/open-service.ts';
import { bareEnvironment, startChild } from './children.ts';
import { runLog } from './run-log.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** A service that writes a log. */
abstract class LoggingService {
  #output = '';

  get output(): string {
    return this.#output;
  }

  protected write(text: string): void {
    this.#output += text;
  }

  /**
   * Waits until its log holds a line that matches, at most two minutes. The service writes its log in the
   * background: an answer may arrive before the lines about it.
   *
   * @returns the text that matched
   */
  async logged(pattern: RegExp): Promise<string> {
    const deadline = performance.now() + 120_000;
    for (;;) {
      const [found] = pattern.exec(this.#output) ?? [];
      if (found !== undefined) return found;
      if (performance.now() > deadline)
        throw new Error(`nothing matches ${pattern} in the log:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/**
 * The service in the test's own process. It starts in a tenth of a second; for tests in which no
 * process has to die.
 */
export class LocalService extends LoggingService {
  #opened!: OpenService;

  private constructor() {
    super();
  }

  /** @param environment the variables of the service; PORT is a free one */
  static async start(environment: Readonly<Record<string, string>>): Promise<LocalService> {
    const [{ readConfig }, { makeLog }, { openService }] = await Promise.all([
      import('../../bootstrap/settings/config.ts'),
      import('../../adapters/system/log.ts'),
      import('../../bootstrap/processes/open-service.ts'),
    ]);
    const service = new LocalService();
    const config = readConfig({ PORT: '0', LOG_LEVEL: 'debug', ...environment });
    const log = makeLog(config.logLevel, { write: (line) => service.write(line) });
    service.#opened = await openService(config, log);
    await service.#opened.serve();
    return service;
  }

  get baseUrl(): string {
    return `${this.#opened.publicUrl}/api`;
  }

  /** The address it listens on; its public URL may differ. */
  get address(): string {
    return this.#opened.address;
  }

  /** The credentials that its first start created. */
  credentials(who: 'Administrator' | 'Demo partner'): Credentials | undefined {
    const { administrator, partner } = this.#opened.firstRun;
    const created = who === 'Administrator' ? administrator : partner;
    return created && { client_id: created.client.clientId, client_secret: created.clientSecret };
  }

  /** A link that enters its console once. */
  consoleLink(): Promise<string> {
    return makeConsoleLink(this.#opened.service, this.#opened.publicUrl);
  }

  /** Stops it as Ctrl-C does. */
  async end(): Promise<void> {
    await this.#opened.stop();
    runLog.add(this.output);
  }
}

/**
 * The service in a process of its own, as `npm start` runs it. Port 0: the system picks a free one.
 */
export class ServiceProcess extends LoggingService {
  readonly #process: ChildProcess;
  #errors = '';

  constructor(
    environment: Readonly<Record<string, string>>,
    command = [process.execPath, 'bootstrap/main.ts'],
    place: { readonly cwd?: string; readonly uid?: number; readonly gid?: number } = {},
  ) {
    super();
    const env = { ...bareEnvironment(), PORT: '0', LOG_LEVEL: 'debug', ...environment };
    const chosenSecret = environment['BOOTSTRAP_ADMIN_CLIENT_SECRET'];
    if (chosenSecret !== undefined) runLog.know(chosenSecret);
    this.#process = startChild(command[0] ?? '', command.slice(1), {
      cwd: ROOT,
      ...place,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process.stdout?.on('data', (chunk) => this.write(String(chunk)));
    this.#process.stderr?.on('data', (chunk) => {
      this.#errors += chunk;
    });
    this.#process.once('close', () => runLog.add(this.output));
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  get errors(): string {
    return this.#errors;
  }

  /** Waits until it answers requests. @returns its `{base_url}` */
  async ready(announcement = /"baseUrl":"([^"]+)"/): Promise<string> {
    for (;;) {
      const [, baseUrl] = announcement.exec(this.output) ?? [];
      if (baseUrl !== undefined) return baseUrl;
      if (this.#process.exitCode !== null)
        throw new Error(`it ended with ${this.#process.exitCode}: ${this.#errors}${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** The address it listens on; its public URL may differ. */
  get address(): string {
    return /"address":"([^"]+)"/.exec(this.output)?.[1] ?? '';
  }

  /** The credentials it printed; undefined where it printed none. */
  credentials(who: 'Administrator' | 'Demo partner'): Credentials | undefined {
    const found = new RegExp(
      `^${who} \\(shown once\\): client_id=(\\S+) client_secret=(\\S+)$`,
      'm',
    ).exec(this.output);
    return found ? { client_id: found[1] as string, client_secret: found[2] as string } : undefined;
  }

  /** Ends it with a signal. @returns its exit code; null where the signal killed it */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null)
      return this.#process.exitCode;
    const ended = once(this.#process, 'close');
    this.#process.kill(signal);
    await ended;
    return this.#process.exitCode;
  }

  /** Stops it (SIGSTOP) until `resume`. */
  pause(): void {
    this.#process.kill('SIGSTOP');
  }

  resume(): void {
    this.#process.kill('SIGCONT');
  }

  async ended(): Promise<number | null> {
    if (this.#process.exitCode === null) await once(this.#process, 'close');
    return this.#process.exitCode;
  }
}

/** Runs a bash script. @returns what it prints */
export const bash = async (script: string): Promise<string> =>
  (await promisify(execFile)('bash', ['-c', script])).stdout;

/** A partner's client: gets tokens, sells, and asks for a sale's status. */
export class Partner {
  readonly #baseUrl: string;
  readonly #credentials: Credentials;

  constructor(baseUrl: string, credentials: Credentials | undefined) {
    if (credentials === undefined) throw new Error('no credentials were printed');
    this.#baseUrl = baseUrl;
    this.#credentials = credentials;
  }

  async token(): Promise<string> {
    const response = await this.#post('/seguros/auth/token', this.#credentials);
    return ((await response.json()) as { access_token: string }).access_token;
  }

  sell(token: string, sale: object, key?: string): Promise<Response> {
    return this.#post('/seguros/ingresso-protegido/create', sale, {
      Authorization: `Bearer ${token}`,
      ...(key && { 'Idempotency-Key': key }),
    });
  }

  status(token: string, id: number): Promise<Response> {
    return fetch(`${this.#baseUrl}/seguros/ingresso-protegido/status/${id}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
  }

  /** Sends a request with a bearer token. */
  call(path: string, token: string, init: RequestInit = {}): Promise<Response> {
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
      ...init.headers,
    };
    return fetch(`${this.#baseUrl}${path}`, { ...init, headers });
  }

  #post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    const init = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    };
    return fetch(`${this.#baseUrl}${path}`, init);
  }
}
