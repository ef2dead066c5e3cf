import { expect } from 'chai';
import { type AwaitingPaymentSale, cents, refuse, type Sale, unwrap } from '#domain';
import type { PaymentCard } from '../../application/payments/payment-card.ts';
import type { SaleRequest } from '../../application/sales/sale-request.ts';
import type { SellOutcome } from '../../application/sales/sell.ts';
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

describe('selling what the service collects', () => {
  let here: InMemory;
  beforeEach(async () => {
    here = await world();
  });

  const sell = (request: SaleRequest, card?: PaymentCard): Promise<SellOutcome> =>
    here.useCases.sell(request, { card });
  const sold = async (request: SaleRequest, card?: PaymentCard): Promise<Sale> =>
    soldIn(await sell(request, card));
  const present = async ({ id }: Sale): Promise<Sale> => (await here.sales.load(id)) as Sale;
  const charges = ({ id }: Sale) => here.sandbox.chargesOf(id);
  const chargeId = async (sale: Sale): Promise<string> => (await charges(sale)).at(-1)?.id ?? '';
  const pay = async (sale: Sale, method: 'pix' | 'boleto' | 'credit' = 'pix') =>
    here.sandbox.payOnPage(await chargeId(sale), method, undefined, 'once');

  describe('to a card', () => {
    it('issues at once: quotation, proposal, charge, policy', async () => {
      const sale = await sold(artistSale('credit'), cardOf());
      expect(sale).to.deep.nested.include({
        status: 'issued',
        'payment.status': 'approved',
        'payment.method': 'credit',
        'issuance.quotation.status': 'issued',
        'issuance.proposal.status': 'policy',
        'policy.number': 'A-2026-000001',
        'policy.period': { start: '2026-12-01', end: '2026-12-04' },
      });
      expect(await charges(sale)).to.have.length(1);
      expect(sale).not.to.have.property('attempts');
    });

    it('of a phone, too, with the premium of the plan and the coverages chosen', async () => {
      const sale = await sold(
        phoneSale('credit', { plan: { id: 32 }, coverages: [{ id: 301 }] }),
        cardOf(),
      );
      expect(sale).to.deep.nested.include({
        status: 'issued',
        'terms.period': { start: '2026-11-20', end: '2027-11-19' },
      });
      expect(sale.terms.quote.premium.net).to.equal(30_400);
      expect(takenBy(await charges(sale))).to.equal(sale.terms.quote.premium.total);
    });

    for (const [number, reason] of [
      ['4000000000000002', 'declined'],
      ['4000000000009995', 'insufficient_funds'],
      ['4000000000000119', 'not_charged'],
    ] as const) {
      it(`that ends in ${number.slice(-4)} is refused: ${reason}, and the insurer told`, async () => {
        const sale = await sold(artistSale('credit'), cardOf(number));
        expect(sale).to.deep.include({ status: 'refused', reason });
        await letTimePass(here);
        expect(takenBy(await charges(sale))).to.equal(0);
        expect(await here.issuer.find(`${sale.id}-${sale.ticket}`)).to.deep.nested.include({
          'quotation.status': 'cancelled',
          'proposal.status': 'cancelled',
        });
        // What the gateway failed at may still come to something: for a day it is looked for.
        here.clock.advance(25 * 3_600);
        await letTimePass(here, 2);
        expect(here.sales.due).to.deep.equal([]);
      });
    }

    it('whose answer got lost after the charge is found charged, once', async () => {
      const sale = await sold(phoneSale('credit'), cardOf('4000000000003220'));
      expect(sale.status).to.equal('issued');
      expect(await charges(sale)).to.have.length(1);
    });

    it('is not asked for twice where nobody knows whether it was charged, and is given up when that is certain', async () => {
      here.payments.mishaps.next('unheard', 'unheard');
      const sale = await sold(phoneSale('credit'), cardOf());
      expect(sale).to.deep.nested.include({
        status: 'pending',
        'payment.status': 'unknown',
        'attempts[0].step': 'charge',
      });
      await here.runJobs();
      expect((await present(sale)).status, 'it may still come into being').to.equal('pending');
      await letTimePass(here);
      expect(await present(sale)).to.deep.include({ status: 'refused', reason: 'not_charged' });
      expect(await charges(sale)).to.deep.equal([]);
    });

    it('that was charged after all, long after it was given up, gives the money back', async () => {
      here.payments.mishaps.next('unheard', 'unheard');
      const sale = await sold(phoneSale('credit'), cardOf());
      await letTimePass(here);
      await here.sandbox.charge({
        ...{
          reference: `${sale.id}-${sale.ticket}`,
          saleId: sale.id,
          description: '',
          amount: sale.payment.amount,
        },
        ...{
          net: sale.terms.quote.premium.net,
          iof: sale.terms.quote.premium.iof,
          payer: sale.terms.insured,
          installments: 1,
        },
        ...{ dueOn: here.clock.today(), until: here.clock.now(), card: cardOf() },
      });
      await letTimePass(here);
      expect((await present(sale)).status).to.equal('refused');
      expect(await charges(sale)).to.have.length(1);
      expect(takenBy(await charges(sale))).to.equal(0);
    });

    it('is refused at once where the gateway cannot be reached: nothing was charged', async () => {
      here.payments.mishaps.always = 'unreached';
      expect(await sold(phoneSale('credit'), cardOf())).to.deep.include({
        status: 'refused',
        reason: 'not_charged',
      });
    });

    it('is not charged where the insurer cannot be asked first', async () => {
      here.issuer.mishaps.always = 'unreached';
      const sale = await sold(artistSale('credit'), cardOf());
      expect(sale).to.deep.include({ status: 'refused', reason: 'not_charged' });
      here.issuer.mishaps.always = undefined;
      await letTimePass(here);
      expect(await charges(sale)).to.deep.equal([]);
      expect(here.sales.due).to.deep.equal([]);
    });

    it('is paid and waits where the insurer fails only afterwards, until the policy is there', async () => {
      here.issuer.mishaps.next(undefined, undefined, 'lost', 'unheard', 'unreached');
      const sale = await sold(artistSale('credit'), cardOf());
      expect(sale.status).to.equal('paid');
      await letTimePass(here);
      expect(await present(sale)).to.deep.nested.include({
        status: 'issued',
        'policy.number': 'A-2026-000001',
      });
    });
  });

  describe('to somebody who pays later', () => {
    it('gives an address, and issues when it is paid', async () => {
      const sale = (await sold(artistSale('boleto'))) as AwaitingPaymentSale;
      expect(sale).to.deep.nested.include({
        status: 'awaiting_payment',
        'issuance.proposal.status': 'submitted',
      });
      expect(sale.payment.url).to.match(/^https:\/\/pay\.example\/sandbox\/pay\//);
      await pay(sale, 'boleto');
      await here.runJobs();
      expect(await present(sale)).to.deep.nested.include({
        status: 'issued',
        'payment.method': 'boleto',
      });
    });

    it('takes one payment, however often and in how many tabs somebody pays', async () => {
      const sale = await sold(phoneSale());
      expect(await Promise.all([pay(sale), pay(sale, 'credit')])).to.have.members(['paid', 'over']);
      await here.runJobs();
      expect(await pay(sale)).to.equal('over');
      expect((await present(sale)).receipts).to.have.length(1);
    });

    it('hears of a payment even if no notice ever comes', async () => {
      const sale = await sold(phoneSale());
      await here.sandbox.payOnPage(await chargeId(sale), 'pix', undefined, 'never');
      here.undelivered.splice(0);
      await letTimePass(here);
      expect((await present(sale)).status).to.equal('issued');
    });

    it('closes what nobody has paid in time, on both sides', async () => {
      const sale = await sold(artistSale('boleto'));
      here.clock.advance(8 * 86_400);
      await letTimePass(here);
      expect((await present(sale)).status).to.equal('expired');
      expect((await charges(sale)).map(({ status }) => status)).to.deep.equal(['closed']);
      expect(await here.issuer.find(`${sale.id}-${sale.ticket}`)).to.deep.nested.include({
        'proposal.status': 'cancelled',
      });
      expect(await pay(sale)).to.equal('over');
    });

    it('takes a payment that was made just before it was closed', async () => {
      const sale = (await sold(phoneSale())) as AwaitingPaymentSale;
      await here.sandbox.payOnPage(await chargeId(sale), 'pix', undefined, 'never');
      here.clock.advance(8 * 86_400);
      await letTimePass(here);
      expect((await present(sale)).status).to.equal('issued');
    });

    it('is refused when the payer refuses', async () => {
      const sale = await sold(phoneSale());
      await here.sandbox.refuseOnPage(await chargeId(sale), 'once');
      await here.runJobs();
      expect(await present(sale)).to.deep.include({ status: 'refused', reason: 'payer_refused' });
    });

    it('orders the charge anew, once it is certain that there is none', async () => {
      here.payments.mishaps.next('unheard', 'unheard');
      const sale = await sold(phoneSale());
      expect(sale.status).to.equal('pending');
      await letTimePass(here, 5);
      expect((await present(sale)).status).to.equal('awaiting_payment');
      expect(await charges(sale)).to.have.length(1);
    });

    it('waits for an insurer that cannot be reached, and then goes on', async () => {
      here.issuer.mishaps.always = 'unreached';
      const sale = await sold(artistSale('boleto'));
      expect(sale.status).to.equal('pending');
      here.issuer.mishaps.always = undefined;
      await letTimePass(here, 2);
      expect((await present(sale)).status).to.equal('awaiting_payment');
    });
  });

  describe('what a provider says that cannot be', () => {
    it('another amount is not taken over, and somebody is told', async () => {
      const sale = await sold(phoneSale());
      const [report] = (await here.sandbox.find(`${sale.id}-${sale.ticket}`)) as [object];
      here.payments.find = async () => [
        {
          ...report,
          status: 'approved',
          amount: cents(1),
          collectedBy: 'service',
          paidOn: '2026-11-20',
        } as never,
      ];
      await here.runJobs();
      expect((await present(sale)).status).to.equal('awaiting_payment');
      expect(here.alerts.raised).to.deep.include({
        ...{
          kind: 'provider_contradicts',
          provider: 'sandbox',
          saleId: sale.id,
          refusal: 'payment_amount_differs',
        },
      });
    });

    it('a word that nobody knows is kept, told, and changes nothing', async () => {
      const sale = await sold(phoneSale('credit'), cardOf());
      here.issuer.find = async () => ({ unknownWords: { quotation: 'EM_AUDITORIA' } });
      const seen = await here.useCases.synchronizeSale(sale);
      expect(seen).to.deep.nested.include({
        status: 'issued',
        'issuance.unknownWords.quotation': 'EM_AUDITORIA',
      });
      expect(here.alerts.raised).to.deep.include({
        ...{ kind: 'status_unknown', provider: 'local', saleId: sale.id, words: ['EM_AUDITORIA'] },
      });
    });

    it('a second charge for a paid sale goes back', async () => {
      const sale = await sold(phoneSale());
      await pay(sale);
      await here.runJobs();
      const { net, iof, total } = sale.terms.quote.premium;
      await here.sandbox.charge({
        ...{
          reference: `${sale.id}-${sale.ticket}`,
          saleId: sale.id,
          description: '',
          net,
          iof,
          amount: total,
        },
        ...{
          payer: sale.terms.insured,
          installments: 1,
          dueOn: here.clock.today(),
          until: here.clock.now(),
          card: cardOf(),
        },
      });
      await letTimePass(here);
      expect((await charges(sale)).map(({ status, returned }) => [status, returned])).to.deep.equal(
        [
          ['paid', 0],
          ['paid', total],
        ],
      );
      expect((await present(sale)).status).to.equal('issued');
    });
  });

  describe('asking how a sale stands', () => {
    it('brings it up to date with the insurer', async () => {
      here.issuer.mishaps.next('lost');
      const sale = await sold(phoneSale('credit'), cardOf());
      expect(sale.status).to.equal('paid');
      const seen = await here.useCases.synchronizeSale(sale);
      expect(seen?.status).to.equal('issued');
      expect((await present(sale)).status).to.equal('issued');
    });

    it('shows what is stored where the insurer does not answer', async () => {
      const sale = await sold(phoneSale('credit'), cardOf());
      here.issuer.mishaps.always = 'unheard';
      expect(await here.useCases.synchronizeSale(sale)).to.deep.equal(sale);
    });
  });

  describe('the same order again', () => {
    const idempotency = { owner: 'client', key: 'order-1', content: { a: 1 } } as const;

    it('gives the first answer, even if much has happened since', async () => {
      const first = await sell(phoneSale(undefined, { idempotency }));
      await pay(soldIn(first));
      await here.runJobs();
      expect(await sell(phoneSale(undefined, { idempotency }))).to.deep.equal({
        ...first,
        replayed: true,
      });
    });

    it('is told to wait while the first one is being worked on', async () => {
      const [one, other] = await Promise.all(
        [0, 1].map(() => sell(phoneSale('credit', { idempotency }), cardOf())),
      );
      expect([one?.kind, other?.kind]).to.have.members(['sold', 'still_running']);
      expect(await charges({ id: 1 } as Sale)).to.have.length(1);
    });

    it('takes the sale up where its first worker died, with the card it brings', async () => {
      const save = here.sales.save.bind(here.sales);
      here.sales.save = () => Promise.reject(new Error('the process died'));
      await sell(phoneSale('credit', { idempotency }), cardOf()).catch(() => {});
      here.sales.save = save;
      expect((await sell(phoneSale('credit', { idempotency }), cardOf())).kind).to.equal(
        'still_running',
      );
      here.clock.advance(121);
      const again = await sell(phoneSale('credit', { idempotency }), cardOf());
      expect(again).to.deep.include({ kind: 'sold', replayed: true });
      expect(soldIn(again).status).to.equal('issued');
    });

    it('says something else: a conflict', async () => {
      await sell(phoneSale(undefined, { idempotency }));
      const outcome = await sell(
        phoneSale(undefined, { idempotency: { ...idempotency, content: { a: 2 } } }),
      );
      expect(outcome.kind).to.equal('key_reused');
    });
  });

  describe('cancelling', () => {
    const cancel = (sale: Sale, expectedRefund?: number) =>
      here.useCases.cancelSale.cancel({
        ...{ sale, by: 'insured', actor: ADMINISTRATOR },
        ...(expectedRefund !== undefined && { expectedRefund: cents(expectedRefund) }),
      });
    const issued = (): Promise<Sale> => sold(phoneSale('credit', { plan: { id: 32 } }), cardOf());

    it('within seven days gives everything back, and ends the policy', async () => {
      const sale = await issued();
      const figures = await here.useCases.cancelSale.preview(sale, 'insured');
      expect(figures).to.deep.nested.include({
        reason: 'withdrawal',
        'refund.total': sale.payment.amount,
      });
      expect((await present(sale)).status, 'a preview changes nothing').to.equal('issued');
      const outcome = await cancel(sale);
      expect(outcome).to.deep.nested.include({
        status: 'refunded',
        cancellation: figures,
      });
      expect(takenBy(await charges(sale))).to.equal(0);
      expect(await here.issuer.find(`${sale.id}-${sale.ticket}`)).to.deep.nested.include({
        'policy.status': 'cancelled',
      });
    });

    it('afterwards gives back what the rule says, to the cent', async () => {
      const sale = await issued();
      here.clock.advance(100 * 86_400);
      const outcome = await cancel(sale);
      // 101 of 365 days: 46 % retained by the short-period table; the IOF stays paid.
      expect(outcome).to.deep.nested.include({
        status: 'refunded',
        'cancellation.kept.net': 13_754,
      });
      expect(takenBy(await charges(sale))).to.equal(13_754 + sale.terms.quote.premium.iof);
    });

    it('asks first whether somebody has paid meanwhile: then that goes back', async () => {
      const sale = await sold(phoneSale());
      await here.sandbox.payOnPage(await chargeId(sale), 'pix', undefined, 'never');
      here.undelivered.splice(0);
      expect(await here.useCases.cancelSale.preview(sale, 'insured')).to.deep.nested.include({
        reason: 'not_issued',
        'refund.total': 3_211,
      });
      expect(await cancel(await present(sale))).to.deep.nested.include({
        status: 'refunded',
      });
      expect(takenBy(await charges(sale))).to.equal(0);
    });

    it('again tells what the first time gave, and gives nothing back twice', async () => {
      const sale = await issued();
      const first = unwrap(await cancel(sale));
      here.clock.advance(86_400);
      const again = await cancel(await present(sale));
      expect(again).to.deep.equal(await present(sale));
      expect(again).to.deep.include({ cancellation: first.cancellation });
      expect(takenBy(await charges(sale))).to.equal(0);
    });

    it('is refused where more or less would go back than the insured was told', async () => {
      const sale = await issued();
      expect(await cancel(sale, 1)).to.deep.include({ kind: 'refund_differs' });
      expect((await present(sale)).status).to.equal('issued');
    });

    it('of what nobody has paid closes the charge', async () => {
      const sale = await sold(phoneSale());
      await cancel(sale);
      expect((await charges(sale)).map(({ status }) => status)).to.deep.equal(['closed']);
    });

    it('waits for a gateway that cannot be reached, and gives back once it can', async () => {
      const sale = await issued();
      here.payments.mishaps.always = 'unreached';
      expect(unwrap(await cancel(sale)).status).to.equal('cancelled');
      here.payments.mishaps.always = undefined;
      await letTimePass(here);
      expect((await present(sale)).status).to.equal('refunded');
      expect(takenBy(await charges(sale))).to.equal(0);
    });

    it('gives back once, even if the answer to the refund got lost', async () => {
      const sale = await issued();
      here.payments.mishaps.next(undefined, 'lost');
      await cancel(sale);
      await letTimePass(here);
      expect((await present(sale)).status).to.equal('refunded');
      expect(takenBy(await charges(sale))).to.equal(0);
    });

    it('is not possible once the sale has ended otherwise', async () => {
      const sale = await sold(phoneSale('credit'), cardOf('4000000000000002'));
      expect(await cancel(sale)).to.deep.equal(refuse('sale_ended'));
      expect(await here.useCases.cancelSale.preview(sale, 'insured')).to.deep.equal(
        refuse('sale_ended'),
      );
    });

    it('by the insurer keeps only what was earned by the day', async () => {
      const sale = await issued();
      here.clock.advance(100 * 86_400);
      const outcome = await here.useCases.cancelSale.cancel({
        sale,
        by: 'insurer',
        actor: ADMINISTRATOR,
      });
      expect(outcome).to.deep.nested.include({
        'cancellation.by': 'insurer',
        'cancellation.usedDays': 101,
      });
    });
  });
});
