import { expect } from 'chai';
import { CREATE, mainBody, withApi } from '../../../support/api.ts';

const TOTALS = '/admin/totals';

describe(`GET ${TOTALS}`, () => {
  withApi((api) => {
    const read = async (query = '') => {
      const { status, body } = await api().get(`${TOTALS}${query}`, await api().bearer(null));
      return { status, data: body.response?.data };
    };

    it('sums what was sold and given back, by day, channel or product', async () => {
      for (const numeroIngresso of ['T-1', 'T-2'])
        await api().post(CREATE, mainBody({ numeroIngresso }), await api().bearer());
      await api().memory.runJobs();
      const { data } = await read();
      expect(data).to.include({ from: '2026-10-22', to: '2026-11-20', by: 'day' });
      expect(data.rows).to.deep.equal([
        {
          key: '2026-11-20',
          sales: {
            ...{ lines: 2, net_premium: 377.2, iof: 27.84, total: 405.04 },
            ...{ commission: 75.44, net_amount: 329.6 },
          },
          refunds: { lines: 0, net_premium: 0, iof: 0, total: 0, commission: 0, net_amount: 0 },
          ...{ owed_by_channel: 329.6, owed_to_channel: 0 },
        },
      ]);
      expect((await read('?by=channel')).data.rows[0]).to.include({ key: 'canal-demo' });
      expect((await read('?by=product&product=INGRESSO')).data.rows[0]).to.include({
        key: 'INGRESSO',
      });
      for (const none of ['?channelLink=outro', '?product=CELULAR', '?to=2020-01-01'])
        expect((await read(none)).data.rows, none).to.deep.equal([]);
    });

    it('names each fault of a question', async () => {
      const query = '?from=2026-11-31&to=ontem&by=hour&x=1';
      const answer = await api().get(`${TOTALS}${query}`, await api().bearer(null));
      expect(answer.status).to.equal(422);
      expect(Object.keys(answer.body.errors)).to.have.members(['from', 'to', 'by', 'x']);
      const turned = '?from=2026-11-20&to=2026-11-19';
      const { status, body } = await api().get(`${TOTALS}${turned}`, await api().bearer(null));
      expect([status, Object.keys(body.errors)]).to.deep.equal([422, ['to']]);
    });

    it('is for administrators alone', async () => {
      const { status } = await api().get(TOTALS, await api().bearer());
      expect(status).to.equal(403);
    });
  });
});
