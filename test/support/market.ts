import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { AsaasSettings } from '../doubles/asaas.ts';
import type { InsurerSettings } from '../doubles/insurer.ts';
import { startChild } from './children.ts';
import { rowsIn } from './postgres.ts';
import { Partner, ServiceProcess } from './service.ts';
import { within } from './stores.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

const SIGNING_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

const SECRETS_KEY = randomBytes(32).toString('base64');

/** The double of a provider, in a process of its own. */
class DoubleProcess<Settings extends object, State> {
  readonly #file: string;
  readonly #process: ChildProcess;
  url = '';

  constructor(file: string) {
    this.#file = file;
    this.#process = startChild(process.execPath, [`test/doubles/${file}`], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  async start(): Promise<this> {
    for await (const chunk of this.#process.stdout ?? []) {
      const [, address] = /"address":"([^"]+)"/.exec(String(chunk)) ?? [];
      if (address === undefined) continue;
      this.url = address;
      return this;
    }
    throw new Error(`${this.#file} did not start`);
  }

  async set(settings: Settings): Promise<void> {
    await this.control('settings', settings);
  }

  async control(what: string, body: object): Promise<State> {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    };
    return (await fetch(`${this.url}/control/${what}`, init)).json() as Promise<State>;
  }

  state(): Promise<State> {
    return this.control('state', {});
  }

  stop(): void {
    this.#process.kill('SIGKILL');
  }
}

export interface AsaasState {
  readonly payments: readonly {
    readonly id: string;
    readonly status: string;
    readonly value: number;
    readonly deleted: boolean;
    readonly installment?: string;
    readonly externalReference: string;
    readonly refunds: readonly { readonly value: number }[] | null;
  }[];
}

interface InsurerState {
  readonly dossiers: readonly {
    readonly reference: string;
    readonly policy?: { readonly status: string };
  }[];
  readonly issued: readonly string[];
}

const asaasProcess = () => new DoubleProcess<AsaasSettings, AsaasState>('asaas.ts').start();
const insurerProcess = () => new DoubleProcess<InsurerSettings, InsurerState>('insurer.ts').start();

/** The service, with the addresses of its database, gateway and insurer. */
export const serviceOn = (
  ways: { readonly database: string; readonly asaas: string; readonly insurer: string },
  over = {},
) =>
  new ServiceProcess({
    ...{
      DATABASE_URL: ways.database,
      DATA_DIR: 'memory:',
      PUBLIC_URL: 'http://sales.test',
      SIGNING_KEY,
      SECRETS_KEY,
      RATE_LIMIT: 'off',
    },
    ...{
      PAYMENT_GATEWAY: 'asaas',
      ASAAS_API_URL: ways.asaas,
      ASAAS_API_KEY: 'asaas-key-of-the-tests',
    },
    ...{ ASAAS_WEBHOOK_TOKEN: 'asaas-webhook-token-of-the-tests', LOG_LEVEL: 'debug' },
    ...{
      POLICY_ISSUER: 'http',
      ISSUER_URL: ways.insurer,
      ISSUER_TOKEN: 'insurer-token-of-the-tests',
    },
    ...over,
  });

/**
 * Changes the database as if minutes had passed: leases end, attempts settle, jobs are due, jobs of
 * killed services are retried.
 */
export const letMinutesPass = async (url: string): Promise<void> => {
  await rowsIn(
    url,
    `update sale set leased_until = case when leased_until is null then null else now() - interval '1 second' end,
       progress = case when progress::jsonb ? 'attempts' then jsonb_set(progress::jsonb, '{attempts}', (
         select jsonb_agg(jsonb_set(attempt, '{since}', '"2026-01-01T00:00:00.000Z"')) from jsonb_array_elements(progress::jsonb->'attempts') attempt))::json
       else progress end
     where leased_until is not null or progress::jsonb ? 'attempts'`,
  );
  // Skip locked rows: waiting for one while holding others could deadlock with a service.
  await rowsIn(
    url,
    `with held as (
       select name, id from jobs.job where state = 'active' or (state in ('created', 'retry') and start_after > now())
       for update skip locked
     )
     update jobs.job set state = case when state = 'active' then 'retry' else state end, start_after = least(start_after, now())
     from held where job.name = held.name and job.id = held.id`,
  );
};

export interface SaleRow {
  readonly id: number;
  readonly ticket: string;
  readonly status: string;
}

type Asaas = Awaited<ReturnType<typeof asaasProcess>>;
type Insurer = Awaited<ReturnType<typeof insurerProcess>>;

/** A database, a gateway, an insurer and services, each in a process of its own. */
export class Market {
  readonly url: string;
  readonly asaas: Asaas;
  readonly insurer: Insurer;
  readonly #services: ServiceProcess[] = [];
  credentials: { client_id: string; client_secret: string } | undefined;

  constructor(url: string, asaas: Asaas, insurer: Insurer) {
    this.url = url;
    this.asaas = asaas;
    this.insurer = insurer;
  }

  static async open(url: string): Promise<Market> {
    return new Market(url, await asaasProcess(), await insurerProcess());
  }

  async service(
    ways: { database?: string; asaas?: string; insurer?: string } = {},
  ): Promise<ServiceProcess> {
    const service = serviceOn({
      database: this.url,
      asaas: this.asaas.url,
      insurer: this.insurer.url,
      ...ways,
    });
    this.#services.push(service);
    await service.ready();
    this.credentials ??= service.credentials('Demo partner');
    return service;
  }

  partner(service: ServiceProcess): Partner {
    return new Partner(`${service.address}/api`, this.credentials);
  }

  async notify(service: ServiceProcess, over: object = {}): Promise<void> {
    await this.asaas.set({
      webhook: `${service.address}/webhooks/payments/asaas`,
      copies: 1,
      reversed: false,
      ...over,
    });
  }

  async sale(key: string): Promise<SaleRow | undefined> {
    const [row] = await rowsIn<SaleRow>(
      this.url,
      'select id::int, ticket, status from sale where idempotency_key = $1',
      [key],
    );
    return row;
  }

  async chargesFor({ id, ticket }: SaleRow): Promise<AsaasState['payments']> {
    const { payments } = await this.asaas.state();
    return payments.filter(({ externalReference }) => externalReference === `${id}-${ticket}`);
  }

  /** Waits for the sale's open charge, and pays it. */
  async pay(sale: SaleRow): Promise<void> {
    const charge = async () => (await this.chargesFor(sale)).findLast(({ deleted }) => !deleted);
    const found = await within(charge, (each) => each !== undefined);
    await this.asaas.control('pay', { id: found?.id ?? '', billingType: 'PIX' });
  }

  /** Polls while minutes pass; then returns the last answer. */
  asMinutesPass<T>(ask: () => Promise<T>, isSo: (found: T) => boolean): Promise<T> {
    const later = async (): Promise<T> => {
      await letMinutesPass(this.url);
      return ask();
    };
    return within(later, isSo);
  }

  async policiesInForce({ id, ticket }: SaleRow): Promise<number> {
    const { dossiers } = await this.insurer.state();
    return dossiers.filter(
      ({ reference, policy }) => reference === `${id}-${ticket}` && policy?.status === 'VIGENTE',
    ).length;
  }

  /** Expects at most one charge and one policy, and money kept only for a policy in force. */
  async expectSound(sale: SaleRow, what: string): Promise<void> {
    const paid = (await this.chargesFor(sale)).filter(({ status }) => status !== 'PENDING');
    const purchases = new Set(paid.map(({ installment, id }) => installment ?? id));
    const kept = paid.reduce(
      (sum, { value, refunds }) =>
        sum + value - (refunds ?? []).reduce((back, each) => back + each.value, 0),
      0,
    );
    const { issued } = await this.insurer.state();
    expect(purchases.size, `${what}: charged`).to.be.at.most(1);
    expect(
      (await this.policiesInForce(sale)) > 0,
      `${what}: has a policy, status ${sale.status}`,
    ).to.equal(sale.status === 'issued');
    expect(Math.round(kept * 100) > 0, `${what}: money kept, status ${sale.status}`).to.equal(
      sale.status === 'issued',
    );
    expect(new Set(issued).size).to.equal(issued.length);
  }

  async until(key: string, status: RegExp): Promise<SaleRow> {
    const found = await within(
      () => this.sale(key),
      (sale) => status.test(sale?.status ?? ''),
    );
    if (found === undefined || !status.test(found.status))
      throw new Error(`${key} is ${found?.status}, not ${status}`);
    return found;
  }

  async close(): Promise<void> {
    await Promise.all(this.#services.map((each) => each.end('SIGKILL')));
    this.asaas.stop();
    this.insurer.stop();
  }
}
