import { expect } from 'chai';
import {
  applyPaymentReport,
  cents,
  expireSale,
  type Instant,
  type Issuance,
  nextActOf,
  nextSteps,
  type PendingSale,
  refuseSale,
  type Sale,
} from '#domain';
import {
  APPROVED,
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
const act = (sale: Sale) => nextActOf(sale, LATER);

const underwritten = (issuance?: Issuance): PendingSale => ({
  ...pendingSale({
    payment: { collectedBy: 'service', installments: 1, underwriting: 'before_payment' },
  }),
  ...(issuance && { issuance }),
});

const QUOTED: Issuance = {
  quotation: {
    status: 'quoted',
    number: 'Q-1',
    validUntil: day('2027-01-01'),
    amounts: { net: cents(1), iof: cents(1), total: cents(2) },
  },
};

describe('the act that a sale waits for', () => {
  it('is the charge by the service, after the answers of an insurer that underwrites first', () => {
    const charge = { actor: 'service', action: 'charge' };
    expect(act(pendingSale())).to.deep.equal(charge);
    expect(act(underwritten())).to.deep.equal({ actor: 'insurer', action: 'quote' });
    expect(act(underwritten(QUOTED))).to.deep.equal({ actor: 'insurer', action: 'underwrite' });
    const proposal = { status: 'submitted', number: 'P', quotationNumber: 'Q-1' } as const;
    expect(act(underwritten({ ...QUOTED, proposal }))).to.deep.equal(charge);
  });

  it('is to find out whether a charge was made whose answer was lost', () => {
    const sale: Sale = { ...pendingSale(), payment: { status: 'unknown', amount: TOTAL } };
    expect(act(sale)).to.deep.equal({ actor: 'service', action: 'confirm_payment' });
  });

  it('is the policy, and then the capture, if the card is authorised', () => {
    const payment = {
      status: 'unknown',
      amount: TOTAL,
      chargeId: 'ch-1',
      isAuthorized: true,
    } as const;
    const held: Sale = { ...pendingSale(), payment };
    expect(act(held)).to.deep.equal({ actor: 'insurer', action: 'issue' });
    expect(nextSteps(held, NOW)).to.deep.equal(['issue', 'await']);
    const issued: Sale = { ...held, issuance: { ...QUOTED, unpaidPolicy: ISSUED.policy } };
    expect(act(issued)).to.deep.equal({ actor: 'service', action: 'confirm_payment' });
    expect(nextSteps(issued, NOW)).to.deep.equal(['capture']);
  });

  it('is the payment by the insured, until the time to pay is over', () => {
    const until = '2026-12-05T18:30:00.457Z' as Instant;
    const open: Sale = { ...AWAITING, payment: { ...AWAITING.payment, until } };
    const pay = { actor: 'insured', action: 'pay' };
    expect(act(AWAITING)).to.deep.equal(pay);
    expect(act(open)).to.deep.equal(pay);
    const confirm = { actor: 'service', action: 'confirm_payment' };
    expect(nextActOf(open, until)).to.deep.equal(confirm);
    expect(nextActOf(open, '2027-01-01T00:00:00.000Z' as Instant)).to.deep.equal(confirm);
  });

  it('is the issue by the insurer where the service collected, and none where the channel did', () => {
    expect(act(PAID)).to.deep.equal({ actor: 'insurer', action: 'issue' });
    expect(act(ISSUED)).to.equal(undefined);
    expect(act(paidSale())).to.equal(undefined);
  });

  it('is a refund that is due, by who collected the money', () => {
    const byService = { actor: 'service', action: 'refund' };
    expect(act(cancelledOn(ISSUED, '2026-11-21'))).to.deep.equal(byService);
    expect(act(cancelledOn(paidSale(), '2026-11-21'))).to.deep.equal({
      actor: 'channel',
      action: 'refund',
    });
    const again = { ...APPROVED, chargeId: 'ch-2' };
    expect(act(stateOf(applyPaymentReport(ISSUED, again, NOW)))).to.deep.equal(byService);
    const late = stateOf(expireSale(AWAITING, { closedAt: LATER }));
    expect(act(stateOf(applyPaymentReport(late, APPROVED, NOW)))).to.deep.equal(byService);
  });

  it('is the issue before the refund of a second payment', () => {
    const twice = stateOf(applyPaymentReport(PAID, { ...APPROVED, chargeId: 'ch-2' }, NOW));
    expect(nextSteps(twice, NOW)).to.include('refund ch-2');
    expect(act(twice)).to.deep.equal({ actor: 'insurer', action: 'issue' });
  });

  it('is none after the end of a sale, when all money is back', () => {
    const ended = [
      stateOf(expireSale(AWAITING, { closedAt: LATER })),
      stateOf(refuseSale(pendingSale(), { reason: 'declined', closedAt: LATER })),
      cancelledOn(AWAITING, '2026-11-21'),
    ];
    for (const sale of ended) expect(act(sale), sale.status).to.equal(undefined);
    const refunded = salesInEveryState().filter(({ status }) => status === 'refunded');
    expect(refunded).not.to.have.length(0);
    for (const sale of refunded) expect(act(sale)).to.equal(undefined);
  });

  it('is none only where the service has no step to take, but for withdrawals', () => {
    for (const sale of salesInEveryState()) {
      const steps = nextSteps(sale, NOW).filter((step) => !step.startsWith('withdraw'));
      if (act(sale) === undefined) expect(steps, sale.status).to.deep.equal([]);
    }
  });
});
