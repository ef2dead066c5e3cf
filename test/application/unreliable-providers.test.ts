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
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import {
  artistSale,
  cardOf,
  letTimePass,
  nameAccounts,
  phoneSale,
  soldIn,
  takenBy,
  world,
} from '../support/selling.ts';

const reference = ({ id, ticket }: Sale): string => `${id}-${ticket}`;

describe('providers that hang, correct themselves or contradict themselves', () => {
  let here: MemoryService;
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
  const cancel = async (sale: Sale) =>
    here.useCases.cancelSale.cancel({
      sale: await present(sale),
      by: 'insured',
      actor: ADMINISTRATOR,
    });
  const documents = (sale: Sale) => here.issuer.find(reference(sale));
  const chargeAgain = (sale: Sale) => {
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
  /** Replaces the answers of the insurer until the test ends. */
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

  it('does not charge twice if a worker resumes after its lease has ended', async () => {
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

  it('orders a refund without an answer again only after 240 s', async () => {
    const sale = await sold(phoneSale('credit'));
    const orders: string[] = [];
    here.payments.refund = async () => {
      orders.push(here.clock.now());
      return 'unknown';
    };
    await cancel(sale);
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

  it('refunds a payment made just before the cancellation, and withdraws the documents', async () => {
    const sale = (await sold(artistSale('boleto'))) as AwaitingPaymentSale;
    await here.sandbox.payOnPage(sale.payment.chargeId, 'boleto', undefined, 'never');
    await cancel(sale);
    await letTimePass(here);
    await nameAccounts(here, sale);
    expect(takenBy(await charges(sale))).to.equal(0);
    expect(await documents(sale)).to.deep.nested.include({ 'proposal.status': 'cancelled' });
    expect(here.sales.due).to.deep.equal([]);
  });

  it('follows a charge of unknown status, even after the sale is cancelled', async () => {
    const find = here.payments.find.bind(here.payments);
    const hidden = (reports: GatewayAnswer): GatewayAnswer =>
      typeof reports === 'string'
        ? reports
        : reports.map(
            ({ amount, chargeId }) => ({ status: 'unknown', amount, chargeId }) as PaymentReport,
          );
    const charge = here.payments.charge.bind(here.payments);
    here.payments.charge = async (order) => hidden((await charge(order)) as GatewayAnswer);
    here.payments.find = async (...about) => hidden(await find(...about));
    here.payments.withdraw = async (about) => hidden(await find(about));
    const sale = await sold(phoneSale('credit'));
    expect(sale).to.deep.nested.include({ status: 'pending', 'payment.status': 'unknown' });
    await here.runJobs();
    expect(await charges(sale), 'the service does not charge again').to.have.length(1);
    await cancel(sale);
    here.payments.find = find;
    await letTimePass(here);
    expect(takenBy(await charges(sale))).to.equal(0);
    expect(here.sales.due).to.deep.equal([]);
  });

  it('refunds a charge made 6 h after the refusal without a notice', async () => {
    here.payments.mishaps.next('unheard', 'unheard');
    const sale = await sold(phoneSale('credit'));
    await letTimePass(here);
    expect(await present(sale)).to.deep.include({ status: 'refused', reason: 'not_charged' });
    here.clock.advance(6 * 3_600);
    await chargeAgain(sale);
    here.undelivered.splice(0);
    await letTimePass(here);
    expect(takenBy(await charges(sale))).to.equal(0);
  });

  it('closes a second open charge of a sale', async () => {
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

  it('raises an alert if a reported refund fails later', async () => {
    const sale = await sold(phoneSale('credit'));
    await cancel(sale);
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

  it('refunds without the insurer, and cancels the policy without the gateway', async () => {
    const [one, other] = [await sold(phoneSale('credit')), await sold(phoneSale('credit'))];
    here.issuer.mishaps.always = 'unreached';
    await cancel(one);
    expect(takenBy(await charges(one))).to.equal(0);
    here.issuer.mishaps.always = undefined;
    here.payments.mishaps.always = 'unreached';
    await cancel(other);
    expect(await documents(other)).to.deep.nested.include({ 'policy.status': 'cancelled' });
  });

  it('raises an alert and retries if the insurer no longer knows an issued policy', async () => {
    const sale = await sold(phoneSale('credit'));
    insurerSays(() => 'nothing');
    await cancel(sale);
    await letTimePass(here, 6);
    expect(here.alerts.raised).to.deep.include({
      kind: 'papers_gone',
      provider: 'local',
      saleId: sale.id,
    });
    expect(here.sales.due).to.deep.equal([sale.id]);
  });

  it('retries a withdrawal until an unanswered order can no longer take effect', async () => {
    here.issuer.mishaps.always = 'unheard';
    const sale = await sold(phoneSale('credit'));
    here.issuer.mishaps.always = undefined;
    insurerSays(() => 'nothing');
    await cancel(sale);
    await letTimePass(here, 3);
    expect(here.sales.due).to.include(sale.id);
    await letTimePass(here, 3);
    expect(here.sales.due).to.deep.equal([]);
    expect(here.alerts.raised).to.deep.equal([]);
  });

  it('accepts a cancelled policy even if the insurer’s other documents stay unchanged', async () => {
    const sale = await sold(phoneSale('credit'));
    const shown = (await documents(sale)) as InsurerReport;
    insurerSays(() => ({
      ...shown,
      policy: { ...shown.policy, status: 'cancelled', cancelledOn: here.clock.today() } as never,
    }));
    await cancel(sale);
    await letTimePass(here, 2);
    expect(here.sales.due).to.deep.equal([]);
  });

  it('accepts that the insurer later reports a rejected proposal as cancelled', async () => {
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
    await nameAccounts(here, sale);
    expect((await here.sales.load(id))?.status).to.equal('refunded');
    insurerSays(() => ({
      quotation: quoted(sale, { status: 'cancelled', number: 'C-2026-000001' }),
      proposal: { ...proposal, status: 'cancelled' } as never,
    }));
    await letTimePass(here, 3);
    expect(takenBy(await charges(sale))).to.equal(0);
    expect([here.sales.due, here.alerts.raised]).to.deep.equal([[], []]);
  });

  it('refunds a paid sale if the insurer rejects the accepted proposal', async () => {
    const sale = await sold(artistSale('boleto'));
    const proposal = { number: 'P-2026-000001', quotationNumber: 'C-2026-000001' };
    const { chargeId } = (sale as AwaitingPaymentSale).payment;
    insurerSays(() => ({ proposal: { ...proposal, status: 'accepted' } }));
    await here.sandbox.payOnPage(chargeId, 'boleto', undefined, 'once');
    await letTimePass(here, 2);
    expect((await present(sale)).status).to.equal('paid');
    insurerSays(() => ({ proposal: { ...proposal, status: 'rejected', reason: '' } }));
    await letTimePass(here, 3);
    await nameAccounts(here, sale);
    expect(takenBy(await charges(sale))).to.equal(0);
  });

  it('refuses a sale if the insurer’s price differs, or raises an alert if paid', async () => {
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

  it('raises an alert if the policy’s period differs, and keeps the sold period', async () => {
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

  it('finds a policy that the insurer issues late, and does not order it twice', async () => {
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

  it('issues the policy if the boleto is paid after the quotation expired', async () => {
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

  it('refunds a paid sale that is not issued by the end of its period', async () => {
    const perform = here.issuer.perform.bind(here.issuer);
    here.issuer.perform = async (step, order) =>
      step === 'issue' ? 'unknown' : perform(step, order);
    const sale = await sold(artistSale('boleto'));
    const [charge] = await charges(sale);
    await here.sandbox.payOnPage(charge?.id ?? '', 'boleto', undefined, 'once');
    await letTimePass(here, 2);
    expect((await present(sale)).status).to.equal('paid');
    here.clock.advance(30 * 86_400);
    await letTimePass(here);
    await nameAccounts(here, sale);
    expect((await present(sale)).status).to.equal('refunded');
    expect(takenBy(await charges(sale))).to.equal(0);
    expect(await documents(sale)).to.deep.nested.include({ 'proposal.status': 'cancelled' });
  });

  it('answers with a pending sale if a provider is slow, and continues later', async () => {
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
