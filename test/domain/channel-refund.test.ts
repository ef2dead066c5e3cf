import { expect } from 'chai';
import {
  type CancelledSale,
  cancelSale,
  cents,
  confirmChannelRefund,
  refundPending,
  refundsOf,
  refuse,
  type Sale,
} from '#domain';
import {
  cancelledOn,
  day,
  ISSUED,
  LATER,
  PAID,
  paidSale,
  salesInEveryState,
  stateOf,
  TOTAL,
} from '../support/sales.ts';

const NOW = { on: day('2026-12-05'), at: LATER };
const ENDED = cancelledOn(paidSale(), '2026-11-25');
const refund = (amount: number, reference?: string) => ({
  ...{ amount: cents(amount), on: day('2026-12-01'), method: 'pix' as const },
  ...(reference !== undefined && { reference }),
});
const confirm = (sale: Sale, amount: number, reference?: string) =>
  confirmChannelRefund(sale, refund(amount, reference), NOW);

describe('a refund that the channel confirms', () => {
  it('ends the sale when all that is due has gone back, in one part or several', () => {
    const whole = stateOf(confirm(ENDED, TOTAL));
    expect(whole.status).to.equal('refunded');
    expect(refundPending(whole)).to.equal(0);
    expect(whole.receipts[0]?.confirmed).to.deep.equal([refund(TOTAL)]);
    const part = stateOf(confirm(ENDED, 5_000));
    expect(part.status).to.equal('cancelled');
    expect(refundPending(part)).to.equal(TOTAL - 5_000);
    expect(refundsOf(part).map(({ status, amount, by }) => [by, status, amount])).to.deep.equal([
      ['channel', 'done', 5_000],
      ['channel', 'due', TOTAL - 5_000],
    ]);
    expect(stateOf(confirm(part, TOTAL - 5_000)).status).to.equal('refunded');
  });

  it('keeps why the channel has cancelled, and no figure depends on it', () => {
    const why = { reason: 'other', text: 'x' } as const;
    const moment = { on: day('2026-11-25'), at: LATER };
    const stated = stateOf(cancelSale(paidSale(), moment, 'insured', why)) as CancelledSale;
    expect(stated.cancellation).to.deep.equal({ ...ENDED.cancellation, stated: why });
    expect(stateOf(confirm(stated, TOTAL))).to.have.nested.property('cancellation.stated', why);
  });

  it('counts once, and twice only under another reference', () => {
    const part = stateOf(confirm(ENDED, 5_000, 'R-1'));
    expect(confirm(part, 5_000, 'R-1')).to.deep.equal({
      state: part,
      events: [{ kind: 'ignored', because: 'repeated' }],
    });
    expect(refundPending(stateOf(confirm(part, 5_000, 'R-2')))).to.equal(TOTAL - 10_000);
    const whole = stateOf(confirm(ENDED, TOTAL));
    expect(stateOf(confirm(whole, TOTAL))).to.equal(whole);
  });

  it('is refused above what is due, and where the channel owes nothing', () => {
    expect(confirm(ENDED, TOTAL + 1)).to.deep.equal(refuse('refund_amount_differs', TOTAL));
    const no = refuse('transition_not_possible');
    for (const sale of [paidSale(), PAID, ISSUED, cancelledOn(ISSUED, '2026-11-25')])
      expect(confirm(sale, 1)).to.deep.equal(no);
    const whole = stateOf(confirm(ENDED, TOTAL));
    expect(confirm(whole, 1)).to.deep.equal(no);
    for (const sale of salesInEveryState())
      if (sale.status !== 'cancelled' || sale.terms.payment.collectedBy === 'service')
        expect(confirm(sale, 1), sale.status).to.deep.equal(no);
  });
});
