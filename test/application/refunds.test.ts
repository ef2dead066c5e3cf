import { expect } from 'chai';
import {
  cents,
  disputeOf,
  isRefusal,
  nextActOf,
  outstandingRefunds,
  type PaymentReport,
  type ReceivedReport,
  refundPending,
  refundsOf,
  refuse,
  type Sale,
  unwrap,
} from '#domain';
import { refreshPayment } from '../../application/collection/refresh-payment.ts';
import {
  type GatewayAnswer,
  hasReports,
  referenceOf,
} from '../../application/payments/payments.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import {
  cardOf,
  letTimePass,
  moneyIn,
  nameAccounts,
  phoneSale,
  soldIn,
  takenBy,
  world,
} from '../support/selling.ts';

const DISPUTED = '4000000000000259';
const LOST = '4000000000005423';

describe('a payment that the payer disputes at the bank', () => {
  let here: MemoryService;
  /** The charges whose refund was ordered. */
  let ordered: string[];
  beforeEach(async () => {
    here = await world();
    ordered = [];
    const refund = here.payments.refund.bind(here.payments);
    here.payments.refund = (order) => {
      ordered.push(order.chargeId);
      return refund(order);
    };
  });

  const sell = async (card: string): Promise<Sale> =>
    soldIn(await here.useCases.sell(phoneSale('credit'), { card: cardOf(card) }));
  const present = async ({ id }: Sale): Promise<Sale> => (await here.sales.load(id)) as Sale;
  const charges = ({ id }: Sale) => here.sandbox.chargesOf(id);
  const cancel = async (sale: Sale) => {
    const request = { sale: await present(sale), by: 'insured', actor: ADMINISTRATOR } as const;
    return unwrap(await here.useCases.cancelSale.cancel(request));
  };
  const raised = () => [...new Set(here.alerts.raised.map(({ kind }) => kind))];
  const end = async (sale: Sale, as: 'won' | 'lost'): Promise<void> => {
    const [charge] = await charges(sale);
    await here.sandbox.endDispute(charge?.id ?? '', as);
    await letTimePass(here);
  };

  it('keeps its policy, and tells an operator until when to answer', async () => {
    const sale = await sell(DISPUTED);
    await letTimePass(here);
    const disputed = await present(sale);
    expect(disputed.status).to.equal('issued');
    expect(nextActOf(disputed, here.clock.now())).to.deep.equal({
      ...{ actor: 'operator', action: 'answer_dispute', until: '2026-11-30' },
    });
    expect(here.alerts.raised).to.deep.equal([
      { kind: 'dispute_opened', provider: 'sandbox', saleId: sale.id, respondBy: '2026-11-30' },
    ]);
  });

  it('stays open whatever an older answer shows, and the gateway is asked again', async () => {
    const sale = await sell(DISPUTED);
    const before = await present(sale);
    const find = here.payments.find.bind(here.payments);
    const old = (await find(referenceOf(sale))) as readonly PaymentReport[];
    const undisputed = old.map((report) => {
      const { dispute: _, ...others } = report as ReceivedReport;
      return others;
    });
    const { chargeId = '', amount } = sale.payment;
    const part = { status: 'returned', chargeId, amount, returned: cents(1) } as const;
    here.payments.find = async () => {
      // The dispute is stored while the gateway answers with other news.
      here.payments.find = find;
      await letTimePass(here);
      return [...undisputed, part];
    };
    await refreshPayment(before, here);
    expect(disputeOf(await present(sale))?.status).to.equal('opened');
    const told = here.partnerEvents.kept.map(({ type }) => type);
    expect(told).to.include('sale.disputed').and.not.include('sale.dispute_closed');
  });

  it('is not returned beside the dispute when the sale is cancelled', async () => {
    const sale = await sell(DISPUTED);
    await letTimePass(here);
    await cancel(sale);
    await letTimePass(here);
    const waiting = await present(sale);
    expect(waiting.status).to.equal('cancelled');
    expect(outstandingRefunds(waiting)[0]?.amount).to.equal(sale.payment.amount);
    expect(takenBy(await charges(sale))).to.equal(sale.payment.amount);
    expect(raised()).to.deep.equal(['dispute_opened', 'refund_barred']);
    expect(ordered).to.deep.equal([]);
  });

  it('is not returned either where the service has not heard of the dispute yet', async () => {
    const sale = await sell(DISPUTED);
    await cancel(sale);
    expect((await present(sale)).status).to.equal('cancelled');
    expect(ordered).to.deep.equal([]);
    expect(raised()).to.deep.equal(['dispute_opened', 'refund_barred']);
  });

  it('is returned once, when the dispute about a cancelled sale is won', async () => {
    const sale = await sell(DISPUTED);
    await letTimePass(here);
    await cancel(sale);
    await end(sale, 'won');
    expect((await present(sale)).status).to.equal('refunded');
    expect(takenBy(await charges(sale))).to.equal(0);
    expect(ordered).to.deep.equal([sale.payment.chargeId]);
  });

  it('has gone back with the dispute that is lost: nothing more is due', async () => {
    const sale = await sell(DISPUTED);
    await letTimePass(here);
    await cancel(sale);
    await end(sale, 'lost');
    const refunded = await present(sale);
    expect(refunded.status).to.equal('refunded');
    expect(outstandingRefunds(refunded)).to.deep.equal([]);
    expect(takenBy(await charges(sale))).to.equal(0);
    expect(ordered).to.deep.equal([]);
  });

  it('ends a sale that was not cancelled, when the dispute is lost', async () => {
    const sale = await sell(LOST);
    await letTimePass(here);
    const ended = await present(sale);
    expect(ended.status).to.equal('refunded');
    expect('cancellation' in ended && ended.cancellation.reason).to.equal('charged_back');
    expect(ordered).to.deep.equal([]);
  });

  it('leaves a sale as it was, when the dispute is won', async () => {
    const sale = await sell(DISPUTED);
    await letTimePass(here);
    await end(sale, 'won');
    const kept = await present(sale);
    expect(kept.status).to.equal('issued');
    expect(nextActOf(kept, here.clock.now())).to.equal(undefined);
  });
});

describe('a refund that takes the bank some days', () => {
  it('is ordered once, and the sale is refunded when the money has left', async () => {
    const here = await world();
    let isOnItsWay = true;
    let orders = 0;
    const shown = (answer: GatewayAnswer): GatewayAnswer =>
      hasReports(answer)
        ? answer.map((each) =>
            each.status === 'returned' && isOnItsWay
              ? { ...each, returned: cents(0), ordered: each.returned }
              : each,
          )
        : answer;
    const { payments } = here;
    const [find, refund] = [payments.find.bind(payments), payments.refund.bind(payments)];
    payments.find = async (...asked) => shown(await find(...asked));
    payments.refund = async (order) => {
      orders += 1;
      return shown(await refund(order));
    };
    const sale = soldIn(await here.useCases.sell(phoneSale('credit'), { card: cardOf() }));
    const request = { sale, by: 'insured', actor: ADMINISTRATOR } as const;
    expect(unwrap(await here.useCases.cancelSale.cancel(request)).status).to.equal('cancelled');
    await letTimePass(here);
    expect((await here.sales.load(sale.id))?.status).to.equal('cancelled');
    isOnItsWay = false;
    await letTimePass(here);
    expect((await here.sales.load(sale.id))?.status).to.equal('refunded');
    expect(orders).to.equal(1);
  });

  it('is due again when the gateway shows it no more, and ordered on the next bank day', async () => {
    const here = await world();
    const sale = soldIn(await here.useCases.sell(phoneSale('credit'), { card: cardOf() }));
    const { amount, chargeId = '' } = sale.payment;
    const { payments } = here;
    const refund = payments.refund.bind(payments);
    const onItsWay = { status: 'returned', amount, chargeId, returned: cents(0) } as const;
    let orders = 0;
    payments.refund = async (order) => {
      orders += 1;
      return orders === 1 ? [{ ...onItsWay, ordered: amount }] : refund(order);
    };
    const request = { sale, by: 'insured', actor: ADMINISTRATOR } as const;
    unwrap(await here.useCases.cancelSale.cancel(request));
    await letTimePass(here);
    expect(here.alerts.raised.map(({ kind }) => kind)).to.deep.equal(['refund_undone']);
    expect(orders).to.equal(1);
    await nextBankDay(here);
    expect([orders, takenBy(await here.sandbox.chargesOf(sale.id))]).to.deep.equal([2, 0]);
    expect((await here.sales.load(sale.id))?.status).to.equal('refunded');
  });
});

/** It is Friday: the next bank day is Monday. */
const nextBankDay = async (here: MemoryService): Promise<void> => {
  here.clock.advance(3 * 86_400);
  await letTimePass(here);
};

describe('a refund that the bank takes back after it was reported', () => {
  const FAILING = '4000000000005126';
  let here: MemoryService;
  let sale: Sale;
  beforeEach(async () => {
    here = await world();
    sale = soldIn(await here.useCases.sell(phoneSale('credit'), { card: cardOf(FAILING) }));
  });
  const present = async (): Promise<Sale> => (await here.sales.load(sale.id)) as Sale;
  const cancel = async () => {
    const request = { sale: await present(), by: 'insured', actor: ADMINISTRATOR } as const;
    return unwrap(await here.useCases.cancelSale.cancel(request));
  };

  it('is due again, with an alert and an event, and ordered once more', async () => {
    expect((await cancel()).status).to.equal('refunded');
    await letTimePass(here);
    const again = await present();
    expect(again.status).to.equal('cancelled');
    expect(refundPending(again)).to.equal(again.payment.amount);
    expect(here.alerts.raised).to.deep.equal([
      { kind: 'refund_undone', provider: 'sandbox', saleId: sale.id },
    ]);
    await nextBankDay(here);
    expect((await present()).status).to.equal('refunded');
    expect(takenBy(await here.sandbox.chargesOf(sale.id))).to.equal(0);
    expect(here.partnerEvents.kept.map(({ type }) => type).slice(-4)).to.deep.equal([
      ...['sale.refunded', 'sale.refund_undone', 'sale.cancelled', 'sale.refunded'],
    ]);
  });

  it('is not lost if another change of the sale is stored before', async () => {
    await cancel();
    const before = await present();
    here.clock.advance(86_400);
    const { save } = here.sales;
    here.sales.save = async (changed, saving) => {
      here.sales.save = save;
      const email = 'rui@example.com' as never;
      await here.useCases.correctSaleEmail({ sale: before, email, actor: ADMINISTRATOR });
      return here.sales.save(changed, saving);
    };
    here.payments.find = async () => [
      { ...PAID_BY(before), paidOn: here.clock.today() } as PaymentReport,
    ];
    await refreshPayment(before, here);
    expect(refundPending(await present())).to.equal(sale.payment.amount);
  });

  it('is not believed of an answer that is older than the sale', async () => {
    const before = await present();
    const old = await here.payments.find(referenceOf(sale));
    here.payments.find = async () => {
      // The refund is stored while the gateway answers.
      here.payments.find = async () => old;
      await cancel();
      return old;
    };
    await refreshPayment(before, here);
    expect((await present()).status).to.equal('refunded');
    expect(here.alerts.raised).to.deep.equal([]);
  });
});

describe('a boleto that is returned', () => {
  let here: MemoryService;
  let sale: Sale;
  beforeEach(async () => {
    here = await world();
    sale = soldIn(await here.useCases.sell(phoneSale()));
    await here.sandbox.payOnPage(sale.payment.chargeId ?? '', 'boleto', undefined, 'once');
    await letTimePass(here);
    const request = { sale: await present(), by: 'insured', actor: ADMINISTRATOR } as const;
    unwrap(await here.useCases.cancelSale.cancel(request));
  });
  const present = async (): Promise<Sale> => (await here.sales.load(sale.id)) as Sale;
  const nextOf = async () => nextActOf(await present(), here.clock.now());
  const pass = async (days: number) => {
    here.clock.advance(days * 86_400);
    await letTimePass(here, 1);
  };

  it('waits for the payer to name an account, and is refunded then', async () => {
    expect((await present()).status).to.equal('cancelled');
    const url = `https://pay.example/sandbox/refund/${sale.payment.chargeId}`;
    expect(await nextOf()).to.deep.include({ actor: 'insured', action: 'name_account', url });
    await nameAccounts(here, sale);
    expect((await present()).status).to.equal('refunded');
    expect(here.alerts.raised).to.deep.equal([]);
  });

  it('is a task for an operator when the payer has been asked three times', async () => {
    await pass(14);
    expect(here.alerts.raised).to.deep.equal([]);
    await pass(1);
    expect(here.alerts.raised.map(({ kind }) => kind)).to.deep.equal(['refund_waits_for_payer']);
  });

  it('is due again when the time to name an account has passed at the gateway', async () => {
    await here.sandbox.endRefund(sale.payment.chargeId ?? '', false);
    await letTimePass(here);
    expect(refundsOf(await present())[0]?.status).to.equal('undone');
    expect(here.alerts.raised.map(({ kind }) => kind)).to.deep.equal(['refund_undone']);
    await nextBankDay(here);
    expect(await nextOf()).to.include({ action: 'name_account' });
  });
});

/** A report that the whole payment of a sale is there. */
const PAID_BY = ({ payment: { amount, chargeId } }: Sale) =>
  ({ status: 'approved', collectedBy: 'service', amount, chargeId }) as const;

describe('a payment of another amount', () => {
  let here: MemoryService;
  let sale: Sale;
  beforeEach(async () => {
    here = await world();
    sale = soldIn(await here.useCases.sell(phoneSale()));
  });
  const present = async (): Promise<Sale> => (await here.sales.load(sale.id)) as Sale;
  const pay = async (amount: number) => {
    const { chargeId = '' } = sale.payment;
    await here.sandbox.payOnPage(chargeId, 'pix', undefined, 'once', cents(amount));
    await letTimePass(here);
  };
  const taken = async () => (await here.sandbox.chargesOf(sale.id)).map(moneyIn)[0];

  it('pays the sale if it is more, and only the surplus goes back', async () => {
    await pay(sale.payment.amount + 476);
    expect((await present()).status).to.equal('issued');
    expect(await taken()).to.equal(sale.payment.amount);
    expect(here.alerts.raised.map(({ kind }) => kind)).to.deep.equal(['payment_amount_differs']);
  });

  it('asks an operator if it is less, and goes back after three bank days', async () => {
    await pay(80);
    expect(nextActOf(await present(), here.clock.now())).to.include({ action: 'decide_payment' });
    await nextBankDay(here);
    here.clock.advance(86_400);
    await letTimePass(here);
    expect(await taken()).to.equal(80);
    here.clock.advance(2 * 86_400);
    await letTimePass(here);
    expect(await present()).to.include({ status: 'refused', reason: 'payment_returned' });
    expect(await taken()).to.equal(0);
  });

  it('is not returned where the rest comes before the gateway is looked at', async () => {
    await pay(80);
    const [short] = (await here.payments.find(referenceOf(sale))) as readonly PaymentReport[];
    here.clock.advance(10 * 86_400);
    const { amount } = sale.payment;
    here.payments.find = async () => [{ ...(short as PaymentReport), amount } as PaymentReport];
    here.sales.due.push(sale.id);
    await letTimePass(here, 1);
    expect((await present()).status).to.equal('issued');
  });

  for (const kind of ['accept', 'return'] as const)
    it(`is decided by an operator, with an entry in the audit log: ${kind}`, async () => {
      await pay(80);
      const { decidePayment } = here.useCases;
      const about = { decision: { kind }, note: 'Combinado.', actor: ADMINISTRATOR };
      const asked = { sale: await present(), ...about };
      const decided = unwrap(await decidePayment(asked));
      await letTimePass(here);
      const [status, money] = kind === 'accept' ? ['issued', 80] : ['refused', 0];
      expect([(await present()).status, await taken()]).to.deep.equal([status, money]);
      const [entry] = await here.auditLog.list({ subject: `transaction/${sale.id}`, limit: 1 });
      expect(entry).to.include({ action: 'payment.decided', reason: 'Combinado.' });
      expect(await decidePayment({ ...asked, sale: decided })).to.deep.equal(
        refuse('nothing_to_decide'),
      );
    });
});

describe('a payment in cash that a person notes at the gateway', () => {
  it('is a task for a person: to return it, or to find out why it was taken back', async () => {
    const here = await world();
    const sale = soldIn(await here.useCases.sell(phoneSale()));
    const { amount, chargeId = '' } = sale.payment;
    const paid = PAID_BY(sale);
    const refresh = async (...reports: PaymentReport[]) => {
      here.payments.find = async () => reports;
      return refreshPayment((await here.sales.load(sale.id)) as Sale, here);
    };
    await refresh({ ...paid, paidOn: here.clock.today(), inCash: true } as PaymentReport);
    expect(here.alerts.raised).to.deep.equal([]);
    await refresh({ status: 'awaited', amount, chargeId, url: 'https://pay.example' });
    expect(here.alerts.raised).to.deep.equal([
      { kind: 'receipt_undone', provider: 'sandbox', saleId: sale.id },
    ]);
  });
});

describe('a refund that the gateway refuses', () => {
  let here: MemoryService;
  let sale: Sale;
  let orders: string[];
  let isRefusing: boolean;
  beforeEach(async () => {
    here = await world();
    [orders, isRefusing] = [[], true];
    const { payments } = here;
    const [find, refund] = [payments.find.bind(payments), payments.refund.bind(payments)];
    sale = soldIn(await here.useCases.sell(phoneSale()));
    const { chargeId = '', amount } = sale.payment;
    payments.refund = async (order) => {
      orders.push(order.chargeId);
      if (!isRefusing || order.chargeId !== chargeId) return refund(order);
      const found = await find(order.reference);
      const name = sale.terms.insured.name.toUpperCase();
      const words = `Estorno de ${name} (${sale.terms.insured.taxId}) excede 90 dias`;
      const refused = { status: 'refund_refused', chargeId, amount, words } as const;
      return hasReports(found) ? [...found, refused] : found;
    };
    await here.sandbox.payOnPage(chargeId, 'pix', undefined, 'once', cents(amount * 2));
    await letTimePass(here);
  });
  const present = async (): Promise<Sale> => (await here.sales.load(sale.id)) as Sale;
  const retry = async () => here.useCases.retrySale(await present(), ADMINISTRATOR);

  it('is ordered three times, and then once a day, and a person reads why', async () => {
    expect((await present()).status).to.equal('issued');
    expect(orders).to.have.length(3);
    const [, alert] = here.alerts.raised;
    expect(alert).to.deep.equal({
      ...{ kind: 'refund_refused', provider: 'sandbox', saleId: sale.id },
      words: 'Estorno de … DA … (…) excede 90 dias',
    });
    expect(nextActOf(await present(), here.clock.now())?.action).to.equal('return_money');
    here.clock.advance(86_400);
    await letTimePass(here);
    expect(orders).to.have.length(4);
  });

  it('is ordered at once when an operator tries again, and settles by itself', async () => {
    await retry();
    expect(orders).to.have.length(4);
    isRefusing = false;
    await retry();
    expect(refundPending(await present())).to.equal(0);
    here.clock.advance(61);
    await here.useCases.settleAlerts();
    const open = await here.alertRecords.list({ status: 'open', limit: 9 });
    expect(open.map(({ kind }) => kind)).to.deep.equal([]);
  });

  it('is not ordered any more once a person has given the money back', async () => {
    const amount = refundPending(await present());
    const decision = { kind: 'returned', amount, protocol: 'E123' } as const;
    const about = { sale: await present(), note: 'TED', actor: ADMINISTRATOR };
    expect(isRefusal(await here.useCases.decidePayment({ ...about, decision }))).to.equal(false);
    isRefusing = false;
    here.clock.advance(86_400);
    await letTimePass(here);
    await retry();
    expect(orders).to.have.length(3);
    const [charge] = await here.sandbox.chargesOf(sale.id);
    expect(charge?.returned).to.equal(0);
    expect(nextActOf(await present(), here.clock.now())).to.equal(undefined);
  });

  it('holds up no other refund of the sale', async () => {
    const order = { ...(await here.sandbox.chargesOf(sale.id))[0] };
    const again = await here.payments.charge({ ...order, reference: referenceOf(sale) } as never);
    const second = hasReports(again) ? (again[0]?.chargeId ?? '') : '';
    await here.sandbox.payOnPage(second, 'pix', undefined, 'once');
    await letTimePass(here);
    expect(orders).to.include(second);
    const [, other] = await here.sandbox.chargesOf(sale.id);
    expect(other?.returned).to.equal(other?.amount);
  });
});
