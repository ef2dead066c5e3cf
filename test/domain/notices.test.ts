import { expect } from 'chai';
import fc from 'fast-check';
import {
  awaitPayment,
  cents,
  chargeBack,
  expire,
  followPayment,
  followSalePayment,
  isRefusal,
  outstandingRefunds,
  type Payment,
  pay,
  refund,
  refuse,
  refuseSale,
  SALE_STATUSES,
  type Sale,
} from '#domain';
import {
  APPROVED,
  AWAITED,
  AWAITING,
  cancelledOn,
  day,
  ISSUED,
  LATER,
  PAID,
  paidSale,
  pendingSale,
  salesInEveryState,
  stateOf,
  TOTAL,
} from '../support/sales.ts';

const NOW = { on: day('2026-12-05'), at: LATER };
const charge = { amount: TOTAL, chargeId: 'ch-1' };
const REPORTS = {
  requested: { status: 'requested', amount: TOTAL },
  unknown: { status: 'unknown', amount: TOTAL },
  awaited: AWAITED,
  approved: APPROVED,
  declined: { status: 'declined', ...charge, reason: 'insufficient_funds' },
  expired: { status: 'expired', ...charge },
  refunded: { status: 'refunded', ...charge, refunded: TOTAL, refundedAt: LATER },
} as const satisfies Readonly<Record<Payment['status'], Payment>>;
const STATUSES = Object.keys(REPORTS) as readonly Payment['status'][];

const pending = pendingSale();
const [awaiting, paid, issued] = [AWAITING, PAID, ISSUED];
const refused = stateOf(refuseSale(awaiting, { reason: 'x', closedAt: LATER, payment: REPORTS.declined }));
const expired = stateOf(expire(awaiting, { closedAt: LATER, payment: REPORTS.expired }));
const cancelled = cancelledOn(issued, '2026-12-10');
const partly = { ...REPORTS.refunded, refunded: cancelled.cancellation.refund.total };
const cancelledUnpaid = cancelledOn(awaiting, '2026-11-21');

const moved = (from: string, to: string) => ({ kind: 'moved', from, to });
const unchanged = (sale: Sale, because: 'repeated' | 'late') => ({ state: sale, events: [{ kind: 'ignored', because }] });
const tell = (sale: Sale, report: Payment) => followSalePayment(sale, report, NOW);

describe('what a gateway reports of a payment', () => {
  const LATER_THAN: Readonly<Record<Payment['status'], string>> = {
    requested: 'unknown awaited approved declined expired refunded',
    unknown: 'awaited approved declined expired refunded',
    awaited: 'approved declined expired refunded',
    declined: 'approved refunded',
    expired: 'declined approved refunded',
    approved: 'refunded',
    refunded: '',
  };
  const isLater = (from: Payment['status'], to: Payment['status']) => LATER_THAN[from].split(' ').includes(to);
  for (const from of STATUSES) {
    for (const to of STATUSES) {
      const [known, reported] = [REPORTS[from], REPORTS[to]];
      it(`${to}, of one that is ${from}`, () => {
        const outcome = followPayment(known, reported);
        if (from === to) expect(outcome).to.deep.equal({ state: known, events: [{ kind: 'ignored', because: 'repeated' }] });
        else if (isLater(from, to)) {
          const chargeId = 'chargeId' in known && { chargeId: known.chargeId };
          expect(outcome).to.deep.equal({ state: { ...chargeId, ...reported }, events: [moved(from, to)] });
        } else expect(outcome).to.deep.equal({ state: known, events: [{ kind: 'ignored', because: 'late' }] });
      });
    }
  }

  it('is refused where the amount is another', () => {
    expect(followPayment(AWAITED, { ...APPROVED, amount: cents(1) })).to.deep.equal(refuse('payment_amount_differs', TOTAL));
  });

  it('without naming the charge is about the charge that is known, and does not lose its name', () => {
    const { chargeId: _, ...unnamed } = REPORTS.refunded;
    expect(followPayment(APPROVED, unnamed)).to.deep.equal({ state: REPORTS.refunded, events: [moved('approved', 'refunded')] });
    expect(followPayment(REPORTS.refunded, unnamed)).to.deep.include({ events: [{ kind: 'ignored', because: 'repeated' }] });
  });
});

describe('what a gateway reports of another charge', () => {
  const another = { ...APPROVED, chargeId: 'ch-2' };
  const extra = (status: 'to_refund' | 'refunded') => ({ extraCharges: [{ chargeId: 'ch-2', amount: TOTAL, status }] });
  const ignored = (because: string) => [{ kind: 'ignored', because }];

  it('is taken for the payment where nothing has been paid yet', () => {
    for (const known of [AWAITED, REPORTS.declined, REPORTS.expired]) {
      expect(followPayment(known, another)).to.deep.equal({ state: another, events: [moved(known.status, 'approved')] });
    }
  });

  it('ends nothing: a charge that lapsed is not the one that is awaited', () => {
    for (const report of [REPORTS.expired, REPORTS.declined, REPORTS.refunded, { ...AWAITED, url: 'https://pay.example/2' }]) {
      expect(followPayment(AWAITED, { ...report, chargeId: 'ch-0' })).to.deep.equal({
        state: AWAITED,
        events: ignored('other_charge'),
      });
    }
  });

  it('is a second charge where one was paid before: remembered, and said once', () => {
    const events = [{ kind: 'charged_again', chargeId: 'ch-2', amount: TOTAL }];
    const { chargeId: _, ...rest } = APPROVED;
    const withChannel = { ...rest, collectedBy: 'channel' } as const;
    for (const known of [APPROVED, REPORTS.refunded, withChannel]) {
      const remembered = { ...known, ...extra('to_refund') };
      expect(followPayment(known, another)).to.deep.equal({ state: remembered, events });
      expect(followPayment(remembered, another)).to.deep.equal({ state: remembered, events: ignored('repeated') });
    }
    expect(followPayment(APPROVED, withChannel)).to.deep.equal({ state: APPROVED, events: ignored('repeated') });
  });

  it('is the end of a second charge where that went back, the whole of it, and said once', () => {
    const [known, back] = [
      { ...APPROVED, ...extra('to_refund') },
      { ...REPORTS.refunded, chargeId: 'ch-2' },
    ];
    const settled = { ...APPROVED, ...extra('refunded') };
    expect(followPayment(known, back)).to.deep.equal({
      state: settled,
      events: [{ kind: 'extra_charge_refunded', chargeId: 'ch-2' }],
    });
    expect(followPayment(settled, back)).to.deep.equal({ state: settled, events: ignored('repeated') });
    expect(followPayment(settled, another)).to.deep.equal({ state: settled, events: ignored('repeated') });
    expect(followPayment(known, { ...back, refunded: cents(1) })).to.deep.equal(refuse('refund_amount_differs', TOTAL));
  });

  it('keeps second charges apart, and survives what becomes of the first', () => {
    const third = { chargeId: 'ch-3', amount: TOTAL, status: 'to_refund' as const };
    const known = { ...APPROVED, extraCharges: [...extra('to_refund').extraCharges, third] };
    expect(followPayment(known, { ...REPORTS.refunded, chargeId: 'ch-2' })).to.deep.include({
      state: { ...APPROVED, extraCharges: [...extra('refunded').extraCharges, third] },
    });
    expect(followPayment({ ...APPROVED, ...extra('to_refund') }, { ...another, chargeId: 'ch-3' })).to.deep.include({
      state: known,
    });
    expect(followPayment(known, REPORTS.refunded)).to.deep.include({
      state: { ...REPORTS.refunded, extraCharges: known.extraCharges },
    });
  });

  it('is nothing else', () => {
    for (const report of [REPORTS.expired, REPORTS.declined, REPORTS.refunded]) {
      expect(followPayment(APPROVED, { ...report, chargeId: 'ch-9' })).to.deep.equal({
        state: APPROVED,
        events: ignored('other_charge'),
      });
    }
  });
});

describe('a sale hears of its payment', () => {
  it('while it is unpaid: it is paid, refused, or expires', () => {
    for (const sale of [pending, awaiting]) {
      expect(tell(sale, APPROVED)).to.deep.equal(pay(sale, APPROVED));
      expect(tell(sale, REPORTS.declined)).to.deep.equal(
        refuseSale(sale, { reason: 'insufficient_funds', closedAt: LATER, payment: REPORTS.declined }),
      );
      expect(tell(sale, REPORTS.expired)).to.deep.equal(expire(sale, { closedAt: LATER, payment: REPORTS.expired }));
      expect(tell(sale, REPORTS.refunded)).to.deep.equal(
        refuseSale(sale, { reason: 'payment_refunded', closedAt: LATER, payment: REPORTS.refunded }),
      );
    }
  });

  it('while it is pending: a person has to pay, or nobody knows', () => {
    expect(tell(pending, AWAITED)).to.deep.equal(awaitPayment(pending, AWAITED));
    expect(tell(pending, REPORTS.unknown)).to.deep.equal({
      state: { ...pending, payment: REPORTS.unknown },
      events: [{ kind: 'payment_moved', to: 'unknown' }],
    });
  });

  it('again, or too late: nothing changes, and it says so', () => {
    expect(tell(awaiting, AWAITED)).to.deep.equal(unchanged(awaiting, 'repeated'));
    expect(tell(awaiting, REPORTS.unknown)).to.deep.equal(unchanged(awaiting, 'late'));
    for (const sale of [paid, issued]) {
      expect(tell(sale, APPROVED)).to.deep.equal(unchanged(sale, 'repeated'));
      for (const report of [AWAITED, REPORTS.declined, REPORTS.expired])
        expect(tell(sale, report)).to.deep.equal(unchanged(sale, 'late'));
    }
    expect(tell(expired, REPORTS.expired)).to.deep.equal(unchanged(expired, 'repeated'));
    const closed = stateOf(refund(cancelled, partly));
    for (const report of [APPROVED, AWAITED]) expect(tell(closed, report)).to.deep.equal(unchanged(closed, 'late'));
    expect(tell(closed, partly)).to.deep.equal(unchanged(closed, 'repeated'));
  });

  it('of another amount: refused, in any state', () => {
    for (const sale of salesInEveryState()) {
      expect(tell(sale, { ...APPROVED, amount: cents(1) })).to.deep.equal(refuse('payment_amount_differs', TOTAL));
    }
  });

  it('that it was charged twice: it stays as it is, remembers, and says so once', () => {
    const another = { ...APPROVED, chargeId: 'ch-2' };
    const extraCharges = [{ chargeId: 'ch-2', amount: TOTAL, status: 'to_refund' as const }];
    const remembering = { ...issued, payment: { ...APPROVED, extraCharges } };
    expect(tell(issued, another)).to.deep.equal({
      state: remembering,
      events: [{ kind: 'charged_again', chargeId: 'ch-2', amount: TOTAL }],
    });
    expect(tell(remembering, another)).to.deep.equal(unchanged(remembering, 'repeated'));
  });

  it('that a second charge went back: what is due of the first one still is', () => {
    const twice = stateOf(tell(cancelled, { ...APPROVED, chargeId: 'ch-2' }));
    const told = stateOf(tell(twice, { ...REPORTS.refunded, chargeId: 'ch-2' }));
    expect(told.status).to.equal('cancelled');
    expect(outstandingRefunds(told)).to.deep.equal([{ chargeId: 'ch-1', amount: partly.refunded }]);
    expect(stateOf(tell(told, partly)).status).to.equal('refunded');
  });

  it('that it will be paid on a day to come: refused', () => {
    expect(tell(awaiting, { ...APPROVED, paidOn: day('2026-12-06') })).to.deep.equal(refuse('paid_in_future'));
    expect(tell(awaiting, { ...APPROVED, paidOn: day('2026-12-05') })).to.have.property('state');
  });

  it('that money came after it was closed: it stays closed, and the money must go back, once', () => {
    for (const sale of [refused, expired, cancelledUnpaid]) {
      const known = { ...sale, payment: APPROVED };
      expect(tell(sale, APPROVED)).to.deep.equal({
        state: known,
        events: [
          { kind: 'payment_moved', to: 'approved' },
          { kind: 'refund_due', amount: TOTAL },
        ],
      });
      expect(tell(known, APPROVED)).to.deep.equal(unchanged(known, 'repeated'));
      expect(tell(known, REPORTS.refunded)).to.deep.equal({
        state: { ...sale, payment: REPORTS.refunded },
        events: [{ kind: 'payment_moved', to: 'refunded' }],
      });
      expect(tell(known, { ...REPORTS.refunded, refunded: cents(TOTAL - 1) })).to.deep.equal(
        refuse('refund_amount_differs', TOTAL),
      );
    }
  });

  it('that the refund it ordered has been made: it is refunded', () => {
    expect(tell(cancelled, partly)).to.deep.equal(refund(cancelled, partly));
    expect(tell(cancelled, REPORTS.refunded)).to.deep.equal(refuse('refund_amount_differs', partly.refunded));
  });

  it('of a charge that lapsed after it was cancelled unpaid: it only takes note', () => {
    expect(tell(cancelledUnpaid, REPORTS.expired)).to.deep.equal({
      state: { ...cancelledUnpaid, payment: REPORTS.expired },
      events: [{ kind: 'payment_moved', to: 'expired' }],
    });
  });

  it('that the money went back though nobody had cancelled: the contract ends; a part of it, somebody has to look', () => {
    for (const sale of [paid, issued, paidSale()]) {
      const { chargeId: _, ...unnamed } = partly;
      expect(tell(sale, unnamed)).to.deep.equal(refuse('refund_not_expected'));
    }
    expect(tell(issued, REPORTS.refunded)).to.deep.equal(chargeBack(issued, REPORTS.refunded, NOW));
    expect(tell(paid, REPORTS.refunded)).to.deep.equal(chargeBack(paid, REPORTS.refunded, NOW));
  });
});

describe('no sequence of notices', () => {
  const reports = fc.array(
    fc.tuple(fc.constantFrom(...STATUSES), fc.constantFrom('ch-1', 'ch-2'), fc.constantFrom(TOTAL, partly.refunded)),
    { maxLength: 12 },
  );
  const starts = fc.constantFrom<Sale>(...salesInEveryState());
  const report = ([status, chargeId, back]: [Payment['status'], string, number]): Payment =>
    ({ ...REPORTS[status], chargeId, ...(status === 'refunded' && { refunded: back }) }) as Payment;

  /** Tells a sale one thing after another, and shows each step that was not refused. */
  const whateverIsTold = (look: (before: Sale, after: Sale, told: Payment) => void): void =>
    fc.assert(
      fc.property(starts, reports, (start, sequence) => {
        let sale = start;
        for (const told of sequence.map(report)) {
          const outcome = tell(sale, told);
          if (isRefusal(outcome)) continue;
          look(sale, outcome.state, told);
          sale = outcome.state;
        }
      }),
      { numRuns: 500 },
    );
  const extraChargesOf = ({ payment }: Sale) => (payment.extraCharges ?? []).map(({ chargeId }) => chargeId);

  it('takes a sale backwards, out of a closed state, or forgets money', () => {
    whateverIsTold((before, after) => {
      expect(SALE_STATUSES.indexOf(after.status)).to.be.at.least(SALE_STATUSES.indexOf(before.status));
      if (['refused', 'expired', 'refunded'].includes(before.status)) expect(after.status).to.equal(before.status);
      if (before.payment.status === 'approved') expect(after.payment.chargeId).to.equal(before.payment.chargeId);
      expect(extraChargesOf(after)).to.include.members(extraChargesOf(before));
      expect(after.terms).to.equal(before.terms);
    });
  });

  it('told twice in a row says anything new the second time', () => {
    whateverIsTold((_, after, told) => {
      const again = tell(after, told);
      expect('events' in again && again.events.map(({ kind }) => kind)).to.deep.equal(['ignored']);
      expect('state' in again && again.state).to.deep.equal(after);
    });
  });
});

describe('the statuses of a sale', () => {
  it('stand in the order in which a sale may pass through them', () => {
    expect(SALE_STATUSES).to.deep.equal([
      'pending',
      'awaiting_payment',
      'paid',
      'issued',
      'refused',
      'expired',
      'cancelled',
      'refunded',
    ]);
    expect([...new Set(salesInEveryState().map(({ status }) => status))]).to.have.members([...SALE_STATUSES]);
  });
});
