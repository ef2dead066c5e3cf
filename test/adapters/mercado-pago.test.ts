import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { cents, type Instant, type PaymentReport, type TaxId } from '#domain';
import type { MercadoPagoGateway } from '../../adapters/payment/mercado-pago/mercado-pago-gateway.ts';
import { MercadoPagoNotices } from '../../adapters/payment/mercado-pago/mercado-pago-notices.ts';
import {
  isPayment,
  type MercadoPagoPayment,
  reportPayment,
} from '../../adapters/payment/mercado-pago/mercado-pago-payments.ts';
import { type ChargeOrder, hasReports } from '../../application/payments/payments.ts';
import { GatewayUnavailable } from '../../application/unavailable.ts';
import { MercadoPagoDouble } from '../doubles/mercado-pago.ts';
import { mercadoPagoOn } from '../support/providers.ts';
import { terms } from '../support/sales.ts';
import { cardOf } from '../support/selling.ts';
import { inDays } from '../support/today.ts';

const order = (over: Partial<ChargeOrder> = {}): ChargeOrder => ({
  ...{ reference: `7-${randomUUID()}`, saleId: 7, description: 'CELULAR', installments: 1 },
  ...{ net: cents(2_990), iof: cents(221), amount: cents(3_211) },
  payer: { ...terms().insured, taxId: '52998224725' as TaxId },
  dueOn: inDays(3),
  until: `${inDays(6)}T03:00:00.000Z` as Instant,
  ...over,
});

describe('Mercado Pago', () => {
  let double: MercadoPagoDouble;
  let payments: MercadoPagoGateway;
  beforeEach(async () => {
    ({ double, payments } = await mercadoPagoOn());
  });
  afterEach(() => {
    double.stop();
    expect(double.faults).to.deep.equal([]);
  });

  const charge = (given: ChargeOrder) => payments.charge(given);
  const find = async ({ reference }: ChargeOrder, chargeId?: string) => {
    const found = await payments.find(reference, chargeId);
    return hasReports(found) ? found : [];
  };
  const byCard = (number?: string) => order({ method: 'credit', card: cardOf(number) });
  const idOf = (reports: unknown): string =>
    (reports as readonly PaymentReport[])[0]?.chargeId ?? '';
  const statuses = (reports: readonly PaymentReport[]) => reports.map(({ status }) => status);

  for (const habit of ['cut-after', '500-after', '502-after', 'cut-before'] as const)
    it(`charges once where its answer is lost (${habit}): the key of the order is the same`, async () => {
      double.set({ habits: [habit] });
      const given = byCard();
      expect(await charge(given)).to.have.deep.nested.property('[0].status', 'approved');
      expect(double.payments).to.have.length(1);
      expect(await find(given)).to.have.length(1);
    });

  for (const again of ['500-after', '429', '409'] as const)
    it(`does not know whether a card was charged where the second try says nothing of the first (${again})`, async () => {
      double.set({ habits: ['cut-after', again] });
      expect(await charge(byCard())).to.equal('unknown');
      expect(double.payments).to.have.length(1);
    });

  it('releases no card because it limits requests when it is captured', async () => {
    const given = { ...byCard(), isCapturedLater: true } as const;
    const chargeId = idOf(await charge(given));
    double.set({ captures: 'limited' });
    expect(await payments.capture(given.reference, chargeId)).to.equal('unreached');
    expect(double.payments[0]?.status).to.equal('authorized');
  });

  it('is not reached where it limits requests or refuses the token, and orders nothing', async () => {
    double.set({ habits: ['429', '429'] });
    expect(await charge(byCard())).to.equal('unreached');
    expect(await charge(order())).to.equal('unreached');
    double.set({ habits: [], down: true });
    expect(await charge(byCard())).to.equal('unreached');
    expect(await payments.find('7-x')).to.equal('unknown');
    expect(await payments.trace('7')).to.equal('unknown');
    const listing = payments.listCharges({ from: inDays(0), to: inDays(0) });
    const failed = listing[Symbol.asyncIterator]().next();
    expect(await failed.catch((error: unknown) => error)).to.be.instanceOf(GatewayUnavailable);
    expect([double.payments, double.preferences]).to.deep.equal([[], []]);
  });

  it('gets the number of a card for its token alone', async () => {
    await charge(byCard());
    const withNumber = double.asked.filter(({ body }) =>
      JSON.stringify(body ?? '').includes('4111111111111111'),
    );
    expect(withNumber.map(({ path }) => path)).to.deep.equal(['/v1/card_tokens']);
    const [ordered] = double.asked.filter(({ path }) => path === '/v1/payments');
    expect(ordered?.body).to.include({ payment_method_id: 'visa', binary_mode: true });
    expect(ordered?.body).not.to.have.property('date_of_expiration');
  });

  it('refuses an order that it cannot take, before and after the token', async () => {
    const broken = {
      ...cardOf(),
      brand: 'visa',
      reveal: () => ({ ...cardOf().reveal(), number: '1' }),
    };
    const refused = [{ status: 'declined', amount: 3_211, reason: 'gateway_refused' }];
    expect(await charge(order({ method: 'credit', card: broken as never }))).to.deep.equal(refused);
    const { address: _, ...payer } = order().payer;
    expect(await charge(order({ method: 'boleto', payer }))).to.deep.equal(refused);
    expect(double.payments).to.deep.equal([]);
  });

  it('says that the card has no funds', async () => {
    expect(await charge(byCard('4000000000009995'))).to.deep.include.members([
      {
        ...{ status: 'declined', amount: 3_211, reason: 'insufficient_funds' },
        chargeId: String(double.payments[0]?.id),
      },
    ]);
  });

  describe('on its page', () => {
    it('makes one page where the answer was lost, which is found by its reference', async () => {
      double.set({ habits: ['cut-after'] });
      const given = order();
      expect(await charge(given)).to.equal('unknown');
      expect(statuses(await find(given))).to.deep.equal(['awaited']);
      expect(double.preferences).to.have.length(1);
    });

    it('waits on while a try is declined, and is seen while one is examined', async () => {
      const given = order();
      const chargeId = idOf(await charge(given));
      Object.assign(double.begin(chargeId), { status: 'rejected' });
      expect(statuses(await find(given, chargeId))).to.deep.equal(['awaited']);
      Object.assign(double.begin(chargeId, 'credit_card'), { status: 'in_process' });
      expect(statuses(await find(given, chargeId))).to.deep.equal(['unknown']);
    });

    it('counts the first payment, and shows each further one as a surplus of its own', async () => {
      const given = order();
      const chargeId = idOf(await charge(given));
      const [first, second] = [double.pay(chargeId), double.pay(chargeId, 'ticket')];
      expect(await find(given, chargeId)).to.deep.include.members([
        {
          ...{ status: 'approved', chargeId, amount: 3_211, collectedBy: 'service' },
          ...{ method: 'pix', paidOn: inDays(0) },
        },
        {
          ...{ status: 'approved', chargeId: String(second?.id), amount: 3_211 },
          ...{ collectedBy: 'service', method: 'boleto', paidOn: inDays(0) },
        },
      ]);
      const refunded = await payments.refund({
        ...{ reference: given.reference, chargeId, upTo: cents(3_211) },
      });
      expect(refunded).to.deep.include.members([
        { status: 'returned', chargeId, amount: 3_211, returned: 3_211 },
      ]);
      expect(first?.status).to.equal('refunded');
      expect(second?.status).to.equal('approved');
      expect(await payments.trace(String(second?.id))).to.equal(given.reference);
    });

    it('keeps its own charge while a surplus is refunded', async () => {
      const given = order();
      const chargeId = idOf(await charge(given));
      double.pay(chargeId);
      const second = double.pay(chargeId, 'ticket');
      const surplus = String(second?.id);
      const refunded = await payments.refund({
        ...{ reference: given.reference, chargeId: surplus, upTo: cents(3_211) },
      });
      const ids = hasReports(refunded) ? refunded.map((each) => each.chargeId) : [];
      expect(ids).to.deep.equal([chargeId, surplus, surplus]);
    });

    it('shows its payment by its number while search does not have it', async () => {
      const given = order();
      const chargeId = idOf(await charge(given));
      double.pay(chargeId);
      double.set({ isSearchLate: true });
      const withdrawn = await payments.withdraw(given.reference, chargeId);
      expect(hasReports(withdrawn) && statuses(withdrawn)).to.deep.equal(['approved']);
    });

    it('closes when it is paid, and cancels the boleto that was made there', async () => {
      const given = order();
      const chargeId = idOf(await charge(given));
      const boleto = double.begin(chargeId);
      double.pay(chargeId);
      expect(statuses(await find(given, chargeId))).to.deep.equal(['approved']);
      expect(boleto.status).to.equal('cancelled');
      expect(double.pay(chargeId)).to.equal(undefined);
      const changes = () => double.asked.filter(({ method }) => method === 'PUT').length;
      const before = changes();
      await find(given, chargeId);
      expect(changes()).to.equal(before);
    });

    it('cancels the boleto that was made there when it is closed, and shows one that is left', async () => {
      const given = order();
      const chargeId = idOf(await charge(given));
      const boleto = double.begin(chargeId);
      boleto.more['date_of_expiration'] = `${inDays(2)}T22:59:59.000-04:00`;
      const page = double.preferences[0];
      Object.assign(page ?? {}, { expiration_date_to: new Date(Date.now() - 1_000).toISOString() });
      expect(statuses(await find(given, chargeId))).to.deep.equal(['awaited']);
      const withdrawn = await payments.withdraw(given.reference, chargeId);
      expect(withdrawn).to.deep.equal([{ status: 'expired', chargeId, amount: 3_211 }]);
      expect(boleto.status).to.equal('cancelled');
    });

    it('offers no boleto on the last day of a price', async () => {
      const end = { on: inDays(3), at: `${inDays(4)}T02:59:59.000Z` as Instant };
      await charge(order({ priceEnd: end }));
      await charge(order());
      expect(double.preferences.map((each) => each['payment_methods'])).to.deep.equal([
        { installments: 1, excluded_payment_types: [{ id: 'ticket' }] },
        { installments: 1 },
      ]);
    });
  });

  describe('refunds', () => {
    const paidByPix = async () => {
      const given = order();
      const chargeId = idOf(await charge(given));
      const paid = double.pay(chargeId);
      const refund = () =>
        payments.refund({ reference: given.reference, chargeId, upTo: cents(3_211) });
      return { given, chargeId, refund, paid };
    };

    it('order a Pix once that waits for the central bank, and count it as returned when it left', async () => {
      double.set({ refunds: 'pending' });
      const { given, chargeId, refund, paid } = await paidByPix();
      for (let time = 0; time < 2; time += 1)
        expect(await refund()).to.deep.include.members([
          { status: 'returned', chargeId, amount: 3_211, returned: 0, ordered: 3_211 },
        ]);
      expect(paid?.refunds).to.have.length(1);
      double.endRefunds(String(paid?.id), 'approved');
      expect((await find(given, chargeId))[1]).to.deep.include({ returned: 3_211 });
    });

    for (const habit of ['cut-after', '500-after'] as const)
      it(`are made once where the answer is lost (${habit})`, async () => {
        const { refund, paid } = await paidByPix();
        double.set({ habits: [habit] });
        expect(await refund()).to.deep.nested.property('[1].returned', 3_211);
        expect(paid?.refunds).to.have.length(1);
      });

    it('are not refused because an order is being carried out', async () => {
      const { refund, paid } = await paidByPix();
      double.set({ habits: ['409'] });
      expect(await refund()).to.equal('unknown');
      expect(paid?.refunds).to.deep.equal([]);
    });

    it('say why Mercado Pago makes none', async () => {
      double.set({ refunds: 'no_money' });
      const { chargeId, refund } = await paidByPix();
      expect(await refund()).to.deep.include.members([
        {
          ...{ status: 'refund_refused', chargeId, amount: 3_211 },
          words: "2031: Collector hasn't enough available money",
        },
      ]);
    });
  });

  it('finds a charge by its number that search does not have yet', async () => {
    const given = byCard();
    const chargeId = idOf(await charge(given));
    double.set({ isSearchLate: true });
    expect(await find(given)).to.deep.equal([]);
    expect(statuses(await find(given, chargeId))).to.deep.equal(['approved']);
    expect(await find(order(), chargeId)).to.deep.equal([]);
  });

  it('is no answer while one of its payments cannot be read', async () => {
    const given = byCard();
    const chargeId = idOf(await charge(given));
    Object.assign(double.payments[0] ?? {}, { transaction_amount: 32.115 });
    expect(await payments.find(given.reference, chargeId)).to.equal('unknown');
    const [listed] = await Array.fromAsync(
      payments.listCharges({ from: inDays(0), to: inDays(0) }),
    );
    expect(listed).to.deep.include({ chargeId, reference: given.reference, reports: [] });
  });
});

describe('a payment of Mercado Pago', () => {
  const paid = (over: object): MercadoPagoPayment => ({
    ...{ id: 145_377_190_682, status: 'approved', transaction_amount: 32.11 },
    ...{ date_created: '2026-02-08T23:38:17.000-04:00', payment_type_id: 'credit_card' },
    ...{ date_approved: '2026-02-08T23:38:19.000-04:00' },
    ...over,
  });
  const shown = (status: string, detail: string, over: object = {}) =>
    reportPayment(paid({ status, status_detail: detail, ...over })).map((report) => {
      const { status: word } = report;
      if (word === 'approved') return report.dispute ? `approved, ${report.dispute.status}` : word;
      if (word === 'returned') return `returned ${report.returned}`;
      if (word === 'declined') return `${word} ${report.reason}`;
      return word === 'unknown' && report.isAuthorized ? 'authorized' : word;
    });

  it('is reported by its status and detail', () => {
    expect(shown('approved', 'accredited')).to.deep.equal(['approved']);
    const part = { transaction_amount_refunded: 0, refunds: [{ status: 'approved', amount: 2 }] };
    expect(shown('approved', 'partially_refunded', part)).to.deep.equal([
      'approved',
      'returned 200',
    ]);
    expect(shown('refunded', 'by_admin')).to.deep.equal(['approved', 'returned 3211']);
    expect(shown('authorized', 'pending_capture')).to.deep.equal(['authorized']);
    expect(shown('in_process', 'pending_review_manual')).to.deep.equal(['unknown']);
    expect(shown('pending', 'pending_contingency')).to.deep.equal(['unknown']);
    expect(shown('in_mediation', 'pending')).to.deep.equal(['approved, opened']);
    expect(shown('charged_back', 'in_process')).to.deep.equal(['approved, opened']);
    expect(shown('charged_back', 'reimbursed')).to.deep.equal(['approved, won']);
    expect(shown('charged_back', 'settled')).to.deep.equal(['approved, lost', 'returned 3211']);
    expect(shown('cancelled', 'expired')).to.deep.equal(['expired']);
    expect(shown('rejected', 'cc_rejected_high_risk')).to.deep.equal(['declined declined']);
    expect(shown('rejected', 'cc_rejected_insufficient_amount')).to.deep.equal([
      'declined insufficient_funds',
    ]);
    expect(shown('a_new_status', 'of_tomorrow')).to.deep.equal(['unknown']);
  });

  it('is paid on its day in Brazil, though its times are those of UTC-4', () => {
    expect(reportPayment(paid({}))[0]).to.include({ paidOn: '2026-02-09', method: 'credit' });
    expect(reportPayment(paid({ date_approved: null, payment_type_id: 'account_money' }))[0])
      .to.include({ paidOn: '2026-02-09' })
      .and.not.have.property('method');
  });

  it('waits for a Pix until its end, and for a boleto until its bank has reported it', () => {
    const waiting = { status: 'pending', date_approved: null };
    const ticket_url = 'https://www.mercadopago.com.br/payments/1/ticket';
    const pix = paid({
      ...{ ...waiting, payment_type_id: 'bank_transfer' },
      date_of_expiration: '2026-02-13T22:59:59.000-04:00',
      point_of_interaction: { transaction_data: { ticket_url } },
    });
    expect(reportPayment(pix)[0]).to.include({
      url: ticket_url,
      until: '2026-02-14T03:00:00.000Z',
    });
    // A Friday; banks are closed until Ash Wednesday.
    const boleto = { ...pix, payment_type_id: 'ticket' };
    expect(reportPayment(boleto)[0]).to.include({ until: '2026-02-19T03:00:00.000Z' });
  });

  it('is read as a whole or not at all', () => {
    expect(isPayment(paid({}))).to.equal(true);
    for (const wrong of [
      { id: '145377190682' },
      { transaction_amount: '32.11' },
      { transaction_amount: 0 },
      { refunds: [{ amount: 0.005 }] },
      { date_created: 'yesterday' },
    ])
      expect(isPayment(paid(wrong)), JSON.stringify(wrong)).to.equal(false);
  });
});

describe('a notice of Mercado Pago', () => {
  const double = new MercadoPagoDouble();
  const reader = new MercadoPagoNotices(double.secret);
  const read = (
    { body, headers }: ReturnType<MercadoPagoDouble['notice']>,
    over: Record<string, string | undefined> = {},
  ) => reader.read({ ...headers, ...over }, body);

  it('names its payment, and comes again under another id', () => {
    const [one, again] = [double.notice(145_377_190_682), double.notice(145_377_190_682)];
    expect(read(one)).to.deep.equal({
      ...{ id: one.headers['x-request-id'], event: 'payment.updated', chargeId: '145377190682' },
    });
    expect(read(again)).not.to.deep.equal(read(one));
    expect(reader.isOfInterest('payment.created')).to.equal(true);
  });

  it('is forged without the right signature', () => {
    const notice = double.notice(1);
    for (const signature of [undefined, '', 'ts=1', 'v1=00', 'ts=1,v1=zz', 'ts=1,v1=00'])
      expect(read(notice, { 'x-signature': signature }), signature).to.equal('forged');
    expect(read(notice, { 'x-request-id': 'another' })).to.equal('forged');
    expect(read({ ...notice, body: notice.body.replace('"id":"1"', '"id":"2"') })).to.equal(
      'forged',
    );
    expect(read({ ...notice, body: 'no JSON' })).to.equal('forged');
    expect(read({ ...notice, body: 'null' })).to.equal('forged');
    expect(new MercadoPagoNotices('other').read(notice.headers, notice.body)).to.equal('forged');
  });

  it('is of no interest for other topics, and kept unread without its action', () => {
    const notice = double.notice(9);
    const chargeback = notice.body.replace('"type":"payment"', '"type":"topic_chargebacks_wh"');
    const other = read({ ...notice, body: chargeback });
    expect(other).to.deep.include({ event: 'topic_chargebacks_wh payment.updated' });
    expect(other).not.to.have.property('chargeId');
    expect(reader.isOfInterest('topic_chargebacks_wh payment.updated')).to.equal(false);
    expect(read({ ...notice, body: notice.body.replace('"action"', '"deed"') })).to.equal(
      'unreadable',
    );
  });
});
