import { expect } from 'chai';
import { cents, nextActOf, type PaymentReport, refundPending, type Sale } from '#domain';
import { hasReports } from '../../application/payments/payments.ts';
import { askForCharge } from '../../application/saga/ask-gateway.ts';
import type { Work } from '../../application/saga/work.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import { AT, day, pendingSale } from '../support/sales.ts';
import { letTimePass, phoneSale, soldIn, world } from '../support/selling.ts';

describe('the charge of a sale', () => {
  it('names the product in words, or by its code if the terms have no name', async () => {
    const { sandbox, clock } = await world();
    const work = { payments: sandbox, clock, now: () => ({ on: day('2026-11-20'), at: AT }) };
    const { product } = pendingSale().terms;
    const charged = async (id: number, over: object): Promise<string | undefined> => {
      const sale = { ...pendingSale({ product: { ...product, ...over } }), id };
      await askForCharge(sale, false, work as unknown as Work);
      return (await sandbox.chargesOf(id))[0]?.description;
    };
    expect(await charged(1, { name: 'Ingresso Protegido' })).to.equal(
      'Ingresso Protegido · Padrão',
    );
    expect(await charged(2, {})).to.equal('INGRESSO · Padrão');
  });
});

describe('a link whose charge asks for another amount than was ordered', () => {
  let here: MemoryService;
  const present = async ({ id }: Sale): Promise<Sale> => (await here.sales.load(id)) as Sale;
  /** Changes what the gateway shows of open charges by a cent. */
  const shiftBy = (difference: number): void => {
    const { payments } = here;
    const shifted = <Answer>(answer: Answer): Answer =>
      (Array.isArray(answer)
        ? (answer as readonly PaymentReport[]).map((each) =>
            each.status === 'awaited' || each.status === 'expired'
              ? { ...each, amount: cents(each.amount + difference) }
              : each,
          )
        : answer) as Answer;
    for (const name of ['charge', 'find', 'withdraw'] as const) {
      const ask = payments[name].bind(payments) as (...given: unknown[]) => Promise<unknown>;
      payments[name] = (async (...given: unknown[]) => shifted(await ask(...given))) as never;
    }
  };
  const alerts = () => here.alerts.raised.map(({ kind }) => kind);
  beforeEach(async () => {
    here = await world();
  });

  it('is withdrawn at once, and the sale refused as one that was not charged', async () => {
    for (const cent of [1, -1]) {
      here = await world();
      shiftBy(cent);
      const sale = soldIn(await here.useCases.sell(phoneSale()));
      expect(await present(sale)).to.include({ status: 'refused', reason: 'not_charged' });
      await letTimePass(here);
      const charges = await here.sandbox.chargesOf(sale.id);
      expect(charges.map(({ status }) => status)).to.deep.equal(['closed']);
    }
  });

  it('waits for an operator if it stays open, who may let the payer pay it', async () => {
    shiftBy(-1);
    here.payments.withdraw = (reference) => here.payments.find(reference);
    const sale = soldIn(await here.useCases.sell(phoneSale()));
    const next = { actor: 'operator', action: 'decide_payment' };
    expect(nextActOf(await present(sale), here.clock.now())).to.deep.equal(next);
    expect(alerts()).to.deep.equal(['payment_amount_differs']);
    await letTimePass(here, 2);
    expect(nextActOf(await present(sale), here.clock.now())).to.deep.equal(next);

    const about = { sale: await present(sale), note: 'a cent', actor: ADMINISTRATOR };
    await here.useCases.decidePayment({ ...about, decision: { kind: 'accept' } });
    expect(nextActOf(await present(sale), here.clock.now())?.action).to.equal('pay');
    const [charge] = await here.sandbox.chargesOf(sale.id);
    await here.sandbox.payOnPage(charge?.id ?? '', 'pix', undefined, 'once');
    await letTimePass(here);
    expect((await present(sale)).status).to.equal('issued');
    expect(alerts()).to.deep.equal(['payment_amount_differs']);
  });

  it('refuses the sale if the operator returns it, and goes back if it is paid after all', async () => {
    shiftBy(-1);
    const withdraw = here.payments.withdraw.bind(here.payments);
    here.payments.withdraw = (reference) => here.payments.find(reference);
    const sale = soldIn(await here.useCases.sell(phoneSale()));
    const about = { sale: await present(sale), note: 'a cent', actor: ADMINISTRATOR };
    await here.useCases.decidePayment({ ...about, decision: { kind: 'return' } });
    expect(await present(sale)).to.include({ status: 'refused', reason: 'not_charged' });
    const [charge] = await here.sandbox.chargesOf(sale.id);
    await here.sandbox.payOnPage(charge?.id ?? '', 'pix', undefined, 'once');
    here.payments.withdraw = withdraw;
    await letTimePass(here);
    expect(refundPending(await present(sale))).to.equal(0);
    expect((await here.sandbox.chargesOf(sale.id))[0]?.returned).to.be.above(0);
  });
});

describe('a charge that the gateway shows without our reference', () => {
  it('reaches operators, and is paid as any other', async () => {
    const here = await world();
    const charge = here.payments.charge.bind(here.payments);
    here.payments.charge = async (order) => {
      const answer = await charge(order);
      return hasReports(answer) ? { unnamed: answer } : answer;
    };
    const sale = soldIn(await here.useCases.sell(phoneSale()));
    expect(sale.status).to.equal('awaiting_payment');
    expect(here.alerts.raised).to.deep.equal([
      { kind: 'reference_missing', provider: 'sandbox', saleId: sale.id },
    ]);
    await here.sandbox.payOnPage(sale.payment.chargeId ?? '', 'pix', undefined, 'once');
    await letTimePass(here);
    expect((await here.sales.load(sale.id))?.status).to.equal('issued');
  });
});
