import { expect } from 'chai';
import {
  type AwaitingPaymentSale,
  type CalendarDate,
  cents,
  refuse,
  type Sale,
  type ServicePayment,
  unwrap,
} from '#domain';
import type { PaymentCard } from '../../application/payments/payment-card.ts';
import type { SaleRequest } from '../../application/sales/sale-request.ts';
import type { SellOutcome } from '../../application/selling/sell.ts';
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

describe('sales whose premium the service collects', () => {
  let here: MemoryService;
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

  describe('by card', () => {
    it('creates quotation, proposal, charge and policy in one request', async () => {
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

    it('charges the premium of the chosen plan and coverages of Seguro Celular', async () => {
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
      it(`refuses card ${number.slice(-4)} (${reason}), and withdraws the proposal`, async () => {
        const sale = await sold(artistSale('credit'), cardOf(number));
        expect(sale).to.deep.include({ status: 'refused', reason });
        await letTimePass(here);
        expect(takenBy(await charges(sale))).to.equal(0);
        expect(await here.issuer.find(`${sale.id}-${sale.ticket}`)).to.deep.nested.include({
          'quotation.status': 'cancelled',
          'proposal.status': 'cancelled',
        });
        // The service looks for a late charge for 24 h after the refusal.
        here.clock.advance(25 * 3_600);
        await letTimePass(here, 2);
        expect(here.sales.due).to.deep.equal([]);
      });
    }

    it('finds a charge whose answer was lost, and does not charge again', async () => {
      const sale = await sold(phoneSale('credit'), cardOf('4000000000003220'));
      expect(sale.status).to.equal('issued');
      expect(await charges(sale)).to.have.length(1);
    });

    it('waits for a charge without an answer, and refuses the sale if none is found', async () => {
      here.payments.mishaps.next('unheard', 'unheard');
      const sale = await sold(phoneSale('credit'), cardOf());
      expect(sale).to.deep.nested.include({
        status: 'pending',
        'payment.status': 'unknown',
        'attempts[0].step': 'charge',
      });
      await here.runJobs();
      expect((await present(sale)).status, 'the gateway may still make the charge').to.equal(
        'pending',
      );
      await letTimePass(here);
      expect(await present(sale)).to.deep.include({ status: 'refused', reason: 'not_charged' });
      expect(await charges(sale)).to.deep.equal([]);
    });

    it('refunds a charge that the gateway makes after the sale was refused', async () => {
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

    it('refuses the sale at once if the gateway is unreachable', async () => {
      here.payments.mishaps.always = 'unreached';
      expect(await sold(phoneSale('credit'), cardOf())).to.deep.include({
        status: 'refused',
        reason: 'not_charged',
      });
    });

    it('does not charge the card if the insurer is unreachable', async () => {
      here.issuer.mishaps.always = 'unreached';
      const sale = await sold(artistSale('credit'), cardOf());
      expect(sale).to.deep.include({ status: 'refused', reason: 'not_charged' });
      here.issuer.mishaps.always = undefined;
      await letTimePass(here);
      expect(await charges(sale)).to.deep.equal([]);
      expect(here.sales.due).to.deep.equal([]);
    });

    it('keeps the sale paid while the insurer fails, and issues the policy later', async () => {
      here.issuer.mishaps.next('lost', 'unheard', 'unreached');
      const sale = await sold(phoneSale('credit'), cardOf());
      expect(sale.status).to.equal('paid');
      await letTimePass(here);
      expect(await present(sale)).to.deep.nested.include({
        status: 'issued',
        'policy.number': 'A-2026-000001',
      });
    });
  });

  describe('by link or boleto', () => {
    it('returns a payment URL, and issues the policy after the payment', async () => {
      const sale = (await sold(artistSale('boleto'))) as AwaitingPaymentSale;
      expect(sale).to.deep.nested.include({
        status: 'awaiting_payment',
        'issuance.proposal.status': 'accepted',
      });
      expect(sale.payment.url).to.match(/^https:\/\/pay\.example\/sandbox\/pay\//);
      await pay(sale, 'boleto');
      await here.runJobs();
      expect(await present(sale)).to.deep.nested.include({
        status: 'issued',
        'payment.method': 'boleto',
      });
    });

    it('accepts one payment if the payer pays repeatedly or in two tabs', async () => {
      const sale = await sold(phoneSale());
      expect(await Promise.all([pay(sale), pay(sale, 'credit')])).to.have.members(['paid', 'over']);
      await here.runJobs();
      expect(await pay(sale)).to.equal('over');
      expect((await present(sale)).receipts).to.have.length(1);
    });

    it('finds a payment without a notice from the gateway', async () => {
      const sale = await sold(phoneSale());
      await here.sandbox.payOnPage(await chargeId(sale), 'pix', undefined, 'never');
      here.undelivered.splice(0);
      await letTimePass(here);
      expect((await present(sale)).status).to.equal('issued');
    });

    it('finds a payment whose notice came while the gateway did not answer', async () => {
      const sale = await sold(phoneSale());
      here.sales.due.splice(0);
      await pay(sale);
      here.payments.mishaps.next('unheard');
      await here.runJobs();
      expect((await present(sale)).status).to.equal('awaiting_payment');
      await here.runJobs();
      expect((await present(sale)).status).to.equal('issued');
    });

    it('is due on the day that the channel asks for, but not after the last day of the price', async () => {
      const payment = artistSale('boleto').payment as ServicePayment;
      for (const [asked, due] of [
        ['2026-12-20', '2026-12-20'],
        ['2027-01-05', '2026-12-31'],
      ]) {
        const firstDueOn = asked as CalendarDate;
        const sale = await sold(artistSale('boleto', { payment: { ...payment, firstDueOn } }));
        expect(sale.terms.payment).to.include({ firstDueOn: due });
      }
    });

    it('closes the charge and the proposal if the payer misses the deadline', async () => {
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

    it('issues the policy if the payment is found only after the deadline', async () => {
      const sale = (await sold(phoneSale())) as AwaitingPaymentSale;
      await here.sandbox.payOnPage(await chargeId(sale), 'pix', undefined, 'never');
      here.clock.advance(8 * 86_400);
      await letTimePass(here);
      expect((await present(sale)).status).to.equal('issued');
    });

    it('refuses the sale when the payer refuses the payment', async () => {
      const sale = await sold(phoneSale());
      await here.sandbox.refuseOnPage(await chargeId(sale), 'once');
      await here.runJobs();
      expect(await present(sale)).to.deep.include({ status: 'refused', reason: 'payer_refused' });
    });

    it('orders the charge again once the first order can no longer take effect', async () => {
      here.payments.mishaps.next('unheard', 'unheard');
      const sale = await sold(phoneSale());
      expect(sale.status).to.equal('pending');
      await letTimePass(here, 5);
      expect((await present(sale)).status).to.equal('awaiting_payment');
      expect(await charges(sale)).to.have.length(1);
    });

    it('continues the sale when an unreachable insurer answers again', async () => {
      here.issuer.mishaps.always = 'unreached';
      const sale = await sold(artistSale('boleto'));
      expect(sale.status).to.equal('pending');
      here.issuer.mishaps.always = undefined;
      await letTimePass(here, 2);
      expect((await present(sale)).status).to.equal('awaiting_payment');
    });
  });

  describe('provider reports that do not fit the sale', () => {
    it('does not apply a payment of another amount, and raises an alert', async () => {
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
        ...{ kind: 'payment_amount_differs', provider: 'sandbox', saleId: sale.id },
        ...{ amount: 1, expected: sale.payment.amount },
      });
    });

    it('keeps an unknown status word, raises an alert, and keeps the status', async () => {
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

    it('shows only what is plainly a status word in the alert; the sale keeps any', async () => {
      const sale = await sold(phoneSale('credit'), cardOf());
      const wordInAlert = async (quotation: string) => {
        here.issuer.find = async () => ({ unknownWords: { quotation } });
        const seen = await here.useCases.synchronizeSale(sale);
        expect(seen).to.have.deep.nested.property('issuance.unknownWords', { quotation });
        const raised = here.alerts.raised.at(-1);
        return raised?.kind === 'status_unknown' ? raised.words : undefined;
      };
      for (const word of ['EM_AUDITORIA', 'em_vistoria', 'InReview', 'PENDÊNCIA', 'Em análise'])
        expect(await wordInAlert(word)).to.deep.equal([word]);
      for (const word of [
        'RECUSADA: MARIA DA SILVA CPF 529.982.247-25',
        'Maria Silva',
        'MARIA SILVA',
        'Maria da Silva',
        'maria@example.com',
        '52998224725',
        'EM_ANÁLISE\u0000',
        'EM\nANALISE',
        'A_B_C_D_E',
        'X'.repeat(41),
        '',
      ])
        expect(await wordInAlert(word), word).to.deep.equal(['(not shown)']);
    });

    it('refunds a second charge for a paid sale', async () => {
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

  describe('reading the status of a sale', () => {
    it('updates the sale from the insurer', async () => {
      here.issuer.mishaps.next('lost');
      const sale = await sold(phoneSale('credit'), cardOf());
      expect(sale.status).to.equal('paid');
      const seen = await here.useCases.synchronizeSale(sale);
      expect(seen?.status).to.equal('issued');
      expect((await present(sale)).status).to.equal('issued');
    });

    it('shows the stored sale if the insurer does not answer', async () => {
      const sale = await sold(phoneSale('credit'), cardOf());
      here.issuer.mishaps.always = 'unheard';
      expect(await here.useCases.synchronizeSale(sale)).to.deep.equal(sale);
    });
  });

  describe('repeating an order under the same key', () => {
    const idempotency = { owner: 'client', key: 'order-1', content: { a: 1 } } as const;

    it('returns the first answer, even if the sale has changed since', async () => {
      const first = await sell(phoneSale(undefined, { idempotency }));
      await pay(soldIn(first));
      await here.runJobs();
      expect(await sell(phoneSale(undefined, { idempotency }))).to.deep.equal({
        ...first,
        replayed: true,
      });
    });

    it('returns a sale paid to the channel as it was registered, even if it was cancelled', async () => {
      const request = ticketSale({ idempotency: { ...idempotency, owner: 'channel' } });
      const first = await sell(request);
      const by = { by: 'insured', actor: ADMINISTRATOR } as const;
      unwrap(await here.useCases.cancelSale.cancel({ sale: soldIn(first), ...by }));
      expect(await sell(request)).to.deep.equal({ ...first, replayed: true });
    });

    it('answers still_running while the first request is in progress', async () => {
      const [one, other] = await Promise.all(
        [0, 1].map(() => sell(phoneSale('credit', { idempotency }), cardOf())),
      );
      expect([one?.kind, other?.kind]).to.have.members(['sold', 'still_running']);
      expect(await charges({ id: 1 } as Sale)).to.have.length(1);
    });

    it('resumes the sale of a dead worker with the card of the repeated order', async () => {
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

    it('refuses other content', async () => {
      await sell(phoneSale(undefined, { idempotency }));
      const outcome = await sell(
        phoneSale(undefined, { idempotency: { ...idempotency, content: { a: 2 } } }),
      );
      expect(outcome.kind).to.equal('key_reused');
    });
  });

  describe('cancelling a sale', () => {
    const cancel = (sale: Sale, expectedRefund?: number) =>
      here.useCases.cancelSale.cancel({
        ...{ sale, by: 'insured', actor: ADMINISTRATOR },
        ...(expectedRefund !== undefined && { expectedRefund: cents(expectedRefund) }),
      });
    const issued = (): Promise<Sale> => sold(phoneSale('credit', { plan: { id: 32 } }), cardOf());

    it('refunds everything within seven days, and cancels the policy', async () => {
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

    it('keeps the short-period share of the premium after seven days', async () => {
      const sale = await issued();
      here.clock.advance(100 * 86_400);
      const outcome = await cancel(sale);
      // 101 of 365 days: the short-period table keeps 46 %; the IOF is not refunded.
      expect(outcome).to.deep.nested.include({
        status: 'refunded',
        'cancellation.kept.net': 13_754,
      });
      expect(takenBy(await charges(sale))).to.equal(13_754 + sale.terms.quote.premium.iof);
    });

    it('looks first for a payment without a notice, and refunds it', async () => {
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

    it('returns the first outcome when repeated, and does not refund twice', async () => {
      const sale = await issued();
      const first = unwrap(await cancel(sale));
      here.clock.advance(86_400);
      const again = await cancel(await present(sale));
      expect(again).to.deep.equal(await present(sale));
      expect(again).to.deep.include({ cancellation: first.cancellation });
      expect(takenBy(await charges(sale))).to.equal(0);
    });

    it('refuses if the refund differs from the amount that the caller expects', async () => {
      const sale = await issued();
      for (const expected of [1, sale.terms.quote.premium.total + 1])
        expect(await cancel(sale, expected)).to.deep.include({ kind: 'refund_differs' });
      expect((await present(sale)).status).to.equal('issued');
    });

    it('closes the charge of an unpaid sale', async () => {
      const sale = await sold(phoneSale());
      await cancel(sale);
      expect((await charges(sale)).map(({ status }) => status)).to.deep.equal(['closed']);
    });

    it('refunds when an unreachable gateway answers again', async () => {
      const sale = await issued();
      here.payments.mishaps.always = 'unreached';
      expect(unwrap(await cancel(sale)).status).to.equal('cancelled');
      here.payments.mishaps.always = undefined;
      await letTimePass(here);
      expect((await present(sale)).status).to.equal('refunded');
      expect(takenBy(await charges(sale))).to.equal(0);
    });

    it('refunds once, even if the answer to the refund is lost', async () => {
      const sale = await issued();
      here.payments.mishaps.next(undefined, 'lost');
      await cancel(sale);
      await letTimePass(here);
      expect((await present(sale)).status).to.equal('refunded');
      expect(takenBy(await charges(sale))).to.equal(0);
    });

    it('refuses to cancel or preview a refused sale', async () => {
      const sale = await sold(phoneSale('credit'), cardOf('4000000000000002'));
      expect(await cancel(sale)).to.deep.equal(refuse('sale_ended'));
      expect(await here.useCases.cancelSale.preview(sale, 'insured')).to.deep.equal(
        refuse('sale_ended'),
      );
    });

    it('keeps only the premium of the used days if the insurer cancels', async () => {
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
