import { expect } from 'chai';
import fc from 'fast-check';
import {
  awaitPayment,
  cents,
  expire,
  followPayment,
  followSalePayment,
  isRefusal,
  issue,
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
  cancelledOn,
  LATER,
  POLICY,
  paidSale,
  pendingSale,
  salesInEveryState,
  stateOf,
  TOTAL,
} from '../support/sales.ts';

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
const awaiting = stateOf(awaitPayment(pending, AWAITED));
const paid = stateOf(pay(awaiting, APPROVED));
const issued = stateOf(issue(paid, POLICY));
const refused = stateOf(refuseSale(awaiting, { reason: 'x', closedAt: LATER, payment: REPORTS.declined }));
const expired = stateOf(expire(awaiting, { closedAt: LATER, payment: REPORTS.expired }));
const cancelled = cancelledOn(issued, '2026-12-10');
const partly = { ...REPORTS.refunded, refunded: cancelled.cancellation.refund.total };
const cancelledUnpaid = cancelledOn(awaiting, '2026-11-21');

const moved = (from: string, to: string) => ({ kind: 'moved', from, to });
const unchanged = (sale: Sale, because: 'repeated' | 'late') => ({ state: sale, events: [{ kind: 'ignored', because }] });
const tell = (sale: Sale, report: Payment) => followSalePayment(sale, report, LATER);

describe('what a gateway reports of a payment', () => {
  const LATER_THAN: Readonly<Record<Payment['status'], string>> = {
    requested: 'unknown awaited approved declined expired refunded',
    unknown: 'awaited approved declined expired refunded',
    awaited: 'approved declined expired refunded',
    declined: 'approved refunded',
    expired: 'approved refunded',
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
        else if (isLater(from, to)) expect(outcome).to.deep.equal({ state: reported, events: [moved(from, to)] });
        else if (isLater(to, from))
          expect(outcome).to.deep.equal({ state: known, events: [{ kind: 'ignored', because: 'late' }] });
        else expect(outcome).to.deep.equal(refuse('transition_not_possible'));
      });
    }
  }

  it('is refused where the amount is another', () => {
    expect(followPayment(AWAITED, { ...APPROVED, amount: cents(1) })).to.deep.equal(refuse('payment_amount_differs', TOTAL));
  });

  it('is a second charge where another one was approved before, and must go back', () => {
    const again = { ...APPROVED, chargeId: 'ch-2' };
    const events = [{ kind: 'charged_again', chargeId: 'ch-2', amount: TOTAL }];
    for (const known of [APPROVED, REPORTS.refunded]) expect(followPayment(known, again)).to.deep.equal({ state: known, events });
    const { chargeId: _, ...byChannel } = APPROVED;
    expect(followPayment(byChannel, again)).to.deep.equal({ state: byChannel, events });
    expect(followPayment(APPROVED, byChannel)).to.deep.equal({
      state: APPROVED,
      events: [{ kind: 'ignored', because: 'repeated' }],
    });
    expect(followPayment(AWAITED, again)).to.deep.equal({ state: again, events: [moved('awaited', 'approved')] });
    expect(followPayment(APPROVED, { ...REPORTS.expired, chargeId: 'ch-2' })).to.deep.include({
      events: [{ kind: 'ignored', because: 'late' }],
    });
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
      expect(tell(sale, REPORTS.refunded)).to.deep.equal(refuse('refund_not_expected'));
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

  it('that it was charged twice: it stays as it is, and one charge must go back', () => {
    expect(tell(issued, { ...APPROVED, chargeId: 'ch-2' })).to.deep.equal({
      state: issued,
      events: [{ kind: 'charged_again', chargeId: 'ch-2', amount: TOTAL }],
    });
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

  it('of a refund that nobody ordered: refused, for somebody to look at', () => {
    for (const sale of [paid, issued, paidSale()])
      expect(tell(sale, REPORTS.refunded)).to.deep.equal(refuse('refund_not_expected'));
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

  it('takes a sale backwards, out of a closed state, or to a charge it was not paid by', () => {
    fc.assert(
      fc.property(starts, reports, (start, sequence) => {
        let sale = start;
        for (const each of sequence) {
          const outcome = tell(sale, report(each));
          if (isRefusal(outcome)) continue;
          const next = outcome.state;
          expect(SALE_STATUSES.indexOf(next.status)).to.be.at.least(SALE_STATUSES.indexOf(sale.status));
          if (['refused', 'expired', 'refunded'].includes(sale.status)) expect(next.status).to.equal(sale.status);
          if (sale.payment.status === 'approved') expect(next.payment).to.include({ amount: TOTAL });
          expect(next.terms).to.equal(start.terms);
          sale = next;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('told twice in a row says anything new the second time, except a second charge', () => {
    fc.assert(
      fc.property(starts, reports, (start, sequence) => {
        let sale = start;
        for (const each of sequence) {
          const outcome = tell(sale, report(each));
          if (isRefusal(outcome)) continue;
          const again = tell(outcome.state, report(each));
          expect('events' in again && again.events[0].kind).to.be.oneOf(['ignored', 'charged_again']);
          expect('state' in again && again.state).to.deep.equal(outcome.state);
          sale = outcome.state;
        }
      }),
      { numRuns: 500 },
    );
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
