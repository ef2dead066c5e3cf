import { ulid } from 'ulid';
import { cents } from '#domain';
import { signNotice } from '../../../../adapters/payment/sandbox/sandbox-notices.ts';
import { UlidIdentifiers } from '../../../../adapters/system/clock-and-identifiers.ts';
import { Api } from '../../../support/api.ts';
import type { ExampleRunner } from '../../../support/example-runner.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { phoneOrder } from '../../../support/orders.ts';

/** The day of the guides' examples, at nine in São Paulo. */
const START = '2026-11-22T12:00:00.000Z';

/** Prime numbers of a generator whose numbers look random, and are the same in each run. */
const [FACTOR, MODULUS] = [48_271, 2_147_483_647];

/** A service in memory whose identifiers look like those of a real one, and never differ. */
export const exampleApi = async (): Promise<Api> => {
  let state = 20_261_122;
  const random = (): number => {
    state = (state * FACTOR) % MODULUS;
    return state / MODULUS;
  };
  const { timeOf } = new UlidIdentifiers();
  const next = (): string => ulid(Date.parse(api.memory.clock.now()), random);
  const identifiers = { next, timeOf };
  const api = new Api({ now: START, refusesUnknown: true, fakes: { identifiers } });
  return api.start();
};

/** Sends all examples. What an example needs is made by those before it. */
export const playScenario = async (runner: ExampleRunner): Promise<void> => {
  const { api, callers } = runner;
  Object.assign(callers, { admin: await api.bearer(null), sales: await api.bearer() });
  await manageCatalogue(runner);
  await manageClients(runner);
  await sellProducts(runner);
  await sellInGeneral(runner);
  await manageSales(runner);
  await keepBooks(runner);
  await manageWebhooks(runner, '');
  await manageWebhooks(runner, '.admin');
  await administer(runner);
  await lookAtRequests(runner);
  await endStuckSale(runner);
  await decideAboutPayment(runner);
  await runner.playOthers();
};

const playAll = async (runner: ExampleRunner, names: readonly string[]): Promise<void> => {
  for (const name of names) await runner.play(name);
};

const manageCatalogue = (runner: ExampleRunner): Promise<void> =>
  playAll(runner, [
    'listCatalogueProducts',
    'putCatalogueProduct.full',
    'putCatalogueProduct.minimal',
    'putCatalogueProduct.replacement',
    'putCatalogueProduct',
    'withdrawCatalogueProductVersion',
    'getCatalogueProduct',
    'putChannel.full',
    'putChannel.minimal',
    'putChannel',
    'withdrawChannelVersion',
    'getChannel',
    'listChannels',
    'listIofRates',
    'putIofRates',
  ]);

const manageClients = (runner: ExampleRunner): Promise<void> =>
  playAll(runner, [
    'createApiClient',
    'getApiClient',
    'listApiClients',
    'createToken',
    'refreshToken',
    'introspectToken',
    'revokeToken',
    'rotateApiClientSecret',
    'deactivateApiClient',
    'revokeApiClient',
    'activateApiClient',
  ]);

/** Sells on the products' own endpoints, while a webhook listens. */
const sellProducts = async (runner: ExampleRunner): Promise<void> => {
  const { api } = runner;
  await playAll(runner, ['createWebhook', 'createIngressoSale', 'getIngressoStatus']);
  await api.memory.runJobs();
  await playAll(runner, ['sendIngressoSecondCopy', 'createQuote', 'createArtistaSale']);
  await playAll(runner, ['getArtistaStatus', 'createCelularSale']);
  await pay(runner, 'celular-55');
  await runner.play('getCelularStatus');
};

const sellInGeneral = async (runner: ExampleRunner): Promise<void> => {
  const { api, callers } = runner;
  await runner.play('createSale.paid');
  await api.memory.runJobs();

  api.memory.mailer.next({ kind: 'refused', reason: 'EENVELOPE 550' });
  await runner.play('createSale.minimal');
  await api.memory.runJobs();

  await playAll(runner, ['createSale', 'validateSale', 'getProduct']);
  const { sales = {} } = callers;
  callers['sales'] = await api.bearer('teatro');
  await runner.play('listProducts');
  callers['sales'] = sales;

  await runner.play('receivePaymentNotice.paid', (text) => {
    const { id, event, charge } = JSON.parse(text);
    const parts = { event, reference: charge.reference, chargeId: charge.id };
    return signNotice(id, parts, NOTICE_SECRET, api.memory.clock.now()).headers;
  });
  await runner.play('receivePaymentNotice');
};

/** The secret of the gateway in memory. */
const NOTICE_SECRET = 'known to the sandbox in memory';

const manageSales = (runner: ExampleRunner): Promise<void> =>
  playAll(runner, [
    'getSale',
    'listSales',
    'getSaleEvidence',
    'sendSecondCopy',
    'correctSaleEmail',
    'cancelSale.preview',
    'cancelSale.refund_changed',
    'cancelSale',
    'listOwedRefunds',
    'confirmRefund',
    'confirmTransactionRefund',
    'getImportTemplate',
    'importSales',
    'listEvents',
  ]);

/** Looks at a request that was sent twice: with wrong fields, and without. */
const lookAtRequests = async (runner: ExampleRunner): Promise<void> => {
  const { api, callers } = runner;
  const headers = { ...callers['sales'], 'X-Request-Id': 'pedido-81' };
  const order = saleOrder({ externalSaleId: 'viagem-81' });
  await api.post(SALE, { ...order, insured: { name: 'Maria da Silva', email: 'maria' } }, headers);
  api.memory.clock.advance(1);
  await api.post(SALE, order, headers);
  await playAll(runner, ['getRequest', 'getReadiness']);
};

/** The books of a channel with two sales, one of them cancelled. */
const keepBooks = async (runner: ExampleRunner): Promise<void> => {
  const { api, callers } = runner;
  const { sales = {} } = callers;
  const teatro = await api.bearer('teatro');
  for (const externalSaleId of ['camarote-1', 'camarote-2']) {
    const sold = await api.post(SALE, saleOrder({ externalSaleId, ...BOX }), teatro);
    if (sold.status !== 201) throw new Error(JSON.stringify(sold.body));
    api.memory.clock.advance(1);
  }
  await api.post(`${SALE}/camarote-2/cancel`, {}, teatro);

  callers['sales'] = teatro;
  await playAll(runner, ['getStatement', 'reconcileSales']);
  callers['sales'] = sales;
  await playAll(runner, [
    'getChannelStatement',
    'getTotals',
    'listTransactions',
    'searchTransactions',
  ]);
};

/** What the sale of a box says otherwise than that of a honeymoon. */
const BOX = {
  product: { code: 'CAMAROTE' },
  amounts: { insuredAmount: 300 },
  coverage: undefined,
  attributes: { eventDate: '2026-12-31', seat: 'A-12' },
};

/** @param audience what the names of its operations end with */
const manageWebhooks = async (runner: ExampleRunner, audience: string): Promise<void> => {
  const play = (...names: readonly string[]) =>
    playAll(
      runner,
      names.map((name) => name.replace(/^\w+/, (operation) => operation + audience)),
    );
  if (audience !== '') await play('createWebhook');
  await play('listWebhooks', 'getWebhook', 'testWebhook.one');
  await deliver(runner);
  await play('listWebhookDeliveries', 'retryWebhookDelivery', 'rotateWebhookSecret');
  await play('replayWebhookEvents', 'changeWebhook.pause', 'testWebhook', 'changeWebhook');
  await play('deleteWebhook');
};

const administer = async (runner: ExampleRunner): Promise<void> => {
  await playAll(runner, [
    'listMailings',
    'retryMailing',
    'correctTransactionEmail',
    'cancelTransaction.preview',
    'cancelTransaction.refund_changed',
    'cancelTransaction',
    'listAlerts',
    'getAlert',
    'resolveAlert',
    'listAuditEntries',
  ]);
};

/** A link for which the gateway makes no charge. */
const endStuckSale = async (runner: ExampleRunner): Promise<void> => {
  const { api, callers } = runner;
  const { payments } = api.memory;
  payments.mishaps.always = 'unreached';
  const sold = await api.post('/seguros/seguro-celular/create', phoneOrder(), {
    ...callers['sales'],
  });
  if (sold.status !== 200) throw new Error(JSON.stringify(sold.body));
  await playAll(runner, ['retryTransaction', 'getTransaction']);
  payments.mishaps.always = undefined;
  await runner.play('giveUpTransaction');
};

/** A customer who pays less than the price on the page. */
const decideAboutPayment = async (runner: ExampleRunner): Promise<void> => {
  const { api, callers } = runner;
  const sold = await api.post('/seguros/seguro-celular/create', phoneOrder(), {
    ...callers['sales'],
  });
  const chargeId = sold.body.link.split('/').at(-1);
  await api.memory.sandbox.payOnPage(chargeId, 'pix', undefined, 'once', cents(3_000));
  await api.memory.runJobs();
  await playAll(runner, ['compareWithGateway', 'decidePayment']);
};

/** Pays a sale on its page, and does what follows. */
const pay = async ({ api, callers }: ExampleRunner, externalSaleId: string): Promise<void> => {
  const { body } = await api.get(`${SALE}/${externalSaleId}`, { ...callers['sales'] });
  const chargeId = body.data.payment_url.split('/').at(-1);
  await api.memory.sandbox.payOnPage(chargeId, 'pix', undefined, 'once');
  await api.memory.runJobs();
  await api.memory.runJobs();
};

/** Sends what is due to webhooks. */
const deliver = async ({ api }: ExampleRunner): Promise<void> => {
  const { clock, deliveries, useCases } = api.memory;
  for (const { id, isFailing } of await deliveries.dueEndpoints(clock.now(), 10)) {
    const stopping = new AbortController().signal;
    await useCases.sendDeliveries({ endpointId: id, isFailing, stopping, onAnswered: () => {} });
  }
};
