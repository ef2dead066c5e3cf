import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { mainBody } from '../support/api.ts';
import { bareEnvironment, temporaryFolder } from '../support/children.ts';
import { Market } from '../support/market.ts';
import { address, creditCard, phoneOrder } from '../support/orders.ts';
import { PostgresServer, rowsIn } from '../support/postgres.ts';
import type { ServiceProcess } from '../support/service.ts';
import { within } from '../support/stores.ts';
import { inDays } from '../support/today.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const PHONE = '/seguros/seguro-celular/create';
const TICKET = '/seguros/ingresso-protegido/create';

const BY_CARD = phoneOrder({ address, creditCard: creditCard() });
const BY_LINK = phoneOrder();
const BY_CHANNEL = mainBody({ dataPagamento: inDays(0), dataEvento: inDays(30) });

interface Report {
  readonly applied: boolean;
  readonly doubtful: boolean;
  readonly summary: readonly { readonly finding: string; readonly count: number }[];
  readonly findings: readonly {
    readonly finding: string;
    readonly act: string;
    readonly reference: string;
    readonly outcome?: string;
  }[];
}

interface Feed {
  readonly data: readonly { readonly type: string; readonly data: { readonly ticket: string } }[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

/** A service on a database, and the partner that sells through it. */
class Shop {
  readonly #market: Market;
  readonly #service: ServiceProcess;
  readonly #token: string;

  constructor(market: Market, service: ServiceProcess, token: string) {
    this.#market = market;
    this.#service = service;
    this.#token = token;
  }

  static async open(market: Market): Promise<Shop> {
    const service = await market.service();
    await market.notify(service);
    return new Shop(market, service, await market.partner(service).token());
  }

  call(path: string, init: RequestInit = {}): Promise<Response> {
    return this.#market.partner(this.#service).call(path, this.#token, init);
  }

  /** @returns the status of the answer */
  async sell(path: string, order: object, key: string): Promise<number> {
    const headers = { 'Idempotency-Key': key };
    const init = { method: 'POST', body: JSON.stringify(order), headers };
    const answer = await this.call(path, init);
    await answer.text();
    return answer.status;
  }

  /** Reads the events after a cursor to the end. */
  async feed(after?: string): Promise<{ readonly tickets: string[]; readonly cursor: string }> {
    const tickets: string[] = [];
    for (let cursor = after; ; ) {
      const query = new URLSearchParams({ limit: '200', ...(cursor && { after: cursor }) });
      const page = (await (await this.call(`/private/integration/events?${query}`)).json()) as Feed;
      tickets.push(...page.data.map(({ data }) => data.ticket));
      cursor = page.next_cursor;
      if (!page.has_more) return { tickets, cursor };
    }
  }

  async kill(): Promise<void> {
    await this.#service.end('SIGKILL');
  }
}

describe('a database that is restored to a moment', () => {
  const archive = temporaryFolder();
  const backup = join(temporaryFolder(), 'base');
  const primary = new PostgresServer(undefined, {
    archive_mode: 'on',
    archive_command: `cp "%p" "${archive}/%f"`,
  });
  chmodSync(archive, 0o777);
  const figures: string[] = [];
  const timed = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    const start = performance.now();
    const result = await work();
    figures.push(`${what} ${((performance.now() - start) / 1_000).toFixed(1)} s`);
    return result;
  };

  const receiver = new WebhookReceiver();
  let restored: PostgresServer | undefined;
  let lostMarket: Market;
  let market: Market;
  let shop: Shop;
  /** When the drill began, and the moment to which the database is restored. */
  let start: string;
  let moment: string;
  /** Sales by key, acknowledged before the moment and after it. */
  const kept = new Map<string, { readonly ticket: string; readonly status: string }>();
  const lost = new Map<string, { readonly ticket: string; readonly id: number }>();
  /** Where the partner's reader of the feed was at the moment, and when the primary was lost. */
  let cursors: { readonly atMoment: string; readonly atLoss: string };
  let planned: Report;
  /** The sales of the restored database, before a service runs on it. */
  let stored: { readonly key: string; readonly status: string; readonly mails: number }[];

  const reconcile = async (...more: string[]): Promise<Report> => {
    const env = {
      ...bareEnvironment(),
      ...{ DATABASE_URL: market.url, DATA_DIR: 'memory:' },
      ...{ PAYMENT_GATEWAY: 'asaas', ASAAS_API_URL: market.asaas.url },
      ASAAS_API_KEY: 'asaas-key-of-the-tests',
      ASAAS_WEBHOOK_TOKEN: 'asaas-webhook-token-of-the-tests',
    };
    const end = new Date().toISOString();
    const period = ['--from', start, '--to', end, '--lost-since', moment];
    const command = ['bootstrap/admin.ts', 'reconcile-gateway', ...period, ...more];
    const { stdout } = await promisify(execFile)(process.execPath, command, { env });
    return JSON.parse(stdout) as Report;
  };
  const now = async (): Promise<string> =>
    (
      await rowsIn<{ at: Date }>(lostMarket.url, 'select clock_timestamp() as at')
    )[0]?.at.toISOString() ?? '';
  const saleOf = async (key: string) => {
    const sale = await market.sale(key);
    if (sale === undefined) throw new Error(`there is no sale ${key}`);
    return sale;
  };
  const findingsOf = (report: Report): string[] =>
    report.findings.map(({ finding, act, reference }) => {
      const [, ticket] = reference.split('-');
      const all = [...kept, ...lost];
      const [key] = all.find(([, sale]) => sale.ticket === ticket) ?? [reference];
      return `${finding} ${act} ${key}`;
    });

  /** Sells before, during and after the base backup. */
  const sellBeforeMoment = async (): Promise<void> => {
    const sellAll = async (name: string): Promise<void> => {
      expect(await shop.sell(PHONE, BY_CARD, `${name}-card`)).to.equal(200);
      expect(await shop.sell(TICKET, BY_CHANNEL, `${name}-channel`)).to.equal(200);
    };
    await sellAll('before');
    let isCopied = false;
    const copying = timed('base backup', () => primary.backUp(backup)).then(() => {
      isCopied = true;
    });
    for (let count = 0; !isCopied || count < 2; count += 1) await sellAll(`during-${count}`);
    await copying;
    await sellAll('after');
    for (const key of ['paid-late', 'paid-after-restore', 'without-charge'])
      expect(await shop.sell(PHONE, BY_LINK, key)).to.equal(200);
    for (const key of ['cancelled-late', 'paid-without-charge'])
      expect(await shop.sell(PHONE, BY_CARD, key)).to.equal(200);
    await within(
      () => rowsIn(lostMarket.url, `select from sale where status = 'pending'`),
      ({ length }) => length === 0,
    );
  };

  /** What happens after the moment, and is lost. */
  const sellAfterMoment = async (): Promise<void> => {
    expect(await shop.sell(PHONE, BY_CARD, 'lost-card')).to.equal(200);
    expect(await shop.sell(PHONE, BY_LINK, 'lost-open')).to.equal(200);
    expect(await shop.sell(PHONE, BY_LINK, 'lost-paid')).to.equal(200);
    expect(await shop.sell(TICKET, BY_CHANNEL, 'lost-channel')).to.equal(200);
    for (const key of ['lost-paid', 'paid-late']) {
      await market.pay(await saleOf(key));
      await market.until(key, /issued/);
    }
    const { ticket } = await saleOf('cancelled-late');
    const path = `/private/integration/sale/${ticket}/cancel`;
    expect((await shop.call(path, { method: 'POST', body: '{}' })).status).to.equal(200);
    await market.until('cancelled-late', /refunded/);
    await rowsIn(lostMarket.url, 'select pg_switch_wal()');
    await within(
      () =>
        rowsIn(
          lostMarket.url,
          `select from pg_stat_archiver where last_archived_time > '${moment}'`,
        ),
      ({ length }) => length === 1,
    );
    // In no archive: it is lost with the disk.
    expect(await shop.sell(PHONE, BY_CARD, 'lost-last')).to.equal(200);
  };

  const note = async (sales: Map<string, object>, keys: string): Promise<void> => {
    const rows = await rowsIn<{ key: string; ticket: string; status: string; id: number }>(
      lostMarket.url,
      `select idempotency_key as key, ticket, status, id::int from sale where ${keys}`,
    );
    for (const { key, ...sale } of rows) sales.set(key, sale);
  };

  before(async () => {
    lostMarket = await Market.open(await primary.database());
    market = lostMarket;
    shop = await Shop.open(market);
    await receiver.start();
    const webhook = { url: receiver.urlOf('/events'), events: ['sale.registered'] };
    const added = await shop.call('/private/integration/webhooks', {
      method: 'POST',
      body: JSON.stringify(webhook),
    });
    expect(added.status, await added.text()).to.be.oneOf([200, 201]);
    start = await now();
    await sellBeforeMoment();
    await note(kept, 'true');
    const atMoment = await within(
      () => shop.feed(),
      ({ tickets }) => [...kept.values()].every(({ ticket }) => tickets.includes(ticket)),
    );
    moment = await now();

    await sellAfterMoment();
    await note(lost, `idempotency_key like 'lost-%'`);
    const atLoss = await within(
      () => shop.feed(atMoment.cursor),
      ({ tickets }) => [...lost.values()].every(({ ticket }) => tickets.includes(ticket)),
    );
    cursors = { atMoment: atMoment.cursor, atLoss: atLoss.cursor };

    await shop.kill();
    await primary.crash();
    const { asaas, insurer } = lostMarket;
    restored = await timed('restore', () => primary.restoreTo(moment, backup, archive));
    market = new Market(restored.at(lostMarket.url), asaas, insurer);
    market.credentials = lostMarket.credentials;
    for (const key of ['without-charge', 'paid-without-charge']) {
      const [charge] = await market.chargesFor(await saleOf(key));
      await asaas.control('forget', { id: charge?.id ?? '' });
    }
    // Before the service starts: it takes over payments and refunds by itself.
    stored = await rowsIn(
      market.url,
      `select idempotency_key as key, status, (
         select count(*)::int from mailing where sale_id = sale.id and number = 0) as mails
       from sale order by id`,
    );
    planned = await timed('comparison', () => reconcile());
    shop = await timed('start', () => Shop.open(market));
    figures.push(`${kept.size} sales kept, ${lost.size} lost`);
  });
  after(async () => {
    process.stdout.write(`    ${figures.join(', ')}\n`);
    await market.close();
    await lostMarket.close();
    receiver.stop();
    await restored?.stop();
    await primary.stop();
  });

  it('has every sale that was acknowledged before, with its policy and mail, and none after', async () => {
    const states = [...kept].map(([key, { status }]) => `${key} ${status}`);
    expect(stored.map(({ key, status }) => `${key} ${status}`)).to.have.members(states);
    for (const { key, status, mails } of stored)
      expect(mails, `${key} ${status}`).to.equal(status === 'awaiting_payment' ? 0 : 1);
    for (const [key, { status }] of kept)
      if (status === 'issued' && key !== 'cancelled-late')
        expect(await market.policiesInForce(await saleOf(key)), key).to.equal(1);
    expect([...kept.values()].filter(({ status }) => status === 'issued')).to.have.length.above(5);
    expect(lost.size).to.equal(5);
  });

  it('has had its charges compared, and nothing done', async () => {
    expect(planned).to.include({ applied: false, doubtful: false });
    expect(findingsOf(planned)).to.have.members([
      'charge_without_sale refund lost-card',
      'charge_without_sale withdraw lost-open',
      'charge_without_sale refund lost-paid',
      'charge_without_sale refund lost-last',
      'payment_differs take_over paid-late',
      'payment_differs take_over cancelled-late',
      'charge_missing alert without-charge',
      'charge_missing alert paid-without-charge',
    ]);
    const { payments } = await market.asaas.state();
    const back = payments.filter(({ refunds }) => refunds !== null);
    expect(back, 'the refund of the cancellation').to.have.length(1);
  });

  it('sells again under the keys of lost sales, and partners see it wherever they were', async () => {
    for (const key of ['lost-card', 'lost-channel']) {
      const [path, order] = key === 'lost-card' ? [PHONE, BY_CARD] : [TICKET, BY_CHANNEL];
      expect(await shop.sell(path, order, key)).to.equal(200);
      expect((await saleOf(key)).ticket).not.to.equal(lost.get(key)?.ticket);
    }
    const again = await Promise.all(['lost-card', 'lost-channel'].map(saleOf));
    for (const after of Object.values(cursors)) {
      const { tickets } = await within(
        () => shop.feed(after),
        (page) => again.every(({ ticket }) => page.tickets.includes(ticket)),
      );
      expect(tickets).to.include.members(again.map(({ ticket }) => ticket));
      const gone = [...lost.values()].filter(({ ticket }) => tickets.includes(ticket));
      expect(gone, 'events of lost sales').to.deep.equal([]);
    }
    const told = await within(
      async () => receiver.arrivals.map(({ body }) => body).join('\n'),
      (bodies) => again.every(({ ticket }) => bodies.includes(ticket)),
    );
    for (const { ticket } of again) expect(told).to.include(ticket);
  });

  it('goes on with sales that were waiting', async () => {
    await market.pay(await saleOf('paid-after-restore'));
    await market.until('paid-after-restore', /issued/);
  });

  it('has every payer with insurance or without a charge, after the second comparison', async () => {
    const applied = await timed('reconciliation', () => reconcile('--apply'));
    expect(applied.applied).to.equal(true);
    const outcomes = applied.findings.map(({ outcome }) => outcome);
    expect(new Set(outcomes)).to.deep.equal(new Set(['done', 'raised']));
    for (const key of ['without-charge', 'paid-without-charge']) {
      const raised = await rowsIn(
        market.url,
        `select from alert where kind = 'charge_missing' and sale_id = $1`,
        [(await saleOf(key)).id],
      );
      expect(raised, key).to.have.length(1);
    }

    await market.until('paid-late', /issued/);
    await market.until('cancelled-late', /refunded/);
    await market.until('without-charge', /awaiting_payment/);
    for (const [key, { id, ticket }] of lost) {
      const charges = await market.chargesFor({ id, ticket, status: 'lost' });
      expect(charges, key).to.have.length(key === 'lost-channel' ? 0 : 1);
      for (const { deleted, value, refunds } of charges) {
        const back = (refunds ?? []).reduce((sum, each) => sum + each.value, 0);
        expect(deleted ? value : back, key).to.equal(value);
      }
    }
    for (const key of [...kept.keys(), 'lost-card']) {
      const sale = await saleOf(key);
      if (sale.status !== 'awaiting_payment' && !/-channel$|^paid-without/.test(key))
        await market.expectSound(sale, key);
    }
    const audited = await rowsIn<{ action: string }>(
      market.url,
      `select action from audit_entry where action ~ '^charge|reconciled'`,
    );
    expect(audited).to.have.length(applied.findings.length - 2);

    const again = await reconcile('--apply');
    expect(findingsOf(again), 'what a person must decide').to.have.members([
      'charge_missing alert without-charge',
      'charge_missing alert paid-without-charge',
    ]);
  });
});
