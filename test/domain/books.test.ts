import { expect } from 'chai';
import fc from 'fast-check';
import {
  applyPaymentReport,
  type Booking,
  bookingsOf,
  type Cents,
  cancelSale,
  cents,
  formatDecimal,
  NO_LINES,
  withLine,
} from '#domain';
import {
  AT,
  AWAITING,
  cancelledOn,
  day,
  ISSUED,
  LATER,
  paidSale,
  pendingSale,
  salesInEveryState,
  stateOf,
  TOTAL,
} from '../support/sales.ts';

// 188.60 net, 7.38 % IOF, 20 % commission.
const SOLD = { net: 18_860, iof: 1_392, total: 20_252, commission: 3_772, netAmount: 16_480 };

const now = { on: day('2026-12-05'), at: LATER };

describe('the bookings of a sale', () => {
  it('start with the sale, at the time when the service recorded the payment', () => {
    expect(bookingsOf(paidSale())).to.deep.equal([
      { kind: 'sale', at: AT, collectedBy: 'channel', ...SOLD },
    ]);
    expect(bookingsOf(ISSUED)).to.deep.equal([
      { kind: 'sale', at: AT, collectedBy: 'service', ...SOLD },
    ]);
  });

  it('are empty for a sale that was never paid, in every status', () => {
    const unpaid = salesInEveryState().filter(({ receipts }) => receipts.length === 0);
    expect(unpaid.map(({ status }) => status)).to.include.members([
      'pending',
      'awaiting_payment',
      'refused',
      'expired',
      'cancelled',
    ]);
    for (const sale of unpaid) expect(bookingsOf(sale)).to.deep.equal([]);
    expect(bookingsOf(cancelledOn(pendingSale(), '2026-11-21'))).to.deep.equal([]);
  });

  it('keep the line of a cancelled sale and add a negative line for the refund', () => {
    const sale = cancelledOn(paidSale(), '2026-12-10');
    const { refund, commission } = sale.cancellation;
    expect(bookingsOf(sale)).to.deep.equal([
      { kind: 'sale', at: AT, collectedBy: 'channel', ...SOLD },
      {
        ...{ kind: 'refund', at: LATER, collectedBy: 'channel' },
        ...{ net: -refund.net, iof: 0, total: -refund.total },
        ...{ commission: -commission.reversed.amount, netAmount: -commission.reversed.netAmount },
      },
    ]);
  });

  it('sum to zero after a full refund or a full chargeback', () => {
    const charged = stateOf(
      applyPaymentReport(
        ISSUED,
        { status: 'returned', amount: TOTAL, chargeId: 'ch-1', returned: TOTAL },
        now,
      ),
    );
    for (const sale of [cancelledOn(ISSUED, '2026-11-21'), charged]) {
      const { lines, ...sums } = bookingsOf(sale).reduce(withLine, NO_LINES);
      expect(lines).to.equal(2);
      for (const sum of Object.values(sums)) expect(sum).to.equal(0n);
    }
  });

  it('have no refund line for a cancellation that refunds nothing', () => {
    const sale = paidSale({ cancellation: { kind: 'short_period', iof: 'retained' } });
    const lastDay = stateOf(cancelSale(sale, { on: sale.terms.period.end, at: LATER }));
    expect(lastDay.cancellation.refund.total).to.equal(0);
    expect(bookingsOf(lastDay)).to.have.length(1);
  });

  it('sum the net amounts owed by the channel and the commissions owed to the channel', () => {
    const lines = [...bookingsOf(paidSale()), ...bookingsOf(ISSUED), ...bookingsOf(AWAITING)];
    expect(lines.reduce(withLine, NO_LINES)).to.deep.equal({
      ...{
        lines: 2,
        net: 37_720n,
        iof: 2_784n,
        total: 40_504n,
        commission: 7_544n,
        netAmount: 32_960n,
      },
      ...{ owedByChannel: 16_480n, owedToChannel: 3_772n },
    });
  });

  it('add up exactly beyond the largest safe integer', () => {
    const most = cents(Number.MAX_SAFE_INTEGER);
    const line: Booking = {
      ...(bookingsOf(paidSale())[0] as Booking),
      total: most,
      netAmount: most,
    };
    const { total, owedByChannel } = [line, line, line].reduce(withLine, NO_LINES);
    expect([total, owedByChannel]).to.deep.equal([3n * BigInt(most), 3n * BigInt(most)]);
    expect(formatDecimal(total)).to.equal('270215977642229.73');
  });
});

describe('formatDecimal', () => {
  it('writes two decimal places, and a minus sign for a negative amount', () => {
    const shown = [0, 5, 10, 100, 18_860, -5, -18_860].map((value) => formatDecimal(cents(value)));
    expect(shown).to.deep.equal(['0.00', '0.05', '0.10', '1.00', '188.60', '-0.05', '-188.60']);
  });

  it('writes the exact value of any amount up to 10^30', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (value) => {
        expect(BigInt(formatDecimal(value).replace('.', ''))).to.equal(value);
        expect(formatDecimal(value)).to.match(/^-?(0|[1-9]\d*)\.\d\d$/);
      }),
    );
    expect(formatDecimal(0 as Cents)).to.equal('0.00');
  });
});
