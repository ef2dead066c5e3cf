import { expect } from 'chai';
import {
  asRegistered,
  awaitPayment,
  cancelSale,
  cents,
  createSale,
  dateRefusals,
  expireSale,
  isCancellable,
  isRefusal,
  issueSale,
  numbered,
  type Product,
  paySale,
  previewCancellation,
  refuse,
  refuseSale,
  saleTerms,
  unwrap,
} from '#domain';
import { DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';
import {
  APPROVED,
  AT,
  AWAITED,
  AWAITING,
  cancelledOn,
  day,
  dueOf,
  ISSUED,
  LATER,
  PAID,
  POLICY,
  paidSale,
  pendingSale,
  salesInEveryState,
  stateOf,
  TOTAL,
  terms,
  withoutDays,
} from '../support/sales.ts';

/** Without the days from which refunds are ordered. */
const cancel = (...given: Parameters<typeof cancelSale>) => withoutDays(cancelSale(...given));

const moved = (from: string, to: string) => ({ kind: 'moved', from, to });
const [awaiting, paid, issued] = [AWAITING, PAID, ISSUED];

describe('a new sale', () => {
  it('is paid if the channel collected the payment', () => {
    expect(createSale('T-1', AT, terms())).to.deep.equal({
      ticket: 'T-1',
      registeredAt: AT,
      terms: terms(),
      status: 'paid',
      bookedAt: AT,
      payment: {
        status: 'approved',
        amount: TOTAL,
        collectedBy: 'channel',
        method: 'pix',
        paidOn: '2026-11-20',
      },
      receipts: [{ amount: TOTAL, returned: 0 }],
    });
  });

  it('is pending if the service collects the payment', () => {
    const ofService = terms({ payment: { collectedBy: 'service', installments: 3 } });
    expect(createSale('T-1', AT, ofService)).to.deep.equal({
      ticket: 'T-1',
      registeredAt: AT,
      terms: ofService,
      status: 'pending',
      payment: { status: 'requested', amount: TOTAL },
      receipts: [],
    });
  });

  it('gets its number and version 1 from the store', () => {
    const sale = createSale('T-1', AT, terms());
    expect(numbered(sale, 7)).to.deep.equal({ ...sale, id: 7, version: 1 });
  });

  it('can be restored from every later state of the sale', () => {
    for (const sale of salesInEveryState()) {
      const born = sale.terms.payment.collectedBy === 'channel' ? paidSale() : pendingSale();
      expect(asRegistered({ ...sale, version: 5 })).to.deep.equal(born);
    }
  });
});

describe('a sale', () => {
  it('moves from pending to awaiting payment, paid and issued, with the same terms', () => {
    expect(awaitPayment(pendingSale(), AWAITED)).to.deep.equal({
      state: { ...pendingSale(), status: 'awaiting_payment', payment: AWAITED },
      events: [moved('pending', 'awaiting_payment')],
    });
    const receipts = [{ chargeId: 'ch-1', amount: TOTAL, returned: 0 }];
    expect(paySale(awaiting, APPROVED, LATER)).to.deep.equal({
      state: { ...awaiting, status: 'paid', bookedAt: LATER, payment: APPROVED, receipts },
      events: [moved('awaiting_payment', 'paid')],
    });
    expect(issueSale(paid, POLICY)).to.deep.equal({
      state: { ...paid, status: 'issued', policy: POLICY },
      events: [moved('paid', 'issued')],
    });
    expect(awaiting.status).to.equal('awaiting_payment');
  });

  it('moves from pending to paid if a card was charged', () => {
    expect(paySale(pendingSale(), APPROVED, AT)).to.deep.include({
      events: [moved('pending', 'paid')],
    });
  });

  it('refuses a payment of another amount', () => {
    const wrong = cents(TOTAL - 1);
    const refusal = refuse('payment_amount_differs', TOTAL);
    expect(awaitPayment(pendingSale(), { ...AWAITED, amount: wrong })).to.deep.equal(refusal);
    expect(paySale(awaiting, { ...APPROVED, amount: wrong }, AT)).to.deep.equal(refusal);
  });

  it('refuses a fully returned payment, and keeps the amount of a partial return', () => {
    const having = (returned: number) => ({
      ...awaiting,
      receipts: [{ chargeId: 'ch-1', amount: TOTAL, returned: cents(returned) }],
    });
    const [gone, partly] = [having(TOTAL), having(5_000)];
    expect(paySale(gone, APPROVED, AT)).to.deep.equal(refuse('payment_returned'));
    expect(stateOf(paySale(partly, APPROVED, AT)).receipts).to.deep.equal(partly.receipts);
  });

  it('reports the refund due for another charge when it is paid or ends', () => {
    const receipts = [{ chargeId: 'ch-2', amount: TOTAL, returned: cents(1) }];
    const unpaid = { ...awaiting, receipts };
    const due = { kind: 'refund_due', chargeId: 'ch-2', amount: TOTAL - 1, upTo: TOTAL };
    expect(dueOf(unpaid)).to.deep.equal([]);
    const ends = [
      paySale(unpaid, APPROVED, AT),
      expireSale(unpaid, { closedAt: LATER }),
      refuseSale(unpaid, { reason: 'declined', closedAt: LATER }),
      cancel(unpaid, { on: day('2026-11-21'), at: LATER }),
    ];
    for (const end of ends) expect('events' in end && end.events[1]).to.include(due);
  });

  it('can be refused or expire while it is unpaid', () => {
    expect(refuseSale(pendingSale(), { reason: 'expired_card', closedAt: LATER })).to.deep.equal({
      state: { ...pendingSale(), status: 'refused', reason: 'expired_card', closedAt: LATER },
      events: [moved('pending', 'refused')],
    });
    const lapsed = { status: 'expired', amount: TOTAL, chargeId: 'ch-1' } as const;
    expect(expireSale(awaiting, { closedAt: LATER, payment: lapsed })).to.deep.equal({
      state: { ...awaiting, status: 'expired', closedAt: LATER, payment: lapsed },
      events: [moved('awaiting_payment', 'expired')],
    });
    expect(stateOf(expireSale(awaiting, { closedAt: LATER })).payment).to.equal(AWAITED);
  });
});

describe('a cancellation', () => {
  const on = { on: day('2026-12-10'), at: LATER };

  it('has the figures of its preview, cancels the policy and reports the refund due', () => {
    const preview = previewCancellation(issued, on.on);
    if (isRefusal(preview)) throw new Error('refused');
    expect(preview).to.include({ reason: 'cancellation', usedDays: 21, totalDays: 42 });
    expect(preview.refund).to.deep.equal({ net: 9_430, iof: 0, total: 9_430 });
    expect(cancel(issued, on)).to.deep.equal({
      state: {
        ...issued,
        status: 'cancelled',
        policy: { ...POLICY, status: 'cancelled', cancelledOn: '2026-12-10' },
        cancelledAt: LATER,
        cancellation: preview,
      },
      events: [
        moved('issued', 'cancelled'),
        { kind: 'refund_due', chargeId: 'ch-1', amount: 9_430, upTo: 9_430 },
      ],
    });
  });

  it('counts the withdrawal period from a payment that came after the sale', () => {
    expect(previewCancellation(issued, day('2026-11-28'))).to.include({ reason: 'withdrawal' });
    expect(previewCancellation(issued, day('2026-11-29'))).to.include({ reason: 'cancellation' });
    expect(previewCancellation(paidSale(), day('2026-11-28'))).to.include({
      reason: 'cancellation',
    });
  });

  it('counts the days of the policy period if it differs from the sold period', () => {
    const period = { start: day('2026-12-01'), end: day('2026-12-20') };
    const other = stateOf(issueSale(paid, { ...POLICY, period }));
    expect(previewCancellation(other, day('2026-12-05'))).to.include({
      usedDays: 5,
      totalDays: 20,
    });
    expect(previewCancellation(other, day('2026-12-21'))).to.deep.equal(refuse('coverage_ended'));
  });

  it('by the insurer keeps premium and IOF of the used days only', () => {
    const short = {
      ...issued,
      terms: terms({ cancellation: { kind: 'short_period', iof: 'retained' } }),
    };
    const figures = previewCancellation(short, on.on, 'insurer');
    expect(figures).to.deep.include({
      reason: 'cancellation',
      by: 'insurer',
      refund: { net: 9_430, iof: 696, total: 10_126 },
    });
    expect(stateOf(cancel(short, on, 'insurer')).cancellation).to.deep.equal(figures);
    expect(previewCancellation(short, on.on)).to.deep.include({
      by: 'insured',
      refund: { net: 5_092, iof: 0, total: 5_092 },
    });
  });

  it('of a sale paid to the channel reports a refund due without a charge id', () => {
    const { state, events } = cancel(paidSale(), { on: day('2026-11-21'), at: LATER }) as Exclude<
      ReturnType<typeof cancelSale>,
      { refused: true }
    >;
    expect(events).to.deep.equal([
      moved('paid', 'cancelled'),
      { kind: 'refund_due', amount: TOTAL, upTo: TOTAL },
    ]);
    expect(state).not.to.have.property('policy');
    expect(state.cancellation.reason).to.equal('withdrawal');
  });

  it('of an unpaid sale refunds nothing', () => {
    for (const unpaid of [pendingSale(), awaiting]) {
      const outcome = cancel(unpaid, on);
      expect(outcome).to.deep.include({ events: [moved(unpaid.status, 'cancelled')] });
      expect(stateOf(outcome)).to.deep.include({ payment: unpaid.payment });
      expect(stateOf(outcome).cancellation).to.deep.equal(previewCancellation(unpaid, on.on));
      expect(stateOf(outcome).cancellation).to.include({ reason: 'not_paid' });
    }
  });

  it('leaves only the fields of a cancelled sale', () => {
    expect(stateOf(cancel(awaiting, on))).to.have.all.keys(
      'id ticket registeredAt version terms receipts payment status cancelledAt cancellation'.split(
        ' ',
      ),
    );
  });

  it('is refused after the coverage has ended and before the sale', () => {
    expect(cancel(issued, { ...on, on: day('2027-01-01') })).to.deep.equal(
      refuse('coverage_ended'),
    );
    for (const sale of [issued, paid, awaiting, paidSale()]) {
      expect(previewCancellation(sale, day('2026-11-19'))).to.deep.equal(
        refuse('cancelled_before_sale'),
      );
      expect(previewCancellation(sale, day('2026-11-20'))).not.to.have.property('refused');
    }
  });

  it('of a paid sale without a policy refunds everything on any day', () => {
    const { state, events } = cancel(paid, { on: day('2027-03-01'), at: LATER }) as Exclude<
      ReturnType<typeof cancelSale>,
      { refused: true }
    >;
    expect(state.cancellation).to.deep.include({
      reason: 'not_issued',
      refund: { net: 18_860, iof: 1_392, total: TOTAL },
    });
    expect(events).to.deep.equal([
      moved('paid', 'cancelled'),
      { kind: 'refund_due', chargeId: 'ch-1', amount: TOTAL, upTo: TOTAL },
    ]);
  });

  it('moves the sale to refunded if the refund was already made', () => {
    const twice = [...issued.receipts, { chargeId: 'ch-2', amount: TOTAL, returned: cents(0) }];
    const known = cancel({ ...issued, receipts: twice }, on);
    expect(known).to.deep.include({
      events: [
        moved('issued', 'cancelled'),
        { kind: 'refund_due', chargeId: 'ch-1', amount: 9_430, upTo: 9_430 },
      ],
    });
    for (const [returned, status] of [
      [9_429, 'cancelled'],
      [9_430, 'refunded'],
      [TOTAL - 1, 'refunded'],
    ] as const) {
      const receipts = [{ chargeId: 'ch-1', amount: TOTAL, returned: cents(returned) }];
      expect(stateOf(cancel({ ...issued, receipts }, on)).status).to.equal(status);
    }
    const otherDue = [
      { chargeId: 'ch-1', amount: TOTAL, returned: cents(9_430) },
      ...twice.slice(1),
    ];
    expect(stateOf(cancel({ ...issued, receipts: otherDue }, on)).status).to.equal('cancelled');
    const nothingDue = stateOf(cancel(issued, { ...on, on: day('2026-12-31') }));
    expect(nothingDue.status).to.equal('cancelled');
  });

  it('is possible only for pending, awaiting, paid and issued sales', () => {
    const open = salesInEveryState().filter(isCancellable);
    expect(new Set(open.map(({ status }) => status))).to.deep.equal(
      new Set(['pending', 'awaiting_payment', 'paid', 'issued']),
    );
    expect(
      salesInEveryState()
        .filter((sale) => !isCancellable(sale))
        .map(({ status }) => status),
    ).to.include.members(['refused', 'expired', 'cancelled', 'refunded']);
  });
});

describe('the outstanding refunds of a sale', () => {
  it('are empty before the sale ends, and for a sale that ended unpaid', () => {
    for (const sale of [pendingSale(), awaiting, paid, issued, paidSale()])
      expect(dueOf(sale)).to.deep.equal([]);
    expect(dueOf(stateOf(expireSale(awaiting, { closedAt: LATER })))).to.deep.equal([]);
    expect(dueOf(cancelledOn(awaiting, '2026-11-21'))).to.deep.equal([]);
  });

  it('are the amount that a cancellation must refund', () => {
    expect(dueOf(cancelledOn(issued, '2026-12-10'))).to.deep.equal([
      { chargeId: 'ch-1', amount: 9_430, upTo: 9_430 },
    ]);
    expect(dueOf(cancelledOn(paidSale(), '2026-11-21'))).to.deep.equal([
      { amount: TOTAL, upTo: TOTAL },
    ]);
    expect(dueOf(cancelledOn(issued, '2026-12-31'))).to.deep.equal([]);
  });

  it('are listed per charge', () => {
    const receipts = [...issued.receipts, { chargeId: 'ch-2', amount: TOTAL, returned: cents(2) }];
    expect(dueOf({ ...issued, receipts })).to.deep.equal([
      { chargeId: 'ch-2', amount: TOTAL - 2, upTo: TOTAL },
    ]);
    expect(dueOf(cancelledOn({ ...issued, receipts }, '2026-12-10'))).to.deep.equal([
      { chargeId: 'ch-1', amount: 9_430, upTo: 9_430 },
      { chargeId: 'ch-2', amount: TOTAL - 2, upTo: TOTAL },
    ]);
  });
});

describe('the terms of a sale', () => {
  it('contain only the catalogue data that the sale needs', () => {
    const [, , phone] = DEMO_PRODUCTS as [Product, Product, Product];
    const { quote, channelLink, clientId, insured, insuredObject, period, payment, soldOn } =
      terms();
    const sold = { channelLink, clientId, insured, insuredObject, period, payment, soldOn };
    const offer = {
      product: phone,
      plan: phone.plans[0],
      coverages: phone.coverages,
      commissions: [],
    };
    expect(saleTerms(offer, quote, sold)).to.deep.equal({
      ...sold,
      quote,
      product: { id: 3, code: 'CELULAR', line: 'mobile_phone', name: 'Seguro Celular' },
      plan: { id: 31, code: 'MENSAL' },
      coverages: [
        { id: 301, code: 'QUEBRA_TELA' },
        { id: 302, code: 'FURTO_SIMPLES' },
      ],
      cancellation: { kind: 'short_period', iof: 'retained' },
    });
  });
});

describe('the dates of a sale', () => {
  const today = day('2026-11-20');
  const kinds = (dates: Parameters<typeof dateRefusals>[0]): readonly string[] =>
    dateRefusals(dates, today).map(({ kind }) => kind);

  it('may be today', () => {
    expect(
      kinds({ soldOn: today, paidOn: today, eventOn: today, birthDate: day('2026-11-19') }),
    ).to.deep.equal([]);
  });

  it('are refused with all reasons at once', () => {
    const tomorrow = day('2026-11-21');
    expect(
      kinds({ soldOn: tomorrow, paidOn: tomorrow, eventOn: today, birthDate: today }),
    ).to.deep.equal(['sold_in_future', 'paid_in_future', 'event_before_payment', 'born_in_future']);
  });

  it('lie a year back at most', () => {
    expect(kinds({ soldOn: day('2025-11-20') })).to.deep.equal([]);
    expect(kinds({ soldOn: day('2025-11-19') })).to.deep.equal(['sold_long_ago']);
  });

  it('are checked only if they are present', () => {
    expect(kinds({})).to.deep.equal([]);
    expect(kinds({ paidOn: today })).to.deep.equal([]);
    expect(kinds({ eventOn: day('2020-01-01') })).to.deep.equal([]);
    expect(kinds({ birthDate: day('2026-11-21') })).to.deep.equal(['born_in_future']);
  });
});

describe('a refusal', () => {
  it('is recognised by isRefusal, and no other value is', () => {
    expect(isRefusal({ refused: true, kind: 'paid_in_future' })).to.equal(true);
    for (const other of [undefined, null, 'refused', {}, { refused: false }])
      expect(isRefusal(other)).to.equal(false);
  });

  it('makes unwrap throw, as an undefined value does', () => {
    expect(unwrap(5 as number | undefined)).to.equal(5);
    expect(unwrap(null)).to.equal(null);
    expect(() => unwrap(undefined)).to.throw(RangeError, 'there is no value');
    expect(() => unwrap(refuse('iof_differs', 5))).to.throw(RangeError, 'refused: iof_differs');
  });

  it('contains the expected value if there is one', () => {
    expect(refuse('iof_differs', 5)).to.deep.equal({
      refused: true,
      kind: 'iof_differs',
      expected: 5,
    });
    expect(refuse('iof_differs', 0)).to.deep.equal({
      refused: true,
      kind: 'iof_differs',
      expected: 0,
    });
    expect(refuse('born_in_future')).to.deep.equal({ refused: true, kind: 'born_in_future' });
  });
});
