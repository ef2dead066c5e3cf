import { expect } from 'chai';
import { type Answer, CREATE, mainBody, withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { artistOrder, creditCard, phoneOrder } from '../../../support/orders.ts';

const ARTIST = '/seguros/artista-protegido';

describe('cancelling a sale', () => {
  withApi((api) => {
    let authorization: { Authorization: string };
    let admin: { Authorization: string };
    before(async () => {
      authorization = await api().bearer();
      admin = await api().bearer(null);
    });
    const sell = async (over: object = { creditCard: creditCard() }) =>
      (
        await api().post(
          '/seguros/seguro-celular/create',
          phoneOrder(over as Record<string, unknown>),
          authorization,
        )
      ).body.data;
    const cancel = (ticket: string, body: object = {}, headers = authorization): Promise<Answer> =>
      api().post(`/private/integration/sale/${ticket}/cancel`, body, headers);

    it('previews the refund without a change, and then refunds the same amount', async () => {
      const { ticket, transaction_id } = await sell();
      const preview = await cancel(ticket, { preview: true });
      expect(preview.status).to.equal(200);
      const { data } = preview.body.response;
      expect(data).to.deep.include({ transaction_id, ticket, status: 'issued', preview: true });
      expect(data.cancellation).to.deep.include({
        reason: 'withdrawal',
        by: 'insured',
        on: '2026-11-20',
        refund_by: 'service',
        refund_pending: 32.11,
        refund: { net_premium: 29.9, iof: 2.21, total: 32.11 },
        kept: { net_premium: 0, iof: 0, total: 0 },
      });
      const done = await cancel(ticket, { refundTotal: 32.11 });
      expect(done.body.response.data).to.deep.include({
        status: 'refunded',
        status_id: 8,
        preview: false,
      });
      expect(done.body.response.data.cancellation).to.deep.equal({
        ...data.cancellation,
        refund_pending: 0,
      });
      expect((await cancel(ticket)).body).to.deep.equal(done.body);
      expect(
        (await cancel(ticket, { preview: true })).body.response.data.cancellation.refund.total,
      ).to.equal(32.11);
    });

    it('gives a protocol, which every answer that shows the cancelled sale repeats', async () => {
      const PROTOCOL = /^20261120-\d+-\d{7}$/;
      const { ticket, transaction_id } = await sell();
      const before = await cancel(ticket, { preview: true });
      expect(before.body.response.data).not.to.have.property('protocol');
      const { protocol } = (await cancel(ticket)).body.response.data;
      expect(protocol).to.match(PROTOCOL).and.include(`-${transaction_id}-`);
      for (const body of [{}, { preview: true }])
        expect((await cancel(ticket, body)).body.response.data.protocol).to.equal(protocol);
      const status = await api().get(`/seguros/seguro-celular/status/${ticket}`, authorization);
      expect(status.body.data.protocol).to.equal(protocol);
      const found = await api().get(`/private/integration/sale/${ticket}`, authorization);
      expect(found.body.data.protocol).to.equal(protocol);
      const list = await api().get('/private/integration/sales?status=refunded', authorization);
      const listed = list.body.data.find((each: { ticket: string }) => each.ticket === ticket);
      expect(listed.protocol).to.equal(protocol);
      const transactions = await api().get('/admin/transactions?status=refunded', admin);
      const shown = transactions.body.response.data as { ticket: string; protocol: string }[];
      expect(shown.find((each) => each.ticket === ticket)?.protocol).to.equal(protocol);
    });

    it('gives a protocol for Ingresso, Artista and the generic sale too', async () => {
      const { body } = await api().post(CREATE, mainBody(), authorization);
      const ticketSale = body.data;
      const path = `/seguros/ingresso-protegido/status/${ticketSale.transaction_id}`;
      expect((await api().get(path, authorization)).body.data).to.have.keys([
        'transaction_id',
        'status',
      ]);
      const { protocol } = (await cancel(ticketSale.ticket)).body.response.data;
      expect((await api().get(path, authorization)).body.data).to.deep.equal({
        transaction_id: ticketSale.transaction_id,
        status: 'cancelled',
        protocol,
      });

      const artist = await api().post(`${ARTIST}/create`, artistOrder(), authorization);
      const artistTicket = artist.body.response.data.ticket;
      const cancelled = (await cancel(artistTicket)).body.response.data;
      const artistStatus = await api().get(`${ARTIST}/status/${artistTicket}`, authorization);
      expect(artistStatus.body.response.data.protocol)
        .to.equal(cancelled.protocol)
        .and.match(/^\d{8}-\d+-\d{7}$/);

      const generic = await api().post(SALE, saleOrder(), authorization);
      const { external_sale_id: name } = generic.body.data;
      const ended = (await cancel(name)).body.response.data;
      const again = await api().get(`${SALE}/${name}`, authorization);
      expect(again.body.data.protocol)
        .to.equal(ended.protocol)
        .and.match(/^\d{8}-\d+-\d{7}$/);
    });

    it('mails the protocol to the insured, and shows the mail to administrators', async () => {
      const { ticket, transaction_id } = await sell();
      const { protocol } = (await cancel(ticket)).body.response.data;
      await api().memory.runJobs();
      const told = api().memory.mailer.sent.filter((mail) => mail.occasion === 'cancellation');
      expect(told.map(({ notice }) => notice.protocol)).to.include(protocol);
      const list = await api().get(`/admin/mailings?transaction_id=${transaction_id}`, admin);
      const notice = list.body.response.data.at(-1);
      expect(notice).to.deep.include({ occasion: 'cancellation', status: 'sent' });
      expect(notice.mailing_id).to.equal(`${transaction_id}-cancellation`);
      const retry = `/admin/mailings/${notice.mailing_id}/retry`;
      expect((await api().post(retry, {}, admin)).status).to.equal(409);
    });

    it('refuses a refund other than the previewed one, and unknown fields', async () => {
      const { ticket } = await sell();
      const differs = await cancel(ticket, { refundTotal: 30 });
      expect(differs.status).to.equal(409);
      expect(differs.body).to.deep.include({ refund_total: 32.11 });
      const typo = await cancel(ticket, { previw: true });
      expect(typo.status).to.equal(422);
      expect(typo.body.errors).to.have.keys('previw');
      expect(
        (await cancel(ticket, { by: 'insurer' })).status,
        'only an administrator speaks for the insurer',
      ).to.equal(422);
      expect((await cancel(ticket, { preview: true })).body.response.data.status).to.equal(
        'issued',
      );
    });

    it('computes the refund of a ticket sale, which the channel pays', async () => {
      const { body } = await api().post(CREATE, mainBody(), authorization);
      const { data } = (await cancel(body.data.ticket)).body.response;
      expect(data).to.deep.include({ status: 'cancelled', status_id: 7 });
      expect(data.cancellation).to.deep.include({ refund_by: 'channel', refund_pending: 202.52 });
      const status = await api().get(
        `/seguros/ingresso-protegido/status/${body.data.transaction_id}`,
        authorization,
      );
      expect(status.body.data.status).to.equal('cancelled');
    });

    it('answers 409 for a sale that ended otherwise, with or without preview', async () => {
      const declined = await api().post(
        '/seguros/seguro-celular/create',
        phoneOrder({ creditCard: creditCard({ number: '4000000000000002' }) }),
        authorization,
      );
      for (const body of [{}, { preview: true }])
        expect((await cancel(declined.body.ticket, body)).status).to.equal(409);
    });

    it('is possible for an administrator, also for the insurer, and is logged', async () => {
      const { transaction_id, ticket } = await sell();
      const path = `/admin/transactions/${transaction_id}/cancel`;
      expect((await api().post(path, {}, authorization)).status).to.equal(403);
      const preview = await api().post(path, { preview: true, by: 'insurer' }, admin);
      expect(preview.body.response.data.cancellation).to.deep.include({
        by: 'insurer',
        reason: 'cancellation',
      });
      const done = await api().post(path, { by: 'insurer' }, admin);
      expect(done.body.response.data).to.deep.include({ ticket, status: 'refunded' });
      expect((await api().post('/admin/transactions/999999/cancel', {}, admin)).status).to.equal(
        404,
      );
      expect((await api().post('/admin/transactions/x/cancel', {}, admin)).status).to.equal(404);
      const { body } = await api().get(`/admin/audit?subject=transaction/${transaction_id}`, admin);
      expect(body.response.data).to.have.length(1);
      expect(body.response.data[0]).to.deep.include({
        action: 'sale.cancelled',
        reason: 'cancellation',
      });
    });

    it('answers 409 while another process holds the sale', async () => {
      const { ticket, transaction_id } = await sell();
      const { clock, sales } = api().memory;
      const until = new Date(Date.parse(clock.now()) + 60_000).toISOString() as never;
      await sales.claim(transaction_id, { holder: 'a worker', until }, clock.now());
      const busy = await cancel(ticket);
      expect(busy.status).to.equal(409);
      expect(busy.headers.get('Retry-After')).to.equal('5');
    });
  });
});
