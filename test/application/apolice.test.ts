import { expect } from 'chai';
import type { CalendarDate, Sale } from '#domain';
import type { IssuerAnswer } from '../../application/issuance/issuer.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { PanelGateway } from '../doubles/panel-gateway.ts';
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

const UNCAPTURABLE = '4000000000000341';

describe('an apólice: no money before the insurer has accepted (Lei 15.040/2024, art. 19, § 2º)', () => {
  let here: MemoryService;
  beforeEach(async () => {
    here = await world();
  });

  const sold = async (request = artistSale('credit'), number?: string): Promise<Sale> =>
    soldIn(await here.useCases.sell(request, { card: cardOf(number) }));
  const present = async ({ id }: Sale): Promise<Sale> => (await here.sales.load(id)) as Sale;
  const charges = ({ id }: Sale) => here.sandbox.chargesOf(id);
  const statuses = async (sale: Sale) => (await charges(sale)).map(({ status }) => status);
  const policyOf = async ({ id, ticket }: Sale) => {
    const documents = await here.issuer.find(`${id}-${ticket}`);
    return typeof documents === 'object' ? documents.policy?.status : undefined;
  };
  const cancel = async (sale: Sale) =>
    here.useCases.cancelSale.cancel({
      sale: await present(sale),
      by: 'insured',
      actor: ADMINISTRATOR,
    });
  /** The insurer analyses each proposal, until it says something else. */
  const analyse = () => {
    const { perform, find } = {
      perform: here.issuer.perform.bind(here.issuer),
      find: here.issuer.find.bind(here.issuer),
    };
    const inAnalysis = (answer: IssuerAnswer): IssuerAnswer =>
      typeof answer === 'object' && answer.proposal
        ? { ...answer, proposal: { ...answer.proposal, status: 'under_analysis' } as never }
        : answer;
    here.issuer.perform = async (step, order) =>
      step === 'issue' ? find(order.reference) : inAnalysis(await perform(step, order));
    here.issuer.find = async (reference) => inAnalysis(await find(reference));
    return () => {
      here.issuer.perform = perform;
      here.issuer.find = find;
    };
  };

  describe('by card', () => {
    it('authorises the card, issues the policy, and captures the card, in one request', async () => {
      const sale = await sold();
      expect(sale).to.deep.nested.include({
        status: 'issued',
        'payment.status': 'approved',
        'terms.payment.underwriting': 'authorized',
      });
      expect(takenBy(await charges(sale))).to.equal(sale.payment.amount);
      expect(await charges(sale)).to.have.length(1);
    });

    it('takes nothing while the insurer analyses, and captures when it has issued', async () => {
      const decide = analyse();
      const sale = await sold();
      expect(sale).to.deep.nested.include({ status: 'pending', 'payment.isAuthorized': true });
      await letTimePass(here, 30);
      expect(await statuses(sale)).to.deep.equal(['authorized']);
      decide();
      await letTimePass(here);
      expect((await present(sale)).status).to.equal('issued');
      expect(takenBy(await charges(sale))).to.equal(sale.payment.amount);
    });

    it('releases the card if the insurer rejects', async () => {
      const decide = analyse();
      const sale = await sold();
      decide();
      const proposal = { number: 'P-2026-000001', quotationNumber: 'C-2026-000001', reason: '' };
      here.issuer.find = async () => ({ proposal: { ...proposal, status: 'rejected' } });
      await letTimePass(here, 3);
      expect(await present(sale)).to.include({ status: 'refused', reason: 'insurer_rejected' });
      expect(await statuses(sale)).to.deep.equal(['closed']);
    });

    it('withdraws the policy and refuses the sale if the bank declines the capture', async () => {
      const sale = await sold(artistSale('credit'), UNCAPTURABLE);
      expect(sale).to.include({ status: 'refused', reason: 'declined' });
      await letTimePass(here);
      expect(await policyOf(sale)).to.equal('cancelled');
      expect(takenBy(await charges(sale))).to.equal(0);
    });

    it('refuses the sale and withdraws the proposal when the bank holds the amount no longer', async () => {
      const decide = analyse();
      const sale = await sold();
      here.clock.advance(4 * 86_400);
      await letTimePass(here, 2);
      decide();
      await letTimePass(here, 5);
      expect(await present(sale)).to.include({ status: 'refused', reason: 'not_charged' });
      expect(await policyOf(sale)).to.equal(undefined);
      expect(takenBy(await charges(sale))).to.equal(0);
    });

    it('releases the card of a sale that is cancelled meanwhile', async () => {
      const decide = analyse();
      const sale = await sold();
      await cancel(sale);
      decide();
      await letTimePass(here);
      expect((await present(sale)).status).to.equal('cancelled');
      expect(await statuses(sale)).to.deep.equal(['closed']);
    });

    for (const isTaken of [false, true])
      it(`keeps no money and no policy of a sale that is cancelled after a capture without an answer, which was ${isTaken ? '' : 'not '}carried out`, async () => {
        const capture = here.payments.capture.bind(here.payments);
        here.payments.capture = async (...given) => {
          if (isTaken) await capture(...given);
          return 'unknown';
        };
        const sale = await sold();
        expect(sale.status).to.equal('pending');
        expect(await policyOf(sale)).to.equal('active');
        await cancel(sale);
        await letTimePass(here);
        expect(await policyOf(sale)).to.equal('cancelled');
        expect(takenBy(await charges(sale))).to.equal(0);
      });

    it('refuses an authorised sale without a policy after the last day of its price', async () => {
      const decide = analyse();
      here.clock.advance(
        (Date.parse('2026-12-31T15:00:00Z') - Date.parse(here.clock.now())) / 1_000,
      );
      const declaredPeriod = {
        start: '2027-02-01' as CalendarDate,
        end: '2027-02-03' as CalendarDate,
      };
      const sale = await sold(artistSale('credit', { declaredPeriod }));
      here.clock.advance(86_400);
      decide();
      await letTimePass(here, 3);
      expect(await present(sale)).to.include({ status: 'refused', reason: 'price_over' });
      expect(takenBy(await charges(sale))).to.equal(0);
    });
  });

  describe('by card, where the gateway authorises none', () => {
    let panel: PanelGateway;
    beforeEach(async () => {
      const { clock } = here;
      panel = new PanelGateway(clock);
      here = await world({ clock, payments: panel });
    });

    it('charges the card after the insurer has accepted', async () => {
      const sale = await sold();
      expect(sale).to.deep.nested.include({
        status: 'issued',
        'terms.payment.underwriting': 'accepted',
      });
      expect(panel.charges).to.have.length(1);
    });

    it('refuses the sale if the insurer has not accepted by the end of the request', async () => {
      const decide = analyse();
      const sale = await sold();
      expect(sale).to.include({ status: 'refused', reason: 'not_charged' });
      decide();
      await letTimePass(here);
      expect(panel.charges).to.deep.equal([]);
    });
  });

  for (const method of ['boleto', undefined] as const)
    it(`shows a ${method ?? 'link'} after the insurer has accepted, and issues when it is paid`, async () => {
      const decide = analyse();
      const request = artistSale('boleto');
      const sale = await sold({
        ...request,
        payment: { collectedBy: 'service', installments: 1, ...(method && { method }) },
      });
      expect(sale.status).to.equal('pending');
      await letTimePass(here, 30);
      expect(await charges(sale)).to.deep.equal([]);
      decide();
      await letTimePass(here, 2);
      expect((await present(sale)).status).to.equal('awaiting_payment');
      const [charge] = await charges(sale);
      await here.sandbox.payOnPage(charge?.id ?? '', 'boleto', undefined, 'once');
      await letTimePass(here, 2);
      expect((await present(sale)).status).to.equal('issued');
    });

  it('leaves a bilhete, and what a channel collected, as they are', async () => {
    const phone = await sold(phoneSale('credit'));
    expect(phone.status).to.equal('issued');
    expect(phone.terms.payment).not.to.have.property('underwriting');
    const ticket = await sold(ticketSale());
    const { payment } = ticketSale();
    const paid = await sold(artistSale('boleto', { payment }));
    for (const sale of [ticket, paid]) expect(sale.status).to.equal('paid');
  });
});
