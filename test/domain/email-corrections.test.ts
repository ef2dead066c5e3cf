import { expect } from 'chai';
import {
  applyPaymentReport,
  awaitPayment,
  beginAttempt,
  cancelSale,
  cents,
  correctEmail,
  type Email,
  emailOf,
  endAttempt,
  type Instant,
  isMailable,
  isRefusal,
  issueSale,
  paySale,
  type Sale,
} from '#domain';
import {
  APPROVED,
  AT,
  AWAITED,
  day,
  ISSUED,
  LATER,
  POLICY,
  paidSale,
  pendingSale,
  salesInEveryState,
  stateOf,
  TOTAL,
} from '../support/sales.ts';

const NEW = 'nova@example.com' as Email;
const ACCEPTED = paidSale().terms.insured.email;

const minutes = (after: number): Instant =>
  new Date(Date.parse(AT) + after * 60_000).toISOString() as Instant;

const corrected = <Some extends Sale>(sale: Some, email = NEW, at = AT): Some =>
  stateOf(correctEmail(sale, email, at)) as Some;

describe('the address of the insured', () => {
  it('is the one in the terms until it is corrected, and then the last correction', () => {
    const sale = paidSale();
    expect(emailOf(sale)).to.equal(ACCEPTED);
    const once = correctEmail(sale, NEW, AT);
    expect(once).to.deep.equal({
      state: { ...sale, corrections: [{ email: NEW, at: AT }] },
      events: [{ kind: 'email_corrected' }],
    });
    const twice = corrected(corrected(sale), 'outra@example.com' as Email, LATER);
    expect(emailOf(twice)).to.equal('outra@example.com');
    expect(twice.corrections).to.deep.equal([
      { email: NEW, at: AT },
      { email: 'outra@example.com', at: LATER },
    ]);
    expect(twice.terms).to.deep.equal(sale.terms);
  });

  it('does not change if it is in use already', () => {
    const repeated = [{ kind: 'ignored', because: 'repeated' }];
    const sale = paidSale();
    expect(correctEmail(sale, ACCEPTED, AT)).to.deep.equal({ state: sale, events: repeated });
    const once = corrected(sale);
    expect(correctEmail(once, NEW, LATER)).to.deep.equal({ state: once, events: repeated });
    expect(emailOf(corrected(once, ACCEPTED, LATER))).to.equal(ACCEPTED);
  });

  it('is corrected three times in an hour at most', () => {
    let sale = paidSale();
    for (const at of [0, 10, 20])
      sale = corrected(sale, `a${at}@example.com` as Email, minutes(at));
    expect(correctEmail(sale, NEW, minutes(59))).to.deep.equal({
      refused: true,
      kind: 'too_many_corrections',
      earliest: AT,
    });
    expect(isRefusal(correctEmail(sale, emailOf(sale), minutes(59)))).to.equal(false);
    sale = corrected(sale, NEW, minutes(60));
    expect(correctEmail(sale, ACCEPTED, minutes(69))).to.deep.include({ earliest: minutes(10) });
    expect(emailOf(corrected(sale, ACCEPTED, minutes(70)))).to.equal(ACCEPTED);
  });

  it('can be corrected while a mail may follow, not when the sale came to nothing', () => {
    const statuses = (sales: readonly Sale[]) => [...new Set(sales.map(({ status }) => status))];
    const sales = salesInEveryState();
    expect(statuses(sales.filter(isMailable))).to.have.members([
      ...['pending', 'awaiting_payment'],
      ...['paid', 'issued'],
      ...['cancelled', 'refunded'],
    ]);
    expect(statuses(sales.filter((sale) => !isMailable(sale)))).to.have.members([
      'refused',
      'expired',
    ]);
  });

  it('can be corrected while a refund waits for the insured, also of a sale that came to nothing', () => {
    const [expired] = salesInEveryState().filter(({ status }) => status === 'expired');
    const on = day('2026-12-05');
    const waitsFor = { actor: 'insured', since: on, until: on, asked: 1 } as const;
    const receipt = {
      chargeId: 'ch-9',
      amount: TOTAL,
      returned: cents(0),
      ordered: TOTAL,
      waitsFor,
    };
    expect(isMailable({ ...(expired as Sale), receipts: [receipt] })).to.equal(true);
  });

  it('stays corrected through every later state', () => {
    const now = { on: day('2026-12-05'), at: LATER };
    const pending = corrected(pendingSale());
    const awaiting = stateOf(awaitPayment(pending, AWAITED));
    const paid = stateOf(paySale(awaiting, APPROVED, AT));
    const issued = stateOf(issueSale(paid, POLICY));
    const cancelled = stateOf(cancelSale(issued, now));
    const back = { status: 'returned', amount: TOTAL, chargeId: 'ch-1', returned: TOTAL } as const;
    const chargedBack = stateOf(applyPaymentReport(corrected(ISSUED), back, now));
    const attempted = beginAttempt(paid, 'issue', AT);
    const later = [awaiting, paid, issued, cancelled, chargedBack, attempted];
    for (const sale of [...later, endAttempt(attempted, 'issue')])
      expect(emailOf(sale), sale.status).to.equal(NEW);
    expect(chargedBack.status).to.equal('refunded');
  });
});
