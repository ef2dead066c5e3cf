import { expect } from 'chai';
import {
  applyPaymentReport,
  beginAttempt,
  canBeOrdered,
  cents,
  type Dispute,
  disputeOf,
  nextActOf,
  nextSteps,
  noteReturnByHand,
  outstandingRefunds,
  type PaymentReport,
  type ReceivedReport,
  type ReturnReport,
  refundPending,
  refundsOf,
  refuse,
  type Sale,
} from '#domain';
import {
  APPROVED,
  AWAITED,
  AWAITING,
  cancelledOn,
  day,
  dueOf,
  LATER,
  paidSale,
  stateOf,
  TOTAL,
  tellingAt,
} from '../support/sales.ts';

const NOW = { on: day('2026-12-05'), at: LATER };
const TUESDAY = { on: day('2026-12-08'), at: LATER };
const OPENED: Dispute = { status: 'opened', amount: TOTAL, respondBy: day('2026-12-15') };
const WON: Dispute = { ...OPENED, status: 'won' };
const { chargeId } = APPROVED;

const arrived = (held: Partial<ReceivedReport> = {}): ReceivedReport => ({ ...APPROVED, ...held });
const told = tellingAt(NOW);
const back = (
  returned: number,
  ordered?: number,
  over: Partial<ReturnReport> = {},
): ReturnReport => ({
  ...{ status: 'returned', amount: TOTAL, chargeId, returned: cents(returned) },
  ...(ordered !== undefined && { ordered: cents(ordered) }),
  ...over,
});
const undone = (returned = 0, ordered = returned): PaymentReport => ({
  ...{ status: 'undone', amount: TOTAL, chargeId },
  ...{ returned: cents(returned), ordered: cents(ordered) },
});
const NOT_POSSIBLE = refuse('transition_not_possible');
const paid = told(AWAITING, arrived()) as Extract<Sale, { status: 'paid' }>;
const cancelled = (held?: Partial<ReceivedReport>) =>
  cancelledOn(told(paid, arrived(held)) as typeof paid, '2026-12-05');
const actOf = (sale: Sale) => nextActOf(sale, LATER);
const statesOf = (sale: Sale) => refundsOf(sale).map(({ status }) => status);
const events = (outcome: ReturnType<typeof applyPaymentReport>) =>
  'events' in outcome ? outcome.events.map(({ kind }) => kind) : [];

describe('a refund that the gateway cannot make', () => {
  it('is not ordered while the payment is in dispute: the gateway is asked how it ends', () => {
    const disputed = cancelled({ dispute: OPENED });
    expect(disputed.status).to.equal('cancelled');
    expect(refundsOf(disputed)[0]).to.include({ status: 'barred', reason: 'dispute' });
    expect(nextSteps(disputed, NOW)).to.deep.equal(['await']);
    expect(actOf(disputed)).to.deep.equal({
      ...{ actor: 'operator', action: 'answer_dispute', until: '2026-12-15' },
    });
    const { respondBy: _, ...unnamed } = OPENED;
    expect(actOf(cancelled({ dispute: unnamed }))).not.to.have.property('until');
  });

  it('is ordered when the dispute is won, or withdrawn', () => {
    for (const dispute of [WON, undefined]) {
      const free = told(cancelled({ dispute: OPENED }), arrived(dispute && { dispute }));
      expect(statesOf(free)).to.deep.equal(['due']);
      expect(disputeOf(free)?.status).to.equal('won');
      expect(nextSteps(free, NOW)).to.deep.equal(['refund ch-1']);
      expect(actOf(free)).to.deep.equal({ actor: 'service', action: 'refund' });
    }
  });

  it('is a task for a person where the payment was in cash', () => {
    const inCash = cancelledOn(
      told(AWAITING, arrived({ inCash: true })) as typeof paid,
      '2026-12-05',
    );
    expect(nextSteps(inCash, NOW)).to.deep.equal(['await']);
    expect(refundsOf(inCash)[0]).to.include({ status: 'barred', reason: 'paid_in_cash' });
    expect(actOf(inCash)).to.deep.equal({ actor: 'operator', action: 'return_money' });
    expect(inCash.payment).to.deep.equal(APPROVED);
  });

  it('is a part of what the gateway can only return as a whole', () => {
    const held = { returnsWholeOnly: true } as const;
    const whole = cancelled(held);
    expect(nextSteps(whole, NOW)).to.deep.equal(['refund ch-1']);
    const part = told(whole, back(1)) as typeof whole;
    const kept = {
      ...part,
      cancellation: { ...part.cancellation, kept: { net: 5, iof: 0, total: 5 } },
    };
    expect(refundsOf(kept as Sale)[1]).to.include({ status: 'barred', reason: 'whole_only' });
    expect(nextSteps(kept as Sale, NOW)).to.deep.equal(['await']);
  });

  it('is noted by hand once a person has made it: the gateway then never returns the whole', () => {
    const surplus = told(AWAITING, arrived({ amount: cents(TOTAL + 476), returnsWholeOnly: true }));
    expect(actOf({ ...surplus, status: 'issued' } as Sale)?.action).to.equal('return_money');
    const noted = stateOf(noteReturnByHand(surplus, cents(476), NOW)) as typeof paid;
    expect(refundsOf(noted)).to.have.length(1);
    expect(refundsOf(noted)[0]).to.include({ status: 'done', amount: 476, confirmedAt: LATER });
    expect(noteReturnByHand(noted, cents(1), NOW)).to.deep.equal(NOT_POSSIBLE);

    const ended = cancelledOn(noted, '2026-12-05');
    expect(refundPending(ended)).to.equal(TOTAL);
    expect(refundsOf(ended)[1]).to.include({ status: 'barred', reason: 'whole_only' });
    expect(nextSteps(ended, NOW)).to.deep.equal(['await']);
    expect(noteReturnByHand(ended, cents(TOTAL + 1), NOW)).to.deep.equal(NOT_POSSIBLE);
    expect(stateOf(noteReturnByHand(ended, TOTAL, NOW))).to.include({ status: 'refunded' });
  });

  it('is noted by hand only if it is due and the gateway was not asked for it', () => {
    const whole = cancelled({ returnsWholeOnly: true });
    const asked = beginAttempt(cancelled(), 'refund ch-1', NOW.at);
    for (const sale of [asked, cancelled({ dispute: OPENED }), told(whole, back(0, TOTAL))])
      expect(noteReturnByHand(sale, cents(1), NOW)).to.deep.equal(NOT_POSSIBLE);
    const channel = cancelledOn(paidSale(), '2026-11-22');
    const short = told(AWAITING, arrived({ amount: cents(5), inCash: true }));
    for (const sale of [channel, short])
      expect(noteReturnByHand(sale, cents(1), NOW)).to.deep.equal(NOT_POSSIBLE);
    for (const sale of [cancelled(), cancelled({ inCash: true })])
      expect(stateOf(noteReturnByHand(sale, TOTAL, NOW))).to.include({ status: 'refunded' });
  });

  it('is noted by hand beside what is on its way', () => {
    const part = told(cancelled({ returnsWholeOnly: true }), back(0, 1_000));
    expect(refundsOf(part).map(({ status, amount }) => [status, amount])).to.deep.equal([
      ['ordered', 1_000],
      ['barred', TOTAL - 1_000],
    ]);
    expect(noteReturnByHand(part, cents(TOTAL - 999), NOW)).to.deep.equal(NOT_POSSIBLE);
    const noted = stateOf(noteReturnByHand(part, cents(TOTAL - 1_000), NOW)) as typeof paid;
    expect(refundPending(noted)).to.equal(1_000);
    expect(told(noted, back(1_000))).to.include({ status: 'refunded' });
  });

  it('does not hold up the refund of another charge', () => {
    const twice = told(paid, arrived({ dispute: OPENED }), arrived({ chargeId: 'ch-2' }));
    expect(dueOf(twice)).to.deep.equal([{ chargeId: 'ch-2', amount: TOTAL, upTo: TOTAL }]);
    expect(nextSteps(twice, NOW)).to.include.members(['refund ch-2', 'await']);
  });

  it('is known with its day, and told once', () => {
    const disputed = told(paid, arrived({ dispute: OPENED }));
    const again = applyPaymentReport(disputed, arrived({ dispute: OPENED }), NOW);
    expect(stateOf(again)).to.equal(disputed);
    const others: Partial<ReceivedReport>[] = [
      { dispute: { ...OPENED, respondBy: day('2026-12-20') } },
      { dispute: { ...OPENED, amount: cents(1) } },
      { dispute: WON },
      { dispute: OPENED, inCash: true },
      { dispute: OPENED, returnsWholeOnly: true },
    ];
    for (const held of others) {
      const moved = applyPaymentReport(disputed, arrived(held), NOW);
      expect(events(moved)).to.deep.equal(['refund_moved']);
      expect(disputeOf(stateOf(moved))).to.include({ ...held.dispute, openedAt: LATER });
    }
  });

  it('keeps its dispute when a part has gone back, and shows the open one of several', () => {
    const disputed = told(paid, arrived({ dispute: OPENED }), back(100));
    expect(disputed.receipts[0]).to.deep.include({ returned: 100 });
    const lost = arrived({ chargeId: 'ch-2', dispute: { ...OPENED, status: 'lost' } });
    expect(disputeOf(told(disputed, lost))?.status).to.equal('opened');
    expect(disputeOf(told(paid, lost))?.status).to.equal('lost');
    expect(disputeOf(paid)).to.equal(undefined);
  });
});

describe('cash that was noted by hand, and is noted no more', () => {
  const inCash = told(AWAITING, arrived({ inCash: true })) as typeof paid;

  it('is also noted no more on a second charge, of another amount, or one that is closed', () => {
    const second = { chargeId: 'ch-2', amount: cents(5) };
    const twice = told(paid, arrived({ ...second, inCash: true }));
    for (const gone of [AWAITED, { status: 'expired' } as const])
      expect(
        told(twice, { ...AWAITED, ...gone, ...second } as PaymentReport).receipts,
      ).to.deep.equal(paid.receipts);
  });

  it('leaves a charge that can be paid again: it is closed, once', () => {
    const ended = told(cancelledOn(inCash, '2026-12-05'), AWAITED);
    expect(nextSteps(ended, NOW)).to.deep.equal(['withdraw_charge']);
    const closed = told(ended, { status: 'expired', amount: TOTAL, chargeId });
    expect(closed.status).to.equal('refunded');
    expect(nextSteps(closed, NOW)).to.deep.equal([]);
    expect(told(closed, { status: 'expired', amount: TOTAL, chargeId })).to.equal(closed);
  });

  it('leaves a sale that is not issued without its premium', () => {
    const without = told(inCash, AWAITED);
    expect(nextSteps(without, NOW)).to.deep.equal(['await']);
    expect(actOf(without)).to.deep.equal({ actor: 'service', action: 'confirm_payment' });
    expect(nextSteps(told(without, arrived()), NOW)).to.deep.equal(['issue']);
  });

  it('ends the refund of a cancelled sale: a person has returned it', () => {
    const outcome = applyPaymentReport(cancelledOn(inCash, '2026-12-05'), AWAITED, NOW);
    expect(stateOf(outcome)).to.deep.include({ status: 'refunded', receipts: [] });
    expect(events(outcome)).to.deep.equal(['moved', 'receipt_undone']);
  });

  it('leaves a paid sale without its premium: nothing is due if it is cancelled', () => {
    const without = told(inCash, AWAITED) as typeof paid;
    expect(without).to.deep.include({ status: 'paid', receipts: [] });
    const ended = cancelledOn(without, '2026-12-05');
    expect(ended).to.deep.include({ status: 'cancelled' });
    expect(ended.cancellation).to.deep.include({ paid: { net: 0, iof: 0, total: 0 } });
  });
});

describe('a refund that failed before it was due', () => {
  it('does not delay the one that is due later', () => {
    const before = told({ ...paid, status: 'issued' } as Sale, back(500), undone());
    const ended = cancelledOn({ ...before, status: 'paid' } as typeof paid, '2026-12-07');
    expect(refundsOf(ended)[0]).to.include({ status: 'due', dueOn: '2026-12-07' });
  });
});

describe('a refund that is on its way', () => {
  const onItsWay = told(cancelled(), back(0, TOTAL));

  it('is not ordered again, and has not left: the sale is not refunded yet', () => {
    expect(onItsWay.status).to.equal('cancelled');
    expect(dueOf(onItsWay)).to.deep.equal([
      { chargeId, amount: TOTAL, upTo: TOTAL, isOrdered: true },
    ]);
    expect(nextSteps(onItsWay, NOW)).to.deep.equal(['await']);
    expect(actOf(onItsWay)).to.deep.equal({ actor: 'service', action: 'refund' });
    expect(told(onItsWay, arrived())).to.equal(onItsWay);
  });

  it('ends the sale as refunded when it has left', () => {
    const refunded = told(onItsWay, back(TOTAL));
    expect(refunded.status).to.equal('refunded');
    const times = { orderedAt: LATER, returnedAt: LATER };
    expect(refunded.receipts[0]).to.deep.equal({
      ...{ chargeId, amount: TOTAL, returned: TOTAL, ...times },
    });
    expect(refundPending(refunded)).to.equal(0);
  });

  it('holds up the policy of a sale that was not cancelled, and ends it when it has left', () => {
    expect(nextSteps(told(paid, back(0, TOTAL)), NOW)).to.deep.equal(['await']);
    expect(nextSteps(told(paid, back(0, 100)), NOW)).to.deep.equal(['issue', 'await']);
    expect(told(paid, back(0, TOTAL), back(TOTAL)).status).to.equal('refunded');
  });

  it('is no news where an earlier version has counted it as returned', () => {
    const refunded = told(cancelled(), back(TOTAL));
    const said = (report: ReturnReport) => applyPaymentReport(refunded, report, NOW);
    expect(said(back(0, TOTAL))).to.deep.include({
      events: [{ kind: 'ignored', because: 'repeated' }],
    });
    expect(said(back(0, 100))).to.deep.include({ events: [{ kind: 'ignored', because: 'late' }] });
  });

  it('comes after a dispute about another charge in what an operator reads', () => {
    const twice = told(cancelled({ dispute: OPENED }), arrived({ chargeId: 'ch-2' }));
    expect(actOf(twice)).to.deep.equal({ actor: 'service', action: 'refund' });
    const ordered = told(twice, back(0, TOTAL, { chargeId: 'ch-2' }));
    expect(actOf(ordered)).to.include({ actor: 'operator', action: 'answer_dispute' });
  });

  it('is reported once, and refused where more is ordered than came', () => {
    expect(events(applyPaymentReport(onItsWay, back(0, TOTAL), NOW))).to.deep.equal(['ignored']);
    expect(events(applyPaymentReport(cancelled(), back(0, TOTAL), NOW))).to.deep.equal([
      'refund_moved',
    ]);
    const differs = refuse('refund_amount_differs', TOTAL);
    expect(applyPaymentReport(cancelled(), back(0, TOTAL + 1), NOW)).to.deep.equal(differs);
    expect(applyPaymentReport(cancelled(), back(2, 1), NOW)).to.deep.equal(differs);
  });
});

describe('a refund that failed after it was ordered or reported', () => {
  it('makes the sale a cancelled one again, whose refund is ordered on the next bank day', () => {
    const refunded = told(cancelled(), back(TOTAL));
    const outcome = applyPaymentReport(refunded, undone(), NOW);
    const again = stateOf(outcome);
    expect(again.status).to.equal('cancelled');
    expect(events(outcome)).to.deep.equal(['moved', 'refund_undone', 'refund_due']);
    expect(statesOf(again)).to.deep.equal(['undone']);
    expect(refundPending(again)).to.equal(TOTAL);
    // Saturday and Sunday are no bank days.
    expect(outstandingRefunds(again)[0]?.dueOn).to.equal('2026-12-07');
    expect(nextSteps(again, NOW)).to.deep.equal(['await']);
    expect(nextSteps(again, TUESDAY)).to.deep.equal(['refund ch-1']);
    expect(told(again, back(0, TOTAL)).receipts[0]).not.to.have.property('undoneOn');
    expect(told(again, back(TOTAL)).status).to.equal('refunded');
  });

  it('may be a part of it, and may have been on its way', () => {
    const [onItsWay, refunded] = [
      told(cancelled(), back(0, TOTAL)),
      told(cancelled(), back(TOTAL)),
    ];
    expect(statesOf(told(onItsWay, undone()))).to.deep.equal(['undone']);
    expect(dueOf(told(refunded, undone(500)))).to.deep.equal([
      { chargeId, amount: TOTAL - 500, upTo: TOTAL },
    ]);
    const rest = told(refunded, undone(500, 700));
    expect(rest.receipts[0]).to.include({ returned: 500, ordered: 700 });
    expect(told(rest, back(700)).receipts[0]).to.include({ returned: 700, undoneOn: '2026-12-05' });
  });

  it('is on its way where it was counted as returned too early', () => {
    const outcome = applyPaymentReport(told(cancelled(), back(TOTAL)), undone(0, TOTAL), NOW);
    expect(stateOf(outcome).status).to.equal('cancelled');
    expect(events(outcome)).to.deep.equal(['moved', 'refund_moved', 'refund_due']);
    expect(statesOf(stateOf(outcome))).to.deep.equal(['ordered']);
    expect(stateOf(outcome).receipts[0]).not.to.have.property('undoneOn');
  });

  it('is reported once, and changes nothing else', () => {
    const again = told(cancelled(), back(TOTAL), undone());
    expect(told(again, undone())).to.equal(again);
    expect(told(paid, { ...undone(), chargeId: 'ch-0' } as PaymentReport)).to.equal(paid);
    expect(told(paid, back(5), undone()).status).to.equal('paid');
    // The bank takes one cent back.
    const part = told(told(cancelledOn(paid, '2026-12-05'), back(TOTAL)), undone(TOTAL - 1));
    expect(part.status).to.equal('cancelled');
    const withdrawn = cancelledOn(paidSale(), '2026-11-21');
    const all = { status: 'returned', amount: TOTAL, returned: TOTAL } as const;
    const none = { status: 'undone', amount: TOTAL, returned: cents(0) } as const;
    expect(told(withdrawn, all, none).status).to.equal('cancelled');
  });

  it('stays refunded where all that was due has left nevertheless', () => {
    const kept = cancelledOn({ ...paid, status: 'issued', policy: POLICY_OF(paid) }, '2026-12-10');
    const more = told(kept, back(TOTAL));
    expect(told(more, undone(kept.cancellation.refund.total)).status).to.equal('refunded');
  });
});

const POLICY_OF = ({ terms }: Sale) =>
  ({ status: 'active', number: 'P-1', issuedAt: LATER, period: terms.period }) as const;

describe('a refund that waits for a person', () => {
  const url = 'https://pay.example/refund/1';
  const waiting = (at = NOW, page?: string) =>
    stateOf(
      applyPaymentReport(
        cancelled(),
        back(0, TOTAL, { waitsFor: { actor: 'insured', ...(page && { url: page }) } }),
        at,
      ),
    );

  it('is for the payer to name an account, on the page of the gateway', () => {
    const sale = waiting(NOW, url);
    expect(actOf(sale)).to.deep.equal({
      ...{ actor: 'insured', action: 'name_account', url, until: '2026-12-19' },
    });
    expect(refundsOf(sale)[0]).to.include({ status: 'waiting_payer', url, amount: TOTAL });
    expect(refundPending(sale)).to.equal(TOTAL);
    expect(nextSteps(sale, TUESDAY)).to.deep.equal(['await']);
  });

  it('keeps the page, which only the answer to the order names', () => {
    const report = back(0, TOTAL, { waitsFor: { actor: 'insured' } });
    const sale = waiting(NOW, url);
    expect(stateOf(applyPaymentReport(sale, report, NOW))).to.equal(sale);
    expect(actOf(waiting())).not.to.have.property('url');
    expect(refundsOf(waiting())[0]).not.to.have.property('url');
    const named = applyPaymentReport(
      waiting(),
      { ...report, waitsFor: { actor: 'insured', url } },
      NOW,
    );
    expect(actOf(stateOf(named))).to.include({ url });
  });

  it('asks the payer three times, every five days', () => {
    const asked = (on: string, sale = waiting(NOW, url)) =>
      stateOf(
        applyPaymentReport(sale, back(0, TOTAL, { waitsFor: { actor: 'insured' } }), {
          ...{ on: day(on), at: LATER },
        }),
      ).receipts[0]?.waitsFor?.asked;
    const days = [
      '2026-12-09',
      '2026-12-10',
      '2026-12-15',
      '2026-12-19',
      '2026-12-20',
      '2027-03-01',
    ];
    expect(days.map((on) => asked(on))).to.deep.equal([1, 2, 3, 3, 4, 4]);
  });

  it('is for the operator to authorize at the gateway', () => {
    const sale = told(cancelled(), back(0, TOTAL, { waitsFor: { actor: 'operator' } }));
    expect(actOf(sale)).to.deep.equal({ actor: 'operator', action: 'authorize_refund' });
    expect(statesOf(sale)).to.deep.equal(['ordered']);
    const then = told(sale, back(0, TOTAL, { waitsFor: { actor: 'insured' } }));
    expect(actOf(then), 'without a page').to.include({ action: 'authorize_refund' });
    const paged = told(sale, back(0, TOTAL, { waitsFor: { actor: 'insured', url } }));
    expect(actOf(paged)).to.include({ actor: 'insured', until: '2026-12-19' });
    expect(told(sale, back(0, TOTAL)).receipts[0]).not.to.have.property('waitsFor');
  });
});

describe('the refunds of a sale', () => {
  it('name what has left and what has not, of each charge', () => {
    const twice = told(paid, arrived({ chargeId: 'ch-2' }), back(500, 500, { chargeId: 'ch-2' }));
    const of = { chargeId: 'ch-2', by: 'gateway', method: 'credit' } as const;
    const about = { ...of, dueOn: '2026-12-05', orderedAt: LATER };
    expect(refundsOf(twice)).to.deep.equal([
      { ...about, amount: 500, status: 'done', confirmedAt: LATER },
      { ...about, amount: TOTAL - 500, status: 'due' },
    ]);
    expect(refundPending(twice)).to.equal(TOTAL - 500);
    expect(refundsOf(paid)).to.deep.equal([]);
  });

  it('are returned by the channel where it collected, and are due since the sale has ended', () => {
    const withdrawn = cancelledOn(paidSale(), '2026-11-22');
    expect(refundsOf(withdrawn)).to.deep.equal([
      { by: 'channel', method: 'pix', amount: TOTAL, status: 'due', dueOn: '2026-11-22' },
    ]);
    expect(outstandingRefunds(withdrawn).some((each) => canBeOrdered(each, NOW.on))).to.equal(
      false,
    );
  });

  it('say nothing of the method or time that early sales do not have', () => {
    const { method: _, ...payment } = APPROVED;
    const early: Sale = {
      ...cancelledOn(paid, '2026-12-05'),
      payment,
      receipts: [{ chargeId, amount: TOTAL, returned: cents(5) }],
    };
    expect(refundsOf(early)[0]).to.deep.equal({
      ...{ chargeId, by: 'gateway', amount: 5, status: 'done', dueOn: '2026-12-05' },
    });
  });
});
