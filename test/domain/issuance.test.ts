import { expect } from 'chai';
import {
  type AcceptedProposal,
  acceptProposal,
  analyse,
  cancelPolicy,
  cancelProposal,
  cancelQuotation,
  type DraftQuotation,
  expireQuotation,
  followPolicy,
  followProposal,
  followQuotation,
  isInForce,
  issueQuotation,
  price,
  propose,
  type QuotedQuotation,
  refuse,
  rejectProposal,
  rejectQuotation,
  type SubmittedProposal,
  turnIntoPolicy,
  ZERO,
} from '#domain';
import { day, POLICY } from '../support/sales.ts';

const moved = (from: string, to: string) => [{ kind: 'moved', from, to }];
const ignored = (because: string) => [{ kind: 'ignored', because }];

const draft: DraftQuotation = { status: 'draft' };
const named = { number: 'Q-1', amounts: { net: ZERO, iof: ZERO, total: ZERO }, validUntil: day('2026-11-30') };
const quoted: QuotedQuotation = { ...named, status: 'quoted' };

describe('a quotation', () => {
  it('gets its price', () => {
    expect(price(draft, named)).to.deep.equal({ state: quoted, events: moved('draft', 'quoted') });
  });

  it('is issued on the last day of its price, not after', () => {
    expect(issueQuotation(quoted, 'P-1', day('2026-11-30'))).to.deep.equal({
      state: { ...named, status: 'issued', policyNumber: 'P-1' },
      events: moved('quoted', 'issued'),
    });
    expect(issueQuotation(quoted, 'P-1', day('2026-12-01'))).to.deep.equal(refuse('quotation_expired'));
  });

  it('expires after the last day of its price, not on it', () => {
    expect(expireQuotation(quoted, day('2026-12-01'))).to.deep.equal({
      state: { ...named, status: 'expired' },
      events: moved('quoted', 'expired'),
    });
    expect(expireQuotation(quoted, day('2026-11-30'))).to.deep.equal(refuse('not_expired_yet'));
  });

  it('may be rejected or cancelled', () => {
    expect(rejectQuotation(draft, 'risk')).to.deep.equal({
      state: { status: 'rejected', reason: 'risk' },
      events: moved('draft', 'rejected'),
    });
    expect(cancelQuotation(quoted)).to.deep.equal({ state: { status: 'cancelled' }, events: moved('quoted', 'cancelled') });
  });
});

const submitted: SubmittedProposal = { status: 'submitted', number: 'PR-1', quotationNumber: 'Q-1' };
const accepted: AcceptedProposal = { ...submitted, status: 'accepted' };

describe('a proposal', () => {
  it('takes up a quotation', () => expect(propose(quoted, 'PR-1')).to.deep.equal(submitted));

  it('is analysed, accepted, and becomes a policy', () => {
    expect(analyse(submitted)).to.deep.equal({
      state: { ...submitted, status: 'under_analysis' },
      events: moved('submitted', 'under_analysis'),
    });
    expect(acceptProposal(analyse(submitted).state)).to.deep.equal({
      state: accepted,
      events: moved('under_analysis', 'accepted'),
    });
    expect(acceptProposal(submitted).events).to.deep.equal(moved('submitted', 'accepted'));
    expect(turnIntoPolicy(accepted, 'P-1')).to.deep.equal({
      state: { ...submitted, status: 'policy', policyNumber: 'P-1' },
      events: moved('accepted', 'policy'),
    });
  });

  it('may be rejected or cancelled', () => {
    expect(rejectProposal(submitted, 'risk')).to.deep.equal({
      state: { ...submitted, status: 'rejected', reason: 'risk' },
      events: moved('submitted', 'rejected'),
    });
    expect(cancelProposal(turnIntoPolicy(accepted, 'P-1').state)).to.deep.equal({
      state: { ...submitted, status: 'cancelled' },
      events: moved('policy', 'cancelled'),
    });
  });
});

describe('a policy', () => {
  it('covers every day of its period, and no other', () => {
    expect(isInForce(POLICY, POLICY.period.start)).to.equal(true);
    expect(isInForce(POLICY, POLICY.period.end)).to.equal(true);
    expect(isInForce(POLICY, day('2026-11-19'))).to.equal(false);
    expect(isInForce(POLICY, day('2027-01-01'))).to.equal(false);
  });

  it('that is cancelled covers up to that day, and never beyond its period', () => {
    const { state, events } = cancelPolicy(POLICY, day('2026-12-05'));
    expect(state).to.deep.equal({ ...POLICY, status: 'cancelled', cancelledOn: '2026-12-05' });
    expect(events).to.deep.equal(moved('active', 'cancelled'));
    expect(isInForce(state, day('2026-12-05'))).to.equal(true);
    expect(isInForce(state, day('2026-12-06'))).to.equal(false);
    const afterwards = cancelPolicy(POLICY, day('2027-01-05')).state;
    expect(isInForce(afterwards, day('2026-12-31'))).to.equal(true);
    expect(isInForce(afterwards, day('2027-01-01'))).to.equal(false);
  });
});

describe('what an insurer reports', () => {
  type Follow = (known: never, reported: never) => unknown;
  const LATER_THAN: Readonly<Record<string, { follow: Follow; table: Readonly<Record<string, string>> }>> = {
    quotation: {
      follow: followQuotation as Follow,
      table: {
        draft: 'quoted issued rejected expired cancelled',
        quoted: 'issued rejected expired cancelled',
        issued: 'cancelled',
        rejected: '',
        expired: '',
        cancelled: '',
      },
    },
    proposal: {
      follow: followProposal as Follow,
      table: {
        submitted: 'under_analysis accepted policy rejected cancelled',
        under_analysis: 'accepted policy rejected cancelled',
        accepted: 'policy cancelled',
        policy: 'cancelled',
        rejected: '',
        cancelled: '',
      },
    },
    policy: { follow: followPolicy as Follow, table: { active: 'cancelled', cancelled: '' } },
  };

  for (const [name, { follow, table }] of Object.entries(LATER_THAN)) {
    const isLater = (from: string, to: string) => table[from]?.split(' ').includes(to) ?? false;
    for (const from of Object.keys(table)) {
      for (const to of Object.keys(table)) {
        const [known, reported] = [{ status: from }, { status: to, number: 'reported' }];
        const expected = () => {
          if (from === to) return { state: known, events: ignored('repeated') };
          if (isLater(from, to)) return { state: reported, events: moved(from, to) };
          return isLater(to, from) ? { state: known, events: ignored('late') } : refuse('transition_not_possible');
        };
        const verb = { moved: 'moves it', ignored: 'changes nothing' };
        const outcome = expected();
        const does = 'events' in outcome ? verb[outcome.events[0]?.kind as 'moved'] : 'is refused';
        it(`a ${name} that was ${from}, reported as ${to}: ${does}`, () =>
          expect(follow(known as never, reported as never)).to.deep.equal(outcome));
      }
    }
  }
});
