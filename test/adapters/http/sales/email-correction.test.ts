import { expect } from 'chai';
import { type Answer, CREATE, mainBody, withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { creditCard, phoneOrder } from '../../../support/orders.ts';

const RIGHT = 'mariana@exemplo.com.br';

describe('correcting the e-mail of a sale', () => {
  withApi((api) => {
    let headers: { Authorization: string };
    let admin: { Authorization: string };
    let count = 0;
    before(async () => {
      headers = await api().bearer();
      admin = await api().bearer(null);
      await api().channel('canal-alheio');
    });
    const sell = async (over: Record<string, unknown> = {}) => {
      count += 1;
      const order = saleOrder({ externalSaleId: `order-${count}`, ...over });
      return (await api().post(SALE, order, headers)).body.data;
    };
    const correct = (name: string, body: object = { email: RIGHT }, by = headers) =>
      api().post(`${SALE}/${name}/correct-email`, body, by);
    const byAdmin = (id: number | string, body: object = { email: RIGHT }, by = admin) =>
      api().post(`/admin/transactions/${id}/correct-email`, body, by);
    const sentTo = () => api().memory.mailer.sent.map(({ to }) => to);
    const dataOf = ({ status, body }: Answer) => {
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.response.data;
    };

    it('takes the name or the ticket of the sale, and answers without the address', async () => {
      const { transaction_id, ticket, external_sale_id: name } = await sell();
      await api().memory.runJobs();
      const answer = await correct(name);
      expect(dataOf(answer)).to.deep.equal({
        transaction_id,
        ticket,
        status: 'paid',
        corrected_at: '2026-11-20T15:00:00.000Z',
        mails_waiting: 0,
      });
      expect(dataOf(await correct(ticket))).to.deep.equal(dataOf(answer));
      await api().post(`${SALE}/${name}/second-copy`, {}, headers);
      await api().memory.runJobs();
      expect(sentTo().slice(-2)).to.deep.equal(['maria@example.com', RIGHT]);
      expect(JSON.stringify(answer.body)).not.to.include('@');
    });

    it('sends the mail that the wrong address did not get', async () => {
      api().memory.mailer.next({ kind: 'refused', reason: 'EENVELOPE 550' });
      const { external_sale_id: name, transaction_id: id } = await sell();
      await api().memory.runJobs();
      const nextOf = async () => (await api().get(`${SALE}/${name}`, headers)).body.data.next;
      const correcting = { actor: 'channel', action: 'correct_email' };
      expect(await nextOf()).to.deep.equal(correcting);
      const { body: list } = await api().get('/private/integration/sales?limit=1', headers);
      expect(list.data[0].next).to.deep.equal(correcting);
      expect(dataOf(await correct(name))).to.include({ mails_waiting: 1 });
      expect(await nextOf()).to.equal(null);
      await api().memory.runJobs();
      expect(sentTo().at(-1)).to.equal(RIGHT);
      const { body } = await api().get(`/admin/mailings?transaction_id=${id}`, admin);
      expect(body.response.data).to.have.length(1);
      expect(body.response.data[0]).to.include({ status: 'sent', occasion: 'issue' });
    });

    it('is possible for administrators too, and audited with beginnings of addresses', async () => {
      const { body } = await api().post(CREATE, mainBody(), headers);
      const { transaction_id: id } = body.data;
      expect(dataOf(await byAdmin(id))).to.include({ transaction_id: id, mails_waiting: 1 });
      expect(dataOf(await byAdmin(id))).to.include({ transaction_id: id });
      const { response } = (await api().get(`/admin/audit?subject=transaction/${id}`, admin)).body;
      expect(response.data).to.have.length(1);
      expect(response.data[0]).to.deep.include({
        action: 'sale.email_corrected',
        changes: [{ field: 'email', before: 'm***@e***', after: 'm***@e***' }],
      });
      expect(response.data[0].actor).to.include({ kind: 'client' });
      expect(response.data[0].address).to.match(/127\.0\.0\.1/);
      await api().memory.runJobs();
      expect(sentTo().at(-1)).to.equal(RIGHT);
    });

    it('refuses bodies other than one address, and unknown fields', async () => {
      const { external_sale_id: name, transaction_id: id } = await sell();
      const faulty: readonly [object, string][] = [
        [{}, 'email'],
        [{ email: null }, 'email'],
        [{ email: 'maria' }, 'email'],
        [{ email: 'a@b.c\r\nBcc: x@y.z' }, 'email'],
        [{ email: 'a@example.com, b@example.com' }, 'email'],
        [{ email: 7 }, 'email'],
        [{ email: RIGHT, e_mail: RIGHT }, 'e_mail'],
      ];
      for (const [body, field] of faulty)
        for (const answer of [await correct(name, body), await byAdmin(id, body)]) {
          expect(answer.status, JSON.stringify(body)).to.equal(422);
          expect(Object.keys(answer.body.errors)).to.deep.equal([field]);
        }
      expect((await correct(name, '[]' as never)).status).to.equal(400);
    });

    it('answers 404 for a sale that does not exist or is of another channel', async () => {
      const { external_sale_id: name, ticket, transaction_id: id } = await sell();
      const others = await api().bearer('canal-alheio');
      for (const answer of [
        await correct(name, undefined, others),
        await correct(ticket, undefined, others),
        await correct('none'),
        await byAdmin(999_999),
        await byAdmin('x'),
        await byAdmin(`0${id}`),
      ])
        expect(answer.status).to.equal(404);
      expect((await byAdmin(id, undefined, headers)).status).to.equal(403);
      expect((await correct(name, undefined, admin)).status).to.equal(403);
    });

    it('sends the notice of a cancellation to the corrected address', async () => {
      const { external_sale_id: name } = await sell();
      await api().post(`${SALE}/${name}/cancel`, {}, headers);
      expect((await correct(name, { email: 'corrigido@example.com' })).status).to.equal(200);
      await api().memory.runJobs();
      const told = api().memory.mailer.sent.find(({ occasion }) => occasion === 'cancellation');
      expect(told).to.include({ to: 'corrigido@example.com' });
    });

    it('answers 409 where no mail follows: the sale was refused', async () => {
      const order = phoneOrder({ creditCard: creditCard({ number: '4000000000000002' }) });
      const { body } = await api().post('/seguros/seguro-celular/create', order, headers);
      const answer = await byAdmin(body.transaction_id);
      expect(answer.status).to.equal(409);
      expect(answer.body.response).to.match(/nenhum e-mail seguirá/);
    });

    it('answers 429 to the fourth correction in an hour, with the time to wait', async () => {
      const { external_sale_id: name } = await sell();
      for (const local of ['a', 'b', 'c'])
        expect((await correct(name, { email: `${local}@example.com` })).status).to.equal(200);
      const fourth = await correct(name, { email: 'd@example.com' });
      expect(fourth.status).to.equal(429);
      expect(fourth.headers.get('Retry-After')).to.equal('3600');
      expect((await correct(name, { email: 'c@example.com' })).status).to.equal(200);
    });

    it('also takes the credentials of the client in its body', async () => {
      const { external_sale_id: name } = await sell();
      const client = await api().client('canal-demo');
      const answer = await correct(name, { email: RIGHT, ...client }, {} as never);
      expect(answer.status).to.equal(200);
    });

    it('leaves no address in the log', () => {
      expect(api().lines.join('\n')).not.to.match(/mariana|exemplo\.com/);
    });
  });
});
