import { expect } from 'chai';
import type { Delivery } from '../../../../application/webhooks/deliveries.ts';
import { CREATE, mainBody, withApi } from '../../../support/api.ts';
import { later } from '../../../support/webhooks.ts';

const WEBHOOKS = '/private/integration/webhooks';

const MINUTES = 60;

describe('the deliveries to a webhook', () => {
  withApi((api) => {
    let partner: { Authorization: string };
    let path: string;
    let id: string;
    let made = 0;
    beforeEach(async () => {
      partner ??= await api().bearer();
      made += 1;
      const webhook = { url: `https://partner.example/${made}`, events: ['sale.paid'] };
      const { body } = await api().post(WEBHOOKS, webhook, partner);
      id = body.data.id;
      path = `${WEBHOOKS}/${id}`;
    });
    afterEach(() => api().call(path, { method: 'DELETE', headers: partner }));

    const sell = async (count: number): Promise<void> => {
      for (let sold = 0; sold < count; sold += 1)
        expect((await api().post(CREATE, mainBody(), partner)).status).to.equal(200);
    };
    const due = async (): Promise<readonly Delivery[]> => {
      const { deliveries, clock } = api().memory;
      return deliveries.listDue(id, clock.now(), 1_000);
    };
    const list = async (query = '') => {
      const { status, body } = await api().get(`${path}/deliveries${query}`, partner);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    };
    const replay = (body: unknown) => api().post(`${path}/replay`, body, partner);

    it('are listed with their attempts, answers and the next try', async () => {
      await sell(1);
      const [first] = await due();
      if (first === undefined) throw new Error('one is due');
      const { deliveries } = api().memory;
      const refused = { at: later(0), status: 500, ms: 31, answer: 'não <agora>' };
      await deliveries.note(first.id, refused, { kind: 'again', at: later(1) });
      const silent = { at: later(1), failure: 'timeout', ms: 15_000 };
      await deliveries.note(first.id, silent, { kind: 'again', at: later(6) });

      const { data, next_cursor } = await list();
      expect(next_cursor).to.equal(null);
      expect(data).to.deep.equal([
        {
          id: first.id,
          event_id: first.event.id,
          event_type: 'sale.paid',
          event_at: first.event.at,
          status: 'waiting',
          created_at: first.createdAt,
          next_attempt_at: later(6),
          attempts: [
            {
              ...{ attempt: 1, at: later(0), status: 500, failure: null, ms: 31 },
              answer: 'não <agora>',
            },
            {
              ...{ attempt: 2, at: later(1), status: null, failure: 'timeout', ms: 15_000 },
              answer: null,
            },
          ],
        },
      ]);
    });

    it('are listed page by page, newest first, all or those of a status', async () => {
      await sell(5);
      const ids = (await due()).map((each) => each.id).reverse();
      const { deliveries } = api().memory;
      const attempt = { at: later(0), status: 200, ms: 1, answer: '' };
      await deliveries.note(ids[0] ?? 0, attempt, { kind: 'delivered' });
      await deliveries.note(ids[3] ?? 0, attempt, { kind: 'undelivered' });

      const seen: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: { data: { id: number }[]; next_cursor: string | null } = await list(
          `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
        );
        seen.push(...page.data.map((each) => each.id));
        cursor = page.next_cursor;
      }
      expect(seen).to.deep.equal(ids);
      const idsOf = async (status: string) =>
        (await list(`?status=${status}`)).data.map((each: { id: number }) => each.id);
      expect(await idsOf('delivered')).to.deep.equal([ids[0]]);
      expect(await idsOf('undelivered')).to.deep.equal([ids[3]]);
      expect(await idsOf('waiting')).to.deep.equal([ids[1], ids[2], ids[4]]);
    });

    it('are not listed for a query with faults', async () => {
      for (const [query, header] of [
        ['?status=lost', 'status=not_offered'],
        ['?limit=0', 'limit=out_of_range'],
        ['?cursor=!', 'cursor=invalid_format'],
        [`?cursor=${Buffer.from('x').toString('base64url')}`, 'cursor=invalid_format'],
        ['?estado=x', 'estado=unknown'],
      ] as const) {
        const { status, headers } = await api().get(`${path}/deliveries${query}`, partner);
        expect(status, query).to.equal(422);
        expect(headers.get('x-error-fields'), query).to.equal(header);
      }
    });

    it('are tried again at once, whatever became of them', async () => {
      await sell(2);
      const [given, waiting] = await due();
      const { deliveries, clock } = api().memory;
      const attempt = { at: later(0), status: 503, ms: 1, answer: '' };
      await deliveries.note(given?.id ?? 0, attempt, { kind: 'undelivered' });
      await deliveries.note(waiting?.id ?? 0, attempt, { kind: 'again', at: later(1_440) });
      expect(await due()).to.deep.equal([]);

      for (const each of [given, waiting]) {
        const url = `${path}/deliveries/${each?.id}/retry`;
        const { status, body } = await api().post(url, {}, partner);
        expect(status).to.equal(202);
        expect(body.data).to.deep.include({
          id: each?.id,
          status: 'waiting',
          next_attempt_at: clock.now(),
        });
        expect(body.data.attempts[0]).to.include({ attempt: null, status: 503 });
      }
      expect(await due()).to.have.length(2);
    });

    it('that do not exist are answered 404', async () => {
      for (const odd of ['0', '99999', '-1', '1e3', 'x', '9'.repeat(20)]) {
        const { status, body } = await api().post(`${path}/deliveries/${odd}/retry`, {}, partner);
        expect([status, body.code], odd).to.deep.equal([404, 'not_found']);
      }
      const url = `${path}/deliveries/1/retry`;
      const faulty = await api().post(url, { now: true }, partner);
      expect(faulty.body.error_codes).to.deep.equal({ now: ['unknown'] });
    });

    it('are sent again for the events of a time, in the background, one replay at a time', async () => {
      await sell(3);
      const attempt = { at: later(0), status: 200, ms: 1, answer: '' };
      const { deliveries, clock } = api().memory;
      for (const each of await due())
        await deliveries.note(each.id, attempt, { kind: 'delivered' });
      const from = '2026-11-20T00:00:00-03:00';

      const { status, body } = await replay({ from });
      expect(status).to.equal(202);
      expect(body.data).to.deep.equal({ from: '2026-11-20T03:00:00.000Z', to: clock.now() });
      const second = await replay({ from });
      expect([second.status, second.body.code]).to.deep.equal([409, 'still_running']);
      expect(second.headers.get('retry-after')).to.match(/^\d+$/);

      expect(await due()).to.deep.equal([]);
      clock.advance(MINUTES);
      partner = await api().bearer();
      const { replayEvents } = api().memory.useCases;
      while ((await replayEvents(100)) === 'more');
      // The events of this test happened at the end of the first time, which is exclusive.
      expect(await due()).to.deep.equal([]);
      expect((await replay({ from, to: '2100-01-01T00:00:00Z' })).body.data.to).to.equal(
        clock.now(),
      );
      while ((await replayEvents(100)) === 'more');
      expect((await due()).length).to.be.at.least(3);
    });

    const FAULTS: readonly (readonly [body: object, header: string])[] = [
      [{}, 'from=required'],
      [{ from: '2026-11-20' }, 'from=invalid_format'],
      [{ from: '2020-01-01T00:00:00Z' }, 'from=out_of_range'],
      [{ from: '2030-01-01T00:00:00Z' }, 'from=in_the_future'],
      [{ from: '2026-11-20T12:00:00Z', to: '2026-11-20T12:00:00Z' }, 'to=wrong_order'],
      [
        { from: '2020-01-01T00:00:00Z', to: '2019-01-01T00:00:00Z', event: 1 },
        'from=out_of_range, to=wrong_order, event=unknown',
      ],
      [{ from: 1, to: 'x' }, 'from=invalid_type, to=invalid_format'],
    ];
    for (const [body, header] of FAULTS)
      it(`are not sent again for ${JSON.stringify(body)}: ${header}`, async () => {
        const { status, headers } = await replay(body);
        expect(status).to.equal(422);
        expect(headers.get('x-error-fields')).to.equal(header);
      });
  });
});
