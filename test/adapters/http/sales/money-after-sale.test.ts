import { expect } from 'chai';
import type { PaymentReport } from '#domain';
import { withApi } from '../../../support/api.ts';
import { creditCard, phoneOrder } from '../../../support/orders.ts';

const PHONE = '/seguros/seguro-celular/create';
const SALE = '/private/integration/sale';

describe('the money of a sale, after it came', () => {
  withApi((api) => {
    let admin: { Authorization: string };
    let partner: { Authorization: string };
    const logIn = async (): Promise<void> => {
      [admin, partner] = [await api().bearer(null), await api().bearer()];
    };
    beforeEach(logIn);

    let names = 0;
    /** Sells a phone's insurance. @param card absent: the customer gets a link */
    const sell = async (card?: string) => {
      names += 1;
      const externalSaleId = `money-${names}`;
      const order = phoneOrder({
        externalSaleId,
        ...(card && { creditCard: creditCard({ number: card }) }),
      });
      const { body } = await api().post(PHONE, order, partner);
      const id: number = body.data.transaction_id;
      const chargeOf = async () => (await api().memory.sandbox.chargesOf(id))[0]?.id ?? '';
      const find = async () => (await api().get(`${SALE}/${externalSaleId}`, partner)).body.data;
      const cancel = () => api().post(`${SALE}/${externalSaleId}/cancel`, {}, partner);
      return { id, chargeOf, find, cancel };
    };
    /** Lets the jobs of some minutes run. */
    const pass = async (days = 0) => {
      api().memory.clock.advance(days * 86_400 + 60);
      for (let run = 0; run < 3; run += 1) await api().memory.runJobs();
    };
    const decide = (id: number, body: object, caller = admin) =>
      api().post(`/admin/transactions/${id}/payment-decision`, body, caller);

    it('is shown to the partner while it is disputed, and when the dispute is lost', async () => {
      const { find, cancel, chargeOf } = await sell('4000000000000259');
      await pass();
      expect((await find()).dispute).to.deep.include({
        ...{ status: 'opened', respond_by: '2026-11-30', amount: 32.11 },
      });
      expect((await cancel()).body.response.data).to.include({ status: 'cancelled' });
      const waiting = await find();
      expect(waiting).to.include({ status: 'cancelled', refund_pending: 32.11 });
      expect(waiting.refunds[0]).to.include({ status: 'barred', reason: 'dispute', by: 'gateway' });
      expect(waiting.next).to.deep.equal({
        ...{ actor: 'operator', action: 'answer_dispute', until: '2026-11-30' },
      });
      await api().memory.sandbox.endDispute(await chargeOf(), 'lost');
      await pass();
      const lost = await find();
      expect(lost).to.include({ status: 'refunded', refund_pending: 0 });
      expect(lost.dispute.status).to.equal('lost');
      expect(lost.refunds).to.have.length(1);
      expect(lost.refunds[0]).to.include({ status: 'done', amount: 32.11 });
    });

    it('ends a sale that was not cancelled with the reason chargeback', async () => {
      const { find, cancel } = await sell('4000000000005423');
      await pass();
      expect(await find()).to.include({ status: 'refunded', refund_pending: 0 });
      const { cancellation } = (await cancel()).body.response.data;
      expect(cancellation).to.include({ reason: 'chargeback', refund_pending: 0 });
    });

    it('waits for the payer of a boleto, who is mailed the page three times', async () => {
      const { find, cancel, chargeOf, id } = await sell();
      await api().memory.sandbox.payOnPage(await chargeOf(), 'boleto', undefined, 'once');
      await pass();
      await cancel();
      await pass();
      const { refunds, next, status } = await find();
      const [{ url, ...refund }] = refunds;
      expect([status, refund.status]).to.deep.equal(['cancelled', 'waiting_payer']);
      expect(url).to.match(/\/sandbox\/refund\//);
      expect(next).to.deep.include({ actor: 'insured', action: 'name_account', url });

      const asking = () =>
        api().memory.mailer.sent.flatMap((mail) => ('request' in mail ? [mail.request] : []));
      expect(asking()).to.have.length(1);
      expect(asking()[0]?.isReminder).to.equal(false);
      expect(asking()[0]?.refunds[0]).to.include({ amount: 3_211, url });
      for (const days of [5, 5, 5, 5]) await pass(days);
      await logIn();
      expect(asking().map(({ isReminder }) => isReminder)).to.deep.equal([false, true, true]);

      const shown = (await api().get(`/admin/transactions/${id}`, admin)).body.response.data;
      expect(shown.next).to.include({ action: 'name_account' });
      const mailings = await api().get(`/admin/mailings?transaction_id=${id}`, admin);
      expect(
        mailings.body.response.data.map((each: { mailing_id: string }) => each.mailing_id),
      ).to.deep.equal([
        `${id}-0`,
        `${id}-cancellation`,
        ...[1, 2, 3].map((count) => `${id}-account-${count}`),
      ]);

      await api().memory.sandbox.endRefund(await chargeOf(), true);
      await pass();
      expect(await find()).to.include({ status: 'refunded', refund_pending: 0 });
    });

    it('may be less than the price: no payment is asked for, and an operator decides', async () => {
      const { find, chargeOf, id } = await sell();
      const amount = 3_000 as never;
      await api().memory.sandbox.payOnPage(await chargeOf(), 'pix', undefined, 'once', amount);
      await pass();
      const short = await find();
      expect(short).to.include({ status: 'awaiting_payment', payment_url: null, expires_at: null });
      expect(short).to.include({ refund_pending: 30 });
      expect(short.next).to.include({ actor: 'operator', action: 'decide_payment' });

      for (const body of [{}, { decision: 'keep', note: 'x' }, { decision: 'accept', note: '' }])
        expect((await decide(id, body)).status, JSON.stringify(body)).to.equal(422);
      const accept = { decision: 'accept', note: 'as promised' };
      expect((await decide(id, accept, partner)).status).to.equal(403);
      expect((await decide(9_999, accept)).status).to.equal(404);
      const { status, body } = await decide(id, accept);
      expect(status).to.equal(200);
      expect(body.response.data).to.include({ status: 'issued', refund_pending: 0 });
      expect((await decide(id, accept)).body.code).to.equal('nothing_to_decide');
      const audit = await api().get(`/admin/audit?subject=transaction/${id}`, admin);
      expect(audit.body.response.data[0]).to.deep.include({
        ...{ action: 'payment.decided', reason: 'as promised' },
      });
    });

    it('is noted as returned by a person: a surplus of a boleto, before the sale is cancelled', async () => {
      const { find, cancel, chargeOf, id } = await sell();
      // As Asaas does, the gateway returns a boleto as a whole only.
      const { payments, sandbox } = api().memory;
      const ask = payments.find.bind(payments);
      payments.find = async (...given) => {
        const reports = (await ask(...given)) as readonly PaymentReport[];
        return reports.map((each) =>
          each.status === 'approved' ? { ...each, returnsWholeOnly: true } : each,
        );
      };
      await sandbox.payOnPage(await chargeOf(), 'boleto', undefined, 'once', 3_687 as never);
      await pass();
      expect((await find()).next).to.include({ action: 'return_money' });
      const returned = { decision: 'returned', amount: 4.76, note: 'Pix by hand' };
      for (const body of [
        { ...returned, amount: undefined },
        { ...returned, amount: 0 },
        { ...returned, decision: 'return' },
      ])
        expect((await decide(id, body)).body.errors, JSON.stringify(body)).to.have.keys('amount');
      const over = await decide(id, { ...returned, amount: 4.77 });
      expect(over.body.code).to.equal('nothing_to_decide');
      const { body } = await decide(id, returned);
      expect(body.response.data).to.include({ status: 'issued', refund_pending: 0 });
      expect((await decide(id, returned)).body.code).to.equal('nothing_to_decide');

      await cancel();
      await pass();
      const { refunds, refund_pending, next } = await find();
      expect(refund_pending).to.equal(32.11);
      expect(refunds.map((each: { status: string }) => each.status)).to.deep.equal([
        ...['done', 'barred'],
      ]);
      expect(next).to.include({ action: 'return_money' });
      await decide(id, { ...returned, amount: 32.11 });
      payments.find = ask;
      expect(await find()).to.include({ status: 'refunded', refund_pending: 0 });
    });

    it('goes back where less came and the sale is cancelled', async () => {
      const { find, cancel, chargeOf } = await sell();
      const amount = 3_000 as never;
      await api().memory.sandbox.payOnPage(await chargeOf(), 'pix', undefined, 'never', amount);
      const { cancellation } = (await cancel()).body.response.data;
      expect(cancellation).to.deep.include({ reason: 'not_paid' });
      expect(cancellation.refund.total).to.equal(30);
      await pass();
      expect(await find()).to.include({ refund_pending: 0 });
      expect(await chargeOf()).not.to.equal('');
      const [notice] = api()
        .memory.mailer.sent.flatMap((mail) => ('notice' in mail ? [mail.notice] : []))
        .slice(-1);
      expect(notice && 'unbooked' in notice && notice.unbooked).to.deep.equal({
        kind: 'received',
        received: 3_000,
      });
    });
  });
});
