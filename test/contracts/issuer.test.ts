import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { IssuanceOrder, IssuerAnswer, IssuerStep } from '../../application/issuance/issuer.ts';
import { ISSUERS, overEach } from '../support/providers.ts';
import { terms } from '../support/sales.ts';
import { inDays } from '../support/today.ts';

const today = inDays(0);

const order = (over: Partial<IssuanceOrder> = {}): IssuanceOrder => ({
  reference: `7-${randomUUID()}`,
  terms: terms(),
  on: today,
  ...over,
});

const documents = (answer: IssuerAnswer) => {
  if (typeof answer === 'string') throw new Error(`no documents: ${answer}`);
  return answer;
};

overEach('an insurer', ISSUERS, (tested) => {
  const perform = async (step: IssuerStep, given: IssuanceOrder) =>
    documents(await tested().issuer.perform(step, given));

  it('quotes, accepts the proposal, and issues once the sale is paid', async () => {
    const given = order();
    const { amounts } = { amounts: terms().quote.premium };
    const quoted = await perform('quote', given);
    expect(quoted.quotation).to.deep.include({
      status: 'quoted',
      amounts: { net: amounts.net, iof: amounts.iof, total: amounts.total },
    });
    expect(quoted.policy).to.equal(undefined);
    const proposed = await perform('propose', given);
    expect(proposed.proposal).to.deep.include({
      quotationNumber: (quoted.quotation as { number: string }).number,
    });
    expect(proposed.policy).to.equal(undefined);
    const issued = await perform('issue', { ...given, paidOn: today });
    expect(issued.quotation?.status).to.equal('issued');
    expect(issued.proposal?.status).to.equal('policy');
    expect(issued.policy).to.deep.include({ status: 'active', period: terms().period });
    expect(issued.policy?.number).to.equal(
      (issued.proposal as { policyNumber: string }).policyNumber,
    );
    expect(await tested().issuer.find(given.reference)).to.deep.equal(issued);
  });

  it('issues without a previous quotation', async () => {
    const issued = await perform('issue', order({ paidOn: today }));
    expect([
      issued.quotation?.status,
      issued.proposal?.status,
      issued.policy?.status,
    ]).to.deep.equal(['issued', 'policy', 'active']);
  });

  it('returns the same documents when a step is ordered repeatedly or simultaneously', async () => {
    const given = order({ paidOn: today });
    const all = await Promise.all(Array.from({ length: 20 }, () => perform('issue', given)));
    for (const each of all) expect(each).to.deep.equal(all[0]);
    const other = await perform('issue', order({ paidOn: today }));
    expect(other.policy?.number).not.to.equal(all[0]?.policy?.number);
  });

  it('issues nothing for a withdrawn order, at any step', async () => {
    for (const steps of [
      [],
      ['quote'],
      ['quote', 'propose'],
      ['quote', 'propose', 'issue'],
    ] as const) {
      const given = order({ paidOn: today });
      for (const step of steps) await perform(step, given);
      await tested().issuer.perform('withdraw', given);
      const late = await tested().issuer.perform('issue', given);
      const { quotation, policy } = typeof late === 'string' ? {} : late;
      expect(policy?.status, steps.join()).to.equal(steps.length === 3 ? 'cancelled' : undefined);
      expect(quotation?.status ?? 'cancelled').to.equal('cancelled');
    }
  });

  it('finds nothing for an unknown reference', async () => {
    expect(await tested().issuer.find(order().reference)).to.equal('nothing');
  });
});
