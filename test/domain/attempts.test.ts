import { expect } from 'chai';
import {
  attemptAt,
  beginAttempt,
  endAttempt,
  type Instant,
  isAttemptSettled,
  isAttemptStale,
  type SaleStep,
} from '#domain';
import { AT, AWAITING, LATER, PAID, pendingSale, TOTAL } from '../support/sales.ts';

const laterBy = (seconds: number): Instant =>
  new Date(Date.parse(AT) + seconds * 1_000).toISOString() as Instant;

describe('an attempt at a step of a sale', () => {
  it('is stored with its step and start time, beside the other open attempts', () => {
    const refunding = beginAttempt(PAID, 'refund ch-1', AT);
    expect(refunding).to.deep.equal({ ...PAID, attempts: [{ step: 'refund ch-1', since: AT }] });

    const both = beginAttempt(refunding, 'withdraw_papers', LATER);
    expect(both.attempts).to.deep.equal([
      { step: 'refund ch-1', since: AT },
      { step: 'withdraw_papers', since: LATER },
    ]);
    expect(attemptAt(both, 'withdraw_papers')).to.deep.equal(both.attempts?.[1]);
    expect(attemptAt(both, 'charge')).to.equal(undefined);
    expect(attemptAt(PAID, 'refund ch-1')).to.equal(undefined);
  });

  it('keeps its start time if the same step begins again', () => {
    const begun = beginAttempt(PAID, 'refund ch-1', AT);
    expect(beginAttempt(begun, 'refund ch-1', LATER)).to.equal(begun);
  });

  it('at a charge sets the payment of a pending sale to unknown', () => {
    expect(beginAttempt(pendingSale(), 'charge', AT)).to.deep.equal({
      ...pendingSale(),
      payment: { status: 'unknown', amount: TOTAL },
      attempts: [{ step: 'charge', since: AT }],
    });
    expect(beginAttempt(AWAITING, 'charge', AT).payment).to.equal(AWAITING.payment);
    expect(beginAttempt(pendingSale(), 'propose', AT).payment).to.deep.equal(pendingSale().payment);
  });

  it('at a quotation or a policy stores a draft quotation, unless the sale has documents', () => {
    const draft = { quotation: { status: 'draft' } };
    expect(beginAttempt(pendingSale(), 'quote', AT).issuance).to.deep.equal(draft);
    expect(beginAttempt(PAID, 'issue', AT).issuance).to.deep.equal(draft);

    const issuance = { quotation: { status: 'cancelled' } } as const;
    expect(beginAttempt({ ...PAID, issuance }, 'issue', AT).issuance).to.equal(issuance);
    for (const step of ['propose', 'charge', 'refund ch-1'] as const)
      expect(beginAttempt(pendingSale(), step, AT), step).not.to.have.property('issuance');
  });

  it('is removed when it ends, and the other attempts stay', () => {
    const one = beginAttempt(PAID, 'refund ch-1', AT);
    expect(endAttempt(one, 'refund ch-1')).to.deep.equal(PAID);

    const two = beginAttempt(one, 'withdraw_papers', LATER);
    expect(endAttempt(two, 'refund ch-1')).to.deep.equal({
      ...PAID,
      attempts: [{ step: 'withdraw_papers', since: LATER }],
    });
    expect(endAttempt(one, 'charge')).to.equal(one);
    expect(endAttempt(PAID, 'charge')).to.equal(PAID);
  });

  const AGES: readonly [number, { stale: boolean; settled: boolean }][] = [
    [0, { stale: false, settled: false }],
    [20, { stale: false, settled: false }],
    [20.001, { stale: true, settled: false }],
    [239.999, { stale: true, settled: false }],
    [240, { stale: true, settled: true }],
  ];
  for (const [seconds, { stale, settled }] of AGES) {
    it(`is ${stale ? '' : 'not '}stale and ${settled ? '' : 'not '}settled after ${seconds} s`, () => {
      const sale = beginAttempt(beginAttempt(PAID, 'withdraw_papers', LATER), 'refund ch-1', AT);
      expect(isAttemptStale(sale, 'refund ch-1', laterBy(seconds))).to.equal(stale);
      expect(isAttemptSettled(sale, 'refund ch-1', laterBy(seconds))).to.equal(settled);
    });
  }

  it('is neither stale nor settled if it never began', () => {
    for (const step of ['charge', 'refund ch-1'] satisfies SaleStep[]) {
      expect(isAttemptStale(PAID, step, LATER)).to.equal(false);
      expect(isAttemptSettled(PAID, step, LATER)).to.equal(false);
    }
  });
});
