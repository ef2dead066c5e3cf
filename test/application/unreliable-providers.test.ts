import { expect } from 'chai';
import {
  type AwaitingPaymentSale,
  type CalendarDate,
  cents,
  type Instant,
  type InsurerReport,
  type PaymentReport,
  type Sale,
} from '#domain';
import type { IssuanceOrder, IssuerAnswer } from '../../application/issuance/issuer.ts';
import type { GatewayAnswer } from '../../application/payments/payments.ts';
import type { SaleRequest } from '../../application/sales/sale-request.ts';
import type { InMemory } from '../../bootstrap/in-memory.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import {
  artistSale,
  cardOf,
  letTimePass,
  phoneSale,
  soldIn,
  takenBy,
  world,
} from '../support/selling.ts';

const reference = ({ id, ticket }: Sale): string => `${id}-${ticket}`;

describe('providers that hang, change their minds or contradict themselves', () => {
  let here: InMemory;
  beforeEach(async () => {
    here = await world();
  });

  const sold = async (request: SaleRequest, number?: string): Promise<Sale> =>
    soldIn(
      await here.useCases.sell(request, {
        card:
          request.payment.collectedBy === 'service' && request.payment.method === 'credit'
            ? cardOf(number)
            : undefined,
      }),
    );
  const present = async ({ id }: Sale): Promise<Sale> => (await here.sales.load(id)) as Sale;
  const charges = ({ id }: Sale) => here.sandbox.chargesOf(id);
  const cancelled = async (sale: Sale) =>
    here.useCases.cancelSale.cancel({
      sale: await present(sale),
      by: 'insured',
      actor: ADMINISTRATOR,
    });
  const papers = (sale: Sale) => here.issuer.find(reference(sale));
  const chargedAgain = (sale: Sale) => {
    const { net, iof, total } = sale.terms.quote.premium;
    const about = {
      reference: reference(sale),
      saleId: sale.id,
      description: '',
      payer: sale.terms.insured,
      installments: 1,
    };
    return here.sandbox.charge({
      ...about,
      net,
      iof,
      amount: total,
      dueOn: here.clock.today(),
      until: here.clock.now(),
      card: cardOf(),
    });
  };
  /** Answers in place of the insurer, for as long as it is needed. */
  const insurerSays = (
    answer: (order?: IssuanceOrder) => IssuerAnswer | Promise<IssuerAnswer>,
  ): void => {
    here.issuer.perform = async (_, order) => answer(order);
    here.issuer.find = async () => answer();
  };
  const price = (sale: Sale) => {
    const { net, iof, total } = sale.terms.quote.premium;
    return { net, iof, total };
  };
  const quoted = (sale: Sale, over: object = {}) =>
    ({
      status: 'quoted',
      number: 'C-1',
      amounts: price(sale),
      validUntil: '2030-01-01',
      ...over,
    }) as never;

  it('a worker that wakes up after its lease charges nothing that another is at', async () => {
    let wake = (): void => {};
    const find = here.payments.charge.bind(here.payments);
    const perform = here.issuer.perform.bind(here.issuer);
    let isFirst = true;
    here.issuer.perform = async (step, order) => {
      const answer = await perform(step, order);
      if (isFirst) {
        isFirst = false;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return answer;
    };
    const idempotency = { owner: 'client', key: 'order', content: 1 } as const;
    const slow = here.useCases.sell(artistSale('credit', { idempotency }), {
      card: cardOf(),
    });
    while (isFirst) await new Promise(setImmediate);
    here.clock.advance(121);
    here.payments.charge = async (order) => {
      const answer = await find(order);
      wake();
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      return answer;
    };
    const quick = await here.useCases.sell(artistSale('credit', { idempotency }), {
      card: cardOf(),
    });
    await slow;
    expect(soldIn(quick).status).to.equal('issued');
    expect(await charges(soldIn(quick))).to.have.length(1);
  });

  it('a refund whose answer was lost is ordered again only when it has certainly come to nothing', async () => {
    const sale = await sold(phoneSale('credit'));
    const orders: string[] = [];
    here.payments.refund = async () => {
      orders.push(here.clock.now());
      return 'unknown';
    };
    await cancelled(sale);
    for (let count = 0; count < 20; count += 1) {
      here.clock.advance(20);
      await here.runJobs();
    }
    const gaps = orders
      .slice(1)
      .map((at, index) => (Date.parse(at) - Date.parse(orders[index] as string)) / 1_000);
    expect(orders.length).to.be.within(2, 3);
    for (const gap of gaps) expect(gap).to.be.at.least(240);
  });

  it('a payment made just before its sale was cancelled goes back, and the papers are withdrawn', async () => {
    const sale = (await sold(artistSale('boleto'))) as AwaitingPaymentSale;
    await here.sandbox.payOnPage(sale.payment.chargeId, 'boleto', undefined, 'never');
    await cancelled(sale);
    await letTimePass(here);
    expect(takenBy(await charges(sale))).to.equal(0);
    expect(await papers(sale)).to.deep.nested.include({ 'proposal.status': 'cancelled' });
    expect(here.sales.due).to.deep.equal([]);
  });

  it('a charge that the gateway looks into is followed, even if its sale is cancelled meanwhile', async () => {
    const find = here.payments.find.bind(here.payments);
    const hidden = (reports: GatewayAnswer): GatewayAnswer =>
      typeof reports === 'string'
        ? reports
        : reports.map(
            ({ amount, chargeId }) => ({ status: 'unknown', amount, chargeId }) as PaymentReport,
          );
    const charge = here.payments.charge.bind(here.payments);
    here.payments.charge = async (order) => hidden(await charge(order));
    here.payments.find = async (...about) => hidden(await find(...about));
    here.payments.withdraw = async (about) => hidden(await find(about));
    const sale = await sold(phoneSale('credit'));
    expect(sale).to.deep.nested.include({ status: 'pending', 'payment.status': 'unknown' });
    await here.runJobs();
    expect(await charges(sale), 'it is not charged again').to.have.length(1);
    await cancelled(sale);
    here.payments.find = find;
    await letTimePass(here);
    expect(takenBy(await charges(sale))).to.equal(0);
    expect(here.sales.due).to.deep.equal([]);
  });

  it('a charge that comes into being hours after it was given up, and of which nobody tells, goes back', async () => {
    here.payments.mishaps.next('unheard', 'unheard');
    const sale = await sold(phoneSale('credit'));
    await letTimePass(here);
    expect(await present(sale)).to.deep.include({ status: 'refused', reason: 'not_charged' });
    here.clock.advance(6 * 3_600);
    await chargedAgain(sale);
    here.undelivered.splice(0);
    await letTimePass(here);
    expect(takenBy(await charges(sale))).to.equal(0);
  });

  it('of two charges that could be paid, one is closed', async () => {
    const sale = (await sold(phoneSale())) as AwaitingPaymentSale;
    const { net, iof, total } = sale.terms.quote.premium;
    const about = {
      reference: reference(sale),
      saleId: sale.id,
      description: '',
      payer: sale.terms.insured,
      installments: 1,
    };
    await here.sandbox.charge({
      ...about,
      net,
      iof,
      amount: total,
      dueOn: here.clock.today(),
      until: '2027-01-01T00:00:00.000Z' as Instant,
    });
    await here.runJobs();
    expect((await charges(sale)).map(({ status }) => status)).to.deep.equal(['open', 'closed']);
  });

  it('a refund that fails after all is told to somebody', async () => {
    const sale = await sold(phoneSale('credit'));
    await cancelled(sale);
    const [approved, returned] = (await here.sandbox.find(reference(sale))) as PaymentReport[];
    here.payments.find = async () => [
      approved as PaymentReport,
      { ...returned, returned: cents(1) } as PaymentReport,
    ];
    await here.sandbox.refund({
      reference: reference(sale),
      chargeId: (approved as { chargeId: string }).chargeId,
      upTo: cents(1),
    });
    await here.runJobs();
    expect(here.alerts.raised).to.deep.include({
      kind: 'refund_undone',
      provider: 'sandbox',
      saleId: sale.id,
    });
  });

  it('an insurer out of reach keeps no refund, and a gateway out of reach keeps no policy in force', async () => {
    const [one, other] = [await sold(phoneSale('credit')), await sold(phoneSale('credit'))];
    here.issuer.mishaps.always = 'unreached';
    await cancelled(one);
    expect(takenBy(await charges(one))).to.equal(0);
    here.issuer.mishaps.always = undefined;
    here.payments.mishaps.always = 'unreached';
    await cancelled(other);
    expect(await papers(other)).to.deep.nested.include({ 'policy.status': 'cancelled' });
  });

  it('an insurer that knows nothing of a policy it has issued is not believed', async () => {
    const sale = await sold(phoneSale('credit'));
    insurerSays(() => 'nothing');
    await cancelled(sale);
    await letTimePass(here, 6);
    expect(here.alerts.raised).to.deep.include({
      kind: 'papers_gone',
      provider: 'local',
      saleId: sale.id,
    });
    expect(here.sales.due).to.deep.equal([sale.id]);
  });

  it('an insurer that has never shown anything is asked to withdraw until it is certain that nothing is on its way', async () => {
    here.issuer.mishaps.always = 'unheard';
    const sale = await sold(phoneSale('credit'));
    here.issuer.mishaps.always = undefined;
    insurerSays(() => 'nothing');
    await cancelled(sale);
    expect(here.sales.due).to.include(sale.id);
    await letTimePass(here, 6);
    expect(here.sales.due).to.deep.equal([]);
    expect(here.alerts.raised).to.deep.equal([]);
  });

  it('an insurer that has cancelled the policy may leave its other papers as they were', async () => {
    const sale = await sold(phoneSale('credit'));
    const shown = (await papers(sale)) as InsurerReport;
    insurerSays(() => ({
      ...shown,
      policy: { ...shown.policy, status: 'cancelled', cancelledOn: here.clock.today() } as never,
    }));
    await cancelled(sale);
    await letTimePass(here, 2);
    expect(here.sales.due).to.deep.equal([]);
  });

  it('what was rejected may be called cancelled later', async () => {
    const sale = await sold(artistSale('boleto'));
    const proposal = {
      status: 'rejected',
      number: 'P-2026-000001',
      quotationNumber: 'C-2026-000001',
      reason: '',
    } as const;
    insurerSays(() => ({ proposal }));
    await here.useCases.advanceSale.claimed(sale.id);
    const { id } = sale;
    const pay = (await present(sale)) as AwaitingPaymentSale;
    await here.sandbox.payOnPage(pay.payment.chargeId, 'boleto', undefined, 'once');
    await letTimePass(here, 3);
    expect((await here.sales.load(id))?.status).to.equal('refunded');
    insurerSays(() => ({
      quotation: quoted(sale, { status: 'cancelled', number: 'C-2026-000001' }),
      proposal: { ...proposal, status: 'cancelled' } as never,
    }));
    await letTimePass(here, 3);
    expect(takenBy(await charges(sale))).to.equal(0);
    expect([here.sales.due, here.alerts.raised]).to.deep.equal([[], []]);
  });

  it('a proposal that was accepted, and is rejected once it is paid, gives the money back', async () => {
    const sale = await sold(artistSale('boleto'));
    const proposal = { number: 'P-2026-000001', quotationNumber: 'C-2026-000001' };
    const { chargeId } = (sale as AwaitingPaymentSale).payment;
    insurerSays(() => ({ proposal: { ...proposal, status: 'accepted' } }));
    await here.sandbox.payOnPage(chargeId, 'boleto', undefined, 'once');
    await letTimePass(here, 2);
    expect((await present(sale)).status).to.equal('paid');
    insurerSays(() => ({ proposal: { ...proposal, status: 'rejected', reason: '' } }));
    await letTimePass(here, 3);
    expect(takenBy(await charges(sale))).to.equal(0);
  });

  it('another price than the sale’s refuses it before anybody pays, and is told to somebody afterwards', async () => {
    insurerSays((order) => ({
      quotation: {
        status: 'quoted',
        number: 'C-1',
        amounts: { net: cents(1), iof: cents(1), total: cents(2) },
        validUntil: order?.on ?? here.clock.today(),
      },
    }));
    expect(await sold(artistSale('credit'))).to.deep.include({
      status: 'refused',
      reason: 'premium_differs',
    });
    const paid = await sold(phoneSale('credit'));
    expect(here.alerts.raised).to.deep.include({
      kind: 'premium_differs',
      provider: 'local',
      saleId: paid.id,
    });
  });

  it('other days than those sold are told to somebody; what was sold holds', async () => {
    const perform = here.issuer.perform.bind(here.issuer);
    here.issuer.perform = async (step, order) => {
      const answer = (await perform(step, order)) as InsurerReport;
      return {
        ...answer,
        policy: { ...answer.policy, period: { start: '1900-01-01', end: '2199-12-31' } } as never,
      };
    };
    const sale = await sold(phoneSale('credit'));
    expect(sale).to.deep.nested.include({ status: 'issued', 'policy.period': sale.terms.period });
    expect(here.alerts.raised).to.deep.equal([
      { kind: 'period_differs', provider: 'local', saleId: sale.id },
    ]);
  });

  it('a policy that takes its time is found when it is there, without being ordered twice', async () => {
    const perform = here.issuer.perform.bind(here.issuer);
    let ordered = 0;
    here.issuer.perform = async (step, order) => {
      ordered += 1;
      await perform(step, order);
      return { quotation: quoted(await present({ id: 1 } as Sale)) as never };
    };
    here.issuer.find = async () => 'unknown';
    const sale = await sold(phoneSale('credit'));
    expect(sale.status).to.equal('paid');
    here.issuer.find = async () => ({
      policy: {
        status: 'active',
        number: 'A-1',
        issuedAt: here.clock.now(),
        period: sale.terms.period,
      },
    });
    await letTimePass(here, 2);
    expect((await present(sale)).status).to.equal('issued');
    expect(ordered).to.equal(1);
  });

  it('a boleto paid long after the price has lapsed is issued: it was proposed in time', async () => {
    const payment = {
      collectedBy: 'service',
      installments: 1,
      method: 'boleto',
      underwriting: 'before_payment',
    } as const;
    const period = { start: '2027-03-01' as CalendarDate, end: '2027-03-04' as CalendarDate };
    const sale = await sold(
      artistSale('boleto', {
        declaredPeriod: period,
        payment: { ...payment, firstDueOn: '2026-12-20' as CalendarDate },
      }),
    );
    here.clock.advance(31 * 86_400);
    await here.sandbox.payOnPage(
      (sale as AwaitingPaymentSale).payment.chargeId,
      'boleto',
      undefined,
      'once',
    );
    await letTimePass(here, 2);
    expect((await present(sale)).status).to.equal('issued');
  });

  it('what was paid and is never issued goes back once there is nothing left to cover', async () => {
    const perform = here.issuer.perform.bind(here.issuer);
    here.issuer.perform = async (step, order) =>
      step === 'issue' ? 'unknown' : perform(step, order);
    const sale = await sold(artistSale('credit'));
    expect(sale.status).to.equal('paid');
    here.clock.advance(30 * 86_400);
    await letTimePass(here);
    expect((await present(sale)).status).to.equal('refunded');
    expect(takenBy(await charges(sale))).to.equal(0);
    expect(await papers(sale)).to.deep.nested.include({ 'proposal.status': 'cancelled' });
  });

  it('somebody who waits for an answer is not kept waiting by a slow provider', async () => {
    const perform = here.issuer.perform.bind(here.issuer);
    here.issuer.perform = async (step, order) => {
      here.clock.advance(26);
      return perform(step, order);
    };
    const sale = await sold(artistSale('boleto'));
    expect(sale.status).to.equal('pending');
    here.issuer.perform = perform;
    await letTimePass(here, 3);
    expect((await present(sale)).status).to.equal('awaiting_payment');
  });
});
