import { expect } from 'chai';
import fc from 'fast-check';
import {
  applyPaymentReport,
  awaitPayment,
  type Cents,
  cancelSale,
  cents,
  expireSale,
  isCancellable,
  isRefusal,
  issueSale,
  type OutstandingRefund,
  outstandingRefunds,
  type PaymentReport,
  paySale,
  plus,
  type Receipt,
  type Refusal,
  refuse,
  refuseSale,
  SALE_STATUSES,
  type Sale,
  type SaleEvent,
  type SaleTransition,
  ZERO,
} from '#domain';
import {
  APPROVED,
  AWAITED,
  AWAITING,
  cancelledOn,
  day,
  dueOf,
  ISSUED,
  LATER,
  PAID,
  POLICY,
  paidSale,
  pendingSale,
  salesInEveryState,
  stateOf,
  TOTAL,
  withoutDays,
} from '../support/sales.ts';

const NOW = { on: day('2026-12-05'), at: LATER };
const charge = { amount: TOTAL, chargeId: 'ch-1' };
const unknown = { status: 'unknown', amount: TOTAL } as const;
const declined = { status: 'declined', ...charge, reason: 'insufficient_funds' } as const;
const lapsed = { status: 'expired', ...charge } as const;
const returned = (amount: number, chargeId?: string): PaymentReport => ({
  status: 'returned',
  amount: TOTAL,
  ...(chargeId !== undefined && { chargeId }),
  returned: cents(amount),
});
const another = { ...APPROVED, chargeId: 'ch-2' };

const pending = pendingSale();
const refused = stateOf(
  refuseSale(AWAITING, { reason: 'declined', closedAt: LATER, payment: declined }),
);
const expired = stateOf(expireSale(AWAITING, { closedAt: LATER, payment: lapsed }));
const cancelled = cancelledOn(ISSUED, '2026-12-10');
const cancelledUnpaid = cancelledOn(AWAITING, '2026-11-21');
const DUE = cents(9_430);

/** Without the days from which refunds are ordered. */
const tell = (sale: Sale, report: PaymentReport) =>
  withoutDays(applyPaymentReport(sale, report, NOW));
/** The sale after all reports. Throws if one of them is refused. */
const told = (sale: Sale, ...reports: readonly PaymentReport[]): Sale =>
  reports.reduce<Sale>((before, report) => stateOf(tell(before, report)), sale);
const saying = (sale: Sale, report: PaymentReport): readonly SaleEvent[] => {
  const outcome = tell(sale, report);
  return isRefusal(outcome) ? [] : outcome.events;
};
const ignored = (because: string) => [{ kind: 'ignored', because }];
const unchanged = (sale: Sale, because: string) => ({ state: sale, events: ignored(because) });
const moved = (from: string, to: string) => ({ kind: 'moved', from, to });
const back = (amount: number, chargeId = 'ch-1') => ({ kind: 'money_returned', chargeId, amount });
const due = (amount: number, chargeId = 'ch-1', upTo = amount) => ({
  kind: 'refund_due',
  chargeId,
  amount,
  upTo,
});
const outstanding = (amount: number, chargeId = 'ch-1', upTo = amount) => ({
  chargeId,
  amount,
  upTo,
});
const received = (chargeId = 'ch-1') => ({ kind: 'money_received', chargeId, amount: TOTAL });
const receipt = (amountReturned = 0, chargeId = 'ch-1'): Receipt => ({
  chargeId,
  amount: TOTAL,
  returned: cents(amountReturned),
  ...(amountReturned > 0 && { orderedAt: LATER, returnedAt: LATER }),
});
/** A receipt of money that did not pay the sale. */
const otherReceipt = (amountReturned = 0, chargeId = 'ch-1'): Receipt => {
  const { method, paidOn } = APPROVED;
  return {
    ...receipt(amountReturned, chargeId),
    ...(method && { method }),
    paidOn,
    receivedOn: NOW.on,
  };
};

describe('a report on the charge of a sale', () => {
  it('pays, refuses or expires an unpaid sale', () => {
    for (const sale of [pending, AWAITING]) {
      expect(tell(sale, APPROVED)).to.deep.equal(paySale(sale, APPROVED, LATER));
      expect(tell(sale, declined)).to.deep.equal(
        refuseSale(sale, { reason: 'insufficient_funds', closedAt: LATER, payment: declined }),
      );
      expect(tell(sale, lapsed)).to.deep.equal(
        expireSale(sale, { closedAt: LATER, payment: lapsed }),
      );
    }
    expect(told(pending, APPROVED).receipts).to.deep.equal([receipt()]);
  });

  it('sets a pending sale to awaiting payment, or its payment to unknown', () => {
    expect(tell(pending, AWAITED)).to.deep.equal(awaitPayment(pending, AWAITED));
    expect(tell(pending, unknown)).to.deep.equal({
      state: { ...pending, payment: unknown },
      events: [{ kind: 'payment_moved', to: 'unknown' }],
    });
    expect(told(pending, unknown, AWAITED).status).to.equal('awaiting_payment');
  });

  it('applies to the known charge, and keeps its id, if it has no charge id', () => {
    const { chargeId: _, ...unnamed } = lapsed;
    expect(told(AWAITING, unnamed).payment).to.deep.equal(lapsed);
    expect(told(pending, unnamed).payment).to.deep.equal(unnamed);
  });

  it('is ignored with a reason if it is repeated or late', () => {
    expect(tell(AWAITING, AWAITED)).to.deep.equal(unchanged(AWAITING, 'repeated'));
    expect(tell(AWAITING, unknown)).to.deep.equal(unchanged(AWAITING, 'late'));
    for (const sale of [PAID, ISSUED, cancelled]) {
      expect(tell(sale, APPROVED)).to.deep.equal(unchanged(sale, 'repeated'));
      for (const report of [AWAITED, declined, lapsed])
        expect(tell(sale, report)).to.deep.equal(unchanged(sale, 'late'));
    }
    expect(tell(expired, lapsed)).to.deep.equal(unchanged(expired, 'repeated'));
    expect(tell(refused, lapsed)).to.deep.equal(unchanged(refused, 'late'));
    for (const report of [AWAITED, lapsed])
      expect(tell(paidSale(), report)).to.deep.equal(unchanged(paidSale(), 'late'));
  });

  it('changes only the payment if the sale ended unpaid and the charge expired or was declined', () => {
    for (const report of [lapsed, declined]) {
      expect(tell(cancelledUnpaid, report)).to.deep.equal({
        state: { ...cancelledUnpaid, payment: report },
        events: [{ kind: 'payment_moved', to: report.status }],
      });
    }
    expect(told(expired, declined)).to.deep.equal({ ...expired, payment: declined });
  });

  it('is refused if it asks for another amount, or its payment date is in the future', () => {
    for (const sale of salesInEveryState()) {
      for (const report of [AWAITED, declined, lapsed, unknown]) {
        for (const amount of [1, TOTAL - 1, TOTAL + 1])
          expect(tell(sale, { ...report, amount: cents(amount) })).to.deep.equal(
            refuse('payment_amount_differs', TOTAL),
          );
      }
    }
    const tomorrow = { ...APPROVED, paidOn: day('2026-12-06') };
    for (const sale of [pendingSale(), told(AWAITING, tomorrow)])
      expect(tell(sale, tomorrow)).to.deep.equal(refuse('paid_in_future'));
    expect(told(AWAITING, { ...APPROVED, paidOn: day('2026-12-05') }).status).to.equal('paid');
  });
});

describe('a report on another charge', () => {
  it('pays an unpaid sale if that charge was paid', () => {
    expect(tell(AWAITING, another)).to.deep.equal(paySale(AWAITING, another, LATER));
  });

  it('is ignored if that charge expired, was declined or is awaited', () => {
    for (const report of [lapsed, declined, { ...AWAITED, url: 'https://pay.example/2' }]) {
      expect(tell(AWAITING, { ...report, chargeId: 'ch-0' })).to.deep.equal(
        unchanged(AWAITING, 'other_charge'),
      );
    }
  });

  it('makes a second payment due for refund once, and keeps the status of the sale', () => {
    for (const sale of [PAID, ISSUED, cancelled, paidSale()]) {
      const knowing = { ...sale, receipts: [...sale.receipts, otherReceipt(0, 'ch-2')] };
      expect(tell(sale, another)).to.deep.equal({
        state: knowing,
        events: [received('ch-2'), due(TOTAL, 'ch-2')],
      });
      expect(tell(knowing, another)).to.deep.equal(unchanged(knowing, 'repeated'));
      expect(dueOf(knowing)).to.deep.include(outstanding(TOTAL, 'ch-2'));
    }
  });

  it('keeps the refund for the first charge due if the second payment was returned', () => {
    const settled = told(cancelled, another, returned(TOTAL, 'ch-2'));
    expect(settled.status).to.equal('cancelled');
    expect(dueOf(settled)).to.deep.equal([outstanding(DUE)]);
    expect(told(settled, returned(DUE, 'ch-1')).status).to.equal('refunded');
  });

  it('does not pay the sale if the return was reported before the payment', () => {
    for (const sale of [AWAITING, PAID]) {
      const knowing = told(sale, returned(TOTAL, 'ch-2'));
      expect(knowing).to.deep.equal({
        ...sale,
        receipts: [...sale.receipts, receipt(TOTAL, 'ch-2')],
      });
      expect(tell(knowing, another)).to.deep.equal(unchanged(knowing, 'late'));
      expect(dueOf(knowing)).to.deep.equal([]);
    }
    expect(told(AWAITING, returned(TOTAL, 'ch-2'), APPROVED).status).to.equal('paid');
  });
});

describe('a report on the money of an ended sale', () => {
  it('makes a late payment due for refund once, and keeps the status of the sale', () => {
    for (const sale of [refused, expired, cancelledUnpaid]) {
      const knowing = { ...sale, receipts: [otherReceipt()] };
      expect(tell(sale, APPROVED)).to.deep.equal({
        state: knowing,
        events: [received(), due(TOTAL)],
      });
      expect(tell(knowing, APPROVED)).to.deep.equal(unchanged(knowing, 'repeated'));
      expect(tell(knowing, returned(TOTAL, 'ch-1'))).to.deep.equal({
        state: { ...sale, receipts: [otherReceipt(TOTAL)] },
        events: [back(TOTAL)],
      });
      expect(dueOf(told(knowing, returned(5, 'ch-1')))).to.deep.equal([
        outstanding(TOTAL - 5, 'ch-1', TOTAL),
      ]);
    }
  });

  it('moves the sale to refunded if the due amount was returned, at once or in parts', () => {
    expect(tell(cancelled, returned(DUE, 'ch-1'))).to.deep.equal({
      state: { ...cancelled, status: 'refunded', receipts: [receipt(DUE)] },
      events: [moved('cancelled', 'refunded'), back(DUE)],
    });
    const half = told(cancelled, returned(5_000, 'ch-1'));
    expect(half.status).to.equal('cancelled');
    expect(saying(half, returned(DUE, 'ch-1'))).to.deep.equal([
      moved('cancelled', 'refunded'),
      back(4_430),
    ]);
    expect(dueOf(half)).to.deep.equal([outstanding(4_430, 'ch-1', DUE)]);
  });

  it('leaves no outstanding refund if more than the due amount was returned', () => {
    const all = told(cancelled, returned(TOTAL, 'ch-1'));
    expect(all.status).to.equal('refunded');
    expect(dueOf(all)).to.deep.equal([]);
    expect(saying(told(cancelled, returned(DUE, 'ch-1')), returned(TOTAL, 'ch-1'))).to.deep.equal([
      back(TOTAL - DUE),
    ]);
  });

  it('keeps the status of the sale if money was returned without a due refund', () => {
    const nothingDue = cancelledOn(ISSUED, '2026-12-31');
    const { state, events } = tell(nothingDue, returned(7, 'ch-1')) as Exclude<
      ReturnType<typeof tell>,
      { refused: true }
    >;
    expect([state.status, events]).to.deep.equal(['cancelled', [back(7)]]);
  });

  it('moves the sale to refunded if the channel returned the payment', () => {
    const { chargeId: _, ...event } = back(TOTAL);
    const withdrawn = cancelledOn(paidSale(), '2026-11-21');
    expect(tell(withdrawn, returned(TOTAL))).to.deep.equal({
      state: {
        ...withdrawn,
        status: 'refunded',
        receipts: [{ amount: TOTAL, returned: TOTAL, orderedAt: LATER, returnedAt: LATER }],
      },
      events: [moved('cancelled', 'refunded'), event],
    });
  });
});

describe('a report of returned money for a sale that has not ended', () => {
  it('ends a paid sale and its policy if the whole payment is returned', () => {
    const outcome = tell(ISSUED, returned(TOTAL, 'ch-1'));
    expect(outcome).to.deep.include({ events: [moved('issued', 'refunded'), back(TOTAL)] });
    const sale = stateOf(outcome);
    expect(sale).to.deep.include({
      status: 'refunded',
      payment: APPROVED,
      policy: { ...POLICY, status: 'cancelled', cancelledOn: '2026-12-05' },
      cancelledAt: LATER,
    });
    expect('cancellation' in sale && sale.cancellation).to.deep.include({
      reason: 'charged_back',
      by: 'insured',
      kept: { net: 0, iof: 0, total: 0 },
    });
    expect(dueOf(sale)).to.deep.equal([]);
    expect(told(PAID, returned(TOTAL, 'ch-1')).status).to.equal('refunded');
    expect(told(paidSale(), returned(TOTAL)).status).to.equal('refunded');
  });

  it('keeps a paid sale after a partial return, which reduces a later refund', () => {
    const partly = told(ISSUED, returned(5_000, 'ch-1'));
    expect(partly).to.deep.equal({ ...ISSUED, receipts: [receipt(5_000)] });
    expect(saying(ISSUED, returned(5_000, 'ch-1'))).to.deep.equal([back(5_000)]);
    expect(dueOf(partly)).to.deep.equal([]);
    const then = cancelledOn(partly as typeof ISSUED, '2026-12-10');
    expect(dueOf(then)).to.deep.equal([outstanding(DUE - 5_000, 'ch-1', DUE)]);
  });

  it('refuses an unpaid sale if the whole payment is returned', () => {
    for (const sale of [AWAITING, pending]) {
      expect(saying(sale, returned(TOTAL, 'ch-1'))).to.deep.equal([
        moved(sale.status, 'refused'),
        back(TOTAL),
      ]);
      const ended = told(sale, returned(TOTAL, 'ch-1'));
      expect(ended).to.deep.include({
        status: 'refused',
        reason: 'payment_returned',
        closedAt: LATER,
      });
      expect(tell(ended, APPROVED)).to.deep.equal(unchanged(ended, 'late'));
    }
  });

  it('keeps an unpaid sale open after a partial return, with the rest due if it ends', () => {
    const partly = told(AWAITING, returned(5_000, 'ch-1'));
    expect(partly).to.deep.equal({ ...AWAITING, receipts: [receipt(5_000)] });
    for (const sale of [pending, AWAITING])
      expect(dueOf(told(sale, returned(5_000, 'ch-1')))).to.deep.equal([]);
    expect(told(partly, APPROVED)).to.deep.equal({
      ...PAID,
      bookedAt: LATER,
      receipts: [receipt(5_000)],
    });
    // A charge with a receipt was paid, so a report that it expired is late.
    expect(tell(partly, lapsed)).to.deep.equal(unchanged(partly, 'late'));
    const ended = stateOf(expireSale(partly as typeof AWAITING, { closedAt: LATER }));
    expect(dueOf(ended)).to.deep.equal([outstanding(TOTAL - 5_000, 'ch-1', TOTAL)]);
  });

  it('makes the rest of an unreported second payment due for refund once', () => {
    expect(saying(ISSUED, returned(5_000, 'ch-2'))).to.deep.equal([
      back(5_000, 'ch-2'),
      due(TOTAL - 5_000, 'ch-2', TOTAL),
    ]);
    const knowing = told(ISSUED, returned(5_000, 'ch-2'));
    expect(tell(knowing, another)).to.deep.equal(unchanged(knowing, 'late'));
    expect(saying(knowing, returned(6_000, 'ch-2'))).to.deep.equal([back(1_000, 'ch-2')]);
  });

  it('is ignored if its amount is not above the recorded amount', () => {
    const partly = told(ISSUED, returned(5_000, 'ch-1'));
    expect(tell(partly, returned(5_000, 'ch-1'))).to.deep.equal(unchanged(partly, 'repeated'));
    expect(tell(partly, returned(4_999, 'ch-1'))).to.deep.equal(unchanged(partly, 'late'));
    expect(tell(PAID, returned(0, 'ch-1'))).to.deep.equal(unchanged(PAID, 'repeated'));
  });

  it('is refused if its amount exceeds the payment or it has no charge id', () => {
    expect(tell(PAID, returned(TOTAL + 1, 'ch-1'))).to.deep.equal(
      refuse('refund_amount_differs', TOTAL),
    );
    for (const sale of [pending, AWAITING, PAID, cancelled]) {
      expect(tell(sale, returned(TOTAL))).to.deep.equal(refuse('charge_not_named'));
    }
  });
});

describe('a charge that was ordered without an id', () => {
  it('gets the first reported id and keeps it', () => {
    const asked = told(pending, unknown);
    const named = told(asked, { ...unknown, chargeId: 'ch-1' });
    expect(named).to.deep.equal({ ...pending, payment: { ...unknown, chargeId: 'ch-1' } });
    expect(saying(asked, { ...unknown, chargeId: 'ch-1' })).to.deep.equal([
      { kind: 'payment_moved', to: 'unknown' },
    ]);
    expect(tell(named, { ...unknown, chargeId: 'ch-1' })).to.deep.equal(
      unchanged(named, 'repeated'),
    );
    expect(tell(named, unknown)).to.deep.equal(unchanged(named, 'repeated'));
    expect(tell(asked, unknown)).to.deep.equal(unchanged(asked, 'repeated'));
    expect(tell(named, { ...unknown, chargeId: 'ch-2' })).to.deep.equal(
      unchanged(named, 'other_charge'),
    );
    expect(told(named, returned(TOTAL, 'ch-2')).status).to.equal('pending');
  });

  it('keeps the gateway that was asked, whatever is reported', () => {
    const asked = { ...pending, payment: { ...unknown, gateway: 'other' } } as Sale;
    const part = { ...APPROVED, amount: cents(TOTAL - 1) };
    for (const report of [AWAITED, APPROVED, part, declined, lapsed, returned(1, 'ch-1')])
      expect(told(asked, report).payment.gateway, report.status).to.equal('other');
  });

  it('is not awaited again if the report with its payment link arrives after its payment', () => {
    const withoutName = cancelledOn(pending, '2026-11-21');
    const knowing = told(withoutName, APPROVED);
    expect(tell(knowing, AWAITED)).to.deep.equal(unchanged(knowing, 'late'));
  });
});

/** A random history of a gateway: charges, returns, and the order in which it sends reports. */
interface Story {
  readonly charges: readonly {
    readonly chargeId: string;
    readonly paid: boolean;
    readonly returns: readonly number[];
  }[];
  /** The reports that the gateway sends first, as indexes modulo their number. */
  readonly order: readonly number[];
  /** The number of reports after which the insured cancels. */
  readonly cancelAfter: number;
}

describe('gateway reports in random order', () => {
  const chargeOf = (chargeId: string) =>
    fc.record({
      chargeId: fc.constant(chargeId),
      paid: fc.boolean(),
      returns: fc.array(fc.constantFrom(1, 5_000, DUE, TOTAL), { maxLength: 2 }),
    });
  const stories: fc.Arbitrary<Story> = fc.record({
    charges: fc.tuple(chargeOf('ch-1'), chargeOf('ch-2')),
    order: fc.array(fc.nat(), { minLength: 12, maxLength: 30 }),
    cancelAfter: fc.nat({ max: 40 }),
  });

  const reportsOf = ({ charges }: Story): readonly PaymentReport[] =>
    charges.flatMap(({ chargeId, paid, returns }) => {
      const quiet = [
        { ...AWAITED, chargeId },
        { ...lapsed, chargeId },
      ];
      if (!paid) return quiet;
      return [
        { ...AWAITED, chargeId },
        { ...APPROVED, chargeId },
        ...returns.map((amount) => returned(amount, chargeId)),
      ];
    });

  /** Delivers each report at least once, and cancels and issues the sale in between. */
  const live = (
    story: Story,
    start: Sale,
    look: (before: Sale, after: Sale, events: readonly SaleEvent[]) => void,
  ): Sale => {
    const reports = reportsOf(story);
    const told = [
      ...story.order.map((at) => reports[at % reports.length]),
      ...reports,
    ] as readonly PaymentReport[];
    let sale = start;
    const become = (outcome: SaleTransition | Refusal): void => {
      if (isRefusal(outcome)) return;
      look(sale, outcome.state, outcome.events);
      sale = outcome.state;
    };
    told.forEach((report, index) => {
      if (index === story.cancelAfter && isCancellable(sale)) become(cancelSale(sale, NOW));
      if (sale.status === 'paid' && index % 3 === 0) become(issueSale(sale, POLICY));
      become(tell(sale, report));
    });
    return sale;
  };

  const sum = (amounts: readonly number[]): Cents => plus(...amounts.map(cents));
  const amountsDue = (sale: Sale): Cents =>
    sum(outstandingRefunds(sale).map(({ amount }: OutstandingRefund) => amount));

  it('never move a sale to an earlier status and never lower a returned amount', () => {
    fc.assert(
      fc.property(stories, (story) => {
        live(story, pending, (before, after) => {
          // Money that comes for a refunded sale has to leave before it is refunded again.
          const isReopened = before.status === 'refunded' && after.status === 'cancelled';
          if (!isReopened)
            expect(SALE_STATUSES.indexOf(after.status)).to.be.at.least(
              SALE_STATUSES.indexOf(before.status),
            );
          if (['refused', 'expired'].includes(before.status))
            expect(after.status).to.equal(before.status);
          if (after.status === 'refunded') expect(outstandingRefunds(after)).to.deep.equal([]);
          expect(after.terms).to.equal(before.terms);
          for (const known of before.receipts) {
            const now = after.receipts.find(({ chargeId }) => chargeId === known.chargeId);
            expect(now?.returned).to.be.at.least(known.returned);
          }
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it('result in refunds due for all money held, except the amount the sale may keep', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const sale = live(story, pending, () => {});
        const held = story.charges.map(({ chargeId, paid, returns }) => ({
          chargeId,
          amount: paid ? TOTAL - Math.max(0, ...returns) : 0,
        }));
        const keeps =
          { paid: TOTAL, issued: TOTAL, cancelled: undefined, refunded: undefined }[
            sale.status as string
          ] ?? ZERO;
        const may = 'cancellation' in sale ? sale.cancellation.kept.total : keeps;
        const expected = held.map(({ chargeId, amount }) => {
          const paidWith = sale.payment.status === 'approved' && sale.payment.chargeId === chargeId;
          return Math.max(0, amount - (paidWith ? may : 0));
        });
        expect(amountsDue(sale)).to.equal(sum(expected));
        expect(amountsDue(sale)).to.be.at.most(sum(held.map(({ amount }) => amount)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('announce each due refund and each returned amount with an event', () => {
    const announced = new Map<string, number>();
    fc.assert(
      fc.property(stories, (story) => {
        announced.clear();
        let last: Sale = pending;
        live(story, pending, (_, after, events) => {
          for (const event of events)
            if (event.kind === 'refund_due') announced.set(event.chargeId ?? '', event.upTo);
          const grown = after.receipts.map(
            ({ chargeId, returned: now }) =>
              now - (last.receipts.find((each) => each.chargeId === chargeId)?.returned ?? 0),
          );
          const said = events.flatMap((event) =>
            event.kind === 'money_returned' ? [event.amount] : [],
          );
          expect(sum(said)).to.equal(sum(grown));
          for (const { chargeId, upTo } of outstandingRefunds(after))
            expect(announced.get(chargeId ?? '')).to.equal(upTo);
          last = after;
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it('are ignored when the gateway sends them again', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const sale = live(story, pending, () => {});
        for (const report of reportsOf(story)) {
          const again = tell(sale, report);
          if (isRefusal(again)) continue;
          expect(again.events.map(({ kind }) => kind)).to.deep.equal(['ignored']);
          expect(again.state).to.deep.equal(sale);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the statuses of a sale', () => {
  it('are listed in the order in which a sale may reach them', () => {
    expect(SALE_STATUSES).to.deep.equal([
      'pending',
      'awaiting_payment',
      'paid',
      'issued',
      'refused',
      'expired',
      'cancelled',
      'refunded',
    ]);
    expect([...new Set(salesInEveryState().map(({ status }) => status))]).to.have.members([
      ...SALE_STATUSES,
    ]);
  });
});
