import { expect } from 'chai';
import { type CancelledBy, cents, isCancelled, protocolOf, type Sale } from '#domain';
import type { CancellationMail } from '../../application/mail/mailer.ts';
import { CANCELLATION_NUMBER } from '../../application/mailing-name.ts';
import type { SaleRequest } from '../../application/sales/sale-request.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import { day } from '../support/sales.ts';
import { artistSale, cardOf, phoneSale, soldIn, world } from '../support/selling.ts';

const ticketSale = (): SaleRequest => ({
  ...phoneSale(),
  line: 'event_ticket',
  product: { id: 1 },
  insuredObject: { ticketNumber: 'A-1' },
  insuredAmount: cents(188_600),
  eventOn: day('2026-12-31'),
  payment: { collectedBy: 'channel', method: 'pix', paidOn: day('2026-11-20') },
});

const travelSale = (): SaleRequest => ({
  ...ticketSale(),
  line: 'travel',
  product: { id: 4 },
  declaredPeriod: { start: day('2026-12-01'), end: day('2026-12-10') },
});

describe('the mail that tells the insured of a cancellation', () => {
  let memory: MemoryService;
  const sell = async (request: SaleRequest, card?: ReturnType<typeof cardOf>): Promise<Sale> =>
    soldIn(await memory.useCases.sell(request, { card }));
  const cancel = async (sale: Sale, by: CancelledBy = 'insured'): Promise<Sale> => {
    const outcome = await memory.useCases.cancelSale.cancel({ sale, by, actor: ADMINISTRATOR });
    if ('refused' in outcome) throw new Error(outcome.kind);
    return outcome;
  };
  const runJobs = async (): Promise<void> => {
    for (let times = 0; times < 4; times += 1) await memory.runJobs();
  };
  const told = (): readonly CancellationMail[] =>
    memory.mailer.sent.filter((mail) => mail.occasion === 'cancellation');
  beforeEach(async () => {
    memory = await world();
  });

  const PRODUCTS: readonly [string, () => SaleRequest, boolean][] = [
    ['Ingresso Protegido', ticketSale, false],
    ['Artista Protegido', () => artistSale('credit'), true],
    ['Seguro Celular', () => phoneSale('credit'), true],
  ];
  for (const [name, request, hasCard] of PRODUCTS)
    it(`is sent once for ${name}, with the figures and the protocol`, async () => {
      const sale = await cancel(await sell(request(), hasCard ? cardOf() : undefined));
      if (!isCancelled(sale)) throw new Error(sale.status);
      await runJobs();
      const [mail, ...others] = told();
      expect(others).to.deep.equal([]);
      expect(mail).to.deep.include({
        to: sale.terms.insured.email,
        reference: `${sale.id}-${sale.ticket}-cancellation`,
      });
      expect(mail?.notice).to.deep.include({
        protocol: protocolOf(sale),
        figures: sale.cancellation,
        productName: name,
        collectedBy: hasCard ? 'service' : 'channel',
        method: hasCard ? 'credit' : 'pix',
        channelName: 'Canal de demonstração',
      });
      expect(mail?.notice.document?.kind).to.equal(hasCard ? 'policy' : 'bilhete');
    });

  it('is sent once if the cancellation is asked for again', async () => {
    const sale = await sell(ticketSale());
    const first = await cancel(sale);
    const again = await cancel(first);
    expect(protocolOf(again)).to.equal(protocolOf(first));
    await runJobs();
    expect(told()).to.have.length(1);
  });

  it('names the insurer when the insurer ended the contract', async () => {
    await cancel(await sell(phoneSale('credit'), cardOf()), 'insurer');
    await runJobs();
    expect(told()[0]?.notice.figures).to.deep.include({ by: 'insurer', reason: 'cancellation' });
  });

  const COLLECTED: readonly [string, () => SaleRequest][] = [
    ['Artista Protegido', () => artistSale('credit')],
    ['Seguro Celular', () => phoneSale('credit')],
  ];
  for (const [name, request] of COLLECTED) {
    it(`is sent when the insurer reports the end of the policy of ${name}`, async () => {
      const sale = await sell(request(), cardOf());
      const reference = `${sale.id}-${sale.ticket}`;
      const { terms, issuance } = sale;
      const on = memory.clock.today();
      await memory.issuer.perform('withdraw', { reference, terms, issuance, on, paidOn: on });
      await memory.useCases.synchronizeSale(sale);
      await runJobs();
      expect(told()).to.have.length(1);
      expect(told()[0]?.notice.figures.by).to.equal('insurer');
      expect(told()[0]?.notice.productName).to.equal(name);
    });

    it(`is sent when the payer’s bank took the payment of ${name} back`, async () => {
      const sale = await sell(request(), cardOf());
      const { chargeId } = sale.payment;
      if (chargeId === undefined) throw new Error(sale.status);
      const reference = `${sale.id}-${sale.ticket}`;
      await memory.sandbox.refund({ reference, chargeId, upTo: sale.terms.quote.premium.total });
      await runJobs();
      expect((await memory.sales.load(sale.id))?.status).to.equal('refunded');
      expect(told().map(({ notice }) => notice.figures.reason)).to.deep.equal(['charged_back']);
    });
  }

  it('is sent when a payment link is withdrawn, but not if nothing was charged', async () => {
    const sale = await sell(phoneSale());
    expect(sale.status).to.equal('awaiting_payment');
    await cancel(sale);
    await runJobs();
    expect(told().map(({ notice }) => notice.figures.reason)).to.deep.equal(['not_paid']);
    expect(told()[0]?.notice).not.to.have.any.keys('document', 'method');

    memory.payments.mishaps.always = 'unreached';
    const pending = await sell(phoneSale());
    expect(pending.status).to.equal('pending');
    await cancel(pending);
    expect(await memory.mailings.list({ saleId: pending.id, limit: 10 })).to.deep.equal([]);
  });

  it('is another one if the purchase came to no contract', async () => {
    await sell(phoneSale('credit'), cardOf('4000000000000002'));
    const link = await sell(phoneSale());
    memory.clock.advance(10 * 86_400);
    const { chargeId = '' } = link.payment;
    await memory.sandbox.findForPage(chargeId);
    await runJobs();
    expect((await memory.sales.load(link.id))?.status).to.equal('expired');
    const failures = memory.mailer.sent.filter((mail) => mail.occasion === 'failure');
    expect(failures.map(({ notice }) => notice.text)).to.deep.equal([
      'A compra de Seguro Celular não foi concluída: o banco ou o emissor do cartão não autorizou o pagamento. Não há seguro.',
      'A compra de Seguro Celular não foi concluída: o prazo para pagar terminou sem que um pagamento chegasse. Não há seguro.',
    ]);
    expect(told()).to.deep.equal([]);
  });

  it('is tried again while the server is down, and reported if it refuses the address', async () => {
    const sale = await cancel(await sell(ticketSale()));
    const name = { saleId: sale.id, number: CANCELLATION_NUMBER };
    const send = () => memory.useCases.mailInsured(1);
    const failed = (kind: string, reason: string) => ({
      taken: 1,
      sent: 0,
      failed: [{ ...name, kind, reason }],
    });
    memory.mailer.next({ kind: 'unreached', reason: 'ESOCKET' });
    expect(await send()).to.deep.equal(failed('later', 'ESOCKET'));
    expect(await send(), 'the server is left alone').to.deep.equal({
      taken: 0,
      sent: 0,
      failed: [],
    });
    memory.clock.advance(5);
    memory.mailer.next({ kind: 'refused', reason: 'EENVELOPE 550' });
    expect(await send()).to.deep.equal(failed('refused', 'EENVELOPE 550'));
    expect(await memory.mailings.find(name)).to.deep.include({
      status: 'undelivered',
      failures: 2,
    });
    const alert = { kind: 'mail_undelivered', ...name, reason: 'EENVELOPE 550' };
    expect(memory.alerts.raised).to.deep.include(alert);
    expect(told()).to.deep.equal([]);
  });

  it('is sent for the other products of the catalogue too', async () => {
    await cancel(await sell(travelSale()));
    await runJobs();
    expect(told()[0]?.notice.productName).to.equal('Seguro Lua de Mel');
  });
});
