import { expect } from 'chai';
import { AsaasDouble } from '../doubles/asaas.ts';
import { MercadoPagoDouble } from '../doubles/mercado-pago.ts';
import { temporaryFolder } from '../support/children.ts';
import { KEYS, type Variables } from '../support/combinations.ts';
import { runOperator } from '../support/operator-command.ts';
import { address, creditCard, phoneOrder } from '../support/orders.ts';
import { freePort } from '../support/postgres.ts';
import { LocalService, Partner } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';
import { inDays } from '../support/today.ts';

interface Transaction {
  readonly status: string;
  readonly payment: { readonly gateway: string; readonly charge_id: string };
}

/** In reais. */
interface Totals {
  readonly sales: { readonly total: number };
  readonly refunds: { readonly total: number };
}

describe('a month in which the gateway is changed', () => {
  const asaas = new AsaasDouble();
  const mercadoPago = new MercadoPagoDouble();
  let environment: Variables;
  let service: LocalService;
  let partner: Partner;
  let administrator: Partner;

  const start = async (gateway: string): Promise<void> => {
    service = await LocalService.start({ ...environment, PAYMENT_GATEWAY: gateway });
  };

  before(async () => {
    const [asaasUrl, mercadoPagoUrl] = [await asaas.start(), await mercadoPago.start()];
    const port = await freePort();
    environment = {
      ...KEYS,
      ...{ DATABASE_URL: await sharedPostgres.migratedDatabase(), DATA_DIR: temporaryFolder() },
      ...{ PORT: String(port), RATE_LIMIT: 'off' },
      ...{ ASAAS_API_URL: asaasUrl, ASAAS_API_KEY: asaas.key },
      ASAAS_WEBHOOK_TOKEN: asaas.webhookToken,
      ...{ MERCADO_PAGO_API_URL: mercadoPagoUrl, MERCADO_PAGO_ACCESS_TOKEN: mercadoPago.token },
      MERCADO_PAGO_WEBHOOK_SECRET: mercadoPago.secret,
    };
    await start('asaas');
    asaas.set({ webhook: `http://127.0.0.1:${port}/webhooks/payments/asaas` });
    partner = new Partner(service.baseUrl, service.credentials('Demo partner'));
    administrator = new Partner(service.baseUrl, service.credentials('Administrator'));
  });
  after(async () => {
    await service?.end();
    asaas.stop();
    mercadoPago.stop();
    expect([...asaas.faults, ...mercadoPago.faults]).to.deep.equal([]);
  });

  const ask = async (who: Partner, path: string, body?: object) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await who.call(path, await who.token(), init ?? {});
    return (await answer.json()) as Record<string, never>;
  };

  const sell = async (over: Record<string, unknown> = {}): Promise<number> => {
    const sold = await ask(partner, '/seguros/seguro-celular/create', phoneOrder(over));
    const { data } = sold as unknown as { data?: { transaction_id: number } };
    expect(data, JSON.stringify(sold)).to.have.property('transaction_id');
    return data?.transaction_id ?? 0;
  };
  const card = () => ({ address, creditCard: creditCard() });

  const transaction = async (id: number): Promise<Transaction> => {
    const found = await ask(administrator, `/admin/transactions/${id}`);
    return (found as unknown as { response: { data: Transaction } }).response.data;
  };
  const becomes = async (id: number, status: string): Promise<Transaction> => {
    const found = await within(
      () => transaction(id),
      (present) => present.status === status,
    );
    expect(found.status, `${id}`).to.equal(status);
    return found;
  };
  const cancel = (id: number) =>
    ask(administrator, `/admin/transactions/${id}/cancel`, { by: 'insurer' });

  const notify = async (payment: number | undefined): Promise<void> => {
    const { body, headers } = mercadoPago.notice(payment ?? 0);
    const url = `${new URL(service.baseUrl).origin}/webhooks/payments/mercadopago?data.id=${payment}&type=payment`;
    const answer = await fetch(url, { method: 'POST', body, headers });
    expect(answer.status).to.equal(200);
  };

  /** What each gateway took and gave back, in reais. */
  const ledgers = (): { readonly taken: number; readonly returned: number } => {
    const taken = [
      ...asaas.payments.filter(({ status }) => /RECEIVED|CONFIRMED|REFUND/.test(status)),
      ...mercadoPago.payments
        .filter(({ status }) => /approved|refunded/.test(status))
        .map(({ transaction_amount: value, refunds }) => ({
          ...{ value, refunds: refunds.map(({ amount }) => ({ value: amount })) },
        })),
    ];
    const sum = (values: readonly number[]): number =>
      Math.round(values.reduce((total, each) => total + each, 0) * 100) / 100;
    return {
      taken: sum(taken.map(({ value }) => value)),
      returned: sum(taken.flatMap(({ refunds }) => (refunds ?? []).map(({ value }) => value))),
    };
  };

  it('loses no open charge, no late notice, no refund and no surplus, to the cent', async () => {
    // On the first gateway: a card, a link that is paid late, and one that is never paid.
    const before = { card: await sell(card()), late: await sell(), never: await sell() };
    expect((await transaction(before.card)).payment.gateway).to.equal('asaas');
    const open = await transaction(before.late);

    await service.end();
    await start('mercadopago');

    const after = { card: await sell(card()), link: await sell(), twice: await sell() };
    expect((await transaction(after.card)).payment.gateway).to.equal('mercadopago');

    await asaas.pay(open.payment.charge_id);
    expect((await becomes(before.late, 'issued')).payment.gateway).to.equal('asaas');

    for (const id of [after.link, after.twice]) {
      const { payment } = await transaction(id);
      const paid = mercadoPago.pay(payment.charge_id);
      await notify(paid?.id);
      await becomes(id, 'issued');
    }
    // The payer of a link pays a second time: the surplus goes back.
    const page = (await transaction(after.twice)).payment.charge_id;
    const second = mercadoPago.begin(page);
    Object.assign(second, { status: 'approved', date_approved: second.date_created });
    await notify(second.id);
    const refunded = () => Promise.resolve(second.status);
    expect(await within(refunded, (status) => status === 'refunded')).to.equal('refunded');

    for (const id of [before.card, after.card, after.link]) {
      await cancel(id);
      await becomes(id, 'refunded');
    }
    await cancel(before.never);
    await becomes(before.never, 'cancelled');

    const month = inDays(0).slice(0, 7);
    const statement = await ask(partner, `/private/integration/statement?month=${month}`);
    const { response } = statement as unknown as { response: { data: { totals: Totals } } };
    const { sales, refunds } = response.data.totals;
    const { taken, returned } = ledgers();
    // The surplus is no premium.
    const surplus = second.transaction_amount;
    expect([sales.total, -refunds.total].map((reais) => reais.toFixed(2))).to.deep.equal(
      [taken - surplus, returned - surplus].map((reais) => reais.toFixed(2)),
    );
  });

  it('compares each gateway with its own sales', async () => {
    const from = `${inDays(-1)}T00:00:00Z`;
    for (const gateway of ['asaas', 'mercadopago']) {
      const args = ['reconcile-gateway', '--gateway', gateway, '--from', from];
      const to = new Date(Date.now() - 1_000).toISOString();
      const { code, output, errors } = await runOperator([...args, '--to', to], {
        ...environment,
        PAYMENT_GATEWAY: 'asaas',
      });
      expect(code, errors).to.equal(0);
      expect(JSON.parse(output)).to.deep.include({ gateway, findings: [] });
    }
  });
});
