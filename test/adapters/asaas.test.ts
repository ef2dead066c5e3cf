import { expect } from 'chai';
import { cents, type Instant, type PaymentReport, type TaxId } from '#domain';
import { createProviderClient } from '../../adapters/kit/remote/provider-client.ts';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { AsaasGateway } from '../../adapters/payment/asaas/asaas-gateway.ts';
import { isPayment, reportPayments } from '../../adapters/payment/asaas/asaas-payments.ts';
import type { ChargeOrder } from '../../application/payments/payments.ts';
import { GatewayUnavailable } from '../../application/unavailable.ts';
import { AsaasDouble } from '../doubles/asaas.ts';
import { Double, type Told } from '../doubles/http.ts';
import { freePort } from '../support/postgres.ts';
import { asaasOn } from '../support/providers.ts';
import { day, terms } from '../support/sales.ts';
import { cardOf } from '../support/selling.ts';

const today = day('2026-11-20');

const payment = (over: object = {}) => ({
  id: 'pay_1',
  status: 'CONFIRMED',
  value: 32.11,
  billingType: 'CREDIT_CARD',
  externalReference: '1-T',
  clientPaymentDate: '2026-11-19',
  refunds: null,
  ...over,
});

const reports = (...payments: object[]): readonly PaymentReport[] => {
  for (const each of payments) if (!isPayment(each)) throw new Error('unreadable payment');
  return reportPayments(payments as never, today);
};

const order = (over: Partial<ChargeOrder> = {}): ChargeOrder => ({
  reference: '1-T',
  saleId: 1,
  description: 'Seguro Celular · Mensal',
  installments: 1,
  net: cents(2_990),
  iof: cents(221),
  amount: cents(3_211),
  payer: terms().insured,
  dueOn: today,
  until: '2026-11-23T03:00:00.000Z' as never,
  ...over,
});

describe('a payment of Asaas', () => {
  const STATUSES: Readonly<Record<string, readonly string[]>> = {
    approved: [
      'RECEIVED',
      'CONFIRMED',
      'RECEIVED_IN_CASH',
      'DUNNING_RECEIVED',
      'CHARGEBACK_REQUESTED',
      'CHARGEBACK_DISPUTE',
      'AWAITING_CHARGEBACK_REVERSAL',
    ],
    'approved returned': ['REFUNDED', 'REFUND_REQUESTED', 'REFUND_IN_PROGRESS'],
    awaited: ['PENDING', 'OVERDUE'],
    unknown: ['AWAITING_RISK_ANALYSIS', 'AUTHORIZED', 'DUNNING_REQUESTED', 'A_FUTURE_STATUS'],
  };
  for (const [expected, statuses] of Object.entries(STATUSES)) {
    it(`is ${expected} with status ${statuses.join(', ')}`, () => {
      for (const status of statuses) {
        const said = reports(
          payment({ status, invoiceUrl: 'https://asaas.example/i/1', dueDate: '2026-11-22' }),
        );
        expect(said.map((each) => each.status).join(' '), status).to.equal(expected);
      }
    });
  }

  it('may have rounding errors in numbers, and optional fields that are null or missing', () => {
    const bare = {
      id: 'pay_1',
      status: 'RECEIVED',
      value: 32.11000000000001,
      externalReference: null,
      refunds: [{ status: 'DONE', value: 3.6000000000000023 }],
    };
    expect(reports(bare)).to.deep.equal([
      {
        status: 'approved',
        amount: 3_211,
        chargeId: 'pay_1',
        collectedBy: 'service',
        paidOn: '2026-11-20',
      },
      { status: 'returned', amount: 3_211, chargeId: 'pay_1', returned: 360 },
    ]);
  });

  it('is rejected with an invalid amount', () => {
    for (const bad of [
      { value: 32.115 },
      { value: '32.11' },
      { value: -1 },
      { value: 1e20 },
      { refunds: [{ value: 0.001 }] },
      { refunds: [null] },
      { refunds: {} },
      { id: 7 },
      { dueDate: 7 },
    ]) {
      expect(isPayment(payment(bad)), JSON.stringify(bad)).to.equal(false);
    }
    expect([null, undefined, [], 'x'].map(isPayment)).to.deep.equal([false, false, false, false]);
  });

  it('is not paid any more once it is deleted, whatever its status says', () => {
    for (const status of ['CONFIRMED', 'RECEIVED'])
      expect(reports(payment({ status, deleted: true }))).to.deep.equal([
        { status: 'expired', amount: 3_211, chargeId: 'pay_1' },
      ]);
  });

  it('in installments is approved once all payments of the purchase are', () => {
    const parts = [10.7, 10.7, 10.71].map((value, index) =>
      payment({ id: `pay_${index}`, value, installment: 'i-1' }),
    );
    expect(reports(...parts)).to.deep.equal([
      {
        status: 'approved',
        amount: 3_211,
        chargeId: 'i-1',
        collectedBy: 'service',
        method: 'credit',
        paidOn: '2026-11-19',
      },
    ]);
    expect(
      reports(
        ...parts,
        payment({ id: 'pay_9', value: 1, installment: 'i-1', status: 'PENDING' }),
      )[0]?.status,
    ).to.equal('unknown');
    expect(reports(payment({ deleted: true, status: 'PENDING' }))).to.deep.equal([
      { status: 'expired', amount: 3_211, chargeId: 'pay_1' },
    ]);
    const cancelled = payment({ refunds: [{ status: 'CANCELLED', value: 5 }] });
    expect(reports(cancelled).map(({ status }) => status)).to.deep.equal(['approved']);
  });

  it('counts a refund as returned when it is done, and as ordered from its acceptance', () => {
    const refund = (status: string, value = 32.11) => ({ status, value });
    const told = (status: string, ...refunds: object[]) => {
      const [, back] = reports(payment({ status, refunds: refunds.length > 0 ? refunds : null }));
      return back?.status === 'returned' ? [back.returned, back.ordered] : back;
    };
    for (const status of [
      'PENDING',
      'AWAITING_CRITICAL_ACTION_AUTHORIZATION',
      'AWAITING_CUSTOMER_EXTERNAL_AUTHORIZATION',
    ])
      expect(told('REFUND_IN_PROGRESS', refund(status)), status).to.deep.equal([0, 3_211]);
    expect(told('REFUND_REQUESTED')).to.deep.equal([0, 3_211]);
    expect(told('REFUNDED', refund('DONE'))).to.deep.equal([3_211, undefined]);
    for (const others of [[], [refund('CANCELLED')], [refund('DONE', 10)]])
      expect(told('REFUNDED', ...others)).to.deep.equal([3_211, undefined]);
    // The whole is on its way, and not listed.
    expect(told('REFUND_IN_PROGRESS', refund('DONE', 10))).to.deep.equal([1_000, 3_211]);
    const parts = [refund('DONE', 10), refund('PENDING', 5), refund('CANCELLED', 7)];
    expect(told('RECEIVED', ...parts)).to.deep.equal([1_000, 1_500]);
  });

  it('says who has to act before a refund can leave', () => {
    const waits = (over: object) => {
      const [, back] = reports(payment(over));
      return back?.status === 'returned' ? back.waitsFor : back;
    };
    const asked = (status: string) => ({ refunds: [{ status, value: 32.11 }] });
    for (const status of ['CRITICAL_ACTION', 'CUSTOMER_EXTERNAL'])
      expect(waits(asked(`AWAITING_${status}_AUTHORIZATION`))).to.deep.equal({ actor: 'operator' });
    expect(waits(asked('PENDING'))).to.equal(undefined);
    const boleto = { billingType: 'BOLETO', status: 'REFUND_REQUESTED' };
    expect(waits(boleto)).to.deep.equal({ actor: 'insured' });
    expect(waits({ ...boleto, status: 'REFUND_IN_PROGRESS' })).to.equal(undefined);
  });

  it('reports what a boleto brought, which is not always what it asked for', () => {
    // With interest, `value` is what was paid (docs.asaas.com, "Cobranças vencidas").
    const late = payment({ billingType: 'BOLETO', value: 35, originalValue: 32.11 });
    expect(reports(late)).to.have.length(1);
    expect(reports(late)[0]).to.include({ amount: 3_500, returnsWholeOnly: true });
  });

  describe('in dispute', () => {
    const dispute = (status: string, over: object = {}, about: object = {}) =>
      reports(payment({ chargeback: { status, value: 32.11, ...about }, ...over }));
    const disputeIn = ([first]: readonly PaymentReport[]) =>
      first?.status === 'approved' ? first.dispute : undefined;
    const opened = { status: 'opened', amount: 3_211 };

    it('is barred, also under a status that stays as it was, until the day of the deadline', () => {
      for (const status of ['REQUESTED', 'IN_DISPUTE'])
        expect(disputeIn(dispute(status))).to.deep.equal(opened);
      const deadline = { deadlineToSendDisputeDocuments: '2026-12-01' };
      const about = dispute('REQUESTED', { status: 'CHARGEBACK_REQUESTED' }, deadline);
      expect(disputeIn(about)).to.deep.equal({ ...opened, respondBy: '2026-12-01' });
    });

    it('of installments is barred as a whole, until the first of the deadlines', () => {
      const part = (id: string, chargeback?: object) =>
        payment({ id, installment: 'i-1', ...(chargeback && { chargeback }) });
      const open = (day: string) => ({ status: 'REQUESTED', deadlineToSendDisputeDocuments: day });
      const told = reports(part('a'), part('b', open('2026-12-09')), part('c', open('2026-12-03')));
      expect(disputeIn(told)).to.deep.equal({
        ...{ status: 'opened', amount: 6_422, respondBy: '2026-12-03' },
      });
    });

    it('of installments counts once, though each payment may show the whole of it', () => {
      const shown = (value: number, over: object = {}) =>
        ['a', 'b', 'c'].map((id) =>
          payment({
            ...{ id, installment: 'i-1', ...over },
            chargeback: { id: 'chb_1', status: 'DONE', value },
          }),
        );
      expect(disputeIn(reports(...shown(96.33)))).to.deep.equal({ status: 'lost', amount: 9_633 });
      expect(reports(...shown(96.33))[1]).to.include({ returned: 9_633 });
      expect(reports(...shown(32.11))[1]).to.include({ returned: 3_211 });
      // What was refunded before cannot be taken back.
      const refunded = shown(96.33, { refunds: [{ status: 'DONE', value: 30 }] });
      expect(reports(...refunded)[1]).to.include({ returned: 9_633 });
    });

    it('has gone back when it is lost: what the bank took, and what was refunded before', () => {
      for (const status of ['DISPUTE_LOST', 'DONE']) {
        const [approved, returned] = dispute(status, { status: 'CHARGEBACK_DISPUTE' });
        expect(approved).to.deep.include({ dispute: { status: 'lost', amount: 3_211 } });
        expect(returned).to.include({ status: 'returned', returned: 3_211 });
      }
      const refunds = [{ status: 'DONE', value: 2.11 }];
      expect(dispute('DONE', {}, { value: 20 })[1]).to.include({ returned: 2_000 });
      expect(dispute('DONE', { refunds }, { value: 20 })[1]).to.include({ returned: 2_211 });
      expect(dispute('DONE', { refunds })[1]).to.include({ returned: 3_211 });
      const pending = { refunds: [{ status: 'PENDING', value: 12.11 }] };
      const both = { returned: 2_000, ordered: 3_211 };
      expect(dispute('DONE', pending, { value: 20 })[1]).to.include(both);
    });

    it('of a part that was refunded before has taken that part twice', () => {
      const part = (id: string, over: object = {}) =>
        payment({ id, value: 107.02, installment: 'i-1', ...over });
      const twice = {
        refunds: [{ status: 'DONE', value: 107.02 }],
        chargeback: { id: 'chb_1', status: 'DONE', value: 107.02 },
      };
      const told = reports(part('a'), part('b', twice), part('c'));
      expect(told[1]).to.include({ status: 'returned', amount: 32_106, returned: 21_404 });
    });

    it('is as before when it is won, once the bank has given the money back', () => {
      expect(disputeIn(dispute('REVERSED'))).to.deep.equal({ ...opened, status: 'won' });
      const waiting = dispute('REVERSED', { status: 'AWAITING_CHARGEBACK_REVERSAL' });
      expect(disputeIn(waiting)).to.deep.equal(opened);
      expect(disputeIn(reports(payment()))).to.equal(undefined);
    });
  });
});

describe('the Asaas gateway', () => {
  let double: AsaasDouble;
  let gateway: AsaasGateway;
  beforeEach(async () => {
    ({ double, payments: gateway } = await asaasOn());
  });
  afterEach(() => {
    double.stop();
    expect(double.faults).to.deep.equal([]);
  });

  for (const method of ['credit', 'boleto'] as const)
    it(`orders a refund once while the bank takes its time (${method})`, async () => {
      double.set({ refunds: 'pending' });
      const card = method === 'credit' ? { card: cardOf(), orderedFrom: '192.0.2.1' } : {};
      const given = order({ method, ...card });
      const [{ chargeId = '' } = {}] = (await gateway.charge(given)) as PaymentReport[];
      if (method === 'boleto') await double.pay(chargeId);
      const refund = () =>
        gateway.refund({ reference: given.reference, chargeId, upTo: given.amount });
      const onItsWay = { status: 'returned', returned: 0, ordered: given.amount };
      const [, named] = (await refund()) as (PaymentReport & { waitsFor?: object })[];
      expect(named).to.include(onItsWay);
      expect(((await refund()) as PaymentReport[])[1]).to.include(onItsWay);
      const orders = double.asked.filter(({ path }) => path.endsWith('/refund'));
      expect(orders).to.have.length(1);
      if (method === 'boleto') {
        expect(named?.waitsFor).to.deep.equal({
          ...{ actor: 'insured', url: `https://sandbox.asaas.com/refund/${chargeId}` },
        });
      }
      double.finishRefunds('DONE');
      const [, back] = (await gateway.find(given.reference)) as PaymentReport[];
      expect(back).to.include({ status: 'returned', returned: given.amount });
      expect(back).not.to.have.property('ordered');
    });

  it('keeps the page of a boleto whose refund was ordered, though the look after it fails', async () => {
    const given = order({ method: 'boleto' });
    const [{ chargeId = '' } = {}] = (await gateway.charge(given)) as PaymentReport[];
    await double.pay(chargeId);
    gateway.find = async () => 'unknown';
    const refund = { reference: given.reference, chargeId, upTo: given.amount };
    const [, ordered] = (await gateway.refund(refund)) as PaymentReport[];
    expect(ordered).to.deep.equal({
      ...{ status: 'returned', chargeId, amount: given.amount, returned: 0, ordered: given.amount },
      waitsFor: { actor: 'insured', url: `https://sandbox.asaas.com/refund/${chargeId}` },
    });
  });

  it('orders no refund of a part of a boleto, which would return all of it', async () => {
    const given = order({ method: 'boleto' });
    const [{ chargeId = '' } = {}] = (await gateway.charge(given)) as PaymentReport[];
    await double.pay(chargeId);
    const refund = { reference: given.reference, chargeId, upTo: cents(1) };
    expect(await gateway.refund(refund)).to.have.length(1);
    expect(double.asked.filter(({ path }) => path.endsWith('/refund'))).to.deep.equal([]);
  });

  it('orders a card charge as documented, and omits a phone that Asaas might reject', async () => {
    const seen: object[] = [];
    const spy = new Double(({ path, body }) => {
      seen.push({ path, body });
      return path === '/v3/customers'
        ? { status: 200, body: { id: 'cus_1' } }
        : { status: 200, body: payment() };
    });
    const ask = createProviderClient({ url: await spy.start(), headers: { access_token: 'k' } });
    const clock = new MemoryClock('2026-11-20T15:00:00.000Z');
    await new AsaasGateway(ask, clock).charge(
      order({
        method: 'credit',
        card: cardOf(),
        orderedFrom: '192.0.2.1',
        payer: { ...terms().insured, phone: '+351 912 345 678' as never },
      }),
    );
    spy.stop();
    const [customer, charge] = seen as [{ body: object }, { path: string; body: object }];
    expect(customer.body)
      .to.include({ cpfCnpj: '52998224725', externalReference: '1-T', notificationDisabled: true })
      .and.not.to.have.any.keys('phone', 'mobilePhone');
    expect(charge.path).to.equal('/v3/payments');
    expect(charge.body).to.deep.include({
      customer: 'cus_1',
      billingType: 'CREDIT_CARD',
      value: 32.11,
      dueDate: '2026-11-20',
      description: 'Seguro Celular · Mensal',
      externalReference: '1-T',
      remoteIp: '192.0.2.1',
      creditCard: {
        holderName: 'Maria da Silva',
        number: '4111111111111111',
        expiryMonth: '12',
        expiryYear: '2030',
        ccv: '987',
      },
    });
  });

  describe('with a way back from its page', () => {
    const CALLBACK = { successUrl: 'https://loja.example/fim?n=1', autoRedirect: false };

    /** Orders a charge of an account with this domain. @returns what was asked and answered */
    const orderAt = async (domain: string | undefined, over: Partial<ChargeOrder> = {}) => {
      const double = new AsaasDouble();
      if (domain !== undefined) double.set({ domain });
      const ask = createProviderClient({
        url: await double.start(),
        headers: { access_token: double.key },
      });
      const callbacks: unknown[] = [];
      const spied: typeof ask = (question) => {
        if (question.path === '/v3/payments') callbacks.push(Object(question.body)['callback']);
        return ask(question);
      };
      const gateway = new AsaasGateway(spied, new MemoryClock('2026-11-20T15:00:00.000Z'));
      const returnUrl = CALLBACK.successUrl;
      const answer = await gateway.charge(order({ returnUrl, ...over }));
      double.stop();
      return { answer, callbacks, charges: double.payments.length };
    };

    it('shows it, if the domain is the one of the account', async () => {
      const { answer, callbacks, charges } = await orderAt('loja.example');
      expect(callbacks).to.deep.equal([CALLBACK]);
      expect([charges, (answer as PaymentReport[])[0]?.status]).to.deep.equal([1, 'awaited']);
    });

    it('makes one charge without it, if Asaas refuses the domain', async () => {
      for (const domain of [undefined, 'seguros.example']) {
        const { answer, callbacks, charges } = await orderAt(domain);
        expect(callbacks).to.deep.equal([CALLBACK, undefined]);
        expect([charges, (answer as PaymentReport[])[0]?.status]).to.deep.equal([1, 'awaited']);
      }
    });

    it('declines an order that Asaas also refuses without it', async () => {
      const { answer, callbacks, charges } = await orderAt(undefined, { amount: cents(100) });
      expect(callbacks).to.deep.equal([CALLBACK, undefined]);
      expect([charges, (answer as PaymentReport[])[0]?.status]).to.deep.equal([0, 'declined']);
    });

    it('asks for none with a card or a boleto, which have no page of their own', async () => {
      for (const over of [{ method: 'credit', card: cardOf() }, { method: 'boleto' }] as const) {
        const { callbacks } = await orderAt(undefined, { ...over, orderedFrom: '192.0.2.1' });
        expect(callbacks).to.deep.equal([undefined]);
      }
    });
  });

  it('lets no bank accept a boleto after the last day of its price', async () => {
    interface Body {
      readonly billingType?: string;
      readonly daysAfterDueDateToRegistrationCancellation?: number;
    }
    const seen: object[] = [];
    const spy = new Double(({ path, body }) => {
      if (path === '/v3/payments') seen.push(body);
      return { status: 200, body: path === '/v3/customers' ? { id: 'cus_1' } : payment() };
    });
    const ask = createProviderClient({ url: await spy.start(), headers: { access_token: 'k' } });
    const here = new AsaasGateway(ask, new MemoryClock('2026-12-30T15:00:00.000Z'));
    const priceEnd = { on: day('2026-12-31'), at: '2027-01-01T02:59:59.000Z' as Instant };
    for (const dueOn of ['2026-12-31', '2026-12-29', '2026-12-28'])
      await here.charge(order({ method: 'boleto', dueOn: day(dueOn), priceEnd }));
    await here.charge(order({ method: 'boleto' }));
    expect(
      seen.map((each) => (each as Body).daysAfterDueDateToRegistrationCancellation),
    ).to.deep.equal([0, 2, undefined, undefined]);

    // A boleto of the page could be paid in time, and reported too late.
    await here.charge(order({ method: undefined, dueOn: day('2026-12-31'), priceEnd }));
    await here.charge(order({ method: undefined, dueOn: day('2026-12-30'), priceEnd }));
    spy.stop();
    expect(seen.slice(-2).map((each) => (each as Body).billingType)).to.deep.equal([
      'PIX',
      'UNDEFINED',
    ]);
  });

  it('sends a CNPJ with letters unchanged, and reports a refusal of it as gateway_refused', async () => {
    const payer = { ...terms().insured, taxId: '12ABC34501DE35' as TaxId };
    const sent: string[] = [];
    let reply = { status: 200, body: { id: 'cus_1' } as object };
    const spy = new Double(({ path, body }) => {
      if (path !== '/v3/customers') return { status: 200, body: payment() };
      sent.push(body.cpfCnpj);
      return reply;
    });
    const ask = createProviderClient({ url: await spy.start(), headers: { access_token: 'k' } });
    const asking = new AsaasGateway(ask, new MemoryClock('2026-11-20T15:00:00.000Z'));
    expect(await asking.charge(order({ payer }))).to.have.nested.property('[0].status', 'approved');

    reply = { status: 400, body: { errors: [{ code: 'invalid_object', description: 'CNPJ' }] } };
    expect(await asking.charge(order({ payer }))).to.deep.equal([
      { status: 'declined', amount: 3_211, reason: 'gateway_refused' },
    ]);
    expect(sent).to.deep.equal(['12ABC34501DE35', '12ABC34501DE35']);
    spy.stop();

    expect(await gateway.charge(order({ payer }))).to.have.nested.property('[0].status', 'awaited');
  });

  it('shows the payer the insurance in words, in the 500 characters that Asaas takes', async () => {
    await gateway.charge(order());
    await gateway.charge(order({ description: `Seguro 📱 ${'á'.repeat(600)}` }));
    expect(double.payments.map((each) => each['description'])).to.deep.equal([
      'Seguro Celular · Mensal',
      `Seguro 📱 ${'á'.repeat(491)}`,
    ]);
  });

  for (const [habit, outcome] of [
    ['500-after', 'failed'],
    ['500-before', 'failed'],
    ['502-after', 'unknown'],
    ['cut-after', 'unknown'],
  ] as const) {
    it(`reports ${outcome} for ${habit}, and does not repeat the order`, async () => {
      double.set({ habits: [habit] });
      expect(
        await gateway.charge(order({ method: 'credit', card: cardOf(), orderedFrom: '192.0.2.1' })),
      ).to.equal(outcome);
      expect(
        double.asked.filter(({ method, path }) => method === 'POST' && path === '/v3/payments'),
      ).to.have.length(1);
      expect(double.payments).to.have.length(habit.endsWith('after') ? 1 : 0);
    });
  }

  it('reports unreached for status 401, 403, 404 and 429, and without a connection', async () => {
    for (const status of [401, 403, 404, 429]) {
      const shut = new Double(({ path }) =>
        path === '/v3/customers' ? { status: 200, body: { id: 'c' } } : { status },
      );
      const ask = createProviderClient({ url: await shut.start(), headers: {} });
      expect(
        await new AsaasGateway(ask, new MemoryClock('2026-11-20T15:00:00.000Z')).charge(order()),
      ).to.equal('unreached');
      shut.stop();
    }
    const gone = new AsaasGateway(
      createProviderClient({ url: `http://127.0.0.1:${await freePort()}`, headers: {} }),
      new MemoryClock('2026-11-20T15:00:00.000Z'),
    );
    expect(await gone.charge(order())).to.equal('unreached');
    expect(await gone.find('1-T')).to.equal('unknown');
  });

  it('reports an order that Asaas refuses as gateway_refused, not as a declined card', async () => {
    const small = { net: cents(400), iof: cents(30), amount: cents(430) };
    expect(await gateway.charge(order(small))).to.deep.equal([
      { status: 'declined', amount: 430, reason: 'gateway_refused' },
    ]);
  });

  it('reports unknown for a list that is endless, repeated, of another sale, or invalid', async () => {
    const page = (offset: number) =>
      Array.from({ length: 100 }, (_, index) => payment({ id: `pay_${offset + index}` }));
    const LISTS: Readonly<Record<string, (offset: number) => object>> = {
      'without end': (offset) => ({ hasMore: true, data: page(offset) }),
      twice: () => ({ hasMore: false, data: [payment(), payment()] }),
      'of others': () => ({ hasMore: false, data: [payment({ externalReference: '2-T' })] }),
      nonsense: () => ({ hasMore: false, data: [{ id: 'pay_1' }] }),
      nothing: () => ({}),
    };
    for (const [what, list] of Object.entries(LISTS)) {
      const broken = new Double(({ query }) => ({
        status: 200,
        body: list(Number(query.get('offset'))),
      }));
      const ask = createProviderClient({ url: await broken.start(), headers: {} });
      expect(
        await new AsaasGateway(ask, new MemoryClock('2026-11-20T15:00:00.000Z')).find('1-T'),
        what,
      ).to.equal('unknown');
      broken.stop();
    }
  });

  describe('lists the charges of an account', () => {
    const days = { from: day('2026-11-19'), to: today };
    const clock = new MemoryClock('2026-11-20T15:00:00.000Z');
    const listedBy = async (answer: (query: URLSearchParams) => Told) => {
      const pages = new Double(({ query }) => answer(query));
      const ask = createProviderClient({ url: await pages.start(), headers: {}, pauseMs: 1 });
      try {
        return await Array.fromAsync(new AsaasGateway(ask, clock).listCharges(days));
      } finally {
        pages.stop();
      }
    };
    const list = (data: readonly object[], hasMore = false): Told => ({
      status: 200,
      body: { hasMore, data },
    });

    /** A page of a day's payments, as many as were asked for. */
    const pageOf = (all: readonly object[], query: URLSearchParams): Told => {
      const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
      return list(all.slice(offset, offset + limit), offset + limit < all.length);
    };
    const numbered = (from: number, to: number): object[] =>
      Array.from({ length: to - from }, (_, index) => payment({ id: `pay_${from + index}` }));

    it('by the day of their creation, a page after the other', async () => {
      const asked: string[] = [];
      const of: Readonly<Record<string, readonly object[]>> = {
        '2026-11-19': numbered(0, 1),
        '2026-11-20': numbered(1, 103).map((each) => ({ ...each, dateCreated: '2026-11-20' })),
      };
      const found = await listedBy((query) => {
        asked.push(query.toString());
        return pageOf(of[query.get('dateCreated[ge]') ?? ''] ?? [], query);
      });
      expect(found.map(({ chargeId }) => chargeId)).to.deep.equal(
        Array.from({ length: 103 }, (_, index) => `pay_${index}`),
      );
      expect(found.filter(({ createdOn }) => createdOn === '2026-11-20')).to.have.length(102);
      expect(asked).to.deep.equal(
        [
          ['2026-11-19', 0],
          ['2026-11-20', 0],
          ['2026-11-20', 90],
        ].map(([on, offset]) =>
          new URLSearchParams({
            'dateCreated[ge]': String(on),
            'dateCreated[le]': String(on),
            limit: '100',
            offset: String(offset),
          }).toString(),
        ),
      );
    });

    for (const [what, deleted] of [
      ['some', 3],
      ['many', 60],
      ['most', 240],
    ] as const)
      it(`all of them, while ${what} others are deleted and new ones made`, async () => {
        const all = numbered(0, 350);
        let requests = 0;
        const found = await listedBy((query) => {
          if (query.get('dateCreated[ge]') === '2026-11-19') return list([]);
          const page = pageOf(all, query);
          requests += 1;
          if (requests === 2) all.splice(5, deleted);
          if (requests === 3) all.unshift(...numbered(1_000, 1_040));
          return page;
        });
        const ids = found.map(({ chargeId }) => chargeId);
        expect(new Set(ids)).to.have.property('size', ids.length);
        const kept = numbered(0, 350).filter((_, index) => index < 5 || index >= 5 + deleted);
        expect(ids).to.include.members(kept.map((each) => (each as { id: string }).id));
      });

    it('as one, if its installments are on different pages', async () => {
      const part = (id: string) => payment({ id, value: 10, installment: 'i-1' });
      const all = [part('pay_a'), ...numbered(0, 110), part('pay_b')];
      const found = (await listedBy((query) => pageOf(all, query))).filter(
        ({ chargeId }) => chargeId === 'i-1',
      );
      const one = { chargeId: 'i-1', reference: '1-T', createdOn: '2026-11-19' };
      expect(found).to.have.length(2);
      expect(found[0]).to.deep.include(one);
      expect(found[0]?.reports[0]).to.include({ status: 'approved', amount: 2_000 });
    });

    it('of other systems too, without reports where it cannot read them', async () => {
      const found = await listedBy(() =>
        list([
          payment({ id: 'pay_1', externalReference: null }),
          payment({ id: 'pay_2', externalReference: 'order 7' }),
          { id: 'pay_3', status: 'RECEIVED', value: 0.001, externalReference: 'order 8' },
          payment({ id: 'pay_4', value: 0.001, installment: 'i-1' }),
        ]),
      );
      const each = found.map(({ chargeId, reference, reports }) => [
        chargeId,
        reference,
        reports.length,
      ]);
      const ofOneDay = [
        ['pay_1', undefined, 1],
        ['pay_2', 'order 7', 1],
        ['pay_3', 'order 8', 0],
        ['pay_4', '1-T', 0],
      ];
      expect(each).to.deep.equal([...ofOneDay, ...ofOneDay]);
    });

    it('and says which paid ones Asaas cannot refund: in dispute, or paid in cash', async () => {
      const statuses = [
        'CONFIRMED',
        'RECEIVED',
        'RECEIVED_IN_CASH',
        'CHARGEBACK_REQUESTED',
        'CHARGEBACK_DISPUTE',
        'AWAITING_CHARGEBACK_REVERSAL',
      ];
      const found = await listedBy(() =>
        list(statuses.map((status) => payment({ id: status, status }))),
      );
      const bars = found.map(({ chargeId, reports: [first] }) => [
        chargeId,
        first?.status === 'approved' && (first.dispute?.status ?? first.inCash),
      ]);
      expect(Object.fromEntries(bars)).to.deep.equal({
        ...{ CONFIRMED: undefined, RECEIVED: undefined, RECEIVED_IN_CASH: true },
        ...{ CHARGEBACK_REQUESTED: 'opened', CHARGEBACK_DISPUTE: 'opened' },
        AWAITING_CHARGEBACK_REVERSAL: 'opened',
      });
      expect(found.map(({ reports }) => reports[0]?.status)).to.deep.equal(
        Array(12).fill('approved'),
      );
    });

    it('or fails: in the middle, by its limit of requests, and with what is no list', async () => {
      const ANSWERS: Readonly<Record<string, Told>> = {
        'from 2 on: no answer \\(unknown\\)': 'cut',
        'from 2 on: too many requests \\(429\\)': { status: 429 },
        'from 2 on: status 401': { status: 401 },
        'from 2 on: no list': { status: 200, body: {} },
        'from 2 on: no list$': list([{ status: 'RECEIVED' }]),
      };
      for (const [why, answer] of Object.entries(ANSWERS)) {
        const listing = listedBy((query) =>
          query.get('offset') === '0' ? list([payment()], true) : answer,
        );
        const error = await listing.catch((failure: unknown) => failure);
        expect(error, why).to.be.instanceOf(GatewayUnavailable);
        expect((error as Error).message).to.match(new RegExp(why));
      }
    });
  });

  it('says that it knows no charge only after 404: not if the limit of requests is reached', async () => {
    for (const [status, expected] of [
      [404, []],
      [429, 'unknown'],
      [401, 'unknown'],
    ] as const) {
      const strict = new Double(({ path }) =>
        path === '/v3/payments' ? { status: 200, body: { hasMore: false, data: [] } } : { status },
      );
      const ask = createProviderClient({ url: await strict.start(), headers: {} });
      const asking = new AsaasGateway(ask, new MemoryClock('2026-11-20T15:00:00.000Z'));
      expect(await asking.find('1-T', 'pay_1'), String(status)).to.deep.equal(expected);
      strict.stop();
    }
  });

  it('says why a refund was refused, and that one is unknown that was taken and is not shown', async () => {
    const card = { card: cardOf(), orderedFrom: '192.0.2.1' };
    const [charge] = (await gateway.charge(
      order({ method: 'credit', ...card }),
    )) as PaymentReport[];
    const refund = { reference: '1-T', chargeId: charge?.chargeId ?? '', upTo: cents(1_000) };
    double.set({ refunds: 'refused' });
    const [, refused] = (await gateway.refund(refund)) as PaymentReport[];
    expect(refused).to.deep.equal({
      ...{ status: 'refund_refused', chargeId: refund.chargeId, amount: 1_000 },
      words: 'invalid_action: Prazo de 90 dias para o estorno excedido.',
    });
    double.set({ refunds: 'pending' });
    const before = await gateway.find('1-T');
    gateway.find = async () => before;
    expect(await gateway.refund(refund)).to.equal('unknown');
  });

  it('refunds only the difference to what was refunded before', async () => {
    const [approved] = (await gateway.charge(
      order({ method: 'credit', card: cardOf(), orderedFrom: '192.0.2.1' }),
    )) as PaymentReport[];
    const refund = () =>
      gateway.refund({ reference: '1-T', chargeId: approved?.chargeId ?? '', upTo: cents(1_000) });
    await refund();
    await refund();
    expect(double.payments[0]?.refunds).to.deep.equal([{ status: 'DONE', value: 10 }]);
  });
});
