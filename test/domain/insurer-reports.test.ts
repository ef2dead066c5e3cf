import { expect } from 'chai';
import {
  type CancelledPolicy,
  cents,
  followInsurer,
  hasOtherPrice,
  type InsurerReport,
  type Issuance,
  isBinding,
  NOTHING_SHOWN,
  type Policy,
  type Proposal,
  type QuotedQuotation,
  refuse,
  type Sale,
} from '#domain';
import {
  AWAITING,
  cancelledOn,
  day,
  ISSUED,
  LATER,
  PAID,
  POLICY,
  pendingSale,
  salesInEveryState,
  stateOf,
  TOTAL,
} from '../support/sales.ts';

const now = { on: day('2026-12-05'), at: LATER };
const { net, iof } = PAID.terms.quote.premium;

const quoted: QuotedQuotation = {
  status: 'quoted',
  number: 'C-1',
  amounts: { net, iof, total: TOTAL },
  validUntil: day('2026-12-31'),
};
const submitted: Proposal = { status: 'submitted', number: 'P-1', quotationNumber: 'C-1' };
const cancelledPolicy: CancelledPolicy = {
  ...POLICY,
  status: 'cancelled',
  cancelledOn: day('2026-12-05'),
};

const follow = (sale: Sale, report: InsurerReport) => followInsurer(sale, report, now);
const shownTo = (sale: Sale, report: InsurerReport): Sale => stateOf(follow(sale, report));
const repeated = (sale: Sale) => ({
  state: sale,
  events: [{ kind: 'ignored', because: 'repeated' }],
});
const papersMoved = [{ kind: 'papers_moved' }];

describe('a report from the insurer', () => {
  it('updates each document of the sale that it contains', () => {
    const pending = pendingSale();
    const one = follow(pending, { quotation: quoted });
    expect(one).to.deep.equal({
      state: { ...pending, issuance: { quotation: quoted } },
      events: papersMoved,
    });
    const both = shownTo(stateOf(one as never), { proposal: submitted });
    expect(both.issuance).to.deep.equal({ quotation: quoted, proposal: submitted });
    expect(
      shownTo(both, { proposal: { ...submitted, status: 'accepted' } }).issuance?.proposal?.status,
    ).to.equal('accepted');
  });

  it('is ignored if it is empty or contains no newer status', () => {
    const sale = shownTo(pendingSale(), {
      quotation: quoted,
      proposal: { ...submitted, status: 'accepted' },
    });
    for (const report of [
      {},
      { quotation: quoted },
      { proposal: submitted },
      { quotation: quoted, proposal: submitted },
    ]) {
      expect(follow(sale, report)).to.deep.equal(repeated(sale));
    }
  });

  it('stores an unknown status word until the next report without one', () => {
    for (const [document, word] of [
      ['quotation', 'X'],
      ['proposal', 'Y'],
      ['policy', 'Z'],
    ] as const) {
      const puzzled = follow(AWAITING, { unknownWords: { [document]: word } });
      expect(puzzled).to.deep.include({ events: papersMoved });
      const sale = stateOf(puzzled as never) as Sale;
      expect(sale.issuance).to.deep.equal({ ...NOTHING_SHOWN, unknownWords: { [document]: word } });
      expect(follow(sale, { unknownWords: { [document]: word } })).to.deep.equal(repeated(sale));
      expect(shownTo(sale, {}).issuance).to.deep.equal(NOTHING_SHOWN);
    }
  });

  it('issues a paid sale if it contains an active policy', () => {
    const issued = follow(PAID, { quotation: quoted, proposal: submitted, policy: POLICY });
    expect(issued).to.deep.equal({
      state: { ...ISSUED, issuance: { quotation: quoted, proposal: submitted, policy: 'active' } },
      events: [{ kind: 'moved', from: 'paid', to: 'issued' }],
    });
    expect(follow(stateOf(issued as never), { policy: POLICY })).to.deep.include({
      events: [{ kind: 'ignored', because: 'repeated' }],
    });
    const cancelledAtOnce = follow(PAID, { policy: cancelledPolicy });
    expect(cancelledAtOnce).to.deep.nested.include({
      'state.status': 'paid',
      'state.issuance.policy': 'cancelled',
    });
  });

  it('refuses an unpaid sale if the insurer rejects it or asks for another price', () => {
    const refused = (report: InsurerReport, sale: Sale = pendingSale()) => {
      const { status, reason, closedAt } = shownTo(sale, report) as never as {
        status: string;
        reason: string;
        closedAt: string;
      };
      expect({ status, closedAt }).to.deep.equal({ status: 'refused', closedAt: LATER });
      return reason;
    };
    const rejected = { ...quoted, status: 'rejected', reason: 'risk' } as const;
    expect(refused({ quotation: rejected })).to.equal('insurer_rejected');
    expect(refused({ quotation: rejected }, AWAITING)).to.equal('insurer_rejected');
    expect(refused({ quotation: { ...quoted, status: 'cancelled' } })).to.equal('insurer_rejected');
    expect(refused({ quotation: { ...quoted, status: 'expired' } })).to.equal('insurer_rejected');
    expect(
      refused({
        quotation: quoted,
        proposal: { ...submitted, status: 'rejected', reason: 'risk' },
      }),
    ).to.equal('insurer_rejected');
    expect(
      refused({ quotation: quoted, proposal: { ...submitted, status: 'cancelled' } }),
    ).to.equal('insurer_rejected');
    expect(
      refused({
        quotation: { ...quoted, amounts: { net: cents(net + 1), iof, total: cents(TOTAL + 1) } },
      }),
    ).to.equal('premium_differs');
    expect(
      refused({
        quotation: {
          ...quoted,
          amounts: { net: cents(net + 1), iof: cents(iof - 1), total: TOTAL },
        },
      }),
    ).to.equal('premium_differs');
    expect(
      refused({ quotation: { ...quoted, amounts: { net, iof: cents(iof - 1), total: TOTAL } } }),
    ).to.equal('premium_differs');
  });

  it('keeps an unpaid sale open if the quotation expires after the proposal was submitted', () => {
    const sale = shownTo(AWAITING, { quotation: quoted, proposal: submitted });
    expect(shownTo(sale, { quotation: { ...quoted, status: 'expired' } })).to.deep.include({
      status: 'awaiting_payment',
    });
  });

  it('cancels a paid sale with a refund if the insurer rejects it or cancels the policy', () => {
    const turned = follow(PAID, { quotation: { ...quoted, status: 'rejected', reason: '' } });
    expect(turned).to.deep.nested.include({
      'state.status': 'cancelled',
      'state.cancellation.by': 'insurer',
      'state.cancellation.reason': 'not_issued',
      'state.cancellation.refund.total': TOTAL,
    });
    const ended = follow(ISSUED, { policy: cancelledPolicy });
    expect(ended).to.deep.nested.include({
      'state.status': 'cancelled',
      'state.cancellation.by': 'insurer',
      'state.issuance.policy': 'cancelled',
    });
    expect(ended).to.have.nested.property('events[1].kind', 'refund_due');
  });

  it('cancels a paid sale if only the quotation is rejected or cancelled', () => {
    const accepted = { ...submitted, status: 'accepted' } as const;
    for (const status of ['rejected', 'cancelled'] as const) {
      const report = { quotation: { ...quoted, status, reason: '' } as never, proposal: accepted };
      expect(shownTo(PAID, report).status, status).to.equal('cancelled');
    }
  });

  it('does not cancel an issued sale after its coverage or because of a rejected quotation', () => {
    const afterwards = { on: day('2027-02-01'), at: LATER };
    expect(stateOf(followInsurer(ISSUED, { policy: cancelledPolicy }, afterwards)).status).to.equal(
      'issued',
    );
    expect(
      shownTo(ISSUED, { quotation: { ...quoted, status: 'rejected', reason: '' } }).status,
    ).to.equal('issued');
    expect(shownTo(ISSUED, { policy: POLICY }).status).to.equal('issued');
  });

  it('is refused if it contradicts the stored documents or the unpaid status', () => {
    const sale = shownTo(PAID, { quotation: quoted, proposal: submitted });
    const no = refuse('transition_not_possible');
    expect(follow(sale, { quotation: { ...quoted, number: 'C-2' } })).to.deep.equal(no);
    expect(follow(sale, { proposal: { ...submitted, number: 'P-2' } })).to.deep.equal(no);
    expect(follow(ISSUED, { policy: { ...POLICY, number: 'A-2' } })).to.deep.equal(no);
    expect(follow(pendingSale(), { policy: POLICY }), 'the sale is unpaid').to.deep.equal(no);
    expect(follow(AWAITING, { policy: cancelledPolicy })).to.deep.equal(no);
  });

  it('keeps the policy of a sale whose card is authorised, and refuses the sale if it is cancelled', () => {
    const payment = {
      status: 'unknown',
      amount: TOTAL,
      chargeId: 'c',
      isAuthorized: true,
    } as const;
    const held: Sale = { ...pendingSale(), payment };
    const issued = shownTo(held, { quotation: quoted, policy: POLICY });
    expect(issued).to.deep.nested.include({ status: 'pending', 'issuance.unpaidPolicy': POLICY });
    expect(follow(issued, { policy: POLICY })).to.deep.equal(repeated(issued));
    expect(shownTo(issued, { proposal: submitted, policy: POLICY })).to.deep.nested.include({
      'issuance.proposal': submitted,
      'issuance.unpaidPolicy': POLICY,
    });
    const no = refuse('transition_not_possible');
    expect(follow(issued, { policy: { ...POLICY, number: 'A-2' } })).to.deep.equal(no);
    expect(follow(held, { policy: cancelledPolicy })).to.deep.equal(no);
    expect(shownTo(issued, { policy: cancelledPolicy })).to.include({
      status: 'refused',
      reason: 'insurer_rejected',
    });
  });

  it('changes only the documents of an ended sale', () => {
    const ended = cancelledOn(PAID, '2026-11-22');
    const shown = follow(ended, { quotation: quoted, policy: POLICY });
    expect(shown).to.deep.equal({
      state: { ...ended, issuance: { quotation: quoted, policy: 'active' } },
      events: papersMoved,
    });
    const quotedOnly = shownTo(ended, { quotation: quoted });
    expect(follow(quotedOnly, { policy: POLICY }), 'a policy alone is a change').to.deep.include({
      events: papersMoved,
    });
    for (const sale of salesInEveryState()) {
      if (/refused|expired|cancelled|refunded/.test(sale.status)) {
        expect(
          shownTo(sale, { quotation: { ...quoted, status: 'rejected', reason: '' } }).status,
        ).to.equal(sale.status);
      }
    }
  });

  it('does not reactivate a cancelled policy, and keeps a policy that it omits', () => {
    const ended = shownTo(cancelledOn(ISSUED, '2026-12-05'), { policy: cancelledPolicy });
    expect(ended.issuance?.policy).to.equal('cancelled');
    expect(shownTo(ended, { policy: POLICY }).issuance?.policy).to.equal('cancelled');
    expect(shownTo(shownTo(PAID, { policy: POLICY }), {}).issuance?.policy).to.equal('active');
  });

  it('stays with a cancelled sale, together with the open attempts', () => {
    const attempts = [{ step: 'issue', since: LATER }] as const;
    const open = { ...PAID, issuance: { quotation: quoted }, attempts };
    expect(cancelledOn(open, '2026-11-22')).to.deep.include({
      issuance: { quotation: quoted },
      attempts,
    });
  });
});

describe('the insurer’s price', () => {
  it('differs if net premium or IOF differ by one cent, and not if there is no quotation', () => {
    const sale = (amounts: object): Sale => ({
      ...PAID,
      issuance: { quotation: { ...quoted, amounts: { ...quoted.amounts, ...amounts } } },
    });
    expect(hasOtherPrice(sale({}))).to.equal(false);
    expect(hasOtherPrice(sale({ net: cents(net - 1) }))).to.equal(true);
    expect(hasOtherPrice(sale({ iof: cents(iof + 1) }))).to.equal(true);
    expect(hasOtherPrice(PAID)).to.equal(false);
    expect(hasOtherPrice({ ...PAID, issuance: NOTHING_SHOWN })).to.equal(false);
    expect(
      hasOtherPrice({ ...PAID, issuance: { quotation: { status: 'rejected', reason: '' } } }),
    ).to.equal(false);
  });
});

describe('the documents of the insurer', () => {
  const documents = (quotation: string, proposal?: string, policy?: Policy['status']): Issuance =>
    ({
      quotation: { ...quoted, status: quotation },
      ...(proposal && { proposal: { ...submitted, status: proposal } }),
      ...(policy && { policy }),
    }) as never;

  it('bind the insurer while one of them is open or the policy is active', () => {
    expect(isBinding(NOTHING_SHOWN)).to.equal(true);
    for (const quotation of ['quoted', 'issued'])
      expect(isBinding(documents(quotation))).to.equal(true);
    for (const proposal of ['submitted', 'under_analysis', 'accepted', 'policy']) {
      expect(isBinding(documents('cancelled', proposal)), proposal).to.equal(true);
    }
    expect(isBinding(documents('quoted', 'rejected'))).to.equal(true);
    expect(isBinding(documents('cancelled', 'cancelled', 'active'))).to.equal(true);
  });

  it('do not bind the insurer once all are closed or the policy is cancelled', () => {
    for (const over of ['rejected', 'expired', 'cancelled']) {
      expect(isBinding(documents(over)), over).to.equal(false);
      expect(isBinding(documents('cancelled', over)), over).to.equal(false);
    }
    expect(isBinding(documents('issued', 'policy', 'cancelled'))).to.equal(false);
  });
});
