import { expect } from 'chai';
import { ContainerModule } from 'inversify';
import type { Cents, Sale } from '#domain';
import { MemoryRecords } from '../../adapters/memory/operations/provider-records.ts';
import {
  type SandboxEvent,
  SandboxGateway,
} from '../../adapters/payment/sandbox/sandbox-gateway.ts';
import { makeGateways } from '../../application/payments/gateways.ts';
import type { NoticeReader } from '../../application/payments/notices.ts';
import { referenceOf } from '../../application/payments/payments.ts';
import { GatewayUnavailable } from '../../application/unavailable.ts';
import { composeMemory, type MemoryService } from '../../bootstrap/composition/memory.ts';
import {
  operatorModule,
  reconcileGateway,
} from '../../bootstrap/composition/operator-use-cases.ts';
import { clock, noticeReader, payments } from '../../bootstrap/composition/ports.ts';
import { findCardNeeds } from '../../bootstrap/composition/sale-use-cases.ts';
import { DEMO_CHANNEL } from '../../bootstrap/processes/demo-catalogue.ts';
import { loadDemoCatalogue } from '../../bootstrap/processes/first-run.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import { cardOf, letTimePass, moneyIn, phoneSale, soldIn } from '../support/selling.ts';

describe('two payment gateways', () => {
  let here: MemoryService;
  let second: SandboxGateway;
  let get: ReturnType<typeof composeMemory>['get'];
  /** What the second gateway would send a notice of. */
  let events: SandboxEvent[];

  beforeEach(async () => {
    events = [];
    const reader: NoticeReader = {
      gateway: 'second',
      isOfInterest: () => true,
      read: (_, body) => ({ id: body, event: 'paid', chargeId: body }),
    };
    const module = new ContainerModule(({ bind }) => {
      bind(payments).toResolvedValue(() => second);
      bind(noticeReader).toConstantValue(reader);
    });
    const composed = composeMemory(undefined, [module, operatorModule]);
    here = composed.service as MemoryService;
    get = composed.get;
    second = Object.assign(
      new SandboxGateway({
        ledger: new MemoryRecords(),
        clock: get(clock),
        publicUrl: 'https://second.example',
        notify: async (event) => void events.push(event),
      }),
      { name: 'second' as never, cardNeeds: { address: true, brazilianPhone: true } },
    );
    await loadDemoCatalogue(here.useCases);
  });

  const sell = async (method?: 'credit'): Promise<Sale> =>
    soldIn(await here.useCases.sell(phoneSale(method), method && { card: cardOf() }));
  const present = async ({ id }: Sale): Promise<Sale> => (await here.sales.load(id)) as Sale;
  const moneyAt = async ({ id }: Sale) => {
    const [first, other] = [await here.sandbox.chargesOf(id), await second.chargesOf(id)];
    return [first, other].map((charges) => charges.reduce((sum, each) => sum + moneyIn(each), 0));
  };
  /** New charges of the channel are made there from now on. */
  const chargeBy = async (gateway: string) => {
    const put = await here.useCases.manageCatalogue.putChannel(
      { ...DEMO_CHANNEL, gateway },
      ADMINISTRATOR,
    );
    return put.kind;
  };
  const notice = async (gateway: string, chargeId: string) => {
    const { receive, process } = here.useCases.takeNotices;
    const received = await receive(gateway, {}, chargeId);
    return received === 'kept' ? process(gateway, chargeId) : received;
  };

  it('charge by that of the channel, and the sale says which one it was', async () => {
    const before = await sell('credit');
    expect(await chargeBy('second')).to.equal('replaced');
    const after = await sell('credit');
    expect([before, after].map(({ payment }) => payment.gateway)).to.deep.equal([
      ...['sandbox', 'second'],
    ]);
    const { amount } = before.payment;
    expect(await moneyAt(before)).to.deep.equal([amount, 0]);
    expect(await moneyAt(after)).to.deep.equal([0, amount]);
  });

  it('stay named in a sale whose charge was made and its answer lost', async () => {
    await chargeBy('second');
    const card = cardOf('4000000000003220');
    const sale = soldIn(await here.useCases.sell(phoneSale('credit'), { card }));
    await letTimePass(here);
    expect((await present(sale)).payment).to.deep.include({
      status: 'approved',
      gateway: 'second',
    });
  });

  it('are asked for what their cards need', async () => {
    const find = () => get(findCardNeeds)(DEMO_CHANNEL.channelLink);
    expect(await find()).to.equal(undefined);
    await chargeBy('second');
    expect(await find()).to.deep.equal({ address: true, brazilianPhone: true });
    expect(await get(findCardNeeds)(null)).to.equal(undefined);
  });

  it('lose nothing when new charges go to the other: a late payment, its notice, its refund', async () => {
    const waiting = await sell();
    await chargeBy('second');
    const [charge] = await here.sandbox.chargesOf(waiting.id);
    await here.sandbox.payOnPage(charge?.id ?? '', 'pix', undefined, 'once');
    await letTimePass(here);
    const paid = await present(waiting);
    expect([paid.status, paid.payment.gateway]).to.deep.equal(['issued', 'sandbox']);

    const request = { sale: paid, by: 'insured', actor: ADMINISTRATOR } as const;
    await here.useCases.cancelSale.cancel(request);
    await letTimePass(here);
    expect((await present(waiting)).status).to.equal('refunded');
    expect(await moneyAt(waiting)).to.deep.equal([0, 0]);
    expect(await second.chargesOf(waiting.id)).to.deep.equal([]);
  });

  it('send notices by their names, each about its own charges', async () => {
    await chargeBy('second');
    const sale = await sell();
    const [charge] = await second.chargesOf(sale.id);
    const chargeId = charge?.id ?? '';
    await second.payOnPage(chargeId, 'pix', undefined, 'once');
    expect(events).to.have.length(1);
    // The same words under the other name say nothing.
    expect(await here.useCases.takeNotices.receive('third', {}, chargeId)).to.equal(
      'unknown_gateway',
    );
    expect(await here.useCases.takeNotices.process('sandbox', chargeId)).to.equal('done');
    expect((await present(sale)).status).to.equal('awaiting_payment');
    expect(await notice('second', chargeId)).to.equal('done');
    expect((await present(sale)).payment.status).to.equal('approved');
    expect(await notice('second', chargeId)).to.equal('repeated');
    // A job of version 1.0.0 names no gateway.
    expect(await here.useCases.takeNotices.process(undefined, chargeId)).to.equal('done');
  });

  it('tell a person of money of a sale that is charged elsewhere', async () => {
    const sale = await sell();
    await second.charge({
      ...{ reference: referenceOf(sale), saleId: sale.id, description: '', installments: 1 },
      ...{ net: sale.payment.amount, iof: 0 as Cents, amount: sale.payment.amount },
      ...{ payer: sale.terms.insured, dueOn: here.clock.today(), until: here.clock.now() },
    });
    const [charge] = await second.chargesOf(sale.id);
    expect(await notice('second', charge?.id ?? '')).to.equal('done');
    expect(here.alerts.raised.map(({ kind }) => kind)).to.deep.equal(['notice_of_nothing']);
  });

  it('keep a notice until the settings of its gateway are back', async () => {
    await here.useCases.takeNotices.receive('second', {}, 'a');
    Object.assign(here.gateways, { find: () => undefined });
    expect(await here.useCases.takeNotices.process('second', 'a')).to.equal('later');
  });

  it('are compared with the sales one by one: none misses what the other has', async () => {
    const sales = [await sell('credit')];
    await chargeBy('second');
    sales.push(await sell('credit'));
    here.clock.advance(3_600);
    const from = sales[0]?.registeredAt as Sale['registeredAt'];
    for (const gateway of [undefined, 'second']) {
      const request = { gateway, from, apply: false, evenIfMany: false };
      const report = await get(reconcileGateway)(request, ADMINISTRATOR);
      expect(report).to.deep.include({ findings: [], sales: 1, gateway: gateway ?? 'sandbox' });
      expect(report.charges).to.deep.equal({ ofSales: 1, withoutSale: 0, ofOthers: 0 });
    }
    const unknown = get(reconcileGateway)(
      { gateway: 'third', from, apply: false, evenIfMany: false },
      ADMINISTRATOR,
    );
    expect(await unknown.catch(({ message }: Error) => message)).to.include(
      'third has no settings',
    );
    for (const sale of sales)
      expect((await here.useCases.compareWithGateway(sale)).findings).to.deep.equal([]);
  });

  it('refuse a channel one that has no settings, beside its other faults', async () => {
    const put = await here.useCases.manageCatalogue.putChannel(
      { ...DEMO_CHANNEL, active: 1, gateway: 'third' },
      ADMINISTRATOR,
    );
    expect(put.kind === 'faulty' && put.faults).to.deep.equal([
      { path: 'active', kind: 'not_true_or_false' },
      { path: 'gateway', kind: 'not_one_of_these', expected: 'sandbox, second' },
    ]);
    const misspelt = await here.useCases.manageCatalogue.putChannel(
      { ...DEMO_CHANNEL, gateway: 'Second Bank' },
      ADMINISTRATOR,
    );
    expect(misspelt.kind === 'faulty' && misspelt.faults).to.have.length(1);
  });
});

describe('a payment gateway without settings', () => {
  it('is not reached, so that nothing is ordered twice or taken as done', async () => {
    const gateways = makeGateways({ live: [], defaultGateway: 'gone' });
    const gone = gateways.of({ payment: { status: 'requested', amount: 1 as Cents } });
    expect([gone.name, gateways.standard.name, gateways.find('gone')]).to.deep.equal([
      ...['gone', 'gone', undefined],
    ]);
    const order = { reference: referenceOf({ id: 1, ticket: 't' }), chargeId: 'c' };
    for (const answer of [
      gone.charge(order as never),
      gone.capture(order.reference, 'c'),
      gone.find(order.reference),
      gone.withdraw(order.reference, 'c'),
      gone.refund({ ...order, upTo: 1 as Cents }),
    ])
      expect(await answer).to.equal('unreached');
    expect(await gone.trace('c')).to.equal('unknown');
    const days = { from: '2026-11-01', to: '2026-11-02' } as never;
    const listing = gone.listCharges(days)[Symbol.asyncIterator]().next();
    expect(await listing.catch((error: unknown) => error)).to.be.instanceOf(GatewayUnavailable);
  });
});
