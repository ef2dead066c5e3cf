import { expect } from 'chai';
import { type PaidSale, protocolOf } from '#domain';
import { CREATE, mainBody, quickStartBody, STATUS, withApi } from '../../../../support/api.ts';
import { ADMINISTRATOR } from '../../../../support/identity.ts';
import { cancelledOn, salesInEveryState } from '../../../../support/sales.ts';

/** The names of a sale that the caller gave none. */

describe('what a channel may see and sell', () => {
  withApi((api) => {
    let mine: { Authorization: string };
    let theirs: { Authorization: string };
    before(async () => {
      await api().channel('canal-alheio');
      mine = await api().bearer('canal-demo');
      theirs = await api().bearer('canal-alheio');
    });

    const sell = async (): Promise<number> =>
      (await api().post(CREATE, mainBody(), mine)).body.data.transaction_id;
    const statusOf = (id: number, headers: Record<string, string>) =>
      api().call(`${STATUS}/${id}`, { headers });

    it('is the status of its own sales', async () => {
      const id = await sell();
      const { status, body } = await statusOf(id, mine);
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        success: true,
        data: { transaction_id: id, status: 'paid' },
      });
    });

    it('is the current status', async () => {
      const id = await sell();
      const sales = api().memory.sales;
      const sale = cancelledOn((await sales.find('canal-demo', id)) as PaidSale, '2026-11-20');
      await sales.save(sale);
      expect((await statusOf(id, mine)).body.data).to.deep.equal({
        transaction_id: id,
        status: 'cancelled',
        protocol: protocolOf(sale),
      });
    });

    for (const sale of salesInEveryState()) {
      const seen = { issued: 'paid', refunded: 'cancelled' }[sale.status as string] ?? sale.status;
      it(`is ${seen} where the sale is ${sale.status}, its payment ${sale.payment.status}`, async () => {
        const id = await sell();
        const stored = await api().memory.sales.find('canal-demo', id);
        const changed = { ...sale, id, ticket: stored?.ticket ?? '', version: 1 };
        await api().memory.sales.save(changed);
        expect((await statusOf(id, mine)).body.data).to.deep.equal({
          transaction_id: id,
          status: seen,
          ...(seen === 'cancelled' && { protocol: protocolOf(changed) }),
        });
      });
    }

    it('is visible to another client of the same channel', async () => {
      expect((await statusOf(await sell(), await api().bearer('canal-demo'))).status).to.equal(200);
    });

    it('excludes sales of another line of business at this endpoint', async () => {
      const id = await sell();
      const sales = api().memory.sales;
      const { find } = sales;
      sales.find = async (...asked) => {
        const sale = await find.apply(sales, asked);
        return (
          sale && {
            ...sale,
            terms: { ...sale.terms, product: { ...sale.terms.product, line: 'artist' } },
          }
        );
      };
      const { status } = await statusOf(id, mine);
      sales.find = find;
      expect(status).to.equal(404);
    });

    it('is refused with 403 for another channelLink, before the body is validated', async () => {
      for (const body of [mainBody(), quickStartBody(), { nomeCompleto: 1 }]) {
        const { status, body: answer } = await api().post(
          CREATE,
          { ...body, channelLink: 'canal-demo' },
          theirs,
        );
        expect(status).to.equal(403);
        expect(answer).to.include({ success: false, status_code: '403' });
      }
    });

    it('is limited to its grants, while the channel is active', async () => {
      const { putChannel } = api().memory.useCases.manageCatalogue;
      const channel = await api().channel('canal-sem-ingresso');
      const seller = await api().bearer('canal-sem-ingresso');
      const attempt = () =>
        api().post(CREATE, mainBody({ channelLink: 'canal-sem-ingresso' }), seller);
      expect((await attempt()).status).to.equal(200);
      await putChannel({ ...channel, grants: [] }, ADMINISTRATOR);
      expect((await attempt()).status).to.equal(403);
      await putChannel({ ...channel, active: false }, ADMINISTRATOR);
      expect((await attempt()).body).to.deep.equal({
        success: false,
        response: 'O canal de venda está inativo.',
        status_code: '403',
        code: 'channel_inactive',
      });
    });

    it('excludes administrators, who have no channel or no sales scope', async () => {
      const administrator = await api().bearer(null);
      const refused = await api().post(CREATE, mainBody(), administrator);
      expect(refused.status).to.equal(403);
      expect(refused.headers.get('WWW-Authenticate')).to.match(/insufficient_scope/);
      const both = await api().bearer(null, ['admin', 'sales']);
      expect((await api().post(CREATE, mainBody(), both)).status).to.equal(403);
      expect((await statusOf(await sell(), both)).status).to.equal(404);
    });
  });
});
