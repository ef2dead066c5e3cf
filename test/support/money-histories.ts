import { expect } from 'chai';
import fc from 'fast-check';
import {
  bookingsOf,
  type Cents,
  isRefusal,
  isRefusedForGood,
  isShort,
  isUnconfirmed,
  isUnpaid,
  nextActOf,
  outstandingRefunds,
  receiptOf,
  refundPending,
  refundsOf,
  type Sale,
} from '#domain';
import { UnreliablePayments } from '../../adapters/memory/providers.ts';
import { refreshPayment } from '../../application/collection/refresh-payment.ts';
import { referenceOf } from '../../application/payments/payments.ts';
import type { Sales } from '../../application/sales/sales.ts';
import type { TotalsQuery } from '../../application/totals/booking-totals.ts';
import { type MemoryService, memoryService } from '../../bootstrap/composition/memory.ts';
import { loadDemoCatalogue } from '../../bootstrap/processes/first-run.ts';
import { outOf, type PanelCharge, PanelGateway } from '../doubles/panel-gateway.ts';
import { ADMINISTRATOR } from './identity.ts';
import { cardOf, chargeElsewhere, phoneSale, soldIn } from './selling.ts';

type Part = 1 | 0.4;

/** What a payer, a bank, a person at the gateway, a partner or an operator does, or what fails. */
type Act =
  | readonly ['pay', 'pix' | 'boleto', number]
  | readonly ['second charge', number]
  | readonly ['note cash' | 'undo cash' | 'undo refunds']
  | readonly ['dispute' | 'refund by hand', Part]
  | readonly ['end dispute', 'won' | 'lost']
  | readonly ['settle refunds', 'done' | 'cancelled']
  | readonly ['refuse refunds' | 'take refunds' | 'retry']
  | readonly ['examine' | 'find money']
  | readonly ['lose money', 'awaited' | 'expired' | 'unknown' | 'absent']
  | readonly ['cancel' | 'give up' | 'accept' | 'return']
  | readonly ['notice' | 'job' | 'hand back']
  | readonly ['old notice', 'nothing' | 'dispute' | 'end dispute' | 'note cash' | 'undo cash']
  | readonly ['days', number]
  | readonly ['mishap', 'lost' | 'unheard' | 'unreached']
  | readonly ['kill', 'before' | 'after'];

export interface History {
  readonly card: boolean;
  readonly refunds: 'done' | 'pending';
  /** How disputes end that are open at the end. */
  readonly banks: 'won' | 'lost';
  /** What becomes of money that the gateway does not show at the end. */
  readonly missing: 'back' | 'accept' | 'return';
  readonly acts: readonly Act[];
}

const constants = <Kind extends Act>(...acts: readonly Kind[]): fc.Arbitrary<Act> =>
  fc.constantFrom(...acts);

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constant('pay' as const),
      fc.constantFrom('pix' as const, 'boleto' as const),
      // The price is 32.11: also twice the price, a hundred times, and a cent less.
      fc.constantFrom(0, 0, 0, 476, -1_000, 3_211, 321_100, -1),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('second charge' as const),
      fc.constantFrom(0, 300, -300, -2_211),
    ),
  },
  { weight: 2, arbitrary: constants(['note cash'], ['note cash'], ['undo cash']) },
  {
    weight: 2,
    arbitrary: constants(
      ['dispute', 1],
      ['dispute', 0.4],
      ['end dispute', 'won'],
      ['end dispute', 'lost'],
    ),
  },
  {
    weight: 2,
    arbitrary: constants(['refund by hand', 1], ['refund by hand', 0.4], ['undo refunds']),
  },
  { weight: 2, arbitrary: constants(['settle refunds', 'done'], ['settle refunds', 'cancelled']) },
  { weight: 2, arbitrary: constants(['refuse refunds'], ['take refunds'], ['retry']) },
  {
    weight: 2,
    arbitrary: constants(
      ['lose money', 'awaited'],
      ['lose money', 'expired'],
      ['lose money', 'unknown'],
      ['lose money', 'absent'],
      ['find money'],
      ['examine'],
    ),
  },
  { weight: 3, arbitrary: constants(['cancel'], ['cancel'], ['give up'], ['accept'], ['return']) },
  { weight: 5, arbitrary: constants(['notice'], ['notice'], ['job'], ['hand back']) },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constant('old notice' as const),
      fc.constantFrom('nothing', 'dispute', 'end dispute', 'note cash', 'undo cash'),
    ),
  },
  { weight: 2, arbitrary: constants(['days', 1], ['days', 4], ['days', 20]) },
  constants(
    ['mishap', 'lost'],
    ['mishap', 'unheard'],
    ['mishap', 'unreached'],
    ['kill', 'before'],
    ['kill', 'after'],
  ),
);

/** What seldom happens in this order by chance. */
const scene: fc.Arbitrary<readonly Act[]> = fc.constantFrom<readonly Act[]>(
  [['note cash'], ['notice'], ['undo cash'], ['notice']],
  [['pay', 'pix', 3_211], ['notice'], ['job'], ['notice']],
);

/** Without one of these, a sale that was paid stays in force. */
const ENDINGS: ReadonlySet<Act[0]> = new Set([
  ...(['cancel', 'give up', 'return', 'dispute', 'refund by hand', 'lose money'] as const),
  ...(['undo cash', 'old notice', 'hand back'] as const),
]);

export const histories: fc.Arbitrary<History> = fc.record({
  card: fc.boolean(),
  refunds: fc.constantFrom('done', 'pending'),
  banks: fc.constantFrom('won', 'lost'),
  missing: fc.constantFrom('back', 'accept', 'return'),
  acts: fc
    .array(
      fc.oneof(
        { weight: 14, arbitrary: act.map((each) => [each]) },
        { weight: 1, arbitrary: scene },
      ),
      { minLength: 1, maxLength: 14 },
    )
    .map((acts) => acts.flat()),
});

/** Longer than a decision and a refund that is undone take together, over a weekend. */
const SETTLED_DAYS = 14;

let lived = 0;

class Killed extends Error {}

/** Lives a history, checks after each act, lets the dust settle, and compares the books. */
export const live = async (history: History, over?: (sales: Sales) => Sales): Promise<Sale> => {
  const base = memoryService();
  const panel = new PanelGateway(base.clock);
  let kill: 'before' | 'after' | undefined;
  const killing = (sales: Sales): Sales =>
    new Proxy(sales, {
      get: (target, name) => {
        const found = Reflect.get(target, name);
        if (typeof found !== 'function') return found;
        if (name !== 'save') return found.bind(target);
        return async (...given: Parameters<Sales['save']>) => {
          const when = kill;
          kill = undefined;
          if (when === 'before') throw new Killed();
          const saved = await target.save(...given);
          if (when === 'after') throw new Killed();
          return saved;
        };
      },
    });
  // A database keeps the tickets of earlier histories.
  lived += 1;
  const prefix = `h${lived}`;
  const identifiers = {
    next: () => `${prefix}-${base.identifiers.next()}`,
    timeOf: (id: string) => base.identifiers.timeOf(id.slice(prefix.length + 1)),
  };
  const { clock, auditLog, mailings, partnerEvents, saleJobs } = base;
  const payments = new UnreliablePayments(panel);
  const sales = killing(over?.(base.sales) ?? base.sales);
  const shared = { clock, auditLog, mailings, partnerEvents, saleJobs };
  const here = memoryService({ ...shared, identifiers, payments, sales });
  await loadDemoCatalogue(here.useCases);
  const { useCases } = here;
  panel.refunds = history.refunds;

  const sold = await useCases.sell(phoneSale(history.card ? 'credit' : undefined), {
    ...(history.card && { card: cardOf() }),
  });
  chargeElsewhere(here);
  const { id, payment } = soldIn(sold);
  const price = payment.amount;
  const present = async (): Promise<Sale> => (await sales.load(id)) as Sale;
  const job = () => useCases.advanceSale.claimed(id);
  const mine = (): readonly PanelCharge[] => panel.charges;

  /** What an operator has returned without the gateway, and told the service, by charge. */
  const handed = new Map<string, number>();
  const handBack = async (sale: Sale): Promise<void> => {
    const refund = refundsOf(sale).find(
      ({ reason, status }) =>
        reason === 'paid_in_cash' || reason === 'whole_only' || status === 'due',
    );
    const { chargeId = '', amount } = refund ?? {};
    if (amount === undefined) return;
    const before = receiptOf(sale, chargeId)?.returnedByHand ?? 0;
    const decision = { kind: 'returned', amount } as const;
    const about = { sale, note: 'by hand', actor: ADMINISTRATOR };
    await useCases.decidePayment({ ...about, decision });
    const noted = receiptOf(await present(), chargeId)?.returnedByHand ?? 0;
    if (noted > before) handed.set(chargeId, (handed.get(chargeId) ?? 0) + amount);
  };

  const findMoney = (): void => {
    for (const each of mine()) each.gone = undefined;
  };

  const play = async (act: Act): Promise<void> => {
    const [kind, detail] = act;
    const sale = await present();
    const [charge] = mine();
    const every = (change: (each: PanelCharge) => void): void => mine().forEach(change);
    if (kind === 'hand back') await handBack(sale);
    if (kind === 'pay' && charge) panel.pay(charge, price + act[2], act[1]);
    if (kind === 'second charge')
      panel.pay(panel.addCharge(referenceOf(sale), price, false), price + act[1], 'pix');
    if (kind === 'note cash' && charge) panel.noteCash(charge);
    if (kind === 'undo cash') every((each) => panel.undoCash(each));
    const dispute = (each: PanelCharge, part: Part): void =>
      panel.dispute(each, part, handed.get(each.id));
    if (kind === 'dispute') every((each) => dispute(each, act[1]));
    if (kind === 'end dispute') every((each) => panel.endDispute(each, act[1]));
    if (kind === 'refund by hand')
      every((each) => {
        panel.refundByHand(each, act[1], history.refunds, handed.get(each.id));
      });
    if (kind === 'settle refunds') every((each) => panel.settleRefunds(each, act[1]));
    if (kind === 'undo refunds') every((each) => panel.undoRefunds(each));
    if (kind === 'refuse refunds' || kind === 'take refunds')
      panel.refusesRefunds = kind === 'refuse refunds';
    if (kind === 'examine' && charge) panel.examine(charge);
    if (kind === 'lose money' && charge) panel.lose(charge, act[1]);
    if (kind === 'find money') findMoney();
    if (kind === 'retry') await useCases.retrySale(sale, ADMINISTRATOR);
    const about = { sale, actor: ADMINISTRATOR };
    if (kind === 'cancel') await useCases.cancelSale.cancel({ ...about, by: 'insured' });
    if (kind === 'give up') await useCases.cancelSale.giveUp({ ...about, reason: 'stuck' });
    if (kind === 'accept' || kind === 'return') panel.sought.clear();
    if (kind === 'accept' || kind === 'return')
      await useCases.decidePayment({ ...about, decision: { kind }, note: 'decided' });
    if (kind === 'notice') await refreshPayment(sale, here);
    if (kind === 'job') await job();
    if (kind === 'days') clock.advance(Number(detail) * 86_400);
    if (kind === 'mishap') payments.mishaps.next(act[1]);
    if (kind === 'kill') kill = act[1];
    if (kind === 'old notice') {
      // While the gateway answers, more happens, and another worker goes on with the sale.
      let isFirst = true;
      const slow = async () => {
        const answer = await payments.find(referenceOf(sale));
        if (!isFirst) return answer;
        isFirst = false;
        if (detail === 'dispute') every((each) => dispute(each, 1));
        if (detail === 'end dispute') every((each) => panel.endDispute(each, 'won'));
        if (detail === 'note cash' && charge) panel.noteCash(charge);
        if (detail === 'undo cash') every((each) => panel.undoCash(each));
        await refreshPayment(await present(), here);
        await job();
        return answer;
      };
      await refreshPayment(sale, {
        ...here,
        gateways: { of: () => ({ ...payments, name: 'panel', find: slow }) } as never,
      });
    }
  };

  const mostOut = new Map<string, number>();
  const check = async (): Promise<void> => {
    const sale = await present();
    expect(sale.payment.gateway).to.equal('panel');
    for (const each of mine())
      mostOut.set(each.id, Math.max(outOf(each), mostOut.get(each.id) ?? 0));
    for (const { chargeId = '', returned } of sale.receipts)
      expect(returned, 'returned').to.be.at.most(mostOut.get(chargeId) ?? 0);
    const undone = here.alerts.raised.filter(({ kind: each }) => each === 'refund_undone');
    if (panel.undone === 0) expect(undone).to.deep.equal([]);
    expect(panel.violations).to.deep.equal([]);
    for (const each of mine()) {
      const out = outOf(each) + (handed.get(each.id) ?? 0);
      // Cash that is noted no more was handed back before.
      if (each.status === 'paid') expect(out, each.id).to.be.at.most(each.received);
      const { dispute } = receiptOf(sale, each.id) ?? {};
      if (dispute && dispute.status !== 'opened')
        expect(each.endedDisputes, 'disputes that are over').to.be.above(0);
    }
    const act = nextActOf(sale, clock.now());
    const sought = sale.receipts.filter(isUnconfirmed);
    panel.sought = new Set(sought.map(({ chargeId }) => chargeId));
    const raised = here.alerts.raised.map(({ kind: each }) => each);
    if (sought.length > 0) {
      expect(act?.action).to.equal('check_payment');
      expect(raised).to.include('payment_unconfirmed');
    } else if (isShort(sale)) {
      expect(act?.action).to.equal('decide_payment');
      expect(raised).to.include('payment_amount_differs');
    }
    if (sale.receipts.some(isRefusedForGood)) expect(raised).to.include('refund_refused');
    if (act?.action === 'pay')
      expect(sale.receipts.filter(({ amount, returned }) => amount > returned)).to.deep.equal([]);
    if (sale.status === 'refunded') expect(refundPending(sale)).to.equal(0);
    for (const { status, reason } of refundsOf(sale))
      expect(status === 'barred').to.equal(reason !== undefined);
  };

  const tolerate = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  };

  let wasInForce = false;
  for (const each of history.acts) {
    await tolerate(() => play(each));
    await check();
    wasInForce ||= isInForce(await present());
  }
  kill = undefined;
  panel.refusesRefunds = false;
  for (const each of mine()) each.isExamined = false;
  if (history.missing === 'back') findMoney();
  while (payments.mishaps.isAhead) await payments.mishaps.happen(async () => undefined);
  for (let day = 0; day < SETTLED_DAYS; day += 1) {
    for (const each of mine()) {
      panel.endDispute(each, history.banks);
      panel.settleRefunds(each, 'done');
    }
    await refreshPayment(await present(), here);
    if ((await present()).receipts.some(isUnconfirmed)) {
      panel.sought.clear();
      const kind = history.missing === 'accept' ? 'accept' : 'return';
      const about = { sale: await present(), actor: ADMINISTRATOR, note: 'checked' };
      await useCases.decidePayment({ ...about, decision: { kind } });
    }
    await job();
    clock.advance(86_400);
  }
  await check();
  const sale = await present();
  compareBooks(sale, mine(), price);
  if (over === undefined) await compareTotals(base, sale);
  if (wasInForce && !history.acts.some(([kind]) => ENDINGS.has(kind)))
    expect(isInForce(sale), 'still in force').to.equal(true);
  const own = mine().find((each) => each.id === sale.payment.chargeId);
  const isOver = !isUnpaid(sale) && !isInForce(sale);
  if (isOver) expect(own?.status).not.to.equal('open');
  for (const { barred } of outstandingRefunds(sale))
    expect(here.alerts.raised).to.deep.include({
      ...{ kind: 'refund_barred', provider: 'panel', saleId: id, by: barred },
    });
  return sale;
};

const isInForce = ({ status }: Sale): boolean => status === 'paid' || status === 'issued';

/** What is summed in the background is what is booked. */
const compareTotals = async ({ bookingTotals }: MemoryService, sale: Sale): Promise<void> => {
  while ((await bookingTotals.follow(3)) === 'more');
  const days = { from: '2020-01-01', to: '2099-12-31' } as unknown as Pick<
    TotalsQuery,
    'from' | 'to'
  >;
  const { sums } = await bookingTotals.read({ ...days, by: 'channel' });
  const booked = bookingsOf(sale as never).map(({ kind, total, commission }) => ({
    kind,
    total,
    commission,
  }));
  expect(sums.map(({ kind, total, commission }) => ({ kind, total, commission }))).to.deep.equal(
    booked,
  );
};

/** The sale, its bookings and the gateway's own books say the same. */
const compareBooks = (sale: Sale, charges: readonly PanelCharge[], price: Cents): void => {
  const paidCharges = charges.filter(({ status, gone }) => status === 'paid' && !gone);
  const told = paidCharges.map((each) => [each.id, each.received, outOf(each)]);
  // Money that an operator has accepted is not at the gateway; what had all left is not looked for.
  const isGone = (id?: string) => charges.some((each) => each.id === id && each.gone);
  const receipts = sale.receipts.filter(
    ({ unconfirmed, chargeId, amount, returned }) =>
      unconfirmed === undefined && !(isGone(chargeId) && returned === amount),
  );
  const known = receipts.map(({ chargeId, amount, returned }) => [chargeId, amount, returned]);
  expect(known).to.have.deep.members(told);

  // Each cent is where it should be, or is due, and cannot be moved by a program.
  const outstanding = outstandingRefunds(sale);
  expect(outstanding.filter(({ barred }) => barred === undefined)).to.deep.equal([]);
  const { payment } = sale;
  const alsoBy = 'alsoBy' in payment ? (payment.alsoBy ?? []) : [];
  const isOwn = ({ chargeId = '' }: { chargeId?: string }) =>
    payment.status === 'approved' && [payment.chargeId, ...alsoBy].includes(chargeId);
  const byHand = (id: string) => receiptOf(sale, id)?.returnedByHand ?? 0;
  const leftAt = (each: PanelCharge) => each.received - outOf(each) - byHand(each.id);
  const dueOf = (id: string) => outstanding.find(({ chargeId }) => chargeId === id)?.amount ?? 0;
  const total = (of: (each: PanelCharge) => number, from = paidCharges) =>
    from.reduce((sum, each) => sum + of(each), 0);

  const own = paidCharges.filter(({ id }) => isOwn({ chargeId: id }));
  const others = paidCharges.filter(({ id }) => !isOwn({ chargeId: id }));
  for (const each of others) expect(dueOf(each.id), 'money of others').to.equal(leftAt(each));
  const kept = total(leftAt, own) - total(({ id }) => dueOf(id), own);
  const { cancellation } = sale as { cancellation?: { kept: { total: number } } };
  const mostKept = isInForce(sale) ? price : (cancellation?.kept.total ?? 0);
  expect(kept, 'money kept').to.be.within(0, mostKept);
  if (own.length === 1) expect(kept).to.equal(Math.min(mostKept, total(leftAt, own)));
  if (isInForce(sale) && own.length > 0)
    expect(total(leftAt, own), 'money of a sale in force').to.be.above(0);

  const booked = bookingsOf(sale as never).reduce((sum, { total: each }) => sum + each, 0);
  const isBooked = 'bookedAt' in sale && sale.bookedAt !== undefined;
  const owed = isInForce(sale) ? price : isBooked ? (cancellation?.kept.total ?? 0) : 0;
  expect(booked, 'statement').to.equal(owed);
  expect(isRefusal(sale)).to.equal(false);
};
