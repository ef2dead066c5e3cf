import { expect } from 'chai';
import {
  cents,
  disputeOf,
  type Instant,
  instantOf,
  nextActOf,
  type PaymentReport,
  type Sale,
} from '#domain';
import type { ReconcileRequest } from '../../application/collection/reconcile-gateway.ts';
import { makeReconcileGateway } from '../../application/collection/reconcile-gateway.ts';
import { hasReports } from '../../application/payments/payments.ts';
import { GatewayUnavailable } from '../../application/unavailable.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import { cardOf, letTimePass, phoneSale, soldIn, takenBy, world } from '../support/selling.ts';

const FROM = '2026-11-20T14:00:00.000Z' as Instant;

describe('the reconciliation with the gateway', () => {
  let here: MemoryService;
  beforeEach(async () => {
    here = await world();
  });

  const reconcile = (over: Partial<ReconcileRequest> = {}) =>
    makeReconcileGateway(here)(
      { from: FROM, lostSince: FROM, apply: true, evenIfMany: false, ...over },
      ADMINISTRATOR,
    );
  const sold = async (method?: 'credit'): Promise<Sale> =>
    soldIn(
      await here.useCases.sell(phoneSale(method), method === 'credit' ? { card: cardOf() } : {}),
    );
  const present = async ({ id }: Sale): Promise<Sale> => (await here.sales.load(id)) as Sale;
  const charge = async (reference: string, isPaid: boolean): Promise<string> => {
    const [report] = (await here.sandbox.charge({
      reference,
      saleId: 7,
      description: '',
      net: cents(1_000),
      iof: cents(74),
      amount: cents(1_074),
      payer: phoneSale().insured,
      installments: 1,
      dueOn: here.clock.today(),
      until: '2027-01-01T00:00:00.000Z' as Instant,
      ...(isPaid && { card: cardOf() }),
    })) as PaymentReport[];
    return report?.chargeId ?? '';
  };
  /** A charge of a sale that is not here. */
  const lostCharge = (isPaid: boolean, id = 70): Promise<string> =>
    charge(`${id}-${here.identifiers.next()}`, isPaid);
  const chargesOf = async (reference: string): Promise<readonly PaymentReport[]> =>
    (await here.sandbox.find(reference)) as PaymentReport[];
  const statuses = async (chargeId: string): Promise<string> =>
    (await chargesOf(chargeId.slice(0, chargeId.lastIndexOf('-'))))
      .map((report) => (report.status === 'returned' ? `${report.returned} back` : report.status))
      .join(', ');
  const later = (): void => here.clock.advance(660);
  const kinds = ({ findings }: Awaited<ReturnType<typeof reconcile>>): string[] =>
    findings.map(({ kind, act, outcome }) => [kind, act, outcome ?? 'planned'].join(' '));
  const audited = async (): Promise<string[]> =>
    (await here.auditLog.list({ limit: 100 }))
      .filter(({ action }) => /^charge\.|sale\.reconciled/.test(action))
      .map(({ action, subject }) => `${action} ${subject}`)
      .reverse();

  /** Three sound sales, and two charges of lost sales. */
  const afterRestore = async () => {
    for (let count = 0; count < 3; count += 1) await sold('credit');
    const [paid, open] = [await lostCharge(true), await lostCharge(false, 71)];
    later();
    return { paid, open };
  };

  it('finds nothing where charges and sales agree', async () => {
    await sold('credit');
    await sold();
    const cancelled = await sold('credit');
    await here.useCases.cancelSale.cancel({ sale: cancelled, by: 'insured', actor: ADMINISTRATOR });
    await letTimePass(here);
    later();
    const report = await reconcile();
    expect(report.findings).to.deep.equal([]);
    expect(report).to.deep.include({
      charges: { ofSales: 3, withoutSale: 0, ofOthers: 0 },
      // Not the cancelled one: all of its money has gone back.
      sales: 2,
      isDoubtful: false,
    });
  });

  it('says what it would do with charges of lost sales, and does nothing', async () => {
    const { paid, open } = await afterRestore();
    const report = await reconcile({ apply: false });
    expect(kinds(report)).to.deep.equal([
      'charge_without_sale refund planned',
      'charge_without_sale withdraw planned',
    ]);
    expect(report.findings.map(({ chargeId, amount }) => `${chargeId} ${amount}`)).to.deep.equal([
      `${paid} 1074`,
      `${open} 1074`,
    ]);
    expect([await statuses(paid), await statuses(open)]).to.deep.equal(['approved', 'awaited']);
    expect(await audited()).to.deep.equal([]);
  });

  it('refunds and withdraws charges of lost sales, and finds nothing the next time', async () => {
    const { paid, open } = await afterRestore();
    expect(kinds(await reconcile())).to.deep.equal([
      'charge_without_sale refund done',
      'charge_without_sale withdraw done',
    ]);
    expect([await statuses(paid), await statuses(open)]).to.deep.equal([
      'approved, 1074 back',
      'expired',
    ]);
    expect(await audited()).to.deep.equal([
      `charge.refund_ordered charge/${paid}`,
      `charge.withdrawal_ordered charge/${open}`,
    ]);
    expect((await reconcile()).findings).to.deep.equal([]);
    expect(await audited()).to.have.length(2);
  });

  it('refunds a lost charge that is paid in the moment of its withdrawal', async () => {
    const { open } = await afterRestore();
    const withdraw = here.payments.withdraw.bind(here.payments);
    here.payments.withdraw = async (reference, chargeId) => {
      await here.sandbox.payOnPage(chargeId, 'pix', undefined, 'never');
      return withdraw(reference, chargeId);
    };
    await reconcile();
    expect(await statuses(open)).to.equal('approved, 1074 back');
  });

  it('leaves charges of other systems alone', async () => {
    await sold('credit');
    const last = await sold('credit');
    here.clock.advance(3_600);
    const ours = here.clock.now();
    here.clock.advance(3_600);
    const others = [
      await charge('order-7', true),
      await charge('7-order', true),
      // A test system on the same account: its numbers are lower than those of this one.
      await lostCharge(true, last.id),
    ];
    // Another test system: its sale is older than the period.
    const old = `90-${here.identifiers.next()}`;
    here.clock.advance(3_600);
    others.push(await charge(old, true));
    const young = await lostCharge(true, 91);
    here.clock.advance(300);
    const from = instantOf(new Date(Date.parse(ours) + 3_700_000));
    const all = await reconcile({ from: ours, lostSince: ours, apply: false });
    expect(all.charges.withoutSale).to.equal(1);
    const report = await reconcile({ from, evenIfMany: true });
    expect(report.findings).to.deep.equal([]);
    expect(report.charges).to.deep.equal({ ofSales: 2, withoutSale: 0, ofOthers: 5 });
    for (const other of others.slice(0, 3)) expect(await statuses(other)).to.equal('approved');
    expect(await statuses(young), 'a sale of the last ten minutes').to.equal('approved');
  });

  it('never touches a charge whose ticket is older than the moment of the restore', async () => {
    for (let count = 0; count < 3; count += 1) await sold('credit');
    const [paid, open] = [await lostCharge(true), await lostCharge(false, 71)];
    here.clock.advance(3_600);
    const lostSince = here.clock.now();
    const lost = await lostCharge(true, 72);
    later();
    const report = await reconcile({ lostSince });
    expect(kinds(report)).to.deep.equal(['charge_without_sale refund done']);
    expect(report.charges).to.deep.equal({ ofSales: 3, withoutSale: 1, ofOthers: 2 });
    expect(await statuses(lost)).to.equal('approved, 1074 back');
    expect([await statuses(paid), await statuses(open)]).to.deep.equal(['approved', 'awaited']);
  });

  it('only shows charges without a sale if no moment of a restore is given', async () => {
    const { paid, open } = await afterRestore();
    expect(kinds(await reconcile({ lostSince: undefined }))).to.deep.equal([
      'charge_without_sale refund left',
      'charge_without_sale withdraw left',
    ]);
    expect([await statuses(paid), await statuses(open)]).to.deep.equal(['approved', 'awaited']);
    expect(await audited()).to.deep.equal([]);
  });

  it('does nothing if more than half of the charges have no sale, unless told to', async () => {
    await sold('credit');
    const [one, other] = [await lostCharge(true), await lostCharge(true, 71)];
    later();
    const refused = await reconcile();
    expect(refused).to.include({ isDoubtful: true, isApplied: false });
    expect([await statuses(one), await statuses(other)]).to.deep.equal(['approved', 'approved']);
    await reconcile({ evenIfMany: true });
    expect(await statuses(one)).to.equal('approved, 1074 back');
  });

  it('names the page on which the payer of a lost boleto names an account', async () => {
    const chargeId = await lostCharge(false);
    await here.sandbox.payOnPage(chargeId, 'boleto', undefined, 'never');
    later();
    const [finding] = (await reconcile({ evenIfMany: true })).findings;
    expect(finding).to.include({ act: 'refund', outcome: 'waiting' });
    expect(finding?.payerPage).to.match(/\/sandbox\/refund\//);
  });

  it('counts charges that need no refund as charges without a sale', async () => {
    await sold('credit');
    for (const id of [70, 71]) {
      const chargeId = await lostCharge(true, id);
      const reference = chargeId.slice(0, chargeId.lastIndexOf('-'));
      if (id === 70) await here.sandbox.refund({ reference, chargeId, upTo: cents(1_074) });
    }
    later();
    const report = await reconcile();
    expect(kinds(report)).to.deep.equal(['charge_without_sale refund planned']);
    expect(report).to.include({ isDoubtful: true, isApplied: false });
  });

  it('does nothing in the database of another system', async () => {
    const other = here;
    for (let count = 0; count < 7; count += 1) {
      const sale = await sold('credit');
      if (count < 4)
        await other.useCases.cancelSale.cancel({ sale, by: 'insured', actor: ADMINISTRATOR });
    }
    await letTimePass(here);
    later();
    here = await world();
    here.clock.advance((Date.parse(other.clock.now()) - Date.parse(here.clock.now())) / 1_000);
    here.identifiers.timeOf = other.identifiers.timeOf.bind(other.identifiers);
    here.payments.find = other.sandbox.find.bind(other.sandbox);
    here.payments.listCharges = other.sandbox.listCharges.bind(other.sandbox);
    const report = await reconcile();
    expect(report.charges).to.deep.equal({ ofSales: 0, withoutSale: 7, ofOthers: 0 });
    expect(report.findings).to.have.length(3);
    expect(report).to.include({ isDoubtful: true, isApplied: false });
  });

  it('takes over a payment whose notice was lost, and has the policy issued', async () => {
    const sale = await sold();
    await here.sandbox.payOnPage(sale.payment.chargeId ?? '', 'pix', undefined, 'never');
    later();
    here.sales.due.splice(0);
    expect(kinds(await reconcile())).to.deep.equal(['payment_differs take_over done']);
    expect((await present(sale)).status).to.equal('paid');
    expect(here.sales.due).to.deep.equal([sale.id]);
    expect(await audited()).to.deep.equal([`sale.reconciled transaction/${sale.id}`]);
    await letTimePass(here);
    expect((await present(sale)).status).to.equal('issued');
    expect((await reconcile()).findings).to.deep.equal([]);
  });

  it('takes over a refund that only the gateway knows', async () => {
    const sale = await sold('credit');
    const { chargeId = '', amount } = sale.payment;
    await here.sandbox.refund({ reference: `${sale.id}-${sale.ticket}`, chargeId, upTo: amount });
    here.undelivered.splice(0);
    later();
    expect(kinds(await reconcile())).to.deep.equal(['payment_differs take_over done']);
    await letTimePass(here);
    expect((await present(sale)).status).to.equal('refunded');
    expect((await reconcile()).findings).to.deep.equal([]);
  });

  describe('of a service that did not know what happens to money', () => {
    /** A sale whose whole refund an earlier version has counted as returned. */
    const countedTooEarly = async (method: 'pix' | 'boleto'): Promise<Sale> => {
      const sale = await sold();
      await here.sandbox.payOnPage(sale.payment.chargeId ?? '', method, undefined, 'once');
      await letTimePass(here);
      const request = { sale: await present(sale), by: 'insured', actor: ADMINISTRATOR } as const;
      await here.useCases.cancelSale.cancel(request);
      const { receipts, ...rest } = await present(sale);
      const early = receipts.map(({ chargeId, amount }) => ({
        ...(chargeId !== undefined && { chargeId }),
        ...{ amount, returned: amount },
      }));
      await here.sales.save({ ...rest, status: 'refunded', receipts: early } as Sale);
      here.sales.due.splice(0);
      later();
      return present(sale);
    };

    it('finds a boleto whose payer was never asked for an account', async () => {
      const sale = await countedTooEarly('boleto');
      expect(sale.status).to.equal('refunded');
      const { findings } = await reconcile();
      expect(findings.map(({ kind, there }) => `${kind}: ${there}`)).to.deep.equal([
        'payment_differs: approved, refund waits for insured',
      ]);
      const found = await present(sale);
      expect(found.status).to.equal('cancelled');
      expect(nextActOf(found, here.clock.now())).to.include({ action: 'name_account' });
      expect((await reconcile()).findings).to.deep.equal([]);
    });

    it('finds a dispute, and a payment of another amount', async () => {
      const disputed = await here.useCases.sell(phoneSale('credit'), {
        card: cardOf('4000000000000259'),
      });
      const sale = await sold();
      const { chargeId = '' } = sale.payment;
      await here.sandbox.payOnPage(chargeId, 'pix', undefined, 'never', cents(80));
      here.undelivered.splice(0);
      later();
      const there = (await reconcile()).findings.map((each) => `${each.there} ${each.act}`);
      expect(there).to.deep.equal(['approved, dispute opened take_over', 'approved take_over']);
      expect(disputeOf(await present(soldIn(disputed)))?.status).to.equal('opened');
      expect(nextActOf(await present(sale), here.clock.now())).to.include({
        action: 'decide_payment',
      });
      expect(here.alerts.raised.map(({ kind }) => kind)).to.have.members([
        ...['dispute_opened', 'payment_amount_differs'],
      ]);
    });
  });

  it('raises an alert for another amount, which only a person can put right', async () => {
    const sale = await sold();
    const find = here.payments.find.bind(here.payments);
    const other = (reports: readonly PaymentReport[]): PaymentReport[] =>
      reports.map((report) => ({ ...report, amount: cents(1) }));
    here.payments.find = async (...about) => other((await find(...about)) as PaymentReport[]);
    const list = here.payments.listCharges.bind(here.payments);
    here.payments.listCharges = async function* (days) {
      for await (const each of list(days)) yield { ...each, reports: other(each.reports) };
    };
    later();
    expect(kinds(await reconcile())).to.deep.equal(['payment_differs alert raised']);
    expect(here.alerts.raised).to.deep.equal([
      {
        kind: 'provider_contradicts',
        provider: 'sandbox',
        saleId: sale.id,
        refusal: 'payment_amount_differs',
      },
    ]);
  });

  it('withdraws an open charge beside a paid sale, and refunds it if it was paid', async () => {
    const sale = await sold('credit');
    const reference = `${sale.id}-${sale.ticket}`;
    const { net, iof, total } = sale.terms.quote.premium;
    const order = {
      ...{ reference, saleId: sale.id, description: '', payer: sale.terms.insured, net, iof },
      ...{ amount: total, installments: 1, dueOn: here.clock.today() },
      until: '2027-01-01T00:00:00.000Z' as Instant,
    };
    await here.sandbox.charge(order);
    later();
    expect(kinds(await reconcile())).to.deep.equal(['charge_not_wanted withdraw done']);
    expect((await here.sandbox.chargesOf(sale.id)).map(({ status }) => status)).to.deep.equal([
      'paid',
      'closed',
    ]);

    const [late] = (await here.sandbox.charge(order)) as PaymentReport[];
    await here.sandbox.payOnPage(late?.chargeId ?? '', 'pix', undefined, 'never');
    expect(kinds(await reconcile())).to.deep.equal(['payment_differs take_over done']);
    await letTimePass(here);
    expect(takenBy(await here.sandbox.chargesOf(sale.id))).to.equal(sale.payment.amount);
    expect((await reconcile()).findings).to.deep.equal([]);
  });

  describe('where the gateway does not know a charge', () => {
    /** The gateway forgets the charges of some sales. @returns how it remembers them */
    const forget = (...sales: readonly Sale[]): (() => void) => {
      const forgotten = sales.map(({ id, ticket }) => `${id}-${ticket}`);
      const find = here.payments.find.bind(here.payments);
      here.payments.find = async (reference, chargeId) =>
        forgotten.includes(reference) ? [] : find(reference, chargeId);
      const list = here.payments.listCharges.bind(here.payments);
      here.payments.listCharges = async function* (days) {
        for await (const each of list(days))
          if (!forgotten.includes(each.reference ?? '')) yield each;
      };
      return () => void forgotten.splice(0);
    };

    it('raises an alert, and changes neither a paid sale nor one that waits', async () => {
      const [waiting, paid] = [await sold(), await sold('credit')];
      for (let count = 0; count < 2; count += 1) await sold('credit');
      forget(waiting, paid);
      later();
      const alerts = ['charge_missing alert raised', 'charge_missing alert raised'];
      expect(kinds(await reconcile())).to.deep.equal(alerts);
      expect((await present(waiting)).status).to.equal('awaiting_payment');
      expect((await present(paid)).status).to.equal('issued');
      expect(here.alerts.raised).to.deep.equal(
        [waiting, paid].map(({ id: saleId }) => ({
          kind: 'charge_missing',
          provider: 'sandbox',
          saleId,
        })),
      );
      expect(kinds(await reconcile())).to.deep.equal(alerts);
    });

    it('insures a payer who pays the charge after all', async () => {
      const waiting = await sold();
      for (let count = 0; count < 2; count += 1) await sold('credit');
      const remember = forget(waiting);
      later();
      await reconcile();
      remember();
      await here.sandbox.payOnPage(waiting.payment.chargeId ?? '', 'pix', undefined, 'never');
      await letTimePass(here, 60);
      expect((await present(waiting)).status).to.equal('issued');
    });

    it('closes the charge at the end of its time, however long the gateway denied it', async () => {
      const waiting = await sold();
      for (let count = 0; count < 2; count += 1) await sold('credit');
      const remember = forget(waiting);
      later();
      await reconcile();
      here.clock.advance(40 * 86_400);
      await letTimePass(here, 60);
      expect((await present(waiting)).status, 'denied').to.equal('awaiting_payment');
      remember();
      await letTimePass(here, 60);
      expect((await present(waiting)).status).to.equal('expired');
      expect((await here.sandbox.chargesOf(waiting.id)).map(({ status }) => status)).to.deep.equal([
        'closed',
      ]);
    });

    it('does nothing to a charge that the list lacks, and that is found by its sale', async () => {
      const sale = await sold();
      const list = here.payments.listCharges.bind(here.payments);
      here.payments.listCharges = async function* (days) {
        for await (const each of list(days))
          if (each.chargeId !== sale.payment.chargeId) yield each;
      };
      later();
      expect((await reconcile()).findings).to.deep.equal([]);
    });

    it('does nothing if most sales have no charge: it may be another account', async () => {
      const [one, other] = [await sold(), await sold()];
      await sold('credit');
      const ended = [await sold(), await sold(), await sold(), await sold()];
      for (const sale of ended)
        await here.useCases.cancelSale.cancel({ sale, by: 'insured', actor: ADMINISTRATOR });
      await letTimePass(here, 1);
      forget(one, other, ...ended);
      later();
      const refused = await reconcile();
      expect(refused).to.include({ sales: 3, isDoubtful: true, isApplied: false });
      expect((await present(one)).status).to.equal('awaiting_payment');
    });
  });

  it('finds nothing, and does nothing, if the gateway does not list its charges', async () => {
    const { paid } = await afterRestore();
    // The end of the list.
    here.payments.mishaps.next(undefined, 'unreached');
    const error = await reconcile().catch((failure: unknown) => failure);
    expect(error).to.be.instanceOf(GatewayUnavailable);
    expect((error as Error).message).to.match(/^the gateway did not/);
    expect(await statuses(paid)).to.equal('approved');
    expect(await audited()).to.deep.equal([]);
  });

  describe('where a charge cannot be read', () => {
    /** The gateway's answers about some references cannot be read, neither alone nor in its list. */
    const garble = (...references: readonly string[]): void => {
      const find = here.payments.find.bind(here.payments);
      here.payments.find = async (reference, chargeId) =>
        references.includes(reference) ? 'unknown' : find(reference, chargeId);
      const list = here.payments.listCharges.bind(here.payments);
      here.payments.listCharges = async function* (days) {
        for await (const each of list(days))
          yield references.includes(each.reference ?? '') ? { ...each, reports: [] } : each;
      };
    };
    const referenceIn = (chargeId: string): string => chargeId.slice(0, chargeId.lastIndexOf('-'));

    it('waits with it, and settles the others', async () => {
      const { paid, open } = await afterRestore();
      const sale = await sold('credit');
      later();
      garble(referenceIn(open), `${sale.id}-${sale.ticket}`);
      expect(kinds(await reconcile())).to.have.members([
        'charge_without_sale refund done',
        'charge_without_sale wait waiting',
        'payment_differs wait waiting',
      ]);
      expect(await statuses(paid)).to.equal('approved, 1074 back');
      expect(await statuses(open)).to.equal('awaited');
      expect((await present(sale)).status).to.equal('issued');
      expect(here.alerts.raised).to.deep.equal([]);
    });

    it('does not take it for its own if its reference has no ticket', async () => {
      await sold('credit');
      const foreign = await charge('2024-000123', true);
      later();
      garble(referenceIn(foreign));
      const { findings, charges } = await reconcile();
      expect(findings).to.deep.equal([]);
      expect(charges).to.deep.equal({ ofSales: 1, withoutSale: 0, ofOthers: 1 });
    });
  });

  it('orders no refund of a charge in dispute: a person decides', async () => {
    const { paid, open } = await afterRestore();
    const find = here.payments.find.bind(here.payments);
    here.payments.find = async (...asked) => {
      const found = await find(...asked);
      const disputed = (each: PaymentReport): PaymentReport =>
        each.status === 'approved'
          ? { ...each, dispute: { status: 'opened', amount: each.amount } }
          : each;
      return hasReports(found) ? found.map(disputed) : found;
    };
    const report = await reconcile();
    expect(kinds(report)).to.deep.equal([
      'charge_without_sale wait waiting',
      'charge_without_sale withdraw done',
    ]);
    expect(report.findings[0]?.there).to.equal('approved, dispute opened, no refund possible');
    expect(await statuses(paid)).to.equal('approved');
    expect(await audited()).to.deep.equal([`charge.withdrawal_ordered charge/${open}`]);
  });

  it('tells what was done, and goes on, if the database fails at one finding', async () => {
    const { paid, open } = await afterRestore();
    const last = await lostCharge(true, 72);
    await sold('credit');
    later();
    const append = here.auditLog.append.bind(here.auditLog);
    here.auditLog.append = async (entry) => {
      if (entry.subject === `charge/${open}`) throw new Error('the database is away');
      return append(entry);
    };
    const { findings } = await reconcile();
    expect(
      findings.map(({ chargeId, outcome, error }) => [chargeId, outcome, error]),
    ).to.deep.equal([
      [paid, 'done', undefined],
      [open, 'waiting', 'the database is away'],
      [last, 'done', undefined],
    ]);
    expect(await statuses(open)).to.equal('awaited');
  });

  it('refunds once, however often it is killed, and whichever answers are lost', async () => {
    class Death extends Error {}
    let cases = 0;
    for (let at = 1, isOver = false; !isOver; at += 1) {
      here = await world();
      const { paid, open } = await afterRestore();
      const waiting = await sold();
      await here.sandbox.payOnPage(waiting.payment.chargeId ?? '', 'pix', undefined, 'never');
      later();
      let [calls, isAlive] = [0, true];
      const watch = (port: object, name: string): void => {
        const own = port as Record<string, (...given: unknown[]) => Promise<unknown>>;
        const call = (own[name] as (...given: unknown[]) => Promise<unknown>).bind(port);
        own[name] = async (...given) => {
          if (!isAlive) throw new Death();
          const answer = await call(...given);
          calls += 1;
          isAlive = calls !== at;
          if (!isAlive) throw new Death();
          return answer;
        };
      };
      for (const name of ['find', 'withdraw', 'refund']) watch(here.payments, name);
      for (const name of ['load', 'save']) watch(here.sales, name);
      watch(here.auditLog, 'append');
      await reconcile().catch((error: unknown) => expect(error).to.be.instanceOf(Death));
      isOver = calls < at;
      isAlive = true;
      calls = at;
      await reconcile();
      expect(await statuses(paid), `killed after call ${at}`).to.equal('approved, 1074 back');
      expect(await statuses(open), `killed after call ${at}`).to.equal('expired');
      expect((await present(waiting)).status, `killed after call ${at}`).to.equal('paid');
      expect((await reconcile()).findings).to.deep.equal([]);
      cases += 1;
    }
    expect(cases).to.be.above(15);

    here = await world();
    const { paid } = await afterRestore();
    here.payments.mishaps.next(undefined, undefined, undefined, undefined, 'lost', 'unheard');
    expect(kinds(await reconcile())).to.deep.equal([
      'charge_without_sale refund waiting',
      'charge_without_sale withdraw waiting',
    ]);
    expect(kinds(await reconcile())).to.deep.equal(['charge_without_sale withdraw done']);
    expect(await statuses(paid)).to.equal('approved, 1074 back');
  });
});
