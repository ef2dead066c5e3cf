import { expect } from 'chai';
import { ALERT_KINDS, type Alert } from '../../../../application/alerts/alerts.ts';
import { withApi } from '../../../support/api.ts';

const PATH = '/admin/alerts';

const stuck = (saleId: number): Alert => ({ kind: 'sale_stuck', saleId, tries: 25 });

const LATE = '2026-11-20T15:00:00.000Z';

describe('alerts for administrators', () => {
  withApi((api) => {
    let administrator: { Authorization: string };
    const raise = async (...alerts: readonly Alert[]): Promise<void> => {
      for (const alert of alerts) api().memory.alerts.raise(alert);
      await api().memory.alertNotes.flush();
    };
    const list = async (query = '') => {
      const { status, body } = await api().get(`${PATH}?${query}`, administrator);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.response as {
        data: { alert_id: number; runbook: string }[];
        next_cursor: string | null;
      };
    };
    const ids = async (query: string) => (await list(query)).data.map(({ alert_id }) => alert_id);
    const resolve = (id: number | string, body: object) =>
      api().post(`${PATH}/${id}/resolve`, body, administrator);

    before(async () => {
      administrator = await api().bearer(null);
      await raise(
        stuck(6),
        { kind: 'notice_of_nothing', provider: 'asaas', noticeId: 'evt_1' },
        stuck(7),
        { kind: 'papers_gone', provider: 'insurer', saleId: 6 },
        stuck(8),
      );
    });

    it('are listed with all that they say', async () => {
      await raise(stuck(8));
      const { data } = await list();
      expect(data.map(({ alert_id }) => alert_id)).to.deep.equal([5, 4, 3, 2, 1]);
      expect(data[0]).to.deep.equal({
        ...{ alert_id: 5, kind: 'sale_stuck', status: 'open', transaction_id: 8 },
        ...{ details: { tries: 25 }, times: 2, first_at: LATE, last_at: LATE, request_id: null },
        ...{ resolution: null, runbook: `${api().url}/docs/en/operator/alerts#sale_stuck` },
      });
      expect(data[3]).to.deep.include({
        transaction_id: null,
        details: { provider: 'asaas', noticeId: 'evt_1' },
      });
    });

    it('lead to a page that says what to do about every kind', async () => {
      const { data } = await list();
      const page = await fetch(data[0]?.runbook ?? '');
      const text = await page.text();
      for (const kind of ALERT_KINDS) expect(text).to.include(`<h3 id="${kind}">`);
    });

    it('are listed page by page, by status, kind and sale', async () => {
      const first = await list('limit=2');
      expect(first.data.map(({ alert_id }) => alert_id)).to.deep.equal([5, 4]);
      const rest = await list(`limit=3&cursor=${first.next_cursor}`);
      expect(rest.data.map(({ alert_id }) => alert_id)).to.deep.equal([3, 2, 1]);
      expect(rest.next_cursor).to.equal(null);

      await resolve(3, { note: 'Feito.' });
      expect(await ids('status=open&kind=sale_stuck')).to.deep.equal([5, 1]);
      expect(await ids('status=resolved')).to.deep.equal([3]);
      expect(await ids('transaction_id=6')).to.deep.equal([4, 1]);
      expect(await ids('transaction_id=6&kind=papers_gone')).to.deep.equal([4]);
      for (const [query, field] of [
        ['status=closed', 'status'],
        ['kind=none', 'kind'],
        ['transaction_id=x', 'transaction_id'],
        ['cursor=MA', 'cursor'],
        ['who=me', 'who'],
      ]) {
        const { status, body } = await api().get(`${PATH}?${query}`, administrator);
        expect([status, Object.keys(body.errors)], query).to.deep.equal([422, [field]]);
      }
    });

    it('are resolved with a note, which is audited; the first resolution stays', async () => {
      const before = await resolve(1, { note: 'A seguradora voltou.' });
      expect(before.status).to.equal(200);
      const { data } = before.body.response;
      expect(data).to.deep.include({ alert_id: 1, status: 'resolved' });
      expect(data.resolution).to.deep.include({ at: LATE, note: 'A seguradora voltou.' });
      expect(await resolve(1, { note: 'De novo.' })).to.have.deep.property('body', before.body);
      const shown = await api().get(`${PATH}/1`, administrator);
      expect(shown.body).to.deep.equal(before.body);

      const audit = await api().get('/admin/audit?subject=alert/1', administrator);
      const [audited, ...others] = audit.body.response.data;
      expect(others).to.deep.equal([]);
      expect(audited).to.deep.include({ action: 'alert.resolved', subject: 'alert/1' });
      expect(audited.actor.name).to.equal(data.resolution.by);
    });

    it('need a note of 1 to 500 characters', async () => {
      for (const [note, code] of [
        [undefined, 'required'],
        ['', 'invalid_format'],
        [' ', 'invalid_format'],
        ['a\nb', 'invalid_format'],
        ['x'.repeat(501), 'too_long'],
        [7, 'invalid_type'],
      ]) {
        const { status, headers } = await resolve(4, { note });
        expect(status).to.equal(422);
        expect(headers.get('X-Error-Fields'), String(note)).to.match(/^note=/);
        if (code !== 'invalid_format')
          expect(headers.get('X-Error-Fields')).to.equal(`note=${code}`);
      }
      expect((await resolve(4, { note: 'x'.repeat(500) })).status).to.equal(200);
    });

    it('are not found under other ids, and not shown to partners', async () => {
      for (const id of ['9999', '0', 'x', '1e3']) {
        expect((await api().get(`${PATH}/${id}`, administrator)).status, id).to.equal(404);
        expect((await resolve(id, { note: 'Feito.' })).status, id).to.equal(404);
      }
      const partner = await api().bearer();
      expect((await api().get(PATH, partner)).status).to.equal(403);
      expect((await api().get(`${PATH}/1`, partner)).status).to.equal(403);
      const answer = await api().post(`${PATH}/5/resolve`, { note: 'x' }, partner);
      expect(answer.status).to.equal(403);
      expect((await api().get(PATH)).status).to.equal(401);
      expect(await ids('status=open')).to.include(5);
    });
  });
});
