import { expect } from 'chai';
import {
  followSalePayment,
  isDisputed,
  nextActOf,
  nextSteps,
  outstandingRefunds,
  type ReceivedReport,
  type RefundBar,
  type Sale,
} from '#domain';
import { APPROVED, AWAITING, cancelledOn, day, LATER, stateOf, TOTAL } from '../support/sales.ts';

const NOW = { on: day('2026-12-05'), at: LATER };
const DISPUTE: RefundBar = { by: 'dispute', respondBy: day('2026-12-15') };
const CASH: RefundBar = { by: 'paid_in_cash' };

const arrived = (barred?: RefundBar, chargeId = APPROVED.chargeId): ReceivedReport => ({
  ...APPROVED,
  chargeId,
  ...(barred && { barred }),
});
const told = (sale: Sale, ...reports: readonly ReceivedReport[]): Sale =>
  reports.reduce<Sale>((before, report) => stateOf(followSalePayment(before, report, NOW)), sale);
const barsOf = (sale: Sale) => outstandingRefunds(sale).map(({ barred }) => barred);
const paid = told(AWAITING, arrived()) as Extract<Sale, { status: 'paid' }>;
const actOf = (sale: Sale) => nextActOf(sale, LATER);

describe('a refund that the gateway cannot make', () => {
  it('is not ordered while the payment is in dispute: the gateway is asked how it ends', () => {
    const cancelled = cancelledOn(told(paid, arrived(DISPUTE)) as typeof paid, '2026-12-05');
    expect(cancelled.status).to.equal('cancelled');
    expect(barsOf(cancelled)).to.deep.equal([DISPUTE]);
    expect(nextSteps(cancelled, NOW)).to.deep.equal(['await']);
    expect(actOf(cancelled)).to.deep.equal({ actor: 'operator', action: 'answer_dispute' });
  });

  it('is ordered when the dispute is over', () => {
    const cancelled = cancelledOn(told(paid, arrived(DISPUTE)) as typeof paid, '2026-12-05');
    const free = told(cancelled, arrived());
    expect(barsOf(free)).to.deep.equal([undefined]);
    expect(nextSteps(free, NOW)).to.deep.equal(['refund']);
    expect(actOf(free)).to.deep.equal({ actor: 'service', action: 'refund' });
  });

  it('is a task for a person where the payment was in cash', () => {
    const cancelled = cancelledOn(told(AWAITING, arrived(CASH)) as typeof paid, '2026-12-05');
    expect(nextSteps(cancelled, NOW)).to.deep.equal(['await']);
    expect(actOf(cancelled)).to.deep.equal({ actor: 'operator', action: 'return_money' });
    expect(cancelled.payment).not.to.have.property('barred');
  });

  it('does not hold up the refund of another charge', () => {
    const twice = told(told(paid, arrived(DISPUTE)), arrived(undefined, 'ch-2'));
    expect(outstandingRefunds(twice)).to.deep.equal([
      { chargeId: 'ch-2', amount: TOTAL, upTo: TOTAL },
    ]);
    expect(nextSteps(twice, NOW)).to.include.members(['refund', 'await']);
    expect(isDisputed(twice)).to.equal(true);
  });

  it('is known with its day, and told once', () => {
    const disputed = told(paid, arrived(DISPUTE));
    const again = followSalePayment(disputed, arrived(DISPUTE), NOW);
    expect(stateOf(again)).to.equal(disputed);
    const later = { by: 'dispute', respondBy: day('2026-12-20') } as const;
    expect(followSalePayment(disputed, arrived(later), NOW)).to.deep.nested.include({
      'events[0]': { kind: 'refund_bar_moved', chargeId: APPROVED.chargeId, barred: later },
    });
    expect(told(disputed, arrived(CASH)).receipts[0]?.barred).to.deep.equal(CASH);
    expect(followSalePayment(disputed, arrived(), NOW)).to.deep.nested.include({
      'events[0]': { kind: 'refund_bar_moved', chargeId: APPROVED.chargeId },
    });
  });

  it('keeps its bar when a part has gone back', () => {
    const disputed = told(paid, arrived(DISPUTE));
    const back = { status: 'returned', amount: TOTAL, chargeId: APPROVED.chargeId } as const;
    const part = stateOf(followSalePayment(disputed, { ...back, returned: TOTAL }, NOW));
    expect(part.receipts[0]).to.deep.include({ returned: TOTAL, barred: DISPUTE });
  });
});
