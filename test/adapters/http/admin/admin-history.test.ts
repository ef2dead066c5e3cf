import { expect } from 'chai';
import type { MemoryClock } from '../../../../adapters/memory/clock.ts';
import { CREATE, mainBody, withApi } from '../../../support/api.ts';

interface Page {
  readonly response: {
    readonly data: readonly Record<string, unknown>[];
    readonly next_cursor: string | null;
  };
}

describe('GET /admin/audit', () => {
  withApi((api) => {
    let administrator: { Authorization: string };
    before(async () => {
      administrator = await api().bearer(null);
    });
    const list = async (query: string): Promise<Page> => {
      const { status, body } = await api().get(`/admin/audit?${query}`, administrator);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    };

    it('lists who did what, when, from where, and the changes', async () => {
      const headers = { ...administrator, 'X-Request-Id': 'creating' };
      const { body } = await api().post(
        '/admin/api-clients',
        { name: 'Bilheteria', channelLink: 'canal-demo' },
        headers,
      );
      const { client_id, client_secret } = body.response.data;
      await api().post(`/admin/api-clients/${client_id}/deactivate`, {}, administrator);
      await api().post('/seguros/auth/token', { client_id, client_secret });

      const { response } = await list(`subject=${encodeURIComponent(`api-client/${client_id}`)}`);
      expect(response.data.map(({ action }) => action)).to.deep.equal([
        'token.refused',
        'client.deactivated',
        'client.created',
      ]);
      const [refused, deactivated, created] = response.data;
      expect(created).to.deep.include({
        request_id: 'creating',
        address: '127.0.0.1',
        at: '2026-11-20T15:00:00.000Z',
        reason: null,
      });
      expect(created?.['actor']).to.deep.include({ kind: 'client' });
      expect(deactivated?.['changes']).to.deep.equal([
        { field: 'status', before: 'active', after: 'inactive' },
      ]);
      expect(refused).to.deep.include({
        reason: 'invalid_client',
        actor: { kind: 'unknown', name: null },
        changes: [],
      });
      expect(JSON.stringify(response)).not.to.include(client_secret);
    });

    it('is listed page by page, the newest first, unaffected by new entries', async () => {
      for (let count = 0; count < 5; count += 1)
        await api().post('/seguros/auth/token', { client_id: 'x', client_secret: 'y' });
      const all = (await list('limit=200')).response.data.map(({ number }) => number);
      const seen: unknown[] = [];
      let cursor: string | null = null;
      do {
        const page: Page = await list(`limit=3${cursor === null ? '' : `&cursor=${cursor}`}`);
        seen.push(...page.response.data.map(({ number }) => number));
        cursor = page.response.next_cursor;
        await api().post('/seguros/auth/token', { client_id: 'x', client_secret: 'y' });
      } while (cursor !== null);
      expect(seen).to.deep.equal(all);
    });

    it('is filtered by action, actor and time, in any time zone', async () => {
      const { response } = await list(
        'action=product.put&from=2026-11-20T12%3A00-03%3A00&to=2026-11-20T15%3A00%3A00.001Z',
      );
      expect(response.data).to.have.length(4);
      expect((await list('to=2026-11-20T15%3A00%3A00Z')).response.data).to.deep.equal([]);
      expect((await list('actor=nobody')).response.data).to.deep.equal([]);
      for (const [query, field] of [
        ['action=client.gone', 'action'],
        ['from=yesterday', 'from'],
        ['from=2026-13-01T00:00:00Z', 'from'],
        ['to=2026-11-20', 'to'],
        ['cursor=MA', 'cursor'],
        ['who=me', 'who'],
      ]) {
        const { status, body } = await api().get(`/admin/audit?${query}`, administrator);
        expect([status, Object.keys(body.errors)], query).to.deep.equal([422, [field]]);
      }
    });

    it('cannot be written to', async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status } = await api().call('/admin/audit', { method, headers: administrator });
        expect(status).to.equal(405);
      }
    });
  });
});

describe('GET /admin/transactions', () => {
  withApi((api) => {
    let administrator: { Authorization: string };
    before(async () => {
      administrator = await api().bearer(null);
      await api().channel('canal-outro');
      const [mine, theirs] = [await api().bearer('canal-demo'), await api().bearer('canal-outro')];
      for (const valorSeguro of [100, 200, 300]) {
        await api().post(CREATE, mainBody({ valorSeguro }), mine);
        (api().memory.clock as MemoryClock).advance(60);
      }
      await api().post(CREATE, mainBody({ channelLink: 'canal-outro' }), theirs);
    });
    const list = async (query = ''): Promise<Page['response']> => {
      const { status, body } = await api().get(`/admin/transactions?${query}`, administrator);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.response;
    };
    const ids = async (query: string) =>
      (await list(query)).data.map((each) => each['transaction_id']);

    it('lists the sales of all channels with their amounts, without the insured', async () => {
      const { data } = await list();
      expect(data).to.have.length(4);
      expect(data[1]).to.deep.include({
        transaction_id: 3,
        status: 'paid',
        channelLink: 'canal-demo',
        registered_at: '2026-11-20T15:02:00.000Z',
        product: { id: 1, code: 'INGRESSO' },
        plan: { id: 11, code: 'PADRAO' },
        amounts: {
          net_premium: 300,
          iof_rate: 7.38,
          iof: 22.14,
          total: 322.14,
          commission_rate: 20,
          commission: 60,
          net_amount: 262.14,
        },
        vigencia: { inicio: '2026-11-20', fim: '2026-12-31' },
      });
      expect(JSON.stringify(data)).not.to.match(/Maria|52998224725|example\.com|98765/);
    });

    it('filters, and continues after the last item of a page', async () => {
      expect(await ids('channelLink=canal-demo')).to.deep.equal([3, 2, 1]);
      expect(await ids('channelLink=canal-outro&status=paid&product=INGRESSO')).to.deep.equal([4]);
      expect(await ids('product=CELULAR')).to.deep.equal([]);
      expect(await ids('status=cancelled')).to.deep.equal([]);
      expect(await ids('from=2026-11-20T15:01:00Z&to=2026-11-20T15:03:00Z')).to.deep.equal([3, 2]);
      const first = await list('limit=2');
      expect(await ids(`limit=2&cursor=${first.next_cursor}`)).to.deep.equal([2, 1]);
      expect((await list(`limit=2&cursor=${first.next_cursor}`)).next_cursor).to.equal(null);
    });

    it('refuses what it does not know', async () => {
      for (const query of ['status=sold', 'channel=canal-demo', 'limit=-1']) {
        expect(
          (await api().get(`/admin/transactions?${query}`, administrator)).status,
          query,
        ).to.equal(422);
      }
    });
  });
});
