import { expect } from 'chai';
import { type Cents, toReais } from '#domain';
import { HttpIssuer } from '../../adapters/issuance/http-issuer.ts';
import { type LocalFile, LocalIssuer } from '../../adapters/issuance/local-issuer.ts';
import { createProviderClient } from '../../adapters/kit/remote/provider-client.ts';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { MemoryRecords } from '../../adapters/memory/operations/provider-records.ts';
import { AsaasGateway } from '../../adapters/payment/asaas/asaas-gateway.ts';
import { MercadoPagoGateway } from '../../adapters/payment/mercado-pago/mercado-pago-gateway.ts';
import { SandboxGateway } from '../../adapters/payment/sandbox/sandbox-gateway.ts';
import type { SandboxFile } from '../../adapters/payment/sandbox/sandbox-ledger.ts';
import type { Issuer } from '../../application/issuance/issuer.ts';
import type { Payments } from '../../application/payments/payments.ts';
import type { Records } from '../../application/records.ts';
import { AsaasDouble } from '../doubles/asaas.ts';
import { InsurerDouble } from '../doubles/insurer.ts';
import { MercadoPagoDouble } from '../doubles/mercado-pago.ts';
import { STORES, type Store } from './stores.ts';
import { inDays } from './today.ts';

/** A gateway under test, a function that pays an open charge, and a card that it declines. */
export interface GatewayToTest {
  readonly payments: Payments;
  pay(chargeId: string, by?: { method?: 'pix' | 'boleto'; amount?: Cents }): Promise<unknown>;
  /**
   * The payer of a boleto names an account for its refund, or lets the time for it pass; absent: the
   * gateway knows where the money goes.
   */
  nameAccount?(chargeId: string, isNamed: boolean): Promise<void>;
  /** A card whose refund the bank takes back, and what makes it do so. */
  readonly failing: string;
  undoRefund(chargeId: string): Promise<void>;
  /** The payer of a charge by card asks the bank for the money; then the bank decides. */
  dispute(chargeId: string, stage: 'opened' | 'won' | 'lost'): Promise<void>;
  readonly disputed: string;
  readonly declined: string;
  /** A card that is authorised and whose capture the bank declines; makes it do so. */
  declineCapture(): string;
  close(): Promise<void>;
}

const clock = (): MemoryClock => new MemoryClock(new Date().toISOString());

const sandboxOver = (ledger: Records<SandboxFile>, close: () => Promise<void>): GatewayToTest => {
  const gateway = new SandboxGateway({
    ledger,
    clock: clock(),
    publicUrl: 'https://pay.example',
    notify: async () => {},
  });
  const pay: GatewayToTest['pay'] = (chargeId, { method = 'pix', amount } = {}) =>
    gateway.payOnPage(chargeId, method, undefined, 'once', amount);
  const dispute: GatewayToTest['dispute'] = async (chargeId, stage) => {
    // The card has opened it.
    if (stage !== 'opened') await gateway.endDispute(chargeId, stage);
  };
  return {
    ...{ payments: gateway, pay, dispute, close },
    nameAccount: (chargeId, isNamed) => gateway.endRefund(chargeId, isNamed),
    // The bank does so by itself, after the report.
    undoRefund: async () => {},
    disputed: '4000000000000259',
    failing: '4000000000005126',
    declined: '4000000000000002',
    declineCapture: () => '4000000000000341',
  };
};

/** The contract of records is tested on every store; here PostgreSQL is enough. */
const onPostgres = async <Tested>(over: (store: Store) => Tested): Promise<Tested> =>
  over(await (STORES['PostgreSQL'] as () => Promise<Store>)());

export const asaasOn = async (double = new AsaasDouble()) => {
  const ask = createProviderClient({
    url: await double.start(),
    headers: { access_token: double.key },
  });
  return { double, payments: new AsaasGateway(ask, clock()) };
};

export const GATEWAYS: Readonly<Record<string, () => Promise<GatewayToTest>>> = {
  'the sandbox, in memory': async () => sandboxOver(new MemoryRecords(), async () => {}),
  'the sandbox, on PostgreSQL': () =>
    onPostgres((store) => sandboxOver(store.records('charges'), () => store.close())),
  Asaas: async () => {
    const { double, payments } = await asaasOn();
    return {
      payments,
      pay: (id, { method = 'pix', amount } = {}) =>
        double.pay(id, method.toUpperCase(), amount && toReais(amount)),
      nameAccount: async (_, isNamed) => double.finishRefunds(isNamed ? 'DONE' : 'CANCELLED'),
      undoRefund: async (id) => double.undoRefund(id),
      dispute: async (id, stage) => double.dispute(id, stage),
      ...{ disputed: '4111111111111111', failing: '4111111111111111' },
      declined: '5184019740373151',
      declineCapture: () => {
        double.set({ captures: 'refused' });
        return '4111111111111111';
      },
      close: async () => {
        double.stop();
        expect(double.faults).to.deep.equal([]);
      },
    };
  },
  'Mercado Pago': async () => {
    const { double, payments } = await mercadoPagoOn();
    return {
      payments,
      pay: async (id, { method = 'pix', amount } = {}) =>
        double.pay(id, method === 'pix' ? 'bank_transfer' : 'ticket', amount && toReais(amount)),
      undoRefund: async (id) => double.endRefunds(id, 'cancelled'),
      dispute: async (id, stage) => double.dispute(id, stage, `${inDays(10)}T09:50:37.000-04:00`),
      ...{ disputed: '4111111111111111', failing: '4111111111111111' },
      declined: '4000000000000002',
      declineCapture: () => {
        double.set({ captures: 'refused' });
        return '4111111111111111';
      },
      close: async () => {
        double.stop();
        expect(double.faults).to.deep.equal([]);
      },
    };
  },
};

export const mercadoPagoOn = async (double = new MercadoPagoDouble()) => {
  const ask = createProviderClient({
    url: await double.start(),
    headers: { Authorization: `Bearer ${double.token}` },
  });
  const notifyAt = 'https://seguros.example/webhooks/payments/mercadopago';
  return { double, payments: new MercadoPagoGateway(ask, clock(), notifyAt) };
};

interface IssuerToTest {
  readonly issuer: Issuer;
  close(): Promise<void>;
}

const localOver = (
  files: Records<LocalFile>,
  numbers: Records<number>,
  close: () => Promise<void>,
): IssuerToTest => ({
  issuer: new LocalIssuer({ files, numbers, clock: clock() }),
  close,
});

const insurerOn = async (double = new InsurerDouble()) => {
  const ask = createProviderClient({
    url: await double.start(),
    headers: { Authorization: `Bearer ${double.token}` },
  });
  return { double, issuer: new HttpIssuer(ask) };
};

export const ISSUERS: Readonly<Record<string, () => Promise<IssuerToTest>>> = {
  'the local one, in memory': async () =>
    localOver(new MemoryRecords(), new MemoryRecords(), async () => {}),
  'the local one, on PostgreSQL': () =>
    onPostgres((store) =>
      localOver(store.records('files'), store.records('numbers'), () => store.close()),
    ),
  'one by HTTP': async () => {
    const { double, issuer } = await insurerOn();
    return { issuer, close: async () => double.stop() };
  },
};

/** Runs a suite on each of several adapters; opens each before and closes it after. */
export const overEach = <Tested extends { close(): Promise<void> }>(
  title: string,
  each: Readonly<Record<string, () => Promise<Tested>>>,
  suite: (tested: () => Tested) => void,
): void => {
  for (const [name, open] of Object.entries(each)) {
    describe(`${title}: ${name}`, () => {
      let tested: Tested | undefined;
      before(async () => {
        tested = await open();
      });
      after(() => tested?.close());
      suite(() => {
        if (tested === undefined) throw new Error('it is not open');
        return tested;
      });
    });
  }
};
