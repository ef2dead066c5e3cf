import { expect } from 'chai';
import {
  cents,
  decidePayment,
  decisionDue,
  endUndecided,
  nextActOf,
  nextSteps,
  type PaymentReport,
  refundPending,
  refundsOf,
  refuse,
  type Sale,
  undecidedReceipts,
} from '#domain';
import {
  APPROVED,
  AWAITED,
  AWAITING,
  cancelledOn,
  day,
  dueOf,
  LATER,
  PAID,
  paidSale,
  paying,
  pendingSale,
  stateOf,
  TOTAL,
  tellingAt,
} from '../support/sales.ts';

/** A Friday. */
const NOW = { on: day('2026-12-04'), at: LATER };
const at = (on: string) => ({ on: day(on), at: LATER });
const { chargeId } = APPROVED;
const told = tellingAt(NOW);
const back = (amount: number, returned: number, ordered = returned): PaymentReport => ({
  ...{ status: 'returned', chargeId, amount: cents(amount), returned: cents(returned) },
  ...(ordered > returned && { ordered: cents(ordered) }),
});

describe('a payment of more than the price', () => {
  const paid = told(AWAITING, paying(TOTAL + 476)) as typeof PAID;

  it('pays the sale at its price, and the surplus is due back', () => {
    expect(paid).to.deep.include({ status: 'paid', payment: APPROVED });
    expect(dueOf(paid)).to.deep.equal([{ chargeId, amount: 476, upTo: 476 }]);
    expect(nextSteps(paid, NOW)).to.deep.equal(['refund ch-1', 'issue']);
    const settled = told(paid, back(TOTAL + 476, 476));
    expect(settled.status).to.equal('paid');
    expect(refundPending(settled)).to.equal(0);
  });

  it('goes back with the refund of a cancellation, whose figures are those of the price', () => {
    const cancelled = cancelledOn(paid, '2026-12-05');
    expect(cancelled.cancellation.refund.total).to.equal(TOTAL);
    expect(refundPending(cancelled)).to.equal(TOTAL + 476);
    expect(told(cancelled, back(TOTAL + 476, TOTAL)).status).to.equal('cancelled');
    expect(told(cancelled, back(TOTAL + 476, TOTAL + 476)).status).to.equal('refunded');
  });

  it('ends the sale only if all of it goes back: what is left counts, whatever the surplus is', () => {
    expect(told(paid, back(TOTAL + 476, TOTAL + 476)).status).to.equal('refunded');
    for (const came of [TOTAL + TOTAL - 1, 2 * TOTAL, 100 * TOTAL]) {
      const twice = told(AWAITING, paying(came));
      const settled = told(twice, back(came, came - TOTAL));
      expect([settled.status, refundPending(settled), nextSteps(settled, NOW)]).to.deep.equal([
        ...['paid', 0, ['issue']],
      ]);
      expect(told(settled, back(came, came)).status).to.equal('refunded');
    }
  });
});

describe('a payment of less than the price', () => {
  const short = told(AWAITING, paying(8_000));

  it('does not pay the sale: an operator decides within three bank days', () => {
    expect(short.status).to.equal('awaiting_payment');
    expect(undecidedReceipts(short)[0]).to.include({
      amount: 8_000,
      returned: 0,
      method: 'credit',
    });
    expect(decisionDue(short)).to.equal('2026-12-09');
    expect(nextActOf(short, LATER)).to.deep.equal({
      ...{ actor: 'operator', action: 'decide_payment', until: '2026-12-09' },
    });
    expect(nextSteps(short, at('2027-05-01'))).to.include('await');
    expect(refundsOf(short)[0]).to.include({ status: 'due', amount: 8_000, dueOn: '2026-12-10' });
    expect(told(short, paying(8_000))).to.equal(short);
    expect(told(short, AWAITED)).to.equal(short);
  });

  it('shows the charge of a sale whose charge was not known', () => {
    const pending = told(pendingSale(), paying(8_000));
    expect(pending.payment).to.deep.equal({ status: 'unknown', amount: TOTAL, chargeId });
    expect(nextSteps(pending, NOW)).to.deep.equal(['await']);
    expect(decisionDue(pending)).to.equal('2026-12-09');
  });

  it('pays the sale if it is accepted', () => {
    const accepted = stateOf(decidePayment(short, 'accept', NOW)) as typeof PAID;
    expect(accepted).to.deep.include({
      ...{ status: 'paid', bookedAt: LATER },
      payment: { ...APPROVED, accepted: 8_000 },
    });
    expect(refundPending(accepted)).to.equal(0);
    expect(nextSteps(accepted, NOW)).to.deep.equal(['issue']);
    expect(told(accepted, paying(8_000))).to.equal(accepted);

    const cancelled = cancelledOn(accepted, '2026-12-05');
    const { paid, refund } = cancelled.cancellation;
    // 18,860 and 1,392 of 20,252; the premium takes what does not divide.
    expect(paid).to.deep.equal({ net: 7_451, iof: 549, total: 8_000 });
    expect([refund.total, refundPending(cancelled)]).to.deep.equal([8_000, 8_000]);
    expect(told(cancelled, back(8_000, 8_000)).status).to.equal('refunded');
  });

  it('goes back if an operator returns it, or the decision is overdue', () => {
    const refused = stateOf(decidePayment(short, 'return', NOW));
    expect(refused).to.include({ status: 'refused', reason: 'payment_returned', closedAt: LATER });
    expect(nextSteps(refused, NOW)).to.deep.equal(['refund ch-1']);
    expect(endUndecided(short, at('2026-12-09'))).to.equal(short);
    expect(endUndecided(short, at('2026-12-10'))).to.deep.equal(refused);
    expect(refundPending(told(refused, back(8_000, 8_000)))).to.equal(0);
  });

  it('cannot be accepted once a part is on its way back, or while it is disputed', () => {
    const dispute = { status: 'opened', amount: cents(8_000) } as const;
    const leaving = told(short, back(8_000, 0, 8_000));
    for (const sale of [
      leaving,
      told(short, back(8_000, 1)),
      told(short, paying(8_000, { dispute })),
    ])
      expect(decidePayment(sale, 'accept', NOW)).to.deep.equal(refuse('transition_not_possible'));
    expect(nextActOf(leaving, LATER)).to.deep.equal({ actor: 'service', action: 'refund' });
  });

  it('goes back if the sale is cancelled before', () => {
    const cancelled = cancelledOn(short as typeof AWAITING, '2026-12-04');
    const { reason, paid, refund } = cancelled.cancellation;
    expect([reason, paid.total, refund.total]).to.deep.equal(['not_paid', 8_000, 8_000]);
    expect(dueOf(cancelled)).to.deep.equal([{ chargeId, amount: 8_000, upTo: 8_000 }]);
    expect(told(cancelled, back(8_000, 8_000)).status).to.equal('cancelled');
  });

  it('goes back if another charge pays the sale, or the same one brings the rest', () => {
    const paid = told(short, paying(TOTAL, { chargeId: 'ch-2' }));
    expect(paid.status).to.equal('paid');
    expect(dueOf(paid)).to.deep.equal([{ chargeId, amount: 8_000, upTo: 8_000 }]);
    expect(told(short, paying(TOTAL))).to.deep.include({ status: 'paid', payment: APPROVED });
  });

  it('refuses the sale if a person returns it at the gateway', () => {
    expect(told(short, back(8_000, 8_000))).to.include({
      ...{ status: 'refused', reason: 'payment_returned' },
    });
  });

  it('is nothing to decide about in any other sale', () => {
    const late = told(cancelledOn(AWAITING, '2026-12-04'), paying(8_000));
    expect(dueOf(late)).to.deep.equal([{ chargeId, amount: 8_000, upTo: 8_000 }]);
    for (const sale of [AWAITING, PAID, paidSale(), late, pendingSale()]) {
      expect(decisionDue(sale)).to.equal(undefined);
      expect(endUndecided(sale, NOW)).to.equal(sale);
      expect(decidePayment(sale, 'accept', NOW)).to.deep.equal(refuse('transition_not_possible'));
    }
  });

  it('keeps the day of payment that is known, and takes today where none is', () => {
    const [receipt] = short.receipts;
    const { paidOn: _, method: __, ...early } = receipt ?? { amount: TOTAL, returned: TOTAL };
    const accepted = stateOf(decidePayment({ ...short, receipts: [early] } as Sale, 'accept', NOW));
    expect(accepted.payment).to.include({ paidOn: '2026-12-04' }).and.not.have.property('method');
  });
});
