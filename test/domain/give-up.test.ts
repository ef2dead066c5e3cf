import { expect } from 'chai';
import { canBeGivenUp, cancelSale, type Sale, unwrap, wasGivenUp } from '#domain';
import { day, LATER, paidSale, pendingSale, salesInEveryState, stateOf } from '../support/sales.ts';

const NOW = { on: day('2026-12-05'), at: LATER };

describe('a sale can be given up', () => {
  const isPossible = (sale: Sale): boolean =>
    sale.terms.payment.collectedBy === 'service' &&
    ['pending', 'awaiting_payment', 'paid'].includes(sale.status);

  it('before a policy, if the service collects the payment', () => {
    const sales = salesInEveryState();
    expect(sales.filter(canBeGivenUp)).to.deep.equal(sales.filter(isPossible));
    expect(sales.filter(canBeGivenUp)).to.have.length(4);
    expect(canBeGivenUp(paidSale())).to.equal(false);
  });

  it('with all of what was paid due back, and nothing kept or earned', () => {
    for (const sale of salesInEveryState().filter(canBeGivenUp)) {
      const { state, events } = unwrap(cancelSale(sale, NOW, 'insurer'));
      const paid = sale.status === 'paid' ? sale.payment.amount : 0;
      const { reason, by, kept, refund, commission } = state.cancellation;
      expect({ reason, by }).to.deep.equal({
        reason: sale.status === 'paid' ? 'not_issued' : 'not_paid',
        by: 'insurer',
      });
      expect([kept.total, refund.total, commission.kept.amount]).to.deep.equal([0, paid, 0]);
      expect(events.some((event) => 'upTo' in event && event.upTo === paid)).to.equal(paid > 0);
      expect(wasGivenUp(state)).to.equal(true);
    }
  });

  it('once: what ended otherwise was not given up', () => {
    expect(salesInEveryState().filter(wasGivenUp)).to.deep.equal([]);
    expect(wasGivenUp(stateOf(cancelSale(pendingSale(), NOW)))).to.equal(false);
    const issued = salesInEveryState().find(({ status }) => status === 'issued');
    expect(wasGivenUp(stateOf(cancelSale(issued as never, NOW, 'insurer')))).to.equal(false);
  });
});
