import { expect } from 'chai';
import { Unavailable } from '../../../../application/unavailable.ts';
import { CREATE, mainBody, withApi } from '../../../support/api.ts';
import { SALE } from '../../../support/generic-sales.ts';
import { artistOrder, byCard, creditCard, phoneOrder } from '../../../support/orders.ts';

const PHONE = '/seguros/seguro-celular/create';
const ARTIST = '/seguros/artista-protegido/create';
const DECLINED = creditCard({ number: '4000000000000002' });

describe('a sale of any channel, for an administrator', () => {
  withApi((api) => {
    let admin: { Authorization: string };
    let partner: { Authorization: string };
    before(async () => {
      [admin, partner] = [await api().bearer(null), await api().bearer()];
    });

    const sell = async (path: string, order: object) => {
      const { body } = await api().post(path, order, partner);
      const { transaction_id: id, ticket } = body.data ?? body.response?.data ?? body;
      return { id, ticket, at: (what = '') => `/admin/transactions/${id}${what}` };
    };
    const auditOf = async (id: number) =>
      (await api().get(`/admin/audit?subject=transaction/${id}`, admin)).body.response.data;

    it('shows all that its channel is shown, and more', async () => {
      const undelivered = await sell(CREATE, mainBody());
      api().memory.mailer.next({ kind: 'refused', reason: 'EENVELOPE 550' });
      await api().memory.runJobs();
      const refused = await sell(PHONE, phoneOrder({ creditCard: DECLINED }));
      const waiting = await sell(PHONE, phoneOrder());
      const issued = await sell(ARTIST, artistOrder({ payment: byCard() }));
      const cancelled = await sell(CREATE, mainBody());
      await api().post(`${SALE}/${cancelled.ticket}/cancel`, {}, partner);

      for (const { ticket, at } of [refused, waiting, issued, cancelled, undelivered]) {
        const { data: theirs, document_url } = (await api().get(`${SALE}/${ticket}`, partner)).body;
        const { data: ours } = (await api().get(at(), admin)).body.response;
        const { cancellation, ...others } = theirs;
        expect(ours).to.deep.include({ ...others, channelLink: 'canal-demo' });
        if (cancellation === null) expect(ours.cancellation).to.equal(null);
        else expect(ours.cancellation).to.deep.include(cancellation);
        expect(ours.document_url === null).to.equal(document_url === null);
        const listed = (await api().get('/admin/transactions', admin)).body.response.data;
        const ofList = listed.find((each: { ticket: string }) => each.ticket === ticket);
        expect(ofList).to.deep.include({ ...theirs, channelLink: 'canal-demo' });
      }

      const shown = async ({ at }: typeof refused) =>
        (await api().get(at(), admin)).body.response.data;
      expect((await shown(refused)).refusal_reason.code).to.equal('card_declined');
      const { next, mails } = await shown(undelivered);
      expect([next.action, mails[0].status]).to.deep.equal(['correct_email', 'undelivered']);
    });

    it('has its certificate opened', async () => {
      const { at } = await sell(CREATE, mainBody());
      const { document_url } = (await api().get(at(), admin)).body.response.data;
      const opened = await fetch(document_url);
      expect([opened.status, opened.headers.get('content-type')]).to.deep.equal([
        200,
        'application/pdf',
      ]);
    });

    it('gets a second copy, once for an Idempotency-Key', async () => {
      const { id, at } = await sell(CREATE, mainBody({ email: 'copia-admin@example.com' }));
      await api().memory.runJobs();
      for (const replayed of [null, 'true']) {
        const headers = { ...admin, 'Idempotency-Key': `copy-${id}` };
        const answer = await api().post(at('/second-copy'), '', headers);
        expect([answer.status, answer.headers.get('idempotent-replayed')]).to.deep.equal([
          200,
          replayed,
        ]);
      }
      await api().memory.runJobs();
      const sent = api().memory.mailer.sent.filter(({ to }) => to === 'copia-admin@example.com');
      expect(sent.map(({ occasion }) => occasion)).to.deep.equal(['issue', 'second_copy']);
      const audited = await auditOf(id);
      expect(audited).to.have.length(1);
      expect(audited[0]).to.include({ action: 'sale.copy_requested', reason: null });
      expect(JSON.stringify(audited)).not.to.include('@');

      const waiting = await sell(PHONE, phoneOrder());
      expect((await api().post(waiting.at('/second-copy'), {}, admin)).status).to.equal(409);
      expect(await auditOf(waiting.id)).to.deep.equal([]);
    });

    it('is proved by the evidence that its channel gets, and the audit log names each reader', async () => {
      const { id, ticket, at } = await sell(CREATE, mainBody());
      const [ours, theirs] = [
        (await api().get(at('/evidence'), admin)).body.data,
        (await api().get(`${SALE}/${ticket}/evidence`, partner)).body.data,
      ];
      expect(ours.transaction_id).to.equal(id);
      const content = ({ evidence }: { evidence: string }) => evidence.split('.')[1];
      expect(content(ours)).to.equal(content(theirs));
      const readers = (await auditOf(id)).map(
        (each: { action: string; actor: { name: string } }) => [each.action, each.actor.name],
      );
      expect(readers.map(([action]: string[]) => action)).to.deep.equal([
        'sale.evidence_read',
        'sale.evidence_read',
      ]);
      expect(readers[0][1]).not.to.equal(readers[1][1]);
    });

    it('gives no evidence that the audit log cannot note', async () => {
      const { at } = await sell(CREATE, mainBody());
      const { auditLog } = api().memory;
      const { append } = auditLog;
      auditLog.append = async () => {
        throw new Unavailable('down');
      };
      const answer = await api().get(at('/evidence'), admin);
      auditLog.append = append;
      expect(answer.status).to.equal(503);
    });

    it('is kept from partners, and unknown ones are not found', async () => {
      const { at } = await sell(CREATE, mainBody());
      const statuses = async (
        headers: { Authorization: string },
        path: (what: string) => string,
      ) => [
        (await api().post(path('/second-copy'), {}, headers)).status,
        (await api().get(path('/evidence'), headers)).status,
      ];
      expect(await statuses(partner, at)).to.deep.equal([403, 403]);
      const unknown = (what: string): string => `/admin/transactions/9999999${what}`;
      expect(await statuses(admin, unknown)).to.deep.equal([404, 404]);
    });
  });
});
