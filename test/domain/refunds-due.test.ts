import { expect } from 'chai';
import {
  cents,
  followSalePayment,
  nextActOf,
  nextSteps,
  outstandingRefunds,
  type PaymentReport,
  type ReceivedReport,
  type RefundBar,
  type ReturnReport,
  refuse,
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
const told = (sale: Sale, ...reports: readonly PaymentReport[]): Sale =>
  reports.reduce<Sale>((before, report) => stateOf(followSalePayment(before, report, NOW)), sale);
const barsOf = (sale: Sale) => outstandingRefunds(sale).map(({ barred }) => barred);
const back = (returned: number, ordered?: number): ReturnReport => ({
  ...{ status: 'returned', amount: TOTAL, chargeId: APPROVED.chargeId },
  ...{ returned: cents(returned), ...(ordered !== undefined && { ordered: cents(ordered) }) },
});
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
  });

  it('is known with its day, and told once', () => {
    const disputed = told(paid, arrived(DISPUTE));
    const again = followSalePayment(disputed, arrived(DISPUTE), NOW);
    expect(stateOf(again)).to.equal(disputed);
    const later = { by: 'dispute', respondBy: day('2026-12-20') } as const;
    for (const barred of [later, CASH, undefined]) {
      const moved = followSalePayment(disputed, arrived(barred), NOW);
      expect(stateOf(moved).receipts[0]?.barred).to.deep.equal(barred);
      expect(moved).to.deep.nested.include({
        'events[0]': { kind: 'refund_moved', chargeId: APPROVED.chargeId },
      });
    }
  });

  it('keeps its bar when a part has gone back', () => {
    const disputed = told(paid, arrived(DISPUTE));
    expect(told(disputed, back(100)).receipts[0]).to.deep.include({
      ...{ returned: 100, barred: DISPUTE },
    });
  });
});

describe('a refund that is on its way', () => {
  const cancelled = cancelledOn(paid, '2026-12-05');
  const onItsWay = told(cancelled, back(0, TOTAL));

  it('is not ordered again, and has not left: the sale is not refunded yet', () => {
    expect(onItsWay.status).to.equal('cancelled');
    expect(outstandingRefunds(onItsWay)).to.deep.equal([
      { chargeId: APPROVED.chargeId, amount: TOTAL, upTo: TOTAL, isOrdered: true },
    ]);
    expect(nextSteps(onItsWay, NOW)).to.deep.equal(['await']);
    expect(actOf(onItsWay)).to.deep.equal({ actor: 'service', action: 'refund' });
    expect(told(onItsWay, arrived())).to.equal(onItsWay);
  });

  it('ends the sale as refunded when it has left', () => {
    const refunded = told(onItsWay, back(TOTAL));
    expect(refunded.status).to.equal('refunded');
    expect(refunded.receipts[0]).to.deep.equal({
      ...{ chargeId: APPROVED.chargeId, amount: TOTAL, returned: TOTAL },
    });
  });

  it('is due again when the bank cancels it, in whole or in part', () => {
    expect(nextSteps(told(onItsWay, back(0)), NOW)).to.deep.equal(['refund']);
    expect(outstandingRefunds(told(onItsWay, back(1_000, 2_000)))[0]).to.deep.equal({
      ...{ chargeId: APPROVED.chargeId, amount: TOTAL - 1_000, upTo: TOTAL },
    });
  });

  it('holds up the policy of a sale that was not cancelled, and ends it when it has left', () => {
    expect(nextSteps(told(paid, back(0, TOTAL)), NOW)).to.deep.equal(['await']);
    expect(nextSteps(told(paid, back(0, 100)), NOW)).to.deep.equal(['issue', 'await']);
    expect(told(paid, back(0, TOTAL), back(TOTAL)).status).to.equal('refunded');
  });

  it('is no news where an earlier version has counted it as returned', () => {
    const refunded = told(cancelled, back(TOTAL));
    const said = (report: ReturnReport) => followSalePayment(refunded, report, NOW);
    expect(said(back(0, TOTAL))).to.deep.include({
      events: [{ kind: 'ignored', because: 'repeated' }],
    });
    expect(said(back(0, 100))).to.deep.include({ events: [{ kind: 'ignored', because: 'late' }] });
  });

  it('comes after a dispute about another charge in what an operator reads', () => {
    const disputed = cancelledOn(told(paid, arrived(DISPUTE)) as typeof paid, '2026-12-05');
    const twice = told(disputed, arrived(undefined, 'ch-2'));
    expect(actOf(twice)).to.deep.equal({ actor: 'service', action: 'refund' });
    const ordered = told(twice, { ...back(0, TOTAL), chargeId: 'ch-2' });
    expect(actOf(ordered)).to.deep.equal({ actor: 'operator', action: 'answer_dispute' });
  });

  it('is told once, and refused where more is ordered than came', () => {
    expect(followSalePayment(onItsWay, back(0, TOTAL), NOW)).to.deep.include({
      events: [{ kind: 'ignored', because: 'repeated' }],
    });
    expect(followSalePayment(cancelled, back(0, TOTAL), NOW)).to.deep.include({
      events: [{ kind: 'refund_moved', chargeId: APPROVED.chargeId }],
    });
    const differs = refuse('refund_amount_differs', TOTAL);
    expect(followSalePayment(cancelled, back(0, TOTAL + 1), NOW)).to.deep.equal(differs);
    expect(followSalePayment(cancelled, back(2, 1), NOW)).to.deep.equal(differs);
  });
});
