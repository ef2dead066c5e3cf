import { expect } from 'chai';
import {
  applyPaymentReport,
  cents,
  type Dispute,
  type Instant,
  moneyNewsOf,
  type PaymentReport,
  type Sale,
} from '#domain';
import {
  APPROVED,
  AWAITED,
  AWAITING,
  cancelledOn,
  day,
  LATER,
  PAID,
  stateOf,
  TOTAL,
} from '../support/sales.ts';

const NOW = { on: day('2026-12-04'), at: LATER };
const { chargeId } = APPROVED;
const OPENED: Dispute = { status: 'opened', amount: TOTAL, respondBy: day('2026-12-15') };

/** The news that each of the reports brings. */
const newsOf = (sale: Sale, ...reports: readonly PaymentReport[]): readonly object[] => {
  let before = sale;
  return reports.flatMap((report) => {
    const after = stateOf(applyPaymentReport(before, report, NOW));
    const news = moneyNewsOf(before, after);
    before = after;
    return news;
  });
};
const arrived = (held: object = {}): PaymentReport => ({ ...APPROVED, ...held });
const back = (over: object): PaymentReport => ({
  ...{ status: 'returned', chargeId, amount: TOTAL, returned: cents(0), ...over },
});
const cancelled = cancelledOn(PAID, '2026-12-04');

describe('the news of the money of a sale', () => {
  it('are empty while the price comes and goes as it should', () => {
    expect(newsOf(AWAITING, APPROVED, APPROVED)).to.deep.equal([]);
    expect(newsOf(cancelled, back({ ordered: TOTAL }), back({ returned: TOTAL }))).to.deep.equal(
      [],
    );
    expect(moneyNewsOf(PAID, cancelled)).to.deep.equal([]);
  });

  it('tell of another amount, once', () => {
    const differs = { kind: 'payment_amount_differs', amount: 8_000, expected: TOTAL };
    const short = arrived({ amount: cents(8_000) });
    expect(newsOf(AWAITING, short, short)).to.deep.equal([differs]);
    const more = arrived({ amount: cents(TOTAL + 1) });
    expect(newsOf(AWAITING, more, more)).to.deep.equal([{ ...differs, amount: TOTAL + 1 }]);
  });

  it('tell of a dispute and of its end, once', () => {
    const opened = { kind: 'dispute_opened', respondBy: '2026-12-15' };
    const [open, won, lost] = (['opened', 'won', 'lost'] as const).map((status) =>
      arrived({ dispute: { ...OPENED, status } }),
    ) as [PaymentReport, PaymentReport, PaymentReport];
    expect(newsOf(PAID, open, open, won, won)).to.deep.equal([opened, { kind: 'dispute_won' }]);
    expect(newsOf(PAID, lost)).to.deep.equal([opened, { kind: 'dispute_lost' }]);
    // The payer may ask the bank a second time.
    expect(newsOf(PAID, won, open)).to.deep.equal([opened, { kind: 'dispute_won' }, opened]);
    const unnamed = arrived({ dispute: { status: 'opened', amount: TOTAL } });
    expect(newsOf(PAID, unnamed)).to.deep.equal([{ kind: 'dispute_opened' }]);
  });

  it('tell what bars a refund that is due, once', () => {
    const barred = { kind: 'refund_barred', by: 'dispute' };
    const open = arrived({ dispute: OPENED });
    expect(newsOf(cancelled, open, open)[1]).to.deep.equal(barred);
    const disputed = stateOf(applyPaymentReport(PAID, open, NOW)) as typeof PAID;
    expect(moneyNewsOf(disputed, cancelledOn(disputed, '2026-12-04'))).to.deep.equal([barred]);
    const cash = stateOf(
      applyPaymentReport(AWAITING, arrived({ inCash: true }), NOW),
    ) as typeof PAID;
    expect(moneyNewsOf(cash, cancelledOn(cash, '2026-12-04'))).to.deep.equal([
      { kind: 'refund_barred', by: 'paid_in_cash' },
    ]);
    const ordered = back({ ordered: TOTAL });
    expect(newsOf(cancelled, ordered, open)).to.deep.equal([
      { kind: 'dispute_opened', respondBy: '2026-12-15' },
    ]);
    const asked = back({ ordered: TOTAL, waitsFor: { actor: 'operator' } });
    expect(newsOf(cancelled, asked, asked)).to.deep.equal([
      { kind: 'refund_barred', by: 'authorization' },
    ]);
  });

  it('tell of a refund that has failed, each time', () => {
    const undone = { status: 'undone', chargeId, amount: TOTAL, returned: cents(0) } as const;
    const all = back({ returned: TOTAL });
    const news = newsOf(cancelled, all, undone, undone, all, undone);
    expect(news).to.deep.equal([{ kind: 'refund_undone' }, { kind: 'refund_undone' }]);
    // A second one fails before the first is ordered again.
    const half = { ...undone, returned: cents(500), ordered: cents(500) };
    expect(newsOf(cancelled, all, half, undone)).to.have.length(2);
  });

  it('tell whom to ask for an account, and of a payer who names none', () => {
    const waits = (asked: number, url?: string) => ({
      ...cancelled,
      receipts: [
        {
          ...{ chargeId, amount: TOTAL, returned: cents(0), ordered: TOTAL },
          waitsFor: {
            ...{ actor: 'insured' as const, since: NOW.on, until: NOW.on, asked },
            ...(url && { url }),
          },
        },
      ],
    });
    const said = (from: number, to: number, url?: string) =>
      moneyNewsOf(waits(from, url), waits(to, url)).map(({ kind }) => kind);
    const page = 'https://pay.example/refund/1';
    expect(said(1, 2, page)).to.deep.equal(['account_asked']);
    expect(said(1, 1, page)).to.deep.equal([]);
    expect(moneyNewsOf(waits(1), waits(1, page))).to.deep.equal([{ kind: 'account_asked' }]);
    expect(said(3, 4, page)).to.deep.equal(['refund_waits_for_payer']);
    expect(said(4, 4, page)).to.deep.equal([]);
    expect(said(1, 2)).to.deep.equal([]);
    expect(moneyNewsOf(cancelled, waits(1))).to.deep.include({ kind: 'refund_waits_for_payer' });
  });

  it('tell the payer again where more is ordered', () => {
    const waitsFor = { actor: 'insured', url: 'https://pay.example/refund/1' } as const;
    const [part, all] = [300, TOTAL].map((ordered) => back({ ordered, waitsFor }));
    const before = stateOf(applyPaymentReport(cancelled, part as PaymentReport, NOW));
    const later = { ...NOW, at: '2026-12-04T19:00:00.000Z' as Instant };
    const after = stateOf(applyPaymentReport(before, all as PaymentReport, later));
    expect(moneyNewsOf(before, after)).to.deep.equal([{ kind: 'account_asked' }]);
  });

  it('tell of each charge that bars its refund', () => {
    const cash = (id: string) => arrived({ chargeId: id, inCash: true });
    const barred = { kind: 'refund_barred', by: 'paid_in_cash' };
    expect(newsOf(cancelled, cash('ch-2'), cash('ch-3'))).to.deep.equal([barred, barred]);
  });

  it('tell of cash that is noted no more', () => {
    expect(newsOf(PAID, arrived({ inCash: true }), AWAITED)).to.deep.equal([
      { kind: 'receipt_undone' },
    ]);
  });
});
