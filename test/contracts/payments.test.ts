import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  addDays,
  businessDay,
  cents,
  type Instant,
  lastDayOfBoleto,
  type PaymentReport,
  type Phone,
  type ReturnReport,
  type TaxId,
} from '#domain';
import {
  type ChargeAnswer,
  type ChargeOrder,
  hasReports,
} from '../../application/payments/payments.ts';
import { GATEWAYS, overEach } from '../support/providers.ts';
import { terms } from '../support/sales.ts';
import { cardOf, HOME } from '../support/selling.ts';
import { inDays } from '../support/today.ts';

const order = (over: Partial<ChargeOrder> = {}): ChargeOrder => ({
  ...{ reference: `7-${randomUUID()}`, saleId: 7, description: 'CELULAR', installments: 1 },
  ...{ net: cents(2_990), iof: cents(221), amount: cents(3_211) },
  payer: { ...terms().insured, taxId: '52998224725' as TaxId },
  dueOn: inDays(3),
  until: `${inDays(6)}T03:00:00.000Z` as Instant,
  orderedFrom: '192.0.2.1',
  ...over,
});

const reports = (answer: ChargeAnswer): readonly PaymentReport[] => {
  if (!hasReports(answer)) throw new Error(`no answer: ${answer}`);
  return answer;
};

overEach('a payment gateway', GATEWAYS, (tested) => {
  const charge = async (given: ChargeOrder) => reports(await tested().payments.charge(given));
  const find = async ({ reference }: ChargeOrder) =>
    reports(await tested().payments.find(reference));

  it('charges a card at once, and finds the charge by its reference', async () => {
    const given = order({ method: 'credit', card: cardOf() });
    const [approved, ...others] = await charge(given);
    expect(others).to.deep.equal([]);
    expect(approved).to.include({
      status: 'approved',
      amount: 3_211,
      collectedBy: 'service',
      method: 'credit',
    });
    expect(await find(given)).to.deep.equal([approved]);
  });

  it('charges a card whose holder has no more than the gateway says that it needs', async () => {
    const { cardNeeds } = tested().payments;
    const holder = {
      ...(cardNeeds?.address && { address: HOME }),
      ...(cardNeeds?.brazilianPhone && { phone: '(11) 3333-4444' as Phone }),
    };
    const given = order({ method: 'credit', card: cardOf(undefined, holder) });
    expect((await charge(given))[0]).to.include({ status: 'approved' });
  });

  it('charges a card in installments as one charge of the exact total', async () => {
    const given = order({
      method: 'credit',
      card: cardOf(),
      installments: 3,
      amount: cents(10_000),
    });
    const [approved, ...others] = await charge(given);
    expect(others).to.deep.equal([]);
    expect(approved).to.include({ status: 'approved', amount: 10_000 });
    expect(await find(given)).to.deep.equal([approved]);
  });

  it('declines a card without taking money', async () => {
    const given = order({ method: 'credit', card: cardOf(tested().declined) });
    expect((await charge(given))[0]).to.include({ status: 'declined', amount: 3_211 });
    expect((await find(given)).filter(({ status }) => status === 'approved')).to.deep.equal([]);
  });

  describe('authorises a card', () => {
    const authorize = async (number?: string) => {
      const given = order({ method: 'credit', card: cardOf(number), isCapturedLater: true });
      const [held] = await charge(given);
      expect(held).to.include({ status: 'unknown', isAuthorized: true, amount: 3_211 });
      return { ...given, chargeId: held?.chargeId ?? '' };
    };
    const capture = async ({ reference, chargeId }: { reference: string; chargeId: string }) =>
      reports(await tested().payments.capture(reference, chargeId));
    const taken = ({ status }: PaymentReport) => status === 'approved';

    it('takes the money once, however often it is captured', async () => {
      const given = await authorize();
      expect(await find(given)).to.have.length(1);
      const [approved, ...others] = await capture(given);
      expect(approved).to.include({ status: 'approved', amount: 3_211, chargeId: given.chargeId });
      expect(others).to.deep.equal([]);
      expect(await capture(given)).to.deep.equal([approved]);
      expect(await find(given)).to.deep.equal([approved]);
    });

    it('takes nothing of a released card', async () => {
      const given = await authorize();
      const released = reports(await tested().payments.withdraw(given.reference, given.chargeId));
      expect(released[0]).to.include({ status: 'expired', chargeId: given.chargeId });
      expect((await capture(given)).filter(taken)).to.deep.equal([]);
      expect((await find(given)).filter(taken)).to.deep.equal([]);
    });

    it('takes nothing and releases the card if the bank declines the capture', async () => {
      const given = await authorize(tested().declineCapture());
      expect((await capture(given))[0]).to.include({ status: 'declined', amount: 3_211 });
      const [left] = await find(given);
      expect(left?.status).to.be.oneOf(['declined', 'expired']);
    });
  });

  for (const method of [undefined, 'boleto'] as const) {
    it(`returns an address where the payer pays by ${method ?? 'any method'}, and reports the payment`, async () => {
      const given = order({ method });
      const [awaited] = await charge(given);
      if (awaited?.status !== 'awaited') throw new Error(`not awaited: ${awaited?.status}`);
      expect(awaited.url).to.match(/^https:\/\//);
      const until = businessDay(awaited.until as Instant);
      expect(until >= inDays(2), until).to.equal(true);
      expect(until <= addDays(lastDayOfBoleto(given.dueOn), 1), until).to.equal(true);
      expect(await find(given)).to.deep.equal([awaited]);
      await tested().pay(awaited.chargeId);
      expect((await find(given))[0]).to.include({ status: 'approved', chargeId: awaited.chargeId });
    });
  }

  it('makes one charge of an order with a way back', async () => {
    const given = order({ returnUrl: 'https://loja.example/fim' });
    const awaited = await charge(given);
    expect(awaited.map(({ status }) => status)).to.deep.equal(['awaited']);
    expect(await find(given)).to.deep.equal(awaited);
  });

  it('takes no payment for a withdrawn charge, and does not withdraw a paid one', async () => {
    const [one, other] = [order(), order()];
    const [[open], [paid]] = [await charge(one), await charge(other)];
    const withdrawn = await tested().payments.withdraw(one.reference, open?.chargeId ?? '');
    expect(reports(withdrawn)[0]).to.include({ status: 'expired', chargeId: open?.chargeId });
    await tested().pay(open?.chargeId ?? '');
    expect(reports(await tested().payments.find(one.reference, open?.chargeId))[0]).to.include({
      status: 'expired',
    });
    await tested().pay(paid?.chargeId ?? '');
    expect(
      reports(await tested().payments.withdraw(other.reference, paid?.chargeId ?? ''))[0],
    ).to.include({
      status: 'approved',
    });
  });

  it('reports what the payer paid, also if it is not what was asked for', async () => {
    for (const amount of [3_000, 3_500]) {
      const given = order();
      const [{ chargeId = '' } = {}] = await charge(given);
      await tested().pay(chargeId, { amount: cents(amount) });
      expect((await find(given))[0]).to.include({ status: 'approved', amount });
    }
  });

  for (const isNamed of [true, false])
    it(`returns a boleto when the payer has named an account: ${isNamed ? 'named' : 'not'}`, async () => {
      const given = order({ method: 'boleto' });
      const [{ chargeId = '' } = {}] = await charge(given);
      await tested().pay(chargeId, { method: 'boleto' });
      const { reference, amount: upTo } = given;
      const refund = () => tested().payments.refund({ reference, chargeId, upTo });
      const [, waiting] = reports(await refund());
      if (tested().nameAccount === undefined) {
        expect(waiting).to.include({ status: 'returned', returned: upTo });
        return;
      }
      expect(waiting).to.include({ status: 'returned', returned: 0, ordered: upTo });
      const { waitsFor } = waiting as ReturnReport;
      expect(waitsFor).to.include({ actor: 'insured' });
      expect(waitsFor?.url).to.match(/^https:/);
      expect(reports(await refund())).to.have.length(2);
      await tested().nameAccount?.(chargeId, isNamed);
      const [, returned] = await find(given);
      if (isNamed)
        expect(returned).to.include({ returned: upTo }).and.not.have.property('waitsFor');
      else expect(returned).to.equal(undefined);
    });

  it('shows a refund no more that the bank took back, and makes it again', async () => {
    const given = order({ method: 'credit', card: cardOf(tested().failing) });
    const [{ chargeId = '' } = {}] = await charge(given);
    const { reference, amount: upTo } = given;
    await tested().payments.refund({ reference, chargeId, upTo });
    await tested().undoRefund(chargeId);
    expect(await find(given)).to.have.length(1);
    await tested().payments.refund({ reference, chargeId, upTo });
    expect((await find(given))[1]).to.include({ returned: upTo });
  });

  for (const installments of [1, 3]) {
    it(`refunds a charge in parts up to its amount (installments: ${installments})`, async () => {
      const given = order({
        method: 'credit',
        card: cardOf(),
        installments,
        amount: cents(10_000),
      });
      const [{ chargeId = '' } = {}] = await charge(given);
      const refund = (upTo: number) =>
        tested().payments.refund({ reference: given.reference, chargeId, upTo: cents(upTo) });
      const returned = async () =>
        (await find(given)).flatMap((each) => (each.status === 'returned' ? [each.returned] : []));
      await refund(4_000);
      expect(await returned()).to.deep.equal([4_000]);
      await refund(10_000);
      expect(await returned()).to.deep.equal([10_000]);
      await refund(10_000);
      expect(await returned()).to.deep.equal([10_000]);
    });
  }

  for (const [stage, due] of [
    ['won', 1_000],
    ['lost', 3_211],
  ] as const) {
    it(`returns nothing of a charge in dispute; when it is ${stage}, what is due once`, async () => {
      const { payments, dispute, disputed } = tested();
      const given = order({ method: 'credit', card: cardOf(disputed) });
      const [{ chargeId = '' } = {}] = await charge(given);
      await dispute(chargeId, 'opened');
      const refund = () =>
        payments.refund({ reference: given.reference, chargeId, upTo: cents(1_000) });
      for (const reported of [await find(given), reports(await refund()), await find(given)]) {
        expect(reported).to.have.length(1);
        expect(reported[0]).to.deep.include({
          status: 'approved',
          dispute: { status: 'opened', amount: 3_211, respondBy: inDays(10) },
        });
      }
      await dispute(chargeId, stage);
      await refund();
      const [approved, returned] = await find(given);
      expect(approved).to.deep.nested.include({ 'dispute.status': stage });
      expect(returned).to.include({ status: 'returned', returned: due });
    });
  }

  it('makes a new charge at each request, because the reference is no idempotency key', async () => {
    const given = order();
    await charge(given);
    await charge(given);
    expect(await find(given)).to.have.length(2);
  });

  describe('in its list', () => {
    const listed = (from = inDays(0), to = inDays(0)) =>
      Array.fromAsync(tested().payments.listCharges({ from, to }));

    it('has each charge of the day once, as it stands, with its reference', async () => {
      const [open, paid, parts] = [
        order({ method: 'boleto' }),
        order({ method: 'boleto' }),
        order({ method: 'credit', card: cardOf(), installments: 3, amount: cents(10_000) }),
      ];
      const [awaited] = await charge(open);
      const [toPay] = await charge(paid);
      await tested().pay(toPay?.chargeId ?? '');
      const [approved] = await charge(parts);
      const [{ chargeId = '' } = {}] = await charge(paid);
      const found = await listed();
      const of = (given: ChargeOrder) =>
        found.filter(({ reference }) => reference === given.reference);
      expect(of(open)).to.deep.equal([
        {
          chargeId: awaited?.chargeId,
          reference: open.reference,
          createdOn: inDays(0),
          reports: [awaited],
        },
      ]);
      expect(of(parts).flatMap((each) => each.reports)).to.deep.equal([approved]);
      const statuses = of(paid).map((each) => [each.chargeId, each.reports[0]?.status]);
      expect(statuses).to.have.deep.members([
        [toPay?.chargeId, 'approved'],
        [chargeId, 'awaited'],
      ]);
    });

    it('shows what was refunded', async () => {
      const given = order({ method: 'credit', card: cardOf() });
      const [{ chargeId = '' } = {}] = await charge(given);
      const { payments } = tested();
      await payments.refund({ reference: given.reference, chargeId, upTo: cents(1_000) });
      const found = (await listed()).find((each) => each.chargeId === chargeId);
      expect(found?.reports.map(({ status }) => status)).to.deep.equal(['approved', 'returned']);
      expect(found?.reports).to.deep.equal(await find(given));
    });

    it('has only the charges of its days, and all of them over several pages', async () => {
      const given = order({ method: 'boleto' });
      for (let count = 0; count < 205; count += 1) await charge(given);
      const own = async (...days: Parameters<typeof listed>) =>
        (await listed(...days)).filter(({ reference }) => reference === given.reference);
      expect(new Set((await own()).map((each) => each.chargeId)).size).to.equal(205);
      expect(await own(inDays(-2), inDays(-1))).to.deep.equal([]);
      expect(await own(inDays(-2), inDays(1))).to.have.length(205);
    });
  });

  it('finds nothing for an unknown reference, and traces a charge to its reference', async () => {
    const given = order();
    const [{ chargeId = '' } = {}] = await charge(given);
    expect(await find(order())).to.deep.equal([]);
    expect(await tested().payments.trace(chargeId)).to.equal(given.reference);
    expect(await tested().payments.trace('7-nobody-1')).to.equal(undefined);
  });
});
