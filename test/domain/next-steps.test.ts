import { expect } from 'chai';
import {
  applyPaymentReport,
  beginAttempt,
  cents,
  expireSale,
  type Instant,
  type Issuance,
  nextSteps,
  refuseSale,
  type Sale,
  type ServicePayment,
} from '#domain';
import {
  APPROVED,
  AT,
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
const laterBy = (from: Instant, ms: number): Instant =>
  new Date(Date.parse(from) + ms).toISOString() as Instant;

const steps = (sale: Sale, at: Instant = LATER) => nextSteps(sale, { ...NOW, at });

const BINDING: Issuance = {
  quotation: {
    status: 'issued',
    number: 'Q-1',
    validUntil: day('2027-01-01'),
    amounts: { net: cents(1), iof: cents(1), total: cents(2) },
  } as never,
};

describe('the next steps of a sale', () => {
  it('are empty in every status of a sale that the channel collects', () => {
    const ofChannel = salesInEveryState().filter(
      ({ terms }) => terms.payment.collectedBy === 'channel',
    );
    expect(ofChannel.length).to.be.at.least(1);
    for (const sale of ofChannel) expect(steps(sale)).to.deep.equal([]);
    expect(steps(cancelledOn(paidSale(), '2026-11-21'))).to.deep.equal([]);
  });

  it('begin with the charge if the insurer does not underwrite before the payment', () => {
    expect(steps(pendingSale())).to.deep.equal(['charge']);
  });

  it('are quotation, proposal and charge if the insurer underwrites before the payment', () => {
    const payment: ServicePayment = {
      collectedBy: 'service',
      installments: 1,
      underwriting: 'before_payment',
    };
    const pending = pendingSale({ payment });
    expect(steps(pending)).to.deep.equal(['quote']);
    expect(steps({ ...pending, issuance: { quotation: { status: 'draft' } } })).to.deep.equal([
      'quote',
    ]);
    expect(steps({ ...pending, issuance: BINDING })).to.deep.equal(['propose']);
    const proposal = { status: 'issued', number: 'P-1' } as never;
    expect(steps({ ...pending, issuance: { ...BINDING, proposal } })).to.deep.equal(['charge']);
  });

  it('are to resume an open charge attempt, or to await a charge with an unknown outcome', () => {
    const asked = beginAttempt(pendingSale(), 'charge', AT);
    expect(steps(asked)).to.deep.equal(['charge']);
    if (asked.status !== 'pending') throw new Error(asked.status);
    expect(steps(stateOf(expireSale(asked, { closedAt: LATER })))).to.deep.equal(['charge']);

    const { attempts: _, ...noAttempt } = asked;
    expect(steps(noAttempt)).to.deep.equal(['await']);
    const named = { ...asked, payment: { ...asked.payment, chargeId: 'ch-1' } };
    expect(steps(named)).to.deep.equal(['await']);
    const other = beginAttempt(noAttempt as Sale, 'refund ch-1', AT);
    expect(steps(other)).to.deep.equal(['await']);
    expect(steps(beginAttempt(PAID, 'charge', AT))).to.deep.equal(['issue']);
  });

  it('are to await the payer until the charge expires, and then to withdraw the charge', () => {
    expect(steps(AWAITING)).to.deep.equal(['await']);
    const until = { ...AWAITING, payment: { ...AWAITED, until: LATER } };
    expect(steps(until, laterBy(LATER, -1))).to.deep.equal(['await']);
    expect(steps(until, LATER)).to.deep.equal(['withdraw_charge']);
  });

  it('are to issue a paid sale, and are empty for an issued sale', () => {
    expect(steps(PAID)).to.deep.equal(['issue']);
    expect(steps(ISSUED)).to.deep.equal([]);
    expect(steps({ ...ISSUED, issuance: { ...BINDING, policy: 'active' } })).to.deep.equal([]);
  });

  it('begin with the refund that is due', () => {
    const twice = stateOf(applyPaymentReport(PAID, { ...APPROVED, chargeId: 'ch-2' }, NOW));
    expect(steps(twice)).to.deep.equal(['refund ch-2', 'issue']);
    const cancelled = cancelledOn(PAID, '2026-11-21');
    expect(steps(cancelled)).to.deep.equal(['refund ch-1']);
    const unnamed = { ...cancelled, receipts: [{ amount: TOTAL, returned: cents(0) }] };
    expect(steps(unnamed), 'a receipt without a charge id').to.deep.equal([]);
  });

  describe('of a sale that has ended', () => {
    const ended = (payment: object, over: object = {}): Sale =>
      ({
        ...stateOf(refuseSale(pendingSale(), { reason: 'not_charged', closedAt: LATER })),
        payment: { amount: TOTAL, ...payment },
        ...over,
      }) as Sale;

    it('are to withdraw a charge that can still be paid', () => {
      const open = { status: 'awaited', chargeId: 'ch-1', url: 'https://pay.example/1' };
      expect(steps(ended(open))).to.deep.equal(['withdraw_charge']);
      expect(steps(ended({ status: 'unknown', chargeId: 'ch-1' }))).to.deep.equal([
        'withdraw_charge',
      ]);
      expect(steps(ended({ status: 'expired', chargeId: 'ch-1' }))).to.deep.equal([]);
      const receipts = [{ chargeId: 'ch-1', amount: TOTAL, returned: TOTAL }];
      expect(steps(ended(open, { receipts }))).to.deep.equal([]);
      const others = [{ chargeId: 'ch-2', amount: TOTAL, returned: TOTAL }];
      expect(steps(ended(open, { receipts: others }))).to.deep.equal(['withdraw_charge']);
    });

    it('are to withdraw documents that the insurer still holds', () => {
      const requested = { status: 'requested' };
      expect(steps(ended(requested, { issuance: BINDING }))).to.deep.equal(['withdraw_papers']);
      const issuance = { quotation: { status: 'cancelled' } };
      expect(steps(ended(requested, { issuance }))).to.deep.equal([]);
      expect(steps(ended(requested))).to.deep.equal([]);
      const asked = beginAttempt(ended(requested), 'charge', AT);
      expect(steps(asked), 'a charge that was never ordered').to.deep.equal([]);
    });

    it('are to await an unknown charge until 24 hours after the sale ended', () => {
      const lost = ended({ status: 'unknown' });
      expect(steps(lost, laterBy(LATER, 24 * 3_600_000 - 1))).to.deep.equal(['await']);
      expect(steps(lost, laterBy(LATER, 24 * 3_600_000))).to.deep.equal([]);
      expect(steps(ended({ status: 'requested' }))).to.deep.equal([]);

      const cancelled = { ...cancelledOn(AWAITING, '2026-11-21'), cancelledAt: LATER };
      const unknown = { ...cancelled, payment: { status: 'unknown', amount: TOTAL } } as Sale;
      expect(steps(unknown, LATER)).to.deep.equal(['await']);
      expect(steps(unknown, laterBy(LATER, 24 * 3_600_000))).to.deep.equal([]);
    });

    it('are to withdraw both the charge and the documents if both are open', () => {
      const open = { status: 'awaited', chargeId: 'ch-1', url: 'https://pay.example/1' };
      expect(steps(ended(open, { issuance: BINDING }))).to.deep.equal([
        'withdraw_charge',
        'withdraw_papers',
      ]);
    });
  });
});
