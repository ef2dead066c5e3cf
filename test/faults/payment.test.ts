import { expect } from 'chai';
import { Boundaries, TappedPostgres, TappedProvider } from '../support/boundaries.ts';
import { letMinutesPass, Market } from '../support/market.ts';
import {
  address,
  artistOrderToday,
  byCard,
  creditCard,
  phoneOrder,
  SECRET_CARD,
} from '../support/orders.ts';
import { rowsIn } from '../support/postgres.ts';
import type { Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

const ARTIST = '/seguros/artista-protegido/create';
const PHONE = '/seguros/seguro-celular/create';

interface Way {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  readonly paysLater: boolean;
}

/**
 * Steps that every way to pay passes; then those only of Artista Protegido, and only of later
 * payment.
 */
const STEPS = [
  'insert into sale',
  'save-sale',
  'POST /v3/customers',
  'POST /v3/payments',
  'answer-sale',
  'POST /policies',
];
const STEPS_OF_ARTIST = ['POST /quotations', 'POST /proposals'];
const STEPS_PAID_LATER = ['insert into payment_notice', 'claim-sale'];

const WAYS: readonly Way[] = [
  {
    name: 'Artista Protegido by card',
    path: ARTIST,
    body: artistOrderToday({ payment: byCard({ totalInstallmentNumber: 3 }) }),
    paysLater: false,
  },
  { name: 'Artista Protegido by boleto', path: ARTIST, body: artistOrderToday(), paysLater: true },
  {
    name: 'Seguro Celular by card',
    path: PHONE,
    body: phoneOrder({ address, creditCard: creditCard() }),
    paysLater: false,
  },
  { name: 'Seguro Celular by link', path: PHONE, body: phoneOrder(), paysLater: true },
];

const order = async (partner: Partner, { path, body }: Way, key: string): Promise<Response> =>
  partner.call(path, await partner.token(), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Idempotency-Key': key },
  });

/** A service behind proxies that count its steps and can kill it after any. */
class Victim {
  readonly boundaries = new Boundaries();
  readonly #taps: (TappedPostgres | TappedProvider)[] = [];
  service!: ServiceProcess;

  async start(market: Market): Promise<this> {
    const taps = [
      new TappedPostgres(market.url, this.boundaries),
      new TappedProvider(market.asaas.url, this.boundaries),
      new TappedProvider(market.insurer.url, this.boundaries),
    ] as const;
    this.#taps.push(...taps);
    const [database, asaas, insurer] = await Promise.all(taps.map((each) => each.start()));
    this.service = await market.service({
      database: database as string,
      asaas: asaas as string,
      insurer: insurer as string,
    });
    return this;
  }

  async stop(): Promise<void> {
    await this.service.end('SIGKILL');
    for (const tap of this.#taps) tap.stop();
  }
}

/** One way to pay for each product; FAULTS=all: all four ways. */
const WALKED =
  process.env['FAULTS'] === 'all'
    ? WAYS
    : WAYS.filter(({ name }) => /Artista .* card|Celular .* link/.test(name));

/** Steps of the third notice and later ones: the same work again, so only FAULTS=all kills there. */
const isRepetition = (step: string): boolean =>
  process.env['FAULTS'] !== 'all' &&
  /^(insert into payment_notice|settle-payment-notice|claim-sale|release-sale|GET .*) ([3-9]|\d\d)$/.test(
    step,
  );

/** After the kill: the partner asks again, the payer pays, jobs run. Expects a sound sale. */
const recovered = async (
  market: Market,
  standby: ServiceProcess,
  way: Way,
  key: string,
  comesAgain: boolean,
): Promise<void> => {
  if (comesAgain) {
    const again = () => order(market.partner(standby), way, key);
    const answer = await within(again, ({ status }) => status !== 409 && status < 500);
    expect(answer.status, `${key}: ${await answer.clone().text()}`).to.be.oneOf([200, 400, 422]);
  }
  if (way.paysLater) {
    const sale = await market.until(key, /awaiting_payment|paid|issued/);
    if (sale.status === 'awaiting_payment') await market.pay(sale);
    await letMinutesPass(market.url);
  }
  const sale = await market.until(key, way.paysLater ? /issued/ : /issued|refused/);
  await market.expectSound(sale, `${way.name}, ${key}`);
};

/** Expects no card data in any table, including the job queue. */
const expectNoCard = async ({ url }: Market): Promise<void> => {
  const tables = await rowsIn<{ name: string }>(
    url,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of tables) {
    const found = await rowsIn(
      url,
      `select each::text from ${name} as each where each::text ~ $1`,
      [`${SECRET_CARD.number}|c[cv]v|: "+${SECRET_CARD.cvv}"`],
    );
    expect(found, name).to.deep.equal([]);
  }
};

/**
 * Sells until a service was killed at each step that any sale passed, repetitions aside. @returns the steps of the
 * kills
 */
const walk = async (way: Way): Promise<string[]> => {
  const market = await Market.open(await sharedPostgres.migratedDatabase());
  const standby = await market.service();
  const seen = new Set<string>();
  const tried = new Set<string | undefined>();
  const died: string[] = [];
  let next = new Victim().start(market);
  for (
    let step: string | undefined;
    !tried.has(step);
    step = [...seen].find((each) => !tried.has(each) && !isRepetition(each))
  ) {
    tried.add(step);
    const victim = await next;
    next = new Victim().start(market);
    standby.pause();
    await market.notify(victim.service);
    const key = `order-${tried.size}`;
    const { boundaries } = victim;
    boundaries.arm(step, () => void victim.service.end('SIGKILL'));
    const answer = await order(market.partner(victim.service), way, key).catch(() => undefined);
    const sold = answer === undefined ? undefined : await market.sale(key);
    if (sold !== undefined && way.paysLater) void market.pay(sold).catch(() => {});
    if (sold !== undefined)
      await within(
        () => market.sale(key),
        (sale) => boundaries.isDead || sale?.status === 'issued',
        8_000,
      );
    if (step !== undefined && boundaries.isDead) died.push(step);
    for (const each of boundaries.passed) seen.add(each);
    await victim.stop();
    standby.resume();
    await market.notify(standby);
    await letMinutesPass(market.url);
    await recovered(
      market,
      standby,
      way,
      key,
      tried.size % 2 === 0 || (await market.sale(key)) === undefined,
    );
  }
  await (await next).stop();
  await expectNoCard(market);
  await market.close();
  return died;
};

describe('a service that is killed in the middle of a sale', function () {
  this.timeout(600_000);

  const walks = new Map<Way, Promise<string[]>>();
  before(() => {
    for (const way of WALKED) {
      const walking = walk(way);
      walking.catch(() => {});
      walks.set(way, walking);
    }
  });

  for (const way of WALKED) {
    it(`${way.name}, at each step: charges once, issues one policy, loses nothing`, async () => {
      const died = await walks.get(way);
      const own = [
        ...(way.path === ARTIST ? STEPS_OF_ARTIST : []),
        ...(way.paysLater ? STEPS_PAID_LATER : []),
      ];
      expect(died).to.include.members([...STEPS, ...own].map((step) => `${step} 1`));
      // The number of steps varies, because the service writes sales that arrive together at once.
      expect(died).to.have.lengthOf.at.least(way.paysLater ? 20 : 12);
    });
  }
});
