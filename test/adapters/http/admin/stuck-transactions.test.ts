import { expect } from 'chai';
import { MAX_SHOWN_CALLS } from '../../../../application/servicing/inspect-sale.ts';
import { Unavailable } from '../../../../application/unavailable.ts';
import { type Answer, CREATE, mainBody, withApi } from '../../../support/api.ts';
import { withoutChance } from '../../../support/chance.ts';
import { artistOrder, byCard, phoneOrder } from '../../../support/orders.ts';

const PHONE = '/seguros/seguro-celular/create';
const ARTIST = '/seguros/artista-protegido/create';

describe('a transaction that is stuck', () => {
  withApi((api) => {
    let admin: { Authorization: string };
    let partner: { Authorization: string };
    before(async () => {
      [admin, partner] = [await api().bearer(null), await api().bearer()];
    });
    afterEach(() => {
      const { payments, issuer } = api().memory;
      payments.mishaps.always = undefined;
      issuer.mishaps.always = undefined;
    });

    const sell = async (path: string, body: object): Promise<number> => {
      const { status, body: answer } = await api().post(path, body, partner);
      expect(status).to.equal(200);
      return (answer.data ?? answer.response.data).transaction_id;
    };
    const at = (id: number, what = ''): string => `/admin/transactions/${id}${what}`;
    const look = async (id: number) => (await api().get(at(id), admin)).body.response.data;
    const retry = (id: number): Promise<Answer> => api().post(at(id, '/retry'), '', admin);
    const giveUp = (id: number, body: object = { reason: 'stuck' }): Promise<Answer> =>
      api().post(at(id, '/give-up'), body, admin);
    const callsIn = (shown: { provider_calls: { [field: string]: unknown }[] }) =>
      shown.provider_calls.map(({ question, answer, times }) => [question, answer, times]);
    /** A link that waits for its gateway. */
    const sellStuck = async (): Promise<number> => {
      api().memory.payments.mishaps.always = 'unheard';
      return sell(PHONE, phoneOrder());
    };

    it('is shown with what is missing, who does it, and what was answered', async () => {
      const id = await sellStuck();
      const shown = await look(id);
      expect(shown).to.deep.include({
        ...{ transaction_id: id, status: 'pending', channelLink: 'canal-demo' },
        next: { actor: 'service', action: 'confirm_payment' },
        steps: ['charge'],
        job: { tries: 0, next_try_at: api().memory.clock.now() },
        ...{ insurer: null, receipts: [], refund_pending: 0, cancellation: null },
      });
      expect(shown.payment).to.include({ status: 'unknown', amount: 32.11, charge_id: null });
      expect(shown.attempts).to.deep.equal([{ step: 'charge', since: '2026-11-20T15:00:00.000Z' }]);
      expect(callsIn(shown)).to.have.deep.members([
        ['charge', 'no answer', 1],
        ['find_charges', 'no answer', 1],
      ]);
    });

    it('is shown without the insured and the card', async () => {
      const id = await sell(ARTIST, artistOrder({ payment: byCard() }));
      expect(withoutChance(await look(id))).not.to.match(
        /Maria|52998224725|example\.com|98765|4111/,
      );
    });

    it('shows an ordinary sale with its money and documents, and no calls', async () => {
      const shown = await look(await sell(ARTIST, artistOrder({ payment: byCard() })));
      const { total } = shown.amounts;
      expect(shown).to.deep.include({
        ...{ status: 'issued', next: null, steps: [], attempts: [], provider_calls: [] },
        insurer: { quotation: 'issued', proposal: 'policy', policy: 'active' },
      });
      expect(shown.payment).to.include({ status: 'approved', method: 'credit', amount: total });
      expect(shown.receipts[0]).to.include({ amount: total, returned: 0 });
    });

    it('is tried at once by a retry, which shows the answers and keeps the job', async () => {
      const id = await sellStuck();
      const { memory } = api();
      const failed = await retry(id);
      expect(failed.status).to.equal(200);
      expect(failed.body.response.data).to.deep.include({ outcome: 'waiting', status: 'pending' });
      expect(callsIn(failed.body.response.data)).to.deep.include(['find_charges', 'no answer', 2]);
      expect(memory.sales.due.filter((each) => each === id)).to.have.length(1);

      memory.payments.mishaps.always = undefined;
      // The lost order can take effect no more: the first retry finds that, the next one orders.
      memory.clock.advance(241);
      const closed = (await retry(id)).body.response.data;
      expect(closed).to.deep.include({ outcome: 'waiting', attempts: [], steps: ['charge'] });
      const done = (await retry(id)).body.response.data;
      expect(done).to.deep.include({ outcome: 'awaiting', status: 'awaiting_payment' });
      expect(done.next).to.include({ actor: 'insured', action: 'pay' });
      expect(callsIn(done)).to.deep.include(['charge', 'awaited 3211', 1]);
      expect(await memory.sandbox.chargesOf(id)).to.have.length(1);
    });

    it('gets a job by a retry if it has none', async () => {
      const id = await sellStuck();
      const { due } = api().memory.sales;
      due.splice(0);
      expect((await look(id)).job).to.equal(null);
      await retry(id);
      expect(due).to.deep.equal([id]);
    });

    const retriesOf = async (id: number): Promise<number> => {
      const query = `subject=transaction/${id}&action=sale.retried`;
      return (await api().get(`/admin/audit?${query}`, admin)).body.response.data.length;
    };

    it('is settled if nothing is left to do, and every retry is in the audit log', async () => {
      const id = await sell(CREATE, mainBody());
      for (let times = 0; times < 2; times += 1)
        expect((await retry(id)).body.response.data).to.include({ outcome: 'settled', job: null });
      expect(await retriesOf(id)).to.equal(2);
    });

    it('is in the audit log before a provider is asked', async () => {
      const id = await sellStuck();
      const { memory } = api();
      memory.clock.advance(241);
      memory.payments.mishaps.always = undefined;
      const { auditLog, payments } = memory;
      const [append, find] = [auditLog.append, payments.find];
      const asked: number[] = [];
      payments.find = async (...question) => {
        asked.push(await retriesOf(id));
        return find.apply(payments, question);
      };
      auditLog.append = async () => {
        throw new Unavailable('down');
      };
      expect((await retry(id)).status).to.equal(503);
      expect(asked, 'nothing is asked without an entry').to.deep.equal([]);

      auditLog.append = append;
      expect((await retry(id)).status).to.equal(200);
      payments.find = find;
      expect(asked[0]).to.equal(1);
    });

    it('answers 409 while a worker has it, and 404 if it does not exist', async () => {
      const id = await sellStuck();
      const { sales, clock } = api().memory;
      const until = new Date(Date.parse(clock.now()) + 60_000).toISOString() as never;
      await sales.claim(id, { holder: 'a worker', until }, clock.now());
      for (const answer of [await retry(id), await giveUp(id)]) {
        expect(answer.status).to.equal(409);
        expect(answer.body.code).to.equal('still_running');
        expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
      }
      const unknown = [await retry(9_999), await giveUp(9_999), await api().get(at(0), admin)];
      expect(unknown.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
    });

    it('is given up with a reason of up to 500 characters, for the audit log only', async () => {
      const id = await sellStuck();
      for (const reason of [undefined, '', '   ', 'x'.repeat(501), 7])
        expect((await giveUp(id, { reason })).status, String(reason)).to.equal(422);
      expect((await giveUp(id, { reason: 'a', by: 'me' })).status).to.equal(422);

      const reason = `two days ${'x'.repeat(491)}`;
      const { status, body } = await giveUp(id, { reason });
      expect(status).to.equal(200);
      const { cancellation } = body.response.data;
      expect(cancellation).to.include({ by: 'insurer', reason: 'not_paid', refund_pending: 0 });
      const audit = await api().get(`/admin/audit?subject=transaction/${id}`, admin);
      expect(audit.body.response.data[0]).to.include({ action: 'sale.given_up', reason });

      const sale = await api().get(
        `/private/integration/sale/${body.response.data.ticket}`,
        partner,
      );
      expect(JSON.stringify(sale.body)).not.to.include('two days');
      expect((await giveUp(id)).body.response.data).to.deep.equal(body.response.data);
    });

    it('is not given up once it is issued or if the channel collects, and by no partner', async () => {
      const issued = await sell(ARTIST, artistOrder({ payment: byCard() }));
      for (const id of [issued, await sell(CREATE, mainBody())]) {
        const { status, body } = await giveUp(id);
        expect([status, body.code]).to.deep.equal([409, 'nothing_to_give_up']);
      }
      for (const path of ['/give-up', '/retry'])
        expect((await api().post(at(issued, path), {}, partner)).status).to.equal(403);
      expect((await api().get(at(issued), partner)).status).to.equal(403);
    });

    it('shows a limited number of answers', async () => {
      const id = await sell(PHONE, phoneOrder());
      const { providerCalls, clock } = api().memory;
      const call = { saleId: id, provider: 'asaas', question: 'charge', requestId: null } as const;
      const [firstAt, lastAt] = [clock.now(), clock.now()];
      await providerCalls.add(
        Array.from({ length: MAX_SHOWN_CALLS + 1 }, (_, index) => ({
          ...{ ...call, answer: `approved ${index}`, times: 1, firstAt, lastAt, lastMs: 1 },
        })),
      );
      expect((await look(id)).provider_calls).to.have.length(MAX_SHOWN_CALLS);
    });
  });
});
