import { expect } from 'chai';
import { awaitsPolicy } from '#domain';
import { salesInEveryState } from '../support/sales.ts';

describe('the time limits of the law', () => {
  it('concern sales that the service collects, from the sale to the policy', () => {
    const waiting = salesInEveryState().filter(awaitsPolicy);
    expect(new Set(waiting.map(({ status }) => status))).to.deep.equal(
      new Set(['pending', 'awaiting_payment', 'paid']),
    );
    for (const { terms, status } of waiting)
      if (status === 'paid') expect(terms.payment.collectedBy).to.equal('service');
    const bilhetes = salesInEveryState().filter(
      ({ status, terms }) => status === 'paid' && terms.payment.collectedBy === 'channel',
    );
    expect(bilhetes).to.have.length.above(0);
    expect(bilhetes.some(awaitsPolicy)).to.equal(false);
  });
});
