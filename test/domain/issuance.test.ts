import { expect } from 'chai';
import {
  type AcceptedProposal,
  acceptProposal,
  analyseProposal,
  cancelPolicy,
  cancelProposal,
  cancelQuotation,
  type DraftQuotation,
  followPolicy,
  followProposal,
  followQuotation,
  issueQuotation,
  priceQuotation,
  propose,
  type QuotedQuotation,
  refuse,
  type SubmittedProposal,
  turnIntoPolicy,
  ZERO,
} from '#domain';
import { day, POLICY } from '../support/sales.ts';

const moved = (from: string, to: string) => [{ kind: 'moved', from, to }];
const ignored = (because: string) => [{ kind: 'ignored', because }];

const draft: DraftQuotation = { status: 'draft' };
const named = {
  number: 'Q-1',
  amounts: { net: ZERO, iof: ZERO, total: ZERO },
  validUntil: day('2026-11-30'),
};
const quoted: QuotedQuotation = { ...named, status: 'quoted' };

describe('a quotation', () => {
  it('is quoted when the insurer sets its price', () => {
    expect(priceQuotation(draft, named)).to.deep.equal({
      state: quoted,
      events: moved('draft', 'quoted'),
    });
  });

  it('can be issued until the last day of its validity', () => {
    expect(issueQuotation(quoted, 'P-1', day('2026-11-30'))).to.deep.equal({
      state: { ...named, status: 'issued', policyNumber: 'P-1' },
      events: moved('quoted', 'issued'),
    });
    expect(issueQuotation(quoted, 'P-1', day('2026-12-01'))).to.deep.equal(
      refuse('quotation_expired'),
    );
  });

  it('may be cancelled', () => {
    const issued = { ...named, status: 'issued', policyNumber: 'P-1' } as const;
    expect(cancelQuotation(issued)).to.deep.equal({
      state: { ...named, status: 'cancelled', policyNumber: 'P-1' },
      events: moved('issued', 'cancelled'),
    });
  });
});

const submitted: SubmittedProposal = {
  status: 'submitted',
  number: 'PR-1',
  quotationNumber: 'Q-1',
};
const accepted: AcceptedProposal = { ...submitted, status: 'accepted' };

describe('a proposal', () => {
  it('is submitted for a quotation', () =>
    expect(propose(quoted, 'PR-1', day('2026-11-30'))).to.deep.equal(submitted));

  it('is refused for a quotation whose validity has ended', () => {
    expect(propose(quoted, 'PR-1', day('2026-12-01'))).to.deep.equal(refuse('quotation_expired'));
  });

  it('is analysed, accepted and turned into a policy', () => {
    expect(analyseProposal(submitted)).to.deep.equal({
      state: { ...submitted, status: 'under_analysis' },
      events: moved('submitted', 'under_analysis'),
    });
    expect(acceptProposal(analyseProposal(submitted).state)).to.deep.equal({
      state: accepted,
      events: moved('under_analysis', 'accepted'),
    });
    expect(acceptProposal(submitted).events).to.deep.equal(moved('submitted', 'accepted'));
    expect(turnIntoPolicy(accepted, 'P-1')).to.deep.equal({
      state: { ...submitted, status: 'policy', policyNumber: 'P-1' },
      events: moved('accepted', 'policy'),
    });
  });

  it('may be cancelled', () => {
    expect(cancelProposal(turnIntoPolicy(accepted, 'P-1').state)).to.deep.equal({
      state: { ...submitted, status: 'cancelled', policyNumber: 'P-1' },
      events: moved('policy', 'cancelled'),
    });
  });
});

describe('a policy', () => {
  it('may be cancelled', () => {
    const { state, events } = cancelPolicy(POLICY, day('2026-12-05'));
    expect(state).to.deep.equal({ ...POLICY, status: 'cancelled', cancelledOn: '2026-12-05' });
    expect(events).to.deep.equal(moved('active', 'cancelled'));
  });
});

describe('a status reported by the insurer', () => {
  type Follow = (known: never, reported: never) => unknown;
  const LATER_THAN: Readonly<
    Record<string, { follow: Follow; table: Readonly<Record<string, string>> }>
  > = {
    quotation: {
      follow: followQuotation as Follow,
      table: {
        draft: 'quoted issued rejected expired cancelled',
        quoted: 'issued rejected expired cancelled',
        issued: 'cancelled',
        rejected: 'cancelled',
        expired: 'cancelled',
        cancelled: '',
      },
    },
    proposal: {
      follow: followProposal as Follow,
      table: {
        submitted: 'under_analysis accepted policy rejected cancelled',
        under_analysis: 'accepted policy rejected cancelled',
        accepted: 'policy rejected cancelled',
        policy: 'cancelled',
        rejected: 'cancelled',
        cancelled: '',
      },
    },
    policy: { follow: followPolicy as Follow, table: { active: 'cancelled', cancelled: '' } },
  };

  for (const [name, { follow, table }] of Object.entries(LATER_THAN)) {
    const isLater = (from: string, to: string) => table[from]?.split(' ').includes(to) ?? false;
    for (const from of Object.keys(table)) {
      for (const to of Object.keys(table)) {
        const [known, reported] = [
          { status: from, kept: true },
          { status: to, number: 'X-1' },
        ];
        const expected = () => {
          if (from === to) return { state: known, events: ignored('repeated') };
          if (isLater(from, to))
            return { state: { ...known, ...reported }, events: moved(from, to) };
          return isLater(to, from)
            ? { state: known, events: ignored('late') }
            : refuse('transition_not_possible');
        };
        const verb = { moved: 'is stored', ignored: 'is ignored' };
        const outcome = expected();
        const does = 'events' in outcome ? verb[outcome.events[0]?.kind as 'moved'] : 'is refused';
        it(`"${to}" ${does} if the ${name} is "${from}"`, () =>
          expect(follow(known as never, reported as never)).to.deep.equal(outcome));
      }
    }
  }

  it('is refused with another number, and applies to the known document without a number', () => {
    const other = { ...submitted, number: 'PR-2' };
    expect(followProposal(submitted, { ...accepted, number: 'PR-2' })).to.deep.equal(
      refuse('transition_not_possible'),
    );
    expect(followProposal(submitted, other)).to.deep.equal(refuse('transition_not_possible'));
    const rejected = { status: 'rejected', reason: 'risk' } as const;
    expect(followQuotation(quoted, rejected)).to.deep.equal({
      state: { ...quoted, ...rejected },
      events: moved('quoted', 'rejected'),
    });
    expect(followQuotation(draft, quoted)).to.deep.equal({
      state: quoted,
      events: moved('draft', 'quoted'),
    });
  });
});
