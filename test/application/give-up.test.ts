import { expect } from 'chai';
import { type Sale, unwrap } from '#domain';
import { refreshPayment } from '../../application/collection/refresh-payment.ts';
import type { CancellationMail } from '../../application/mail/mailer.ts';
import type { SaleRequest } from '../../application/sales/sale-request.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import {
  artistSale,
  cardOf,
  letTimePass,
  phoneSale,
  soldIn,
  takenBy,
  ticketSale,
  world,
} from '../support/selling.ts';

const REASON = 'the insurer has not answered for two days';

describe('giving up a stuck sale', () => {
  let here: MemoryService;
  beforeEach(async () => {
    here = await world();
  });

  const sold = async (request: SaleRequest, card = false): Promise<Sale> =>
    soldIn(await here.useCases.sell(request, card ? { card: cardOf() } : {}));
  const giveUp = async ({ id }: Sale) =>
    here.useCases.cancelSale.giveUp({
      sale: (await here.sales.load(id)) as Sale,
      reason: REASON,
      actor: ADMINISTRATOR,
    });
  const present = async ({ id }: Sale): Promise<Sale> => (await here.sales.load(id)) as Sale;
  const taken = async ({ id }: Sale) => takenBy(await here.sandbox.chargesOf(id));
  const documents = ({ id, ticket }: Sale) => here.issuer.find(`${id}-${ticket}`);
  const letters = (): readonly CancellationMail[] =>
    here.mailer.sent.filter((mail) => mail.occasion === 'cancellation');
  const entries = async ({ id }: Sale) =>
    (await here.auditLog.list({ subject: `transaction/${id}`, limit: 10 })).map(
      ({ action, reason }) => [action, reason],
    );
  const pay = async (sale: Sale, manner: 'never' | 'once'): Promise<void> => {
    const [charge] = await here.sandbox.chargesOf(sale.id);
    await here.sandbox.payOnPage(charge?.id ?? '', 'pix', undefined, manner);
  };

  it('refunds a paid sale, withdraws its documents, tells the insured and keeps the reason', async () => {
    here.issuer.mishaps.always = 'unreached';
    const sale = await sold(phoneSale('credit'), true);
    expect(sale.status).to.equal('paid');
    here.issuer.mishaps.always = undefined;

    const ended = unwrap(await giveUp(sale));
    expect(ended.status).to.equal('refunded');
    expect(ended.cancellation).to.include({ by: 'insurer', reason: 'not_issued' });
    expect(await taken(sale)).to.equal(0);
    expect(await entries(sale)).to.deep.equal([['sale.given_up', REASON]]);

    await letTimePass(here);
    expect(here.sales.due).to.deep.equal([]);
    expect(await documents(sale)).not.to.have.nested.property('policy.status', 'active');
    expect(letters().map(({ notice }) => notice.figures.refund.total)).to.deep.equal([
      sale.payment.amount,
    ]);
    const [event] = here.partnerEvents.kept.filter(({ type }) => type.startsWith('sale.c'));
    expect(event?.type).to.equal('sale.cancelled');
    expect(JSON.stringify(here.partnerEvents.kept)).not.to.include('two days');
  });

  it('withdraws the documents of an insurer that issued and did not say so', async () => {
    here.issuer.mishaps.always = 'lost';
    const sale = await sold(phoneSale('credit'), true);
    expect(sale.status).to.equal('paid');
    here.issuer.mishaps.always = undefined;
    expect(await documents(sale)).to.have.nested.property('policy.status', 'active');

    await giveUp(sale);
    await letTimePass(here);
    expect(await documents(sale)).to.have.nested.property('policy.status', 'cancelled');
    expect(await taken(sale)).to.equal(0);
  });

  it('closes the page of a sale that waits for its payer', async () => {
    const sale = await sold(phoneSale());
    expect(unwrap(await giveUp(sale)).status).to.equal('cancelled');
    expect((await here.sandbox.chargesOf(sale.id)).map(({ status }) => status)).to.deep.equal([
      'closed',
    ]);
    await letTimePass(here);
    expect(letters().map(({ notice }) => notice.unbooked?.kind)).to.deep.equal(['not_paid']);
  });

  it('tells the insured also if nothing was charged', async () => {
    here.issuer.mishaps.always = 'unreached';
    const sale = await sold(artistSale('boleto'));
    expect(sale).to.deep.nested.include({ status: 'pending', 'payment.status': 'requested' });
    expect(unwrap(await giveUp(sale)).status).to.equal('cancelled');
    here.issuer.mishaps.always = undefined;
    await letTimePass(here);
    expect(letters().map(({ notice }) => notice.unbooked?.kind)).to.deep.equal(['not_charged']);
    expect(here.sales.due).to.deep.equal([]);
  });

  it('finds and refunds a charge whose answer was lost', async () => {
    here.payments.mishaps.next('lost', 'lost');
    const sale = await sold(phoneSale('credit'), true);
    expect(sale).to.deep.nested.include({ status: 'pending', 'payment.status': 'unknown' });
    const ended = unwrap(await giveUp(sale));
    expect(ended).to.deep.include({ status: 'refunded' });
    expect(ended).not.to.have.property('attempts');
    expect(await taken(sale)).to.equal(0);
  });

  it('says nothing of the money while the gateway does not answer, and refunds afterwards', async () => {
    here.payments.mishaps.next('lost');
    here.payments.mishaps.always = 'unreached';
    const sale = await sold(phoneSale('credit'), true);
    expect(unwrap(await giveUp(sale)).status).to.equal('cancelled');
    await here.runJobs();
    expect(letters().map(({ notice }) => notice.unbooked?.kind)).to.deep.equal(['unknown']);

    here.payments.mishaps.always = undefined;
    await letTimePass(here);
    expect(await taken(sale)).to.equal(0);
    here.clock.advance(86_400);
    await letTimePass(here);
    expect(here.sales.due).to.deep.equal([]);
  });

  it('refunds a charge that the gateway denied for hours', async () => {
    here.payments.mishaps.next('lost');
    const find = here.payments.find.bind(here.payments);
    here.payments.find = async () => [];
    const sale = await sold(phoneSale('credit'), true);
    here.undelivered.splice(0);
    await giveUp(sale);
    await letTimePass(here, 120);
    expect(await taken(sale)).to.equal(sale.payment.amount);

    here.payments.find = find;
    await letTimePass(here);
    expect(await taken(sale)).to.equal(0);
  });

  for (const manner of ['never', 'once'] as const)
    it(`refunds a payment that arrives after it, with a notice sent: ${manner}`, async () => {
      const sale = await sold(phoneSale());
      here.payments.mishaps.always = 'unreached';
      await giveUp(sale);
      await pay(sale, manner);
      expect(await taken(sale)).to.equal(sale.payment.amount);
      here.payments.mishaps.always = undefined;
      await letTimePass(here);
      expect(await taken(sale)).to.equal(0);
      const { chargeId, amount } = sale.payment;
      expect((await present(sale)).receipts[0]).to.include({ chargeId, amount, returned: amount });
    });

  it('refunds a payment that the service did not know', async () => {
    const sale = await sold(phoneSale());
    await pay(sale, 'never');
    expect(unwrap(await giveUp(sale))).to.deep.nested.include({
      status: 'refunded',
      'cancellation.refund.total': sale.payment.amount,
    });
  });

  it('answers the same when it is repeated, and is noted once', async () => {
    const sale = await sold(phoneSale());
    const first = unwrap(await giveUp(sale));
    const again = unwrap(await giveUp(sale));
    expect(again.cancellation).to.deep.equal(first.cancellation);
    expect(await entries(sale)).to.have.length(1);
  });

  it('is refused where there is nothing to give up', async () => {
    const refused = await sold(phoneSale('credit'), true);
    expect(refused.status).to.equal('issued');
    const cancelled = await sold(phoneSale());
    const order = { sale: cancelled, by: 'insured', actor: ADMINISTRATOR } as const;
    unwrap(await here.useCases.cancelSale.cancel(order));
    for (const sale of [refused, cancelled, await sold(ticketSale())]) {
      const before = await present(sale);
      expect(await giveUp(sale)).to.deep.equal({ refused: true, kind: 'nothing_to_give_up' });
      expect(await present(sale)).to.deep.equal(before);
    }
  });

  it('is refused while a worker has the sale', async () => {
    const sale = await sold(phoneSale());
    const until = new Date(Date.parse(here.clock.now()) + 60_000).toISOString() as never;
    await here.sales.claim(sale.id, { holder: 'a worker', until }, here.clock.now());
    expect(await giveUp(sale)).to.deep.equal({ refused: true, kind: 'sale_busy' });
  });

  /** Does something just before a cancellation is first stored. */
  const beforeItIsStored = (work: () => Promise<unknown>): void => {
    const save = here.sales.save.bind(here.sales);
    here.sales.save = async (changed, saving) => {
      if (changed.status === 'cancelled') {
        here.sales.save = save;
        await work();
      }
      return save(changed, saving);
    };
  };

  it('refunds a payment that is booked at the same time', async () => {
    const sale = await sold(phoneSale());
    beforeItIsStored(async () => {
      await pay(sale, 'never');
      await refreshPayment(await present(sale), here);
    });
    expect(unwrap(await giveUp(sale)).cancellation).to.deep.include({ reason: 'not_issued' });
    await letTimePass(here);
    expect(await taken(sale)).to.equal(0);
    expect(await entries(sale)).to.have.length(1);
  });

  it('is refused if the sale is issued at the same time', async () => {
    here.issuer.mishaps.always = 'lost';
    const sale = await sold(phoneSale('credit'), true);
    here.issuer.mishaps.always = undefined;
    beforeItIsStored(async () => here.useCases.synchronizeSale(await present(sale)));
    expect(await giveUp(sale)).to.deep.equal({ refused: true, kind: 'nothing_to_give_up' });
    expect((await present(sale)).status).to.equal('issued');
    expect(await entries(sale)).to.deep.equal([]);
  });
});
