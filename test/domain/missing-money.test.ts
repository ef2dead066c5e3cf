import { expect } from 'chai';
import {
  applyPaymentReport,
  beginAttempt,
  cents,
  decidePayment,
  isCancelled,
  isShort,
  moneyNewsOf,
  nextActOf,
  nextSteps,
  noteReturnByHand,
  orderRefundsAgain,
  type PaymentReport,
  refundPending,
  refundsOf,
  refuse,
  type Sale,
  unbookedMoneyOf,
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
  paying,
  stateOf,
  TOTAL,
  tellingAt,
} from '../support/sales.ts';

const NOW = { on: day('2026-12-04'), at: LATER };
const TOMORROW = { on: day('2026-12-05'), at: LATER };
const { chargeId } = APPROVED;
const told = tellingAt(NOW);
const back = (returned: number, amount = TOTAL as number, id = chargeId): PaymentReport => ({
  ...{ status: 'returned', chargeId: id, amount: cents(amount), returned: cents(returned) },
});
const gone = (id = chargeId): PaymentReport => ({
  ...{ status: 'unconfirmed', chargeId: id, amount: TOTAL },
});
const refusedRefund = (id = chargeId, words?: string): PaymentReport => ({
  ...{ status: 'refund_refused', chargeId: id, amount: TOTAL, ...(words && { words }) },
});
const decided = (sale: Sale, decision: 'accept' | 'return'): Sale =>
  stateOf(decidePayment(sale, decision, NOW));
const actionOf = (sale: Sale) => nextActOf(sale, LATER)?.action;
const newsOf = (before: Sale, after: Sale) => moneyNewsOf(before, after).map(({ kind }) => kind);

describe('money that was confirmed and is not shown as paid any more', () => {
  it('leaves the sale as it is, and makes a person find out where it is', () => {
    for (const sale of [PAID, ISSUED]) {
      const missing = told(sale, gone());
      expect(missing.status).to.equal(sale.status);
      expect(newsOf(sale, missing)).to.deep.equal(['payment_unconfirmed']);
      expect(nextActOf(missing, LATER)).to.deep.equal({
        ...{ actor: 'operator', action: 'check_payment' },
      });
      expect(nextSteps(missing, NOW)).to.deep.equal(['await']);
      expect(told(missing, gone())).to.equal(missing);
    }
  });

  it('is due back after a cancellation only when it is seen again', () => {
    const ended = cancelledOn(told(ISSUED, gone()) as typeof ISSUED, '2026-12-04');
    expect(ended.status).to.equal('cancelled');
    expect([refundPending(ended), nextSteps(ended, NOW)]).to.deep.equal([0, ['await']]);
    const again = told(ended, paying(TOTAL));
    expect([again.status, refundPending(again)]).to.deep.equal([
      'cancelled',
      ended.cancellation.refund.total,
    ]);
    expect(nextSteps(again, NOW)).to.deep.equal(['refund ch-1']);
    expect(newsOf(ended, again)).to.deep.equal([]);
  });

  it('is no more in question when it comes back', () => {
    const again = told(ISSUED, gone(), paying(TOTAL));
    expect(again).to.deep.equal(ISSUED);
  });

  it('is there by another way if an operator accepts it: the gateway cannot return it then', () => {
    const accepted = decided(told(PAID, gone()), 'accept');
    expect([accepted.status, nextSteps(accepted, NOW)]).to.deep.equal(['paid', ['issue', 'await']]);
    expect(told(accepted, gone())).to.equal(accepted);
    const ended = cancelledOn(accepted as typeof PAID, '2026-12-04');
    expect(refundsOf(ended)[0]).to.include({ status: 'barred', reason: 'paid_in_cash' });
    expect(actionOf(ended)).to.equal('return_money');
  });

  it('ends the sale if it is not there, and goes back if it comes after all', () => {
    const ended = decided(told(ISSUED, gone()), 'return');
    expect(ended.status).to.equal('refunded');
    expect(isCancelled(ended) && ended.cancellation.reason).to.equal('payment_lost');
    expect(refundPending(ended)).to.equal(0);
    const late = told(ended, paying(TOTAL));
    expect([late.status, refundPending(late)]).to.deep.equal(['cancelled', TOTAL]);
  });

  it('is decided about after the end of the sale, too, and of a second payment alone', () => {
    const ended = cancelledOn(told(ISSUED, gone()) as typeof ISSUED, '2026-12-04');
    expect(decided(ended, 'return').status).to.equal('refunded');
    expect(refundsOf(decided(ended, 'accept'))[0]).to.include({ reason: 'paid_in_cash' });
    const twice = told(ISSUED, paying(TOTAL, { chargeId: 'ch-2' }), gone('ch-2'));
    const one = decided(twice, 'return');
    expect([one.status, one.receipts.length, nextSteps(one, NOW)]).to.deep.equal([
      ...['issued', 1, []],
    ]);
  });

  it('of an unpaid sale does not make the payer pay again', () => {
    const short = told(AWAITING, paying(8_000), gone());
    expect(actionOf(short)).to.equal('check_payment');
    expect(decided(short, 'return')).to.include({ status: 'refused', reason: 'payment_returned' });
    const there = decided(short, 'accept');
    expect(actionOf(there)).to.equal('decide_payment');
    expect(decided(there, 'accept').status).to.equal('paid');
  });

  it('is nothing new where nothing of it was left, or it never came', () => {
    const returned = told(PAID, back(TOTAL));
    for (const sale of [returned, AWAITING]) expect(told(sale, gone())).to.equal(sale);
  });
});

describe('a sale in force that has lost a part of its price', () => {
  const short = told(ISSUED, back(TOTAL - 1));

  it('stays in force until an operator decides', () => {
    expect(short.status).to.equal('issued');
    expect(isShort(short)).to.equal(true);
    expect(nextActOf(short, LATER)).to.deep.equal({ actor: 'operator', action: 'decide_payment' });
    expect(moneyNewsOf(ISSUED, short)).to.deep.equal([
      { kind: 'payment_amount_differs', amount: 1, expected: TOTAL },
    ]);
    expect(newsOf(short, short)).to.deep.equal([]);
  });

  it('goes on if the rest is enough, until more goes back', () => {
    const half = told(ISSUED, back(10_000));
    const accepted = decided(half, 'accept');
    expect([accepted.status, actionOf(accepted)]).to.deep.equal(['issued', undefined]);
    expect(actionOf(told(accepted, back(10_001)))).to.equal('decide_payment');
    const ended = told(accepted, back(TOTAL));
    expect(isCancelled(ended) && ended.cancellation.reason).to.equal('charged_back');
  });

  it('ends if it is not: the rest goes back', () => {
    const ended = decided(short, 'return');
    expect(isCancelled(ended) && ended.cancellation.reason).to.equal('payment_lost');
    expect([ended.status, refundPending(ended)]).to.deep.equal(['cancelled', 1]);
  });
});

describe('several payments that are less than the price each', () => {
  const first = told(AWAITING, paying(8_000));
  const rest = TOTAL - 8_000;
  const both = told(first, paying(rest + 5, { chargeId: 'ch-2' }));

  it('pay the sale together, and the surplus goes back', () => {
    expect(both.status).to.equal('paid');
    expect(refundsOf(both).map(({ chargeId: id, amount }) => [id, amount])).to.deep.equal([
      ['ch-2', 5],
    ]);
    const third = told(both, paying(100, { chargeId: 'ch-3' }));
    expect(refundPending(third)).to.equal(105);
  });

  it('go back together when it is cancelled', () => {
    const ended = cancelledOn(both as typeof PAID, '2026-12-04');
    expect(ended.cancellation.refund.total).to.equal(TOTAL);
    expect(refundPending(ended)).to.equal(TOTAL + 5);
    expect(nextSteps(ended, NOW)).to.have.members(['refund ch-1', 'refund ch-2']);
  });

  it('are short together, and over together', () => {
    expect(actionOf(told(both, back(8_000, 8_000)))).to.equal('decide_payment');
    const all = told(both, back(8_000, 8_000), back(rest + 5, rest + 5, 'ch-2'));
    expect(all.status).to.equal('refunded');
  });

  it('wait for one decision where together they are still less', () => {
    const two = told(first, paying(100, { chargeId: 'ch-2' }));
    const accepted = decided(two, 'accept');
    expect([accepted.status, refundPending(accepted)]).to.deep.equal(['paid', 0]);
    expect(refundPending(decided(two, 'return'))).to.equal(8_100);
  });

  it('go back where one of them is not there', () => {
    const ended = decided(told(both, gone()), 'return');
    expect([ended.status, refundPending(ended)]).to.deep.equal(['cancelled', rest + 5]);
  });
});

describe('a payment that the gateway has seen and not confirmed', () => {
  const tomorrow = paying(TOTAL, { paidOn: TOMORROW.on });
  const examined: PaymentReport = { status: 'unknown', chargeId, amount: TOTAL };

  it('is not asked for again, until the gateway confirms it or waits for it again', () => {
    for (const seen of [told(AWAITING, tomorrow), told(AWAITING, examined)]) {
      expect(nextActOf(seen, LATER)).to.deep.equal({ actor: 'service', action: 'confirm_payment' });
      expect(nextActOf(told(seen, AWAITED), LATER)?.action).to.equal('pay');
      expect(told(seen, examined)).to.equal(seen);
      expect(stateOf(applyPaymentReport(seen, tomorrow, TOMORROW)).status).to.equal('paid');
    }
    const other = { ...examined, chargeId: 'ch-2' };
    expect(told(AWAITING, other)).to.equal(AWAITING);
  });

  it('may have come when the sale is cancelled', () => {
    const ended = cancelledOn(told(AWAITING, examined) as typeof AWAITING, '2026-12-04');
    expect(isCancelled(ended) && unbookedMoneyOf(ended)?.kind).to.equal('unknown');
  });
});

describe('refunds of one sale', () => {
  const twice = told(cancelledOn(ISSUED, '2026-12-04'), paying(TOTAL, { chargeId: 'ch-2' }));
  const refuseThrice = (id: string) =>
    told(twice, refusedRefund(id), refusedRefund(id), refusedRefund(id, 'Saldo insuficiente'));

  it('are steps of their own, with an attempt each', () => {
    expect(nextSteps(twice, NOW)).to.deep.equal(['refund ch-1', 'refund ch-2']);
    const begun = beginAttempt(beginAttempt(twice, 'refund ch-1', LATER), 'refund ch-2', LATER);
    expect(begun.attempts).to.have.length(2);
  });

  it('that the gateway refuses are ordered once a day after the third time', () => {
    expect(nextSteps(told(twice, refusedRefund()), NOW)).to.include('refund ch-1');
    const refused = refuseThrice('ch-1');
    expect(nextSteps(refused, NOW)).to.deep.equal(['refund ch-2', 'await']);
    expect(nextSteps(refused, TOMORROW)).to.deep.equal(['refund ch-2', 'refund ch-1']);
    expect(refundsOf(refused).find(({ chargeId: id }) => id === chargeId)).to.deep.include({
      ...{
        status: 'due',
        refused: { times: 3, lastAt: LATER, lastOn: NOW.on, words: 'Saldo insuficiente' },
      },
    });
    expect(actionOf(refused)).to.equal('return_money');
  });

  it('raise one alert with the reason of the gateway', () => {
    const [one, two] = [
      told(twice, refusedRefund()),
      told(twice, refusedRefund(), refusedRefund()),
    ];
    expect(newsOf(twice, one)).to.deep.equal([]);
    const refused = refuseThrice('ch-1');
    expect(moneyNewsOf(two, refused)).to.deep.equal([
      { kind: 'refund_refused', words: 'Saldo insuficiente' },
    ]);
    expect(newsOf(refused, told(refused, refusedRefund()))).to.deep.equal([]);
    expect(newsOf(AWAITING, refused)).to.include('refund_refused');
    expect(moneyNewsOf(twice, told(two, refusedRefund()))).to.deep.equal([
      { kind: 'refund_refused' },
    ]);
  });

  it('are ordered at once when a person asks for it, and are no more refused once ordered', () => {
    const refused = refuseThrice('ch-1');
    expect(nextSteps(orderRefundsAgain(refused), NOW)).to.include('refund ch-1');
    expect(orderRefundsAgain(twice)).to.equal(twice);
    const ordered = told(refused, { ...back(0), ordered: TOTAL } as PaymentReport);
    expect(ordered.receipts.every(({ refused: each }) => each === undefined)).to.equal(true);
    expect(told(twice, refusedRefund('ch-9'))).to.equal(twice);
    const part = told(twice, { ...back(0), ordered: cents(100) } as PaymentReport, refusedRefund());
    expect(told(part, back(100)).receipts.some(({ refused: each }) => each !== undefined)).to.equal(
      true,
    );
  });

  it('are noted by hand first where only a person can make them', () => {
    const refused = told(twice, refusedRefund('ch-2'));
    const noted = stateOf(noteReturnByHand(refused, TOTAL, NOW));
    expect(nextSteps(noted, NOW)).to.deep.equal(['refund ch-1']);
  });
});

describe('a decision', () => {
  it('is refused where nothing is in question', () => {
    for (const sale of [PAID, ISSUED, AWAITING])
      expect(decidePayment(sale, 'accept', NOW)).to.deep.equal(refuse('transition_not_possible'));
  });
});
